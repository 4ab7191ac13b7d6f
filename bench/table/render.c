/* Tables of ready text as Markdown or LaTeX; as plain text: text.c. */
#include "bench/table/render.h"

#include "bench/util/wrap.h"

#include <string.h>

/* ---- Markdown -------------------------------------------------------------------------------- */

static void put_markdown(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\|*_`<>[]#&~$", *text)) fputc('\\', file);
        fputc(*text, file);
    }
}

static void put_markdown_row(FILE *file, const gb_table_panel *panel, const char *const *cells)
{
    fputc('|', file);
    for (size_t c = 0; c < panel->columns; c++) {
        fputc(' ', file);
        put_markdown(file, cells[c]);
        fputs(*cells[c] ? " |" : "|", file);
    }
    fputc('\n', file);
}

static void write_markdown(gb_arena *arena, const gb_table *table, FILE *file)
{
    fputs("**", file);
    put_markdown(file, table->title);
    fputs("**\n", file);
    if (*table->caption) {
        fputc('\n', file);
        put_markdown(file, table->caption);
        fputc('\n', file);
    }
    for (size_t p = 0; p < table->panel_count; p++) {
        const gb_table_panel *panel = &table->panels[p];
        if (*panel->title) {
            fputc('\n', file);
            put_markdown(file, panel->title);
            fputc('\n', file);
        }
        fputc('\n', file);
        put_markdown_row(file, panel, panel->head);
        fputc('|', file);
        for (size_t c = 0; c < panel->columns; c++)
            fputs(c < panel->stubs ? "---|" : "---:|", file);
        fputc('\n', file);
        for (size_t r = 0; r < panel->row_count; r++)
            put_markdown_row(file, panel, panel->rows[r]);
    }
    if (table->starred) {
        fputs("\n\\* ", file);
        put_markdown(file, table->star_note);
        fputc('\n', file);
    }
    for (size_t i = 0; i < table->note_count; i++) {
        fprintf(file, "\n%s ", gb_table_mark(arena, i + 1));
        put_markdown(file, table->notes[i]);
        fputc('\n', file);
    }
    for (size_t i = 0; i < table->remark_count; i++) {
        fputc('\n', file);
        put_markdown(file, table->remarks[i]);
        fputc('\n', file);
    }
}

/* ---- LaTeX ----------------------------------------------------------------------------------- */

/* What LaTeX cannot take as it is. */
static const struct {
    const char *text, *latex;
} latex_forms[] = {
    {"\\", "\\textbackslash{}"},
    {"&", "\\&"},
    {"%", "\\%"},
    {"$", "\\$"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"|", "$|$"},
    {"\"", "''"},
    {"<", "$<$"},
    {">", "$>$"},
    {"±", "$\\pm$"},
    {"·", "$\\cdot$"},
    {"×", "$\\times$"},
    {"≥", "$\\ge$"},
    {"≤", "$\\le$"},
    {"µ", "$\\mu$"},
};

static void put_latex(FILE *file, const char *text)
{
    while (*text) {
        size_t step = 0;
        for (size_t i = 0; i < 10 && step == 0; i++) {
            if (strncmp(text, gb_superscripts[i], strlen(gb_superscripts[i])) != 0) continue;
            step = strlen(gb_superscripts[i]);
            fprintf(file, "$^{%zu}$", i);
        }
        for (size_t i = 0; i < sizeof latex_forms / sizeof *latex_forms && step == 0; i++) {
            if (strncmp(text, latex_forms[i].text, strlen(latex_forms[i].text)) != 0) continue;
            step = strlen(latex_forms[i].text);
            fputs(latex_forms[i].latex, file);
        }
        if (step == 0) {
            fputc(*text, file);
            step = 1;
        }
        text += step;
    }
}

static void put_latex_row(FILE *file, const gb_table_panel *panel, const char *const *cells)
{
    /* After the end of a row, LaTeX would take these for arguments of it. */
    if (*cells[0] == '[' || *cells[0] == '*') fputs("{}", file);
    for (size_t c = 0; c < panel->columns; c++) {
        if (c) fputs(" & ", file);
        put_latex(file, cells[c]);
    }
    fputs(" \\\\\n", file);
}

static void put_latex_panel(FILE *file, const gb_table_panel *panel)
{
    if (*panel->title) {
        fputs("\\par\\medskip ", file);
        put_latex(file, panel->title);
        fputs("\\par\\smallskip\n", file);
    }
    fputs("\\begin{tabular}{", file);
    for (size_t c = 0; c < panel->columns; c++)
        fputc(c < panel->stubs ? 'l' : 'r', file);
    fputs("}\n\\hline\n", file);
    put_latex_row(file, panel, panel->head);
    for (size_t r = 0; r < panel->row_count; r++) {
        if (panel->begins_block[r] || r == 0) fputs("\\hline\n", file);
        put_latex_row(file, panel, panel->rows[r]);
    }
    fputs("\\hline\n\\end{tabular}\n", file);
}

static void write_latex(gb_arena *arena, const gb_table *table, FILE *file)
{
    fputs("\\begin{table}[htbp]\n\\centering\\small\n\\setlength{\\tabcolsep}{4pt}\n\\caption{",
          file);
    put_latex(file, table->title);
    if (*table->caption) {
        fputs(". ", file);
        put_latex(file, table->caption);
    }
    fputs("}\n", file);
    for (size_t p = 0; p < table->panel_count; p++)
        put_latex_panel(file, &table->panels[p]);
    if (table->starred || table->note_count || table->remark_count) {
        fputs("\\par\\medskip\\raggedright\\footnotesize\n", file);
        if (table->starred) {
            fputs("* ", file);
            put_latex(file, table->star_note);
            fputs("\\par\n", file);
        }
        for (size_t i = 0; i < table->note_count; i++) {
            put_latex(file, gb_table_mark(arena, i + 1));
            fputc(' ', file);
            put_latex(file, table->notes[i]);
            fputs("\\par\n", file);
        }
        for (size_t i = 0; i < table->remark_count; i++) {
            put_latex(file, table->remarks[i]);
            fputs("\\par\n", file);
        }
    }
    fputs("\\end{table}\n", file);
}

void gb_table_write(gb_arena *arena, const gb_table *table, gb_table_format format, FILE *file)
{
    switch (format) {
    case GB_TABLE_TEXT:
        gb_table_write_text(arena, table, gb_page_columns(file, 0), file);
        return;
    case GB_TABLE_MARKDOWN:
        write_markdown(arena, table, file);
        return;
    case GB_TABLE_LATEX:
        write_latex(arena, table, file);
        return;
    }
}
