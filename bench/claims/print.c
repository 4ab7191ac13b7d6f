/* Claims and verdicts for people and for programs. */
#include "bench/claims/print.h"

#include "bench/compare/print.h"
#include "bench/rows/select.h"
#include "bench/util/columns.h"
#include "bench/util/wrap.h"
#include "common/text/csv.h"
#include "common/text/number.h"

#include <string.h>

const char **gb_claims_devices(gb_arena *arena, const gb_results *results, size_t *count)
{
    const char **devices = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t s = 0; s < results->set_count; s++) {
        const gb_result_set *set = &results->sets[s];
        for (size_t r = 0; r < set->row_count && !set->published && !set->profile; r++) {
            size_t k = 0;
            while (k < *count && strcmp(devices[k], set->rows[r].device) != 0)
                k++;
            if (k < *count || *set->rows[r].under) continue;
            devices = gb_arena_grow(arena, devices, *count, &capacity, sizeof *devices);
            devices[(*count)++] = set->rows[r].device;
        }
    }
    return devices;
}

/* What the paper says: its number, or nothing. */
static const char *paper_text(gb_arena *arena, const gb_claim *claim)
{
    double value;
    if (!*claim->value || !gb_number_parse(claim->value, &value)) return "";
    if (claim->quantity == GB_CLAIM_CI95) return gb_arena_printf(arena, "%g %%", 100 * value);
    if (strcmp(claim->unit, "1") == 0) return claim->value;
    return gb_arena_printf(arena, "%s %s", gb_axis_readable(arena, claim->value), claim->unit);
}

/* "NVIDIA RTX A4500" as "RTX A4500". */
static const char *short_device(const char *device)
{
    return strncmp(device, "NVIDIA ", 7) == 0 ? device + 7 : device;
}

/* "RTX A4500 (Ampere)" */
static const char *said_of(gb_arena *arena, const gb_claim *claim)
{
    const char *device = short_device(claim->device);
    return *claim->generation ? gb_arena_printf(arena, "%s (%s)", device, claim->generation)
                              : device;
}

enum { COLUMNS = 5, STUBS = 3, WIDTH = 100 };

/* What was measured, and why nothing is decided. */
static const char *here_text(gb_arena *arena, const gb_claim_result *r)
{
    return *r->reason ? gb_arena_printf(arena, "%s; %s", r->measured, r->reason) : r->measured;
}

static void add_line(gb_arena *arena, gb_table_panel *panel, const gb_claim_result *r)
{
    const char *const cells[COLUMNS] = {gb_claim_verdict_names[r->verdict], r->claim->statement,
                                        said_of(arena, r->claim), paper_text(arena, r->claim),
                                        here_text(arena, r)};
    memcpy(gb_table_add_line(arena, panel, false), cells, sizeof cells);
}

static gb_table_panel *add_panel(gb_arena *arena, gb_table *table, const char *title,
                                 const char *device)
{
    gb_table_panel *panel = gb_table_add_panel(arena, table, title, COLUMNS, STUBS);
    const char *const head[COLUMNS] = {"verdict", "claim", "said of", "paper",
                                       short_device(device)};
    memcpy(panel->head, head, sizeof head);
    return panel;
}

const char *gb_claims_counted(gb_arena *arena, const gb_claims *claims, const gb_results *results,
                              const gb_noise *noise, const char *device, const char *paper)
{
    size_t of[GB_CLAIM_VERDICT_COUNT] = {0};
    for (size_t i = 0; i < claims->count; i++) {
        if (paper && strcmp(claims->items[i].paper, paper) != 0) continue;
        of[gb_claim_test(arena, &claims->items[i], results, noise, device).verdict]++;
    }
    return gb_arena_printf(arena,
                           "Of what these measurements can show %zu hold, %zu fail, %zu are "
                           "undecided and %zu were not tested. Besides, %zu are true by "
                           "construction, %zu were said of another GPU, on which alone they can be "
                           "decided, and %zu are about how the authors measured.",
                           of[GB_CLAIM_HOLDS], of[GB_CLAIM_FAILS], of[GB_CLAIM_UNDECIDED],
                           of[GB_CLAIM_NOT_TESTED], of[GB_CLAIM_BY_CONSTRUCTION],
                           of[GB_CLAIM_OTHER_GPU], of[GB_CLAIM_THEIR_PROCEDURE]);
}

