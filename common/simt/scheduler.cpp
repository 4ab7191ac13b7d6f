/* The threads of a block take turns: which goes on, and on which fiber. */
#include "common/simt/runtime.h"

#include <limits.h>
#include <sched.h>

namespace simt
{
__thread context here;

static const int fair_quota = 256;
static const unsigned pass_bits = 12;
static unsigned until_pass; /* deterministic mode: points until the baton goes on */
static unsigned
    turn_idle; /* deterministic mode: here.idle of all blocks, handed on with the baton */

/* ---- fibers ---------------------------------------------------------------------------------- */

static void fiber_entry();

/* A fiber for a thread that starts; NULL: no memory. */
static fiber *take_fiber(worker *w, const task *t)
{
    if (fibers_are_shared && w->spares) return w->spare[--w->spares];
    const unsigned wanted = fibers_are_shared ? w->made : t->linear;
    for (; w->made <= wanted; w->made++)
        if (!fiber_start(&w->fibers[w->made], w->made, fiber_entry)) return NULL;
    return &w->fibers[wanted];
}

/* Chooses a ready thread; the caller switches to w->active. */
static void choose_next(worker *w)
{
    if (w->ready_count == 0) fail(cudaErrorLaunchFailure, "dead-lock: no thread can go on");
    task *next = take_ready(w);
    if (!next->stack && !(next->stack = take_fiber(w, next)))
        fail(cudaErrorLaunchOutOfResources, "no memory for another thread's stack");
    w->active = next->stack;
}

static void switch_from(worker *w, fiber *mine)
{
    if (w->active == mine) return;
    w->switches++;
    fiber_switch(mine, w->active);
}

/* Ends the calling thread. Returns when its fiber has got another thread to run. */
static void thread_ended(worker *w, task *t)
{
    fiber *mine = w->active;
    t->state = state_ended;
    t->home->alive &= ~(1u << t->lane);
    w->alive--;
    here.idle = 0;
    bump(&w->progress);
    release_without(w, t);
    if (fibers_are_shared) w->spare[w->spares++] = mine;
    if (w->alive) {
        choose_next(w); /* a thread that starts gets this very fiber */
    } else {
        here.thread = NULL;
        w->active = &w->home;
    }
    switch_from(w, mine);
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

void switch_away(worker *w)
{
    fiber *mine = w->active;
    choose_next(w);
    switch_from(w, mine);
}

/* ---- points where others may go first -------------------------------------------------------- */

void yield_turn(worker *w)
{
    make_ready(w, current_task());
    switch_away(w);
}

void pass_baton(worker *w, bool leaving)
{
    unsigned n = 0;
    worker *candidates[max_workers];
    for (unsigned i = 0; i < w->job->workers; i++)
        if (workers[i]->in_turn) candidates[n++] = workers[i];
    if (n == 0) return;
    worker *next = candidates[random_below(w, n)];
    if (next == w) return;
    turn_idle = here.idle;
    (void)sem_post(&next->baton);
    if (leaving) return;
    while (sem_wait(&w->baton)) {
    }
    here.idle = turn_idle;
}

/* A hand-over costs as much as a hundred points, so most of them are far apart; as the distances
 * are drawn at every scale alike, some lie between two neighbouring operations. */
void maybe_pass_baton(worker *w)
{
    if (config.resident < 2 || (--until_pass && !is_spinning())) return;
    if (!until_pass) until_pass = draw_distance(w, pass_bits);
    pass_baton(w, false);
}

void seed_baton(worker *w)
{
    turn_idle = 0;
    until_pass = draw_distance(w, pass_bits);
}

/* here.idle must not wrap around to 0: a thread that spins for ever would seem to make progress. */
static const unsigned idle_limit = 1u << 31;

/* `spent` operations have changed nothing since the last call, unless here.idle says otherwise. */
static void count_idle(worker *w, unsigned spent)
{
    if (here.idle == 0) bump(&w->progress);
    here.idle += spent;
    if (here.idle > idle_limit) here.idle -= idle_limit / 2;
    if (w->job->alone && here.idle > config.spin_limit)
        fail(cudaErrorLaunchFailure, "live-lock: threads spin and nothing changes");
}

/* Pre-emption with the given chance in 1/1024. */
static void maybe_preempt(worker *w, unsigned chance)
{
    if (!draw_preemption(w, chance)) return;
    w->preemptions++;
    yield_turn(w);
}

void at_atomic(const char *file, int line)
{
    if (!here.thread) { /* host code */
        here.budget = INT_MAX;
        return;
    }
    enter();
    worker *w = here.worker;
    task *t = current_task();
    t->file = file;
    t->line = line;
    check_halt(w);
    count_idle(w, w->quota ? (unsigned)w->quota : 1);
    here.budget = w->quota;
    maybe_pass_baton(w);
    if (w->quota == 0)
        maybe_preempt(w, config.preempt_atomic);
    else
        yield_turn(w);
    leave();
}

void at_access(unsigned chance, const char *file, int line)
{
    enter();
    worker *w = here.worker;
    task *t = current_task();
    t->file = file;
    t->line = line;
    check_halt(w);
    count_idle(w, 1);
    maybe_pass_baton(w);
    maybe_preempt(w, chance);
    leave();
}

void at_pause(const char *file, int line)
{
    if (!here.thread) return;
    enter();
    worker *w = here.worker;
    task *t = current_task();
    t->file = file;
    t->line = line;
    check_halt(w);
    count_idle(w, 1);
    lower_priority(w);
    if (config.resident)
        pass_baton(w, false);
    else if (w->ready_count == 0)
        (void)sched_yield();
    yield_turn(w);
    leave();
}

void at_trap(const char *file, int line)
{
    enter();
    task *t = current_task();
    t->file = file;
    t->line = line;
    fail(cudaErrorLaunchFailure, "__trap() was called");
}

/* ---- blocks ---------------------------------------------------------------------------------- */

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
                            config.preempt_volatile || config.preempt_plain;
    w->quota = preempting ? 0 : fair_quota;
}

void run_block(worker *w, unsigned number)
{
    reset_block(w, number);
    if (config.poison) poison_shared(w);
    happens_before(&w->start_order);
    here.block = &w->block;
    here.idle = 0;
    /* all of them now: for ThreadSanitizer a fiber that makes another happens before it */
    if (!fibers_are_shared) (void)take_fiber(w, &w->tasks[w->job->threads - 1]);
    task *first = take_ready(w);
    first->stack = take_fiber(w, first);
    if (first->stack) {
        w->active = first->stack;
        fiber_switch(&w->home, first->stack);
    } else {
        w->job->halt = halt_failed;
        set_error(cudaErrorLaunchOutOfResources, "no memory for a thread's stack");
    }
    here.thread = NULL;
    here.block = NULL;
    happens_after(&w->end_order);
    if (config.poison) search_shared(w);
    if (w->abandoned) restart_fibers(w);
    w->blocks++;
}
} // namespace simt
