/* History for people. */
#include "bench/history/history.h"
#include "bench/table/numbers.h"
#include "bench/table/render.h"

#include <stdlib.h>
#include <string.h>

/* ---- the grid -------------------------------------------------------------------------------- */

/* What heads a column: "multisplit", with cache and scope where a variant has several. */
static const char *head_of(gb_arena *arena, const gb_history_series *s, const gb_history_group *g)
{
    bool caches = false, scopes = false;
    for (size_t i = 1; i < s->count; i++)
        for (size_t k = 0; k < s->steps[i].group_count; k++) {
            const gb_history_group *other = &s->steps[i].groups[k];
            caches |= strcmp(other->cache, g->cache) != 0;
            scopes |= strcmp(other->scope, g->scope) != 0;
        }
    return gb_arena_printf(arena, "%s%s%s%s%s", g->variant, caches ? " " : "",
                           caches ? g->cache : "", scopes ? " " : "", scopes ? g->scope : "");
}

static bool same_group(const gb_history_group *a, const gb_history_group *b)
{
    return strcmp(a->variant, b->variant) == 0 && strcmp(a->cache, b->cache) == 0 &&
           strcmp(a->scope, b->scope) == 0;
}

/* The groups of all steps, a column each. */
static const gb_history_group **columns_of(gb_arena *arena, const gb_history_series *s,
                                           size_t *count)
{
    size_t capacity = 0;
    const gb_history_group **list = NULL;
    *count = 0;
    for (size_t i = 1; i < s->count; i++)
        for (size_t k = 0; k < s->steps[i].group_count; k++) {
            size_t at = 0;
            while (at < *count && !same_group(list[at], &s->steps[i].groups[k]))
                at++;
            if (at < *count) continue;
            list = gb_arena_grow(arena, list, *count, &capacity, sizeof(const gb_history_group *));
            list[(*count)++] = &s->steps[i].groups[k];
        }
    return list;
}

static int by_value(const void *x, const void *y)
{
    const double a = (*(const gb_pair *const *)x)->ratio.value,
                 b = (*(const gb_pair *const *)y)->ratio.value;
    return (a > b) - (a < b);
}

/* The ratio of the row in the middle of those with a verdict; of one row with its interval. */
static const char *middle_ratio(gb_arena *arena, const gb_history_group *g, gb_verdict verdict)
{
    const gb_pair **list = gb_arena_alloc(arena, (g->count + 1) * sizeof(const gb_pair *));
    size_t count = 0;
    for (size_t i = 0; i < g->count; i++)
        if (g->pairs[i]->verdict == verdict) list[count++] = g->pairs[i];
    qsort(list, count, sizeof(const gb_pair *), by_value);
    const gb_ratio *ratio = &list[(count - 1) / 2]->ratio;
    return count == 1 ? gb_ratio_text(arena, ratio) : gb_significant(arena, ratio->value, 3);
}

/* Of rows that are not compared: that they failed, if some did in this run. */
static const char *failed_text(const gb_comparison *c, const gb_history_group *as)
{
    for (size_t i = 0; i < c->unpaired_count; i++) {
        const gb_unpaired *u = &c->unpaired[i];
        if (u->of_b && *u->why && strcmp(u->row->variant, as->variant) == 0 &&
            strcmp(u->row->cache, as->cache) == 0 && strcmp(u->row->scope, as->scope) == 0)
            return u->row->status == GB_UNSUPPORTED ? "unsupported" : "failed";
    }
    return "";
}

/* "0.882 ±0.004 SLOWER", "0.882 SLOWER 4/6"; what is said of some rows hides what is said of more.
 */
static const char *cell_of(gb_arena *arena, const gb_history_step *step, const gb_history_group *as)
{
    static const gb_verdict order[] = {GB_SLOWER, GB_FASTER, GB_UNCLEAR, GB_SAME};
    const gb_history_group *g = NULL;
    for (size_t k = 0; k < step->group_count && !g; k++)
        if (same_group(&step->groups[k], as)) g = &step->groups[k];
    if (!g) return failed_text(&step->comparison, as);
    for (size_t v = 0; v < sizeof order / sizeof *order; v++) {
        const size_t rows = g->verdicts[order[v]];
        if (rows == 0) continue;
        const char *name = gb_verdict_names[order[v]];
        if (order[v] == GB_SAME || order[v] == GB_UNCLEAR) return name;
        const char *ratio = middle_ratio(arena, g, order[v]);
        return rows == g->count
                   ? gb_arena_printf(arena, "%s %s", ratio, name)
                   : gb_arena_printf(arena, "%s %s %zu/%zu", ratio, name, rows, g->count);
    }
    return "";
}

