/* Whether a stream is a terminal, and how large. */
#include "bench/util/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MOST = 10000 };

bool gb_is_terminal(FILE *file)
{
    const char *term = getenv("TERM");
    return isatty(fileno(file)) && term && strcmp(term, "dumb") != 0;
}

/* What the terminal says, else what the variable does. */
static unsigned size_of(FILE *file, bool lines)
{
    struct winsize size;
    if (!isatty(fileno(file))) return 0;
    if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && (lines ? size.ws_row : size.ws_col) > 0)
        return lines ? size.ws_row : size.ws_col;
    const char *text = getenv(lines ? "LINES" : "COLUMNS");
    const long said = text ? strtol(text, NULL, 10) : 0;
    return said > 0 && said < MOST ? (unsigned)said : 0;
}

unsigned gb_terminal_columns(FILE *file)
{
    return size_of(file, false);
}

unsigned gb_terminal_lines(FILE *file)
{
    return size_of(file, true);
}

bool gb_use_colour(FILE *file)
{
    const char *no_colour = getenv("NO_COLOR");
    return gb_is_terminal(file) && !(no_colour && *no_colour);
}
