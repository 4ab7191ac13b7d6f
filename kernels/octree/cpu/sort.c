/* A radix sort of places on all cores. All threads part the bodies by the first bits of their codes
 * (each counts and then moves its slice, in whole lines around the cache); then each takes bucket
 * after bucket and goes on alone, in its cache, with as many bits at a time as leave a few bodies
 * to each bin. A bucket beyond a thread's share is parted by all once more, so that bodies on one
 * spot keep all cores busy; bits that all of a range share cost one read. */
#include "kernels/octree/cpu/sort.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_WIDTH = 11,     /* bits by which all threads part: 2048 lines are 128 KiB of a core's L2 */
    ALONE_WIDTH = 10,    /* bits by which one thread does */
    FEW = 24,            /* codes that are sorted by insertion */
    LEAST_SLICE = 16384, /* bodies below which one more thread does not pay */
    SHARES = 4,          /* a bucket is huge above 1/SHARES of a thread's part of all */
    LINE = GB_LINE / sizeof(oc_coded)
};

/* `width` bits after the first `agreed`; they do not go beyond the 64th unless they begin there. */
static inline uint32_t bits_of(const oc_coded *c, unsigned agreed, unsigned width)
{
    return agreed < 64 ? (uint32_t)(c->high << agreed >> (64 - width))
                       : c->low >> (OC_CODE_BITS - agreed - width) & ((1u << width) - 1);
}

static unsigned width_for(uint64_t count, unsigned agreed, unsigned most)
{
    const unsigned left = agreed < 64 ? 64 - agreed : OC_CODE_BITS - agreed;
    unsigned width = 3;
    while (width < most && count >> width > FEW / 3)
        width++;
    return width < left ? width : left;
}

static inline oc_coded code_of(const oc_sort *s, uint64_t i)
{
    const oc_body *b = &s->bodies[i];
    const oc_place p = oc_place_at(s->box, b->x, b->y, b->z);
    uint32_t rest = 0;
    for (int depth = OC_CODE_DIGITS; depth < OC_DEPTH; depth++)
        rest = rest << 3 | oc_digit(p, depth);
    return (oc_coded){oc_code(p) << 1 | rest >> 8, rest & 0xFF, (uint32_t)i};
}

/* ---- one thread ------------------------------------------------------------------------------ */

static inline bool is_before(const oc_coded *a, const oc_coded *b)
{
    return a->high != b->high ? a->high < b->high : a->low < b->low;
}

static void insertion(oc_coded *codes, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        const oc_coded code = codes[i];
        uint64_t at = i;
        for (; at > 0 && is_before(&code, &codes[at - 1]); at--)
            codes[at] = codes[at - 1];
        codes[at] = code;
    }
}

/* Sorts from[0, count), which agree in so many bits, with the help of other[0, count), where they
 * go if moved. */
static void sort_alone(oc_coded *from, oc_coded *other, uint64_t count, unsigned agreed, bool moved)
{
    uint32_t place[(1 << ALONE_WIDTH) + 1];
    unsigned width = 0;
    bool parted = false;
    for (; count > FEW && agreed < OC_CODE_BITS && !parted; agreed += width) {
        width = width_for(count, agreed, ALONE_WIDTH);
        memset(place, 0, (((size_t)1 << width) + 1) * sizeof *place);
        for (uint64_t i = 0; i < count; i++)
            place[bits_of(&from[i], agreed, width) + 1]++;
        parted = place[bits_of(&from[0], agreed, width) + 1] != count;
    }
    if (!parted) {
        if (agreed < OC_CODE_BITS) insertion(from, count);
        if (moved) memcpy(other, from, count * sizeof *from);
        return;
    }
    const uint32_t bins = 1u << width;
    for (uint32_t bin = 0; bin < bins; bin++)
        place[bin + 1] += place[bin];
    for (uint64_t i = 0; i < count; i++)
        other[place[bits_of(&from[i], agreed - width, width)]++] = from[i];
    for (uint32_t bin = 0, begin = 0; bin < bins; begin = place[bin++]) /* places are ends now */
        if (place[bin] > begin)
            sort_alone(other + begin, from + begin, place[bin] - begin, agreed, !moved);
}

/* ---- all threads ----------------------------------------------------------------------------- */

/* Moves codes to their bins in `to`, a line at a time. */
static void scatter(oc_sort_lane *me, const oc_coded *from, oc_coded *to, uint64_t begin,
                    uint64_t end, unsigned agreed, unsigned width)
{
    gb_pool_bins *bins = &me->bins;
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t bin = bits_of(&from[i], agreed, width);
        const uint64_t place = bins->place[bin]++;
        oc_coded *line = me->lines + (size_t)bin * LINE;
        line[place % LINE] = from[i];
        if ((place + 1) % LINE != 0) continue;
        const uint64_t first = place + 1 - LINE;
        if (first >= bins->start[bin])
            gb_stream_line(to + first, line);
        else
            for (uint64_t at = bins->start[bin]; at <= place; at++)
                to[at] = line[at % LINE];
    }
    for (uint32_t bin = 0; bin < 1u << width; bin++) {
        const uint64_t place = bins->place[bin], whole = place - place % LINE;
        for (uint64_t at = whole > bins->start[bin] ? whole : bins->start[bin]; at < place; at++)
            to[at] = me->lines[(size_t)bin * LINE + at % LINE];
    }
    gb_stream_end();
}

/* Parts a range by the first bits that tell its codes apart; *bins: into how many. False: none do.
 */
