/* Which rows of two sides belong together. */
#include "bench/compare/compare.h"
#include "bench/rows/published.h"
#include "bench/table/layout.h"
#include "bench/util/share.h"
#include "common/protocol/conditions.h"
#include "common/text/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct joiner {
    gb_sides *sides;
    gb_arena *arena;
    const gb_choices *chosen;
    gb_comparison *c;
} joiner;

/* ---- what is compared at all ----------------------------------------------------------------- */

/* Whether the choices let a row through. */
static bool is_chosen(const joiner *j, const gb_result_set *set, const gb_result_row *row)
{
    return gb_choices_pass(j->arena, j->chosen, set, row);
}

static bool is_of(const gb_side *side, const gb_result_set *set, const gb_result_row *row)
{
    return !set->profile && strcmp(row->device, side->device) == 0;
}

/* Rows of how many sets of a side are there at all, and the sets. */
static const gb_result_set *set_at(const gb_side *side, size_t number)
{
    return number < side->results->set_count ? &side->results->sets[number] : NULL;
}

static bool same_axes(const gb_result_set *a, const gb_result_set *b)
{
    bool same = a->axis_count == b->axis_count;
    for (unsigned i = 0; same && i < a->axis_count; i++)
        same = gb_result_axis(b, a->axes[i]) >= 0;
    return same;
}

/* ---- adding ---------------------------------------------------------------------------------- */

static void add_unpaired(joiner *j, const gb_result_set *set, const gb_result_row *row, bool of_b,
                         const char *why)
{
    gb_comparison *c = j->c;
    c->unpaired = gb_arena_grow(j->arena, c->unpaired, c->unpaired_count, &c->unpaired_capacity,
                                sizeof *c->unpaired);
    c->unpaired[c->unpaired_count++] = (gb_unpaired){set, row, of_b, why};
}

static bool has_value(const gb_result_row *row)
{
    return row->status == GB_OK && (row->rate > 0 || row->time_s > 0);
}

static void add_pair(joiner *j, const gb_result_set *of_a, const gb_result_row *a,
                     const gb_result_set *of_b, const gb_result_row *b, unsigned differs)
{
    gb_comparison *c = j->c;
    if (!has_value(a) || !has_value(b)) {
        const gb_result_row *bad = has_value(b) ? a : b;
        const bool both_unsupported = a->status == GB_UNSUPPORTED && b->status == GB_UNSUPPORTED;
        c->broken += has_value(a) && b->status != GB_UNSUPPORTED;
        if (!both_unsupported)
            add_unpaired(j, bad == b ? of_b : of_a, bad, bad == b,
                         bad->status == GB_OK ? "without a value" : gb_status_name(bad->status));
        return;
    }
    c->pairs =
        gb_arena_grow(j->arena, c->pairs, c->pair_count, &c->pair_capacity, sizeof *c->pairs);
    c->pairs[c->pair_count++] =
        (gb_pair){.set = of_a, .set_b = of_b, .a = a, .b = b, .differs = differs};
}

/* ---- measured rows with measured rows -------------------------------------------------------- */

/* The key of a row of `from` in another set with the same axes in perhaps another order. */
static gb_result_row key_in(const gb_result_set *to, const gb_result_set *from,
                            const gb_result_row *row, const char *device)
{
    gb_result_row key = *row;
    key.device = device;
    for (unsigned a = 0; a < to->axis_count; a++)
        key.axis[a] = row->axis[gb_result_axis(from, to->axes[a])];
    return key;
}

/* The row of B for a row of A with another cache mode or scope. Neither may have a partner of its
 * own: `taken` marks B's rows, and A's row has none. */
static const gb_result_row *find_other(const joiner *j, const gb_result_set *of_b,
                                       gb_result_row key, const bool *taken, unsigned *differs)
{
    const char *cache = key.cache, *scope = key.scope;
    for (unsigned s = 0; s < 2; s++) {
        for (unsigned k = 0; k < 2; k++) {
            key.cache = gb_cache_name(k == 1);
            key.scope = gb_scope_name((gb_scope)s);
            const gb_result_row *row = gb_result_find(of_b, &key);
            if (!row || taken[row - of_b->rows] || !is_chosen(j, of_b, row)) continue;
            *differs = (strcmp(cache, key.cache) != 0 ? GB_DIFFERS_CACHE : 0) |
                       (strcmp(scope, key.scope) != 0 ? GB_DIFFERS_SCOPE : 0);
            return row;
        }
    }
    return NULL;
}

