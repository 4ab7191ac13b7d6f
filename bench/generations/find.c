/* The points of a primitive over generations: of each version and device one row. */
#include "bench/generations/generations.h"

#include "bench/generations/words.h"
#include "bench/rows/elsewhere.h"
#include "bench/rows/ratio.h"
#include "bench/util/share.h"
#include "common/text/number.h"

#include <math.h>
#include <string.h>

/* What makes one row stand for a device rather than another: fewer steps from the first choice of
 * what may differ, then the nearer size, then the cache, then the experiment that all devices have,
 * then the higher value. */
typedef struct fitness {
    unsigned steps;
    double distance; /* a logarithm */
    unsigned cache;
    bool other; /* of another experiment than the one that carries the primitive's name */
} fitness;

typedef struct candidate {
    gb_generation_point point;
    fitness fit;
} candidate;

typedef struct finder {
    gb_arena *arena;
    const gb_generation_query *query;
    const gb_table_layout *layout;
    const gb_gpus *gpus;
    const gb_choices *chosen;
    gb_generation *found;
    candidate *candidates;
    size_t count, capacity;
    const char *too_far; /* devices that have rows of other sizes alone; "" */
    const char *lacking; /* devices in whose results an axis is missing; "" */
    gb_error *error;
} finder;

/* ---- sources ----------------------------------------------------------------------------------
 */

void gb_generation_add_sets(gb_arena *arena, gb_generation_sources *sources,
                            const gb_results *results, const char *primitive)
{
    for (size_t i = 0; i < results->set_count; i++) {
        const gb_result_set *set = &results->sets[i];
        if (set->simt || set->profile || strcmp(set->primitive, primitive) != 0) continue;
        sources->sets = gb_arena_grow(arena, sources->sets, sources->count, &sources->capacity,
                                      sizeof *sources->sets);
        sources->sets[sources->count++] = set;
    }
}

bool gb_generation_read_printed(gb_results *printed, gb_error *error)
{
    char **paths = gb_share_list(&printed->arena, "results/published", "", ".csv");
    for (; *paths; paths++)
        if (!gb_results_add(printed, *paths, error)) return false;
    return gb_elsewhere_load(printed, error);
}

/* The rows as the layout wants them; the set itself where it wants no others, or where there is no
 * rate to make them of. NULL: the set lacks an axis. */
static const gb_result_set *derive(finder *f, const gb_result_set *set)
{
    const gb_table_layout *layout = f->layout;
    for (size_t i = 0; i < layout->best_axis_count; i++)
        if (gb_result_axis(set, layout->best_axes[i]) < 0) return NULL;
    const gb_derivation what = {layout->scale_by, layout->best_axes, layout->best_axis_count,
                                layout->no_cache_resident};
    gb_result_set *derived = gb_arena_alloc(f->arena, sizeof *derived);
    gb_error none;
    return gb_results_derive(f->arena, set, &what, derived, &none) ? derived : set;
}

/* ---- what a row has to be ---------------------------------------------------------------------
 */

/* Which alternative of "max|range" a value is, from 0; -1: none. */
static int alternative(finder *f, const char *name, const char *wish, const char *value)
{
    for (int number = 0;; number++) {
        const size_t length = strcspn(wish, "|");
        const gb_choice part = {name, gb_arena_strndup(f->arena, wish, length)};
        if (gb_choice_allows(f->arena, &part, value)) return number;
        if (!wish[length]) return -1;
        wish += length + 1;
    }
}

static bool is_best_axis(const finder *f, const char *axis)
{
    for (size_t i = 0; i < f->layout->best_axis_count; i++)
        if (strcmp(f->layout->best_axes[i], axis) == 0) return true;
    return false;
}

static bool is_near_axis(const finder *f, const char *axis)
{
    return f->query->near_axis && strcmp(f->query->near_axis, axis) == 0;
}

