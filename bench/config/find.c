/* `gpubench run multipartition`: the names of the configs that come along stand for their files. */
#include "bench/config/find.h"

#include "bench/util/nearest.h"
#include "bench/util/share.h"
#include "common/text/text.h"

#include <string.h>
#include <sys/stat.h>

/* What a name or a path in configs/ calls a config; NULL of any other path. */
static const char *name_of(gb_arena *arena, const char *given)
{
    if (strncmp(given, "configs/", 8) == 0) given += 8;
    if (!*given || strchr(given, '/')) return NULL;
    const size_t length = strlen(given), tail = strlen(".json");
    const bool whole = length > tail && gb_text_ends(given, ".json");
    return gb_arena_strndup(arena, given, whole ? length - tail : length);
}

/* The names of all that come along, for a message. */
static const char *const *known_names(gb_arena *arena)
{
    char **paths = gb_share_list(arena, "configs", "", ".json");
    size_t count = 0;
    while (paths[count])
        count++;
    const char **names = gb_arena_alloc(arena, (count + 1) * sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = name_of(arena, strrchr(paths[i], '/') + 1);
    names[count] = NULL;
    return names;
}

const char *gb_config_find(gb_arena *arena, const char *given, gb_error *error)
{
    struct stat info;
    const bool is_there = stat(given, &info) == 0;
    if (is_there && !S_ISDIR(info.st_mode)) return given;
    const char *name = name_of(arena, given);
    const char *found =
        name ? gb_share_find(arena, gb_arena_printf(arena, "configs/%s.json", name)) : NULL;
    if (found) return found;
    if (!name || is_there) return given; /* whoever reads it says what is wrong with it */
    char hint[128];
    gb_fail(error, GB_UNSUPPORTED,
            "there is no config %.200s%s: no such file, nor one among those that come along, which "
            "`gpubench list configs` shows (looked in: %s)",
            given, gb_did_you_mean(hint, sizeof hint, name, known_names(arena)),
            gb_share_places(arena));
    return NULL;
}
