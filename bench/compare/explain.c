/* What binds a row: the decision. */
#include "bench/compare/explain.h"
#include "bench/compare/lines.h"
#include "bench/rows/ratio.h"
#include "common/protocol/flags.h"
#include "common/stats/sort.h"

#include <math.h>
#include <string.h>

const char *const gb_resource_names[GB_RESOURCE_COUNT] = {[GB_OF_MEMORY] = "memory",
                                                          [GB_OF_L2] = "L2",
                                                          [GB_OF_ISSUE] = "issue",
                                                          [GB_OF_CLOCK] = "latency"};
const char *const gb_binding_names[GB_BINDING_COUNT] = {
    [GB_BOUND_BY_MEMORY] = "MEMORY", [GB_BOUND_BY_L2] = "L2",
    [GB_BOUND_BY_ISSUE] = "ISSUE",   [GB_BOUND_BY_LATENCY] = "LATENCY",
    [GB_BOUND_BY_SMS] = "SMS",       [GB_BOUND_BY_LAUNCH] = "LAUNCH",
    [GB_BOUND_BY_BLOCKS] = "BLOCKS", [GB_BOUND_MOSTLY_MEMORY] = "MOSTLY_MEMORY",
    [GB_BOUND_BETWEEN] = "BETWEEN",  [GB_BOUND_MOSTLY_SMS] = "MOSTLY_SMS",
    [GB_BOUND_FASTER] = "FASTER",    [GB_BOUND_SLOWER] = "SLOWER",
    [GB_BOUND_CACHED] = "CACHED",    [GB_BOUND_UNDECIDED] = "UNDECIDED",
    [GB_BOUND_HOST] = "HOST",        [GB_BOUND_UNKNOWN] = "UNKNOWN"};
const char *const gb_binding_words[GB_BINDING_COUNT] = {[GB_BOUND_BY_MEMORY] = "memory",
                                                        [GB_BOUND_BY_L2] = "L2",
                                                        [GB_BOUND_BY_ISSUE] = "issue",
                                                        [GB_BOUND_BY_LATENCY] = "latency",
                                                        [GB_BOUND_BY_SMS] = "issue or latency",
                                                        [GB_BOUND_BY_LAUNCH] = "launch",
                                                        [GB_BOUND_BY_BLOCKS] = "blocks",
                                                        [GB_BOUND_MOSTLY_MEMORY] = "mostly memory",
                                                        [GB_BOUND_BETWEEN] = "between",
                                                        [GB_BOUND_MOSTLY_SMS] = "mostly SMs",
                                                        [GB_BOUND_FASTER] = "faster than either",
                                                        [GB_BOUND_SLOWER] = "slower than either",
                                                        [GB_BOUND_CACHED] = "in one L2 alone",
                                                        [GB_BOUND_UNDECIDED] = "undecided",
                                                        [GB_BOUND_HOST] = "host",
                                                        [GB_BOUND_UNKNOWN] = "unknown"};

/* A kernel that takes less than so many times what an empty one takes spends at least half of its
 * time on being launched. */
static const double launches_of_short_time = 2;

/* What has so much of the time, or more, has most of it. */
static const double most_of_time = 0.75;

bool gb_is_between(gb_binding binding)
{
    return binding == GB_BOUND_MOSTLY_MEMORY || binding == GB_BOUND_BETWEEN ||
           binding == GB_BOUND_MOSTLY_SMS;
}

/* ---- what does not hang on the ratio --------------------------------------------------------- */

static bool is_short(const gb_result_row *row, double launch_s)
{
    return row->time_s > 0 && row->time_s < launches_of_short_time * launch_s;
}

static bool is_of_host(const gb_pair *pair)
{
    const gb_result_row *rows[] = {pair->a, pair->b};
    for (int i = 0; i < 2; i++)
        if (strcmp(rows[i]->scope, "host-to-host") == 0 ||
            (!*rows[i]->quantity && !rows[i]->source && !*rows[i]->limit_kind))
            return true;
    return false;
}

/* Measured rows know whether their work fits into the L2 that they had. */
static bool fits_in_l2(const gb_result_row *row)
{
    return row->flags & GB_FLAG_CACHE_RESIDENT;
}

