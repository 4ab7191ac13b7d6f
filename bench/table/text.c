/* Tables of ready text as plain text, in the width of the terminal where they are shown on one. */
#include "bench/table/render.h"

#include "bench/util/wrap.h"
#include "common/text/text.h"

#include <stdint.h>
#include <string.h>

/* GAP: blanks between columns. NARROW: a column of words is made narrower than this only where it
 * must be. */
enum { GAP = 2, NARROW = 20 };

static void put_repeated(FILE *file, const char *text, size_t count)
{
    while (count-- > 0)
        fputs(text, file);
}

/* Running text is not easier to read in longer lines. columns: 0 where it is for no terminal. */
static void put_paragraph(FILE *file, size_t columns, const char *first, const char *text,
                          size_t indent)
{
    const bool narrow = columns > 0 && columns < GB_TABLE_WIDTH;
    gb_put_wrapped(file, first, text, indent, narrow ? columns : GB_TABLE_WIDTH);
}

/* ---- a grid ---------------------------------------------------------------------------------- */

/* Columns of a panel, stubs and those from..to, as they are written. */
typedef struct grid {
    FILE *file;
    const gb_table_panel *panel;
    size_t *widths;
    size_t from, to;
    const char **rest; /* of each cell of a row, what is still to be written */
} grid;

static bool is_shown(const grid *g, size_t column)
{
    return column < g->panel->stubs || (column >= g->from && column < g->to);
}

/* A line of a row: of each cell as much as fits. Returns whether something is left. */
static bool put_row_line(const grid *g)
{
    size_t pending = 0; /* blanks are written only before something: no line ends in one */
    bool more = false;
    for (size_t c = 0; c < g->panel->columns; c++) {
        if (!is_shown(g, c)) continue;
        const char *line = g->rest[c];
        const size_t bytes = gb_take_line(&g->rest[c], g->widths[c]);
        const size_t width = gb_text_columns_of(line, bytes);
        const size_t fill = g->widths[c] > width ? g->widths[c] - width : 0;
        const bool right = c >= g->panel->stubs;
        if (bytes > 0) {
            put_repeated(g->file, " ", pending + (right ? fill : 0));
            fwrite(line, 1, bytes, g->file);
            pending = right ? 0 : fill;
        } else {
            pending += g->widths[c];
        }
        pending += GAP;
        more |= *g->rest[c] != '\0';
    }
    putc('\n', g->file);
    return more;
}

static void put_row(const grid *g, const char *const *cells)
{
    for (size_t c = 0; c < g->panel->columns; c++)
        g->rest[c] = cells[c];
    while (put_row_line(g))
        continue;
}

static void put_grid(const grid *g)
{
    const gb_table_panel *panel = g->panel;
    size_t total = 0;
    for (size_t c = 0; c < panel->columns; c++)
        if (is_shown(g, c)) total += g->widths[c] + (total ? GAP : 0);
    put_row(g, panel->head);
    for (size_t r = 0; r < panel->row_count; r++) {
        if (panel->begins_block[r] || r == 0) {
            put_repeated(g->file, "─", total);
            putc('\n', g->file);
        }
        put_row(g, panel->rows[r]);
    }
}

/* ---- widths ---------------------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t sum_of(const size_t *widths, size_t from, size_t to)
{
    size_t sum = 0;
    for (size_t c = from; c < to; c++)
        sum += widths[c] + (c > from ? GAP : 0);
    return sum;
}

/* The widest of a column's cells, below its head, by a measure of text. */
static size_t widest(const gb_table_panel *panel, size_t column, size_t (*measure)(const char *))
{
    size_t width = 0;
    for (size_t r = 0; r < panel->row_count; r++)
        width = larger(width, measure(panel->rows[r][column]));
    return width;
}

/* Makes stubs narrower until `values` columns are left: columns of words first, then down to their
 * longest words; at last within words, if that is what it takes to leave half of the line. */
