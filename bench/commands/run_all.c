/* `gpubench run --all-devices`: a process for each device, which does what a run of that device
 * alone does. One after another they have the terminal; side by side what they say on stderr is
 * shown here, a line each, and their tables when all have ended. */
#include "bench/commands/run_beside.h"
#include "bench/util/clock.h"
#include "bench/util/exit_status.h"
#include "bench/util/interrupt.h"
#include "bench/util/lanes.h"
#include "bench/util/progress.h"
#include "common/text/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* A device, and what its runs have come to. */
typedef struct lane {
    const gb_run_device *device;
    gb_run_tally *tally; /* in memory that its processes share with this one */
    pid_t pid;           /* of the one that runs; 0: none does */
    bool begun;
    int signal; /* that one ended by; 0: none */
    int status; /* the worst exit status */
    double seconds;
    FILE *tables; /* what a run says on stdout, beside others; NULL: it says it there */
} lane;

/* Configs that are run in one go. */
typedef struct batch {
    char **paths;
    cJSON ***told; /* by device, for each path what the meta file says of the others */
    size_t count;
} batch;

typedef struct fleet {
    gb_run_command *c;
    lane *lanes;
    size_t count;
    bool told_end; /* somebody asked for the end, and the processes were told */
} fleet;

/* ---- one process ----------------------------------------------------------------------------- */

static void be_run(fleet *f, size_t at, const batch *b)
{
    gb_run_command *c = f->c;
    c->device = f->lanes[at].device->spec;
    c->place = f->lanes[at].device->place;
    c->tally = f->lanes[at].tally;
    c->beside = b->told ? b->told[at] : NULL;
    int status = gb_run_here(c, b->paths, b->count);
    /* Also where that came before there was a row. */
    if (gb_interrupted && status != GB_EXIT_OK) status = GB_EXIT_INTERRUPTED;
    /* The workers end before the process does. */
    gb_run_sessions_free(&c->sessions);
    exit(fflush(stdout) == 0 ? status : GB_EXIT_FAILED);
}

/* In a group of its own, so that a Ctrl-C reaches this process alone, which passes it on once: a
 * second one would end a run at once. */
static void leave_group(pid_t parent)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(GB_EXIT_INTERRUPTED);
#else
    (void)parent;
#endif
}

/* Begins a device's run; its stderr goes to `err`, unless that is -1. False, with the reason on
 * stderr, if there is no process to be had. */
static bool begin(fleet *f, size_t at, const batch *b, int err)
{
    lane *l = &f->lanes[at];
    const pid_t parent = getpid();
    fflush(NULL);
    l->begun = true;
    l->pid = fork();
    if (l->pid < 0) {
        char limit[GB_LIMIT_TEXT];
        fprintf(stderr, "gpubench run: %s: no process: %s%s\n", l->device->name, strerror(errno),
                gb_limit_behind(errno, limit));
        l->pid = 0;
        l->status = GB_EXIT_FAILED;
        return false;
    }
    if (l->pid > 0) return true;
    leave_group(parent);
    if (err >= 0) {
        dup2(err, STDERR_FILENO);
        close(err);
    }
    if (l->tables) dup2(fileno(l->tables), STDOUT_FILENO);
    be_run(f, at, b);
    return false;
}

static void note_end(lane *l, int waited)
{
    const int status = WIFEXITED(waited) ? WEXITSTATUS(waited) : GB_EXIT_FAILED;
    if (WIFSIGNALED(waited)) l->signal = WTERMSIG(waited);
    if (status > l->status) l->status = status;
    l->pid = 0;
}

/* ---- one after another ----------------------------------------------------------------------- */

static void run_in_turn(fleet *f, const batch *b)
{
    for (size_t i = 0; i < f->count && !gb_interrupted; i++) {
        lane *l = &f->lanes[i];
        const double begun = gb_now();
        int waited = 0;
        fflush(stdout);
        if (f->count > 1)
            fprintf(stderr, "== device %zu of %zu: %s\n", i + 1, f->count, l->device->name);
        if (!begin(f, i, b, -1)) continue;
        if (gb_interrupt_wait(l->pid, &waited) != 0) waited = GB_EXIT_FAILED << 8;
        note_end(l, waited);
        l->seconds += gb_now() - begun;
    }
}

