/* A block of `gpubench table`: captions, heads of rows and columns, notes, remarks. */
#include "tests/delivery/document_table.h"
#include "bench/rows/published.h"
#include "bench/table/axes.h"
#include "bench/util/share.h"

#include "bench/rows/noise.h"
#include "bench/table/build.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *option_of(const block *b, const char *name)
{
    for (size_t i = 0; i + 1 < b->word_count; i++)
        if (begins(b->words[i], "--") && strcmp(b->words[i] + 2, name) == 0) return b->words[i + 1];
    return NULL;
}

/* ---- captions -------------------------------------------------------------------------------- */

static void read_held(table_check *c, const char *part)
{
    gb_arena *arena = &c->d->arena;
    const size_t length = strcspn(part, " ");
    const char *first = gb_arena_strndup(arena, part, length), *second = part + length + 1;
    if (strcmp(second, "cache") == 0) {
        c->cache = first;
    } else if (strcmp(second, "scope") == 0) {
        c->scope = first;
    } else if (strcmp(first, gb_best) != 0) {
        const int axis = gb_result_axis(c->set, first);
        if (axis < 0 || c->drawn[axis])
            lose(c->d, c->b, c->line, "'%s' is no axis that the table leaves out", part);
        else
            c->held[axis] = second;
    }
}

/* "up to 100", "10 to 30": what the rows of the table have. */
static void check_samples(table_check *c, const char *part)
{
    unsigned long most = 0, fewest = 0;
    for (size_t i = 0; i < c->set->row_count; i++) {
        const gb_result_row *row = &c->set->rows[i];
        if (!is_in_slice(c, row) || row->samples == 0) continue;
        if (row->samples > most) most = row->samples;
        if (fewest == 0 || row->samples < fewest) fewest = row->samples;
    }
    const char *from = fewest < most ? gb_arena_printf(&c->d->arena, "%lu", fewest) : "up";
    const char *text = gb_arena_printf(&c->d->arena, "%s to %lu samples a value", from, most);
    if (strcmp(part, text) == 0)
        c->d->found++;
    else
        lose(c->d, c->b, c->line, "'%s': the rows say '%s'", part, text);
}

static void check_device(table_check *c, const char *names)
{
    for (size_t i = 0; i < c->set->row_count; i++)
        if (strstr(names, c->set->rows[i].device)) return;
    lose(c->d, c->b, c->line, "no row is of '%s'", names);
}

static void read_caption(table_check *c, const char *line)
{
    static const char measured[] = ". Measured on ";
    const char *interval = c->layout.ratio_count == 0 ? "95 % intervals where wider than ±0.5 %"
                           : begins(line, "Ratios of rates.")
                               ? "95 % intervals"
                               : "95 % intervals of ratios and of values where wider than ±0.5 %";
    static const char single[] = "n = 1: one sample", none[] = "which has none";
    gb_arena *arena = &c->d->arena;
    const char *devices = strstr(line, measured), *list = devices ? strstr(devices, ": ") : NULL;
    const gb_table_layout *layout = &c->layout;
    const char *unit =
        gb_arena_printf(arena, "%s in %s.",
                        layout->quantity == GB_QUANTITY_RATE ? "Throughput" : "Time", layout->unit);
    memset(c->held, 0, sizeof c->held);
    c->cache = c->scope = NULL;
    c->seen_count = 0;
    if (!list || !(begins(line, unit) || begins(line, "Ratios of rates."))) {
        lose(c->d, c->b, c->line, "no caption of this layout: '%s'", line);
        return;
    }
    devices += strlen(measured);
    check_device(c, gb_arena_strndup(arena, devices, (size_t)(list - devices)));
    for (char *rest = gb_arena_strdup(arena, list + 2), *part; (part = strsep(&rest, ","));) {
        part += strspn(part, " ");
        const size_t length = strlen(part);
        if (!rest && length && part[length - 1] == '.') part[length - 1] = '\0';
        if (strstr(part, " samples a value"))
            check_samples(c, part);
        else if (strcmp(part, interval) != 0 && strcmp(part, single) != 0 &&
                 strcmp(part, none) != 0)
            read_held(c, part);
    }
}

/* ---- notes and remarks ----------------------------------------------------------------------- */

/* "¹ LABEL: REASON": of a row, word by word. */
static bool is_reason(table_check *c, const char *text)
{
    static const char differs[] = " (the numbers in this reason differ from cell to cell)";
    const char *reason = strstr(text, ": ");
    const char *label = strchr(text, ' '); /* behind the mark */
    if (!reason || !label || label > reason) return false;
    label = gb_arena_strndup(&c->d->arena, label + 1, (size_t)(reason - label) - 1);
    if (strcmp(label, "assumed") != 0 && !series_of_label(c, label).of) return false;
    reason += 2;
    const char *end = strstr(reason, differs);
    const size_t length = end ? (size_t)(end - reason) : strlen(reason);
    const gb_result_set *const sets[] = {c->set, c->paper};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; sets[k] && i < sets[k]->row_count; i++) {
            const gb_result_row *row = &sets[k]->rows[i];
            const char *const texts[] = {row->reason, row->assumption ? row->assumption : ""};
            for (size_t t = 0; t < 2; t++)
                if (strlen(texts[t]) == length && strncmp(texts[t], reason, length) == 0)
                    return true;
        }
    return false;
}

