/* Projections and how wrong they are, for people. */
#include "bench/project/print.h"
#include "bench/project/words.h"

#include "bench/table/numbers.h"
#include "bench/table/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *percent_text(gb_arena *arena, double share)
{
    return gb_arena_printf(arena, "%.0f", share * 100);
}

/* ---- a projection ---------------------------------------------------------------------------- */

enum { VARIANT, POINT, TIME, FROM, TO, RATE, NEAREST, MEMORY, ISSUE, REST, COLUMNS };

static gb_table_panel *panel_of(gb_projection *p, gb_table *table, const gb_projected *item)
{
    gb_arena *arena = &p->measured->sides->arena;
    const gb_result_set *set = item->series->set;
    for (size_t i = 0; i < table->panel_count; i++)
        if (strcmp(table->panels[i].title, set->experiment) == 0) return &table->panels[i];
    gb_table_panel *panel = gb_table_add_panel(arena, table, set->experiment, COLUMNS, TIME);
    const char *const head[COLUMNS] = {
        [VARIANT] = "variant",
        [POINT] = "point",
        [TIME] = "ms",
        [FROM] = "from",
        [TO] = "to",
        [RATE] = gb_arena_printf(arena, "10⁹ %s/s", item->series->row->unit),
        [NEAREST] = "nearest, ms",
        [MEMORY] = "memory, %",
        [ISSUE] = "issue, %",
        [REST] = "rest, %"};
    memcpy(panel->head, head, sizeof head);
    return panel;
}

static void add_item(gb_projection *p, gb_table *table, const gb_projected *item)
{
    gb_arena *arena = &p->measured->sides->arena;
    const gb_series *series = item->series;
    const char **cells = gb_table_add_line(arena, panel_of(p, table, item), false);
    cells[VARIANT] = series->row->variant;
    cells[POINT] = *item->doubt ? gb_arena_printf(arena, "%s (%s)", series->readable, item->doubt)
                                : series->readable;
    cells[TIME] = gb_ms_text(arena, item->span.time_s);
    cells[FROM] = gb_ms_text(arena, item->span.lo_s);
    cells[TO] = gb_ms_text(arena, item->span.hi_s);
    cells[RATE] = gb_significant(arena, series->items / item->span.time_s / 1e9, 3);
    cells[NEAREST] = gb_ms_text(arena, item->nearest_s);
    cells[MEMORY] = percent_text(arena, item->share[GB_TERM_MEMORY]);
    cells[ISSUE] = percent_text(arena, item->share[GB_TERM_ISSUE]);
    cells[REST] = percent_text(arena, item->share[GB_TERM_LATENCY] + item->share[GB_TERM_LAUNCH]);
}

static const char *range_text(gb_arena *arena, double lo, double hi, const char *unit)
{
    return hi - lo < 0.5 ? gb_arena_printf(arena, "%.0f %s", hi, unit)
                         : gb_arena_printf(arena, "%.0f to %.0f %s", lo, hi, unit);
}

/* "... is taken to have 56 multiprocessors at 1650 MHz, and to copy 573 to 579 GB/s ..." */
static const char *target_text(gb_arena *arena, const gb_target *target)
{
    const gb_machine *slow = &target->slow, *fast = &target->fast;
    return gb_arena_printf(
        arena,
        "%s is taken to have %.0f multiprocessors at %s, and to copy %s: %.3f to %.3f of its data "
        "sheet's bandwidth, as on the cards measured%s.",
        slow->model, slow->sms,
        range_text(arena, slow->clock_hz / 1e6, fast->clock_hz / 1e6, "MHz"),
        range_text(arena, slow->bytes_per_s / 1e9, fast->bytes_per_s / 1e9, "GB/s"),
        target->share_lo, target->share_hi,
        target->boards ? "; the name covers several boards" : "");
}

static const char *beyond_text(gb_arena *arena, const gb_target *target)
{
    const char *words[3];
    size_t count = 0;
    if (target->sms_beyond) words[count++] = "multiprocessors";
    if (target->bandwidth_beyond) words[count++] = "bandwidth";
    if (target->clock_beyond) words[count++] = "clock";
    const char *beyond = count ? gb_arena_printf(arena, "Beyond what was measured: its %s. ",
                                                 gb_arena_listed(arena, words, count))
                               : "";
    const char *other =
        target->other_architecture
            ? gb_arena_printf(arena,
                              "It is of another architecture (%s): what that changes, shared "
                              "memory, atomics, the L2, no term knows.",
                              *target->middle.architecture ? target->middle.architecture
                                                           : "unknown")
            : "";
    return gb_arena_printf(arena, "%s%s", beyond, other);
}