/* ---- side by side ---------------------------------------------------------------------------- */

static void pass_on_end(void *context)
{
    fleet *f = context;
    if (!gb_interrupted || f->told_end) return;
    f->told_end = true;
    for (size_t i = 0; i < f->count; i++)
        if (f->lanes[i].pid > 0) kill(f->lanes[i].pid, SIGTERM);
}

/* Begins a device's run with its own end of a pipe; returns this process's end, or -1. */
static int begin_beside(fleet *f, size_t at, const batch *b)
{
    int ends[2];
    lane *l = &f->lanes[at];
    l->tables = tmpfile();
    if (!l->tables || pipe2(ends, O_CLOEXEC) != 0) {
        fprintf(stderr, "gpubench run: %s: %s\n", l->device->name, strerror(errno));
        l->status = GB_EXIT_FAILED;
        return -1;
    }
    const bool begun = begin(f, at, b, ends[1]);
    close(ends[1]);
    if (begun) return ends[0];
    close(ends[0]);
    return -1;
}

static void print_tables(lane *l)
{
    char bytes[4096];
    size_t got;
    if (!l->tables) return;
    printf("\n== %s\n", l->device->name);
    rewind(l->tables);
    while ((got = fread(bytes, 1, sizeof bytes, l->tables)) > 0)
        fwrite(bytes, 1, got, stdout);
    fclose(l->tables);
    l->tables = NULL;
}

static void run_at_once(fleet *f, const batch *b)
{
    gb_lane *said = calloc(f->count, sizeof *said);
    if (!said) gb_memory_gone("gpubench run", f->count * sizeof *said);
    const double begun = gb_now();
    for (size_t i = 0; i < f->count; i++)
        said[i] = (gb_lane){.name = f->lanes[i].device->name, .from = begin_beside(f, i, b)};
    gb_lanes lanes = {.to = stderr, .list = said, .count = f->count};
    gb_lanes_show(&lanes, pass_on_end, f);
    for (size_t i = 0; i < f->count; i++) {
        lane *l = &f->lanes[i];
        int waited = 0;
        if (l->pid > 0) {
            if (gb_interrupt_wait(l->pid, &waited) != 0) waited = GB_EXIT_FAILED << 8;
            note_end(l, waited);
        }
        l->seconds += gb_now() - begun;
        print_tables(l);
    }
    free(said);
}

/* Tries each config, and gives it to those that run at once or to the others. False, and the exit
 * status, if one cannot run at all. */
static bool sort_configs(fleet *f, char **paths, size_t count, const gb_run_device *devices,
                         gb_run_beside *found, int *status)
{
    for (size_t i = 0; i < count; i++)
        if (!gb_run_try_beside(f->c, paths[i], devices, f->count, &found[i], status)) return false;
    return true;
}

/* The configs of one kind, in their order, with what the meta files say. */
static batch batch_of(const fleet *f, char **paths, size_t count, const gb_run_beside *found,
                      bool at_once)
{
    gb_arena *arena = &f->c->arena;
    batch b = {.paths = gb_arena_alloc(arena, (count + 1) * sizeof *b.paths),
               .told = gb_arena_alloc(arena, f->count * sizeof *b.told)};
    for (size_t d = 0; d < f->count; d++)
        b.told[d] = gb_arena_alloc(arena, (count + 1) * sizeof **b.told);
    for (size_t i = 0; i < count; i++) {
        if (found[i].at_once != at_once) continue;
        for (size_t d = 0; d < f->count; d++)
            b.told[d][b.count] = found[i].told[d];
        b.paths[b.count++] = paths[i];
    }
    return b;
}

/* Reads all configs together, so that a mistake in one, or two that would write the same files, are
 * found before anything runs. */
static bool check_configs(const fleet *f, char **paths, size_t count, int *status)
{
    gb_run_command all = *f->c;
    all.device = f->lanes[0].device->spec;
    all.place = f->lanes[0].device->place;
    all.dry_run = true;
    all.arena = (gb_arena){0};
    const bool good = gb_run_load(&all, paths, count, status);
    gb_run_free_items(&all);
    gb_run_sessions_free(&all.sessions);
    gb_arena_free(&all.arena);
    return good;
}

