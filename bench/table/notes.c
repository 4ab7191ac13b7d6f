/* The notes below a table that is built: why there is no number, what printed rows take for granted
 * and where they are printed. */
#include "bench/rows/elsewhere.h"
#include "bench/table/cells.h"

#include <string.h>

/* A text with its numbers blotted out. */
static char *blotted_of(gb_arena *arena, const char *text)
{
    char *blotted = gb_arena_strdup(arena, text), *to = blotted;
    for (const char *from = text; *from;) {
        size_t digits = strspn(from, "0123456789");
        *to++ = digits ? '#' : *from;
        from += digits ? digits : 1;
    }
    *to = '\0';
    return blotted;
}

/* The mark of a note. Those whose templates are the same share one. */
static const char *mark_of(gb_table_builder *b, const char *reason, const char *blotted)
{
    gb_table *table = b->table;
    static const char differs[] = " (the numbers in this reason differ from cell to cell)";
    for (size_t i = 0; i < table->note_count; i++) {
        if (strcmp(b->templates[i], blotted) != 0) continue;
        if (strncmp(table->notes[i], reason, strlen(reason)) != 0 &&
            !strstr(table->notes[i], differs))
            table->notes[i] = gb_arena_printf(b->arena, "%s%s", table->notes[i], differs);
        return gb_table_mark(b->arena, i + 1);
    }
    table->notes = gb_arena_grow(b->arena, table->notes, table->note_count, &table->note_capacity,
                                 sizeof *table->notes);
    b->templates = gb_arena_grow(b->arena, b->templates, table->note_count, &b->template_capacity,
                                 sizeof *b->templates);
    b->templates[table->note_count] = blotted;
    table->notes[table->note_count++] = reason;
    return gb_table_mark(b->arena, table->note_count);
}

const char *gb_table_reason_mark(gb_table_builder *b, const char *label, const char *reason)
{
    const char *text = gb_arena_printf(b->arena, "%s: %s", label, reason);
    return mark_of(b, text, blotted_of(b->arena, text));
}

/* What is to be said of a printed row: "assumed: ...", "printed elsewhere: ..."; NULL: nothing. */
static const char *said_of(gb_table_builder *b, const gb_table_series *s, const gb_result_row *row)
{
    if (s->elsewhere) b->table->elsewhere = true;
    if (s->elsewhere)
        return gb_arena_printf(b->arena, "printed elsewhere: %s",
                               gb_elsewhere_note(b->arena, s->elsewhere, row));
    if (!row->assumption || !*row->assumption) return NULL; /* measured rows have none */
    return gb_arena_printf(b->arena, "assumed: %s", row->assumption);
}

void gb_table_keep_said(gb_table_builder *b, const gb_table_series *s, const gb_result_row *row)
{
    gb_table_assumed *assumed = &b->assumed;
    const char *text = said_of(b, s, row);
    for (size_t i = 0; text && i < assumed->count; i++)
        if (strcmp(assumed->texts[i], text) == 0) return;
    if (!text) return;
    assumed->texts = gb_arena_grow(b->arena, assumed->texts, assumed->count, &assumed->capacity,
                                   sizeof *assumed->texts);
    assumed->texts[assumed->count++] = text;
}

const char *gb_table_marked(gb_table_builder *b, const char *text, const gb_table_assumed *assumed)
{
    for (size_t i = 0; i < assumed->count; i++)
        text = gb_arena_printf(b->arena, "%s%s", text,
                               mark_of(b, assumed->texts[i], assumed->texts[i]));
    return text;
}