static void narrow_stubs(const gb_table_panel *panel, size_t *widths, size_t *least, size_t room,
                         size_t values)
{
    const size_t gaps = panel->stubs * GAP, half = room / 2 > gaps ? room / 2 - gaps : 1,
                 wanted = room > values + gaps ? larger(room - values - gaps, half) : half;
    for (size_t c = 0; c < panel->stubs; c++)
        least[c] = smaller(widths[c], larger(NARROW, widest(panel, c, gb_word_columns)));
    if (gb_narrow(widths, least, panel->stubs, wanted)) return;
    for (size_t c = 0; c < panel->stubs; c++)
        least[c] = smaller(
            widths[c], larger(gb_word_columns(panel->head[c]), widest(panel, c, gb_word_columns)));
    if (gb_narrow(widths, least, panel->stubs, wanted)) return;
    for (size_t c = 0; c < panel->stubs; c++)
        least[c] = smaller(widths[c], larger(half / panel->stubs, 4));
    (void)gb_narrow(widths, least, panel->stubs, half);
}

/* Makes the columns fit into a terminal: heads go over several lines, then the cells of stubs, so
 * that these leave room for the widest value, and of values that are still too wide. */
static void fit_columns(gb_arena *arena, const gb_table_panel *panel, size_t *widths, size_t room)
{
    if (sum_of(widths, 0, panel->columns) <= room) return;
    size_t *least = gb_arena_alloc(arena, (panel->columns + 1) * sizeof *least);
    size_t values = 0;
    for (size_t c = 0; c < panel->columns; c++) {
        const size_t head = gb_word_columns(panel->head[c]);
        widths[c] = larger(widest(panel, c, gb_text_columns), head);
        if (c >= panel->stubs)
            values = larger(values, larger(widest(panel, c, gb_word_columns), head));
    }
    for (size_t c = panel->stubs; c < panel->columns; c++) /* numbers and their intervals */
        if (widths[c] <= NARROW) values = larger(values, widths[c]);
    narrow_stubs(panel, widths, least, room, values);
    const size_t stubs = panel->stubs ? sum_of(widths, 0, panel->stubs) + GAP : 0;
    for (size_t c = panel->stubs; c < panel->columns; c++)
        widths[c] = smaller(widths[c], room > stubs + 4 ? room - stubs : 4);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void put_panel(gb_arena *arena, FILE *file, size_t columns, const gb_table_panel *panel)
{
    const size_t room = columns ? columns : GB_TABLE_WIDTH;
    grid g = {.file = file, .panel = panel};
    g.widths = gb_arena_alloc(arena, (panel->columns + 1) * sizeof *g.widths);
    g.rest = gb_arena_alloc(arena, (panel->columns + 1) * sizeof *g.rest);
    for (size_t c = 0; c < panel->columns; c++)
        g.widths[c] = larger(gb_text_columns(panel->head[c]), widest(panel, c, gb_text_columns));
    if (columns) fit_columns(arena, panel, g.widths, room);
    const size_t stubs = sum_of(g.widths, 0, panel->stubs);

    if (*panel->title) {
        putc('\n', file);
        put_paragraph(file, columns, "", panel->title, 0);
    }
    for (g.from = panel->stubs; g.from < panel->columns; g.from = g.to) {
        size_t width = stubs;
        for (g.to = g.from; g.to < panel->columns; g.to++) {
            if (g.to > g.from && width + GAP + g.widths[g.to] > room) break;
            width += GAP + g.widths[g.to];
        }
        putc('\n', file);
        put_grid(&g);
    }
}

void gb_table_write_text(gb_arena *arena, const gb_table *table, size_t columns, FILE *file)
{
    put_paragraph(file, columns, "", table->title, 0);
    if (*table->caption) put_paragraph(file, columns, "", table->caption, 0);
    for (size_t p = 0; p < table->panel_count; p++)
        put_panel(arena, file, columns, &table->panels[p]);
    if (table->starred || table->note_count || table->remark_count) putc('\n', file);
    if (table->starred) put_paragraph(file, columns, "* ", table->star_note, 2);
    for (size_t i = 0; i < table->note_count; i++) {
        const char *mark = gb_arena_printf(arena, "%s ", gb_table_mark(arena, i + 1));
        put_paragraph(file, columns, mark, table->notes[i], gb_text_columns(mark));
    }
    for (size_t i = 0; i < table->remark_count; i++)
        put_paragraph(file, columns, "", table->remarks[i], 2);
}

void gb_print_folded(const char *text, int width, FILE *file)
{
    const size_t columns = gb_page_columns(file, 0);
    if (columns) {
        put_paragraph(file, columns, "", text, 0);
        return;
    }
    while (strlen(text) > (size_t)width) {
        int length = width;
        while (length > 1 && text[length] != ' ')
            length--;
        fprintf(file, "%.*s\n", length, text);
        text += length + 1;
    }
    fprintf(file, "%s\n", text);
}
