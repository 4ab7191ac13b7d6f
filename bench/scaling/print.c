/* How variants scale, for people. */
#include "bench/scaling/scaling.h"
#include "bench/table/numbers.h"
#include "bench/table/render.h"

#include <math.h>
#include <string.h>

enum {
    VARIANT,
    POINT,
    GPUS,
    WHAT,
    TIME,
    EXPECTED,
    OFF,
    SHARE,
    SPEEDUP,
    EFFICIENCY,
    LIMIT,
    COLUMNS
};

static const char *ms_text(gb_arena *arena, double seconds)
{
    return seconds > 0 ? gb_significant(arena, seconds * 1e3, 3) : "";
}

/* A projection and its ends: "0.92 (0.85 to 0.99)". */
static const char *between(gb_arena *arena, const char *value, const char *lo, const char *hi)
{
    return *lo && *hi ? gb_arena_printf(arena, "%s (%s to %s)", value, lo, hi) : value;
}

static const char *ratio_cell(gb_arena *arena, const gb_scaling_point *point, const gb_ratio *ratio)
{
    if (!(ratio->value > 0)) return "";
    if (point->row) return gb_ratio_text(arena, ratio);
    return between(arena, gb_significant(arena, ratio->value, 2),
                   ratio->lo > 0 ? gb_significant(arena, ratio->lo, 2) : "",
                   ratio->lo > 0 ? gb_significant(arena, ratio->hi, 2) : "");
}

static void add_point(gb_arena *arena, gb_table_panel *panel, const gb_scaling_series *series,
                      const gb_scaling_point *point, bool first)
{
    const char **cells = gb_table_add_line(arena, panel, first && panel->row_count > 0);
    cells[VARIANT] = first ? series->row->variant : "";
    cells[POINT] = first ? series->readable : "";
    cells[GPUS] = gb_arena_printf(arena, "%u", point->gpus);
    cells[WHAT] = point->row ? "measured" : point->unvalidated ? "projected from 1" : "projected";
    cells[TIME] = point->row ? ms_text(arena, point->time_s)
                             : between(arena, ms_text(arena, point->time_s),
                                       ms_text(arena, point->lo_s), ms_text(arena, point->hi_s));
    if (point->row && point->expected_s > 0) {
        cells[EXPECTED] = ms_text(arena, point->expected_s);
        cells[OFF] = gb_arena_printf(arena, "%+.0f", 100 * (point->expected_s / point->time_s - 1));
    }
    if (point->model.work_s > 0 && point->gpus > 1)
        cells[SHARE] = gb_arena_printf(arena, "%.0f", 100 * point->share);
    cells[SPEEDUP] = ratio_cell(arena, point, &point->speedup);
    cells[EFFICIENCY] = ratio_cell(arena, point, &point->efficiency);
    if (point->limit > 0)
        cells[LIMIT] = gb_arena_printf(arena, "%.2f %s", point->limit, point->limit_kind);
}

static void add_panel(gb_arena *arena, const gb_scaling *s, const gb_scaling_series *of,
                      gb_table *table)
{
    static const char *const head[COLUMNS] = {[VARIANT] = "variant",  [POINT] = "point",
                                              [GPUS] = "GPUs",        [WHAT] = "",
                                              [TIME] = "ms",          [EXPECTED] = "expected, ms",
                                              [OFF] = "off, %",       [SHARE] = "not work, %",
                                              [SPEEDUP] = "speed-up", [EFFICIENCY] = "efficiency",
                                              [LIMIT] = "limit"};
    const char *title = gb_arena_printf(arena, "%s on %s%s%s", of->set->experiment, of->row->device,
                                        *of->held ? ": " : "", of->held);
    gb_table_panel *panel = gb_table_add_panel(arena, table, title, COLUMNS, TIME);
    memcpy(panel->head, head, sizeof head);
    for (size_t i = 0; i < s->count; i++) {
        const gb_scaling_series *series = &s->series[i];
        if (series->set != of->set || strcmp(series->row->device, of->row->device) != 0) continue;
        for (size_t p = 0; p < series->count; p++)
            add_point(arena, panel, series, &series->points[p], p == 0);
    }
}

