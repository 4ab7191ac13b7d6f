/* What nvcc has put into a program or object for GPUs: containers ("fat binaries"), aligned to 8
 * bytes, of a header each and entries that have headers of their own. cuobjdump reads only what its
 * own toolkit wrote and does not come with every nvcc; the container is the same for all of them.
 */
#ifndef GB_TESTS_WORKER_FATBIN_H
#define GB_TESTS_WORKER_FATBIN_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FATBIN_PTX = 1, FATBIN_MACHINE_CODE = 2 };

/* An entry: code of one kind for one generation, 90 for Hopper. */
typedef struct fatbin_entry {
    unsigned kind, arch;
    const unsigned char *code;
    size_t bytes;       /* of the code as it lies here */
    size_t plain_bytes; /* ... and not compressed; 0 if it is not */
} fatbin_entry;

static inline uint64_t fatbin_number(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

/* Hands the entries of the container at `at`, if it is one, to `see`; returns the container's
 * bytes, header included, or 0. */
static inline size_t fatbin_walk(const unsigned char *at, size_t left,
                                 void (*see)(const fatbin_entry *entry, void *what), void *what)
{
    static const unsigned char magic[] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
    enum { PACKED_AT = 16, ARCH_AT = 28, PLAIN_AT = 56 };
    if (left < 16 || memcmp(at, magic, sizeof magic) != 0) return 0;
    const uint64_t size = 16 + fatbin_number(at + 8, 8);
    if (size < 16 || size > left) return 0;
    for (uint64_t offset = 16; offset + 64 <= size;) {
        const unsigned char *header = at + offset;
        const uint64_t head = fatbin_number(header + 4, 4), body = fatbin_number(header + 8, 8);
        if (head < 64 || head > size - offset || body > size - offset - head) {
            fprintf(stderr, "an entry of %" PRIu64 " bytes in the %" PRIu64 " that are left\n",
                    head + body, size - offset);
            exit(1);
        }
        const uint64_t packed = fatbin_number(header + PACKED_AT, 4);
        const fatbin_entry entry = {.kind = (unsigned)fatbin_number(header, 2),
                                    .arch = (unsigned)fatbin_number(header + ARCH_AT, 4),
                                    .code = header + head,
                                    .bytes = (size_t)(packed && packed <= body ? packed : body),
                                    .plain_bytes =
                                        packed ? (size_t)fatbin_number(header + PLAIN_AT, 8) : 0};
        see(&entry, what);
        offset += head + body;
    }
    return (size_t)size;
}

/* All entries of a file; false if it cannot be read. What `see` was handed is valid until it
 * returns. */
static inline bool fatbin_read(const char *path, void (*see)(const fatbin_entry *entry, void *what),
                               void *what)
{
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    rewind(file);
    unsigned char *bytes = size > 0 ? malloc((size_t)size) : NULL;
    const bool read = bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size;
    fclose(file);
    for (size_t at = 0; read && at + 16 <= (size_t)size;) {
        const size_t found = fatbin_walk(bytes + at, (size_t)size - at, see, what);
        at += found ? found : 8;
    }
    free(bytes);
    return read;
}

#endif