static gb_table projection_table(gb_projection *p)
{
    gb_arena *arena = &p->measured->sides->arena;
    const char *model = p->target.middle.model;
    gb_table table = {.title = gb_arena_printf(arena, "Projected onto %s (experimental)", model),
                      .label = gb_arena_printf(arena, "projected %s", model)};
    table.caption = gb_arena_printf(
        arena,
        "Nobody measured these times: laws of few terms, fitted to what was measured on other "
        "cards, say them. From and to are the ends of an interval that is meant to hold 95 %% of "
        "them; nearest is what was measured on %s; memory, issue and rest (latency, launches) are "
        "the terms' shares.",
        p->nearest ? p->nearest->machine.model : "no card");
    for (size_t i = 0; i < p->count; i++)
        add_item(p, &table, &p->items[i]);
    gb_table_add_remark(arena, &table, target_text(arena, &p->target));
    const char *beyond = beyond_text(arena, &p->target);
    if (*beyond) gb_table_add_remark(arena, &table, beyond);
    for (size_t i = 0; i < p->verdict_count; i++)
        gb_table_add_remark(arena, &table, gb_verdict_text(arena, &p->verdicts[i]));
    for (size_t i = 0; i < p->reason_count; i++)
        gb_table_add_remark(arena, &table,
                            gb_arena_printf(arena, "Left out: %zu rows that %s.",
                                            p->reasons[i].rows, p->reasons[i].text));
    return table;
}

/* ---- a validation ---------------------------------------------------------------------------- */

enum { PRIMITIVE, LEFT_OUT, CARD, GUESSES, TYPICAL, OF90, TENDENCY, WORST, CHECK_COLUMNS };

static void add_checks(gb_arena *arena, const gb_validation *v, gb_table *table)
{
    gb_table_panel *panel = gb_table_add_panel(arena, table, "", CHECK_COLUMNS, GUESSES);
    const char *const head[CHECK_COLUMNS] = {
        "primitive", "what was left out", "card", "guesses", "typical", "90 %", "tends", "worst"};
    memcpy(panel->head, head, sizeof head);
    for (size_t i = 0; i < v->check_count; i++) {
        const gb_check *check = &v->checks[i];
        const bool first = i == 0 || strcmp(check->primitive, v->checks[i - 1].primitive) != 0;
        const char **cells = gb_table_add_line(arena, panel, first && i > 0);
        cells[PRIMITIVE] = check->primitive;
        cells[LEFT_OUT] = gb_check_names[check->kind];
        cells[CARD] = check->held;
        cells[GUESSES] = gb_arena_printf(arena, "%zu", check->count);
        cells[TYPICAL] = gb_factor_text(arena, check->typical);
        cells[OF90] = gb_factor_text(arena, check->of90);
        cells[TENDENCY] = gb_factor_text(arena, check->tendency);
        cells[WORST] = gb_factor_text(arena, exp(fabs(check->worst->error)));
    }
}