static bool part(oc_sort *s, unsigned thread, oc_sort_range *r, uint32_t *bins)
{
    oc_sort_lane *me = &s->lanes[thread];
    const uint64_t count = r->end - r->begin;
    const uint64_t begin = r->begin + gb_pool_share(count, thread, s->threads);
    const uint64_t end = r->begin + gb_pool_share(count, thread + 1, s->threads);
    const oc_coded *from = r->in_b ? s->b : s->a;
    while (r->agreed < OC_CODE_BITS) {
        const unsigned width = width_for(count, r->agreed, MOST_WIDTH), agreed = r->agreed;
        memset(me->bins.place, 0, sizeof *me->bins.place << width);
        for (uint64_t i = begin; i < end; i++)
            me->bins.place[bits_of(&from[i], agreed, width)]++;
        gb_pool_places(s->pool, thread, s->bins, 1u << width, r->begin, s->bounds);
        r->agreed += width;
        const uint32_t bin = bits_of(&from[r->begin], agreed, width);
        if (s->bounds[bin + 1] - s->bounds[bin] == count) continue;
        scatter(me, from, r->in_b ? s->a : s->b, begin, end, agreed, width);
        r->in_b = !r->in_b;
        *bins = 1u << width;
        return true;
    }
    return false;
}

/* Sorts the buckets of a range that was parted, but the huge ones, which thread 0 sets aside. */
static void sort_buckets(oc_sort *s, unsigned thread, const oc_sort_range *parted, uint32_t bins)
{
    oc_coded *from = parted->in_b ? s->b : s->a, *other = parted->in_b ? s->a : s->b;
    for (uint32_t bin = 0; thread == 0 && bin < bins; bin++)
        if (s->bounds[bin + 1] - s->bounds[bin] > s->most_alone)
            s->waiting[s->waiting_count++] =
                (oc_sort_range){s->bounds[bin], s->bounds[bin + 1], parted->agreed, parted->in_b};
    for (uint32_t bin; (bin = atomic_fetch_add(&s->next, 1)) < bins;) {
        const uint64_t begin = s->bounds[bin], count = s->bounds[bin + 1] - begin;
        if (count > 0 && count <= s->most_alone)
            sort_alone(from + begin, other + begin, count, parted->agreed, !parted->in_b);
    }
}

/* All of the range coincide; they belong in b. */
static void keep(oc_sort *s, unsigned thread, const oc_sort_range *r)
{
    const uint64_t count = r->end - r->begin;
    const uint64_t begin = r->begin + gb_pool_share(count, thread, s->threads);
    const uint64_t end = r->begin + gb_pool_share(count, thread + 1, s->threads);
    if (!r->in_b) memcpy(s->b + begin, s->a + begin, (end - begin) * sizeof *s->b);
}

void oc_sort_run(oc_sort *s, unsigned thread)
{
    const uint64_t end = gb_pool_share(s->n, thread + 1, s->threads);
    for (uint64_t i = gb_pool_share(s->n, thread, s->threads); i < end; i++)
        s->a[i] = code_of(s, i);
    if (thread == 0) {
        s->waiting_count = 0;
        s->current = (oc_sort_range){.end = s->n};
    }
    gb_pool_barrier(s->pool);
    while (s->current.end > 0) {
        oc_sort_range mine = s->current;
        uint32_t bins = 0;
        const bool parted = part(s, thread, &mine, &bins);
        if (thread == 0) atomic_store(&s->next, 0);
        gb_pool_barrier(s->pool);
        if (parted)
            sort_buckets(s, thread, &mine, bins);
        else
            keep(s, thread, &mine);
        gb_pool_barrier(s->pool); /* nobody needs the current range or its bounds any longer */
        if (thread == 0)
            s->current =
                s->waiting_count ? s->waiting[--s->waiting_count] : (oc_sort_range){.end = 0};
        gb_pool_barrier(s->pool);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

unsigned oc_sort_threads(uint64_t n)
{
    const uint64_t cores = gb_pool_cores(), useful = n / LEAST_SLICE;
    return useful < 1 ? 1 : (unsigned)(useful < cores ? useful : cores);
}

bool oc_sort_open(oc_sort *s, uint64_t n)
{
    const size_t bins = (size_t)1 << MOST_WIDTH;
    s->n = n;
    s->most_alone = n / ((uint64_t)SHARES * s->threads) + 1;
    s->a = gb_pool_allocate(n * sizeof *s->a);
    s->b = gb_pool_allocate(n * sizeof *s->b);
    s->bounds = calloc(bins + 1, sizeof *s->bounds);
    s->waiting = calloc((size_t)SHARES * s->threads + 1, sizeof *s->waiting);
    s->lanes = calloc(s->threads, sizeof *s->lanes);
    s->bins = calloc(s->threads, sizeof *s->bins);
    bool good = s->a && s->b && s->bounds && s->waiting && s->lanes && s->bins;
    for (unsigned t = 0; good && t < s->threads; t++) {
        oc_sort_lane *lane = &s->lanes[t];
        s->bins[t] = &lane->bins;
        lane->bins.place = gb_pool_allocate(bins * sizeof *lane->bins.place);
        lane->bins.start = gb_pool_allocate(bins * sizeof *lane->bins.start);
        lane->lines = gb_pool_allocate(bins * GB_LINE);
        good = lane->bins.place && lane->bins.start && lane->lines;
    }
    return good;
}

void oc_sort_close(oc_sort *s)
{
    for (unsigned t = 0; s->lanes && t < s->threads; t++) {
        free(s->lanes[t].bins.place);
        free(s->lanes[t].bins.start);
        free(s->lanes[t].lines);
    }
    free(s->a);
    free(s->b);
    free(s->bounds);
    free(s->waiting);
    free(s->lanes);
    free(s->bins);
}
