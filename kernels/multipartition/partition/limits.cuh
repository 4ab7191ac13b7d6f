/* The digits of a partition's passes get the tables that say them, if they have limits. */
#ifndef GB_MULTIPARTITION_LIMITS_CUH
#define GB_MULTIPARTITION_LIMITS_CUH

#include "kernels/multipartition/partition/passes.cuh"
#include "kernels/multipartition/tables.cuh"

/* Queues the making of tables, whose memory and words are found here. */
template <class Key, int WORDS>
static void make_tables(mp_context<Key, WORDS> *c, mp_limits_digit *digit, mp_tables tables)
{
    tables.words = mp_table_words(tables.log);
    tables.memory = c->template take<unsigned>((uint64_t)tables.tables * tables.words);
    c->start(mp_make_tables<Key>, gb_grid(c->device, (uint64_t)tables.tables << tables.log).x,
             GB_GRID_THREADS, 0, tables, digit->bin);
    digit->search = mp_search{tables.memory, tables.words, 0};
}

/* A partition's digits get their tables: what has none is as it was.
 *
 * All of a bin, or any digit of it, by a table of all limits. once: for the only pass, which keeps
 * a copy of it beside its buffers; else there is more room, or there is no table. */
template <class Key, int WORDS, class Digit>
static void prepare_whole(mp_context<Key, WORDS> *, Digit *, bool)
{
}
template <class Key, int WORDS>
static void prepare_whole(mp_context<Key, WORDS> *c, mp_limits_digit *whole, bool once)
{
    const size_t room = mp_shared_budget(c->device, 1);
    const mp_tables tables = mp_table_of_all(whole->digits, once ? room / 8 : room / 2);
    if (sizeof(unsigned) * tables.words > room / 4 * 3) return;
    make_tables(c, whole, tables);
}

/* The uppermost digit, by those limits where it changes; whole: all of the bin. */
template <class Key, int WORDS, class Digit>
static void prepare_upper(mp_context<Key, WORDS> *, const Digit &, Digit *)
{
}
template <class Key, int WORDS>
static void prepare_upper(mp_context<Key, WORDS> *c, const mp_limits_digit &whole,
                          mp_limits_digit *upper)
{
    mp_tables tables = {};
    tables.tables = 1;
    tables.log = mp_table_log(upper->digits, mp_shared_budget(c->device, 1) / 8);
    tables.first = (1u << upper->shift) - 1;
    tables.stride_log = upper->shift;
    tables.count = upper->digits - 1;
    tables.limits = whole.digits - 1;
    make_tables(c, upper, tables);
    upper->shift = 0;
    upper->mask = ~0u;
}

/* The lowest digit within so many values of the others: segments, each of which has a table. All
 * are written and read once, and are to be little beside the keys. */
template <class Key, int WORDS, class Digit>
static void prepare_within(mp_context<Key, WORDS> *, const Digit &, Digit *, unsigned)
{
}
template <class Key, int WORDS>
static void prepare_within(mp_context<Key, WORDS> *c, const mp_limits_digit &whole,
                           mp_limits_digit *lower, unsigned segments)
{
    mp_tables tables = {};
    tables.tables = segments;
    tables.log = mp_table_log(lower->digits, c->n * sizeof(Key) / 4 / segments);
    tables.step = lower->mask + 1;
    tables.count = lower->digits - 1;
    tables.limits = whole.digits - 1;
    make_tables(c, lower, tables);
}

#endif