/* Where the guesses of a check are further off than the limit: variants, each by its furthest. */
static void add_wrong(gb_arena *arena, const gb_validation *v, const gb_check *check,
                      gb_table_panel *panel)
{
    bool first = true;
    for (size_t i = 0; i < v->guess_count; i++) {
        const gb_guess *guess = &v->guesses[i];
        bool furthest =
            guess->kind == check->kind && strcmp(guess->primitive, check->primitive) == 0 &&
            strcmp(guess->held, check->held) == 0 && exp(fabs(guess->error)) > gb_project_limit;
        size_t off = 0, all = 0;
        for (size_t k = 0; furthest && k < v->guess_count; k++) {
            const gb_guess *other = &v->guesses[k];
            if (other->kind != guess->kind || strcmp(other->held, guess->held) != 0 ||
                strcmp(other->primitive, guess->primitive) != 0 ||
                strcmp(other->variant, guess->variant) != 0)
                continue;
            all++;
            off += exp(fabs(other->error)) > gb_project_limit;
            furthest = fabs(other->error) < fabs(guess->error) ||
                       (fabs(other->error) == fabs(guess->error) && k >= i);
        }
        if (!furthest) continue;
        const char **cells = gb_table_add_line(arena, panel, first && panel->row_count > 0);
        first = false;
        cells[0] = check->primitive;
        cells[1] = gb_arena_printf(arena, "%s, %s", gb_check_names[check->kind], check->held);
        cells[2] = guess->variant;
        cells[3] = gb_arena_printf(arena, "%s %s%s", guess->experiment, guess->readable,
                                   check->kind == GB_CHECK_LIMIT || check->kind == GB_CHECK_EDGE
                                       ? gb_arena_printf(arena, ", %g SMs", guess->sms)
                                       : "");
        cells[4] = gb_arena_printf(arena, "%zu of %zu", off, all);
        cells[5] = gb_ms_text(arena, guess->time_s);
        cells[6] = gb_ms_text(arena, guess->truth_s);
        cells[7] = gb_factor_text(arena, exp(guess->error));
    }
}

static gb_table validation_table(gb_arena *arena, const gb_validation *v)
{
    gb_table table = {
        .title = "How wrong projections are (experimental)",
        .label = "projections",
        .caption = gb_arena_printf(
            arena,
            "What is known was left out, guessed from the rest, and held against it. "
            "Factors: typical is the geometric mean of how far guesses are off either "
            "way, 90 %% of them are off by no more than the next; tends is the "
            "geometric mean of guessed over true times. A primitive of which 90 %% "
            "reach beyond %s is refused.",
            gb_factor_text(arena, gb_project_limit))};
    add_checks(arena, v, &table);
    gb_table_panel *panel = gb_table_add_panel(arena, &table, "Where it is wrong", 8, 4);
    const char *const head[] = {"primitive", "what was left out", "variant",  "furthest off",
                                "too far",   "guessed, ms",       "true, ms", "factor"};
    memcpy(panel->head, head, sizeof head);
    for (size_t i = 0; i < v->check_count; i++)
        add_wrong(arena, v, &v->checks[i], panel);
    if (panel->row_count == 0) {
        table.panel_count--;
        gb_table_add_remark(arena, &table,
                            gb_arena_printf(arena, "No guess is off by more than a factor of %s.",
                                            gb_factor_text(arena, gb_project_limit)));
    }
    return table;
}

/* ---- formats --------------------------------------------------------------------------------- */

static void put_projection(void *output, const void *item, gb_table_format format)
{
    const gb_project_output *out = output;
    gb_projection p = *(const gb_projection *)item;
    const gb_table table = projection_table(&p);
    gb_table_write(out->arena, &table, format, out->file);
}

static void put_validation(void *output, const void *item, gb_table_format format)
{
    const gb_project_output *out = output;
    const gb_table table = validation_table(out->arena, item);
    gb_table_write(out->arena, &table, format, out->file);
}

static void projection_text(void *output, const void *item)
{
    put_projection(output, item, GB_TABLE_TEXT);
}

static void projection_markdown(void *output, const void *item)
{
    put_projection(output, item, GB_TABLE_MARKDOWN);
}

static void validation_text(void *output, const void *item)
{
    put_validation(output, item, GB_TABLE_TEXT);
}

static void validation_markdown(void *output, const void *item)
{
    put_validation(output, item, GB_TABLE_MARKDOWN);
}

const gb_exporter gb_projection_exporters[] = {{"text", NULL, projection_text, NULL},
                                               {"markdown", NULL, projection_markdown, NULL},
                                               {"csv", NULL, gb_projection_put_csv, NULL},
                                               {"json", NULL, gb_projection_put_json, NULL},
                                               {NULL, NULL, NULL, NULL}};
const gb_exporter gb_validation_exporters[] = {{"text", NULL, validation_text, NULL},
                                               {"markdown", NULL, validation_markdown, NULL},
                                               {"csv", NULL, gb_validation_put_csv, NULL},
                                               {"json", NULL, gb_validation_put_json, NULL},
                                               {NULL, NULL, NULL, NULL}};
