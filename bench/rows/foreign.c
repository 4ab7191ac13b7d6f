/* From entries of other tools' files to rows. They take the way that our own files take, as a table
 * of the same columns, so that what is wrong with them is found by the same rules. */
#include "bench/rows/foreign.h"

#include "bench/rows/gpus.h"
#include "bench/rows/peers.h"
#include "common/protocol/columns.h"
#include "common/protocol/flags.h"
#include "common/stats/stats.h"
#include "common/text/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups ---------------------------------------------------------------------------------- */

/* Entries of one experiment, which have the same axes. */
typedef struct group {
    const gb_foreign_entry *first;
    const char *experiment, *primitive;
    bool unnamed;
    bool rated; /* all work on items of one unit, so that rates can be set side by side */
    const char *axes[GB_MAX_AXES]; /* in the order of the table */
    unsigned order[GB_MAX_AXES];   /* which of the entries' axes each is */
    const gb_foreign_entry **entries;
    const double **times;
    size_t count, capacity, times_capacity;
} group;

typedef struct groups {
    group *items;
    size_t count, capacity;
} groups;

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool belongs(const group *g, const gb_foreign_entry *entry)
{
    const gb_foreign_entry *first = g->first;
    bool same = first->axis_count == entry->axis_count &&
                same_text(first->experiment, entry->experiment) &&
                same_text(first->primitive, entry->primitive);
    for (unsigned a = 0; same && a < entry->axis_count; a++)
        same = strcmp(first->axes[a].name, entry->axes[a].name) == 0;
    return same;
}