static bool run_side_by_side(fleet *f, char **paths, size_t count, const gb_run_device *devices,
                             int *status)
{
    if (!check_configs(f, paths, count, status)) return false;
    gb_run_beside *found = calloc(count, sizeof *found);
    if (!found) gb_memory_gone("gpubench run", count * sizeof *found);
    const bool good = sort_configs(f, paths, count, devices, found, status);
    if (good) {
        const batch beside = batch_of(f, paths, count, found, true);
        const batch in_turn = batch_of(f, paths, count, found, false);
        if (beside.count) run_at_once(f, &beside);
        if (in_turn.count) run_in_turn(f, &in_turn);
    }
    for (size_t i = 0; i < count; i++)
        gb_run_beside_free(&found[i], f->count);
    free(found);
    return good;
}

/* ---- what each has done ---------------------------------------------------------------------- */

/* "480 ok, 3 unsupported, 2 there already" */
static const char *rows_text(const gb_run_tally *tally, char text[160])
{
    size_t used = 0;
    strcpy(text, "no rows");
    for (int i = 0; i < GB_STATUS_COUNT; i++)
        if (tally->rows[i])
            used += (size_t)snprintf(text + used, 160 - used, "%s%zu %s", used ? ", " : "",
                                     tally->rows[i], gb_status_name((gb_status)i));
    if (tally->resumed)
        snprintf(text + used, 160 - used, "%s%zu there already", used ? ", " : "", tally->resumed);
    return text;
}

static void print_lane(const fleet *f, const lane *l)
{
    static const char *const words[] = {[GB_EXIT_OK] = "complete",
                                        [GB_EXIT_FAILED] = "failed",
                                        [GB_EXIT_USAGE] = "not run",
                                        [GB_EXIT_NO_DEVICE] = "no device or worker"};
    char rows[160], seconds[32], ended[64] = "";
    const bool known = l->status >= 0 && l->status <= GB_EXIT_NO_DEVICE;
    if (l->signal) snprintf(ended, sizeof ended, ", ended by signal %d", l->signal);
    if (!l->begun) {
        printf("  %s: not begun\n", l->device->name);
        return;
    }
    printf("  %s: %s%s: %s, %s", l->device->name,
           l->status == GB_EXIT_INTERRUPTED ? "interrupted"
           : known                          ? words[l->status]
                                            : "failed",
           ended, rows_text(l->tally, rows), gb_duration(l->seconds, seconds));
    if (l->device->place) {
        char folder[GB_RUN_FOLDER];
        gb_run_folder(f->c, l->device->place, &f->c->under, folder, sizeof folder);
        printf(": %s", folder);
    }
    putchar('\n');
}

static int end(const fleet *f)
{
    int worst = gb_interrupted ? GB_EXIT_INTERRUPTED : GB_EXIT_OK;
    if (!f->c->dry_run) printf("\n%zu device%s:\n", f->count, f->count == 1 ? "" : "s");
    for (size_t i = 0; i < f->count; i++) {
        if (!f->c->dry_run) print_lane(f, &f->lanes[i]);
        if (f->lanes[i].status > worst) worst = f->lanes[i].status;
    }
    return worst;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Memory that processes share with this one. */
static gb_run_tally *shared_tallies(size_t count)
{
    gb_run_tally *tallies = mmap(NULL, count * sizeof *tallies, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tallies == MAP_FAILED) gb_memory_gone("gpubench run", count * sizeof *tallies);
    return tallies;
}

int gb_run_all_devices(gb_run_command *c, char **paths, size_t count)
{
    fleet f = {.c = c};
    int status;
    gb_run_device *devices = gb_run_devices(c, &f.count);
    if (!devices) return GB_EXIT_NO_DEVICE;
    gb_run_tally *tallies = shared_tallies(f.count);
    f.lanes = gb_arena_alloc(&c->arena, f.count * sizeof *f.lanes);
    for (size_t i = 0; i < f.count; i++)
        f.lanes[i] = (lane){.device = &devices[i], .tally = &tallies[i]};
    gb_interrupt_install();
    const batch all = {.paths = paths, .count = count};
    bool ran = true;
    if (c->all_devices > 1 && f.count > 1 && !c->dry_run)
        ran = run_side_by_side(&f, paths, count, devices, &status);
    else
        run_in_turn(&f, &all);
    if (ran) status = end(&f);
    munmap(tallies, f.count * sizeof *tallies);
    return status;
}