static const gb_choice *chosen(const finder *f, const char *name)
{
    const gb_choice *choice = gb_choice_find(f->chosen, name);
    return choice && strcmp(choice->value, "all") != 0 ? choice : NULL;
}

/* The condition on an axis; NULL: none is set. */
static const char *wish_of(const finder *f, const gb_generation_line *line, const char *axis)
{
    const gb_choice *wish = gb_choice_find(&line->at, axis);
    if (!wish) wish = gb_choice_find(&f->layout->where, axis);
    if (wish && strcmp(wish->value, "all") == 0) return NULL; /* "all,": the value of that name */
    return wish ? wish->value : is_best_axis(f, axis) ? gb_best : NULL;
}

/* How far a size is from the wanted one; a printed best of all sizes is taken where there is no
 * other. Negative: it is none. */
static double distance_of(const finder *f, const char *value)
{
    double size;
    if (strcmp(value, gb_any) == 0) return 0;
    if (strcmp(value, gb_best) == 0) return log(GB_GENERATION_FACTOR);
    if (!gb_number_parse(value, &size) || size <= 0) return -1;
    return fabs(log(size / f->query->near));
}

static bool fits_axis(finder *f, const gb_generation_line *line, const char *axis,
                      const char *value, fitness *fit)
{
    const gb_choice *choice = chosen(f, axis);
    if (choice && strcmp(value, gb_any) != 0 && !gb_choice_allows(f->arena, choice, value))
        return false;
    if (is_near_axis(f, axis)) {
        fit->distance = distance_of(f, value);
        return fit->distance >= 0;
    }
    const char *wish = wish_of(f, line, axis);
    if (!wish || strcmp(value, gb_any) == 0) return true;
    const int number = alternative(f, axis, wish, value);
    fit->steps += number > 0 ? (unsigned)number : 0;
    return number >= 0;
}

/* Cache and scope of what was measured; a paper says the scope at most. */
static bool fits_measuring(finder *f, const gb_result_set *set, const gb_result_row *row,
                           fitness *fit)
{
    const gb_choice *scope = chosen(f, "scope"), *cache = chosen(f, "cache");
    const gb_choice *caches = gb_choice_find(&f->layout->where, "cache");
    const char *said = set->published ? set->scope : row->scope;
    if (*said && (scope ? !gb_choice_allows(f->arena, scope, said) : strcmp(said, "device") != 0))
        return false;
    if (set->published) return true;
    if (cache && !gb_choice_allows(f->arena, cache, row->cache)) return false;
    const int number = alternative(f, "cache", caches ? caches->value : "warm|cold", row->cache);
    fit->cache = number < 0 ? 0 : (unsigned)number;
    return number >= 0;
}

static bool lists_variant(finder *f, const char *variants, const char *variant)
{
    const gb_choice *choice = gb_choice_find(f->chosen, "variant");
    for (const char *at = variants; *at;) {
        const size_t length = strcspn(at, ";");
        if (strlen(variant) == length && strncmp(at, variant, length) == 0)
            return !choice || gb_choice_allows(f->arena, choice, variant);
        at += length + (at[length] == ';');
    }
    return false;
}

static bool fits(finder *f, const gb_generation_line *line, const gb_result_set *set,
                 const gb_result_row *row, fitness *fit)
{
    *fit = (fitness){0};
    /* What a device does under conditions is not what it can. */
    if (!set->published && *row->under) return false;
    if (row->status != GB_OK || !lists_variant(f, line->of, row->variant) ||
        !fits_measuring(f, set, row, fit))
        return false;
    for (unsigned a = 0; a < set->axis_count; a++)
        if (!fits_axis(f, line, set->axes[a], row->axis[a], fit)) return false;
    return true;
}

/* ---- values -----------------------------------------------------------------------------------
 */

