/* Starting and ending a child process: fork and exec with pipes that no other process inherits. */
#include "bench/util/child.h"

#include "bench/util/clock.h"
#include "common/text/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* The driver of a device tears down what a killed process had there before that process ends: a
 * kernel that never ends and much memory take it seconds. Some hang there for good. */
static const double kill_limit_s = 30;
/* srun that is asked to end has its job ended, wherever that runs; killed with its whole group it
 * leaves the job, and the job's GPU, to the hung worker. */
static const double term_grace_s = 2;
enum { ssh_failed = 255 };

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

char **gb_command_split(const char *command, gb_error *error)
{
    /* At most every second character begins a word, and the words fit in a copy of the command. */
    size_t length = strlen(command), capacity = length / 2 + 2;
    char **words = malloc(capacity * sizeof *words + length + 1);
    if (!words) {
        gb_fail(error, GB_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    char *text = (char *)(words + capacity);
    size_t count = 0;
    for (const char *at = command;;) {
        while (blank(*at))
            at++;
        if (!*at) break;
        words[count++] = text;
        while (*at && !blank(*at)) {
            if (*at != '\'' && *at != '"') {
                *text++ = *at++;
                continue;
            }
            const char *end = strchr(at + 1, *at);
            if (!end) {
                gb_fail(error, GB_CRASHED,
                        "worker command '%.200s': the quote %c at column %zu is "
                        "never closed",
                        command, *at, (size_t)(at - command) + 1);
                free(words);
                return NULL;
            }
            memcpy(text, at + 1, (size_t)(end - at - 1));
            text += end - at - 1;
            at = end + 1;
        }
        *text++ = 0;
    }
    words[count] = NULL;
    if (count == 0 || !*words[0]) {
        gb_fail(error, GB_CRASHED, "the worker command is empty: name an executable");
        free(words);
        return NULL;
    }
    return words;
}

static void close_fd(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

static void close_pair(int pair[2])
{
    close_fd(&pair[0]);
    close_fd(&pair[1]);
}

/* In the child: never returns. Only calls that are safe between fork and exec. */
static _Noreturn void become(char *const argv[], int in, int out, int err, int report, pid_t parent)
{
    setsid();
#ifdef __linux__
    /* A worker that hangs in a kernel would not see its stdin close when the driver is killed. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
#else
    (void)parent;
#endif
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    /* The pipe ends are above 2 (main holds those), so no dup2 overwrites a source, and the copies
     * lose close-on-exec. */
    if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0) execvp(argv[0], argv);
    int reason = errno;
    ssize_t sent = write(report, &reason, sizeof reason);
    _exit(sent == sizeof reason ? 127 : 126);
}

bool gb_child_start(gb_child *child, char *const argv[], gb_error *error)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1}, report[2] = {-1, -1};
    pid_t pid = -1, parent = getpid();
    *child = (gb_child){.in = -1, .out = -1, .err = -1};
    if (pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0 &&
        pipe2(report, O_CLOEXEC) == 0)
        pid = fork();
    if (pid == 0) become(argv, in[0], out[1], err[1], report[1], parent);
    int reason = errno;
    close_fd(&in[0]);
    close_fd(&out[1]);
    close_fd(&err[1]);
    close_fd(&report[1]);
    if (pid > 0) {
        /* End of file here means that exec succeeded and closed the other end. */
        ssize_t got;
        do
            got = read(report[0], &reason, sizeof reason);
        while (got < 0 && errno == EINTR);
        close_fd(&report[0]);
        if (got == 0) {
            *child = (gb_child){.pid = pid,
                                .in = in[1],
                                .out = out[0],
                                .err = err[0],
                                .kill_limit_s = kill_limit_s};
            fcntl(child->in, F_SETFL, O_NONBLOCK);
            fcntl(child->out, F_SETFL, O_NONBLOCK);
            fcntl(child->err, F_SETFL, O_NONBLOCK);
            return true;
        }
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    close_pair(in);
    close_pair(out);
    close_pair(err);
    close_pair(report);
    char limit[GB_LIMIT_TEXT];
    gb_fail(error, GB_CRASHED, "cannot start the worker '%.200s': %s%s", argv[0], strerror(reason),
            reason == ENOENT ? " (build it with `make`, or name another with --worker)"
                             : gb_limit_behind(reason, limit));
    return false;
}

static void describe_end(int status, bool killed, char *words, size_t capacity)
{
    if (killed)
        snprintf(words, capacity, "killed");
    else if (WIFSIGNALED(status))
        snprintf(words, capacity, "ended by signal %d (%s)%s", WTERMSIG(status),
                 strsignal(WTERMSIG(status)),
                 WTERMSIG(status) == SIGKILL
                     ? ", which the kernel sends where memory runs out: dmesg tells"
                     : "");
    else
        snprintf(words, capacity, "exit status %d", WEXITSTATUS(status));
}

/* A full pipe must not keep a child from ending: reads on for a millisecond and throws away. */
static void drop_output(const gb_child *child)
{
    char drop[4096];
    struct pollfd from[2] = {{child->out, POLLIN, 0}, {child->err, POLLIN, 0}};
    bool any = false;
    if (poll(from, 2, 1) > 0) {
        for (int i = 0; i < 2; i++)
            any |= (from[i].revents & POLLIN) && read(from[i].fd, drop, sizeof drop) > 0;
    }
    if (!any) poll(NULL, 0, 1); /* closed pipes are always ready */
}

bool gb_child_gone(const gb_child *child)
{
    siginfo_t info = {0};
    int got = child->pid ? waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOWAIT | WNOHANG) : 0;
    return child->pid == 0 || (got == 0 && info.si_pid != 0) || (got < 0 && errno != EINTR);
}