static void join_measured(joiner *j, const gb_result_set *of_a, const gb_result_set *of_b)
{
    const gb_side *a = j->c->a, *b = j->c->b;
    bool *taken = gb_arena_alloc(j->arena, of_b->row_count + 1);
    const gb_result_row **partner =
        gb_arena_alloc(j->arena, (of_a->row_count + 1) * sizeof *partner);
    for (size_t i = 0; i < of_a->row_count; i++) {
        const gb_result_row *row = &of_a->rows[i];
        if (!is_of(a, of_a, row) || !is_chosen(j, of_a, row)) continue;
        const gb_result_row key = key_in(of_b, of_a, row, b->device);
        partner[i] = gb_result_find(of_b, &key);
        if (partner[i]) taken[partner[i] - of_b->rows] = true;
    }
    for (size_t i = 0; i < of_a->row_count; i++) {
        const gb_result_row *row = &of_a->rows[i];
        unsigned differs = 0;
        if (!is_of(a, of_a, row) || !is_chosen(j, of_a, row)) continue;
        if (!partner[i]) {
            partner[i] = find_other(j, of_b, key_in(of_b, of_a, row, b->device), taken, &differs);
            if (partner[i]) taken[partner[i] - of_b->rows] = true;
        }
        if (partner[i])
            add_pair(j, of_a, row, of_b, partner[i], differs);
        else
            add_unpaired(j, of_a, row, false, "");
    }
    for (size_t i = 0; i < of_b->row_count; i++)
        if (!taken[i] && is_of(b, of_b, &of_b->rows[i]) && is_chosen(j, of_b, &of_b->rows[i]))
            add_unpaired(j, of_b, &of_b->rows[i], true, "");
}

static void join_measured_sides(joiner *j)
{
    const gb_side *a = j->c->a, *b = j->c->b;
    const gb_result_set *of_a, *of_b;
    for (size_t i = 0; (of_a = set_at(a, i)); i++) {
        if (of_a->published || of_a->profile) continue;
        const gb_result_set *match = NULL;
        bool simt_apart = false;
        for (size_t k = 0; (of_b = set_at(b, k)); k++) {
            if (of_b->published || of_b->profile ||
                strcmp(of_a->experiment, of_b->experiment) != 0 ||
                strcmp(of_a->primitive, of_b->primitive) != 0)
                continue;
            simt_apart |= of_a->simt != of_b->simt;
            if (of_a->simt == of_b->simt) match = of_b;
        }
        j->c->simt_apart |= simt_apart && !match;
        if (match && same_axes(of_a, match)) {
            join_measured(j, of_a, match);
            continue;
        }
        if (match)
            j->c->axes_differ = gb_arena_printf(
                j->arena, "%s%s%s (%s; %s)", j->c->axes_differ ? j->c->axes_differ : "",
                j->c->axes_differ ? ", " : "", of_a->experiment, gb_result_axes(j->arena, of_a),
                gb_result_axes(j->arena, match));
        for (size_t r = 0; r < of_a->row_count; r++)
            if (is_of(a, of_a, &of_a->rows[r]) && is_chosen(j, of_a, &of_a->rows[r]))
                add_unpaired(j, of_a, &of_a->rows[r], false, "");
    }
    for (size_t k = 0; (of_b = set_at(b, k)); k++) {
        bool met = of_b->published || of_b->profile;
        for (size_t i = 0; !met && (of_a = set_at(a, i)); i++)
            met = !of_a->published && !of_a->profile && of_a->simt == of_b->simt &&
                  strcmp(of_a->experiment, of_b->experiment) == 0 &&
                  strcmp(of_a->primitive, of_b->primitive) == 0 && same_axes(of_a, of_b);
        for (size_t r = 0; !met && r < of_b->row_count; r++)
            if (is_of(b, of_b, &of_b->rows[r]) && is_chosen(j, of_b, &of_b->rows[r]))
                add_unpaired(j, of_b, &of_b->rows[r], true, "");
    }
}

/* ---- published rows with any ----------------------------------------------------------------- */

/* Whether a row stands at the point of a published one, and is about the same variant. */
static bool is_at(const gb_result_set *paper, const gb_result_row *printed,
                  const gb_result_set *set, const gb_result_row *row)
{
    for (unsigned a = 0; a < paper->axis_count; a++) {
        const char *wanted = printed->axis[a];
        if (strcmp(wanted, gb_any) == 0) continue;
        if (strcmp(wanted, row->axis[gb_result_axis(set, paper->axes[a])]) != 0) return false;
    }
    if (strcmp(printed->variant, row->variant) == 0) return true;
    return strcmp(printed->variant, gb_best) == 0 && gb_text_lists(printed->baseline, row->variant);
}

/* Rows as the paper prints them: in its unit, and the best over the axes that it leaves blank; NULL
 * if that cannot be made of this set. */
static const gb_result_set *as_printed(joiner *j, const gb_result_set *paper,
                                       const gb_result_set *set)
{
    gb_table_layout layout = {0};
    gb_error error;
    const char *path =
        gb_share_find(j->arena, gb_arena_printf(j->arena, "plots/%s.table.json", set->primitive));
    if (path && !gb_table_layout_load(j->arena, path, &layout, &error)) {
        j->c->wrong = gb_arena_strdup(j->arena, error.text);
        return NULL;
    }
    const char *best[GB_MAX_AXES];
    gb_derivation what = {.scale = layout.scale_by, .best = best};
    for (unsigned a = 0; a < paper->axis_count; a++) {
        bool some = false;
        for (size_t r = 0; r < paper->row_count; r++)
            some |= strcmp(paper->rows[r].axis[a], gb_best) == 0;
        if (some) best[what.best_count++] = paper->axes[a];
    }
    what.no_cache_resident = layout.no_cache_resident && what.best_count > 0;
    gb_result_set *derived = gb_arena_alloc(j->arena, sizeof *derived);
    return gb_results_derive(j->arena, set, &what, derived, &error) ? derived : NULL;
}