static bool is_warm(const gb_pair *pair)
{
    return strcmp(pair->a->cache, "warm") == 0 && strcmp(pair->b->cache, "warm") == 0;
}

bool gb_pair_is_resident(const gb_pair *pair)
{
    return is_warm(pair) && fits_in_l2(pair->a) && fits_in_l2(pair->b);
}

/* ---- the parts of two ------------------------------------------------------------------------ */

/* The part of the time that goes with a line, if the rest goes with another one, in the mean of
 * both devices, so that it does not hang on which is A: with the part s of A's time, that of B over
 * that of A is s / first + (1 - s) / rest, and B's part s / first over that. */
static double part_at(double ratio, double first, double rest)
{
    const double of_a = (1 / ratio - 1 / rest) / (1 / first - 1 / rest);
    return (of_a + of_a * ratio / first) / 2;
}

static double within(double part)
{
    return fmin(fmax(part, 0), 1);
}

/* With the interval that follows from the ratio's, widened; nothing beyond 0 and 1. */
static gb_ratio part_of(const gb_pair *pair, const gb_explained *e, double first, double rest)
{
    const double ends[] = {within(part_at(e->lo, first, rest)),
                           within(part_at(e->hi, first, rest))};
    return (gb_ratio){.value = within(part_at(pair->ratio.value, first, rest)),
                      .lo = fmin(ends[0], ends[1]),
                      .hi = fmax(ends[0], ends[1])};
}

/* Whether a ratio of this noise that meets one line meets the other as well, however sure it is. */
static bool are_alike(const gb_pair *pair, double one, double other)
{
    return fabs(log(one / other)) <= 2 * log1p(pair->effect);
}

static gb_resource bytes_of(const gb_pair *pair)
{
    return gb_pair_is_resident(pair) ? GB_OF_L2 : GB_OF_MEMORY;
}

gb_ratio gb_memory_part(const gb_pair *pair, const gb_explained *e)
{
    const double first = e->line[GB_OF_MEMORY].ratio, rest = e->line[GB_OF_ISSUE].ratio;
    const bool bound = e->binding == GB_BOUND_BY_MEMORY || e->binding == GB_BOUND_BY_ISSUE ||
                       e->binding == GB_BOUND_BY_SMS ||
                       (gb_is_between(e->binding) && e->first == GB_OF_MEMORY);
    /* Lines nearer to one another than the noise say nothing of parts. */
    if (!bound || gb_pair_is_resident(pair) || !(first > 0) || !(rest > 0) ||
        are_alike(pair, first, rest))
        return (gb_ratio){.lo = -1};
    return part_of(pair, e, first, rest);
}

/* ---- what the ratio says --------------------------------------------------------------------- */

/* The lines that this pair's time may hang on, in the order in which two are tried. */
typedef struct lines {
    gb_resource items[3];
    size_t count;
} lines;

static lines lines_of(const gb_pair *pair, const gb_explained *e)
{
    const gb_resource wanted[] = {bytes_of(pair), GB_OF_ISSUE, GB_OF_CLOCK};
    lines found = {.count = 0};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (e->line[wanted[i]].ratio > 0) found.items[found.count++] = wanted[i];
    return found;
}

static bool is_on(const gb_explained *e, gb_resource resource)
{
    const double ratio = e->line[resource].ratio;
    return ratio >= e->lo && ratio <= e->hi;
}

static gb_binding bound_by(gb_resource resource)
{
    return resource == GB_OF_MEMORY  ? GB_BOUND_BY_MEMORY
           : resource == GB_OF_L2    ? GB_BOUND_BY_L2
           : resource == GB_OF_ISSUE ? GB_BOUND_BY_ISSUE
                                     : GB_BOUND_BY_LATENCY;
}

/* Which of the lines lie within the interval. */
static void find_fits(gb_explained *e, const lines *of)
{
    for (size_t i = 0; i < of->count; i++)
        if (is_on(e, of->items[i])) e->fits |= 1u << of->items[i];
}

/* The least and the highest of some of the lines, as bits of their numbers. */
typedef struct span {
    double least, most;
} span;