/* How much faster a row is than the fastest of `over` at its point. */
static gb_ratio speedup_of(finder *f, const char *over, const gb_result_set *set,
                           const gb_result_row *row)
{
    if (set->published)
        return (gb_ratio){.value = strcmp(row->baseline, over) == 0 ? row->speedup : 0};
    const gb_result_row *base = NULL;
    for (const char *at = over; *at;) {
        const size_t length = strcspn(at, ";");
        gb_result_row key = *row;
        key.variant = gb_arena_strndup(f->arena, at, length);
        const gb_result_row *other = gb_result_find(set, &key);
        if (other && other->status == GB_OK && other->rate > 0 &&
            (!base || other->rate > base->rate))
            base = other;
        at += length + (at[length] == ';');
    }
    gb_mean above, below;
    if (!base || !(row->rate > 0)) return (gb_ratio){0};
    const bool sure = gb_cost_of_row(base, &above) & gb_cost_of_row(row, &below);
    return sure ? gb_ratio_of_means(&above, &below) : (gb_ratio){.value = row->rate / base->rate};
}

static gb_ratio value_of(finder *f, const gb_generation_line *line, const gb_result_set *set,
                         const gb_result_row *row)
{
    if (line->over) return speedup_of(f, line->over, set, row);
    if (row->rate_hi > row->rate)
        return (gb_ratio){.value = row->rate, .lo = row->rate_lo, .hi = row->rate_hi};
    return (gb_ratio){.value = row->rate};
}

static void normalise(const finder *f, const gb_generation_line *line, gb_generation_point *point)
{
    const gb_gpu *gpu = f->found->devices[point->device].gpu;
    if (line->over || !gpu) return;
    if (gpu->bytes_per_s > 0) point->per_bandwidth = point->value / gpu->bytes_per_s;
    if (gpu->sms > 0 && gpu->sm_clock_hz > 0)
        point->per_sm_cycle = point->value / (gpu->sms * gpu->sm_clock_hz);
}

/* ---- choosing ---------------------------------------------------------------------------------
 */

static bool is_better(const candidate *a, const candidate *b)
{
    if (a->fit.steps != b->fit.steps) return a->fit.steps < b->fit.steps;
    if (a->fit.distance != b->fit.distance) return a->fit.distance < b->fit.distance;
    if (a->fit.cache != b->fit.cache) return a->fit.cache < b->fit.cache;
    if (a->fit.other != b->fit.other) return b->fit.other;
    return a->point.value > b->point.value;
}

static void add_candidate(finder *f, const candidate *new)
{
    for (size_t i = 0; i < f->count; i++) {
        candidate *old = &f->candidates[i];
        if (old->point.line != new->point.line || old->point.device != new->point.device ||
            old->point.printed != new->point.printed)
            continue;
        if (is_better(new, old)) *old = *new;
        return;
    }
    f->candidates =
        gb_arena_grow(f->arena, f->candidates, f->count, &f->capacity, sizeof *f->candidates);
    f->candidates[f->count++] = *new;
}

static void take_row(finder *f, size_t line, const gb_result_set *set, const gb_result_row *row)
{
    candidate new = {.point = {.line = line, .printed = set->published, .set = set, .row = row}};
    const gb_generation_line *of = &f->query->lines[line];
    if (!fits(f, of, set, row, &new.fit)) return;
    new.fit.other = !set->published &&strcmp(set->experiment, set->primitive) != 0;
    const gb_ratio value = value_of(f, of, set, row);
    if (!(value.value > 0)) return;
    new.point.device = gb_generation_device_of(f->arena, f->found, f->gpus, set, row);
    new.point.value = value.value;
    new.point.lo = value.lo;
    new.point.hi = value.hi;
    normalise(f, of, &new.point);
    add_candidate(f, &new);
}