static void fill_grid(gb_arena *arena, const gb_history_series *s, bool by_commit, gb_table *table)
{
    size_t groups;
    const gb_history_group **list = columns_of(arena, s, &groups);
    gb_table_panel *panel = gb_table_add_panel(arena, table, "", groups + 3, 3);
    panel->head[0] = by_commit ? "commit" : "run";
    panel->head[1] = "measured";
    panel->head[2] = "rows";
    for (size_t g = 0; g < groups; g++)
        panel->head[3 + g] = head_of(arena, s, list[g]);
    for (size_t i = 0; i < s->count; i++) {
        const gb_history_step *step = &s->steps[i];
        const char **line = gb_table_add_line(arena, panel, false);
        line[0] = s->runs[i].name;
        line[1] = gb_arena_printf(arena, "%.10s", s->runs[i].facts->started);
        line[2] = i ? gb_arena_printf(arena, "%zu", step->comparison.pair_count) : "first";
        for (size_t g = 0; i && g < groups; g++)
            line[3 + g] = cell_of(arena, step, list[g]);
    }
}

/* ---- in words -------------------------------------------------------------------------------- */

/* "3f2a1c0 'Subject' (2026-11-25)" */
static const char *run_text(gb_arena *arena, const gb_history_run *run)
{
    return gb_arena_printf(arena, "%s%s%s%s (%.10s)", run->name, *run->subject ? " '" : "",
                           run->subject, *run->subject ? "'" : "", run->facts->started);
}

static const char *since_text(const gb_history_group *group, bool is_last)
{
    if (is_last) return "";
    if (group->still == 0) return "; made good since";
    return group->still == group->verdicts[GB_SLOWER] ? "; still so in the last run"
                                                      : "; some still are in the last run";
}

static void add_changes(gb_arena *arena, const gb_history_series *s, size_t at, gb_table *table)
{
    static const gb_verdict shown[] = {GB_SLOWER, GB_FASTER};
    const gb_history_step *step = &s->steps[at];
    for (size_t k = 0; k < step->group_count; k++)
        for (size_t v = 0; v < 2; v++) {
            const gb_history_group *group = &step->groups[k];
            if (group->verdicts[shown[v]] == 0) continue;
            gb_table_add_remark(
                arena, table,
                gb_arena_printf(
                    arena, "%s: %s at %s%s", head_of(arena, s, group),
                    gb_history_change_text(arena, group, shown[v]), run_text(arena, &s->runs[at]),
                    shown[v] == GB_SLOWER ? since_text(group, at + 1 == s->count) : ""));
        }
    if (step->comparison.broken)
        gb_table_add_remark(arena, table,
                            gb_arena_printf(arena, "%zu row%s that %s ok failed at %s%s",
                                            step->comparison.broken,
                                            step->comparison.broken == 1 ? "" : "s",
                                            step->comparison.broken == 1 ? "was" : "were",
                                            run_text(arena, &s->runs[at]),
                                            at + 1 == s->count   ? ""
                                            : step->still_broken ? "; some still do in the last run"
                                                                 : "; made good since"));
}

static void add_part(gb_arena *arena, const char **text, const char *part)
{
    *text = gb_arena_printf(arena, "%s%s%s", *text, **text ? ", " : "", part);
}

