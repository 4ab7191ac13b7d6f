#include "common/protocol/tuning.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAME = 128 };

/* A name as one of a folder. */
static void plain(const char *name, char text[MOST_NAME])
{
    size_t length = 0;
    for (const char *c = name; *c && length + 1 < MOST_NAME; c++) {
        const bool kept = isalnum((unsigned char)*c) || *c == '-' || *c == '_';
        text[length++] = (char)(kept ? *c : '-');
    }
    text[length] = '\0';
}

static bool is_absolute(const char *path)
{
    return path && *path == '/';
}

bool gb_tuning_path(const char *device, const char *primitive, char *path, size_t capacity,
                    gb_error *error)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool named = is_absolute(cache);
    char folder[MOST_NAME], file[MOST_NAME] = "";
    if (!named && !is_absolute(home)) {
        gb_fail(error, GB_WRONG,
                "there is no cache folder: neither XDG_CACHE_HOME nor HOME is an absolute path");
        return false;
    }
    plain(device, folder);
    if (primitive) plain(primitive, file);
    const int length = snprintf(path, capacity, "%s%s/gpubench/tuning/1/%s%s%s%s",
                                named ? cache : home, named ? "" : "/.cache", folder,
                                primitive ? "/" : "", file, primitive ? "-tuning.csv" : "");
    if (*folder && length > 0 && (size_t)length < capacity) return true;
    gb_fail(error, GB_WRONG, "the path of the cache folder is too long");
    return false;
}