/* Whether the query says of each axis which value counts, and names none that the set lacks. */
static bool is_closed(finder *f, const gb_result_set *set)
{
    static const gb_generation_line none = {0};
    for (unsigned a = 0; a < set->axis_count; a++) {
        const char *axis = set->axes[a];
        bool said = is_near_axis(f, axis) || wish_of(f, &none, axis) != NULL;
        bool lines = f->query->line_count > 0;
        for (size_t i = 0; i < f->query->line_count; i++)
            lines = lines && wish_of(f, &f->query->lines[i], axis) != NULL;
        if (said || lines) continue;
        gb_fail(f->error, GB_WRONG,
                "%s: nothing says which value of the axis '%s' of %s counts: where, best, near or "
                "[%s=VALUE] of a variant does",
                f->query->path, axis, set->primitive, axis);
        return false;
    }
    return true;
}

/* Whether a set has all axes that a line has conditions on. */
static bool has_axes(const finder *f, const gb_generation_line *line, const gb_result_set *set)
{
    const gb_choices *const lists[] = {&line->at, &f->layout->where};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            if (strcmp(lists[k]->items[i].name, "cache") != 0 &&
                gb_result_axis(set, lists[k]->items[i].name) < 0)
                return false;
    return true;
}

/* Results from before an axis was there cannot say what they hold of it. */
static void note_lacking(finder *f, const gb_result_set *set)
{
    for (size_t i = 0; i < set->row_count && !set->published; i++) {
        const gb_result_row *row = &set->rows[i];
        if (i > 0 && row->device == set->rows[i - 1].device) continue;
        const size_t device = gb_generation_device_of(f->arena, f->found, f->gpus, set, row);
        gb_generation_name(f->arena, &f->lacking, f->found->devices[device].label);
    }
}

static bool take_set(finder *f, const gb_result_set *set)
{
    if (!set->row_count) return true;
    if (!is_closed(f, set)) return false;
    const gb_result_set *derived = derive(f, set);
    bool has_all = derived != NULL;
    for (size_t line = 0; line < f->query->line_count && derived; line++) {
        const bool has = has_axes(f, &f->query->lines[line], derived);
        for (size_t i = 0; i < derived->row_count && has; i++)
            take_row(f, line, derived, &derived->rows[i]);
        has_all = has_all && has;
    }
    if (!has_all) note_lacking(f, set);
    return true;
}

/* ---- the result -------------------------------------------------------------------------------
 */

/* Those near enough become points. */
static void keep_near(finder *f)
{
    gb_generation *found = f->found;
    for (size_t i = 0; i < f->count; i++) {
        const candidate *c = &f->candidates[i];
        if (c->fit.distance > log(GB_GENERATION_FACTOR) + 1e-9) {
            gb_generation_name(f->arena, &f->too_far, found->devices[c->point.device].label);
            continue;
        }
        found->points = gb_arena_grow(f->arena, found->points, found->point_count,
                                      &found->point_capacity, sizeof *found->points);
        found->points[found->point_count++] = c->point;
    }
    gb_generation_drop_names(f->arena, &f->too_far, found);
    gb_generation_drop_names(f->arena, &f->lacking, found);
}

bool gb_generation_find(gb_arena *arena, const gb_generation_query *query,
                        const gb_table_layout *layout, const gb_gpus *gpus,
                        const gb_generation_sources *sources, const gb_choices *choices,
                        gb_generation *found, gb_error *error)
{
    *found = (gb_generation){.query = query, .unit = "items"};
    finder f = {.arena = arena,
                .query = query,
                .layout = layout,
                .gpus = gpus,
                .chosen = choices,
                .found = found,
                .too_far = "",
                .lacking = "",
                .error = error};
    for (size_t i = 0; i < sources->count; i++)
        if (!take_set(&f, sources->sets[i])) return false;
    keep_near(&f);
    if (found->point_count == 0) {
        gb_fail(error, GB_UNSUPPORTED, "no row of any device is of what it compares%s%s%s%s",
                *f.too_far ? "; of other sizes there are some of " : "", f.too_far,
                *f.lacking ? "; an axis is missing in the results of " : "", f.lacking);
        return false;
    }
    gb_generation_order(arena, found);
    gb_generation_put_words(arena, found, layout, f.too_far, f.lacking);
    return true;
}
