/* Which files a path stands for when results are read: itself, or what a folder holds. */
#include "bench/rows/foreign.h"
#include "bench/util/csv_load.h"
#include "common/text/file.h"
#include "common/text/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char gb_known_differences_name[] = "audit-known.csv";

enum { MOST_BYTES = 1 << 30 };

/* Names of folders. */
typedef struct folders {
    const char **items;
    size_t count, capacity;
} folders;

bool gb_results_know(gb_results *results, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) return false;
    gb_files_seen *seen = results->seen ? results->seen : &results->own_seen;
    const char *before = gb_seen_before(&results->arena, seen, path, &info);
    if (!before) return false;
    if (strcmp(before, path) == 0)
        fprintf(stderr, "gpubench: %s is named twice and read once\n", path);
    else
        fprintf(stderr, "gpubench: %s is the same as %s and read once\n", path, before);
    return true;
}

static bool add_file(gb_results *results, const char *path, gb_error *error)
{
    size_t size;
    if (gb_results_know(results, path)) return true;
    char *text = gb_file_read(path, "a result file", MOST_BYTES, &size, GB_CRASHED, error);
    if (!text) return false;
    if (gb_foreign_is_json(text, size)) {
        const bool good = gb_foreign_add_json(results, path, text, size, error);
        free(text);
        return good;
    }
    gb_csv *csv = gb_csv_load_text(text, size, path, error);
    if (!csv) return false;
    return gb_foreign_is_table(results, csv) ? gb_foreign_add_table(results, path, csv, error)
                                             : gb_results_add_table(results, path, csv, error);
}

static int is_of_some_run(const struct dirent *entry)
{
    const char *name = entry->d_name;
    return name[0] != '.' && gb_text_ends(name, ".csv") && !gb_text_ends(name, ".samples.csv") &&
           !gb_text_ends(name, ".retried.csv") && strcmp(name, gb_known_differences_name) != 0;
}

/* A folder stands for its current results: not for their samples, for rows that were measured
 * again, for those of earlier runs, or for what `gpubench audit` reads beside them. All but the
 * last can still be named by themselves. */
static int is_result_file(const struct dirent *entry)
{
    return is_of_some_run(entry) && !gb_result_is_moved_aside(entry->d_name);
}

/* All result files have this column first; other CSV files of ours do not. */
static bool begins_with_schema(const char *path)
{
    static const char schema[] = "schema,";
    char first[64] = "";
    FILE *file = fopen(path, "r");
    const bool read = file && fgets(first, sizeof first, file);
    if (file) fclose(file);
    return read && strstr(first, schema);
}

static bool holds_results(gb_arena *arena, const char *path)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, is_result_file, NULL);
    bool any = false;
    for (int i = 0; i < count; i++) {
        any = any || begins_with_schema(gb_arena_printf(arena, "%s/%s", path, entries[i]->d_name));
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    return any;
}

static int is_seen(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The folders below one, at most `deep` levels, that hold results; not those below such a folder.
 */
static void find_below(gb_arena *arena, const char *path, int deep, folders *found)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, is_seen, alphasort);
    for (int i = 0; i < count; i++) {
        struct stat info;
        const char *slash = gb_text_ends(path, "/") ? "" : "/";
        const char *below = gb_arena_printf(arena, "%s%s%s", path, slash, entries[i]->d_name);
        free(entries[i]);
        if (lstat(below, &info) != 0 || !S_ISDIR(info.st_mode)) continue;
        if (!holds_results(arena, below)) {
            if (deep > 1) find_below(arena, below, deep - 1, found);
            continue;
        }
        found->items = gb_arena_grow(arena, found->items, found->count, &found->capacity,
                                     sizeof *found->items);
        found->items[found->count++] = below;
    }
    if (count >= 0) free(entries);
}

