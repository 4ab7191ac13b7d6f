/* Preloaded into gpubench by tests: the k-th time that it asks for memory it gets none. From the
 * environment, of the process MEMORY_PROGRAM alone:
 *   MEMORY_AT     the number of the call, from 1
 *   MEMORY_ONCE   if it is set, later ones get theirs
 *   MEMORY_UNMAPPED  if it is set, nothing is mapped for the program itself, such as fibers' stacks
 *   MEMORY_COUNT  a file that gets the number of all calls at the end */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What glibc's own are called behind these. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);

static bool begun, once;
static long at, count;

static void begin(void)
{
    const char *program = getenv("MEMORY_PROGRAM"), *number = getenv("MEMORY_AT");
    begun = true;
    if (!program || strcmp(program, program_invocation_short_name) != 0) return;
    at = number ? atol(number) : 0;
    once = getenv("MEMORY_ONCE") != NULL;
}

static bool refused(void)
{
    if (!begun) begin();
    count++;
    if (at == 0 || (once ? count != at : count < at)) return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes)
{
    return refused() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t number, size_t bytes)
{
    return refused() ? NULL : __libc_calloc(number, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return refused() ? NULL : __libc_realloc(memory, bytes);
}

void *mmap(void *where, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    const char *program = getenv("MEMORY_PROGRAM");
    if (getenv("MEMORY_UNMAPPED") && program &&
        strcmp(program, program_invocation_short_name) == 0) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, where, bytes, protection, flags, fd, offset);
}

__attribute__((destructor)) static void end(void)
{
    const char *program = getenv("MEMORY_PROGRAM"), *path = getenv("MEMORY_COUNT");
    if (!path || !program || strcmp(program, program_invocation_short_name) != 0) return;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd >= 0) dprintf(fd, "%ld\n", count);
}
