/* Writing folders and variants. */
#include "bench/sdk/folder.h"

#include "bench/util/share.h"
#include "common/text/file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TEXT = 1 << 20 };

const char *gb_new_name_mistake(const char *name)
{
    static const char allowed[] =
        "a name is lower-case letters, digits and single hyphens, a letter first, 40 at most";
    const size_t length = strlen(name);
    if (length == 0 || length > 40 || !islower((unsigned char)name[0]) || name[length - 1] == '-')
        return allowed;
    for (size_t i = 0; i < length; i++)
        if ((!islower((unsigned char)name[i]) && !isdigit((unsigned char)name[i]) &&
             name[i] != '-') ||
            (name[i] == '-' && name[i + 1] == '-'))
            return allowed;
    return NULL;
}

/* As C takes it. */
static const char *identifier(gb_arena *arena, const char *name)
{
    char *text = gb_arena_strdup(arena, name);
    for (char *at = text; *at; at++)
        if (*at == '-') *at = '_';
    return text;
}

static char *read_text(gb_arena *arena, const char *path, gb_error *error)
{
    size_t length;
    char *text = gb_file_read(path, "a source file", MOST_TEXT, &length, GB_UNSUPPORTED, error);
    char *kept = text ? gb_arena_strndup(arena, text, length) : NULL;
    free(text);
    return kept;
}

/* A file that was not there. */
static bool write_new(const char *path, const char *text, gb_error *error)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const size_t length = strlen(text);
    bool good = fd >= 0;
    for (size_t done = 0; good && done < length;) {
        const ssize_t wrote = write(fd, text + done, length - done);
        good = wrote > 0 || (wrote < 0 && errno == EINTR);
        if (wrote > 0) done += (size_t)wrote;
    }
    const int reason = errno;
    if (fd >= 0 && close(fd) != 0) good = false;
    if (good) return true;
    if (fd >= 0) unlink(path);
    gb_fail(error, GB_UNSUPPORTED, "%s: %s", path,
            fd < 0 && reason == EEXIST ? "it is there already, and is left as it is"
                                       : strerror(reason));
    return false;
}

/* ---- a primitive ----------------------------------------------------------------------------- */

typedef struct word {
    const char *name, *value;
} word;

/* Each @NAME@ that is one of the words becomes its value. */
static char *expand(gb_arena *arena, const char *text, const word *words)
{
    char *made = gb_arena_strdup(arena, "");
    for (const char *at; (at = strchr(text, '@'));) {
        const word *found = words;
        while (found->name && strncmp(at + 1, found->name, strlen(found->name)) != 0)
            found++;
        const size_t length = found->name ? strlen(found->name) : 0;
        const bool whole = found->name && at[1 + length] == '@';
        made = gb_arena_printf(arena, "%s%.*s%s", made, (int)(at - text), text,
                               whole ? found->value : "@");
        text = at + (whole ? length + 2 : 1);
    }
    return gb_arena_printf(arena, "%s%s", made, text);
}

/* Which template becomes which file. */
static const struct {
    const char *from, *to;
} files[] = {{"primitive.c", "primitive.c"}, {"primitive.h", "@NAME@.h"},
             {"kernel.cu", "@NAME@.cu"},     {"oracle.c", "oracle.c"},
             {"config.json", "@NAME@.json"}, {"plot.gp", "plots/@NAME@.gp"},
             {"Makefile", "Makefile"},       {"README.md", "README.md"},
             {"gitignore", ".gitignore"},    {NULL, NULL}};

static bool write_files(gb_arena *arena, const gb_sdk *sdk, const char *folder, const word *words,
                        gb_error *error)
{
    for (unsigned i = 0; files[i].from; i++) {
        const char *from = gb_arena_printf(arena, "%s/templates/%s", sdk->folder, files[i].from);
        const char *to = gb_arena_printf(arena, "%s/%s", folder, expand(arena, files[i].to, words));
        const char *text = read_text(arena, from, error);
        if (!text || !write_new(to, expand(arena, text, words), error)) return false;
    }
    return true;
}

static void remove_files(gb_arena *arena, const char *folder, const word *words)
{
    for (unsigned i = 0; files[i].from; i++)
        unlink(gb_arena_printf(arena, "%s/%s", folder, expand(arena, files[i].to, words)));
    rmdir(gb_arena_printf(arena, "%s/plots", folder));
    rmdir(folder);
}

