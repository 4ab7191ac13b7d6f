/* Which files a path stands for when results are read: itself, or what a folder holds. */
#include "bench/rows/rows.h"
#include "common/text/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char gb_known_differences_name[] = "audit-known.csv";

static bool add_file(gb_results *results, const char *path, gb_error *error)
{
    gb_csv *csv = gb_csv_read(path, error);
    return csv && gb_results_add_table(results, path, csv, error);
}

/* Whether a file is NAME.RUN_ID.csv: the results of an earlier run, which a later one moved aside.
 */
static bool is_moved_aside(const char *name)
{
    static const char shape[] = ".########T######Z-xxxxxx.csv"; /* gb_run_id */
    size_t length = strlen(name), size = strlen(shape);
    if (length <= size) return false;
    for (size_t i = 0; i < size; i++) {
        char c = name[length - size + i];
        bool fits = shape[i] == '#'   ? c >= '0' && c <= '9'
                    : shape[i] == 'x' ? strchr("0123456789abcdef", c) != NULL
                                      : c == shape[i];
        if (!fits) return false;
    }
    return true;
}

/* A folder stands for its current results: not for their samples, for rows that were measured
 * again, for those of earlier runs, or for what `gpubench audit` reads beside them. All but the
 * last can still be named by themselves. */
static int is_result_file(const struct dirent *entry)
{
    const char *name = entry->d_name;
    return name[0] != '.' && gb_text_ends(name, ".csv") && !gb_text_ends(name, ".samples.csv") &&
           !gb_text_ends(name, ".retried.csv") && strcmp(name, gb_known_differences_name) != 0 &&
           !is_moved_aside(name);
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

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

char *gb_result_folder(gb_arena *arena, const char *path)
{
    size_t length = strlen(path);
    if (!is_folder(path)) {
        const char *slash = strrchr(path, '/');
        if (!slash) return gb_arena_strdup(arena, ".");
        length = slash == path ? 1 : (size_t)(slash - path);
    }
    while (length > 1 && path[length - 1] == '/')
        length--;
    return gb_arena_strndup(arena, path, length);
}

bool gb_results_add(gb_results *results, const char *path, gb_error *error)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        gb_fail(error, GB_WRONG, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    return S_ISDIR(info.st_mode) ? add_folder(results, path, error)
                                 : add_file(results, path, error);
}
