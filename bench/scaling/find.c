/* Which series there are over numbers of GPUs, what was measured of each, and what is projected. */
#include "bench/rows/ratio.h"
#include "bench/scaling/scaling.h"
#include "common/protocol/flags.h"
#include "common/text/number.h"
#include "common/text/size.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct finder {
    gb_scaling *s;
    gb_arena *arena;
    gb_error *error;
} finder;

/* ---- rows ------------------------------------------------------------------------------------ */

static bool is_timed(const gb_result_row *row)
{
    return row->status == GB_OK && row->time_s > 0 && row->rate > 0;
}

static unsigned gpus_of(const gb_result_set *set, const gb_result_row *row)
{
    double gpus;
    return gb_number_parse(row->axis[gb_result_axis(set, "gpus")], &gpus) && gpus >= 1 &&
                   gpus <= 65536
               ? (unsigned)gpus
               : 0;
}

static const char *value_of(const gb_result_set *set, const gb_result_row *row, const char *axis)
{
    const int a = gb_result_axis(set, axis);
    return a >= 0 ? row->axis[a] : "";
}

/* Whether two rows of a set differ in the number of GPUs alone. */
static bool is_alike(const gb_result_set *set, const gb_result_row *a, const gb_result_row *b)
{
    const int gpus = gb_result_axis(set, "gpus");
    for (unsigned i = 0; i < set->axis_count; i++)
        if ((int)i != gpus && strcmp(a->axis[i], b->axis[i]) != 0) return false;
    return strcmp(a->variant, b->variant) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(a->cache, b->cache) == 0 && strcmp(a->scope, b->scope) == 0;
}

/* The row of a variant on one GPU, where another row stands, with another value of an axis (NULL:
 * with the same). NULL if it was not measured. */
static const gb_result_row *on_one(const gb_result_set *set, const gb_result_row *row,
                                   const char *variant, const char *axis, const char *value)
{
    gb_result_row key = *row;
    key.variant = variant;
    key.axis[gb_result_axis(set, "gpus")] = "1";
    if (axis) key.axis[gb_result_axis(set, axis)] = value;
    const gb_result_row *found = gb_result_find(set, &key);
    return found && is_timed(found) ? found : NULL;
}

/* ---- series ---------------------------------------------------------------------------------- */

/* "n=1000000;scaling=weak". */
static const char *point_text(const finder *f, const gb_result_set *set, const gb_result_row *row)
{
    const char *text = "";
    for (unsigned a = 0; a < set->axis_count; a++)
        if (strcmp(set->axes[a], "gpus") != 0)
            text = gb_arena_printf(f->arena, "%s%s%s=%s", text, *text ? ";" : "", set->axes[a],
                                   row->axis[a]);
    return text;
}

static gb_link link_of(const finder *f, const gb_result_row *row)
{
    const gb_run_facts *run = gb_side_run(f->s->sides, row);
    gb_link link = f->s->said;
    if (link.latency_s < 0 && run && run->link_s > 0) link.latency_s = run->link_s;
    if (!(link.bytes_per_s > 0) && run)
        link.bytes_per_s =
            run->link_both_bytes_per_s > 0 ? run->link_both_bytes_per_s / 2 : run->link_bytes_per_s;
    return link;
}

static gb_scaling_series *series_of(finder *f, const gb_result_set *set,
                                    const gb_scaling_rules *rules, const gb_result_row *row)
{
    gb_scaling *s = f->s;
    for (size_t i = s->count; i-- > 0;)
        if (s->series[i].set == set && is_alike(set, s->series[i].row, row)) return &s->series[i];
    s->series = gb_arena_grow(f->arena, s->series, s->count, &s->capacity, sizeof *s->series);
    gb_scaling_series *added = &s->series[s->count++];
    *added = (gb_scaling_series){.set = set, .rules = rules, .row = row};
    added->weak = strcmp(value_of(set, row, "scaling"), "weak") == 0;
    added->alone = on_one(set, row, gb_scaling_alone(rules, row->variant), NULL, NULL);
    added->link = link_of(f, row);
    added->point = point_text(f, set, row);
    return added;
}

static void add_point(finder *f, gb_scaling_series *series, unsigned gpus, const gb_result_row *row)
{
    series->points = gb_arena_grow(f->arena, series->points, series->count, &series->capacity,
                                   sizeof *series->points);
    size_t at = series->count++;
    for (; at > 0 && series->points[at - 1].gpus > gpus; at--)
        series->points[at] = series->points[at - 1];
    series->points[at] = (gb_scaling_point){.gpus = gpus, .row = row};
}

static const gb_scaling_point *point_of(const gb_scaling_series *series, unsigned gpus)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].gpus == gpus) return &series->points[i];
    return NULL;
}

/* ---- the model ------------------------------------------------------------------------------- */

/* The row that says what one GPU takes: the variant's own, else what does it alone. */
static const gb_result_row *first_row(const gb_scaling_series *series)
{
    const gb_scaling_point *one = point_of(series, 1);
    return one ? one->row : series->alone;
}

