/* Both sides of a run in a process of its own. */
#include "common/worker/fresh_process.h"

#include "common/worker/backend.h"
#include "common/worker/limit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Where the process finds the memory, and where the data begin there. */
enum { MEMORY_FD = 3, DATA_AT = 4096 };

/* The last words of the process, at the memory's beginning. */
typedef struct words {
    bool said;        /* it came to its end */
    gb_status status; /* how the run went */
    char text[sizeof((gb_error *)0)->text];
} words;

/* ---- the memory ------------------------------------------------------------------------------ */

gb_status gb_fresh_open(gb_fresh *fresh, size_t bytes, gb_error *error)
{
    const size_t all = DATA_AT + bytes;
    *fresh = (gb_fresh){.fd = memfd_create("gpubench", MFD_CLOEXEC)};
    if (fresh->fd >= 0 && ftruncate(fresh->fd, (off_t)all) == 0)
        fresh->whole = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED, fresh->fd, 0);
    if (fresh->whole && fresh->whole != MAP_FAILED) {
        fresh->data = (char *)fresh->whole + DATA_AT;
        fresh->bytes = bytes;
        return GB_OK;
    }
    const int why = errno;
    if (fresh->fd >= 0) close(fresh->fd);
    *fresh = (gb_fresh){.fd = -1};
    return gb_fail(error, GB_OUT_OF_MEMORY, "%zu bytes of memory to share with a process: %s", all,
                   strerror(why));
}

void gb_fresh_close(gb_fresh *fresh)
{
    if (!fresh->data) return;
    munmap(fresh->whole, DATA_AT + fresh->bytes);
    close(fresh->fd);
    *fresh = (gb_fresh){.fd = -1};
}

/* ---- the side that waits --------------------------------------------------------------------- */

static gb_status start(const gb_fresh *fresh, char *const argv[], pid_t *pid, gb_error *error)
{
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0) return gb_fail(error, GB_CRASHED, "a fresh process: %s", strerror(code));
    /* Requests are the worker's to read; its answers' descriptor closes by itself. */
    code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, fresh->fd, MEMORY_FD);
    if (code == 0) code = posix_spawn(pid, "/proc/self/exe", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code == 0) return GB_OK;
    return gb_fail(error, GB_CRASHED, "a fresh process cannot be started: %s", strerror(code));
}

/* What became of it: its own words if it has left any. */
static gb_status judge(const words *last, int ended, gb_error *error)
{
    if (WIFSIGNALED(ended))
        return gb_fail(error, GB_CRASHED, "the fresh process was ended by signal %d (%s)",
                       WTERMSIG(ended), strsignal(WTERMSIG(ended)));
    if (last->said && last->status > GB_OK && last->status < GB_STATUS_COUNT)
        return gb_fail(error, last->status, "in a fresh process: %.*s", (int)sizeof last->text - 1,
                       last->text);
    if (last->said && WEXITSTATUS(ended) == EXIT_SUCCESS) return GB_OK;
    return gb_fail(error, GB_CRASHED, "the fresh process ended with exit status %d%s",
                   WEXITSTATUS(ended), last->said ? "" : " before it had run anything");
}

gb_status gb_fresh_run(const gb_fresh *fresh, const gb_job *job, const char *variant,
                       gb_error *error)
{
    words *last = fresh->whole;
    char device[16], parent[16], limit[16], shared[24], name[GB_MAX_TEXT], primitive[GB_MAX_TEXT];
    char option[] = GB_FRESH_OPTION;
    snprintf(device, sizeof device, "%d", job->device->index);
    snprintf(parent, sizeof parent, "%ld", (long)getpid());
    snprintf(limit, sizeof limit, "%u", gb_backend_limited());
    snprintf(shared, sizeof shared, "%" PRIu64, gb_backend_limited_shared());
    snprintf(primitive, sizeof primitive, "%s", job->primitive->name);
    snprintf(name, sizeof name, "%s", variant);
    char *argv[] = {
        program_invocation_name, option, primitive, name, device, parent, limit, shared, NULL};
    pid_t pid = -1;
    int ended = 0;
    *last = (words){.said = false};
    gb_status status = start(fresh, argv, &pid, error);
    if (status != GB_OK) return status;
    while (waitpid(pid, &ended, 0) < 0)
        if (errno != EINTR)
            return gb_fail(error, GB_CRASHED, "waiting for a fresh process: %s", strerror(errno));
    return judge(last, ended, error);
}

/* ---- the fresh process ----------------------------------------------------------------------- */

static const gb_variant *find(const char *primitive, const char *name, const gb_primitive **found)
{
    for (const gb_primitive *const *p = gb_registry; *p; p++) {
        if (strcmp((*p)->name, primitive) != 0 || !(*p)->run_fresh) continue;
        *found = *p;
        for (const gb_variant *const *variant = (*p)->variants; *variant; variant++)
            if (strcmp((*variant)->name, name) == 0) return *variant;
    }
    return NULL;
}

/* The memory of descriptor MEMORY_FD; NULL if there is none. */
static void *map(void)
{
    struct stat about;
    if (fstat(MEMORY_FD, &about) != 0 || about.st_size < DATA_AT) return NULL;
    void *whole =
        mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, MEMORY_FD, 0);
    return whole == MAP_FAILED ? NULL : whole;
}

static gb_status run(const gb_primitive *primitive, const gb_variant *variant, int device,
                     unsigned limit, uint64_t shared, void *data, gb_error *error)
{
    gb_backend *backend;
    unsigned granted;
    gb_status status = limit ? gb_backend_limit(device, limit, &granted, error) : GB_OK;
    if (status == GB_OK && shared) status = gb_backend_limit_shared(device, shared, error);
    if (status == GB_OK) status = gb_backend_open_bare(device, &backend, error);
    if (status != GB_OK) return status;
    status = primitive->run_fresh(variant, data, gb_backend_stream(backend), error);
    if (status == GB_OK) status = gb_backend_sync(backend, error);
    gb_backend_close(backend);
    return status;
}

int gb_fresh_main(int argc, char **argv)
{
    const gb_primitive *primitive = NULL;
    const gb_variant *variant = argc == 8 ? find(argv[2], argv[3], &primitive) : NULL;
    words *last = variant ? map() : NULL;
    if (!last) {
        fputs(GB_FRESH_OPTION " is how a worker starts itself: see its --help\n", stderr);
        return EXIT_FAILURE;
    }
    /* Whose answer nobody waits for any more need not go on. */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != (pid_t)strtol(argv[5], NULL, 10)) return EXIT_FAILURE;
    gb_error error = {GB_OK, ""};
    last->status = run(primitive, variant, (int)strtol(argv[4], NULL, 10),
                       (unsigned)strtoul(argv[6], NULL, 10), strtoull(argv[7], NULL, 10),
                       (char *)last + DATA_AT, &error);
    memcpy(last->text, error.text, sizeof last->text);
    last->said = true;
    return last->status == GB_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