/* What else than the sources is another than in the run before. */
static const char *circumstances(gb_arena *arena, const gb_history_series *s, size_t at)
{
    const gb_run_facts *now = s->runs[at].facts, *before = s->runs[at - 1].facts;
    const gb_comparison *c = &s->steps[at].comparison;
    const char *text = "";
    const bool own = strcmp(now->source.hash, now->program.hash) == 0;
    if (!own && strcmp(now->program.hash, before->program.hash) != 0)
        add_part(arena, &text, gb_arena_printf(arena, "gpubench at %.7s", now->program.hash));
    if (c->differing[2])
        add_part(arena, &text,
                 gb_arena_printf(arena, "toolkit %s, was %s", now->toolkit, before->toolkit));
    if (c->differing[3])
        add_part(arena, &text,
                 gb_arena_printf(arena, "driver %s, was %s", now->driver, before->driver));
    if (c->differing[4])
        add_part(arena, &text, gb_arena_printf(arena, "other clocks in %zu rows", c->differing[4]));
    if (*now->uuid && *before->uuid && strcmp(now->uuid, before->uuid) != 0)
        add_part(arena, &text, "another device of the make");
    return text;
}

static void add_remarks(gb_arena *arena, const gb_history_series *s, gb_table *table)
{
    for (size_t i = 1; i < s->count; i++)
        add_changes(arena, s, i, table);
    for (size_t i = 0; i < s->count; i++) {
        const gb_history_run *run = &s->runs[i];
        const char *text = i ? circumstances(arena, s, i) : "";
        if (run->facts->several) add_part(arena, &text, "resumed: some rows are of other sources");
        if (run->equal)
            add_part(arena, &text,
                     gb_arena_printf(arena, "the last of %zu runs there", run->equal + 1));
        if (*text)
            gb_table_add_remark(arena, table, gb_arena_printf(arena, "%s: %s", run->name, text));
    }
}

static const char *caption_of(gb_arena *arena, const gb_history_output *out)
{
    const gb_history *history = out->history;
    const char *order = history->by_commit ? "in the order of their commits"
                                           : "in the order in which they were measured";
    if (!history->by_commit && *history->no_git)
        order = gb_arena_printf(arena, "%s, for %s", order, history->no_git);
    return gb_arena_printf(
        arena,
        "Runs %s; each value is the rate over that in the run before: SLOWER and FASTER are beyond "
        "chance (Mann-Whitney, Holm's correction within each run, alpha %g) and at least %g %% or "
        "what equal runs differ by; SAME is sure to be within that.",
        order, out->judging->alpha, 100 * out->judging->min_effect);
}

static void put_table(gb_history_output *out, const gb_history_series *s, gb_table_format format)
{
    gb_arena *arena = &out->history->sides.arena;
    if (s->count < 2) return; /* end_text says so of all */
    gb_table table = {.title = gb_arena_printf(arena, "%s on %s", s->experiment, s->device),
                      .label = gb_arena_printf(arena, "history %s %s", s->experiment, s->device),
                      .caption = out->tables ? "" : caption_of(arena, out)};
    if (out->tables++) putc('\n', out->file);
    fill_grid(arena, s, out->history->by_commit, &table);
    add_remarks(arena, s, &table);
    gb_table_write(arena, &table, format, out->file);
}

static void put_text(void *output, const void *series)
{
    put_table(output, series, GB_TABLE_TEXT);
}

static void put_markdown(void *output, const void *series)
{
    put_table(output, series, GB_TABLE_MARKDOWN);
}

/* What has nothing to be set beside, in a line. */
static void end_text(void *output)
{
    gb_history_output *out = output;
    gb_arena *arena = &out->history->sides.arena;
    const char **names = gb_arena_alloc(arena, (out->history->count + 1) * sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < out->history->count; i++) {
        const gb_history_series *s = &out->history->series[i];
        if (s->count < 2)
            names[count++] = gb_arena_printf(arena, "%s on %s", s->experiment, s->device);
    }
    if (count == 0) return;
    if (out->tables) putc('\n', out->file);
    gb_print_folded(gb_arena_printf(arena, "Measured once, and set beside nothing: %s.",
                                    gb_arena_listed(arena, names, count)),
                    GB_TABLE_WIDTH, out->file);
}

const gb_exporter gb_history_exporters[] = {
    {"text", NULL, put_text, end_text},
    {"markdown", NULL, put_markdown, end_text},
    {"csv", gb_history_begin_csv, gb_history_put_csv, NULL},
    {"json", gb_history_begin_json, gb_history_put_json, gb_history_end_json},
    {NULL, NULL, NULL, NULL}};