gb_table gb_claims_table(gb_arena *arena, const gb_claims *claims, const gb_results *results,
                         const gb_noise *noise, const char *device, const char *paper)
{
    gb_table table = {.title = gb_arena_printf(arena, "The papers' claims on %s", device),
                      .label = gb_arena_printf(arena, "claims %s", device)};
    gb_table_panel *panel = NULL;
    const char *last = "";
    for (size_t i = 0; i < claims->count; i++) {
        const gb_claim *claim = &claims->items[i];
        if (paper && strcmp(claim->paper, paper) != 0) continue;
        if (!panel || strcmp(last, claim->paper) != 0) {
            last = claim->paper;
            panel = add_panel(arena, &table, last, device);
        }
        const gb_claim_result r = gb_claim_test(arena, claim, results, noise, device);
        if (panel) add_line(arena, panel, &r);
    }
    table.caption = gb_arena_printf(
        arena,
        "%s A claim is decided where what it rests on lies, with its 95 %% interval, on one side "
        "of "
        "the criterion. Where a paper gives no number, what is taken for one stands in the column "
        "note of results/published.",
        gb_claims_counted(arena, claims, results, noise, device, paper));
    return table;
}

/* Statements are too long for the columns of a text table: they come last. */
static void print_text(const gb_table *table, FILE *file)
{
    fprintf(file, "%s\n", table->title);
    gb_print_folded(table->caption, WIDTH, file);
    for (size_t p = 0; p < table->panel_count; p++) {
        const gb_table_panel *panel = &table->panels[p];
        const char *const headers[] = {"", "SAID OF", "PAPER", panel->head[4], "CLAIM", NULL};
        gb_columns *columns = gb_columns_new(headers);
        for (size_t r = 0; r < panel->row_count; r++) {
            const char **cells = panel->rows[r];
            gb_columns_add(columns,
                           (const char *[]){cells[0], cells[2], cells[3], cells[4], cells[1]});
        }
        fprintf(file, "\n%s\n", panel->title);
        gb_columns_print(file, columns, 2);
        gb_columns_free(columns);
    }
}

/* ---- rows behind them ------------------------------------------------------------------------ */

static const char *const evidence_words[] = {
    [GB_POINT_UNSURE] = "unsure", [GB_POINT_HOLDS] = "holds", [GB_POINT_FAILS] = "fails"};

gb_table gb_claim_points_table(gb_arena *arena, const gb_claim_result *r, size_t most)
{
    const gb_claim *claim = r->claim;
    gb_table table = {.title = "What the verdict rests on",
                      .caption = gb_arena_printf(
                          arena, "%s, if %s%s%s.%s%s%s%s", claim->locator, claim->condition.text,
                          *r->statistic ? "; " : "", r->statistic, *claim->note ? " " : "",
                          claim->note, *claim->assumption ? " Assumed: " : "", claim->assumption)};
    if (r->point_count == 0) return table;
    gb_table_panel *panel = gb_table_add_panel(arena, &table, "", 5, 5);
    const char *const head[] = {"evidence", "value (95 % interval)", "variant", "point", "against"};
    memcpy(panel->head, head, sizeof head);
    for (size_t i = 0; i < r->point_count && (most == 0 || i < most); i++) {
        const gb_claim_point *p = &r->points[i];
        const bool same_point = p->other && strcmp(gb_row_point(arena, r->set, p->row),
                                                   gb_row_point(arena, r->set, p->other)) == 0;
        const char *const cells[] = {
            evidence_words[p->evidence],
            p->why ? gb_arena_printf(arena, "%s: %s", gb_claim_point_text(arena, claim, p), p->why)
                   : gb_claim_point_text(arena, claim, p),
            p->row->variant, gb_row_point(arena, r->set, p->row),
            !p->other    ? ""
            : same_point ? p->other->variant
                         : gb_arena_printf(arena, "%s, %s", p->other->variant,
                                           gb_row_point(arena, r->set, p->other))};
        memcpy(gb_table_add_line(arena, panel, false), cells, sizeof cells);
    }
    if (most && r->point_count > most)
        gb_table_add_remark(arena, &table,
                            gb_arena_printf(arena, "... and %zu more", r->point_count - most));
    return table;
}

/* What is shown of a claim at most. */
enum { MOST_POINTS = 40 };

