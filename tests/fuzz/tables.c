/* Drawing tables and looking at the text that comes out. */
#include "tests/fuzz/tables.h"
#include "bench/table/axes.h"

#include "tests/fuzz/fuzz.h"

enum { MOST_TABLES = 4 };

/* Every line has to be printable. */
static void require_printable(char *text)
{
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n"));)
        REQUIRE(!gb_text_unprintable(line));
}

/* Every '&' and '$' of a cell is escaped, so that LaTeX counts as many cells in each row. */
static void require_balanced(const char *latex)
{
    long depth = 0;
    for (; *latex; latex++) {
        if (*latex == '\\' && latex[1]) {
            latex++;
            continue;
        }
        depth += (*latex == '{') - (*latex == '}');
        REQUIRE(depth >= 0);
    }
    REQUIRE(depth == 0);
}

static void draw(gb_arena *arena, const gb_table *table)
{
    static const gb_table_format formats[] = {GB_TABLE_TEXT, GB_TABLE_MARKDOWN, GB_TABLE_LATEX};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char *text = NULL;
        size_t size;
        FILE *file = open_memstream(&text, &size);
        REQUIRE(file);
        gb_table_write(arena, table, formats[i], file);
        REQUIRE(fclose(file) == 0);
        REQUIRE(strlen(text) == size && size > 0);
        if (formats[i] == GB_TABLE_LATEX) require_balanced(text);
        require_printable(text);
        free(text);
    }
}

void fuzz_draw(gb_arena *arena, const gb_result_set *set, const gb_table_layout *layout)
{
    gb_error error = {GB_OK, ""};
    gb_choices chosen = {0};
    gb_slices slices;
    bool drawn[GB_MAX_AXES];
    gb_table_layout plain;
    if (!layout) {
        plain = gb_table_layout_plain(arena, set);
        layout = &plain;
    }
    if (!gb_table_drawn_axes(arena, layout, set, drawn, &error) ||
        !gb_results_slice(arena, set, drawn, &layout->where, &chosen, &slices, &error)) {
        require_message(&error, "");
        return;
    }
    REQUIRE(slices.count > 0);
    for (size_t i = 0; i < slices.count && i < MOST_TABLES; i++) {
        gb_table table;
        REQUIRE(!*slices.items[i].suffix || !strpbrk(slices.items[i].suffix, "/\\ \n'\"`$;|<>"));
        gb_table_build(arena, layout, set, &slices.items[i], NULL, &table);
        draw(arena, &table);
    }
}
