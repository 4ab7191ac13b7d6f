/* What the path of a result file says. */
#include "bench/rows/paths.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool gb_result_is_moved_aside(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
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

char *gb_result_home(gb_arena *arena, const char *path)
{
    char full[PATH_MAX], *folder = gb_result_folder(arena, path);
    return realpath(folder, full) ? gb_arena_strdup(arena, full) : folder;
}

const char *gb_seen_before(gb_arena *arena, gb_files_seen *seen, const char *path,
                           const struct stat *info)
{
    for (size_t i = 0; i < seen->count; i++)
        if (seen->items[i].device == info->st_dev && seen->items[i].number == info->st_ino)
            return seen->items[i].path;
    seen->items =
        gb_arena_grow(arena, seen->items, seen->count, &seen->capacity, sizeof *seen->items);
    seen->items[seen->count++] =
        (gb_seen){gb_arena_strdup(arena, path), info->st_dev, info->st_ino};
    return NULL;
}
