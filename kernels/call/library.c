/* Loading a library. What dlopen says of one for another machine is misleading, so its head is read
 * before. */
#include "kernels/call/library.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *machine_name(unsigned machine, char text[24])
{
    static const struct {
        unsigned machine;
        const char *name;
    } known[] = {{EM_386, "x86 (32 bits)"}, {EM_X86_64, "x86-64"}, {EM_ARM, "ARM (32 bits)"},
                 {EM_AARCH64, "ARM64"},     {EM_PPC64, "POWER"},   {EM_RISCV, "RISC-V"},
                 {EM_CUDA, "NVIDIA GPUs"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].machine == machine) return known[i].name;
    snprintf(text, 24, "machine %u of ELF", machine);
    return text;
}

/* What a file begins with; false and errno if it cannot be read. */
static bool read_head(const char *path, Elf64_Ehdr *head)
{
    memset(head, 0, sizeof *head);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t got = read(file, head, sizeof *head);
    const int reason = errno;
    close(file);
    errno = reason;
    return got >= 0;
}

/* Whether the file can be a library of this process. */
static bool check_head(const char *path, gb_error *error)
{
    Elf64_Ehdr head, own;
    char theirs[24], ours[24];
    const char *what = NULL;
    if (!read_head(path, &head)) {
        gb_fail(error, GB_UNSUPPORTED,
                "%.300s: %s; a relative path begins in the config's folder, that of --library in "
                "the current one",
                path, strerror(errno));
        return false;
    }
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        what = "no shared library (no ELF file)";
    else if (head.e_type == ET_REL)
        what = "an object file: link it (cc -shared)";
    else if (head.e_type != ET_DYN)
        what = "a program, not a shared library: link it with -shared";
    if (what) {
        gb_fail(error, GB_UNSUPPORTED, "%.300s is %s", path, what);
        return false;
    }
    if (!read_head("/proc/self/exe", &own) ||
        (head.e_machine == own.e_machine && head.e_ident[EI_CLASS] == own.e_ident[EI_CLASS]))
        return true;
    gb_fail(error, GB_UNSUPPORTED,
            "%.300s is for %s, this worker runs on %s: compile it for this machine", path,
            machine_name(head.e_machine, theirs), machine_name(own.e_machine, ours));
    return false;
}

void *call_library(const char *path, gb_error *error)
{
    if (!check_head(path, error)) return NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) gb_fail(error, GB_UNSUPPORTED, "cannot load it: %.400s", dlerror());
    return library;
}

void *call_function(void *library, const char *path, const char *name, gb_error *error)
{
    void *function = dlsym(library, name);
    if (!function)
        gb_fail(error, GB_UNSUPPORTED,
                "%.300s has no function \"%.80s\"; in C++ and CUDA it is to be extern \"C\" (nm -D "
                "shows what there is)",
                path, name);
    return function;
}
