/* Which points a claim is about, and what was measured there. */
#include "bench/claims/claims.h"
#include "bench/rows/derive.h"
#include "bench/rows/ratio.h"
#include "common/text/number.h"
#include "common/text/size.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct finder {
    gb_arena *arena;
    const gb_claim *claim;
    const gb_result_set *set;
    const gb_noise *noise;
    const char *device, *scope, *cache;
    gb_claim_result *result;
} finder;

/* ---- which rows ------------------------------------------------------------------------------ */

/* The items of a list with separators: the next one at *at, its length; 0 at the end. */
static size_t next_item(const char **at, const char *separators)
{
    while (**at && strchr(separators, **at))
        ++*at;
    return strcspn(*at, separators);
}

static double number_of(const char *text)
{
    uint64_t size;
    double number;
    if (gb_size_parse(text, &size, NULL)) return (double)size;
    return gb_number_parse(text, &number) ? number : NAN;
}

/* Whether a row is one that the claim speaks of, its variant apart: of a device as it is. */
static bool is_meant(const finder *f, const gb_result_row *row)
{
    if (*row->under || strcmp(row->device, f->device) != 0 || strcmp(row->scope, f->scope) != 0 ||
        strcmp(row->cache, f->cache) != 0)
        return false;
    const int over = *f->claim->best_over ? gb_result_axis(f->set, f->claim->best_over) : -1;
    if (over >= 0 && strcmp(row->axis[over], gb_best) != 0) return false;
    return gb_terms_hold(f->arena, &f->claim->where, f->set, row);
}

/* Of the variants in a list the one with the highest rate at a row's point. */
static const gb_result_row *fastest_at(const finder *f, const gb_result_row *point,
                                       const char *variants)
{
    const gb_result_row *best = NULL;
    for (size_t length; (length = next_item(&variants, "; ")) > 0; variants += length) {
        gb_result_row key = *point;
        key.variant = gb_arena_strndup(f->arena, variants, length);
        const gb_result_row *row = gb_result_find(f->set, &key);
        if (row && row->status == GB_OK && row->rate > 0 && (!best || row->rate > best->rate))
            best = row;
    }
    return best;
}

/* Rows of a variant list come once a point: with the first of the variants that is there. */
static bool is_first_at(const finder *f, const gb_result_row *row)
{
    const char *variants = f->claim->variant;
    for (size_t length; (length = next_item(&variants, "; ")) > 0; variants += length) {
        gb_result_row key = *row;
        key.variant = gb_arena_strndup(f->arena, variants, length);
        const gb_result_row *first = gb_result_find(f->set, &key);
        if (first) return first == row;
    }
    return false;
}

/* ---- what counts at a point ------------------------------------------------------------------ */

/* Begins a point; the pointer is good until the next one is begun. */
static gb_claim_point *add_point(finder *f, const gb_result_row *row, const gb_result_row *other,
                                 double value)
{
    gb_claim_result *r = f->result;
    r->points =
        gb_arena_grow(f->arena, r->points, r->point_count, &r->point_capacity, sizeof *r->points);
    gb_claim_point *point = &r->points[r->point_count++];
    *point = (gb_claim_point){.row = row, .other = other, .value = value};
    return point;
}

/* What is compared: a rate, or a speed-up with what it is over. */
typedef struct measured {
    const gb_result_row *row, *over; /* over: NULL of a rate */
    double value;                    /* 0: there is none */
} measured;

static measured measure(const finder *f, const gb_result_row *point, bool speedup)
{
    measured m = {.row = fastest_at(f, point, f->claim->variant),
                  .over = speedup ? fastest_at(f, point, f->claim->baseline) : NULL};
    if (m.row && (m.over || !speedup)) m.value = m.row->rate / (m.over ? m.over->rate : 1);
    return m;
}

static double noise_of(const finder *f, const gb_result_row *row)
{
    const gb_noise_row at = gb_noise_row_of(f->set, row);
    const gb_noise_class *class = gb_noise_find(f->noise, &at);
    return class ? class->floor : 0;
}

/* Adds a row to what the value of a point hangs on. Costs: what is below a ratio of rates is above
 * that of costs. */
