/* Running gnuplot, without a shell. */
#include "bench/plot/gnuplot.h"

#include "bench/util/interrupt.h"
#include "common/text/limits.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
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

/* A limit on the size of files (ulimit -f) ends gnuplot, which would leave half a figure otherwise
 * and call it a success; here it is ignored. 0 or an errno. */
static int start(char *const argv[], pid_t *pid)
{
    posix_spawnattr_t attributes;
    sigset_t signals;
    int code = posix_spawnattr_init(&attributes);
    if (code != 0) return code;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    code = posix_spawnattr_setsigdefault(&attributes, &signals);
    if (code == 0) code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    if (code == 0) code = posix_spawnp(pid, argv[0], NULL, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    return code;
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
    int code = start(argv, &pid);
    if (code == ENOENT) {
        gb_fail(error, GB_CRASHED,
                "gnuplot draws the figures and is not on PATH: install it (Debian, Ubuntu: "
                "apt-get install gnuplot-nox); `gpubench table` prints the same results without "
                "it");
        return false;
    }
    if (code != 0) {
        char limit[GB_LIMIT_TEXT];
        gb_fail(error, GB_CRASHED, "gnuplot, the first on PATH, cannot be started: %s%s",
                strerror(code), gb_limit_behind(code, limit));
        return false;
    }
    int status;
    code = gb_interrupt_wait(pid, &status);
    if (code != 0) {
        gb_fail(error, GB_CRASHED, "gnuplot was lost: %s", strerror(code));
        return false;
    }
    if (gb_interrupted) {
        gb_fail(error, GB_CRASHED, "interrupted");
        return false;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    char limit[GB_LIMIT_TEXT];
    if (WIFSIGNALED(status))
        gb_fail(error, GB_CRASHED, "gnuplot was ended by signal %d (%s) while it ran %s%s",
                WTERMSIG(status), strsignal(WTERMSIG(status)), script,
                gb_limit_behind(WTERMSIG(status) == SIGXFSZ ? EFBIG : 0, limit));
    else
        gb_fail(error, GB_CRASHED,
                "gnuplot failed on %s with exit status %d: what it says stands above; --keep-data "
                "keeps the tables that it read",
                script, WEXITSTATUS(status));
    return false;
}
