/* Holding claims against results. */
#include "bench/claims.h"

#include "bench/result_select.h"
#include "bench/table_build.h"
#include "common/size.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct tester {
    gb_arena *arena;
    const gb_claim *claim;
    const gb_result_set *set;
    const char *device, *scope, *cache;
    gb_claim_result *result;
} tester;

/* ---- which rows ------------------------------------------------------------------------------ */

/* The items of a list with separators: the next one at *at, its length; 0 at the end. */
static size_t next_item(const char **at, const char *separators)
{
    while (**at && strchr(separators, **at))
        ++*at;
    return strcspn(*at, separators);
}

static bool lists(gb_arena *arena, const char *list, const char *separators, const char *value)
{
    for (size_t length; (length = next_item(&list, separators)) > 0; list += length)
        if (gb_size_same(gb_arena_strndup(arena, list, length), value)) return true;
    return false;
}

static double number_of(const char *text)
{
    uint64_t size;
    double number;
    if (gb_size_parse(text, &size, NULL)) return (double)size;
    return gb_number_parse(text, &number) ? number : NAN;
}

static bool term_lets(const tester *t, const gb_claim_term *term, const gb_result_row *row)
{
    const int axis = gb_result_axis(t->set, term->axis);
    const char *value = axis >= 0 ? row->axis[axis] : NULL;
    if (!value) return false;
    if (term->relation == GB_TERM_IS) return lists(t->arena, term->values, ", ", value);
    if (term->relation == GB_TERM_IS_NOT) return !lists(t->arena, term->values, ", ", value);
    const double a = number_of(value), b = number_of(term->values);
    switch (term->relation) {
    case GB_TERM_LT:
        return a < b;
    case GB_TERM_LE:
        return a <= b;
    case GB_TERM_GT:
        return a > b;
    default:
        return a >= b;
    }
}

/* Whether a row is one that the claim speaks of, its variant apart. */
static bool is_meant(const tester *t, const gb_result_row *row)
{
    if (strcmp(row->device, t->device) != 0 || strcmp(row->scope, t->scope) != 0 ||
        strcmp(row->cache, t->cache) != 0)
        return false;
    for (size_t i = 0; i < t->claim->term_count; i++)
        if (!term_lets(t, &t->claim->terms[i], row)) return false;
    return true;
}

/* Of the variants in a list the one with the highest rate at a row's point. */
static const gb_result_row *fastest_at(const tester *t, const gb_result_row *point,
                                       const char *variants)
{
    const gb_result_row *best = NULL;
    for (size_t length; (length = next_item(&variants, "; ")) > 0; variants += length) {
        gb_result_row key = *point;
        key.variant = gb_arena_strndup(t->arena, variants, length);
        const gb_result_row *row = gb_result_find(t->set, &key);
        if (row && row->status == GB_OK && row->rate > 0 && (!best || row->rate > best->rate))
            best = row;
    }
    return best;
}

/* Rows of a variant list come once a point: with the first of the variants that is there. */
static bool is_first_at(const tester *t, const gb_result_row *row)
{
    const char *variants = t->claim->variant;
    for (size_t length; (length = next_item(&variants, "; ")) > 0; variants += length) {
        gb_result_row key = *row;
        key.variant = gb_arena_strndup(t->arena, variants, length);
        const gb_result_row *first = gb_result_find(t->set, &key);
        if (first) return first == row;
    }
    return false;
}

/* ---- what counts at a point ------------------------------------------------------------------ */

static bool condition_holds(const gb_claim_condition *c, double value)
{
    switch (c->how) {
    case GB_HOLDS_EQ:
        return value == c->value;
    case GB_HOLDS_LT:
        return value < c->value;
    case GB_HOLDS_LE:
        return value <= c->value;
    case GB_HOLDS_GT:
        return value > c->value;
    case GB_HOLDS_GE:
        return value >= c->value;
    default:
        return fabs(value - c->value) <= c->within * fabs(c->value);
    }
}

static void add_point(tester *t, const gb_result_row *row, const gb_result_row *other, double value)
{
    gb_claim_result *r = t->result;
    r->points =
        gb_arena_grow(t->arena, r->points, r->point_count, &r->point_capacity, sizeof *r->points);
    const bool holds = condition_holds(&t->claim->condition, value);
    r->points[r->point_count++] = (gb_claim_point){row, other, value, holds};
    r->holding += holds;
}

/* The rate, or the speed-up, at a row's point; 0 if there is none. */
static double value_at(const tester *t, const gb_result_row *point, bool speedup,
                       const gb_result_row **row, const gb_result_row **other)
{
    *row = fastest_at(t, point, t->claim->variant);
    *other = speedup ? fastest_at(t, point, t->claim->baseline) : NULL;
    if (!*row || (speedup && !*other)) return 0;
    return speedup ? (*row)->rate / (*other)->rate : (*row)->rate;
}