/* Whether a series is the first of its experiment and device. */
static bool is_first(const gb_scaling *s, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (s->series[i].set == s->series[at].set &&
            strcmp(s->series[i].row->device, s->series[at].row->device) == 0)
            return false;
    return true;
}

/* What nothing is projected of, and why: a remark a reason. */
static void add_lacks(gb_arena *arena, const gb_scaling *s, gb_table *table)
{
    for (size_t i = 0; i < s->count; i++) {
        const char *lack = s->series[i].lacks;
        size_t count = 0;
        bool told = !lack;
        for (size_t k = 0; k < s->count && !told; k++) {
            const bool same = s->series[k].lacks && strcmp(s->series[k].lacks, lack) == 0;
            told = same && k < i;
            count += same;
        }
        if (!told)
            gb_table_add_remark(arena, table,
                                gb_arena_printf(arena, "Not projected: %zu of %zu series %s.",
                                                count, s->count, lack));
    }
}

/* What the links are taken for: a remark each that differs. */
static void add_links(gb_arena *arena, const gb_scaling *s, gb_table *table)
{
    const char *said = "";
    for (size_t i = 0; i < s->count; i++) {
        const gb_link *link = &s->series[i].link;
        if (s->series[i].lacks) continue;
        const char *text = gb_arena_printf(
            arena, "Between GPUs of %s: %s GB/s each way while both send, %s µs.",
            s->series[i].row->device, gb_significant(arena, link->bytes_per_s / 1e9, 3),
            link->latency_s > 0 ? gb_significant(arena, link->latency_s * 1e6, 2) : "0");
        if (strcmp(text, said) == 0) continue;
        gb_table_add_remark(arena, table, text);
        said = text;
    }
}

static gb_table table_of(gb_arena *arena, const gb_scaling *s)
{
    gb_table table = {
        .title = "Scaling over GPUs (projections are experimental)",
        .label = "scaling",
        .caption =
            "Speed-up and efficiency (a GPU's part of it) are beside what does the same alone on "
            "one GPU, with 95 % intervals. Nobody measured what is projected: a model says it, the "
            "work of one GPU on its share + latency · log2 GPUs + bytes over the link, times what "
            "it was off by at the most GPUs that were measured; its ends are that factor "
            "away either way, or as many seconds more. Expected is what it says of a measured row "
            "by fewer GPUs alone, off how far that is from the truth. Not work: the part of the "
            "time beyond one GPU's work on its share. Limit: the efficiency that the least bytes "
            "over memory and links allow."};
    for (size_t i = 0; i < s->count; i++)
        if (is_first(s, i)) add_panel(arena, s, &s->series[i], &table);
    add_links(arena, s, &table);
    add_lacks(arena, s, &table);
    if (*s->ignored)
        gb_table_add_remark(arena, &table,
                            gb_arena_printf(arena,
                                            "Left out, for plots/scaling.json says nothing "
                                            "of them: %s.",
                                            s->ignored));
    return table;
}

static void put(void *output, const void *item, gb_table_format format)
{
    const gb_scaling_output *out = output;
    const gb_table table = table_of(out->arena, item);
    gb_table_write(out->arena, &table, format, out->file);
}

static void put_text(void *output, const void *item)
{
    put(output, item, GB_TABLE_TEXT);
}

static void put_markdown(void *output, const void *item)
{
    put(output, item, GB_TABLE_MARKDOWN);
}

const gb_exporter gb_scaling_exporters[] = {{"text", NULL, put_text, NULL},
                                            {"markdown", NULL, put_markdown, NULL},
                                            {"csv", NULL, gb_scaling_put_csv, NULL},
                                            {"json", NULL, gb_scaling_put_json, NULL},
                                            {NULL, NULL, NULL, NULL}};
