/* Lists what a program or object has for GPUs, one line an entry of its fat binaries: "sm_90" is
 * machine code, "compute_90" PTX. cuobjdump reads only what its own toolkit wrote, CUDA 11.8's not
 * that of 13, but their container is the same: a header, then entries with a header each. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0x50, PTX = 1, MACHINE_CODE = 2, ARCH_AT = 28 };
static const unsigned char magic[] = {MAGIC, 0xed, 0x55, 0xba, 1, 0, 16, 0};

static uint64_t number(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

/* Lists the entries of one fat binary; returns its bytes, header included, or 0 if it is none. */
static size_t list(const unsigned char *at, size_t left)
{
    if (left < 16 || memcmp(at, magic, sizeof magic) != 0) return 0;
    uint64_t size = 16 + number(at + 8, 8);
    if (size < 16 || size > left) return 0;
    for (uint64_t offset = 16; offset + 64 <= size;) {
        const unsigned char *entry = at + offset;
        unsigned kind = (unsigned)number(entry, 2);
        uint64_t bytes = number(entry + 4, 4) + number(entry + 8, 8);
        if (kind == PTX || kind == MACHINE_CODE)
            printf("%s_%u\n", kind == PTX ? "compute" : "sm", (unsigned)number(entry + ARCH_AT, 4));
        if (bytes < 64 || bytes > size - offset) {
            fprintf(stderr, "an entry of %llu bytes in the %llu that are left\n",
                    (unsigned long long)bytes, (unsigned long long)(size - offset));
            exit(1);
        }
        offset += bytes;
    }
    return (size_t)size;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END) != 0) return 2;
    long size = ftell(file);
    rewind(file);
    unsigned char *bytes = size > 0 ? malloc((size_t)size) : NULL;
    if (!bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size) return 2;
    fclose(file);
    for (size_t at = 0; at + 16 <= (size_t)size;) {
        size_t found = list(bytes + at, (size_t)size - at);
        at += found ? found : 8; /* they are aligned */
    }
    free(bytes);
    return 0;
}
