/* What a run has found, as the experiment's table lays it out: right behind the last point. */
#include "bench/commands/run_table.h"

#include "bench/table/set.h"
#include "bench/util/shell.h"
#include "bench/util/terminal.h"
#include "common/text/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 60 };

/* The tables of the file's experiment as text; NULL, and *error, without. */
static char *tables_text(gb_arena *arena, gb_results *results, gb_results *published,
                         gb_error *error)
{
    const gb_table_wishes wishes = {0};
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    bool good = file != NULL;
    if (!good) gb_fail(error, GB_OUT_OF_MEMORY, "out of memory");
    for (size_t i = 0; good && i < results->set_count; i++) {
        gb_tables tables;
        good =
            gb_tables_of_set(arena, results, &results->sets[i], &wishes, published, &tables, error);
        for (size_t k = 0; good && k < tables.count; k++) {
            if (ftell(file) > 0) putc('\n', file);
            gb_table_write_text(arena, &tables.items[k], gb_terminal_columns(stdout), file);
        }
    }
    if (file && fclose(file) != 0) good = false;
    if (good) return text;
    free(text);
    return NULL;
}

/* More than the terminal has lines is no loss: it can be scrolled. */
static size_t most_lines(void)
{
    const size_t lines = gb_terminal_lines(stdout);
    return lines > MOST_LINES ? lines : MOST_LINES;
}

void gb_run_table_print(const char *csv)
{
    gb_arena arena = {0};
    gb_results results = {0}, published = {0};
    gb_error error = {GB_OK, ""};
    char *text = NULL;
    if (gb_results_add(&results, csv, &error))
        text = tables_text(&arena, &results, &published, &error);
    const size_t lines = text ? gb_text_lines(text) : 0;
    if (lines > 0 && lines <= most_lines()) {
        printf("\n%s\n", text);
    } else if (lines > 0) {
        printf("\nthe table has %zu lines: ", lines);
        gb_shell_put(stdout, program_invocation_name);
        fputs(" table ", stdout);
        gb_shell_put(stdout, csv);
        putchar('\n');
    } else if (error.status != GB_OK) {
        fprintf(stderr, "note: no table: %s\n", error.text);
    }
    fflush(stdout);
    free(text);
    gb_results_free(&results);
    gb_results_free(&published);
    gb_arena_free(&arena);
}
