/* Signal handling of the driver: one flag that the loops look at. */
#include "bench/util/interrupt.h"

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