static void rest_on(const finder *f, gb_claim_point *point, const gb_result_row *row)
{
    if (!row) return;
    if (!gb_cost_of_row(row, &point->means[point->mean_count++]) && !point->why)
        point->why =
            gb_arena_printf(f->arena, "%s has %s, which says nothing of its scatter", row->variant,
                            row->samples == 1 ? "one sample" : "no interval");
    point->noise = fmax(point->noise, noise_of(f, row));
}

/* A ratio of two measured rows that are both held up by something else says nothing of them. */
static void look_for_artefact(gb_claim_point *point, const gb_result_row *a, const gb_result_row *b)
{
    if (gb_row_begins_blocks(a) && gb_row_begins_blocks(b))
        point->why = "not decidable here: both begin blocks as fast as the device can, whatever "
                     "these do";
}

static void find_speedup(finder *f, const gb_result_row *row)
{
    const measured m = measure(f, row, true);
    if (!(m.value > 0)) return;
    gb_claim_point *point = add_point(f, m.row, m.over, m.value);
    rest_on(f, point, m.over);
    rest_on(f, point, m.row);
    look_for_artefact(point, m.row, m.over);
}

/* to / from, each a rate or a speed-up. */
static void fill_change(const finder *f, gb_claim_point *point, const measured *from,
                        const measured *to)
{
    rest_on(f, point, from->row);
    rest_on(f, point, to->row);
    if (!from->over) return;
    rest_on(f, point, from->over);
    rest_on(f, point, to->over);
    /* of costs: (from / from.over) / (to / to.over) */
    const gb_mean of_to = point->means[1];
    point->means[1] = point->means[2];
    point->means[2] = of_to;
}

static void find_change(finder *f, const gb_result_row *row, bool speedup)
{
    const int axis = gb_result_axis(f->set, f->claim->along);
    if (axis < 0 || !gb_size_same(f->claim->from, row->axis[axis])) return;
    /* The other value as the file writes it. */
    for (size_t i = 0; i < f->set->row_count; i++) {
        if (!gb_size_same(f->claim->to, f->set->rows[i].axis[axis])) continue;
        gb_result_row there = *row;
        there.axis[axis] = f->set->rows[i].axis[axis];
        const measured from = measure(f, row, speedup), to = measure(f, &there, speedup);
        if (from.value > 0 && to.value > 0)
            fill_change(f, add_point(f, to.row, from.row, to.value / from.value), &from, &to);
        return;
    }
}

/* ---- along an axis --------------------------------------------------------------------------- */

/* The rows that differ from one in an axis alone, in ascending order. */
typedef struct series {
    const gb_result_row **rows; /* in the arena */
    size_t count, capacity;
} series;

static bool series_of(const finder *f, const gb_result_row *row, int axis, series *s)
{
    *s = (series){0};
    for (size_t i = 0; i < f->set->row_count; i++) {
        gb_result_row key = *row;
        key.axis[axis] = f->set->rows[i].axis[axis];
        if (gb_result_find(f->set, &key) != &f->set->rows[i] || !is_meant(f, &f->set->rows[i]))
            continue;
        if (s->count == 0 && &f->set->rows[i] != row) return false; /* another row is the first */
        s->rows = gb_arena_grow(f->arena, s->rows, s->count, &s->capacity, sizeof *s->rows);
        s->rows[s->count++] = &f->set->rows[i];
    }
    for (size_t i = 1; i < s->count; i++) {
        const gb_result_row *moved = s->rows[i];
        size_t at = i;
        for (; at > 0 && number_of(s->rows[at - 1]->axis[axis]) > number_of(moved->axis[axis]);
             at--)
            s->rows[at] = s->rows[at - 1];
        s->rows[at] = moved;
    }
    return s->count > 0;
}

/* Which of two values is the larger: 1 the second, -1 the first, 0 that is not sure. */
static int order_of(const finder *f, const measured *a, const measured *b)
{
    gb_claim_point pair = {0};
    fill_change(f, &pair, a, b);
    if (pair.why) return 0;
    const gb_ratio ratio = pair.mean_count == 4
                               ? gb_ratio_of_ratios_at(pair.means, 0.05)
                               : gb_ratio_of_means_at(&pair.means[0], &pair.means[1], 0.05);
    const double lo = fmin(ratio.lo, ratio.value / (1 + pair.noise)),
                 hi = fmax(ratio.hi, ratio.value * (1 + pair.noise));
    return !(ratio.lo > 0) ? 0 : (lo > 1) - (hi < 1);
}

