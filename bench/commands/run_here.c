/* What `gpubench run` does on one device: everything that was asked for, in this process. */
#include "bench/commands/run.h"

#include "bench/measure/plan.h"
#include "bench/measure/runner.h"
#include "bench/util/exit_status.h"
#include "bench/util/interrupt.h"

#include <signal.h>
#include <stdio.h>

static int print_plans(gb_run_command *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const gb_run_item *item = &c->items[i];
        int status;
        if (!gb_run_wake(c, item, &status)) return status;
        if (i) putchar('\n');
        gb_plan_print(stdout, item->config, item->session, &item->estimate,
                      gb_run_rows_left(item->config, NULL));
    }
    return GB_EXIT_OK;
}

static int print_requests(const gb_run_command *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const gb_run_item *item = &c->items[i];
        if (gb_requests_print(stdout, item->config, item->session, item->description)) continue;
        fputs("gpubench run: out of memory\n", stderr);
        return GB_EXIT_FAILED;
    }
    return GB_EXIT_OK;
}

int gb_run_here(gb_run_command *c, char **paths, size_t count)
{
    int status;
    if (!gb_run_load(c, paths, count, &status)) return status;
    if (c->requests) return print_requests(c);
    gb_run_find_others(c);
    gb_interrupt_install();
    /* Rows go to stdout while others are measured: who reads only the first lines ends nothing. */
    signal(SIGPIPE, SIG_IGN);
    if (c->dry_run) return print_plans(c);
    return c->aa ? gb_run_equal(c) : gb_run_configs(c);
}
