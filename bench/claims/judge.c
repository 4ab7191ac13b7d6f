/* Whether the points bear a claim out, and how sure that is. A claim is decided only by evidence
 * that could have gone the other way: where what its verdict rests on lies, with its interval, on
 * one side of the criterion. docs/statistics.md has the rules and what simulation says of them. */
#include "bench/claims/claims.h"
#include "bench/rows/select.h"
#include "bench/table/build.h"
#include "bench/table/numbers.h"
#include "common/stats/counts.h"
#include "common/stats/stats.h"

#include <math.h>
#include <string.h>

/* Intervals, shares and trends are of 95 %, p values two-sided. */
static const double alpha = 0.05;

bool gb_claim_is_share(const gb_claim *claim)
{
    return claim->quantity == GB_CLAIM_OK || claim->quantity == GB_CLAIM_UNSUPPORTED ||
           claim->quantity == GB_CLAIM_FAILED;
}

static bool is_trend(const gb_claim *claim)
{
    return claim->quantity == GB_CLAIM_TREND || claim->quantity == GB_CLAIM_SPEEDUP_TREND;
}

/* ---- a point's evidence ---------------------------------------------------------------------- */

/* The interval of a point's value that leaves out `tail`; widened to what runs of rows like these
 * differ by. False if there is none. */
static bool interval_of(const gb_claim *claim, const gb_claim_point *p, double tail, double *lo,
                        double *hi)
{
    *lo = *hi = p->value;
    if (gb_claim_is_share(claim)) return true;
    if (claim->quantity == GB_CLAIM_FAILS_FROM) {
        *lo = p->lo;
        *hi = p->hi;
        return true;
    }
    if (claim->quantity == GB_CLAIM_CI95) {
        /* of a standard deviation, normal for large n */
        const double n = (double)p->row->samples;
        const double factor = exp(gb_student_quantile(tail, INFINITY) / sqrt(2 * (n - 1)));
        *lo = p->value / factor;
        *hi = p->value * factor;
        return true;
    }
    if (p->why || p->mean_count < 2) return false;
    const gb_ratio ratio = p->mean_count == 4
                               ? gb_ratio_of_ratios_at(p->means, tail)
                               : gb_ratio_of_means_at(&p->means[0], &p->means[1], tail);
    if (!(ratio.lo > 0)) return false;
    *lo = fmin(ratio.lo, p->value / (1 + p->noise));
    *hi = fmax(ratio.hi, p->value * (1 + p->noise));
    return true;
}

/* What an interval says of a criterion. Of a fails_from the interval is open below: it was right
 * there. */
static gb_claim_evidence side_of(const gb_claim *claim, double lo, double hi)
{
    const gb_claim_condition *c = &claim->condition;
    const bool open = claim->quantity == GB_CLAIM_FAILS_FROM;
    const double least = c->value - c->within * fabs(c->value),
                 most = c->value + c->within * fabs(c->value);
    bool holds, fails;
    switch (c->how) {
    case GB_HOLDS_LT:
        holds = hi < c->value;
        fails = lo >= c->value;
        break;
    case GB_HOLDS_LE:
        holds = hi <= c->value;
        fails = open ? lo >= c->value : lo > c->value;
        break;
    case GB_HOLDS_GT:
        holds = open ? lo >= c->value : lo > c->value;
        fails = hi <= c->value;
        break;
    case GB_HOLDS_GE:
        holds = lo >= c->value;
        fails = hi < c->value;
        break;
    default: /* within, and equal: within nothing */
        holds = lo >= least && hi <= most;
        fails = open ? lo >= most || hi < least : lo > most || hi < least;
    }
    return holds ? GB_POINT_HOLDS : fails ? GB_POINT_FAILS : GB_POINT_UNSURE;
}

/* One-sided p that values in no order at all trend as much as these do at least; up: upwards. */
static double p_of_trend(const gb_claim_point *p, bool up)
{
    return gb_trend_tail(p->trend_n, up ? p->trend_lo : -p->trend_hi);
}

