/* Running gnuplot, without a shell. */
#include "bench/plot/gnuplot.h"

#include "bench/util/interrupt.h"

#include <ctype.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

const char *gb_gnuplot_path(gb_arena *arena, const char *path)
{
    return *path == '\0' || *path == '/' ? path : gb_arena_printf(arena, "./%s", path);
}

/* It would run what stands between backquotes and expand @name, so those stand there as octal
 * digits, of which it reads as many as follow: hence the new string behind them. */
const char *gb_gnuplot_text(gb_arena *arena, const char *text)
{
    char *quoted = gb_arena_alloc(arena, strlen(text) * sizeof "\\123\".\"" + sizeof "\"\"");
    char *to = quoted;
    *to++ = '"';
    for (; *text; text++) {
        if (iscntrl((unsigned char)*text) || *text == '`' || *text == '@') {
            to += sprintf(to, "\\%03o\".\"", (unsigned char)*text);
            continue;
        }
        if (*text == '"' || *text == '\\') *to++ = '\\';
        *to++ = *text;
    }
    strcpy(to, "\"");
    return quoted;
}

/* What would change figures from one user to the next. */
static void forget_user(void)
{
    static const char *const variables[] = {"GNUTERM", "GNUPLOT_LIB", "GNUPLOT_FONTPATH",
                                            "GDFONTPATH", "GNUPLOT_DEFAULT_GDFONT"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    /* the figures are in UTF-8 whatever this process's locale is */
    setenv("LC_ALL", "C.UTF-8", 1);
}

bool gb_gnuplot(gb_arena *arena, const char *script, const char *data, gb_error *error)
{
    char *const argv[] = {"gnuplot",
                          "-d",
                          "-c",
                          (char *)gb_gnuplot_path(arena, script),
                          (char *)gb_gnuplot_path(arena, data),
                          NULL};
    pid_t pid;
    fflush(stdout);
    forget_user();
    int code = posix_spawnp(&pid, "gnuplot", NULL, NULL, argv, environ);
    if (code == ENOENT) {
        gb_fail(error, GB_CRASHED,
                "gnuplot draws the figures and is not on PATH: install it (Debian, Ubuntu: "
                "apt-get install gnuplot-nox); `gpubench table` prints the same results without "
                "it");
        return false;
    }
    if (code != 0) {
        gb_fail(error, GB_CRASHED, "gnuplot, the first on PATH, cannot be started: %s",
                strerror(code));
        return false;
    }
    int status;
    while (waitpid(pid, &status, 0) < 0) {
        if (gb_interrupted) kill(pid, SIGTERM);
        if (errno == EINTR) continue;
        gb_fail(error, GB_CRASHED, "gnuplot was lost: %s", strerror(errno));
        return false;
    }
    if (gb_interrupted) {
        gb_fail(error, GB_CRASHED, "interrupted");
        return false;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (WIFSIGNALED(status))
        gb_fail(error, GB_CRASHED, "gnuplot was ended by signal %d (%s) while it ran %s",
                WTERMSIG(status), strsignal(WTERMSIG(status)), script);
    else
        gb_fail(error, GB_CRASHED,
                "gnuplot failed on %s with exit status %d: what it says stands above; --keep-data "
                "keeps the tables that it read",
                script, WEXITSTATUS(status));
    return false;
}
