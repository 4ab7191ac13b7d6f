/* Waiting in a thread for the other end of a pipe or socket to be closed. */
#include "common/worker/reader_watch.h"

#include "common/text/limits.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *watch(void *argument)
{
    /* Nothing is asked for: a pipe or a socket without a reader says so unasked. */
    struct pollfd wait = {(int)(intptr_t)argument, 0, 0};
    for (;;) {
        int ready = poll(&wait, 1, -1);
        if (ready > 0 || (ready < 0 && errno != EINTR && errno != EAGAIN)) break;
    }
    /* No tidying up, the main thread may hang in a kernel; no words, writing them may hang, too. */
    if (wait.revents & (POLLERR | POLLHUP)) _exit(EXIT_FAILURE);
    return NULL;
}

void gb_reader_watch(int fd)
{
    pthread_t thread;
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    int code = pthread_create(&thread, NULL, watch, (void *)(intptr_t)fd);
    if (code == 0) {
        pthread_detach(thread);
    } else {
        gb_error error;
        gb_thread_refused(code, "the thread that looks whether the driver is still there", &error);
        fprintf(stderr, "gpubench worker: warning: %s\n", error.text);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}