/* Kendall's tau of the values along an axis, at the first of the rows that differ in it alone.
 * Pairs whose order is not sure may be of either. */
static void find_trend(finder *f, const gb_result_row *row, bool speedup)
{
    const int axis = gb_result_axis(f->set, f->claim->along);
    series s;
    if (axis < 0 || !series_of(f, row, axis, &s)) return;
    measured *m = gb_arena_alloc(f->arena, s.count * sizeof *m);
    size_t count = 0;
    for (size_t i = 0; i < s.count; i++) {
        m[count] = measure(f, s.rows[i], speedup);
        count += m[count].value > 0;
    }
    if (count < 3) return;
    double plain = 0, least = 0, most = 0;
    size_t single = 0;
    for (size_t i = 0; i < count; i++) {
        gb_mean unused;
        single += !gb_cost_of_row(m[i].row, &unused) ||
                  (m[i].over && !gb_cost_of_row(m[i].over, &unused));
        for (size_t k = i + 1; k < count; k++) {
            const int order = order_of(f, &m[i], &m[k]);
            plain += (m[k].value > m[i].value) - (m[k].value < m[i].value);
            least += order > 0 ? 1 : -1;
            most += order < 0 ? -1 : 1;
        }
    }
    const double pairs = (double)count * ((double)count - 1) / 2;
    gb_claim_point *point = add_point(f, row, m[count - 1].row, plain / pairs);
    point->trend_n = count;
    point->trend_lo = least;
    point->trend_hi = most;
    if (single)
        point->why =
            gb_arena_printf(f->arena, "%zu of %zu values rest on one sample", single, count);
}

/* The least value at which a variant fails, all that were tried below being right. */
static void find_first_failure(finder *f, const gb_result_row *row)
{
    const int axis = gb_result_axis(f->set, f->claim->along);
    series s;
    if (axis < 0 || !series_of(f, row, axis, &s)) return;
    double right = 0;
    for (size_t i = 0; i < s.count; i++) {
        if (s.rows[i]->status == GB_UNSUPPORTED) continue;
        const double at = number_of(s.rows[i]->axis[axis]);
        if (s.rows[i]->status == GB_OK) {
            right = at;
            continue;
        }
        gb_claim_point *point = add_point(f, s.rows[i], NULL, at);
        /* it lies above what was right, and not above what was not */
        point->lo = right;
        point->hi = at;
        return;
    }
    if (!(right > 0)) return;
    gb_claim_point *point = add_point(f, s.rows[s.count - 1], NULL, INFINITY);
    point->lo = right;
    point->hi = INFINITY;
}

static void find_at(finder *f, const gb_result_row *row)
{
    const gb_claim_quantity quantity = f->claim->quantity;
    switch (quantity) {
    case GB_CLAIM_SPEEDUP:
        find_speedup(f, row);
        return;
    case GB_CLAIM_CHANGE:
    case GB_CLAIM_SPEEDUP_CHANGE:
        find_change(f, row, quantity == GB_CLAIM_SPEEDUP_CHANGE);
        return;
    case GB_CLAIM_TREND:
    case GB_CLAIM_SPEEDUP_TREND:
        find_trend(f, row, quantity == GB_CLAIM_SPEEDUP_TREND);
        return;
    case GB_CLAIM_FAILS_FROM:
        find_first_failure(f, row);
        return;
    case GB_CLAIM_CI95:
        if (row->status == GB_OK && row->samples > 1 && row->time_s > 0)
            (void)add_point(f, row, NULL, (row->time_hi_s - row->time_lo_s) / 2 / row->time_s);
        return;
    case GB_CLAIM_OK:
        (void)add_point(f, row, NULL, row->status == GB_OK);
        return;
    case GB_CLAIM_UNSUPPORTED:
        (void)add_point(f, row, NULL, row->status == GB_UNSUPPORTED);
        return;
    default:
        (void)add_point(f, row, NULL, row->status != GB_OK && row->status != GB_UNSUPPORTED);
    }
}

