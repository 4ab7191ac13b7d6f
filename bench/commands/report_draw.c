/* The drawings of `gpubench report`. */
#include "bench/commands/report_draw.h"

#include "bench/util/interrupt.h"
#include "bench/util/temporary.h"
#include "common/text/limits.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A `gpubench plot` that draws into a folder, and what it says. */
typedef struct plotter {
    const char *folder, *log;
    pid_t child;
    int status;
} plotter;

static bool start(gb_arena *arena, char **paths, size_t count, const gb_foreign_map *map,
                  const char *const *options, plotter *p, gb_error *error)
{
    const char **argv = gb_arena_alloc(arena, (count + GB_MAP_ITEMS + 12) * sizeof *argv);
    size_t at = 0;
    argv[at++] = program_invocation_name;
    argv[at++] = "plot";
    for (size_t i = 0; i < count; i++)
        argv[at++] = paths[i];
    for (size_t i = 0; map && i < map->said_count; i++)
        argv[at++] = gb_arena_printf(arena, "--map=%s", map->said[i]);
    while (*options)
        argv[at++] = *options++;
    argv[at++] = "--out";
    argv[at++] = p->folder;
    p->child = fork();
    if (p->child < 0) {
        char limit[GB_LIMIT_TEXT];
        const int reason = errno;
        gb_fail(error, GB_CRASHED,
                "no process to draw the figures: %s%s (--no-figures does without)",
                strerror(reason), gb_limit_behind(reason, limit));
        return false;
    }
    if (p->child == 0) {
        if (!freopen("/dev/null", "w", stdout) || !freopen(p->log, "w", stderr)) _exit(127);
        execv("/proc/self/exe", (char *const *)argv);
        _exit(127);
    }
    return true;
}

static void await(plotter *p)
{
    if (p->child <= 0 || gb_interrupt_wait(p->child, &p->status) != 0) p->status = -1;
}

/* Copies what a process said to stderr. */
static void show(const char *path)
{
    FILE *said = fopen(path, "r");
    for (int character; said && (character = getc(said)) != EOF;)
        putc(character, stderr);
    if (said) fclose(said);
}

/* Which figures do not fit which experiment plot says, too, which is of no interest unless it
 * fails. */
static bool judge(const plotter *p, gb_error *error)
{
    if (gb_interrupted) {
        gb_fail(error, GB_CRASHED, "interrupted");
        return false;
    }
    if (p->status == 0) return true;
    show(p->log);
    gb_fail(error, GB_WRONG,
            "the figures could not be drawn (see above; --no-figures does without)");
    return false;
}

static bool make_folders(gb_arena *arena, gb_report_drawings *d, gb_error *error)
{
    d->folder = gb_temporary_folder(arena, "report", error);
    if (!d->folder) return false;
    d->wide = gb_arena_printf(arena, "%s/wide", d->folder);
    d->narrow = gb_arena_printf(arena, "%s/narrow", d->folder);
    return (mkdir(d->wide, 0777) == 0 && mkdir(d->narrow, 0777) == 0) ||
           gb_temporary_refused(d->folder, error);
}

bool gb_report_draw(gb_arena *arena, char **paths, size_t count, gb_report_drawings *d,
                    gb_error *error)
{
    static const char *const wide[] = {"--format", "svg", "--keep-data", NULL};
    static const char *const narrow[] = {"--format", "svg", "--paper-width", "column", NULL};
    if (!make_folders(arena, d, error)) return false;
    plotter screen = {.folder = d->wide, .log = gb_arena_printf(arena, "%s/wide.log", d->folder)};
    plotter phone = {.folder = d->narrow,
                     .log = gb_arena_printf(arena, "%s/narrow.log", d->folder)};
    bool good = start(arena, paths, count, d->map, wide, &screen, error) &&
                start(arena, paths, count, d->map, narrow, &phone, error);
    await(&screen);
    await(&phone);
    return good && judge(&screen, error) && judge(&phone, error);
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info;
    (void)type;
    (void)at;
    remove(path);
    return 0;
}

void gb_report_remove_drawings(const gb_report_drawings *d)
{
    if (d->folder) nftw(d->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
