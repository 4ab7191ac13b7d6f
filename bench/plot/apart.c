/* A figure drawn by a process of its own. */
#include "bench/plot/apart.h"

#include "bench/plot/make.h"
#include "bench/plot/screen.h"
#include "bench/util/clock.h"
#include "bench/util/interrupt.h"
#include "bench/util/temporary.h"
#include "common/text/limits.h"
#include "common/text/text.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double limit_s = 30;
/* What the process says first: that lines follow, or why there are none. */
static const char lines_follow = 'L', reason_follows = 'R';

/* ---- the process ----------------------------------------------------------------------------- */

static bool draw_one(gb_arena *arena, gb_plot_figures *figures, const char *folder, FILE *to,
                     gb_plot_target target, gb_error *error)
{
    size_t shown = 0;
    target.output = gb_arena_printf(arena, "%s/drawn.txt", folder);
    if (!gb_plot_common(arena, &target.common, error)) return false;
    gb_fail(error, GB_WRONG, "no script draws these results");
    for (int fallback = 0; fallback < 2; fallback++)
        for (size_t i = 0; i < figures->count; i++) {
            const gb_plot_figure *figure = &figures->items[i];
            if (figure->fallback != fallback || !gb_plot_make(arena, figure, &target, error))
                continue;
            putc(lines_follow, to);
            const bool good = gb_plot_show(target.output, to, &shown, error);
            unlink(target.output);
            return good;
        }
    return false;
}

static bool draw(const char *csv, const char *figure, const gb_plot_target *screen, FILE *to,
                 gb_error *error)
{
    gb_arena arena = {0};
    gb_results results = {0};
    gb_choices chosen = {0};
    gb_plot_figures figures = {.arena = &arena,
                               .results = &results,
                               .chosen = &chosen,
                               .only = figure,
                               .no_generations = !figure};
    if (!gb_results_add(&results, csv, error)) return false;
    if (!gb_plot_figures_find(&figures, error)) return false;
    const char *folder = gb_temporary_folder(&arena, "live", error);
    if (!folder) return false;
    const bool good = draw_one(&arena, &figures, folder, to, *screen, error);
    rmdir(folder);
    return good;
}

/* Nothing of this may be seen on the terminal. */
static _Noreturn void become(const char *csv, const char *figure, const gb_plot_target *screen,
                             int out)
{
    gb_error error = {GB_OK, ""};
    FILE *to = fdopen(out, "w");
    setpgid(0, 0);
    if (!to || !freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stdout) ||
        !freopen("/dev/null", "w", stderr))
        _exit(1);
    if (!draw(csv, figure, screen, to, &error)) fprintf(to, "%c%s", reason_follows, error.text);
    fclose(to);
    _exit(0);
}

/* ---- the one that waits ---------------------------------------------------------------------- */

/* All that it says, until it ends or the time is up. */
static char *listen(int from)
{
    size_t used = 0, capacity = 1 << 14;
    char *text = malloc(capacity);
    for (const double end = gb_now() + limit_s; text && !gb_interrupted && gb_now() < end;) {
        struct pollfd wait = {from, POLLIN, 0};
        if (poll(&wait, 1, 100) <= 0) continue;
        const ssize_t got = read(from, text + used, capacity - used - 1);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        used += (size_t)got;
        if (capacity - used >= 4096) continue;
        char *larger = realloc(text, capacity *= 2);
        if (!larger) gb_memory_gone("gpubench", capacity);
        text = larger;
    }
    if (!text) gb_memory_gone("gpubench", capacity);
    text[used] = '\0';
    return text;
}

/* Panels stand below one another, with a blank line between. Where there is no room for all, the
 * last stay, to which rows are still added, below the title. */
static void keep_last_panels(char *text, size_t most)
{
    if (gb_text_lines(text) <= most) return;
    char *second = strchr(text, '\n') + 1, *kept = second;
    for (char *at = second; gb_text_lines(kept) + 1 > most && (at = strstr(at, "\n\n")); at++)
        kept = at + 2;
    while (gb_text_lines(kept) + 1 > most) /* one is too large already */
        kept = strchr(kept, '\n') + 1;
    memmove(second, kept, strlen(kept) + 1);
}

char *gb_plot_apart(const char *csv, const char *figure, const gb_plot_target *screen,
                    gb_error *error)
{
    int ends[2];
    if (pipe(ends) != 0) {
        gb_fail(error, GB_CRASHED, "no pipe: %s", strerror(errno));
        return NULL;
    }
    fflush(NULL); /* what is not written yet would be twice */
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become(csv, figure, screen, ends[1]);
    }
    close(ends[1]);
    char *text = child > 0 ? listen(ends[0]) : NULL;
    close(ends[0]);
    if (child > 0) {
        kill(-child, SIGKILL);
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (text && *text == lines_follow && text[1]) {
        memmove(text, text + 1, strlen(text));
        keep_last_panels(text, (size_t)screen->lines + 1); /* a panel and the title */
        return text;
    }
    gb_fail(error, GB_WRONG, "%s",
            text && *text == reason_follows ? text + 1 : "the figure was not finished");
    free(text);
    return NULL;
}