/* ---- devices against one another ------------------------------------------------------------- */

/* By the last word of the name, brackets apart. */
static bool is_device(const char *device, const char *named, size_t length)
{
    const char *word = named;
    for (const char *at = named; at < named + length; at++)
        if (*at == ' ' || *at == '(') word = at + 1;
    length -= (size_t)(word - named);
    if (length && word[length - 1] == ')') length--;
    if (length == 0) return false;
    for (const char *at = device; (at = memmem(at, strlen(at), word, length)); at++)
        if ((at == device || !isalnum((unsigned char)at[-1])) &&
            !isalnum((unsigned char)at[length]))
            return true;
    return false;
}

bool gb_claim_names_device(const char *named, const char *device)
{
    for (size_t length; *named; named += length + (named[length] == ';')) {
        length = strcspn(named, ";");
        if (is_device(device, named, length)) return true;
    }
    return false;
}

/* Of the rows that the claim speaks of, on a device that it names, the one with the highest rate:
 * where it names the model that the claim is held against, on that device and no other. axis: of
 * rows alone that have the value of `like` there; -1: of all. */
static const gb_result_row *best_on(const finder *f, const char *named, int axis,
                                    const gb_result_row *like)
{
    const gb_result_row *best = NULL;
    const bool own = gb_claim_names_device(named, gb_device_model(f->set, f->device));
    for (size_t i = 0; i < f->set->row_count; i++) {
        const gb_result_row *row = &f->set->rows[i];
        finder other = *f;
        other.device = own ? f->device : row->device;
        if (row->status != GB_OK || !gb_claim_names_device(named, gb_row_model(row)) ||
            !is_meant(&other, row))
            continue;
        if (axis >= 0 && strcmp(row->axis[axis], like->axis[axis]) != 0) continue;
        if (!best || row->rate > best->rate) best = row;
    }
    return best;
}

/* The ratio of the best rates, at each value of the claim's axis if it names one. */
static void find_devices(finder *f)
{
    const int axis = f->claim->along ? gb_result_axis(f->set, f->claim->along) : -1;
    if (f->claim->along && axis < 0) return;
    for (size_t i = 0; i < f->set->row_count; i++) {
        const gb_result_row *row = &f->set->rows[i];
        bool seen = i > 0 && axis < 0;
        for (size_t k = 0; k < i && !seen; k++)
            seen = strcmp(f->set->rows[k].axis[axis], row->axis[axis]) == 0;
        if (seen) continue;
        const gb_result_row *from = best_on(f, f->claim->from, axis, row),
                            *to = best_on(f, f->claim->to, axis, row);
        if (!from || !to) continue;
        gb_claim_point *point = add_point(f, to, from, to->rate / from->rate);
        rest_on(f, point, from);
        rest_on(f, point, to);
    }
}

/* The set with the best rows over the claim's axis, which has their value gb_best. */
static const gb_result_set *with_best(gb_arena *arena, const gb_result_set *set, const char *axis)
{
    const char *axes[] = {axis};
    const gb_derivation what = {.best = axes, .best_count = 1};
    gb_result_set *derived = gb_arena_alloc(arena, sizeof *derived);
    gb_error none = {GB_OK, ""};
    return gb_results_derive(arena, set, &what, derived, &none) ? derived : set;
}

void gb_claim_find_points(gb_arena *arena, gb_claim_result *r, const gb_noise *noise,
                          const char *device)
{
    const gb_claim *claim = r->claim;
    finder f = {.arena = arena,
                .claim = claim,
                .set = *claim->best_over ? with_best(arena, r->set, claim->best_over) : r->set,
                .noise = noise,
                .device = device,
                .scope = *claim->scope ? claim->scope : "device",
                .cache = "warm",
                .result = r};
    if (claim->quantity == GB_CLAIM_DEVICE_RATIO) {
        find_devices(&f);
        return;
    }
    for (size_t i = 0; i < f.set->row_count; i++) {
        const gb_result_row *row = &f.set->rows[i];
        if (is_meant(&f, row) && is_first_at(&f, row)) find_at(&f, row);
    }
}
