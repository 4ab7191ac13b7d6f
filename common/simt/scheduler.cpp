/* The threads of a block take turns: which goes on, and on which fiber. */
#include "common/simt/runtime.h"

#include <limits.h>
#include <sched.h>

namespace simt
{
__thread context here;

static const int fair_quota = 256;
static uint64_t turns; /* deterministic mode: only the holder of the baton draws */

/* SplitMix64's finaliser. */
uint64_t mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

void seed_turns(uint64_t seed)
{
    turns = seed | 1;
}

unsigned random_below(worker *w, unsigned n)
{
    uint64_t &s = config.resident ? turns : w->random;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return (unsigned)(((s >> 32) * n) >> 32);
}

/* ---- the ready ring -------------------------------------------------------------------------- */

static uint16_t &ready_at(worker *w, unsigned i)
{
    return w->ready[(w->ready_first + i) % max_threads];
}

void make_ready(worker *w, task *t)
{
    t->state = state_ready;
    ready_at(w, w->ready_count++) = (uint16_t)t->linear;
}

/* How often a warp goes on before others, which keeps its stacks in the cache; bounded, because it
 * may wait for them. */
static const unsigned longest_streak = 64;

void make_warp_ready(worker *w, task *lanes, unsigned among)
{
    if (config.policy != round_robin || ++w->streak > longest_streak) {
        w->streak = 0;
        for (unsigned m = among; m; m &= m - 1)
            make_ready(w, &lanes[__builtin_ctz(m)]);
        return;
    }
    const unsigned n = (unsigned)__builtin_popcount(among);
    w->ready_first = (w->ready_first + max_threads - n) % max_threads;
    w->ready_count += n;
    unsigned i = 0;
    for (unsigned m = among; m; m &= m - 1) {
        task *t = &lanes[__builtin_ctz(m)];
        t->state = state_ready;
        ready_at(w, i++) = (uint16_t)t->linear;
    }
}

/* A fair choice of the warp, then always its ready lane of highest priority: within a warp a
 * spinning lane is never left for the one that it waits for. */
static unsigned choose_unfairly(worker *w)
{
    const warp *chosen = w->tasks[ready_at(w, random_below(w, w->ready_count))].home;
    unsigned best = 0, at = 0;
    for (unsigned i = 0; i < w->ready_count; i++) {
        const task *t = &w->tasks[ready_at(w, i)];
        if (t->home == chosen && t->priority >= best) {
            best = t->priority;
            at = i;
        }
    }
    return at;
}

static task *take_ready(worker *w)
{
    unsigned i = 0;
    if (config.policy == random_order)
        i = random_below(w, w->ready_count);
    else if (config.policy == unfair)
        i = choose_unfairly(w);
    task *t = &w->tasks[ready_at(w, i)];
    w->ready_count--;
    if (i == 0)
        w->ready_first = (w->ready_first + 1) % max_threads;
    else
        ready_at(w, i) = ready_at(w, w->ready_count);
    t->state = state_running;
    here.thread = t;
    here.budget = w->quota;
    bump(&w->pulse);
    return t;
}

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
    (void)sem_post(&next->baton);
    if (leaving) return;
    while (sem_wait(&w->baton)) {
    }
}

/* `spent` operations have changed nothing since the last call, unless here.idle says otherwise. */
static void count_idle(worker *w, unsigned spent)
{
    if (here.idle == 0) bump(&w->progress);
    here.idle += spent;
    if (w->job->alone && here.idle > config.spin_limit)
        fail(cudaErrorLaunchFailure, "live-lock: threads spin and nothing changes");
}

/* Pre-emption with the given chance in 1/1024. */
static void maybe_preempt(worker *w, unsigned chance)
{
    const unsigned drawn = random_below(w, 1024);
    if (drawn >= chance) return;
    w->preemptions++;
    if (config.resident && (drawn & 3) == 0) pass_baton(w, false);
    if (config.policy == unfair && w->priority_changes) {
        /* bounded, or priorities would be fair in the end */
        w->priority_changes--;
        current_task()->priority = w->lowest_priority--;
    }
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
    if (config.preempt_atomic) {
        maybe_preempt(w, config.preempt_atomic);
    } else if (w->quota) {
        if (config.resident) pass_baton(w, false);
        yield_turn(w);
    }
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
    w->waiting = w->true_count = w->streak = 0;
    w->priority_changes = n;
    w->lowest_priority = n + 1;
    number_tasks(w, j->block_dim);
    w->ready_first = 0;
    w->ready_count = n;
    for (unsigned i = 0; i < n; i++) {
        task *t = &w->tasks[i];
        t->state = state_ready;
        t->stack = NULL;
        t->file = NULL;
        if (config.policy == unfair) t->priority = n + 2 + random_below(w, 1u << 30);
        w->ready[i] = (uint16_t)i;
    }
    for (unsigned i = 0; i < n; i += warp_size) {
        warp *home = &w->warps[i / warp_size];
        home->waiting = 0;
        home->alive = n - i >= warp_size ? ~0u : (1u << (n - i)) - 1;
    }
    const bool preempting =
        config.preempt_atomic || config.preempt_volatile || config.preempt_plain;
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
