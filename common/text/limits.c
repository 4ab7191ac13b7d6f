/* The limits of the shell (setrlimit) and of the control group, in words. */
#include "common/text/limits.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* What a main thread is given if it may have it, and what it cannot do without. */
static const rlim_t stack_wanted = (rlim_t)8 << 20, stack_needed = (rlim_t)128 << 10;

/* ---- which limit ----------------------------------------------------------------------------- */

/* A limit in force, in its unit; false if there is none. */
static bool limit_of(int resource, unsigned long long unit, unsigned long long *limit)
{
    struct rlimit found;
    if (getrlimit(resource, &found) != 0 || found.rlim_cur == RLIM_INFINITY) return false;
    *limit = found.rlim_cur / unit;
    return true;
}

/* The number in a file of this process' control group, or of the nearest one around it that has
 * one; false if none limits it. Of cgroup v2, in its usual place. */
static bool group_limit(const char *name, unsigned long long *limit)
{
    char path[512] = "", file[640];
    FILE *groups = fopen("/proc/self/cgroup", "re");
    while (groups && fgets(path, sizeof path, groups) && strncmp(path, "0::/", 4) != 0)
        path[0] = 0;
    if (groups) fclose(groups);
    if (!path[0]) return false;
    char *group = path + 3;
    group[strcspn(group, "\n")] = 0;
    for (char *slash; (slash = strrchr(group, '/')) != NULL; *slash = 0) {
        snprintf(file, sizeof file, "/sys/fs/cgroup%s/%s", group, name);
        FILE *in = fopen(file, "re");
        char number[32] = "", *end = number;
        if (in && fgets(number, sizeof number, in)) *limit = strtoull(number, &end, 10);
        if (in) fclose(in);
        if (end != number) return true; /* "max" is no number */
    }
    return false;
}

const char *gb_limit_on_memory(char text[GB_LIMIT_TEXT])
{
    unsigned long long limit;
    text[0] = 0;
    if (limit_of(RLIMIT_AS, 1024, &limit))
        snprintf(text, GB_LIMIT_TEXT, " (ulimit -v allows a process %llu kB: raise it)", limit);
    else if (limit_of(RLIMIT_DATA, 1024, &limit))
        snprintf(text, GB_LIMIT_TEXT, " (ulimit -d allows a process %llu kB: raise it)", limit);
    return text;
}

static void memory_limit(char text[GB_LIMIT_TEXT])
{
    if (!*gb_limit_on_memory(text))
        snprintf(text, GB_LIMIT_TEXT,
                 " (no ulimit -v is in force: the machine itself has no more, or "
                 "vm.overcommit_memory holds it back)");
}

static void process_limit(char text[GB_LIMIT_TEXT])
{
    unsigned long long limit;
    if (group_limit("pids.max", &limit))
        snprintf(text, GB_LIMIT_TEXT,
                 " (the control group allows %llu processes and threads: raise pids.max, or end "
                 "some)",
                 limit);
    else if (geteuid() != 0 && limit_of(RLIMIT_NPROC, 1, &limit))
        snprintf(text, GB_LIMIT_TEXT,
                 " (ulimit -u allows this user %llu processes and threads: raise it, or end some)",
                 limit);
    else
        snprintf(text, GB_LIMIT_TEXT,
                 " (no ulimit -u is in force: the machine has no more, see kernel.threads-max and "
                 "kernel.pid_max)");
}

const char *gb_limit_behind(int reason, char text[GB_LIMIT_TEXT])
{
    unsigned long long limit;
    text[0] = 0;
    if (reason == EAGAIN)
        process_limit(text);
    else if (reason == ENOMEM)
        memory_limit(text);
    else if (reason == EMFILE && limit_of(RLIMIT_NOFILE, 1, &limit))
        snprintf(text, GB_LIMIT_TEXT, " (ulimit -n allows a process %llu open files: raise it)",
                 limit);
    else if (reason == EFBIG && limit_of(RLIMIT_FSIZE, 1024, &limit))
        snprintf(text, GB_LIMIT_TEXT, " (ulimit -f allows a file %llu kB: raise it)", limit);
    return text;
}

void gb_memory_gone(const char *program, size_t bytes)
{
    char limit[GB_LIMIT_TEXT];
    fprintf(stderr, "%s: out of memory, %zu bytes asked for%s\n", program, bytes,
            gb_limit_behind(ENOMEM, limit));
    exit(EXIT_FAILURE);
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Whether there is memory for a thread's stack. */
static bool has_stack_room(void)
{
    pthread_attr_t attributes;
    size_t bytes = 0;
    if (pthread_getattr_default_np(&attributes) != 0) return false;
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
    void *room = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (room == MAP_FAILED) return false;
    munmap(room, bytes);
    return true;
}

gb_status gb_thread_refused(int code, const char *what, gb_error *error)
{
    char limit[GB_LIMIT_TEXT];
    /* EAGAIN is both; a thread is refused for want of memory as well. */
    if (code == ENOMEM || (code == EAGAIN && !has_stack_room()))
        return gb_fail(error, GB_OUT_OF_MEMORY,
                       "%s could not be started: no memory for its stack%s", what,
                       gb_limit_behind(ENOMEM, limit));
    return gb_fail(error, GB_CRASHED, "%s could not be started: %s%s", what, strerror(code),
                   gb_limit_behind(code, limit));
}

/* ---- at the beginning ------------------------------------------------------------------------ */

/* Threads get by default what `ulimit -s` was when the program began, however little that is. */
static void raise_thread_stacks(void)
{
    pthread_attr_t attributes;
    size_t bytes = 0;
    if (pthread_getattr_default_np(&attributes) != 0) return;
    if (pthread_attr_getstacksize(&attributes, &bytes) == 0 && bytes < stack_wanted &&
        pthread_attr_setstacksize(&attributes, stack_wanted) == 0)
        pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

bool gb_limits_begin(gb_error *error)
{
    struct rlimit stack;
    signal(SIGXFSZ, SIG_IGN);
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= stack_wanted) return true;
    /* It takes effect at once: the kernel looks when a stack grows. */
    stack.rlim_cur = stack.rlim_max < stack_wanted ? stack.rlim_max : stack_wanted;
    setrlimit(RLIMIT_STACK, &stack);
    raise_thread_stacks();
    if (stack.rlim_cur >= stack_needed) return true;
    gb_fail(error, GB_OUT_OF_MEMORY,
            "the stack is limited to %llu kB, and %llu are needed: raise it (ulimit -s)",
            (unsigned long long)stack.rlim_cur / 1024, (unsigned long long)stack_needed / 1024);
    return false;
}
