/* Variants whose host code fails: the worker itself hangs or dies. */
#include "tests/worker/primitives/faults/faults.h"

#include <stdlib.h>
#include <unistd.h>

static gb_status hang(gb_job *job, gb_stream stream)
{
    (void)job;
    (void)stream;
    for (volatile unsigned turns = 1; turns; turns |= 1) {
    }
    return GB_OK;
}

/* No allocation is there. */
static volatile int *volatile nowhere = (volatile int *)16;

static gb_status crash(gb_job *job, gb_stream stream)
{
    (void)job;
    (void)stream;
    *nowhere = 1;
    return GB_OK;
}

static gb_status leave(gb_job *job, gb_stream stream)
{
    (void)job;
    (void)stream;
    _exit(3);
}

static gb_status give_up(gb_job *job, gb_stream stream)
{
    (void)job;
    (void)stream;
    abort();
}

const gb_variant faults_host_endless = {.name = "host-endless",
                                        .summary = "a loop of the host that never ends",
                                        .origin = "gpubench",
                                        .run = hang};

const gb_variant faults_host_crash = {.name = "host-crash",
                                      .summary = "a segmentation fault of the worker",
                                      .origin = "gpubench",
                                      .run = crash};

const gb_variant faults_host_exit = {
    .name = "host-exit", .summary = "the worker exits", .origin = "gpubench", .run = leave};

const gb_variant faults_host_abort = {
    .name = "host-abort", .summary = "the worker aborts", .origin = "gpubench", .run = give_up};