static void test_change(tester *t, const gb_result_row *point, bool speedup)
{
    const int axis = gb_result_axis(t->set, t->claim->along);
    if (axis < 0 || !gb_size_same(t->claim->from, point->axis[axis])) return;
    /* The other value as the file writes it. */
    for (size_t i = 0; i < t->set->row_count; i++) {
        if (!gb_size_same(t->claim->to, t->set->rows[i].axis[axis])) continue;
        gb_result_row there = *point;
        const gb_result_row *row, *other, *unused;
        there.axis[axis] = t->set->rows[i].axis[axis];
        const double from = value_at(t, point, speedup, &other, &unused);
        const double to = value_at(t, &there, speedup, &row, &unused);
        if (from > 0 && to > 0) add_point(t, row, other, to / from);
        return;
    }
}

/* Kendall's tau of the values along an axis, at the first of the rows that differ in it alone. */
static void test_trend(tester *t, const gb_result_row *point, bool speedup)
{
    const int axis = gb_result_axis(t->set, t->claim->along);
    if (axis < 0) return;
    double x[256], y[256];
    size_t count = 0;
    bool is_begun = false;
    const gb_result_row *last = NULL, *row, *other;
    for (size_t i = 0; i < t->set->row_count && count < 256; i++) {
        gb_result_row key = *point;
        key.axis[axis] = t->set->rows[i].axis[axis];
        if (gb_result_find(t->set, &key) != &t->set->rows[i] || !is_meant(t, &t->set->rows[i]))
            continue;
        if (!is_begun && &t->set->rows[i] != point) return; /* another row is the first */
        is_begun = true;
        const double value = value_at(t, &t->set->rows[i], speedup, &row, &other);
        if (!(value > 0)) continue;
        x[count] = number_of(key.axis[axis]);
        y[count++] = value;
        last = row;
    }
    double concordant = 0, pairs = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1; k < count; k++) {
            const double product = (x[k] - x[i]) * (y[k] - y[i]);
            concordant += (product > 0) - (product < 0);
            pairs++;
        }
    }
    if (count >= 3) add_point(t, point, last, concordant / pairs);
}

static void test_row(tester *t, const gb_result_row *row)
{
    const gb_claim_quantity quantity = t->claim->quantity;
    const gb_result_row *best, *other;
    double value;
    switch (quantity) {
    case GB_CLAIM_SPEEDUP:
        value = value_at(t, row, true, &best, &other);
        if (value > 0) add_point(t, best, other, value);
        return;
    case GB_CLAIM_CHANGE:
    case GB_CLAIM_SPEEDUP_CHANGE:
        test_change(t, row, quantity == GB_CLAIM_SPEEDUP_CHANGE);
        return;
    case GB_CLAIM_TREND:
    case GB_CLAIM_SPEEDUP_TREND:
        test_trend(t, row, quantity == GB_CLAIM_SPEEDUP_TREND);
        return;
    case GB_CLAIM_CI95:
        if (row->status == GB_OK && row->samples > 1 && row->time_s > 0)
            add_point(t, row, NULL, (row->time_hi_s - row->time_lo_s) / 2 / row->time_s);
        return;
    case GB_CLAIM_OK:
        add_point(t, row, NULL, row->status == GB_OK);
        return;
    case GB_CLAIM_UNSUPPORTED:
        add_point(t, row, NULL, row->status == GB_UNSUPPORTED);
        return;
    default:
        add_point(t, row, NULL, row->status != GB_OK && row->status != GB_UNSUPPORTED);
    }
}

/* ---- devices against one another ------------------------------------------------------------- */

/* Whether a device is one that a paper names: "NVIDIA P100" is a "Tesla P100-PCIE-16GB", and no
 * "Quadro P1000". */
static bool is_device(const char *device, const char *named)
{
    const char *last = strrchr(named, ' '), *word = last ? last + 1 : named;
    const size_t length = strlen(word);
    for (const char *at = device; (at = strstr(at, word)); at++)
        if ((at == device || !isalnum((unsigned char)at[-1])) &&
            !isalnum((unsigned char)at[length]))
            return true;
    return false;
}

static const gb_result_row *best_on(const tester *t, const char *named, const gb_result_row *like)
{
    const gb_result_row *best = NULL;
    const int radius = gb_result_axis(t->set, "radius");
    for (size_t i = 0; i < t->set->row_count; i++) {
        const gb_result_row *row = &t->set->rows[i];
        tester other = *t;
        other.device = row->device;
        if (row->status != GB_OK || !is_device(row->device, named) || !is_meant(&other, row))
            continue;
        if (radius >= 0 && like && strcmp(row->axis[radius], like->axis[radius]) != 0) continue;
        if (!best || row->rate > best->rate) best = row;
    }
    return best;
}