/* How long one GPU takes for its share of a series' work: measured with that size where it was,
 * else its part of the whole. */
static double work_of(const finder *f, const gb_scaling_series *series, unsigned gpus)
{
    const gb_result_row *one = first_row(series);
    const char *size = series->rules->size;
    uint64_t whole;
    if (series->weak || gpus == 1) return one->time_s;
    if (gb_size_parse(value_of(series->set, one, size), &whole, NULL) && whole % gpus == 0) {
        const char *share = gb_arena_printf(f->arena, "%" PRIu64, whole / gpus);
        const gb_result_row *small = on_one(series->set, one, one->variant, size, share);
        if (small) return small->time_s;
    }
    return one->time_s / gpus;
}

/* Why nothing can be projected of a series; NULL: it can. */
static const char *lack_of(const finder *f, const gb_scaling_series *series)
{
    double bytes;
    gb_error none = {GB_OK, ""};
    if (!first_row(series)) return "have no row with one GPU";
    if (!gb_scaling_link_bytes(f->arena, series->rules, series->set, series->row, 2, 1e9, &bytes,
                               &none) ||
        !(bytes > 0))
        return "are at points of which plots/scaling.json does not say what crosses the links";
    if (series->link.latency_s < 0 || !(series->link.bytes_per_s > 0))
        return "are of runs whose meta files do not say what passes between GPUs (`links`): "
               "--alpha and --beta say it";
    return NULL;
}

static bool model(finder *f, const gb_scaling_series *series, gb_scaling_point *point)
{
    double bytes, rounds;
    if (!gb_scaling_link_bytes(f->arena, series->rules, series->set, series->row, point->gpus,
                               point->items, &bytes, f->error) ||
        !gb_scaling_rounds(f->arena, series->rules, series->set, series->row, point->gpus, &rounds,
                           f->error))
        return false;
    point->model.work_s = work_of(f, series, point->gpus);
    if (series->lacks) return true;
    point->model.wait_s = rounds * series->link.latency_s;
    point->model.link_s = bytes / series->link.bytes_per_s;
    point->model.total_s = point->model.work_s + point->model.wait_s + point->model.link_s;
    return true;
}

/* What fewer GPUs let expect: the model, times the factor by which it was off at the most of them.
 * Its ends are that factor away once more, either way (one of them is the model alone), and wider
 * by the interval of the row. What the model lacked may also be seconds that are the same for any
 * number of GPUs, such as launches: the upper end is at least that. */
static void expect(const gb_scaling_series *series, gb_scaling_point *point)
{
    const gb_scaling_point *last = NULL;
    if (point->gpus < 2 || series->lacks) return;
    for (size_t i = 0; i < series->count && series->points[i].gpus < point->gpus; i++)
        if (series->points[i].row && series->points[i].gpus > 1) last = &series->points[i];
    const double factor = last ? last->time_s / last->model.total_s : 1;
    point->expected_s = point->model.total_s * factor;
    point->unvalidated = !last;
    if (!last) return;
    const double spread = gb_row_spread(last->row);
    if (isinf(spread)) return;
    point->expected_lo_s = point->expected_s * fmin(factor, 1 / factor) * (1 - spread);
    const double constant = point->model.total_s + last->time_s - last->model.total_s;
    point->expected_hi_s =
        fmax(point->expected_s * fmax(factor, 1 / factor), constant) * (1 + spread);
}

/* ---- beside one GPU -------------------------------------------------------------------------- */

static gb_ratio measured_speedup(const gb_result_row *alone, const gb_result_row *row)
{
    gb_mean above, below;
    const bool sure = gb_cost_of_row(alone, &above) & gb_cost_of_row(row, &below);
    return sure ? gb_ratio_of_means(&above, &below) : (gb_ratio){.value = row->rate / alone->rate};
}

/* Of a projection: its interval is that of the time. */
static gb_ratio projected_speedup(const gb_result_row *alone, const gb_scaling_point *point)
{
    gb_ratio ratio = {.value = point->items / point->time_s / alone->rate};
    if (point->lo_s > 0) {
        ratio.lo = point->items / point->hi_s / alone->rate;
        ratio.hi = point->items / point->lo_s / alone->rate;
    }
    return ratio;
}

