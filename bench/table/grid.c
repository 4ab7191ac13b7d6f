/* Tables as they grow: panels, lines, remarks, marks of notes. */
#include "bench/table/render.h"

#include <string.h>

/* So many blank cells. */
static const char **blank_cells(gb_arena *arena, size_t count)
{
    const char **cells = gb_arena_alloc(arena, count * sizeof *cells);
    for (size_t c = 0; c < count; c++)
        cells[c] = "";
    return cells;
}

gb_table_panel *gb_table_add_panel(gb_arena *arena, gb_table *table, const char *title,
                                   size_t columns, size_t stubs)
{
    table->panels = gb_arena_grow(arena, table->panels, table->panel_count, &table->panel_capacity,
                                  sizeof *table->panels);
    gb_table_panel *panel = &table->panels[table->panel_count++];
    *panel = (gb_table_panel){.title = title, .columns = columns, .stubs = stubs};
    panel->head = blank_cells(arena, columns);
    return panel;
}

const char **gb_table_add_line(gb_arena *arena, gb_table_panel *panel, bool begins_block)
{
    size_t capacity = panel->row_capacity;
    panel->begins_block = gb_arena_grow(arena, panel->begins_block, panel->row_count,
                                        &panel->block_capacity, sizeof *panel->begins_block);
    panel->rows =
        gb_arena_grow(arena, panel->rows, panel->row_count, &capacity, sizeof *panel->rows);
    panel->row_capacity = capacity;
    panel->begins_block[panel->row_count] = begins_block;
    return panel->rows[panel->row_count++] = blank_cells(arena, panel->columns);
}

void gb_table_add_remark(gb_arena *arena, gb_table *table, const char *text)
{
    table->remarks = gb_arena_grow(arena, table->remarks, table->remark_count,
                                   &table->remark_capacity, sizeof *table->remarks);
    table->remarks[table->remark_count++] = text;
}

const char *const gb_superscripts[10] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

const char *gb_table_mark(gb_arena *arena, size_t number)
{
    const char *mark = "";
    do {
        mark = gb_arena_printf(arena, "%s%s", gb_superscripts[number % 10], mark);
        number /= 10;
    } while (number > 0);
    return mark;
}

const char *gb_table_add_note(gb_arena *arena, gb_table *table, const char *text)
{
    size_t i = 0;
    while (i < table->note_count && strcmp(table->notes[i], text) != 0)
        i++;
    if (i == table->note_count) {
        table->notes = gb_arena_grow(arena, table->notes, table->note_count, &table->note_capacity,
                                     sizeof *table->notes);
        table->notes[table->note_count++] = text;
    }
    return gb_table_mark(arena, i + 1);
}
