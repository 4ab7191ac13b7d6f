/* A block: its threads are numbered and made ready, run on fibers, and end. */
#include "common/simt/block.h"

#include "common/simt/collectives.h"
#include "common/simt/poison.h"
#include "common/simt/policies.h"
#include "common/simt/report.h"
#include "common/simt/sanitizers.h"
#include "common/simt/scheduler.h"

namespace simt
{
/* ---- threads --------------------------------------------------------------------------------- */

/* Ends the calling thread. Returns when its fiber has got another thread to run. */
static void thread_ended(worker *w, task *t)
{
    t->state = state_ended;
    t->home->alive &= ~(1u << t->lane);
    w->alive--;
    here.idle = 0;
    bump(&w->progress);
    release_without(w, t);
    if (fibers_are_shared) w->spare[w->spares++] = w->active;
    if (w->alive) {
        switch_away(w); /* a thread that starts gets this very fiber */
        return;
    }
    w->switches++;
    switch_home(w);
}

/* What every fiber runs: threads, one after the other, as long as none of them blocks. */
static void fiber_entry()
{
    worker *w = here.worker;
    fiber_arrived(w->active);
    for (;;) {
        happens_after(&w->start_order);
        leave();
        w->job->body(w->job->arguments);
        enter();
        happens_before(&w->end_order);
        thread_ended(w, current_task());
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Atomic operations that a thread may do before others get their turn, where none is left at them
 * by chance. */
static const int fair_quota = 256;

/* After a failure no fiber is where a new thread could start. */
static void restart_fibers(worker *w)
{
    w->spares = 0;
    for (unsigned i = 0; i < w->made; i++) {
        (void)fiber_start(&w->fibers[i], i, fiber_entry);
        if (fibers_are_shared) w->spare[w->spares++] = &w->fibers[i];
    }
    w->abandoned = false;
}

static void number_tasks(worker *w, dim3 dim)
{
    if (w->tasks_for.x == dim.x && w->tasks_for.y == dim.y && w->tasks_for.z == dim.z) return;
    for (unsigned i = 0; i < dim.x * dim.y * dim.z; i++) {
        task *t = &w->tasks[i];
        t->index = {i % dim.x, i / dim.x % dim.y, i / dim.x / dim.y};
        t->linear = i;
        t->lane = i % warp_size;
        t->home = &w->warps[i / warp_size];
    }
    w->tasks_for = dim;
}

static void reset_block(worker *w, unsigned number)
{
    const job *j = w->job;
    const unsigned n = j->threads;
    w->block.index = {number % j->grid.x, number / j->grid.x % j->grid.y,
                      number / j->grid.x / j->grid.y};
    w->block.dim = j->block_dim;
    w->block.grid = j->grid;
    w->random = mix(j->seed ^ mix(number)) | 1;
    w->alive = n;
    w->waiting = w->true_count = 0;
    number_tasks(w, j->block_dim);
    for (unsigned i = 0; i < n; i++) {
        task *t = &w->tasks[i];
        t->stack = NULL;
        t->file = NULL;
    }
    start_ready(w);
    for (unsigned i = 0; i < n; i += warp_size) {
        warp *home = &w->warps[i / warp_size];
        home->waiting = 0;
        home->alive = n - i >= warp_size ? ~0u : (1u << (n - i)) - 1;
    }
    const bool preempting = config.policy == by_priority || config.preempt_atomic ||
                            config.preempt_volatile || config.preempt_plain || config.weak;
    w->quota = preempting ? 0 : fair_quota;
}

void run_block(worker *w, unsigned number)
{
    w->fiber_entry = fiber_entry;
    reset_block(w, number);
    if (config.poison) poison_shared(w);
    happens_before(&w->start_order);
    here.block = &w->block;
    here.idle = 0;
    weak_begin_block(w, number);
    /* all of them now: for ThreadSanitizer a fiber that makes another happens before it */
    if (!fibers_are_shared) (void)take_fiber(w, &w->tasks[w->job->threads - 1]);
    task *first = take_ready(w);
    first->stack = take_fiber(w, first);
    if (first->stack) {
        w->active = first->stack;
        fiber_switch(&w->home, first->stack);
    } else {
        char why[lack_bytes];
        report_block(w, cudaErrorMemoryAllocation, lack_of_stack(why));
    }
    here.thread = NULL;
    here.block = NULL;
    weak_end_block(w);
    happens_after(&w->end_order);
    if (config.poison) search_shared(w);
    if (w->abandoned) restart_fibers(w);
    w->blocks++;
}
} // namespace simt