/* A point's evidence, of `tests` tests of which one is enough to decide. */
static gb_claim_evidence evidence_at(const gb_claim *claim, const gb_claim_point *p, size_t tests)
{
    const double tail = alpha / (double)tests;
    double lo, hi;
    if (!is_trend(claim))
        return interval_of(claim, p, tail, &lo, &hi) ? side_of(claim, lo, hi) : GB_POINT_UNSURE;
    if (p->why) return GB_POINT_UNSURE;
    const bool wants_up = claim->condition.how == GB_HOLDS_GT;
    if (p_of_trend(p, wants_up) <= tail / 2) return GB_POINT_HOLDS;
    return p_of_trend(p, !wants_up) <= tail / 2 ? GB_POINT_FAILS : GB_POINT_UNSURE;
}

static size_t count_evidence(const gb_claim_result *r, gb_claim_evidence wanted, size_t tests)
{
    size_t count = 0;
    for (size_t i = 0; i < r->point_count; i++)
        count += evidence_at(r->claim, &r->points[i], tests) == wanted;
    return count;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Of what is no ratio of rates. */
static const char *value_text(gb_arena *arena, const gb_claim *claim, double value)
{
    if (is_trend(claim)) return gb_arena_printf(arena, "%.2f", value);
    if (claim->quantity == GB_CLAIM_FAILS_FROM)
        return isinf(value) ? "never"
                            : gb_axis_readable(arena, gb_arena_printf(arena, "%.0f", value));
    /* half the width of an interval over the mean: from 1 on it would reach 0 */
    return value < 1 ? gb_arena_printf(arena, "%s %%", gb_significant(arena, 100 * value, 2))
                     : gb_unstable;
}

static bool is_ratio(const gb_claim *claim)
{
    return !gb_claim_is_share(claim) && !is_trend(claim) && claim->quantity != GB_CLAIM_CI95 &&
           claim->quantity != GB_CLAIM_FAILS_FROM;
}

/* What a point has of a value that counts: of a ratio with its interval. */
static const char *number_text(gb_arena *arena, const gb_claim *claim, const gb_claim_point *point)
{
    if (!is_ratio(claim)) return value_text(arena, claim, point->value);
    gb_ratio ratio = {.value = point->value};
    if (!interval_of(claim, point, alpha, &ratio.lo, &ratio.hi))
        ratio = (gb_ratio){.value = point->value, .unstable = !point->why && point->mean_count > 1};
    return gb_ratio_text(arena, &ratio);
}

const char *gb_claim_point_text(gb_arena *arena, const gb_claim *claim, const gb_claim_point *point)
{
    if (gb_claim_is_share(claim)) return gb_status_name(point->row->status);
    const char *text = number_text(arena, claim, point);
    return claim->quantity == GB_CLAIM_FAILS_FROM
               ? gb_arena_printf(arena, "%s, right up to %s", text,
                                 value_text(arena, claim, point->lo))
               : text;
}

/* "3 of 10 points", or, where some are unsure, "3 hold, 5 fail, 2 unsure". */
static const char *count_text(gb_arena *arena, const gb_claim_result *r)
{
    const size_t unsure = r->point_count - r->holding - r->failing;
    if (unsure == 0) return gb_arena_printf(arena, "%zu of %zu points", r->holding, r->point_count);
    return gb_arena_printf(arena, "of %zu points %zu hold, %zu fail, %zu unsure", r->point_count,
                           r->holding, r->failing, unsure);
}

static const char *measured_text(gb_arena *arena, const gb_claim_result *r)
{
    const gb_claim *claim = r->claim;
    if (gb_claim_is_share(claim)) return count_text(arena, r);
    if (r->point_count == 1) return gb_claim_point_text(arena, claim, &r->points[0]);
    const gb_claim_point *least = r->points, *most = r->points;
    for (size_t i = 1; i < r->point_count; i++) {
        if (r->points[i].value < least->value) least = &r->points[i];
        if (r->points[i].value > most->value) most = &r->points[i];
    }
    const char *high = number_text(arena, claim, most), *low = number_text(arena, claim, least);
    const char *range = claim->condition.of == GB_CLAIM_ANY || claim->quantity == GB_CLAIM_CI95
                            ? gb_arena_printf(arena, "up to %s", high)
                            : gb_arena_printf(arena, "%s to %s", low, high);
    return gb_arena_printf(arena, "%s; %s", range, count_text(arena, r));
}

/* ---- the verdict ----------------------------------------------------------------------------- */

/* Why a claim is left open: what most of the unsure points say, else that intervals hold the
 * criterion. */
static const char *open_reason(gb_arena *arena, const gb_claim_result *r)
{
    const char *why = NULL;
    size_t told = 0, unsure = 0;
    for (size_t i = 0; i < r->point_count; i++) {
        const gb_claim_point *p = &r->points[i];
        if (p->evidence != GB_POINT_UNSURE) continue;
        unsure++;
        if (!p->why) continue;
        told++;
        if (!why) why = p->why;
    }
    if (why && told == r->point_count) return why;
    if (why) return gb_arena_printf(arena, "%s (%zu of %zu points)", why, told, r->point_count);
    return unsure == 1 && r->point_count == 1
               ? "its interval holds the criterion"
               : gb_arena_printf(arena, "the intervals of %zu of %zu points hold the criterion",
                                 unsure, r->point_count);
}

static gb_claim_verdict decide_most(gb_arena *arena, gb_claim_result *r)
{
    const size_t n = r->point_count;
    double lo, hi, unused;
    gb_share_interval(r->holding, n, alpha, &lo, &unused);
    gb_share_interval(n - r->failing, n, alpha, &unused, &hi);
    r->statistic = gb_arena_printf(
        arena, "%zu of %zu points hold, a share of %.2f (95 %% interval %.2f to %.2f) against 0.5",
        r->holding, n, (double)r->holding / (double)n, lo, hi);
    if (lo > 0.5) return GB_CLAIM_HOLDS;
    if (hi < 0.5) return GB_CLAIM_FAILS;
    r->reason = r->holding + r->failing < n
                    ? open_reason(arena, r)
                    : gb_arena_printf(arena, "%zu of %zu points may be chance", r->holding, n);
    return GB_CLAIM_UNDECIDED;
}

static const char *statistic_of_each(gb_arena *arena, const gb_claim_result *r)
{
    const size_t n = r->point_count;
    if (gb_claim_is_share(r->claim)) return "each point's status";
    if (r->claim->quantity == GB_CLAIM_FAILS_FROM)
        return "the first value that fails, above the last that is right";
    if (!is_trend(r->claim)) {
        const char *each = n > 1 ? "each point's" : "its";
        const char *one =
            n > 1 ? gb_arena_printf(arena, "; one point alone decides by that of %.4g %%",
                                    100 * (1 - alpha / (double)n))
                  : "";
        return gb_arena_printf(arena, "%s 95 %% interval against the criterion%s", each, one);
    }
    const gb_claim_point *p = &r->points[0];
    return gb_arena_printf(
        arena,
        "Kendall's tau%s: %zu values rise so by chance with p = %.2g, fall so with "
        "p = %.2g (one-sided)",
        n > 1 ? " of each series; of the first" : "", p->trend_n, p_of_trend(p, true),
        p_of_trend(p, false));
}

/* all: every point has to hold, and one that fails, seen among all, is enough against it. any: the
 * other way round. */
static gb_claim_verdict decide_each(gb_arena *arena, gb_claim_result *r, bool all)
{
    const size_t n = r->point_count;
    r->statistic = statistic_of_each(arena, r);
    const size_t against = count_evidence(r, all ? GB_POINT_FAILS : GB_POINT_HOLDS, n);
    if (against) return all ? GB_CLAIM_FAILS : GB_CLAIM_HOLDS;
    if ((all ? r->holding : r->failing) == n) return all ? GB_CLAIM_HOLDS : GB_CLAIM_FAILS;
    r->reason =
        is_trend(r->claim) && !r->points[0].why
            ? gb_arena_printf(arena, "the order of %zu values may be chance", r->points[0].trend_n)
            : open_reason(arena, r);
    return GB_CLAIM_UNDECIDED;
}

/* What becomes of a verdict by the claim's class. */
static gb_claim_verdict by_class(const gb_claim *claim, gb_claim_verdict verdict, const char *model)
{
    switch (claim->class) {
    case GB_CLAIM_CONSTRUCTION: /* if it does not hold, something is wrong */
        return verdict == GB_CLAIM_HOLDS ? GB_CLAIM_BY_CONSTRUCTION : verdict;
    case GB_CLAIM_GENERATION:
        return gb_claim_names_device(claim->device, model) ? verdict : GB_CLAIM_OTHER_GPU;
    case GB_CLAIM_PROCEDURE:
        return GB_CLAIM_THEIR_PROCEDURE;
    default:
        return verdict;
    }
}

void gb_claim_judge(gb_arena *arena, gb_claim_result *r, const char *device)
{
    const gb_claim *claim = r->claim;
    const char *model = gb_device_model(r->set, device);
    if (r->point_count == 0) {
        r->measured =
            claim->quantity == GB_CLAIM_DEVICE_RATIO
                ? gb_arena_printf(arena, "needs results of %s and %s", claim->from, claim->to)
                : gb_arena_printf(arena, "no such rows in the results of %s", claim->experiment);
        if (claim->class == GB_CLAIM_GENERATION && !gb_claim_names_device(claim->device, model))
            r->verdict = GB_CLAIM_OTHER_GPU;
        return;
    }
    for (size_t i = 0; i < r->point_count; i++) {
        gb_claim_point *p = &r->points[i];
        p->evidence = evidence_at(claim, p, 1);
        r->holding += p->evidence == GB_POINT_HOLDS;
        r->failing += p->evidence == GB_POINT_FAILS;
    }
    const gb_claim_verdict verdict =
        claim->condition.of == GB_CLAIM_MOST
            ? decide_most(arena, r)
            : decide_each(arena, r, claim->condition.of == GB_CLAIM_ALL);
    for (size_t i = 0; i < r->point_count && !is_trend(claim); i++) {
        gb_claim_point *p = &r->points[i];
        if (claim->quantity != GB_CLAIM_FAILS_FROM && !interval_of(claim, p, alpha, &p->lo, &p->hi))
            p->lo = p->hi = 0;
    }
    r->measured = measured_text(arena, r);
    r->verdict = by_class(claim, verdict, model);
}

gb_claim_result gb_claim_test(gb_arena *arena, const gb_claim *claim, const gb_results *results,
                              const gb_noise *noise, const char *device)
{
    gb_claim_result result = {
        .claim = claim, .verdict = GB_CLAIM_NOT_TESTED, .statistic = "", .reason = ""};
    for (size_t i = 0; i < results->set_count && !result.set; i++) {
        const gb_result_set *set = &results->sets[i];
        bool has = !set->published && !set->profile &&
                   strcmp(set->experiment, claim->experiment) == 0 &&
                   strcmp(set->primitive, claim->primitive) == 0;
        bool on = false;
        for (size_t r = 0; has && r < set->row_count && !on; r++)
            on = strcmp(set->rows[r].device, device) == 0;
        if (on) result.set = set;
    }
    if (!result.set) {
        result.measured = gb_arena_printf(arena, "run configs/%s.json", claim->experiment);
        return result;
    }
    const bool statuses = gb_claim_is_share(claim) || claim->quantity == GB_CLAIM_FAILS_FROM;
    if (result.set->simt && !statuses) {
        result.measured = "times of the simt device say nothing";
        return result;
    }
    gb_claim_find_points(arena, &result, noise, device);
    gb_claim_judge(arena, &result, device);
    return result;
}