/* The measured row to set beside a printed one: of the scope that the paper timed, of the caches
 * warm before cold, and of several variants the fastest. */
static const gb_result_row *find_measured(const joiner *j, const gb_side *side,
                                          const gb_result_set *paper, const gb_result_row *printed,
                                          const gb_result_set *set)
{
    const gb_result_row *best = NULL;
    for (size_t r = 0; r < set->row_count; r++) {
        const gb_result_row *row = &set->rows[r];
        if (!is_of(side, set, row) || !is_chosen(j, set, row) || !is_at(paper, printed, set, row) ||
            (*paper->scope && *row->scope && strcmp(paper->scope, row->scope) != 0) ||
            !gb_published_fits_cache(printed, row->cache))
            continue;
        if (!best) {
            best = row;
            continue;
        }
        const bool colder = strcmp(row->cache, "cold") == 0 && strcmp(best->cache, "cold") != 0;
        const bool warmer = strcmp(row->cache, "cold") != 0 && strcmp(best->cache, "cold") == 0;
        if (warmer ||
            (!colder && row->status == GB_OK && (best->status != GB_OK || row->rate > best->rate)))
            best = row;
    }
    return best;
}

/* The experiment that reproduces a paper carries its primitive's name; others of the same axes come
 * after it. */
static int reproduces(const gb_result_set *set)
{
    return strcmp(set->experiment, set->primitive) == 0;
}

static void join_printed(joiner *j, const gb_side *other, const gb_result_set *paper,
                         bool paper_is_b)
{
    const gb_side *own = paper_is_b ? j->c->b : j->c->a;
    const gb_result_set **sets = NULL, *set;
    size_t count = 0, capacity = 0;
    for (int main_one = 1; main_one >= 0; main_one--) {
        for (size_t i = 0; (set = set_at(other, i)); i++) {
            if (set->profile || strcmp(set->primitive, paper->primitive) != 0 ||
                !same_axes(paper, set) || reproduces(set) != main_one)
                continue;
            j->c->simt_apart |= set->simt;
            if (set->simt || (set->published && set == paper && own == other)) continue;
            const gb_result_set *derived = set->published ? set : as_printed(j, paper, set);
            if (!derived) continue;
            sets = gb_arena_grow(j->arena, sets, count, &capacity, sizeof *sets);
            sets[count++] = derived;
        }
    }
    for (size_t r = 0; r < paper->row_count; r++) {
        const gb_result_row *printed = &paper->rows[r], *found = NULL;
        const gb_result_set *where = NULL;
        if (!is_of(own, paper, printed) || !is_chosen(j, paper, printed)) continue;
        if (strcmp(printed->quantity, "speedup") == 0) {
            add_unpaired(j, paper, printed, paper_is_b, "a speed-up: `gpubench claims` tests it");
            continue;
        }
        for (size_t i = 0; i < count && !found; i++) {
            found = find_measured(j, other, paper, printed, sets[i]);
            where = sets[i];
        }
        if (!found)
            add_unpaired(j, paper, printed, paper_is_b, "");
        else if (paper_is_b)
            add_pair(j, where, found, paper, printed, 0);
        else
            add_pair(j, paper, printed, where, found, 0);
    }
}

/* ---- the comparison -------------------------------------------------------------------------- */

void gb_compare_join(gb_sides *sides, const gb_side *a, const gb_side *b, const gb_choices *chosen,
                     gb_comparison *comparison)
{
    *comparison = (gb_comparison){.a = a, .b = b};
    joiner j = {.sides = sides, .arena = &sides->arena, .chosen = chosen, .c = comparison};
    const gb_result_set *set;
    if (!a->published && !b->published) {
        join_measured_sides(&j);
        return;
    }
    /* One of them is a paper's: its rows are what is looked for. */
    const bool of_b = b->published;
    const gb_side *paper = of_b ? b : a, *other = of_b ? a : b;
    for (size_t i = 0; (set = set_at(paper, i)); i++)
        if (set->published) join_printed(&j, other, set, of_b);
}

const char *gb_pair_point(gb_arena *arena, const gb_result_set *set, const gb_result_row *row,
                          const bool shown[GB_MAX_AXES])
{
    const char *text = "";
    for (unsigned a = 0; a < set->axis_count; a++)
        if (!shown || shown[a])
            text = gb_arena_printf(arena, "%s%s%s %s", text, *text ? ", " : "", set->axes[a],
                                   gb_axis_readable(arena, row->axis[a]));
    return text;
}

bool gb_compare_left_out(const gb_comparison *c)
{
    if (c->pair_count) return false;
    if (c->b->elsewhere) return true; /* of most devices there is none: their number is said */
    fprintf(stderr, "gpubench compare: left out: %s has no row that belongs to one of %s\n",
            c->b->label, c->a->label);
    return true;
}
