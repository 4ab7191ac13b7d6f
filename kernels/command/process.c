/* Processes. They are started by vfork, whose cost does not grow with this process's memory, and
 * wait for nobody while they print: their output goes to memory that has a file's face. */
#include "kernels/command/process.h"

#include "common/text/text.h"
#include "common/worker/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* As automake's tests say that they cannot run here. */
enum { SKIPPED = 77, LOOK_MS = 100, STARTS = 21 };
static const off_t most_output = (off_t)64 << 20;

/* ---- starting -------------------------------------------------------------------------------- */

/* In the child, which has this process's memory until it is another program: only calls that are
 * safe there. It ends with the thread that started it. */
static _Noreturn void become(const char *folder, char *const argv[], int in, int out,
                             volatile int *reason)
{
    sigset_t none;
    sigemptyset(&none);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    /* What the worker ignores would stay ignored. */
    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGINT, SIG_DFL);
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(out, STDERR_FILENO) >= 0 && chdir(folder) == 0)
        (void)execvp(argv[0], argv);
    *reason = errno;
    _exit(127);
}

/* Until the process ends, or has printed too much. */
static void await(pid_t pid, int out, command_end *end)
{
    const int handle = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd ended = {.fd = handle, .events = POLLIN};
    struct stat about;
    while (handle >= 0 && poll(&ended, 1, LOOK_MS) <= 0) {
        if (fstat(out, &about) == 0 && about.st_size <= most_output) continue;
        end->too_much = true;
        (void)kill(pid, SIGKILL);
        break;
    }
    while (waitpid(pid, &end->status, 0) < 0 && errno == EINTR) {
    }
    if (handle >= 0) close(handle);
}

/* The text of a file without NULs; NULL without memory. */
static char *read_output(int out)
{
    struct stat about;
    size_t size = fstat(out, &about) == 0 ? (size_t)about.st_size : 0, got = 0;
    if (size > (size_t)most_output) size = (size_t)most_output;
    char *text = malloc(size + 1);
    if (!text) return NULL;
    for (ssize_t more = 1; more > 0 && got<size; got += more> 0 ? (size_t)more : 0)
        more = pread(out, text + got, size - got, (off_t)got);
    for (size_t i = 0; i < got; i++)
        if (!text[i]) text[i] = ' ';
    text[got] = '\0';
    return text;
}

gb_status command_run(const char *folder, char *const argv[], command_end *end, gb_error *error)
{
    *end = (command_end){.status = 0};
    volatile int reason = 0;
    const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int out = memfd_create("output", MFD_CLOEXEC);
    gb_status status = GB_OK;
    if (in < 0 || out < 0) {
        status = gb_fail(error, GB_CRASHED, "no descriptors for a process: %s", strerror(errno));
    } else {
        const double start = gb_clock_s();
        /* posix_spawn has no word for a program that is to end with the one that started it, and
         * fork takes longer the more memory there is: NOLINTNEXTLINE(clang-analyzer-security*) */
        const pid_t pid = vfork();
        /* what the child calls is safe there: NOLINTNEXTLINE(clang-analyzer-unix*) */
        if (pid == 0) become(folder, argv, in, out, &reason);
        if (pid < 0) reason = errno;
        if (pid > 0) await(pid, out, end);
        end->seconds = gb_clock_s() - start;
        if (reason)
            status = gb_fail(error, GB_CRASHED, "cannot start %.200s in %.200s: %s", argv[0],
                             folder, strerror(reason));
        else if (!(end->output = read_output(out)))
            status = gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a program's output");
    }
    if (in >= 0) close(in);
    if (out >= 0) close(out);
    return status;
}

/* ---- judging --------------------------------------------------------------------------------- */

/* Where the last lines begin that fit into so many bytes. */
static const char *last_lines(const char *text, size_t bytes)
{
    size_t length = strlen(text);
    while (length > 0 && strchr(" \n\r\t", text[length - 1]))
        length--;
    if (length <= bytes) return text;
    const char *at = text + length - bytes, *line = strchr(at, '\n');
    return line && line < text + length ? line + 1 : at;
}

gb_status command_judge(const command_end *end, gb_error *error)
{
    enum { SHOWN = 300 };
    char how[120];
    const int code = WIFEXITED(end->status) ? WEXITSTATUS(end->status) : -1;
    if (end->too_much)
        return gb_fail(
            error, GB_CRASHED,
            "it printed more than %d MiB and was ended: what it prints is kept in memory",
            (int)(most_output >> 20));
    if (code == 0) return GB_OK;
    if (code > 0)
        snprintf(how, sizeof how, "exit status %d", code);
    else
        snprintf(how, sizeof how, "ended by signal %d (%s)", WTERMSIG(end->status),
                 strsignal(WTERMSIG(end->status)));
    const char *words = last_lines(end->output, SHOWN);
    gb_fail(error, code == SKIPPED ? GB_UNSUPPORTED : GB_CRASHED, "%s%s%.310s", how,
            *words ? "; it says: " : "; it says nothing", words);
    size_t length = strlen(error->text);
    while (length > 0 && strchr(" \n\r\t", error->text[length - 1]))
        error->text[--length] = '\0';
    gb_text_tame(error->text);
    return error->status;
}

static int by_size(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

double command_start_s(void)
{
    char program[] = "true";
    char *const argv[] = {program, NULL};
    double times[STARTS];
    for (int i = 0; i < STARTS; i++) {
        command_end end;
        gb_error unheard;
        if (command_run("/", argv, &end, &unheard) != GB_OK) return 0;
        free(end.output);
        times[i] = end.seconds;
    }
    qsort(times, STARTS, sizeof *times, by_size);
    return times[STARTS / 2];
}
