/* What to tell people of a primitive that no worker has. */
#include "bench/worker/lacking.h"

#include "bench/util/arena.h"
#include "bench/util/nearest.h"

#include <stdio.h>
#include <string.h>

/* The names of all primitives, some of them twice; NULL-terminated. */
static const char **known_names(gb_arena *arena, const gb_described *workers, size_t worker_count)
{
    size_t count = 0, capacity = 0;
    const char **names = gb_arena_grow(arena, NULL, 0, &capacity, sizeof *names);
    for (size_t i = 0; i < worker_count; i++) {
        const gb_catalogue *catalogue = workers[i].catalogue;
        for (unsigned j = 0; catalogue && j < catalogue->primitive_count; j++) {
            names = gb_arena_grow(arena, names, count + 1, &capacity, sizeof *names);
            names[count++] = catalogue->primitives[j].name;
        }
    }
    names[count] = NULL;
    return names;
}

/* "gpubench-cuda, gpubench-simt in /opt/gpubench, gpubench-simt-saxpy in saxpy" */
static const char *list_workers(gb_arena *arena, const gb_described *workers, size_t count)
{
    const char *text = "";
    char folder[GB_WORKER_FOLDER], next[GB_WORKER_FOLDER], name[256];
    for (size_t i = 0; i < count; i++) {
        const gb_described *worker = &workers[i];
        const bool last = i + 1 == count;
        gb_worker_folder_of(worker->command, folder, sizeof folder);
        gb_worker_folder_of(last ? "" : worker[1].command, next, sizeof next);
        const bool ends = last || strcmp(folder, next) != 0;
        text = gb_arena_printf(arena, "%s%s%s%s%s%s", text, i ? ", " : "",
                               gb_worker_short_name(worker->command, name, sizeof name),
                               worker->catalogue ? "" : " (no answer)",
                               ends && *folder ? " in " : "", ends ? folder : "");
    }
    return text;
}

/* Of a worker that does not answer nobody knows what it has; the one nearest to the config. */
static const gb_described *first_silent(const gb_described *workers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!workers[i].catalogue && workers[i].home != GB_HOME_DRIVER) return &workers[i];
    return NULL;
}

bool gb_primitive_refuse(const gb_described *workers, size_t count, const char *primitive,
                         gb_error *error)
{
    gb_arena arena = {0};
    char hint[128], name[200];
    const gb_described *silent = first_silent(workers, count);
    if (silent) {
        gb_fail(error, GB_UNSUPPORTED, "no worker that answers has a primitive \"%.60s\"; %s: %s",
                primitive, gb_worker_short_name(silent->command, name, sizeof name),
                silent->error.text);
        return false;
    }
    gb_did_you_mean(hint, sizeof hint, primitive, known_names(&arena, workers, count));
    gb_fail(error, GB_WRONG,
            "no worker has a primitive \"%.60s\"%s; `gpubench build DIR` makes the workers of a "
            "folder, GPUBENCH_WORKERS names where more lie, `gpubench list primitives` shows what "
            "there is; asked were %.250s",
            primitive, hint, list_workers(&arena, workers, count));
    gb_arena_free(&arena);
    return false;
}
