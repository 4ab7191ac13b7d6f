/* Measuring again and again, whenever a file has changed. */
#include "bench/commands/run_watch.h"

#include "bench/config/find.h"
#include "bench/rows/paths.h"
#include "bench/util/exit_status.h"
#include "bench/util/interrupt.h"
#include "common/text/text.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A file is whole when it is the same at two looks. */
enum { LOOK_EVERY_MS = 250 };

typedef struct watcher {
    const gb_watch_wishes *wishes;
    gb_watch_round *round;
    void *context;
    gb_arena arena;
    gb_watched files;
    const char **folders; /* whose sources are built */
    size_t folder_count, folder_capacity;
} watcher;

static void say(const char *what, const char *of)
{
    char now[16];
    const time_t seconds = time(NULL);
    struct tm local;
    localtime_r(&seconds, &local);
    strftime(now, sizeof now, "%H:%M:%S", &local);
    fflush(stdout);
    fprintf(stderr, "--- %s  %s%s\n", now, of, what);
}

/* ---- another process ------------------------------------------------------------------------- */

/* One that a Ctrl-C reaches through this one alone, and that does not outlive it. */
static pid_t start(void)
{
    fflush(NULL);
    const pid_t parent = getpid(), child = fork();
    if (child != 0) return child;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(GB_EXIT_INTERRUPTED);
    return 0;
}

/* Its exit status; -1: it did not end by itself. */
static int await(pid_t child)
{
    int status;
    if (child < 0 || gb_interrupt_wait(child, &status) != 0) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- building -------------------------------------------------------------------------------- */

/* What the compiler says is seen. */
static bool build(const char *folder)
{
    const pid_t child = start();
    if (child == 0) {
        execl("/proc/self/exe", program_invocation_name, "build", folder, (char *)NULL);
        _exit(127);
    }
    return await(child) == 0;
}

/* Builds all that has sources; what was changed until then is looked at. */
static bool build_all(watcher *w)
{
    bool good = true;
    for (size_t i = 0; i < w->folder_count; i++)
        gb_watched_add_sources(&w->files, w->folders[i]);
    (void)gb_watched_look(&w->files, true);
    for (size_t i = 0; i < w->folder_count && good && !gb_interrupted; i++)
        good = build(w->folders[i]);
    return good;
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* What a round told: files are watched from now on, results set against those before. */
static void take_told(watcher *w, FILE *told)
{
    char line[4200];
    rewind(told);
    while (fgets(line, sizeof line, told)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "file ", 5) == 0) gb_watched_add(&w->files, line + 5, false);
        if (strncmp(line, "results ", 8) == 0) gb_run_since_print(line + 8);
    }
}

static int measure(watcher *w, bool first)
{
    FILE *told = tmpfile();
    if (!told) {
        perror("gpubench run: a temporary file");
        return GB_EXIT_FAILED;
    }
    const pid_t child = start();
    if (child == 0) {
        const int status = w->round(w->context, first, told);
        fflush(NULL);
        _exit(status);
    }
    const int status = await(child);
    if (!gb_interrupted) take_told(w, told);
    fclose(told);
    return status;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Whether files that are there in the meantime have been written to the end. */
static void let_settle(watcher *w)
{
    do
        poll(NULL, 0, LOOK_EVERY_MS);
    while (!gb_interrupted &&
           (gb_watched_look(&w->files, true) || gb_watched_look(&w->files, false)));
}

/* Until some file is another; *sources: what is built has changed. */
static void await_change(watcher *w, bool *sources)
{
    const char *source = NULL, *other = NULL;
    bool told = false;
    while (!gb_interrupted) {
        for (size_t i = 0; i < w->folder_count; i++)
            gb_watched_add_sources(&w->files, w->folders[i]);
        source = gb_watched_look(&w->files, true);
        other = gb_watched_look(&w->files, false);
        if (source || other) break;
        if (!told)
            say(" files: waiting for a change (Ctrl-C ends)",
                gb_arena_printf(&w->arena, "%zu", w->files.count));
        told = true;
        poll(NULL, 0, LOOK_EVERY_MS);
    }
    *sources = source != NULL;
    if (gb_interrupted) return;
    say(source ? " has changed: building" : " has changed: measuring", source ? source : other);
    let_settle(w);
}

static void add_folder(watcher *w, const char *config)
{
    const char *folder = gb_result_folder(&w->arena, config);
    if (access(gb_arena_printf(&w->arena, "%s/primitive.c", folder), R_OK) != 0) return;
    for (size_t i = 0; i < w->folder_count; i++)
        if (strcmp(w->folders[i], folder) == 0) return;
    w->folders = gb_arena_grow(&w->arena, w->folders, w->folder_count, &w->folder_capacity,
                               sizeof *w->folders);
    w->folders[w->folder_count++] = folder;
}

static bool find_files(watcher *w)
{
    const gb_watch_wishes *wishes = w->wishes;
    for (size_t i = 0; i < wishes->config_count; i++) {
        gb_error error;
        const char *path = gb_config_find(&w->arena, wishes->configs[i], &error);
        if (!path) {
            fprintf(stderr, "gpubench run: %s\n", error.text);
            return false;
        }
        gb_watched_add(&w->files, path, false);
        add_folder(w, path);
    }
    if (wishes->library) gb_watched_add(&w->files, wishes->library, false);
    for (unsigned i = 0; i < wishes->also_count; i++)
        gb_watched_add(&w->files, wishes->also[i], false);
    return true;
}

int gb_run_watch(const gb_watch_wishes *wishes, gb_watch_round *round, void *context)
{
    watcher w = {.wishes = wishes, .round = round, .context = context};
    int status = GB_EXIT_USAGE;
    gb_interrupt_install();
    if (find_files(&w)) {
        bool sources = true, measured = false;
        while (!gb_interrupted) {
            const bool built = !sources || build_all(&w);
            /* What changes from here on is measured again. */
            (void)gb_watched_look(&w.files, false);
            if (built && !gb_interrupted) {
                (void)measure(&w, !measured);
                measured = true;
            }
            if (!built && !gb_interrupted)
                say(": it was not built, and is not measured", w.folders[0]);
            await_change(&w, &sources);
        }
        status = GB_EXIT_INTERRUPTED;
    }
    gb_arena_free(&w.files.arena);
    gb_arena_free(&w.arena);
    return status;
}
