/* What the kernels in programs and objects take of a multiprocessor, as their machine code for one
 * generation says: kernel_usage 90 FILE... prints a line a kernel,
 *
 *   NAME,REGISTERS,STACK,SHARED,THREADS
 *
 * its mangled name, registers of a thread, bytes of a thread's stack (what ptxas spills lies there,
 * too), bytes of static shared memory of a block, and the most threads of a block that it was
 * compiled for (0: it does not say). Exit status 3: there is machine code of that generation, but
 * compressed otherwise than by zstd, as nvcc does since 12.9, or there is no libzstd.
 *
 * Machine code is an ELF file ("cubin"); its sections .nv.info hold attributes, which cuobjdump
 * -res-usage prints, too. */
#include <dlfcn.h>
#include <elf.h>
#include <stdbool.h>

#include "tests/worker/fatbin.h"

/* Attributes by their numbers; each is a byte of format, one of number, two of size, the value. */
enum {
    VALUE_OF_SIZE = 4,
    MOST_THREADS = 0x05, /* of a kernel: three numbers */
    FRAME_BYTES = 0x11,  /* of a function: its symbol, the number */
    REGISTERS = 0x2f,    /* the same */
    IS_KERNEL = 0x10     /* in st_other of a symbol */
};

typedef struct cubin {
    const unsigned char *at;
    size_t bytes;
    const Elf64_Shdr *sections;
    unsigned section_count;
    const char *names; /* of sections */
    const Elf64_Sym *symbols;
    uint64_t symbol_count;
    const char *symbol_names;
} cubin;

typedef struct asked {
    unsigned arch;
    bool unread; /* some of it was compressed and could not be read */
} asked;

static void broken(const char *what)
{
    fprintf(stderr, "machine code that is not understood: %s\n", what);
    exit(1);
}

static const Elf64_Shdr *section_at(const cubin *c, unsigned i)
{
    if (i >= c->section_count) broken("a section that there is not");
    const Elf64_Shdr *section = &c->sections[i];
    if (section->sh_type != SHT_NOBITS &&
        (section->sh_offset > c->bytes || section->sh_size > c->bytes - section->sh_offset))
        broken("a section beyond its end");
    return section;
}

static cubin open_cubin(const unsigned char *at, size_t bytes)
{
    cubin c = {.at = at, .bytes = bytes};
    const Elf64_Ehdr *header = (const void *)at;
    if (bytes < sizeof *header || memcmp(at, ELFMAG, SELFMAG) != 0) broken("no ELF file");
    if (header->e_shoff > bytes || header->e_shnum > (bytes - header->e_shoff) / sizeof(Elf64_Shdr))
        broken("sections beyond its end");
    c.sections = (const void *)(at + header->e_shoff);
    c.section_count = header->e_shnum;
    c.names = (const char *)at + section_at(&c, header->e_shstrndx)->sh_offset;
    for (unsigned i = 0; i < c.section_count; i++) {
        if (c.sections[i].sh_type != SHT_SYMTAB) continue;
        const Elf64_Shdr *table = section_at(&c, i);
        c.symbols = (const void *)(at + table->sh_offset);
        c.symbol_count = table->sh_size / sizeof(Elf64_Sym);
        c.symbol_names = (const char *)at + section_at(&c, table->sh_link)->sh_offset;
    }
    if (!c.symbols) broken("no symbols");
    return c;
}

/* The section PREFIX NAME, or NULL. */
static const Elf64_Shdr *section_of(const cubin *c, const char *prefix, const char *name)
{
    const size_t length = strlen(prefix);
    for (unsigned i = 0; i < c->section_count; i++) {
        const char *its = c->names + c->sections[i].sh_name;
        if (strncmp(its, prefix, length) == 0 && strcmp(its + length, name) == 0)
            return section_at(c, i);
    }
    return NULL;
}

/* The attribute `number` in a section: of symbol `symbol`, or (NO_SYMBOL) of whatever the section
 * is about, its first number. 0 where there is none. */
enum { NO_SYMBOL = -1 };
static unsigned attribute(const cubin *c, const Elf64_Shdr *section, unsigned number,
                          int64_t symbol)
{
    if (!section) return 0;
    const unsigned char *at = c->at + section->sh_offset, *end = at + section->sh_size;
    while (end - at >= 4) {
        const size_t size = at[0] == VALUE_OF_SIZE ? fatbin_number(at + 2, 2) : 0;
        if (size > (size_t)(end - at) - 4) broken("an attribute beyond its section");
        const unsigned char *value = at + 4;
        if (at[0] == VALUE_OF_SIZE && at[1] == number) {
            if (symbol == NO_SYMBOL && size >= 4) return (unsigned)fatbin_number(value, 4);
            if (size >= 8 && (int64_t)fatbin_number(value, 4) == symbol)
                return (unsigned)fatbin_number(value + 4, 4);
        }
        at = value + size;
    }
    return 0;
}

/* The kernels of one ELF file. */
static void print_all(const unsigned char *code, size_t bytes)
{
    const cubin c = open_cubin(code, bytes);
    const Elf64_Shdr *all = section_of(&c, ".nv.info", "");
    for (uint64_t s = 0; s < c.symbol_count; s++) {
        if (ELF64_ST_TYPE(c.symbols[s].st_info) != STT_FUNC || !(c.symbols[s].st_other & IS_KERNEL))
            continue;
        const char *name = c.symbol_names + c.symbols[s].st_name;
        const Elf64_Shdr *shared = section_of(&c, ".nv.shared.", name);
        printf("%s,%u,%u,%llu,%u\n", name, attribute(&c, all, REGISTERS, (int64_t)s),
               attribute(&c, all, FRAME_BYTES, (int64_t)s),
               shared ? (unsigned long long)shared->sh_size : 0,
               attribute(&c, section_of(&c, ".nv.info.", name), MOST_THREADS, NO_SYMBOL));
    }
}

/* What zstd has compressed; NULL if it cannot be had. The library that every Debian has is opened,
 * for headers would be a package more. */
static unsigned char *inflate(const fatbin_entry *entry)
{
    typedef size_t decompress(void *to, size_t room, const void *from, size_t bytes);
    void *library = dlopen("libzstd.so.1", RTLD_NOW);
    decompress *zstd = library ? (decompress *)dlsym(library, "ZSTD_decompress") : NULL;
    unsigned char *plain = zstd ? malloc(entry->plain_bytes) : NULL;
    if (!plain) return NULL;
    if (zstd(plain, entry->plain_bytes, entry->code, entry->bytes) == entry->plain_bytes)
        return plain;
    free(plain);
    return NULL;
}

static void print_kernels(const fatbin_entry *entry, void *what)
{
    asked *a = what;
    if (entry->kind != FATBIN_MACHINE_CODE || entry->arch != a->arch) return;
    if (!entry->plain_bytes) {
        print_all(entry->code, entry->bytes);
        return;
    }
    unsigned char *plain = inflate(entry);
    if (!plain) a->unread = true;
    if (plain) print_all(plain, entry->plain_bytes);
    free(plain);
}

int main(int argc, char **argv)
{
    asked a = {.arch = argc > 2 ? (unsigned)atoi(argv[1]) : 0};
    if (a.arch == 0) {
        fprintf(stderr, "usage: kernel_usage GENERATION FILE...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        if (fatbin_read(argv[i], print_kernels, &a)) continue;
        fprintf(stderr, "%s: cannot be read\n", argv[i]);
        return 2;
    }
    return a.unread ? 3 : 0;
}
