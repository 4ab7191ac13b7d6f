/* Figures in characters: how large the screen is, and showing what was drawn. */
#include "bench/plot/screen.h"

#include "bench/util/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80, LINES = 24, MOST_COLUMNS = 160, MOST_LINES = 42 };
enum { LEAST_COLUMNS = 50, LEAST_LINES = 16 };

bool gb_plot_screen(gb_plot_target *target, gb_error *error)
{
    unsigned columns = gb_terminal_columns(stdout), lines = gb_terminal_lines(stdout);
    if (columns == 0) columns = gb_terminal_columns(stderr);
    if (lines == 0) lines = gb_terminal_lines(stderr);
    if (columns == 0) columns = COLUMNS;
    if (lines == 0) lines = LINES;
    if (columns < LEAST_COLUMNS || lines < LEAST_LINES) {
        gb_fail(error, GB_WRONG,
                "--terminal: a figure needs %d columns and %d lines at least, and this screen has "
                "%u and %u; without --terminal it goes into a file",
                LEAST_COLUMNS, LEAST_LINES, columns, lines);
        return false;
    }
    target->format = "dumb";
    target->columns = columns < MOST_COLUMNS ? (int)columns : MOST_COLUMNS;
    target->lines = (int)(lines < MOST_LINES ? lines : MOST_LINES) - 1;
    target->colour = gb_use_colour(stdout);
    return true;
}

bool gb_plot_show(const char *path, size_t *shown, gb_error *error)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        gb_fail(error, GB_CRASHED, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    char *line = NULL;
    size_t size = 0, blank = 0;
    while (getline(&line, &size, file) >= 0) {
        char *text = line + strspn(line, "\f");
        size_t length = strcspn(text, "\r\n");
        while (length > 0 && text[length - 1] == ' ')
            length--;
        blank += length == 0;
        if (text != line) blank = 1; /* a page begins */
        if (length == 0) continue;
        for (; blank > 0; blank--)
            if (*shown > 0) putchar('\n');
        printf("%.*s\n", (int)length, text);
        ++*shown;
    }
    free(line);
    fclose(file);
    return true;
}