static void print_rows(gb_arena *arena, const gb_claim_result *r, FILE *file)
{
    const gb_table table = gb_claim_points_table(arena, r, MOST_POINTS);
    putc('\n', file);
    gb_put_line(file, 0, "%s (%s)  %s: %s", gb_claim_verdict_names[r->verdict],
                gb_claim_class_names[r->claim->class], r->claim->paper, r->claim->statement);
    gb_print_folded(here_text(arena, r), WIDTH, file);
    gb_print_folded(table.caption, WIDTH, file);
    if (table.panel_count == 0) return;
    gb_columns *columns = gb_columns_new(
        (const char *const[]){"EVIDENCE", "VALUE", "VARIANT", "POINT", "AGAINST", NULL});
    for (size_t i = 0; i < table.panels[0].row_count; i++)
        gb_columns_add(columns, table.panels[0].rows[i]);
    gb_columns_print(file, columns, 4);
    gb_columns_free(columns);
    for (size_t i = 0; i < table.remark_count; i++)
        fprintf(file, "    %s\n", table.remarks[i]);
}

/* ---- formats --------------------------------------------------------------------------------- */

static void begin_csv(void *output)
{
    const gb_claims_output *out = output;
    fputs("paper,locator,statement,said_of,generation,device,quantity_value,unit,class,measured,"
          "verdict,"
          "reason,holds_if,statistic,points,holding,failing,experiment,assumption,note\n",
          out->file);
}

static void put_record(gb_arena *arena, const gb_claim_result *r, const char *device, FILE *file)
{
    const gb_claim *c = r->claim;
    const char *const fields[] = {c->paper,
                                  c->locator,
                                  c->statement,
                                  c->device,
                                  c->generation,
                                  device,
                                  c->value,
                                  c->unit,
                                  gb_claim_class_names[c->class],
                                  r->measured,
                                  gb_claim_verdict_names[r->verdict],
                                  r->reason,
                                  c->condition.text,
                                  r->statistic,
                                  gb_arena_printf(arena, "%zu", r->point_count),
                                  gb_arena_printf(arena, "%zu", r->holding),
                                  gb_arena_printf(arena, "%zu", r->failing),
                                  c->experiment,
                                  c->assumption,
                                  c->note};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        gb_csv_put(file, fields[i], i == 0);
    putc('\n', file);
}

static gb_claim_result test(const gb_claims_output *out, size_t claim, const char *device)
{
    return gb_claim_test(out->arena, &out->claims->items[claim], out->results, out->noise, device);
}

static void put_csv(void *output, const void *device)
{
    const gb_claims_output *out = output;
    for (size_t i = 0; i < out->claims->count; i++) {
        const gb_claim_result r = test(out, i, device);
        put_record(out->arena, &r, device, out->file);
    }
}

/* The points behind a claim as a table of their own. */
static void put_rows(const gb_claims_output *out, const gb_claim_result *r, const char *device,
                     gb_table_format format)
{
    const gb_claim *claim = r->claim;
    gb_table table = gb_claim_points_table(out->arena, r, MOST_POINTS);
    if (table.panel_count == 0) return;
    table.title = gb_arena_printf(out->arena, "%s: %s: %s", gb_claim_verdict_names[r->verdict],
                                  claim->paper, claim->statement);
    table.label = gb_arena_printf(out->arena, "claims %s %zu", device,
                                  (size_t)(claim - out->claims->items) + 1);
    putc('\n', out->file);
    gb_table_write(out->arena, &table, format, out->file);
}

/* Text has its own columns. */
static void put_table(gb_claims_output *out, const char *device, gb_table_format format)
{
    const gb_table table =
        gb_claims_table(out->arena, out->claims, out->results, out->noise, device, NULL);
    if (out->tables++) putc('\n', out->file);
    if (format == GB_TABLE_TEXT)
        print_text(&table, out->file);
    else
        gb_table_write(out->arena, &table, format, out->file);
    for (size_t i = 0; out->rows && i < out->claims->count; i++) {
        const gb_claim_result r = test(out, i, device);
        if (format == GB_TABLE_TEXT)
            print_rows(out->arena, &r, out->file);
        else
            put_rows(out, &r, device, format);
    }
}

static void put_text(void *output, const void *device)
{
    put_table(output, device, GB_TABLE_TEXT);
}

static void put_markdown(void *output, const void *device)
{
    put_table(output, device, GB_TABLE_MARKDOWN);
}

static void put_latex(void *output, const void *device)
{
    put_table(output, device, GB_TABLE_LATEX);
}

const gb_exporter gb_claims_exporters[] = {{"text", NULL, put_text, NULL},
                                           {"markdown", NULL, put_markdown, NULL},
                                           {"latex", NULL, put_latex, NULL},
                                           {"csv", begin_csv, put_csv, NULL},
                                           {NULL, NULL, NULL, NULL}};