bool gb_new_primitive(gb_arena *arena, const gb_sdk *sdk, const char *folder, const char *name,
                      const gb_new_axes *axes, gb_error *error)
{
    bool dist = false;
    for (unsigned i = 0; i < axes->count; i++)
        dist |= axes->axis[i].dist;
    const word words[] = {{"NAME", name},
                          {"ID", identifier(arena, name)},
                          {"AXES", gb_new_axes_table(arena, axes)},
                          {"AXIS_NAMES", gb_new_axes_names(arena, axes)},
                          {"CONFIG_AXES", gb_new_axes_config(arena, axes)},
                          {"DIST", dist ? ", .dist = \"dist\"" : ""},
                          {"PANELS", dist ? "# gpubench: panels dist\n" : ""},
                          {NULL, NULL}};
    if (mkdir(folder, 0777) != 0) {
        gb_fail(error, GB_UNSUPPORTED, "%s: %s", folder,
                errno == EEXIST   ? "it is there already, and is left as it is"
                : errno == ENOENT ? "the folder that it is to be made in is not there; --in names "
                                    "one that is, the current one if it is not given"
                                  : strerror(errno));
        return false;
    }
    if (mkdir(gb_arena_printf(arena, "%s/plots", folder), 0777) != 0)
        gb_fail(error, GB_UNSUPPORTED, "%s/plots: %s", folder, strerror(errno));
    else if (write_files(arena, sdk, folder, words, error))
        return true;
    remove_files(arena, folder, words);
    return false;
}

/* ---- a variant ------------------------------------------------------------------------------- */

static const char marker[] = "GB_VARIANT(";

/* The line that defines the variant; NULL if there is none, or *twice if there are two. */
static char *find_variant(char *text, bool *twice)
{
    char *found = NULL;
    *twice = false;
    for (char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        if (strncmp(at, marker, strlen(marker)) != 0) continue;
        *twice |= found != NULL;
        if (!found) found = at;
    }
    return found;
}

/* The text with the variant in it called otherwise: the word in brackets, and the first string
 * behind them. NULL if there is no such place. */
static const char *renamed(gb_arena *arena, const char *text, const char *at, const char *name)
{
    const char *inside = at + strlen(marker), *closed = strchr(inside, ')'),
               *quote = closed ? strchr(closed, '"') : NULL,
               *end = quote ? strchr(quote + 1, '"') : NULL;
    if (!end) return NULL;
    return gb_arena_printf(arena, "%.*svariant_%s%.*s\"%s\"%s", (int)(inside - text), text,
                           identifier(arena, name), (int)(quote - closed), closed, name, end + 1);
}

/* The first *.cu of a folder with a variant. */
static const char *first_source(gb_arena *arena, const char *folder, gb_error *error)
{
    for (char **path = gb_folder_list(arena, folder, "", ".cu"); *path; path++) {
        bool twice;
        char *text = read_text(arena, *path, error);
        if (text && find_variant(text, &twice)) return *path;
    }
    gb_fail(error, GB_UNSUPPORTED,
            "%s has no *.cu with a line \"GB_VARIANT(...) = {\" to copy: name the primitive's "
            "folder by --in, a file by --from; a primitive that lists its variants itself gets a "
            "new one by hand",
            folder);
    return NULL;
}

bool gb_new_variant(gb_arena *arena, const char *folder, const char *name, const char *from,
                    const char **copied, gb_error *error)
{
    bool twice;
    const char *source = from ? gb_arena_printf(arena, "%s/%s.cu", folder, from)
                              : first_source(arena, folder, error);
    char *text = source ? read_text(arena, source, error) : NULL;
    if (!text) return false;
    char *at = find_variant(text, &twice);
    const char *made = at && !twice ? renamed(arena, text, at, name) : NULL;
    if (!made) {
        gb_fail(error, GB_UNSUPPORTED,
                "%s: %s line \"GB_VARIANT(...) = {\" with the variant's name behind it; --from "
                "names another file",
                source, twice ? "it has more than one" : "it has no");
        return false;
    }
    *copied = source;
    return write_new(gb_arena_printf(arena, "%s/%s.cu", folder, name), made, error);
}
