/* What comes with gpubench and is read at run time: where it lies, and published numbers. */
#include "bench/published.h"
#include "common/text.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PLACES = 4 };

/* The folders in which to look, nearest first; their number. */
static size_t share_places(gb_arena *arena, const char *places[MAX_PLACES])
{
    const char *share = getenv("GPUBENCH_SHARE");
    if (share && *share) {
        places[0] = gb_arena_strdup(arena, share);
        return 1;
    }
    size_t count = 0;
    places[count++] = ".";
    char executable[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    if (length <= 0) return count;
    executable[length] = '\0';
    char *slash = strrchr(executable, '/');
    if (!slash) return count;
    *slash = '\0';
    places[count++] = gb_arena_strdup(arena, executable);
    places[count++] = gb_arena_printf(arena, "%s/..", executable);
    places[count++] = gb_arena_printf(arena, "%s/../share/gpubench", executable);
    return count;
}

char *gb_share_find(gb_arena *arena, const char *relative)
{
    const char *places[MAX_PLACES];
    size_t count = share_places(arena, places);
    for (size_t i = 0; i < count; i++) {
        char *path = strcmp(places[i], ".") == 0
                         ? gb_arena_strdup(arena, relative)
                         : gb_arena_printf(arena, "%s/%s", places[i], relative);
        if (access(path, R_OK) == 0) return path;
    }
    return NULL;
}

char *gb_share_places(gb_arena *arena)
{
    const char *places[MAX_PLACES];
    size_t count = share_places(arena, places);
    char *text = gb_arena_strdup(arena, places[0]);
    for (size_t i = 1; i < count; i++)
        text = gb_arena_printf(arena, "%s, %s", text, places[i]);
    return text;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **gb_folder_list(gb_arena *arena, const char *folder, const char *prefix, const char *suffix)
{
    size_t count = 0, capacity = 0;
    char **names = gb_arena_grow(arena, NULL, 0, &capacity, sizeof *names);
    DIR *stream = folder ? opendir(folder) : NULL;
    if (stream) {
        for (struct dirent *entry; (entry = readdir(stream));) {
            if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
                !gb_text_ends(entry->d_name, suffix))
                continue;
            names = gb_arena_grow(arena, names, count + 1, &capacity, sizeof *names);
            names[count++] = gb_arena_printf(arena, "%s/%s", folder, entry->d_name);
        }
        closedir(stream);
        qsort(names, count, sizeof *names, by_name);
    }
    names[count] = NULL;
    return names;
}

char **gb_share_list(gb_arena *arena, const char *folder, const char *prefix, const char *suffix)
{
    return gb_folder_list(arena, gb_share_find(arena, folder), prefix, suffix);
}

bool gb_published_load(gb_results *published, const char *name, gb_error *error)
{
    const char *path = name;
    if (access(name, R_OK) != 0)
        path = gb_share_find(&published->arena,
                             gb_arena_printf(&published->arena, "results/published/%s", name));
    if (!path) {
        gb_fail(error, GB_WRONG,
                "there is no file %s, nor results/published/%s in any of: %s (--no-published "
                "does without; GPUBENCH_SHARE names the folder that holds results/published)",
                name, name, gb_share_places(&published->arena));
        return false;
    }
    if (!gb_results_add(published, path, error)) return false;
    for (size_t i = 0; i < published->set_count; i++) {
        if (published->sets[i].published) continue;
        gb_fail(error, GB_WRONG,
                "%s holds measured results, not a paper's: it has no column 'kind' (the layout is "
                "described in results/published/README.md)",
                path);
        return false;
    }
    return true;
}

const gb_result_set *gb_published_for(const gb_results *published, const gb_result_set *measured)
{
    for (size_t i = 0; i < published->set_count; i++) {
        const gb_result_set *set = &published->sets[i];
        bool same = set->published && strcmp(set->primitive, measured->primitive) == 0 &&
                    set->axis_count == measured->axis_count;
        for (unsigned a = 0; same && a < set->axis_count; a++)
            same = gb_result_axis(measured, set->axes[a]) >= 0;
        if (same) return set;
    }
    return NULL;
}

bool gb_published_pair(const gb_results *results, const gb_result_set *set, const char *named,
                       const char *fallback, gb_results *published, const gb_result_set **paper,
                       gb_error *error)
{
    *paper = NULL;
    if (set->published || set->simt) return true;
    if (!named) *paper = gb_published_for(results, set);
    const char *file = named ? named : fallback;
    if (*paper || !file) return true;
    if (!gb_published_load(published, file, error)) return false;
    *paper = gb_published_for(published, set);
    if (*paper || !named) return true;
    gb_fail(
        error, GB_WRONG,
        "--published %s has no table of primitive '%s' with the axes %s, which experiment '%s' has "
        "(--no-published does without)",
        named, set->primitive, gb_result_axes(&published->arena, set), set->experiment);
    return false;
}

bool gb_published_serves(const gb_results *results, const gb_result_set *set)
{
    for (size_t i = 0; set->published && i < results->set_count; i++)
        if (!results->sets[i].published && !results->sets[i].simt &&
            strcmp(results->sets[i].primitive, set->primitive) == 0)
            return true;
    return false;
}

const gb_result_set *gb_published_beside(const gb_result_set *set, const char *scope,
                                         const gb_result_set *paper)
{
    if (set->published) return set;
    if (!paper || !*paper->scope || strcmp(paper->scope, scope) == 0) return paper;
    return NULL;
}

const gb_result_row *gb_published_find(const gb_result_set *paper, const gb_result_set *set,
                                       const gb_result_row *point, const char *variant,
                                       const char *device, const char *quantity)
{
    gb_result_row key = {
        .variant = variant, .device = device, .cache = "", .scope = "", .quantity = quantity};
    for (unsigned a = 0; a < paper->axis_count; a++) {
        int at = gb_result_axis(set, paper->axes[a]);
        if (at < 0) return NULL;
        key.axis[a] = point->axis[at];
    }
    const gb_result_row *row = gb_result_find(paper, &key);
    if (row) return row;
    for (unsigned a = 0; a < paper->axis_count; a++)
        if (paper->any[a]) key.axis[a] = gb_any;
    return gb_result_find(paper, &key);
}
