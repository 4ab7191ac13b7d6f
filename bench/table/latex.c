/* Tables as LaTeX floats. Widths and heights are estimated from the characters, in TeX's points. */
#include "bench/table/latex.h"

#include "bench/table/latex_grid.h"
#include "bench/table/latex_text.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* What a float is, from the one that is read best to the one that takes most: half of them in a
 * column, half across the page. */
typedef struct form {
    const char *environment, *size;
    double points, line, gap; /* of the text; from line to line; between two columns */
    double wide;
} form;

static const form forms[] = {
    {"table", "\\small", 9, 11, 8, GB_LATEX_COLUMN},
    {"table", "\\footnotesize", 8, 9.5, 6, GB_LATEX_COLUMN},
    {"table*", "\\small", 9, 11, 10, GB_LATEX_PAGE},
    {"table*", "\\footnotesize", 8, 9.5, 6, GB_LATEX_PAGE},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* The part of a width that is used, for it is estimated. */
static const double almost = 0.99;

/* A rule and the room around it; between panels; above the notes. The caption is set in 10 pt, the
 * notes in 8. */
static const double rule_high = 5, panel_gap = 6, notes_gap = 6, least_gap = 3, widest_gap = 14;
static const form caption_form = {"", "", 10, 12, 0, 0}, notes_form = {"", "", 8, 9.5, 0, 0};

typedef struct writer {
    gb_arena *arena;
    const gb_table *table;
    FILE *file;
    const form *form;
    gb_latex_column **columns; /* of each panel */
    size_t floats;             /* begun so far */
    double high;               /* of what the float has so far */
    bool is_open, is_blank, starred, remarking;
    bool *noted, *written; /* notes that the float's cells ask for; that some float has had */
} writer;

/* ---- heights --------------------------------------------------------------------------------- */

/* Of running text in lines as wide as the float; lines end before they are full. */
static double text_high(const writer *w, const char *text, const form *set)
{
    const double wide = 1.06 * gb_latex_width(text, strlen(text)) * set->points;
    return ceil(wide / w->form->wide) * set->line;
}

/* Of a row: its folded cells have several lines. */
static double row_high(const writer *w, const gb_latex_grid *g, const char *const *cells)
{
    double lines = 1;
    for (size_t c = 0; c < g->panel->columns; c++)
        if (gb_latex_shows(g, c) && g->columns[c].folded > 0)
            lines = fmax(lines, ceil(1.12 * gb_latex_width(cells[c], strlen(cells[c])) /
                                     g->columns[c].folded));
    return lines * w->form->line;
}

/* ---- notes ----------------------------------------------------------------------------------- */

/* Which notes a cell has the marks of: superscript digits but those of a power of ten. */
static void find_marks(const writer *w, const char *cell, bool *marks)
{
    size_t bytes;
    for (const char *at = cell; *at;) {
        size_t number = 0;
        const char *begin = at;
        for (int digit; (digit = gb_latex_superscript(at, &bytes)) >= 0; at += bytes)
            number = number < w->table->note_count ? 10 * number + (size_t)digit : number;
        const bool power = begin >= cell + 2 && begin[-1] == '0' && begin[-2] == '1';
        if (at > begin && !power && number > 0 && number <= w->table->note_count)
            marks[number - 1] = true;
        if (at == begin) at++;
    }
}

/* The height of the notes that a row would bring along. */
static double notes_high(const writer *w, const gb_latex_grid *g, const char *const *cells,
                         bool *marks)
{
    double high = 0;
    for (size_t c = 0; c < g->panel->columns; c++)
        if (gb_latex_shows(g, c)) find_marks(w, cells[c], marks);
    for (size_t i = 0; i < w->table->note_count; i++)
        if (marks[i] && !w->noted[i]) high += text_high(w, w->table->notes[i], &notes_form);
    return high;
}

static bool has_star(const gb_latex_grid *g, const char *const *cells)
{
    for (size_t c = 0; c < g->panel->columns; c++)
        if (gb_latex_shows(g, c) && strchr(cells[c], '*')) return true;
    return false;
}

static void put_note(writer *w, const char *mark, const char *text)
{
    gb_latex_put(w->file, mark);
    if (*mark) fputc(' ', w->file);
    gb_latex_put_running(w->file, text);
    fputs("\\par\n", w->file);
}

static void put_notes(writer *w)
{
    const gb_table *table = w->table;
    bool any = w->starred;
    for (size_t i = 0; i < table->note_count; i++)
        any |= w->noted[i];
    if (!any) return;
    fputs("\\par\\smallskip\\footnotesize\\raggedright\n", w->file);
    if (w->starred) put_note(w, "*", table->star_note);
    for (size_t i = 0; i < table->note_count; i++) {
        if (!w->noted[i]) continue;
        put_note(w, gb_table_mark(w->arena, i + 1), table->notes[i]);
        w->written[i] = true;
    }
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* tab:NAME of letters, digits and hyphens, numbered from the second float on. */
static void put_label(const writer *w)
{
    const char *name = w->table->label ? w->table->label : w->table->title;
    bool pending = false, any = false;
    fputs("\\label{tab:", w->file);
    for (; *name; name++) {
        if (isalnum((unsigned char)*name)) {
            if (pending && any) fputc('-', w->file);
            fputc(tolower((unsigned char)*name), w->file);
            any = true;
        }
        pending = !isalnum((unsigned char)*name);
    }
    if (w->floats > 1) fprintf(w->file, ":%zu", w->floats);
    fputs("}\n", w->file);
}

static void put_caption(writer *w)
{
    fputs("\\caption[{", w->file);
    gb_latex_put(w->file, w->table->title);
    fputs("}]{", w->file);
    gb_latex_put_running(w->file, w->table->title);
    w->high += text_high(w, w->table->title, &caption_form) + 2 * caption_form.line;
    if (w->floats > 1) {
        fputs(", continued", w->file);
    } else if (*w->table->caption) {
        fputs(". ", w->file);
        gb_latex_put_running(w->file, w->table->caption);
        w->high += text_high(w, w->table->caption, &caption_form);
    }
    fputs("}", w->file);
    put_label(w);
}

static void open_float(writer *w)
{
    if (w->is_open) return;
    w->is_open = w->is_blank = true;
    w->starred = false;
    w->high = 0;
    memset(w->noted, 0, w->table->note_count + 1);
    if (w->floats++ == 0) fputs("% \\usepackage{array,booktabs}\n", w->file);
    fprintf(w->file, "\\begin{%s}[tbp]\n\\centering\\sloppy\n", w->form->environment);
    put_caption(w);
    fprintf(w->file, "\\vspace{4pt}%s\n", w->form->size);
}

static void close_float(writer *w)
{
    if (!w->is_open) return;
    if (w->remarking)
        fputs("\\par}\n", w->file);
    else
        put_notes(w);
    w->remarking = false;
    fprintf(w->file, "\\end{%s}\n", w->form->environment);
    w->is_open = false;
}

/* A float that has room for so much more, or an empty one. */
static void make_room(writer *w, double high)
{
    if (w->is_open && !w->is_blank && w->high + high > GB_LATEX_HIGH) close_float(w);
    open_float(w);
}

/* ---- grids ----------------------------------------------------------------------------------- */

typedef gb_latex_grid grid;

/* Between two columns: wider where there is room, so that an interval stands nearer to its own
 * value than to the next; narrower where one column has too little. */
static double grid_gap(const writer *w, const grid *g)
{
    const double wide = gb_latex_columns_width(g->columns, g->panel->stubs, g->from, g->to,
                                               w->form->points, w->form->gap);
    const size_t gaps = g->panel->stubs + g->to - g->from - 1;
    const double spare =
        gaps > 0 && gaps < SIZE_MAX ? (0.98 * w->form->wide - wide) / (double)gaps : 0;
    return w->form->gap + fmax(least_gap - w->form->gap, fmin(spare, widest_gap - w->form->gap));
}

static void begin_grid(writer *w, const grid *g)
{
    if (!w->is_blank) fputs("\\par\\medskip\n", w->file);
    if (*g->panel->title) {
        gb_latex_put_running(w->file, g->panel->title);
        fputs("\\par\\smallskip\n", w->file);
    }
    gb_latex_begin(g, grid_gap(w, g));
    w->is_blank = false;
}

static double grid_high(const writer *w, const grid *g)
{
    return panel_gap + (*g->panel->title ? w->form->line + panel_gap : 0) + 3 * rule_high +
           (double)gb_latex_head_lines(g) * w->form->line;
}

/* The height of row r with the rule before it and the notes it brings. */
static double row_takes(const writer *w, const grid *g, size_t r, bool *marks)
{
    memset(marks, 0, w->table->note_count + 1);
    return row_high(w, g, g->panel->rows[r]) + (g->panel->begins_block[r] ? rule_high : 0) +
           notes_high(w, g, g->panel->rows[r], marks);
}

/* Has the float explain what the row has marks of. */
static void note_row(writer *w, const grid *g, size_t r, const bool *marks)
{
    for (size_t i = 0; i < w->table->note_count; i++)
        w->noted[i] |= marks[i];
    if (w->table->starred && !w->starred && has_star(g, g->panel->rows[r])) {
        w->starred = true;
        w->high += text_high(w, w->table->star_note, &notes_form);
    }
}

/* How many rows the block that begins at `block` has, if they are few, so that it need not be torn;
 * 0 if not. */
static size_t short_block(const writer *w, const gb_table_panel *panel, size_t block)
{
    size_t end = block + 1;
    while (end < panel->row_count && !panel->begins_block[end])
        end++;
    return (double)(end - block) * w->form->line < GB_LATEX_HIGH / 2. ? end - block : 0;
}

/* Where the rows from `row` on end that the float has room for, one at least: before a block that
 * would be torn, and not so that a row or two are left alone. */
static size_t rows_end(const writer *w, const grid *g, size_t row)
{
    const size_t count = g->panel->row_count;
    bool *noted = gb_arena_alloc(w->arena, w->table->note_count + 1);
    bool *marks = gb_arena_alloc(w->arena, w->table->note_count + 1);
    memcpy(noted, w->noted, w->table->note_count + 1);
    writer trial = *w;
    trial.noted = noted;
    size_t end = row, block = row;
    for (; end < count; end++) {
        const double takes = row_takes(&trial, g, end, marks);
        if (end > row && trial.high + takes > GB_LATEX_HIGH) break;
        if (g->panel->begins_block[end]) block = end;
        note_row(&trial, g, end, marks);
        trial.high += takes;
    }
    if (end < count && !g->panel->begins_block[end] && block > row &&
        short_block(w, g->panel, block) > 0)
        end = block;
    if (count - end > 0 && count - end < 3 && end - row > 6) end -= 3;
    return end;
}

/* In the first row of a float the names that the rows above it share. */
static void put_first_row(const writer *w, const grid *g, size_t row)
{
    const gb_table_panel *panel = g->panel;
    const char **cells = gb_arena_alloc(w->arena, (panel->columns + 1) * sizeof *cells);
    memcpy(cells, panel->rows[row], panel->columns * sizeof *cells);
    for (size_t c = 0; c < panel->stubs; c++)
        for (size_t above = row; !*cells[c] && above > 0 && !panel->begins_block[above]; above--)
            cells[c] = panel->rows[above - 1][c];
    gb_latex_row(g, cells);
}

/* As many of the rows from `row` on as the float has room for; which is next. */
static size_t put_rows(writer *w, const grid *g, size_t row)
{
    const gb_table_panel *panel = g->panel;
    bool *marks = gb_arena_alloc(w->arena, w->table->note_count + 1);
    memset(marks, 0, w->table->note_count + 1);
    const double head = grid_high(w, g) + notes_gap + notes_high(w, g, panel->head, marks);
    const double takes = row < panel->row_count ? row_takes(w, g, row, marks) : 0;
    const size_t least = short_block(w, panel, row);
    make_room(w, head + takes + (double)(least ? least - 1 : 3) * w->form->line);
    begin_grid(w, g);
    w->high += head;
    for (size_t c = 0; c < panel->columns; c++)
        if (gb_latex_shows(g, c)) find_marks(w, panel->head[c], w->noted);
    const size_t begin = row, end = rows_end(w, g, row);
    for (; row < end; row++) {
        const double high = row_takes(w, g, row, marks);
        if (row > begin && panel->begins_block[row]) fputs("\\midrule\n", w->file);
        note_row(w, g, row, marks);
        if (row == begin)
            put_first_row(w, g, row);
        else
            gb_latex_row(g, panel->rows[row]);
        w->high += high;
    }
    gb_latex_end(g);
    return end;
}

/* Where the columns that begin at `from` end so that they fit into `most` points. */
static size_t last_that_fits(const writer *w, const grid *g, size_t from, double most)
{
    size_t to = from;
    while (to < g->panel->columns &&
           (to == from || gb_latex_columns_width(g->columns, g->panel->stubs, from, to + 1,
                                                 w->form->points, w->form->gap) <= most))
        to++;
    return to;
}

static size_t count_parts(const writer *w, const grid *g, double most)
{
    size_t parts = 0;
    for (size_t from = g->panel->stubs; from < g->panel->columns; parts++)
        from = last_that_fits(w, g, from, most);
    return parts;
}

/* The panel in as few parts as it takes, which are about as wide as one another. */
static void put_panel(writer *w, const gb_table_panel *panel, const gb_latex_column *columns)
{
    grid g = {w->arena, w->file, panel, columns, panel->stubs, panel->stubs, w->form->points};
    double most = almost * w->form->wide;
    const size_t parts = count_parts(w, &g, most);
    while (count_parts(w, &g, 0.97 * most) == parts && most > 1)
        most *= 0.97;
    do {
        g.to = last_that_fits(w, &g, g.from, most);
        size_t row = 0;
        do {
            row = put_rows(w, &g, row);
            if (row < panel->row_count) close_float(w);
        } while (row < panel->row_count);
        g.from = g.to;
    } while (g.from < panel->columns);
}

/* ---- the table ------------------------------------------------------------------------------- */

static bool fits(const writer *w, const form *f)
{
    for (size_t p = 0; p < w->table->panel_count; p++) {
        const gb_table_panel *panel = &w->table->panels[p];
        if (gb_latex_columns_width(w->columns[p], panel->stubs, panel->stubs, panel->columns,
                                   f->points, f->gap) > almost * f->wide)
            return false;
    }
    return true;
}

/* Folds what is too wide for the form; whether the names have room beside any one of the values. */
static bool fold(writer *w)
{
    bool good = true;
    for (size_t p = 0; p < w->table->panel_count; p++) {
        const gb_table_panel *panel = &w->table->panels[p];
        gb_latex_column *columns = w->columns[p];
        gb_latex_fold(columns, panel->stubs, panel->columns, w->form->points, w->form->gap,
                      almost * w->form->wide);
        for (size_t c = panel->stubs; c < panel->columns; c++)
            good &= gb_latex_columns_width(columns, panel->stubs, c, c + 1, w->form->points,
                                           least_gap) <= almost * w->form->wide;
    }
    return good;
}

static void measure(writer *w)
{
    for (size_t p = 0; p < w->table->panel_count; p++)
        w->columns[p] = gb_latex_columns(w->arena, &w->table->panels[p]);
}

static void choose_form(writer *w)
{
    enum { COLUMNS = FORMS / 2 };
    const bool column = w->table->paper == GB_PAPER_COLUMN;
    size_t i = w->table->paper == GB_PAPER_PAGE ? COLUMNS : 0;
    while (i < (column ? COLUMNS : FORMS) - 1 && !fits(w, &forms[i]))
        i++;
    w->form = &forms[i];
    if (fits(w, w->form) || fold(w) || !column) return;
    fputs("% its names leave no room for a value in a column\n", w->file);
    for (i = COLUMNS; i < FORMS - 1 && !fits(w, &forms[i]);)
        i++;
    w->form = &forms[i];
    measure(w);
    if (!fits(w, w->form)) fold(w);
}

/* What stands below all of it, as sentences of one paragraph, behind the notes of that float. */
static void put_remark(writer *w, const char *text)
{
    make_room(w, text_high(w, text, &notes_form) + notes_gap);
    if (!w->remarking) {
        put_notes(w);
        fputs("\\par\\smallskip{\\footnotesize\\raggedright\n", w->file);
        w->high += notes_gap;
    }
    gb_latex_put_running(w->file, text);
    const size_t length = strlen(text);
    fputs(length > 0 && strchr(".!?", text[length - 1]) ? "\n" : ".\n", w->file);
    w->high +=
        1.06 * gb_latex_width(text, length) * notes_form.points / w->form->wide * notes_form.line;
    w->remarking = true;
    w->is_blank = false;
}

static void put_remarks(writer *w)
{
    const gb_table *table = w->table;
    for (size_t i = 0; i < table->note_count; i++) {
        if (w->written[i] || w->noted[i]) continue; /* no cell has its mark */
        const double high = text_high(w, table->notes[i], &notes_form);
        make_room(w, high + notes_gap);
        w->noted[i] = true;
        w->high += high;
    }
    for (size_t i = 0; i < table->remark_count; i++)
        put_remark(w, table->remarks[i]);
}

void gb_table_write_latex(gb_arena *arena, const gb_table *table, FILE *file)
{
    writer w = {.arena = arena, .table = table, .file = file};
    w.columns = gb_arena_alloc(arena, (table->panel_count + 1) * sizeof *w.columns);
    w.noted = gb_arena_alloc(arena, table->note_count + 1);
    w.written = gb_arena_alloc(arena, table->note_count + 1);
    memset(w.noted, 0, table->note_count + 1);
    memset(w.written, 0, table->note_count + 1);
    measure(&w);
    choose_form(&w);
    open_float(&w);
    for (size_t p = 0; p < table->panel_count; p++)
        put_panel(&w, &table->panels[p], w.columns[p]);
    put_remarks(&w);
    close_float(&w);
}
