/* What was measured on which cards and with how many of their multiprocessors. */
#include "bench/project/project.h"

#include "common/protocol/flags.h"
#include "common/protocol/under.h"
#include "common/stats/sort.h"
#include "common/text/number.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Settings that differ by less than this part say nothing that noise could not. */
static const double apart = 0.1;

/* ---- operands -------------------------------------------------------------------------------- */

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

char **gb_project_paths(gb_arena *arena, char **paths, size_t count, size_t *found)
{
    char **list = NULL;
    size_t capacity = 0;
    *found = 0;
    for (size_t i = 0; i < count; i++) {
        list = gb_arena_grow(arena, list, *found, &capacity, sizeof *list);
        list[(*found)++] = paths[i];
        struct dirent **entries;
        const char *under = gb_arena_printf(arena, "%s/under", paths[i]);
        const int below = scandir(under, &entries, is_shown, alphasort);
        for (int k = 0; k < below; k++) {
            /* what runs other code is no other setting of the same */
            if (strncmp(entries[k]->d_name, "multiprocessors-", 16) == 0) {
                list = gb_arena_grow(arena, list, *found, &capacity, sizeof *list);
                list[(*found)++] = gb_arena_printf(arena, "%s/%s", under, entries[k]->d_name);
            }
            free(entries[k]);
        }
        if (below >= 0) free(entries);
    }
    return list;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A row and what series it is of. */
typedef struct entry {
    const char *key;
    size_t order;
    const gb_result_set *set;
    const gb_result_row *row;
    const gb_card *card;
    double sms;
    bool whole; /* all multiprocessors are in use */
} entry;

typedef struct gatherer {
    gb_measured *m;
    gb_sides *sides;
    gb_arena *arena;
    entry *entries;
    size_t count, capacity;
} gatherer;

/* Whether a row has a time on a GPU, of kernels as they are. */
static bool is_timed(const gb_result_set *set, const gb_result_row *row)
{
    return !set->published && !set->profile && !set->simt && !row->source && row->status == GB_OK &&
           row->time_s > 0 && row->rate > 0 && *row->limit_kind &&
           strcmp(row->scope, "device") == 0;
}

/* The multiprocessors that a value of the axis `grid` has blocks for, "sms:56"; 0: it is none of
 * these. */
static double sms_of_grid(const char *value)
{
    double sms;
    return strncmp(value, "sms:", 4) == 0 && gb_number_parse(value + 4, &sms) && sms > 0 ? sms : 0;
}

static const char *grid_of(const gb_result_set *set, const gb_result_row *row)
{
    const int axis = gb_result_axis(set, "grid");
    return axis >= 0 ? row->axis[axis] : "";
}

/* With how many multiprocessors a row's kernels could run; 0: all. False where the device was used
 * under other conditions besides. */
static bool limit_of(const gb_result_row *row, double *sms)
{
    gb_under under;
    if (!gb_under_parse(row->under, &under) || *under.code || under.gpus) return false;
    *sms = under.multiprocessors;
    return true;
}

/* A point as texts have it, without a grid that stands for multiprocessors. */
static const char *point_of(gb_arena *arena, const gb_result_set *set, const gb_result_row *row)
{
    const char *text = "";
    for (unsigned a = 0; a < set->axis_count; a++) {
        const bool grid = strcmp(set->axes[a], "grid") == 0;
        if (grid && (sms_of_grid(row->axis[a]) > 0 || strcmp(row->axis[a], "full") == 0)) continue;
        text =
            gb_arena_printf(arena, "%s%s%s=%s", text, *text ? ";" : "", set->axes[a], row->axis[a]);
    }
    return text;
}

/* ---- cards ----------------------------------------------------------------------------------- */

static gb_card *card_of(gatherer *g, const char *model)
{
    gb_measured *m = g->m;
    for (size_t i = 0; i < m->card_count; i++)
        if (strcmp(m->cards[i].machine.model, model) == 0) return &m->cards[i];
    m->cards =
        gb_arena_grow(g->arena, m->cards, m->card_count, &m->card_capacity, sizeof *m->cards);
    gb_card *card = &m->cards[m->card_count++];
    *card = (gb_card){.machine = {.model = model, .architecture = ""}};
    card->sheet = gb_gpu_find(&g->sides->gpus, model);
    if (card->sheet) card->machine.architecture = card->sheet->architecture;
    return card;
}

static void raise_to(double *most, double value)
{
    if (value > *most) *most = value;
}

/* What the run behind a row says of its card. Under a limit a copy is slower: the most of all runs
 * is what the memory can do. */
static void learn(gatherer *g, const gb_result_row *row)
{
    gb_machine *machine = &card_of(g, gb_row_model(row))->machine;
    const gb_run_facts *run = gb_side_run(g->sides, row);
    double limit;
    if (!limit_of(row, &limit)) return;
    raise_to(&machine->bytes_per_s, run->copy_bytes_per_s);
    raise_to(&machine->sms, run->sms);
    raise_to(&machine->l2_bytes, run->l2_bytes);
    raise_to(&machine->clock_hz, row->sm_clock_mhz * 1e6);
}

/* What no meta file says, from the data sheet; false if that does not say it either. */
static bool complete(gb_card *card)
{
    gb_machine *machine = &card->machine;
    const gb_gpu *sheet = card->sheet;
    if (sheet && !(machine->sms > 0)) machine->sms = sheet->sms;
    if (sheet && !(machine->clock_hz > 0)) machine->clock_hz = sheet->sm_clock_hz;
    if (sheet && !(machine->l2_bytes > 0)) machine->l2_bytes = sheet->l2_bytes;
    return machine->bytes_per_s > 0 && machine->sms > 0 && machine->clock_hz > 0;
}

static void leave_out(gatherer *g, const char *text)
{
    gb_measured *m = g->m;
    m->left_out = gb_arena_grow(g->arena, m->left_out, m->left_out_count, &m->left_out_capacity,
                                sizeof *m->left_out);
    m->left_out[m->left_out_count++] = text;
}

static void know_cards(gatherer *g)
{
    gb_measured *m = g->m;
    size_t kept = 0;
    for (size_t i = 0; i < m->card_count; i++) {
        if (complete(&m->cards[i]))
            m->cards[kept++] = m->cards[i];
        else
            leave_out(g, gb_arena_printf(g->arena,
                                         "%s: no meta file beside its results says how many "
                                         "multiprocessors it has and how fast it copies",
                                         m->cards[i].machine.model));
    }
    m->card_count = kept;
}

static const gb_card *known_card(const gb_measured *m, const char *model)
{
    for (size_t i = 0; i < m->card_count; i++)
        if (strcmp(m->cards[i].machine.model, model) == 0) return &m->cards[i];
    return NULL;
}

/* ---- series ---------------------------------------------------------------------------------- */

static void add_entry(gatherer *g, const gb_result_set *set, const gb_result_row *row)
{
    double limit;
    const gb_card *card = known_card(g->m, gb_row_model(row));
    if (!card || !limit_of(row, &limit)) return;
    const double grid = sms_of_grid(grid_of(set, row));
    double sms = card->machine.sms;
    if (limit > 0) sms = fmin(sms, limit);
    if (grid > 0) sms = fmin(sms, grid);
    g->entries = gb_arena_grow(g->arena, g->entries, g->count, &g->capacity, sizeof *g->entries);
    g->entries[g->count] = (entry){
        .key = gb_arena_printf(g->arena, "%s\n%s\n%s\n%s\n%s", set->primitive, set->experiment,
                               row->variant, row->cache, point_of(g->arena, set, row)),
        .order = g->count,
        .set = set,
        .row = row,
        .card = card,
        .sms = sms,
        .whole = sms >= card->machine.sms};
    g->count++;
}

static int by_key(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    const int keys = strcmp(a->key, b->key);
    return keys ? keys : (a->order > b->order) - (a->order < b->order);
}

static int by_order(const void *x, const void *y)
{
    const gb_series *a = x, *b = y;
    return (a->order > b->order) - (a->order < b->order);
}

static gb_timing timing_of(const entry *e)
{
    gb_timing timing = {
        .machine = e->card->machine, .time_s = e->row->time_s, .limited = !e->whole};
    timing.machine.sms = e->sms;
    if (e->row->sm_clock_mhz > 0) timing.machine.clock_hz = e->row->sm_clock_mhz * 1e6;
    return timing;
}

/* What a row's limit says that the memory has to move at least, from the rate at which its card
 * copied in the run; 0: it does not. */
static double bytes_of(gatherer *g, const gb_result_row *row, double items)
{
    if (strcmp(row->limit_kind, "bandwidth") != 0 || !(row->limit_rate > 0)) return 0;
    return items * gb_side_run(g->sides, row)->copy_bytes_per_s / row->limit_rate;
}

static void make_series(gatherer *g, const entry *entries, size_t count, gb_series *series)
{
    size_t resident = 0;
    const entry *shown = &entries[0];
    *series = (gb_series){.order = entries[0].order,
                          .count = count,
                          .timings = gb_arena_alloc(g->arena, count * sizeof *series->timings)};
    for (size_t i = 0; i < count; i++) {
        series->timings[i] = timing_of(&entries[i]);
        if (entries[i].sms > shown->sms) shown = &entries[i];
        resident += (entries[i].row->flags & GB_FLAG_CACHE_RESIDENT) != 0;
    }
    series->set = shown->set;
    series->row = shown->row;
    series->point = point_of(g->arena, shown->set, shown->row);
    series->readable = series->point;
    series->items = shown->row->rate * shown->row->time_s;
    series->least_bytes = bytes_of(g, shown->row, series->items);
    series->resident = resident == count;
    series->mixed = resident > 0 && resident < count;
    series->lacks = gb_timings_lack(series->timings, count);
}

/* How many of these numbers are apart from each other; sorts them. */
static size_t count_apart(double *values, size_t count)
{
    size_t found = count > 0;
    gb_sort_values(values, count);
    for (size_t i = 1, last = 0; i < count; i++) {
        if (values[i] < values[last] * (1 + apart)) continue;
        last = i;
        found++;
    }
    return found;
}

const char *gb_timings_lack(const gb_timing *timings, size_t count)
{
    bool one_card = true;
    double *values = calloc(count ? count : 1, sizeof *values);
    if (!values) return "no memory is left";
    for (size_t i = 0; i < count; i++) {
        one_card &= strcmp(timings[i].machine.model, timings[0].machine.model) == 0;
        values[i] = timings[i].machine.bytes_per_s;
    }
    const size_t bandwidths = count_apart(values, count);
    for (size_t i = 0; i < count; i++)
        values[i] = timings[i].machine.sms * timings[i].machine.clock_hz;
    const size_t settings = count_apart(values, count);
    free(values);
    if (one_card) return "were measured on one card";
    if (bandwidths < 2) return "were measured on cards of the same bandwidth";
    if (settings < 3) return "were measured under fewer than two limits of multiprocessors";
    return NULL;
}

/* ---- texts of points ------------------------------------------------------------------------- */

static bool differs(const gb_measured *m, const gb_series *series, unsigned axis)
{
    const char *name = series->set->axes[axis], *value = series->row->axis[axis];
    for (size_t i = 0; i < m->series_count; i++) {
        const gb_series *other = &m->series[i];
        if (strcmp(other->set->experiment, series->set->experiment) != 0) continue;
        const int at = gb_result_axis(other->set, name);
        if (at >= 0 && strcmp(other->row->axis[at], value) != 0) return true;
    }
    return false;
}

/* Which axes differ within an experiment is found once for it: `shown` is of the series before. */
static void make_readable(gatherer *g, gb_series *series, bool shown[GB_MAX_AXES], bool same)
{
    const char *text = "";
    for (unsigned a = 0; a < series->set->axis_count; a++) {
        const char *name = series->set->axes[a];
        if (!same) shown[a] = strcmp(name, "grid") != 0 && differs(g->m, series, a);
        if (!shown[a]) continue;
        text = gb_arena_printf(g->arena, "%s%s%s %s", text, *text ? ", " : "", name,
                               gb_axis_readable(g->arena, series->row->axis[a]));
    }
    const bool cold = strcmp(series->row->cache, "cold") == 0;
    series->readable =
        gb_arena_printf(g->arena, "%s%s%s", text, *text && cold ? ", " : "", cold ? "cold" : "");
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void for_rows(gatherer *g,
                     void (*each)(gatherer *g, const gb_result_set *set, const gb_result_row *row))
{
    for (size_t o = 0; o < g->sides->operand_count; o++)
        for (size_t s = 0; s < g->sides->operands[o].set_count; s++) {
            const gb_result_set *set = &g->sides->operands[o].sets[s];
            for (size_t r = 0; r < set->row_count; r++)
                if (is_timed(set, &set->rows[r])) each(g, set, &set->rows[r]);
        }
}

static void learn_row(gatherer *g, const gb_result_set *set, const gb_result_row *row)
{
    (void)set;
    learn(g, row);
}

void gb_project_gather(gb_sides *sides, gb_measured *measured)
{
    *measured = (gb_measured){.sides = sides};
    gatherer g = {.m = measured, .sides = sides, .arena = &sides->arena};
    for_rows(&g, learn_row);
    know_cards(&g);
    for_rows(&g, add_entry);
    if (g.count > 0) qsort(g.entries, g.count, sizeof *g.entries, by_key);
    measured->series = gb_arena_alloc(g.arena, (g.count + 1) * sizeof *measured->series);
    for (size_t i = 0, next; i < g.count; i = next) {
        for (next = i + 1; next < g.count && strcmp(g.entries[i].key, g.entries[next].key) == 0;)
            next++;
        make_series(&g, &g.entries[i], next - i, &measured->series[measured->series_count++]);
    }
    qsort(measured->series, measured->series_count, sizeof *measured->series, by_order);
    bool shown[GB_MAX_AXES] = {false};
    for (size_t i = 0; i < measured->series_count; i++)
        make_readable(&g, &measured->series[i], shown,
                      i > 0 && measured->series[i].set == measured->series[i - 1].set);
}