/* Whether places are those of a cell whose row has these best values: "radius 1, 2", "x 512 and
 * radius 1". */
static bool is_place(table_check *c, const gb_result_row *row, const char *place)
{
    gb_arena *arena = &c->d->arena;
    const char *text = "", *last = "";
    for (unsigned a = 0; a < c->set->axis_count; a++) {
        if (!c->drawn[a]) continue;
        last = gb_axis_readable(arena, row->axis[a]);
        text =
            gb_arena_printf(arena, "%s%s%s %s", text, *text ? " and " : "", c->set->axes[a], last);
    }
    return strcmp(place, text) == 0 || strcmp(place, last) == 0;
}

/* "7 of 12", or places, of rows of a series that are the best with these values. */
static bool are_places(table_check *c, const char *series, const char *value, const char *places)
{
    gb_arena *arena = &c->d->arena;
    size_t count = 0, of = 0;
    for (size_t i = 0; i < c->seen_count; i++) {
        const seen_cell *cell = &c->seen[i];
        if (!cell->row || !begins(series, cell->label)) continue;
        of++;
        count += strcmp(best_of_row(c, cell->row), value) == 0;
    }
    if (count == 0) return false;
    if (strcmp(places, gb_arena_printf(arena, "%zu of %zu", count, of)) == 0) return true;
    for (char *rest = gb_arena_strdup(arena, places), *place;
         *places && (place = strsep(&rest, ","));) {
        bool good = false;
        for (size_t i = 0; i < c->seen_count && !good; i++)
            good = c->seen[i].row && begins(series, c->seen[i].label) &&
                   strcmp(best_of_row(c, c->seen[i].row), value) == 0 &&
                   is_place(c, c->seen[i].row, place + strspn(place, " "));
        if (!good) return false;
    }
    return true;
}

/* "LABEL, H200: best block 256x1x1 (radius 1), 128x2x1 (radius 2, 3); 2 failed" */
static bool is_best_remark(table_check *c, const char *line)
{
    gb_arena *arena = &c->d->arena;
    const char *at = strstr(line, ": best ");
    if (!at) return false;
    const char *series = gb_arena_strndup(arena, line, (size_t)(at - line));
    at += strlen(": best ");
    at += strcspn(at, " ");
    while (*at == ' ' || *at == ',') {
        at += strspn(at, ", ");
        size_t length = strcspn(at, " ,;");
        const char *value = gb_arena_strndup(arena, at, length), *places = "";
        at += length;
        if (begins(at, " (")) {
            length = strcspn(at, ")");
            places = gb_arena_strndup(arena, at + 2, length - 2);
            at += length + 1;
        }
        if (!are_places(c, series, value, places)) return false;
    }
    return *at == '\0' || (*at == ';' && strstr(at, " failed"));
}

/* "LABEL, H200: 0.85 to 1.06." */
static bool is_range_remark(table_check *c, const char *line)
{
    const char *at = strstr(line, ": ");
    gb_ratio least = {0}, most = {0};
    if (!at) return false;
    for (size_t i = 0; i < c->seen_count; i++) {
        const seen_cell *cell = &c->seen[i];
        if (cell->row || !begins(line, cell->label)) continue;
        if (least.value == 0 || cell->ratio.value < least.value) least = cell->ratio;
        if (cell->ratio.value > most.value) most = cell->ratio;
    }
    at += 2;
    if (!(most.value > 0) || !takes_ratio(&at, &least) || !begins(at, " to ")) return false;
    at += strlen(" to ");
    return takes_ratio(&at, &most) && strcmp(at, ".") == 0;
}

static bool is_title(const table_check *c, const char *line)
{
    if (strcmp(line, gb_arena_printf(&c->d->arena, "**%s**", c->layout.title)) == 0) return true;
    for (size_t i = 0; i < c->layout.panel_count; i++)
        if (strcmp(line, c->layout.panels[i].title) == 0) return true;
    return false;
}