bool gb_child_stopped(const gb_child *child)
{
    siginfo_t info = {0};
    return child->pid != 0 &&
           waitid(P_PID, (id_t)child->pid, &info, WSTOPPED | WNOWAIT | WNOHANG) == 0 &&
           info.si_pid != 0;
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Whether a signal that nobody here has sent was that of the limit on CPU time: SIGXCPU at the soft
 * one, SIGKILL at the hard one, which others send as well. The kernel compares the limit with ticks
 * of its clock, and on a busy machine those are far from what was used. */
static bool met_cpu_limit(int status, const struct rusage *used, double *limit_s)
{
    struct rlimit limit;
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if ((number != SIGXCPU && number != SIGKILL) || getrlimit(RLIMIT_CPU, &limit) != 0)
        return false;
    const rlim_t most = number == SIGXCPU ? limit.rlim_cur : limit.rlim_max;
    *limit_s = (double)most;
    return most != RLIM_INFINITY &&
           (number == SIGXCPU || seconds(used->ru_utime) + seconds(used->ru_stime) >= *limit_s / 2);
}

/* Reaps the child, which is gone, and puts its end into words. */
static bool reap(gb_child *child, bool killed, char *words, size_t capacity)
{
    int status = 0;
    double limit_s;
    struct rusage used = {0};
    while (wait4(child->pid, &status, 0, &used) < 0 && errno == EINTR) {
    }
    describe_end(status, killed, words, capacity);
    child->out_of_time = !killed && met_cpu_limit(status, &used, &limit_s);
    if (child->out_of_time)
        snprintf(words, capacity,
                 "used up the %.0f s of CPU time that a process may have: raise ulimit -t",
                 limit_s);
    /* A shell, ssh or srun in between reports its own end of one as an exit status. */
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    child->terminated = !killed && ((WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) ||
                                    code == 128 + SIGTERM || code == ssh_failed);
    return !killed && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool gb_child_end(gb_child *child, double wait_s, char *words, size_t capacity)
{
    close_fd(&child->in);
    snprintf(words, capacity, "ended");
    if (child->pid == 0) return false;
    bool asked = false, killed = false, gone, well = false;
    double deadline = gb_now() + wait_s;
    while (!(gone = gb_child_gone(child))) {
        if (gb_now() < deadline) {
            drop_output(child);
        } else if (killed) {
            break;
        } else if (!asked) {
            kill(-child->pid, SIGTERM);
            kill(-child->pid, SIGCONT); /* who is stopped would not hear it */
            asked = true;
            deadline = gb_now() + term_grace_s;
        } else {
            kill(child->pid, SIGKILL);
            killed = true;
            deadline = gb_now() + child->kill_limit_s;
        }
    }
    /* What it started itself (ssh's helpers, a wrapper's children) goes with it. Before it is
     * reaped, so that the group's number cannot belong to another. */
    kill(-child->pid, SIGKILL);
    if (gone)
        well = reap(child, asked, words, capacity);
    else
        snprintf(words, capacity,
                 "process %ld does not end though killed %g s ago: the device's "
                 "driver holds it",
                 (long)child->pid, child->kill_limit_s);
    child->pid = 0;
    close_fd(&child->out);
    close_fd(&child->err);
    return well;
}

void gb_children_end(gb_child *const *children, unsigned count, double grace_s)
{
    for (unsigned i = 0; i < count; i++) {
        if (!children[i]->pid) continue;
        kill(-children[i]->pid, SIGTERM);
        kill(-children[i]->pid, SIGCONT); /* who is stopped would not hear it */
    }
    const double deadline = gb_now() + grace_s;
    for (bool gone = false; !gone && gb_now() < deadline;) {
        gone = true;
        for (unsigned i = 0; i < count; i++) {
            if (gb_child_gone(children[i])) continue;
            drop_output(children[i]);
            gone = false;
        }
    }
    for (unsigned i = 0; i < count; i++)
        if (children[i]->pid) kill(-children[i]->pid, SIGKILL);
}
