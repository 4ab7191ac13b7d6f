/* Finding what comes with gpubench. */
#include "bench/util/share.h"

#include "common/text/limits.h"
#include "common/text/text.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
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

static char *find_in(gb_arena *arena, const char *const *places, size_t count, const char *relative)
{
    for (size_t i = 0; i < count; i++) {
        char *path = strcmp(places[i], ".") == 0
                         ? gb_arena_strdup(arena, relative)
                         : gb_arena_printf(arena, "%s/%s", places[i], relative);
        if (access(path, R_OK) == 0) return path;
    }
    return NULL;
}

static char *listed(gb_arena *arena, const char *const *places, size_t count)
{
    char *text = gb_arena_strdup(arena, count ? places[0] : "");
    for (size_t i = 1; i < count; i++)
        text = gb_arena_printf(arena, "%s, %s", text, places[i]);
    return text;
}

char *gb_share_find(gb_arena *arena, const char *relative)
{
    const char *places[MAX_PLACES];
    const size_t count = share_places(arena, places);
    return find_in(arena, places, count, relative);
}

char *gb_share_places(gb_arena *arena)
{
    const char *places[MAX_PLACES];
    const size_t count = share_places(arena, places);
    return listed(arena, places, count);
}

/* The first of the places is the current folder, unless somebody has named the only one. */
static size_t own_places(gb_arena *arena, const char *places[MAX_PLACES], size_t *first)
{
    const size_t count = share_places(arena, places);
    *first = strcmp(places[0], ".") == 0;
    return count - *first;
}

char *gb_share_find_own(gb_arena *arena, const char *relative)
{
    const char *places[MAX_PLACES];
    size_t first;
    const size_t count = own_places(arena, places, &first);
    return find_in(arena, places + first, count, relative);
}

char *gb_share_own_places(gb_arena *arena)
{
    const char *places[MAX_PLACES];
    size_t first;
    const size_t count = own_places(arena, places, &first);
    return listed(arena, places + first, count);
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
    if (folder && !stream && errno != ENOENT) {
        char limit[GB_LIMIT_TEXT];
        const int reason = errno;
        fprintf(stderr, "gpubench: warning: cannot read the folder %s: %s%s\n", folder,
                strerror(reason), gb_limit_behind(reason, limit));
    }
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
