/* Whether a stream is a terminal, and how large. */
#include "bench/util/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MOST = 10000 };

/* A descriptor that leads elsewhere for a while, and where it will lead then. */
static int kept = -1, behind = -1;

void gb_terminal_behind(int descriptor, int terminal)
{
    kept = terminal < 0 ? -1 : descriptor;
    behind = terminal;
}

static int descriptor_of(FILE *file)
{
    const int descriptor = fileno(file);
    return descriptor == kept ? behind : descriptor;
}

bool gb_is_terminal(FILE *file)
{
    const char *term = getenv("TERM");
    return isatty(descriptor_of(file)) && term && strcmp(term, "dumb") != 0;
}

/* What the terminal says of itself; {0} if it is none. */
static struct winsize size_of(FILE *file)
{
    struct winsize size;
    return ioctl(descriptor_of(file), TIOCGWINSZ, &size) == 0 ? size : (struct winsize){0};
}

/* What it says, else what a variable does. */
static unsigned said(FILE *file, unsigned itself, const char *variable)
{
    if (!isatty(descriptor_of(file)) || itself) return itself;
    const long number = variable ? strtol(variable, NULL, 10) : 0;
    return number > 0 && number < MOST ? (unsigned)number : 0;
}

unsigned gb_terminal_columns(FILE *file)
{
    return said(file, size_of(file).ws_col, getenv("COLUMNS"));
}

unsigned gb_terminal_lines(FILE *file)
{
    return said(file, size_of(file).ws_row, getenv("LINES"));
}

bool gb_use_colour(FILE *file)
{
    const char *no_colour = getenv("NO_COLOR");
    return gb_is_terminal(file) && !(no_colour && *no_colour);
}
