/* Preloaded into gpubench by tests: counts what it does to files of a folder, and at the k-th such
 * call kills it, writes a half, or lets the call fail. So a test goes through every moment between
 * two of them, where luck would find only some. From the environment:
 *   CRASH_UNDER  files whose path holds this text are meant, of the process CRASH_PROGRAM alone
 *   CRASH_AT     the number of the call, from 1
 *   CRASH_DO     kill (before the call) · after (kill after it; of a write, after half of it) ·
 *                short (half of a write succeeds) · unlink (the file is unlinked, then the call
 *                goes on) · an errno (this call fails) · an errno and "+" (this one and all later
 *                ones that can fail so)
 *   CRASH_LOG    a file that gets a line for each call */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef enum { CALL_PATH, CALL_MAKE, CALL_WRITE, CALL_SYNC, CALL_FILE } call_kind;
typedef enum { GO_ON, DIE_AFTER, HALF, FAIL } verdict;

static const char *under, *what;
static long at, count;
static int log_fd = -1;

__attribute__((constructor)) static void begin(void)
{
    const char *program = getenv("CRASH_PROGRAM"), *number = getenv("CRASH_AT");
    const char *log = getenv("CRASH_LOG");
    if (!program || strcmp(program, program_invocation_short_name) != 0) return;
    under = getenv("CRASH_UNDER");
    what = getenv("CRASH_DO");
    at = number ? atol(number) : 0;
    if (log) log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
}

static void die(void)
{
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

/* Whether a call of this kind can fail for this reason. */
static bool can_fail(call_kind kind, int reason)
{
    if (reason == ENOSPC) return kind == CALL_MAKE || kind == CALL_WRITE || kind == CALL_SYNC;
    if (reason == EINTR) return kind == CALL_WRITE;
    if (reason == EACCES) return kind == CALL_PATH || kind == CALL_MAKE;
    if (reason == EROFS) return kind != CALL_SYNC;
    return true;
}

static verdict judge(const char *name, call_kind kind, const char *path)
{
    if (!under || !path || !strstr(path, under)) return GO_ON;
    count++;
    if (log_fd >= 0) dprintf(log_fd, "%ld %s %s\n", count, name, path);
    if (!what || at == 0 || count < at) return GO_ON;
    int reason = atoi(what);
    bool lasting = what[strlen(what) - 1] == '+';
    if (count > at && !lasting) return GO_ON;
    if (strcmp(what, "kill") == 0) die();
    if (strcmp(what, "after") == 0) return DIE_AFTER;
    if (strcmp(what, "short") == 0) return HALF;
    if (strcmp(what, "unlink") == 0) syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (reason == 0 || !can_fail(kind, reason)) return GO_ON;
    errno = reason;
    return FAIL;
}

static verdict judge_fd(const char *name, call_kind kind, int fd)
{
    char link[64], path[4096];
    if (!under) return GO_ON;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    return judge(name, kind, path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The body of a wrapper: the call, unless it is to fail; dead after it, if that is asked for. */
#define PASS(judged, failure, call)       \
    do {                                  \
        verdict v = (judged);             \
        if (v == FAIL) return failure;    \
        __typeof__(call) result = (call); \
        if (v == DIE_AFTER) die();        \
        return result;                    \
    } while (0)

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    PASS(judge("open", flags & O_CREAT ? CALL_MAKE : CALL_PATH, path), -1,
         REAL(open)(path, flags, mode));
}

FILE *fopen(const char *path, const char *mode)
{
    PASS(judge("fopen", CALL_PATH, path), NULL, REAL(fopen)(path, mode));
}

ssize_t write(int fd, const void *text, size_t size)
{
    verdict v = judge_fd("write", CALL_WRITE, fd);
    if (v == FAIL) return -1;
    ssize_t sent = REAL(write)(fd, text, v == GO_ON || size < 2 ? size : size / 2);
    if (v == DIE_AFTER) die();
    return sent;
}

int rename(const char *from, const char *to)
{
    PASS(judge("rename", CALL_PATH, to), -1, REAL(rename)(from, to));
}

int unlink(const char *path)
{
    PASS(judge("unlink", CALL_PATH, path), -1, REAL(unlink)(path));
}

int mkdir(const char *path, mode_t mode)
{
    PASS(judge("mkdir", CALL_MAKE, path), -1, REAL(mkdir)(path, mode));
}

int truncate(const char *path, off_t size)
{
    PASS(judge("truncate", CALL_PATH, path), -1, REAL(truncate)(path, size));
}

int ftruncate(int fd, off_t size)
{
    PASS(judge_fd("ftruncate", CALL_FILE, fd), -1, REAL(ftruncate)(fd, size));
}

int fsync(int fd)
{
    PASS(judge_fd("fsync", CALL_SYNC, fd), -1, REAL(fsync)(fd));
}

int fdatasync(int fd)
{
    PASS(judge_fd("fdatasync", CALL_SYNC, fd), -1, REAL(fdatasync)(fd));
}

int flock(int fd, int operation);
int flock(int fd, int operation)
{
    PASS(judge_fd("flock", CALL_FILE, fd), -1, REAL(flock)(fd, operation));
}

ssize_t pread(int fd, void *text, size_t size, off_t offset)
{
    PASS(judge_fd("pread", CALL_FILE, fd), -1, REAL(pread)(fd, text, size, offset));
}

int close(int fd)
{
    verdict v = judge_fd("close", CALL_SYNC, fd);
    int result = REAL(close)(fd), reason = errno;
    if (v == DIE_AFTER) die();
    if (v == FAIL) result = -1;
    errno = v == FAIL ? atoi(what) : reason;
    return result;
}
