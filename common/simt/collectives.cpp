/* The block's barrier and the warp's operations: who waits for whom, and with what result. */
#include "common/simt/collectives.h"

#include "common/simt/policies.h"
#include "common/simt/report.h"
#include "common/simt/sanitizers.h"
#include "common/simt/scheduler.h"

namespace simt
{
/* ---- the barrier ----------------------------------------------------------------------------- */

static bool same_place(const task *t, const char *file, int line)
{
    return t->line == line && (t->file == file || strcmp(t->file, file) == 0);
}

/* All living threads have arrived. */
static void release_barrier(worker *w)
{
    const task *first = NULL;
    for (unsigned i = 0; i < w->job->threads; i++) {
        const task *t = &w->tasks[i];
        if (t->state != state_barrier) continue;
        if (!first)
            first = t;
        else if (!same_place(t, first->file, first->line))
            fail(cudaErrorLaunchFailure,
                 "barrier divergence: threads are at different __syncthreads");
    }
    w->released = {w->waiting, w->true_count};
    w->waiting = w->true_count = 0;
    w->phase ^= 1;
    here.idle = 0;
    weak_meet(w);
    bump(&w->progress);
    for (unsigned i = 0; i < w->job->threads; i++)
        if (w->tasks[i].state == state_barrier) make_ready(w, &w->tasks[i]);
}

barrier_result at_barrier(bool predicate, const char *file, int line)
{
    enter();
    worker *w = here.worker;
    task *t = current_task();
    t->file = file;
    t->line = line;
    t->state = state_barrier;
    check_halt(w);
    void *order = &w->barrier_order[w->phase];
    happens_before(order);
    w->true_count += predicate;
    if (++w->waiting == w->alive) release_barrier(w);
    maybe_pass_baton(w);
    switch_away(w);
    happens_after(order);
    const barrier_result result = w->released;
    leave();
    return result;
}

/* ---- the warp -------------------------------------------------------------------------------- */

/* Of two 32-bit values. */
static unsigned combine(warp_operation op, unsigned a, unsigned b)
{
    switch (op) {
    case op_add:
        return a + b;
    case op_min_unsigned:
        return b < a ? b : a;
    case op_max_unsigned:
        return a < b ? b : a;
    case op_min_signed:
        return (int)b < (int)a ? b : a;
    case op_max_signed:
        return (int)a < (int)b ? b : a;
    case op_and:
        return a & b;
    case op_or:
        return a | b;
    default:
        return a ^ b;
    }
}

static unsigned reduce(warp_operation op, const task *lanes, unsigned among)
{
    unsigned result = (unsigned)lanes[__builtin_ctz(among)].in;
    for (unsigned m = among & (among - 1); m; m &= m - 1)
        result = combine(op, result, (unsigned)lanes[__builtin_ctz(m)].in);
    return result;
}

static unsigned lanes_with(const task *lanes, unsigned among, uint64_t value)
{
    unsigned found = 0;
    for (unsigned m = among; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(m);
        if (lanes[lane].in == value) found |= 1u << lane;
    }
    return found;
}

static void give_all(task *lanes, unsigned among, uint64_t result)
{
    for (unsigned m = among; m; m &= m - 1)
        lanes[__builtin_ctz(m)].out = result;
}

/* The operation's results in out, from the values in in, of all lanes that take part. */
static void compute(warp_operation op, task *lanes, unsigned among)
{
    switch (op) {
    case op_sync:
    case op_lockstep:
        return;
    case op_shuffle:
        for (unsigned m = among; m; m &= m - 1) {
            task *t = &lanes[__builtin_ctz(m)];
            /* undefined on a GPU where the source takes no part: garbage shows */
            const bool defined = among >> t->source & 1;
            t->out = defined ? lanes[t->source].in : 0xDEADBEEFDEADBEEFull;
        }
        return;
    case op_ballot:
        give_all(lanes, among, lanes_with(lanes, among, 1));
        return;
    case op_all:
        give_all(lanes, among, lanes_with(lanes, among, 1) == among);
        return;
    case op_any:
        give_all(lanes, among, lanes_with(lanes, among, 1) != 0);
        return;
    case op_match_any:
        for (unsigned m = among; m; m &= m - 1) {
            task *t = &lanes[__builtin_ctz(m)];
            t->out = lanes_with(lanes, among, t->in);
        }
        return;
    case op_match_all: {
        const unsigned same = lanes_with(lanes, among, lanes[__builtin_ctz(among)].in);
        give_all(lanes, among, same == among ? among : 0);
        return;
    }
    default:
        give_all(lanes, among, reduce(op, lanes, among));
    }
}

/* Whether o is where t is. Before Volta the lanes of a warp had one program counter, so they had to
 * be at the same place, too. */
static bool together(const task *o, const task *t)
{
    if (o->mask != t->mask || o->op != t->op) return false;
    return GB_ARCH >= 700 || same_place(o, t->file, t->line);
}

/* If all lanes that t waits for are with it: gives them their results and makes them ready, all
 * but the running one, unless they go on in their order. */
static bool complete(worker *w, const task *t)
{
    warp *home = t->home;
    const unsigned among = t->mask & home->alive;
    if ((home->waiting & among) != among) return false;
    task *lanes = &w->tasks[t->linear - t->lane];
    for (unsigned m = among; m; m &= m - 1)
        if (!together(&lanes[__builtin_ctz(m)], t)) return false;

    if (t->op == op_sync) weak_meet_warp(w, t->linear - t->lane, among);
    compute(t->op, lanes, among);
    home->waiting &= ~among;
    const bool goes_on = t == here.thread && t->op != op_lockstep;
    make_warp_ready(w, lanes, goes_on ? among & ~(1u << t->lane) : among);
    return true;
}

uint64_t at_warp(warp_operation op, unsigned mask, uint64_t value, unsigned source,
                 const char *file, int line)
{
    enter();
    worker *w = here.worker;
    task *t = current_task();
    warp *home = t->home;
    t->op = op;
    t->mask = mask;
    t->in = value;
    t->source = source;
    t->file = file;
    t->line = line;
    t->state = state_warp;
    check_halt(w);
    if (!(mask >> t->lane & 1))
        fail(cudaErrorLaunchFailure, "warp operation: the calling lane is not in its own mask");
    if (op == op_sync) happens_before(&home->order);
    home->waiting |= 1u << t->lane;
    const bool completed = complete(w, t);
    maybe_pass_baton(w);
    if (!completed || op == op_lockstep)
        switch_away(w);
    else if (config.policy == round_robin)
        t->state = state_running;
    else
        yield_turn(w);
    if (op == op_sync) happens_after(&home->order);
    const uint64_t out = t->out;
    leave();
    return out;
}

void release_without(worker *w, task *ended)
{
    if (w->waiting && w->waiting == w->alive) release_barrier(w);
    const warp *home = ended->home;
    const task *lanes = &w->tasks[ended->linear - ended->lane];
    for (unsigned m = home->waiting; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(m);
        if (home->waiting >> lane & 1) (void)complete(w, &lanes[lane]);
    }
}
} // namespace simt
