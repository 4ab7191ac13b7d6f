/* Tables of ready text as Markdown or LaTeX; as plain text: text.c. */
#include "bench/table/render.h"

#include "bench/table/latex.h"
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
        gb_table_write_latex(arena, table, file);
        return;
    }
}
