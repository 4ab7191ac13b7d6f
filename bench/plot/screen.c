/* Figures in characters: how large the screen is, and showing what was drawn. */
#include "bench/plot/screen.h"

#include "bench/util/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80, LINES = 24, MOST_COLUMNS = 160, MOST_LINES = 42 };
enum { LEAST_COLUMNS = 50, LEAST_LINES = 16 };
/* Lines that are left to what else is shown beside a figure that grows. */
enum { LIVE_ABOVE = 6 };

/* A target of so many columns and lines, the last of which is left free; false: that is too small
 * for any figure. */
static bool fit(gb_plot_target *target, unsigned columns, unsigned lines)
{
    target->format = "dumb";
    target->columns = columns < MOST_COLUMNS ? (int)columns : MOST_COLUMNS;
    target->lines = (int)(lines < MOST_LINES ? lines : MOST_LINES) - 1;
    return columns >= LEAST_COLUMNS && lines >= LEAST_LINES;
}

bool gb_plot_screen(gb_plot_target *target, gb_error *error)
{
    unsigned columns = gb_terminal_columns(stdout), lines = gb_terminal_lines(stdout);
    if (columns == 0) columns = gb_terminal_columns(stderr);
    if (lines == 0) lines = gb_terminal_lines(stderr);
    if (columns == 0) columns = COLUMNS;
    if (lines == 0) lines = LINES;
    target->colour = gb_use_colour(stdout);
    if (fit(target, columns, lines)) return true;
    gb_fail(error, GB_WRONG,
            "--terminal: a figure needs %d columns and %d lines at least, and this screen has "
            "%u and %u; without --terminal it goes into a file",
            LEAST_COLUMNS, LEAST_LINES, columns, lines);
    return false;
}

bool gb_plot_screen_live(gb_plot_target *target, FILE *terminal, const char *what, gb_error *error)
{
    unsigned columns = gb_terminal_columns(terminal), lines = gb_terminal_lines(terminal);
    if (columns == 0) columns = COLUMNS;
    if (lines == 0) lines = LINES;
    if (!gb_is_terminal(terminal)) {
        gb_fail(error, GB_WRONG,
                "%s draws on a terminal, which this is not; `gpubench plot RESULTS` draws into "
                "files",
                what);
        return false;
    }
    target->colour = gb_use_colour(terminal);
    if (lines > LIVE_ABOVE && fit(target, columns, lines - LIVE_ABOVE)) return true;
    gb_fail(error, GB_WRONG,
            "%s needs %d columns and %d lines at least, and this screen has %u and %u", what,
            LEAST_COLUMNS, LEAST_LINES + LIVE_ABOVE, columns, lines);
    return false;
}

/* Up to the last character of a line that is seen: neither blank nor a part of a colour,
 * "ESC[0;39m".
 */
static size_t length_seen(const char *text)
{
    size_t seen = 0;
    for (size_t i = 0; text[i] && !strchr("\r\n", text[i]); i++) {
        if (text[i] == '\033') {
            i += strcspn(text + i, "m\r\n");
            if (text[i] != 'm') break;
        } else if (text[i] != ' ') {
            seen = i + 1;
        }
    }
    return seen;
}

/* Takes the form feed out with which a page begins; false: none does in this line. */
static bool take_feed(char *line)
{
    char *feed = strchr(line, '\f');
    if (feed) memmove(feed, feed + 1, strlen(feed));
    return feed != NULL;
}

bool gb_plot_show(const char *path, FILE *to, size_t *shown, gb_error *error)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        gb_fail(error, GB_CRASHED, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    char *line = NULL;
    size_t size = 0, blank = 0;
    while (getline(&line, &size, file) >= 0) {
        const bool begins = take_feed(line);
        const size_t length = length_seen(line);
        blank = begins ? 1 : blank + (length == 0);
        if (length == 0) continue;
        for (; blank > 0; blank--)
            if (*shown > 0) putc('\n', to);
        fprintf(to, "%.*s%s\n", (int)length, line, memchr(line, '\033', length) ? "\033[0m" : "");
        ++*shown;
    }
    free(line);
    fclose(file);
    return true;
}