static void add_to_group(gb_arena *arena, groups *all, const gb_foreign_entry *entry)
{
    size_t i = 0;
    while (i < all->count && !belongs(&all->items[i], entry))
        i++;
    if (i == all->count) {
        all->items =
            gb_arena_grow(arena, all->items, all->count, &all->capacity, sizeof *all->items);
        all->items[all->count++] = (group){.first = entry};
    }
    group *g = &all->items[i];
    g->times = gb_arena_grow(arena, g->times, g->count, &g->times_capacity, sizeof *g->times);
    g->entries = gb_arena_grow(arena, g->entries, g->count, &g->capacity, sizeof *g->entries);
    g->times[g->count] = entry->status == GB_OK ? entry->times : NULL;
    g->entries[g->count++] = entry;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool has_variant(const gb_result_set *set, const char *variant)
{
    for (size_t r = 0; r < set->row_count; r++)
        if (strcmp(set->rows[r].variant, variant) == 0) return true;
    return false;
}

static bool has_axes(const gb_result_set *set, const char *const *axes, unsigned count)
{
    bool same = set->axis_count == count;
    for (unsigned a = 0; same && a < count; a++)
        same = gb_result_axis(set, axes[a]) >= 0;
    return same;
}

static bool can_adopt(const gb_result_set *set)
{
    return !set->published && !set->profile && !set->unnamed;
}

/* The set that a group is of: the one of its experiment, or the one whose axes and variants it has.
 */
static const gb_result_set *home_of(const gb_results *results, const group *g)
{
    const char *axes[GB_MAX_AXES];
    for (unsigned a = 0; a < g->first->axis_count; a++)
        axes[a] = g->first->axes[a].name;
    for (size_t s = 0; s < results->set_count; s++) {
        const gb_result_set *set = &results->sets[s];
        if (set->published || set->profile || !has_axes(set, axes, g->first->axis_count)) continue;
        if (!g->unnamed) {
            if (strcmp(set->experiment, g->experiment) == 0) return set;
            continue;
        }
        for (size_t i = 0; can_adopt(set) && i < g->count; i++)
            if (has_variant(set, g->entries[i]->variant)) return set;
    }
    return NULL;
}

/* By its axes, so that the same benchmarks of two files meet, whatever else stands in either. */
static const char *name_by_axes(gb_arena *arena, const gb_foreign_entry *entry)
{
    const char *name = "by";
    for (unsigned a = 0; a < entry->axis_count; a++)
        name = gb_arena_printf(arena, "%s-%s", name, entry->axes[a].name);
    return gb_arena_strndup(arena, name, strnlen(name, GB_MOST_NAME));
}

/* Of what works on different things, or does not say on what, the times alone are comparable. */
static bool is_rated(const group *g)
{
    const char *unit = NULL;
    for (size_t i = 0; i < g->count; i++) {
        const gb_foreign_entry *entry = g->entries[i];
        if (entry->status != GB_OK) continue;
        if (!(entry->items > 0) || (unit && strcmp(unit, entry->unit) != 0)) return false;
        unit = entry->unit;
    }
    return unit != NULL;
}

static void name_group(gb_results *results, group *g)
{
    const gb_foreign_entry *first = g->first;
    g->unnamed = !first->experiment;
    g->rated = is_rated(g);
    g->experiment = g->unnamed ? name_by_axes(&results->arena, first) : first->experiment;
    g->primitive = g->unnamed ? "benchmark" : first->primitive;
    const gb_result_set *home = home_of(results, g);
    if (home && g->unnamed) {
        g->experiment = home->experiment;
        g->primitive = home->primitive;
        g->unnamed = false;
    }
    for (unsigned a = 0; a < first->axis_count; a++) {
        g->axes[a] = home ? home->axes[a] : first->axes[a].name;
        for (unsigned b = 0; b < first->axis_count; b++)
            if (strcmp(first->axes[b].name, g->axes[a]) == 0) g->order[a] = b;
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void put_number(FILE *file, double value, bool present)
{
    putc(',', file);
    if (present && isfinite(value)) fprintf(file, "%.17g", value);
}

/* The same of what the file says: of a mean and a deviation. Nothing is known of an interval
 * without a deviation or of how many samples it is; a deviation of 0 is that of a clock. */
static gb_stats stats_said(const gb_foreign_entry *entry)
{
    gb_stats s = {.count = entry->count, .mean = entry->mean, .sd = entry->sd};
    if (!(entry->sd > 0) || entry->count < 2) s.count = entry->count == 1 ? 1 : 0;
    if (s.count < 2) return s;
    const double half = gb_student_t975(s.count - 1) * s.sd / sqrt((double)s.count);
    s.ci95_lo = s.mean - half;
    s.ci95_hi = s.mean + half;
    return s;
}

static unsigned flags_of(const gb_stats *stats)
{
    return (stats->outliers ? GB_FLAG_OUTLIERS : 0) | (stats->drift ? GB_FLAG_DRIFT : 0) |
           (stats->autocorrelated ? GB_FLAG_AUTOCORRELATED : 0);
}

static void put_times(FILE *file, const gb_foreign_entry *entry, double items, const gb_stats *s)
{
    const bool ok = entry->status == GB_OK, interval = s->count > 1, kept = entry->times;
    const bool rated = ok && items > 0 && s->mean > 0;
    put_number(file, s->mean, ok);
    put_number(file, s->ci95_lo, ok && interval);
    put_number(file, s->ci95_hi, ok && interval);
    put_number(file, s->median, ok && kept);
    put_number(file, s->min, ok && kept);
    put_number(file, s->max, ok && kept);
    put_number(file, s->sd, ok && interval);
    put_number(file, items / s->mean, rated);
    put_number(file, items / s->ci95_hi, rated && interval);
    put_number(file, items / s->ci95_lo, rated && interval && s->ci95_lo > 0);
    gb_csv_put(file, entry->limit_kind, false);
    put_number(file, entry->limit_rate, items > 0 && entry->limit_rate > 0);
    put_number(file, items / s->mean / entry->limit_rate, rated && entry->limit_rate > 0);
}

/* items are whole where they are a count; what a rate and a time make of them is nearly so. */
static void put_items(FILE *file, double items)
{
    const double whole = round(items);
    putc(',', file);
    if (items > 0 && fabs(items - whole) <= 1e-6 * items) fprintf(file, "%.0f", whole);
}

static void put_row(FILE *file, const group *g, const gb_foreign_entry *entry)
{
    char flags[GB_FLAGS_TEXT];
    const bool ok = entry->status == GB_OK;
    const gb_stats stats =
        ok && entry->times ? gb_stats_of(entry->times, entry->count) : stats_said(entry);
    gb_csv_put(file, GB_RESULT_SCHEMA, true);
    gb_csv_put(file, "", false); /* run_id */
    gb_csv_put(file, g->experiment, false);
    gb_csv_put(file, g->primitive, false);
    gb_csv_put(file, entry->variant, false);
    gb_csv_put(file, "", false); /* instance */
    gb_csv_put(file, entry->under, false);
    gb_csv_put(file, entry->backend, false);
    gb_csv_put(file, entry->device, false);
    for (unsigned a = 0; a < entry->axis_count; a++)
        gb_csv_put(file, entry->axes[g->order[a]].value, false);
    gb_csv_put(file, entry->cache, false);
    gb_csv_put(file, entry->scope, false);
    gb_csv_put(file, gb_status_name(entry->status), false);
    gb_csv_put(file, entry->reason, false);
    put_number(file, (double)stats.count, ok && stats.count > 0);
    gb_csv_put(file, g->rated ? entry->unit : "", false);
    const double items = g->rated ? entry->items : 0;
    put_items(file, items);
    put_times(file, entry, items, &stats);
    put_number(file, entry->sm_clock_mhz, entry->sm_clock_mhz > 0);
    fputs(",,,", file); /* memory clock, temperature, power */
    gb_csv_put(file, gb_flags_format(ok && entry->times ? flags_of(&stats) : 0, flags), false);
    fputs(",,\n", file); /* seed, start */
}

static gb_csv *table_of(const group *g, const char *path, gb_error *error)
{
    char *text = NULL;
    size_t size = 0, header_size = 0;
    char *header = gb_columns_header(g->axes, g->first->axis_count, &header_size);
    FILE *file = open_memstream(&text, &size);
    if (file && header) fwrite(header, 1, header_size, file);
    for (size_t i = 0; file && i < g->count; i++)
        put_row(file, g, g->entries[i]);
    free(header);
    if (file && fclose(file) == 0 && header) return gb_csv_parse(text, size, path, error);
    gb_fail(error, GB_CRASHED, "%s: out of memory", path);
    free(text);
    return NULL;
}

/* By all that rows are told apart by. */
static int by_key(const void *x, const void *y)
{
    const gb_foreign_entry *a = *(const gb_foreign_entry *const *)x,
                           *b = *(const gb_foreign_entry *const *)y;
    const char *const pairs[][2] = {{a->variant, b->variant},
                                    {a->device, b->device},
                                    {a->cache, b->cache},
                                    {a->scope, b->scope}};
    int order = 0;
    for (size_t i = 0; order == 0 && i < sizeof pairs / sizeof *pairs; i++)
        order = strcmp(pairs[i][0], pairs[i][1]);
    for (unsigned i = 0; order == 0 && i < a->axis_count; i++)
        order = strcmp(a->axes[i].value, b->axes[i].value);
    return order;
}

/* Rows that are there twice would stand in one another's place. */
static bool are_different(gb_arena *arena, const group *g, const char *path, gb_error *error)
{
    const gb_foreign_entry **sorted = gb_arena_alloc(arena, g->count * sizeof *sorted);
    memcpy(sorted, g->entries, g->count * sizeof *sorted);
    qsort(sorted, g->count, sizeof *sorted, by_key);
    for (size_t i = 1; i < g->count; i++) {
        if (by_key(&sorted[i - 1], &sorted[i]) != 0) continue;
        gb_fail(error, GB_WRONG,
                "%s: %s and %s are both of '%.60s' with the same axes: which of them counts? "
                "Leave one out, or have an axis tell them apart (--map)",
                path, sorted[i - 1]->where, sorted[i]->where, sorted[i]->variant);
        return false;
    }
    return true;
}

static bool add_entries(gb_results *results, const char *path, const gb_foreign *file,
                        gb_error *error)
{
    gb_arena *arena = &results->arena;
    groups all = {0};
    gb_row_source *source = gb_arena_alloc(arena, sizeof *source);
    *source = (gb_row_source){file->tool, file->keep};
    path = gb_arena_strdup(arena, path);
    gb_place_add_file(results, path);
    for (size_t i = 0; i < file->count; i++)
        add_to_group(arena, &all, &file->entries[i]);
    for (size_t i = 0; i < all.count; i++) {
        group *g = &all.items[i];
        name_group(results, g);
        if (!are_different(arena, g, path, error)) return false;
        gb_csv *csv = table_of(g, path, error);
        const gb_foreign_rows rows = {source, g->times, g->unnamed};
        if (!csv || !gb_results_add_foreign(results, path, csv, &rows, error)) return false;
    }
    return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

bool gb_foreign_add_json(gb_results *results, const char *path, const char *text, size_t size,
                         gb_error *error)
{
    gb_foreign file = {0};
    return gb_foreign_read_json(&results->arena, path, text, size, results->map, &file, error) &&
           add_entries(results, path, &file, error);
}

bool gb_foreign_is_table(const gb_results *results, const gb_csv *csv)
{
    return results->map && results->map->count > 0 && csv->columns > 0 &&
           gb_csv_column(csv, gb_column_name(GB_COLUMN_SCHEMA)) < 0 && !gb_is_dump(csv) &&
           !gb_is_peers(csv) && !gb_is_gpus(csv);
}

bool gb_foreign_add_table(gb_results *results, const char *path, gb_csv *csv, gb_error *error)
{
    gb_foreign file = {0};
    const bool good =
        gb_foreign_read_table(&results->arena, path, csv, results->map, &file, error) &&
        add_entries(results, path, &file, error);
    gb_csv_free(csv);
    return good;
}

/* ---- experiments ----------------------------------------------------------------------------- */

static const gb_result_set *home_of_set(const gb_results *results, const gb_result_set *set)
{
    for (size_t s = 0; s < results->set_count; s++) {
        const gb_result_set *home = &results->sets[s];
        if (!can_adopt(home) || !has_axes(home, set->axes, set->axis_count)) continue;
        for (size_t r = 0; r < set->row_count; r++)
            if (has_variant(home, set->rows[r].variant)) return home;
    }
    return NULL;
}

static void move_rows(gb_arena *arena, const gb_result_set *from, gb_result_set *to)
{
    for (size_t r = 0; r < from->row_count; r++) {
        gb_result_row row = from->rows[r];
        for (unsigned a = 0; a < to->axis_count; a++)
            row.axis[a] = from->rows[r].axis[gb_result_axis(from, to->axes[a])];
        gb_result_set_add(arena, to, &row);
    }
}

/* Within results: sets that found their experiment in a later file. */
static void adopt_within(gb_results *results)
{
    for (size_t s = 0; s < results->set_count; s++) {
        gb_result_set *set = &results->sets[s];
        const gb_result_set *home = set->unnamed ? home_of_set(results, set) : NULL;
        if (!home || home->simt != set->simt) continue;
        move_rows(&results->arena, set, &results->sets[home - results->sets]);
        memmove(set, set + 1, (size_t)(&results->sets[--results->set_count] - set) * sizeof *set);
        s--;
    }
}

void gb_foreign_adopt(gb_results *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        adopt_within(&all[i]);
    for (size_t i = 0; i < count; i++) {
        for (size_t s = 0; s < all[i].set_count; s++) {
            gb_result_set *set = &all[i].sets[s];
            const gb_result_set *home = NULL;
            for (size_t k = 0; set->unnamed && k < count && !home; k++)
                if (k != i) home = home_of_set(&all[k], set);
            if (!home) continue;
            set->experiment = home->experiment;
            set->primitive = home->primitive;
            set->unnamed = false;
        }
    }
}