/* The ratio of the best rates for each radius. */
static void test_devices(tester *t)
{
    const int radius = gb_result_axis(t->set, "radius");
    for (size_t i = 0; i < t->set->row_count; i++) {
        const gb_result_row *row = &t->set->rows[i];
        bool seen = false;
        for (size_t k = 0; k < i && radius >= 0 && !seen; k++)
            seen = strcmp(t->set->rows[k].axis[radius], row->axis[radius]) == 0;
        if (seen) continue;
        const gb_result_row *from = best_on(t, t->claim->from, row),
                            *to = best_on(t, t->claim->to, row);
        if (from && to) add_point(t, to, from, to->rate / from->rate);
        if (radius < 0) return;
    }
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static bool is_share(const gb_claim *claim)
{
    return claim->quantity == GB_CLAIM_OK || claim->quantity == GB_CLAIM_UNSUPPORTED ||
           claim->quantity == GB_CLAIM_FAILED;
}

static const char *value_text(gb_arena *arena, const gb_claim *claim, double value)
{
    if (claim->quantity == GB_CLAIM_CI95)
        return gb_arena_printf(arena, "%s %%", gb_significant(arena, 100 * value, 2));
    if (claim->quantity == GB_CLAIM_TREND || claim->quantity == GB_CLAIM_SPEEDUP_TREND)
        return gb_arena_printf(arena, "%.2f", value);
    return gb_ratio_text(arena, value);
}

const char *gb_claim_point_text(gb_arena *arena, const gb_claim *claim, const gb_claim_point *point)
{
    if (is_share(claim)) return gb_status_name(point->row->status);
    return value_text(arena, claim, point->value);
}

static const char *measured_text(gb_arena *arena, const gb_claim_result *r)
{
    const gb_claim *claim = r->claim;
    if (is_share(claim))
        return gb_arena_printf(arena, "%zu of %zu points", r->holding, r->point_count);
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < r->point_count; i++) {
        least = fmin(least, r->points[i].value);
        most = fmax(most, r->points[i].value);
    }
    const char *high = value_text(arena, claim, most), *low = value_text(arena, claim, least);
    if (r->point_count == 1) return high;
    const char *range = claim->condition.of == GB_CLAIM_ANY || claim->quantity == GB_CLAIM_CI95
                            ? gb_arena_printf(arena, "up to %s", high)
                            : gb_arena_printf(arena, "%s to %s", low, high);
    return gb_arena_printf(arena, "%s, %zu of %zu points", range, r->holding, r->point_count);
}

static void judge(tester *t)
{
    gb_claim_result *r = t->result;
    const gb_claim_condition *c = &t->claim->condition;
    if (r->point_count == 0) {
        r->measured = t->claim->quantity == GB_CLAIM_DEVICE_RATIO
                          ? gb_arena_printf(t->arena, "needs results of %s and %s", t->claim->from,
                                            t->claim->to)
                          : gb_arena_printf(t->arena, "no such rows in the results of %s",
                                            t->claim->experiment);
        return;
    }
    const bool holds = c->of == GB_CLAIM_ALL    ? r->holding == r->point_count
                       : c->of == GB_CLAIM_MOST ? 2 * r->holding > r->point_count
                                                : r->holding > 0;
    r->verdict = holds ? GB_CLAIM_HOLDS : GB_CLAIM_FAILS;
    r->measured = measured_text(t->arena, r);
}

gb_claim_result gb_claim_test(gb_arena *arena, const gb_claim *claim, const gb_results *results,
                              const char *device)
{
    gb_claim_result result = {.claim = claim, .verdict = GB_CLAIM_NOT_TESTED};
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
    if (result.set->simt && !is_share(claim)) {
        result.measured = "times of the simt device say nothing";
        return result;
    }
    tester t = {.arena = arena,
                .claim = claim,
                .set = result.set,
                .device = device,
                .scope = *claim->scope ? claim->scope : "device",
                .cache = "warm",
                .result = &result};
    if (claim->quantity == GB_CLAIM_DEVICE_RATIO) {
        test_devices(&t);
    } else {
        for (size_t i = 0; i < result.set->row_count; i++) {
            const gb_result_row *row = &result.set->rows[i];
            if (is_meant(&t, row) && is_first_at(&t, row)) test_row(&t, row);
        }
    }
    judge(&t);
    return result;
}