static span span_of(const gb_explained *e, const lines *of, unsigned wanted)
{
    span s = {INFINITY, 0};
    for (size_t i = 0; i < of->count; i++) {
        if (!(wanted >> of->items[i] & 1)) continue;
        s.least = fmin(s.least, e->line[of->items[i]].ratio);
        s.most = fmax(s.most, e->line[of->items[i]].ratio);
    }
    return s;
}

/* An interval wider than all lines are apart could have met any of them. */
static bool is_too_unsure(const gb_explained *e, const lines *of)
{
    const span all = span_of(e, of, ~0u);
    return e->hi / e->lo >= all.most / all.least;
}

static void leave_undecided(gb_arena *arena, const gb_pair *pair, gb_explained *e, const lines *of)
{
    const char *names[3] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < of->count; i++)
        if (e->fits >> of->items[i] & 1) names[count++] = gb_resource_names[of->items[i]];
    const span fit = span_of(e, of, e->fits);
    const bool alike = are_alike(pair, fit.most, fit.least);
    const char *listed = gb_arena_listed(arena, names, count);
    e->binding = GB_BOUND_UNDECIDED;
    e->why = count > 1 && alike     ? gb_arena_printf(arena, "%s are alike", listed)
             : is_too_unsure(e, of) ? "the ratio is too unsure"
                                    : gb_arena_printf(arena, "%s are too near", listed);
}

/* The nearest line on either side of a ratio that lies between some. */
static void find_neighbours(const gb_pair *pair, gb_explained *e, const lines *of)
{
    double below = 0, above = INFINITY;
    gb_resource lower = of->items[0], upper = of->items[0];
    for (size_t i = 0; i < of->count; i++) {
        const double ratio = e->line[of->items[i]].ratio;
        if (ratio <= pair->ratio.value && ratio > below) below = ratio, lower = of->items[i];
        if (ratio > pair->ratio.value && ratio < above) above = ratio, upper = of->items[i];
    }
    e->first = lower < upper ? lower : upper; /* memory and L2 before what the SMs have */
    e->rest = lower < upper ? upper : lower;
}

/* Whether no other line is so near to this one that a ratio on it would be on both. */
static bool is_alone(const gb_pair *pair, const gb_explained *e, const lines *of,
                     gb_resource resource)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->items[i] != resource &&
            are_alike(pair, e->line[of->items[i]].ratio, e->line[resource].ratio))
            return false;
    return true;
}

/* Between two of the lines, or beyond all. */
static void place_between(const gb_pair *pair, gb_explained *e, const lines *of)
{
    const span all = span_of(e, of, ~0u);
    e->binding = e->lo > all.most    ? GB_BOUND_FASTER
                 : e->hi < all.least ? GB_BOUND_SLOWER
                                     : GB_BOUND_BETWEEN;
    if (e->binding != GB_BOUND_BETWEEN) return;
    find_neighbours(pair, e, of);
    e->part = part_of(pair, e, e->line[e->first].ratio, e->line[e->rest].ratio);
    if (e->first == GB_OF_MEMORY && e->part.value >= most_of_time &&
        is_alone(pair, e, of, GB_OF_MEMORY))
        e->binding = GB_BOUND_MOSTLY_MEMORY;
    else if (e->first == GB_OF_MEMORY && e->part.value <= 1 - most_of_time)
        e->binding = GB_BOUND_MOSTLY_SMS;
}