static void check_text(table_check *c, const char *line)
{
    static const char unstable[] = "unstable: the samples scatter so much that the 95 % interval "
                                   "would reach 0; take more of them.";
    if (begins(line, "Throughput in ") || begins(line, "Time in ") ||
        begins(line, "Ratios of rates")) {
        read_caption(c, line);
        return;
    }
    if (!has_number(line) || is_title(c, line) || strcmp(line, unstable) == 0) return;
    if (is_reason(c, line) || is_best_remark(c, line) || is_range_remark(c, line))
        c->d->found++;
    else
        lose(c->d, c->b, c->line, "nothing says '%s'", line);
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* The head of a table and what it says of each column. */
typedef struct panel {
    const char **head;
    size_t count;
    bool named;        /* the variant stands in front of a line, in "version" and "device" */
    const char *label; /* of the line, or that of the ones before */
} panel;

/* Whether some row is of a device that tables call so; with "(paper)", a paper's row. */
static bool is_known_source(const table_check *c, const char *source)
{
    const char *paper = strstr(source, " (paper)");
    const gb_result_set *set = paper ? c->paper : c->set;
    if (paper) source = gb_arena_strndup(&c->d->arena, source, (size_t)(paper - source));
    for (size_t i = 0; set && i < set->row_count; i++)
        if (is_source(source, set->rows[i].device)) return true;
    return false;
}

static void check_line(table_check *c, panel *p, const char **cells, size_t count)
{
    const int column = c->layout.column_axis ? gb_result_axis(c->set, c->layout.column_axis) : -1;
    const char *source = NULL;
    for (size_t i = 0; i < count && i < p->count; i++) {
        const int axis = gb_result_axis(c->set, p->head[i]);
        if (strcmp(p->head[i], "version") == 0) {
            if (*cells[i]) p->label = cells[i];
        } else if (strcmp(p->head[i], "device") == 0) {
            source = unmarked(&c->d->arena, cells[i]);
            if (!is_known_source(c, source)) lose(c->d, c->b, c->line, "no row is of '%s'", source);
        } else if (axis >= 0 && c->drawn[axis] && axis != column) {
            if (*cells[i]) c->at[axis] = cells[i];
        } else {
            const char *head = p->named ? p->label : unmarked(&c->d->arena, p->head[i]);
            shown_series s = series_of_label(c, head);
            if (p->named) s.source = source;
            if (column >= 0) c->at[column] = p->head[i];
            if (s.of)
                check_cell(c, &s, cells[i]);
            else if (has_number(cells[i]))
                lose(c->d, c->b, c->line, "nothing is called '%s'", head);
        }
    }
}

static void check_lines(table_check *c)
{
    panel p = {0};
    bool inside = false;
    for (c->line = 0; c->line < c->b->line_count; c->line++) {
        const char *line = c->b->lines[c->line];
        size_t count;
        const char **cells = cells_of(&c->d->arena, line, &count);
        if (!cells) {
            inside = false;
            check_text(c, line);
        } else if (!inside) {
            p = (panel){.head = cells, .count = count, .label = ""};
            for (size_t i = 0; i < count; i++)
                p.named |= strcmp(cells[i], "version") == 0;
            inside = true;
        } else if (!begins(line, "|---")) {
            check_line(c, &p, cells, count);
        }
    }
}

static bool load(table_check *c, gb_error *error)
{
    gb_arena *arena = &c->d->arena;
    const block *b = c->b;
    for (size_t i = 1; i < b->word_count && !begins(b->words[i], "--"); i++)
        if (!gb_results_add(&c->results, b->words[i], error)) return false;
    if (c->results.set_count != 1) {
        gb_fail(error, GB_WRONG, "%s has %zu experiments; a block is of one", b->words[1],
                c->results.set_count);
        return false;
    }
    const gb_result_set *set = c->set = &c->results.sets[0];
    const char *named = option_of(b, "table");
    const char *const names[] = {named ? named : set->experiment, set->primitive};
    const char *path = named && strchr(named, '/') ? named : NULL;
    for (size_t i = 0; i < 2 && !path; i++)
        path = gb_share_find(arena, gb_arena_printf(arena, "plots/%s.table.json", names[i]));
    if (!path) {
        gb_fail(error, GB_WRONG, "there is no layout for %s", b->words[1]);
        return false;
    }
    for (size_t i = 1; i + 1 < b->word_count; i++)
        if (begins(b->words[i], "--"))
            gb_choices_add(arena, &c->chosen, b->words[i] + 2, b->words[i + 1]);
    return gb_table_layout_load(arena, path, &c->layout, error) &&
           gb_table_drawn_axes(arena, &c->layout, set, c->drawn, error) &&
           gb_published_pair(&c->results, set, NULL, c->layout.paper, &c->published, &c->paper,
                             error);
}

void check_table(document *d, const block *b)
{
    table_check c = {.d = d, .b = b};
    gb_error error = {0};
    if (access(b->words[1], R_OK) != 0) {
        for (size_t i = 0; i < b->line_count; i++)
            if (has_number(b->lines[i])) lose(d, b, i, "there is no %s", b->words[1]);
    } else if (load(&c, &error)) {
        check_lines(&c);
    } else {
        lose(d, b, 0, "%s", error.text);
    }
    gb_results_free(&c.results);
    gb_results_free(&c.published);
}