static void hold_against_one(const gb_scaling_series *series, gb_scaling_point *point)
{
    const gb_result_row *alone = series->alone;
    if (!alone) return;
    const gb_ratio r = point->speedup =
        point->row ? measured_speedup(alone, point->row) : projected_speedup(alone, point);
    const double g = point->gpus;
    point->efficiency = (gb_ratio){r.value / g, r.lo / g, r.hi / g, r.unstable};
    /* The rate that the memories allow grows with the GPUs. */
    const gb_result_row *limited = point->row ? point->row : alone;
    const double rate = limited->limit_rate * (point->row ? 1 : g);
    if (!(rate > 0) || strcmp(limited->limit_kind, "blocks") == 0) return;
    const double memory = point->items / rate, links = point->model.link_s;
    point->limit = point->items / fmax(memory, links) / alone->rate / g;
    point->limit_kind = links > memory ? "links" : "memory";
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void fill_measured(gb_scaling_point *point)
{
    const gb_result_row *row = point->row;
    point->time_s = row->time_s;
    point->lo_s = row->time_lo_s;
    point->hi_s = row->time_hi_s;
    point->items = round(row->rate * row->time_s);
}

/* Items that so many GPUs have together. */
static double items_of(const gb_scaling_series *series, unsigned gpus)
{
    const gb_result_row *one = first_row(series);
    const double items = round(one->rate * one->time_s);
    return series->weak ? items * gpus : items;
}

/* Whether series of its set have another value of an axis; -1: of the cache. */
static bool varies(const finder *f, const gb_scaling_series *series, int axis)
{
    for (size_t i = 0; i < f->s->count; i++) {
        const gb_scaling_series *other = &f->s->series[i];
        if (other->set != series->set) continue;
        const char *one = axis < 0 ? series->row->cache : series->row->axis[axis];
        if (strcmp(one, axis < 0 ? other->row->cache : other->row->axis[axis]) != 0) return true;
    }
    return false;
}

/* "n 1M, weak": what differs, and what does not. */
static void name_point(const finder *f, gb_scaling_series *series)
{
    const gb_result_set *set = series->set;
    series->readable = series->held = "";
    for (int a = 0; a <= (int)set->axis_count; a++) {
        const bool cache = a == (int)set->axis_count;
        const char *name = cache ? "cache" : set->axes[a];
        const char *value = cache ? series->row->cache : series->row->axis[a];
        const bool scaling = strcmp(name, "scaling") == 0;
        if (strcmp(name, "gpus") == 0 || (cache && strcmp(value, "warm") == 0)) continue;
        const char **to =
            scaling || varies(f, series, cache ? -1 : a) ? &series->readable : &series->held;
        *to = gb_arena_printf(f->arena, "%s%s%s%s%s", *to, **to ? ", " : "",
                              scaling || cache ? "" : name, scaling || cache ? "" : " ",
                              gb_axis_shown(f->arena, value));
    }
}

static bool finish_series(finder *f, gb_scaling_series *series)
{
    name_point(f, series);
    series->lacks = lack_of(f, series);
    for (size_t t = 0; t < f->s->target_count && !series->lacks; t++)
        if (!point_of(series, f->s->targets[t])) add_point(f, series, f->s->targets[t], NULL);
    for (size_t i = 0; i < series->count; i++) {
        gb_scaling_point *point = &series->points[i];
        if (point->row)
            fill_measured(point);
        else
            point->items = items_of(series, point->gpus);
        if (first_row(series) && !model(f, series, point)) return false;
        expect(series, point);
        if (!point->row) {
            point->time_s = point->expected_s;
            point->lo_s = point->expected_lo_s;
            point->hi_s = point->expected_hi_s;
        }
        if (point->model.work_s > 0)
            point->share = fmax(0, 1 - point->model.work_s / point->time_s);
        hold_against_one(series, point);
    }
    return true;
}

/* What one GPU does alone has no series of its own. */
static bool is_over_gpus(const gb_scaling_series *series)
{
    return series->count > 0 && series->points[series->count - 1].gpus > 1;
}

static void add_rows(finder *f, const gb_result_set *set)
{
    const gb_scaling_rules *rules = gb_scaling_rules_of(f->s->book, set->primitive);
    if (gb_result_axis(set, "gpus") < 0 || set->published || set->profile || set->simt) return;
    if (!rules || gb_result_axis(set, rules->size) < 0) {
        f->s->ignored = gb_arena_printf(f->arena, "%s%s%s", f->s->ignored,
                                        *f->s->ignored ? ", " : "", set->experiment);
        return;
    }
    for (size_t i = 0; i < set->row_count; i++) {
        const gb_result_row *row = &set->rows[i];
        const unsigned gpus = gpus_of(set, row);
        if (gpus > 0 && is_timed(row) && !row->source &&
            gb_choices_pass(f->arena, f->s->chosen, set, row))
            add_point(f, series_of(f, set, rules, row), gpus, row);
    }
}

bool gb_scaling_find(gb_scaling *scaling, gb_error *error)
{
    finder f = {.s = scaling, .arena = &scaling->sides->arena, .error = error};
    size_t kept = 0;
    scaling->ignored = "";
    for (size_t o = 0; o < scaling->sides->operand_count; o++)
        for (size_t i = 0; i < scaling->sides->operands[o].set_count; i++)
            add_rows(&f, &scaling->sides->operands[o].sets[i]);
    for (size_t i = 0; i < scaling->count; i++)
        if (is_over_gpus(&scaling->series[i])) scaling->series[kept++] = scaling->series[i];
    scaling->count = kept;
    for (size_t i = 0; i < scaling->count; i++)
        if (!finish_series(&f, &scaling->series[i])) return false;
    if (scaling->count > 0) return true;
    gb_fail(error, GB_WRONG,
            "the results hold no time of several GPUs that work together (an axis `gpus` above "
            "1)%s%s",
            *scaling->ignored ? "; plots/scaling.json says nothing of " : "", scaling->ignored);
    return false;
}