static void decide_by_ratio(gb_arena *arena, const gb_pair *pair, gb_explained *e)
{
    const lines of = lines_of(pair, e);
    const bool two_are_known = of.count >= 2 && of.items[0] == bytes_of(pair);
    find_fits(e, &of);
    if (!two_are_known) {
        e->binding = GB_BOUND_UNKNOWN;
        e->why = of.count && of.items[0] == bytes_of(pair)
                     ? "the multiprocessors and clocks of both are not known"
                 : gb_pair_is_resident(pair)
                     ? "the work stays in L2, whose bandwidths are not known"
                     : "the bandwidths of both are not known";
        return;
    }
    const unsigned sms = 1u << GB_OF_ISSUE | 1u << GB_OF_CLOCK;
    if (e->fits == 0) {
        place_between(pair, e, &of);
        /* Work in memory passes L2, too. */
        if (gb_is_between(e->binding) && e->line[GB_OF_L2].ratio > 0 && is_on(e, GB_OF_L2))
            e->fits |= 1u << GB_OF_L2;
    } else if (is_too_unsure(e, &of)) {
        leave_undecided(arena, pair, e, &of);
    } else if (e->fits == sms) {
        e->binding = GB_BOUND_BY_SMS;
    } else if ((e->fits & (e->fits - 1)) == 0) {
        for (size_t i = 0; i < of.count; i++)
            if (e->fits >> of.items[i] & 1) e->binding = bound_by(of.items[i]);
    } else {
        leave_undecided(arena, pair, e, &of);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void explain_pair(gb_sides *sides, const gb_pair *pair, gb_explained *e)
{
    const gb_ratio *ratio = &pair->ratio;
    e->why = "";
    gb_lines_of_pair(sides, pair, e->line);
    if (is_of_host(pair)) {
        e->binding = GB_BOUND_HOST;
        return;
    }
    if (!(ratio->lo > 0)) {
        e->binding = GB_BOUND_UNDECIDED;
        e->why = "the ratio has no interval";
        return;
    }
    e->lo = ratio->lo / (1 + pair->effect);
    e->hi = ratio->hi * (1 + pair->effect);
    if (gb_row_begins_blocks(pair->a) && gb_row_begins_blocks(pair->b))
        e->binding = GB_BOUND_BY_BLOCKS;
    else if (is_short(pair->a, gb_launch_s(sides, pair->a)) &&
             is_short(pair->b, gb_launch_s(sides, pair->b)))
        e->binding = GB_BOUND_BY_LAUNCH;
    else if (is_warm(pair) && fits_in_l2(pair->a) != fits_in_l2(pair->b))
        e->binding = GB_BOUND_CACHED;
    else
        decide_by_ratio(&sides->arena, pair, e);
}

/* The median of what is known; 0: of none. */
static double median_of(double *values, size_t count)
{
    gb_sort_values(values, count);
    return count ? gb_sorted_quantile(values, count, 0.5) : 0;
}

/* The line of the row with the median ratio. */
static gb_line median_line(const gb_explanation *x, gb_resource resource, double *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < x->comparison->pair_count; i++)
        if (x->items[i].line[resource].ratio > 0)
            scratch[count++] = x->items[i].line[resource].ratio;
    const double median = median_of(scratch, count);
    for (size_t i = 0; i < x->comparison->pair_count && count; i++)
        if (x->items[i].line[resource].ratio == median) return x->items[i].line[resource];
    return (gb_line){0};
}

/* What is said of the devices, whatever the row. */
static void sum_up(gb_sides *sides, gb_explanation *x)
{
    const gb_comparison *c = x->comparison;
    double *scratch = gb_arena_alloc(&sides->arena, (c->pair_count + 1) * sizeof *scratch);
    for (int r = 0; r < GB_RESOURCE_COUNT; r++)
        x->line[r] = median_line(x, (gb_resource)r, scratch);
    x->clock_a = x->line[GB_OF_CLOCK].a;
    x->clock_b = x->line[GB_OF_CLOCK].b;
    x->sms_a = c->pair_count ? gb_multiprocessors(sides, c->pairs[0].a) : 0;
    x->sms_b = c->pair_count ? gb_multiprocessors(sides, c->pairs[0].b) : 0;
    for (int side = 0; side < 2; side++) {
        size_t count = 0;
        for (size_t i = 0; i < c->pair_count; i++) {
            const double s = gb_launch_s(sides, side ? c->pairs[i].b : c->pairs[i].a);
            if (s > 0) scratch[count++] = s;
        }
        *(side ? &x->launch_b_s : &x->launch_a_s) = median_of(scratch, count);
    }
}

void gb_explain(gb_sides *sides, const gb_comparison *comparison, gb_explanation *explanation)
{
    const size_t count = comparison->pair_count;
    *explanation = (gb_explanation){
        .comparison = comparison,
        .items = gb_arena_alloc(&sides->arena, (count + 1) * sizeof *explanation->items)};
    for (size_t i = 0; i < count; i++) {
        explain_pair(sides, &comparison->pairs[i], &explanation->items[i]);
        explanation->counts[explanation->items[i].binding]++;
    }
    sum_up(sides, explanation);
}
