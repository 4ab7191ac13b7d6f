/* Which files a path stands for when results are read: itself, or what a folder holds. */
#include "bench/rows/rows.h"
#include "bench/util/csv_load.h"
#include "common/text/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char gb_known_differences_name[] = "audit-known.csv";

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
    if (gb_results_know(results, path)) return true;
    gb_csv *csv = gb_csv_load(path, error);
    return csv && gb_results_add_table(results, path, csv, error);
}

/* A folder stands for its current results: not for their samples, for rows that were measured
 * again, for those of earlier runs, or for what `gpubench audit` reads beside them. All but the
 * last can still be named by themselves. */
static int is_result_file(const struct dirent *entry)
{
    const char *name = entry->d_name;
    return name[0] != '.' && gb_text_ends(name, ".csv") && !gb_text_ends(name, ".samples.csv") &&
           !gb_text_ends(name, ".retried.csv") && strcmp(name, gb_known_differences_name) != 0 &&
           !gb_result_is_moved_aside(name);
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
    if (!ok)
        gb_fail(error, GB_WRONG,
                "the folder %s holds no result file (*.csv); `gpubench run` writes them to "
                "results/<device>/",
                path);
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
    gb_places_tell_apart(&results->arena, results, 1);
    return good;
}
