/* The threads of a block take turns: which goes on, and on which fiber. */
#include "common/simt/scheduler.h"

#include "common/simt/points.h"
#include "common/simt/policies.h"
#include "common/simt/report.h"
#include "common/simt/sanitizers.h"
#include "common/text/limits.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>

namespace simt
{
static const unsigned pass_bits = 12;
static unsigned until_pass; /* deterministic mode: points until the baton goes on */
static unsigned
    turn_idle; /* deterministic mode: here.idle of all blocks, handed on with the baton */

/* ---- fibers ---------------------------------------------------------------------------------- */

fiber *take_fiber(worker *w, const task *t)
{
    if (fibers_are_shared && w->spares) return w->spare[--w->spares];
    const unsigned wanted = fibers_are_shared ? w->made : t->linear;
    for (; w->made <= wanted; w->made++)
        if (!fiber_start(&w->fibers[w->made], w->made, w->fiber_entry)) return NULL;
    return &w->fibers[wanted];
}

const char *lack_of_stack(char text[lack_bytes])
{
    char limit[GB_LIMIT_TEXT];
    (void)snprintf(text, lack_bytes,
                   "no memory for a thread's stack%s; SIMT_WORKERS=1 needs fewer of them",
                   gb_limit_behind(ENOMEM, limit));
    return text;
}

/* Chooses a ready thread; the caller switches to w->active. */
static void choose_next(worker *w)
{
    if (w->ready_count == 0) fail(cudaErrorLaunchFailure, "dead-lock: no thread can go on");
    task *next = take_ready(w);
    if (!next->stack && !(next->stack = take_fiber(w, next))) {
        char why[lack_bytes];
        fail(cudaErrorMemoryAllocation, lack_of_stack(why));
    }
    w->active = next->stack;
}

static void switch_from(worker *w, fiber *mine)
{
    if (w->active == mine) return;
    w->switches++;
    fiber_switch(mine, w->active);
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
    weak_leave();
    turn_idle = here.idle;
    (void)sem_post(&next->baton);
    if (leaving) return;
    while (sem_wait(&w->baton)) {
    }
    here.idle = turn_idle;
    weak_return(w);
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
} // namespace simt
