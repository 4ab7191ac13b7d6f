/* A part of a panel as LaTeX's tabular. */
#include "bench/table/latex_grid.h"

#include "bench/table/latex_text.h"

bool gb_latex_shows(const gb_latex_grid *g, size_t column)
{
    return column < g->panel->stubs || (column >= g->from && column < g->to);
}

/* What a column is to \begin{tabular}: where head or text are wider than the parts of a number, the
 * parts stand in their middle. */
static void put_column(const gb_latex_grid *g, size_t c)
{
    const gb_latex_column *column = &g->columns[c];
    if (column->folded > 0) {
        fprintf(g->file, ">{\\raggedright\\arraybackslash}p{%.1fpt}", column->folded * g->points);
        return;
    }
    if (!column->numeric) {
        fputc(c < g->panel->stubs ? 'l' : 'r', g->file);
        return;
    }
    const double spare = (column->width - column->parts) * g->points / 2;
    if (spare >= 1) fprintf(g->file, ">{\\hspace{%.1fpt}}", spare);
    fputc('r', g->file);
    if (column->has[1]) fputs("@{}l", g->file);
    if (column->has[2]) fputs("@{\\,}l", g->file);
}

/* Text across the parts of a column. */
static void put_across(const gb_latex_grid *g, size_t c, const char *text, const char *how)
{
    const size_t parts = gb_latex_column_parts(&g->columns[c]);
    const bool spread = *text && g->columns[c].numeric;
    if (spread) fprintf(g->file, "\\multicolumn{%zu}{%s}{", parts, how);
    (g->columns[c].folded > 0 ? gb_latex_put_running : gb_latex_put)(g->file, text);
    if (spread) fputc('}', g->file);
    for (size_t i = 1; !spread && i < parts; i++)
        fputs(" &", g->file);
}

static void put_cell(const gb_latex_grid *g, size_t c, const char *text)
{
    const gb_latex_column *column = &g->columns[c];
    const gb_latex_cell cell = gb_latex_cut(g->arena, text);
    if (!column->numeric || !cell.number) {
        put_across(g, c, text, "c");
        return;
    }
    for (int p = 0; p < GB_LATEX_PARTS; p++) {
        if (!column->has[p]) continue;
        if (p) fputs("&", g->file);
        gb_latex_put(g->file, cell.part[p]);
    }
}

/* The first column's mark of a row's end would take these for arguments of it. */
static void guard_row(const gb_latex_grid *g, const char *first)
{
    if (*first == '[' || *first == '*') fputs("{}", g->file);
}

void gb_latex_row(const gb_latex_grid *g, const char *const *cells)
{
    bool first = true;
    for (size_t c = 0; c < g->panel->columns; c++) {
        if (!gb_latex_shows(g, c)) continue;
        if (first) guard_row(g, cells[c]);
        if (!first) fputs(" & ", g->file);
        put_cell(g, c, cells[c]);
        first = false;
    }
    fputs(" \\\\\n", g->file);
}

size_t gb_latex_head_lines(const gb_latex_grid *g)
{
    size_t lines = 1;
    for (size_t c = 0; c < g->panel->columns; c++)
        if (gb_latex_shows(g, c) && g->columns[c].head_count > lines)
            lines = g->columns[c].head_count;
    return lines;
}

/* The lines of the heads end on the same one. */
static void put_head(const gb_latex_grid *g)
{
    const size_t lines = gb_latex_head_lines(g);
    for (size_t line = 0; line < lines; line++) {
        bool first = true;
        for (size_t c = 0; c < g->panel->columns; c++) {
            if (!gb_latex_shows(g, c)) continue;
            const gb_latex_column *column = &g->columns[c];
            const size_t above = lines - column->head_count;
            const char *text = line >= above ? column->head[line - above] : "";
            if (first) guard_row(g, text);
            if (!first) fputs(" & ", g->file);
            put_across(g, c, text, "c");
            first = false;
        }
        fputs(" \\\\\n", g->file);
    }
}

void gb_latex_begin(const gb_latex_grid *g, double gap)
{
    fprintf(g->file, "\\setlength{\\tabcolsep}{%.3gpt}\n\\begin{tabular}{@{}", gap / 2);
    for (size_t c = 0; c < g->panel->columns; c++)
        if (gb_latex_shows(g, c)) put_column(g, c);
    fputs("@{}}\n\\toprule\n", g->file);
    put_head(g);
    fputs("\\midrule\n", g->file);
}

void gb_latex_end(const gb_latex_grid *g)
{
    fputs("\\bottomrule\n\\end{tabular}\n", g->file);
}