/* What to name instead of a folder without results. */
static void refuse_folder(gb_arena *arena, const char *path, gb_error *error)
{
    enum { LEVELS = 3, MOST_NAMED = 8 };
    folders found = {0};
    find_below(arena, path, LEVELS, &found);
    if (found.count == 0) {
        gb_fail(error, GB_WRONG,
                "the folder %s holds no result file (*.csv); `gpubench run` writes them to "
                "results/<device>/",
                path);
        return;
    }
    const size_t named = found.count > MOST_NAMED ? MOST_NAMED : found.count;
    const char *more =
        found.count > named ? gb_arena_printf(arena, " (and %zu more)", found.count - named) : "";
    gb_fail(error, GB_WRONG,
            "the folder %s holds no result file (*.csv) itself; name what does below it: %s%s",
            path, gb_arena_listed(arena, found.items, named), more);
}

static bool add_folder(gb_results *results, const char *path, gb_error *error)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_result_file, alphasort);
    if (count < 0) {
        gb_fail(error, GB_WRONG, "cannot read the folder %s: %s", path, strerror(errno));
        return false;
    }
    bool ok = count > 0;
    if (!ok) refuse_folder(&results->arena, path, error);
    for (int i = 0; i < count; i++) {
        if (ok)
            ok = add_file(results,
                          gb_arena_printf(&results->arena, "%s/%s", path, entries[i]->d_name),
                          error);
        free(entries[i]);
    }
    free(entries);
    return ok;
}

/* ---- of all runs ----------------------------------------------------------------------------- */

/* Folders below one with results that are read only where they are named: equal runs, which are for
 * the noise alone, and runs of the device under conditions, which are another device's. */
static bool is_apart(const char *name)
{
    return strcmp(name, "aa") == 0 || strcmp(name, "under") == 0;
}

/* Adds the result files of all runs in a folder, then in those below it. False and *error if it
 * cannot be read. */
static bool find_all(gb_arena *arena, const char *path, int deep, folders *found, gb_error *error)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, is_seen, alphasort);
    if (count < 0) {
        gb_fail(error, GB_WRONG, "cannot read the folder %s: %s", path, strerror(errno));
        return false;
    }
    bool good = true;
    for (int i = 0; i < count; i++) {
        struct stat info;
        const char *slash = gb_text_ends(path, "/") ? "" : "/", *name = entries[i]->d_name;
        const char *below = gb_arena_printf(arena, "%s%s%s", path, slash, name);
        const bool there = good && lstat(below, &info) == 0;
        if (there && S_ISDIR(info.st_mode) && deep > 1 && !is_apart(name))
            good = find_all(arena, below, deep - 1, found, error);
        if (there && S_ISREG(info.st_mode) && is_of_some_run(entries[i]) &&
            begins_with_schema(below)) {
            found->items = gb_arena_grow(arena, found->items, found->count, &found->capacity,
                                         sizeof *found->items);
            found->items[found->count++] = below;
        }
        free(entries[i]);
    }
    free(entries);
    return good;
}

char **gb_result_files_below(gb_arena *arena, char **paths, size_t count, size_t *file_count,
                             gb_error *error)
{
    enum { LEVELS = 6 };
    folders found = {0};
    for (size_t i = 0; i < count; i++) {
        struct stat info;
        if (stat(paths[i], &info) != 0) {
            gb_fail(error, GB_WRONG, "cannot read %s: %s", paths[i], strerror(errno));
            return NULL;
        }
        if (S_ISDIR(info.st_mode)) {
            if (!find_all(arena, paths[i], LEVELS, &found, error)) return NULL;
            continue;
        }
        found.items =
            gb_arena_grow(arena, found.items, found.count, &found.capacity, sizeof *found.items);
        found.items[found.count++] = paths[i];
    }
    *file_count = found.count;
    if (found.count) return (char **)found.items;
    gb_fail(error, GB_WRONG, "there is no result file (*.csv) in %s, nor below it", paths[0]);
    return NULL;
}

bool gb_results_add(gb_results *results, const char *path, gb_error *error)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        gb_fail(error, GB_WRONG, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    results->operand++;
    if (S_ISDIR(info.st_mode) && gb_results_know(results, path)) return true;
    const bool good =
        S_ISDIR(info.st_mode) ? add_folder(results, path, error) : add_file(results, path, error);
    gb_foreign_adopt(results, 1);
    gb_places_tell_apart(&results->arena, results, 1);
    return good;
}
