/* gpubench tune: measures what variants that choose (auto) go by on this device, and keeps it. */
#include "bench/commands/commands.h"
#include "bench/commands/run.h"
#include "bench/util/clock.h"
#include "bench/util/disk.h"
#include "bench/util/interrupt.h"
#include "bench/util/options.h"
#include "bench/util/replace.h"
#include "bench/util/share.h"
#include "bench/util/shell.h"
#include "bench/util/temporary.h"
#include "bench/worker/tuning.h"
#include "common/protocol/tuning.h"
#include "common/text/file.h"
#include "common/text/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const gb_command_help help = {
    .usage = "tune [options]",
    .summary =
        "Measures, in a minute at most, how long each method takes on this device, and keeps\n"
        "it in the cache folder ($XDG_CACHE_HOME, else ~/.cache): multipartition's auto goes\n"
        "by that from then on, on this device. What does not fit into the time is left to\n"
        "what is compiled in. `gpubench info` shows what auto goes by.\n",
    .examples = "  gpubench tune\n"
                "  gpubench tune --quick --device 1\n"};

/* The one primitive with variants that choose, and the config by which it is measured. */
static const char primitive[] = "multipartition", config[] = "configs/multipartition-tuning.json";
static const double whole_s = 60, quick_s = 15;
enum { MOST_TABLE = 16 << 20 };

typedef struct tune_command {
    gb_run_command run;
    gb_run_tally tally;
    bool quick;
    double limit_s, begun;
    char path[GB_PATH_SIZE]; /* of the table */
    int lock;                /* -1: none */
} tune_command;

static bool refuse(const char *text)
{
    fprintf(stderr, "gpubench tune: %s\n", text);
    return false;
}

/* ---- where it goes ----------------------------------------------------------------------------
 */

/* Makes the folder of a path, and those above it. */
static bool make_folder_of(const char *path, gb_error *error)
{
    char folder[GB_PATH_SIZE + 16];
    gb_folder_of(path, folder);
    for (char *at = folder + 1;; at++) {
        const char stop = *at;
        if (stop && stop != '/') continue;
        *at = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            gb_fail(error, GB_CRASHED,
                    "%s: the folder cannot be made: %s; XDG_CACHE_HOME may name another place for "
                    "caches",
                    folder, strerror(errno));
            return false;
        }
        *at = stop;
        if (!stop) return true;
    }
}

/* Names the table and sees, before anything is measured, that it can be written, and by nobody else
 * meanwhile. */
static bool claim_place(tune_command *t, const gb_session *session)
{
    char lock[GB_PATH_SIZE + 16];
    gb_error error;
    if (!gb_tuning_path(gb_tuning_device(session), primitive, t->path, sizeof t->path, &error) ||
        !make_folder_of(t->path, &error))
        return refuse(error.text);
    snprintf(lock, sizeof lock, "%s.lock", t->path);
    t->lock = open(lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0666);
    if (t->lock < 0) {
        fprintf(stderr,
                "gpubench tune: %s cannot be written: %s; XDG_CACHE_HOME may name another place "
                "for caches\n",
                lock, strerror(errno));
        return false;
    }
    if (flock(t->lock, LOCK_EX | LOCK_NB) == 0) return true;
    fprintf(stderr,
            "gpubench tune: another one measures this device just now (%s is locked): two would "
            "disturb each other; try again when it has ended\n",
            lock);
    return false;
}

/* Copies a file of the run to beside the table, whole or not at all. */
static bool keep_file(const gb_run_item *item, const char *ending, const char *path,
                      gb_error *error)
{
    char from[GB_PATH_SIZE];
    size_t length;
    snprintf(from, sizeof from, "%.1000s/%s%s", item->folder, item->config->name, ending);
    char *text = gb_file_read(from, "a file of the run", MOST_TABLE, &length, GB_CRASHED, error);
    const bool kept = text && gb_files_replace(path, text, length, error);
    free(text);
    return kept;
}

/* The meta file first: the table counts with it alone. */
static bool keep(const tune_command *t, const gb_run_item *item)
{
    char meta[GB_PATH_SIZE + 16];
    gb_error error;
    snprintf(meta, sizeof meta, "%.*s.meta.json", (int)(strlen(t->path) - strlen(".csv")), t->path);
    return (keep_file(item, ".meta.json", meta, &error) &&
            keep_file(item, ".csv", t->path, &error)) ||
           refuse(error.text);
}

static void remove_folder(gb_arena *arena, const char *folder)
{
    for (char **file = gb_folder_list(arena, folder, "", ""); *file; file++)
        (void)unlink(*file);
    (void)rmdir(folder);
}

/* ---- measuring --------------------------------------------------------------------------------
 */

