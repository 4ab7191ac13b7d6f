/* The policies: which of the ready threads of a block goes on, and where one is left for another.
 */
#include "common/simt/policies.h"

namespace simt
{
/* ---- random numbers -------------------------------------------------------------------------- */

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

/* ---- by priority ----------------------------------------------------------------------------- */

/* The scheduler of Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler with
 * Probabilistic Guarantees of Finding Bugs", ASPLOS 2010: threads have random priorities, the
 * highest ready one runs, and at a few points it becomes the lowest. They draw those points from
 * the known length of the run. Ours is not known, so the distances between them are drawn at every
 * scale alike: a kernel of 100 points and one of 10 000 both have a few changes. As there is no
 * longest distance without one, a thread that waits for a lower one lets it go on in the end. */
static const unsigned change_bits = 15;

unsigned draw_distance(worker *w, unsigned bits)
{
    return 1 + random_below(w, 1u << random_below(w, bits + 1));
}

static void add_rank(worker *w, const task *t)
{
    ranking *r = &w->ranks;
    r->words[t->priority / 64] |= 1ull << t->priority % 64;
    r->summary |= 1ull << t->priority / 64;
    r->task_at[t->priority] = (uint16_t)t->linear;
}

static task *take_highest(worker *w)
{
    ranking *r = &w->ranks;
    const unsigned word = 63 - (unsigned)__builtin_clzll(r->summary),
                   bit = 63 - (unsigned)__builtin_clzll(r->words[word]);
    r->words[word] &= ~(1ull << bit);
    if (!r->words[word]) r->summary &= ~(1ull << word);
    return &w->tasks[r->task_at[word * 64 + bit]];
}

/* Priorities from the top in the order that order[] has. */
static void give_ranks(worker *w, const uint16_t *order)
{
    const unsigned n = w->job->threads;
    memset(w->ranks.words, 0, sizeof w->ranks.words);
    w->ranks.summary = 0;
    for (unsigned i = 0; i < n; i++) {
        task *t = &w->tasks[order[i]];
        t->priority = rank_count - 1 - i;
        if (t->state == state_ready) add_rank(w, t);
    }
    w->ranks.lowest = rank_count - n;
}

static void start_ranks(worker *w)
{
    uint16_t order[max_threads];
    const unsigned n = w->job->threads;
    for (unsigned i = 0; i < n; i++) {
        const unsigned k = random_below(w, i + 1);
        if (k != i) order[i] = order[k];
        order[k] = (uint16_t)i;
    }
    give_ranks(w, order);
    w->until_change = draw_distance(w, change_bits);
}

/* The numbers below the lowest are used up: the same order again, from the top. */
static void renew_ranks(worker *w)
{
    uint16_t by_rank[rank_count], order[max_threads];
    const unsigned n = w->job->threads, none = max_threads;
    for (uint16_t &e : by_rank)
        e = none;
    for (unsigned i = 0; i < n; i++)
        by_rank[w->tasks[i].priority] = (uint16_t)i;
    unsigned count = 0;
    for (unsigned rank = rank_count; rank-- > 0;)
        if (by_rank[rank] != none) order[count++] = by_rank[rank];
    give_ranks(w, order);
}

void lower_priority(worker *w)
{
    if (config.policy != by_priority) return;
    if (w->ranks.lowest == 0) renew_ranks(w);
    current_task()->priority = --w->ranks.lowest;
}

/* ---- the ready ring: all other policies ------------------------------------------------------ */

static uint16_t &ready_at(worker *w, unsigned i)
{
    return w->ready[(w->ready_first + i) % max_threads];
}

void start_ready(worker *w)
{
    const unsigned n = w->job->threads;
    w->ready_first = w->streak = 0;
    w->ready_count = n;
    w->priority_changes = n;
    w->lowest_priority = n + 1;
    for (unsigned i = 0; i < n; i++) {
        task *t = &w->tasks[i];
        t->state = state_ready;
        if (config.policy == unfair) t->priority = n + 2 + random_below(w, 1u << 30);
        w->ready[i] = (uint16_t)i;
    }
    if (config.policy == by_priority) start_ranks(w);
}

void make_ready(worker *w, task *t)
{
    t->state = state_ready;
    if (config.policy == by_priority) {
        w->ready_count++;
        add_rank(w, t);
        return;
    }
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

static task *take_from_ring(worker *w)
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
    return t;
}

task *take_ready(worker *w)
{
    task *t;
    if (config.policy == by_priority) {
        w->ready_count--;
        t = take_highest(w);
    } else {
        t = take_from_ring(w);
    }
    t->state = state_running;
    here.thread = t;
    here.budget = w->quota;
    bump(&w->pulse);
    return t;
}

/* ---- leaving a thread ------------------------------------------------------------------------ */

/* A thread of highest priority that spins, and a block that does, is left after so many operations
 * that changed nothing. */
static const unsigned patience = 64;

bool is_spinning()
{
    return here.idle && here.idle % patience == 0;
}

bool draw_preemption(worker *w, unsigned chance)
{
    if (config.policy == by_priority) {
        if (--w->until_change && !is_spinning()) return false;
        if (!w->until_change) w->until_change = draw_distance(w, change_bits);
        lower_priority(w);
        return true;
    }
    if (random_below(w, 1024) >= chance) return false;
    if (config.policy == unfair && w->priority_changes) {
        /* bounded, or priorities would be fair in the end */
        w->priority_changes--;
        current_task()->priority = w->lowest_priority--;
    }
    return true;
}
} // namespace simt
