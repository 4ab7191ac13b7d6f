/* Tables of ready text as plain text, Markdown or LaTeX. */
#ifndef GB_TABLE_RENDER_H
#define GB_TABLE_RENDER_H

#include "bench/util/arena.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum gb_table_format { GB_TABLE_TEXT, GB_TABLE_MARKDOWN, GB_TABLE_LATEX } gb_table_format;

/* How wide LaTeX makes a table: as a column of a paper where it fits, else as the page; or as one
 * of these, in parts; but in a column only where the stubs leave room for a value. */
typedef enum gb_table_paper { GB_PAPER_EITHER, GB_PAPER_COLUMN, GB_PAPER_PAGE } gb_table_paper;

enum { GB_TABLE_WIDTH = 120 }; /* columns that a text table takes at most, but on a terminal */

/* A grid of cells, UTF-8. The first `stubs` columns name the row and are set left, the others hold
 * values and are set right. A cell is never NULL. */
typedef struct gb_table_panel {
    const char *title; /* "" if it has none */
    const char **head; /* columns cells */
    size_t columns, stubs;
    const char ***rows;
    bool *begins_block; /* a rule stands before this row */
    size_t row_count, row_capacity, block_capacity;
} gb_table_panel;

typedef struct gb_table {
    const char *title, *caption; /* the caption is running text; "" if there is none */
    const char *label;           /* what LaTeX's \label{tab:...} is made of; NULL: the title */
    gb_table_paper paper;
    gb_table_panel *panels;
    size_t panel_count, panel_capacity;
    const char **notes; /* footnotes: note i is marked i + 1 */
    size_t note_count, note_capacity;
    bool starred; /* some cell carries an asterisk, which star_note explains */
    const char *star_note;
    bool elsewhere;       /* some cell is what others printed */
    const char **remarks; /* follow the notes, without a mark */
    size_t remark_count, remark_capacity;
    /* What the cells say, for programs (build.h); 0: nobody has asked for it. */
    struct gb_table_record *records;
    size_t record_count, record_capacity;
} gb_table;

/* Adds a panel without rows, its head blank; a row of blank cells, which is returned to be filled;
 * a remark. Everything lives in the arena (grid.c). */
gb_table_panel *gb_table_add_panel(gb_arena *arena, gb_table *table, const char *title,
                                   size_t columns, size_t stubs);
const char **gb_table_add_line(gb_arena *arena, gb_table_panel *panel, bool begins_block);
/* The mark of a note, which is added unless the table has it. */
const char *gb_table_add_note(gb_arena *arena, gb_table *table, const char *text);
void gb_table_add_remark(gb_arena *arena, gb_table *table, const char *text);

/* The mark of footnote number 1, 2, ...: superscript digits. */
const char *gb_table_mark(gb_arena *arena, size_t number);
extern const char *const gb_superscripts[10];

/* Text in lines of at most that many bytes, broken at blanks; on a terminal in lines that fit it.
 */
void gb_print_folded(const char *text, int width, FILE *file);

/* Writes the table. Text wider than GB_TABLE_WIDTH, on a terminal than that, is broken into several
 * grids that repeat the stub columns; cells that are too wide for a terminal go on below. Markdown
 * is GitHub's; LaTeX is floats for a paper (latex.h). */
void gb_table_write(gb_arena *arena, const gb_table *table, gb_table_format format, FILE *file);
/* The same as plain text for a terminal of so many columns; 0: for none (text.c). */
void gb_table_write_text(gb_arena *arena, const gb_table *table, size_t columns, FILE *file);

#endif
