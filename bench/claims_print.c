/* Claims and verdicts for people and for programs. */
#include "bench/claims_print.h"

#include "bench/columns.h"
#include "bench/compare_print.h"
#include "bench/result_select.h"
#include "common/csv.h"

#include <string.h>

bool gb_claims_format_parse(const char *name, gb_claims_format *format)
{
    static const char *const names[] = {"text", "markdown", "latex", "csv"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(names[i], name) != 0) continue;
        *format = (gb_claims_format)i;
        return true;
    }
    return false;
}

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
            if (k < *count) continue;
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

enum { COLUMNS = 5, STUBS = 3 };

static void add_line(gb_arena *arena, gb_table_panel *panel, const gb_claim_result *r)
{
    const char *const cells[COLUMNS] = {gb_claim_verdict_names[r->verdict], r->claim->statement,
                                        short_device(r->claim->device), paper_text(arena, r->claim),
                                        r->measured};
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

gb_table gb_claims_table(gb_arena *arena, const gb_claims *claims, const gb_results *results,
                         const char *device, const char *paper)
{
    gb_table table = {.title = gb_arena_printf(arena, "The papers' claims on %s", device)};
    size_t verdicts[GB_CLAIM_VERDICT_COUNT] = {0};
    gb_table_panel *panel = NULL;
    const char *last = "";
    for (size_t i = 0; i < claims->count; i++) {
        const gb_claim *claim = &claims->items[i];
        if (paper && strcmp(claim->paper, paper) != 0) continue;
        if (!panel || strcmp(last, claim->paper) != 0) {
            last = claim->paper;
            panel = add_panel(arena, &table, last, device);
        }
        const gb_claim_result r = gb_claim_test(arena, claim, results, device);
        verdicts[r.verdict]++;
        if (panel) add_line(arena, panel, &r);
    }
    table.caption = gb_arena_printf(
        arena,
        "%zu hold, %zu fail, %zu are not tested. A verdict is about this GPU: what a paper says of "
        "another generation may be true there. Where a paper gives no number, what is taken for "
        "one stands in the column note of results/published.",
        verdicts[GB_CLAIM_HOLDS], verdicts[GB_CLAIM_FAILS], verdicts[GB_CLAIM_NOT_TESTED]);
    return table;
}

static void print_folded(const char *text, FILE *file)
{
    enum { WIDTH = 100 };
    while (strlen(text) > WIDTH) {
        int length = WIDTH;
        while (length > 1 && text[length] != ' ')
            length--;
        fprintf(file, "%.*s\n", length, text);
        text += length + 1;
    }
    fprintf(file, "%s\n", text);
}

/* Statements are too long for the columns of a text table: they come last. */
static void print_text(const gb_table *table, FILE *file)
{
    fprintf(file, "%s\n", table->title);
    print_folded(table->caption, file);
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

static void print_rows(gb_arena *arena, const gb_claim_result *r, FILE *file)
{
    enum { MOST = 40 };
    fprintf(file, "\n%s  %s: %s\n  %s; %s, if %s%s%s\n", gb_claim_verdict_names[r->verdict],
            r->claim->paper, r->claim->statement, r->measured, r->claim->locator,
            r->claim->condition.text, *r->claim->note ? "; " : "", r->claim->note);
    for (size_t i = 0; i < r->point_count && i < MOST; i++) {
        const gb_claim_point *p = &r->points[i];
        fprintf(file, "    %s %-10s %s, %s%s%s\n", p->holds ? "+" : "-",
                gb_claim_point_text(arena, r->claim, p), p->row->variant,
                gb_pair_key(arena, r->set, p->row), p->other ? " against " : "",
                p->other ? gb_arena_printf(arena, "%s, %s", p->other->variant,
                                           gb_pair_key(arena, r->set, p->other))
                         : "");
    }
    if (r->point_count > MOST) fprintf(file, "    ... and %zu more\n", r->point_count - MOST);
}

static void put_csv(gb_arena *arena, const gb_claim_result *r, const char *device, bool header,
                    FILE *file)
{
    if (header)
        fputs(
            "paper,locator,statement,said_of,device,quantity_value,unit,measured,verdict,holds_if,"
            "points,holding,experiment,note\n",
            file);
    const gb_claim *c = r->claim;
    const char *const fields[] = {c->paper,         c->locator,  c->statement,
                                  c->device,        device,      c->value,
                                  c->unit,          r->measured, gb_claim_verdict_names[r->verdict],
                                  c->condition.text};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        gb_csv_put(file, fields[i], i == 0);
    gb_csv_put(file, gb_arena_printf(arena, "%zu", r->point_count), false);
    gb_csv_put(file, gb_arena_printf(arena, "%zu", r->holding), false);
    gb_csv_put(file, c->experiment, false);
    gb_csv_put(file, c->note, false);
    putc('\n', file);
}

void gb_claims_print(gb_arena *arena, const gb_claims *claims, const gb_results *results,
                     const char *device, gb_claims_format format, bool rows, bool header,
                     FILE *file)
{
    if (format != GB_CLAIMS_CSV) {
        const gb_table table = gb_claims_table(arena, claims, results, device, NULL);
        if (format == GB_CLAIMS_TEXT)
            print_text(&table, file);
        else
            gb_table_write(arena, &table,
                           format == GB_CLAIMS_MARKDOWN ? GB_TABLE_MARKDOWN : GB_TABLE_LATEX, file);
    }
    for (size_t i = 0; i < claims->count; i++) {
        if (format != GB_CLAIMS_CSV && !rows) break;
        const gb_claim_result r = gb_claim_test(arena, &claims->items[i], results, device);
        if (format == GB_CLAIMS_CSV)
            put_csv(arena, &r, device, header && i == 0, file);
        else
            print_rows(arena, &r, file);
    }
}
