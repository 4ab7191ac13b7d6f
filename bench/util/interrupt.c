/* Signal handling of the driver: one flag that the loops look at. */
#include "bench/util/interrupt.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

volatile sig_atomic_t gb_interrupted;

static void on_signal(int number)
{
    /* The worker ends with the driver: its stdin closes, and on Linux the kernel kills it. */
    if (gb_interrupted) _exit(130);
    gb_interrupted = number;
}

void gb_interrupt_install(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGXCPU, &action, NULL);
    /* Under nohup, SIGHUP is ignored and has to stay so. */
    struct sigaction old;
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

static void wake(int number)
{
    (void)number;
}

/* A signal that comes between looking at the flag and waiting would be slept through: so signals
 * come only while it waits. */
int gb_interrupt_wait(pid_t child, int *status)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGCHLD};
    struct sigaction action = {.sa_handler = wake}, old;
    sigset_t blocked, before, waiting;
    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&blocked, numbers[i]);
    sigemptyset(&action.sa_mask);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    sigaction(SIGCHLD, &action, &old);
    waiting = before;
    sigdelset(&waiting, SIGCHLD);
    pid_t ended;
    for (bool told = false; (ended = waitpid(child, status, WNOHANG)) == 0;) {
        if (gb_interrupted && !told) told = kill(child, SIGTERM) == 0;
        sigsuspend(&waiting);
    }
    const int reason = ended < 0 ? errno : 0;
    sigaction(SIGCHLD, &old, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return reason;
}