/* Finds device, worker and config. False and the exit status. */
static bool load(tune_command *t, int *status)
{
    /* Not one of the current folder: nobody has said that it be run. */
    char *paths[] = {gb_share_find_own(&t->run.arena, config)};
    *status = GB_EXIT_FAILED;
    if (!paths[0]) {
        fprintf(stderr, "gpubench tune: %s, which comes with gpubench, is not in %s\n", config,
                gb_share_own_places(&t->run.arena));
        return false;
    }
    *status = GB_EXIT_USAGE;
    if (t->run.device && gb_device_list_is(t->run.device))
        return refuse("--device: a table is of one device; a set goes by that of its first");
    if (!gb_run_load(&t->run, paths, 1, status)) return false;
    *status = GB_EXIT_NO_DEVICE;
    gb_run_item *item = &t->run.items[0];
    if (!gb_run_wake(&t->run, item, status)) return false;
    /* No row may take the time of all the others. */
    gb_measure *measure = &item->config->measure;
    if (measure->time_limit_s > t->limit_s / 4) measure->time_limit_s = t->limit_s / 4;
    return true;
}

static void say(const tune_command *t, const gb_session *session)
{
    char device[GB_SESSION_DEVICE];
    const size_t points = t->run.points, left = t->run.left_out;
    printf("%s: %zu point%s of %s measured in %.1f s; auto goes by that from now on\n",
           gb_session_device(session, device), points, points == 1 ? "" : "s", primitive,
           gb_now() - t->begun);
    if (left)
        printf("%zu more would not have ended within %.0f s%s: there it goes by what is compiled "
               "in\n",
               left, t->limit_s, t->quick ? " (without --quick: 60 s)" : "");
    printf("%s\n", t->path);
}

/* Rows that did not end in time lack, and that is all; what is wrong, or crashes, is a fault. */
static bool has_faults(const tune_command *t)
{
    const size_t faults = t->tally.rows[GB_WRONG] + t->tally.rows[GB_CRASHED];
    if (faults)
        fprintf(stderr,
                "gpubench tune: %zu rows are wrong or crashed, and do not count: `gpubench check "
                "%s` looks closer\n",
                faults, primitive);
    return faults > 0;
}

/* Measures into a temporary folder, so that nothing but a whole table comes to the cache. */
static int measure(tune_command *t)
{
    gb_run_item *item = &t->run.items[0];
    gb_error error;
    const char *folder = gb_temporary_folder(&t->run.arena, "tune", &error);
    if (!folder) {
        refuse(error.text);
        return GB_EXIT_FAILED;
    }
    snprintf(item->folder, sizeof item->folder, "%s", folder);
    snprintf(item->results, sizeof item->results, "%s", folder);
    t->run.until = t->begun + t->limit_s;
    t->run.silent = true;
    t->run.tally = &t->tally;
    int status = gb_run_configs(&t->run);
    bool kept = !t->run.stop && t->run.points > 0;
    if (!kept)
        refuse("what was measured is not kept; a table of before stays as it was");
    else if (!keep(t, item))
        kept = false;
    if (kept) say(t, item->session);
    remove_folder(&t->run.arena, folder);
    if (!kept) return status > GB_EXIT_FAILED ? status : GB_EXIT_FAILED;
    return has_faults(t) ? GB_EXIT_FAILED : GB_EXIT_OK;
}

static int tune(tune_command *t)
{
    int status;
    gb_interrupt_install();
    t->begun = gb_now();
    t->limit_s = t->quick ? quick_s : whole_s;
    if (!load(t, &status)) return status;
    if (!claim_place(t, t->run.items[0].session)) return GB_EXIT_FAILED;
    return measure(t);
}

/* ---- the command ------------------------------------------------------------------------------
 */

int gb_command_tune(int argc, char **argv)
{
    tune_command t = {.lock = -1};
    gb_run_command *run = &t.run;
    int status;
    const gb_option options[] = {
        gb_option_device(&run->device),
        gb_option_flag("quick", "in 15 seconds at most, the points that matter most", &t.quick),
        gb_option_worker(&run->worker),
        gb_option_verbose("show the worker's log"),
        {0}};
    run->argv = calloc((size_t)argc + 2, sizeof *run->argv);
    if (!run->argv) gb_memory_gone("gpubench tune", ((size_t)argc + 2) * sizeof *run->argv);
    run->argv[run->argc++] = program_invocation_name;
    for (int i = 0; i < argc; i++)
        run->argv[run->argc++] = argv[i];
    run->command = gb_shell_line((const char *const *)run->argv, (size_t)run->argc);
    if (gb_options_parse(argc, argv, &help, options, &status)) {
        if (optind < argc) {
            fprintf(stderr, "gpubench tune: found \"%.60s\", but takes options only\n",
                    argv[optind]);
            status = GB_EXIT_USAGE;
        } else {
            status = tune(&t);
        }
    }
    if (t.lock >= 0) close(t.lock);
    gb_run_free_items(run);
    gb_run_sessions_free(&run->sessions);
    gb_arena_free(&run->arena);
    free(run->argv);
    free(run->command);
    return status;
}
