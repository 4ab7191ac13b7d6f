/* Files that are looked at again and again: that works on all file systems, over a network too. */
#include "bench/commands/run_watch.h"
#include "common/text/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LEVELS = 4 };

/* As the file is now; true: it is another. */
static bool look(gb_watched_file *file)
{
    struct stat info;
    gb_watched_file now = {.path = file->path, .source = file->source, .size = -1};
    if (stat(file->path, &info) == 0) {
        now.size = (long long)info.st_size;
        now.seconds = (long long)info.st_mtim.tv_sec;
        now.nanoseconds = info.st_mtim.tv_nsec;
        now.number = (long long)info.st_ino;
    }
    const bool other = now.size != file->size || now.seconds != file->seconds ||
                       now.nanoseconds != file->nanoseconds || now.number != file->number;
    *file = now;
    return other;
}

static gb_watched_file *find(gb_watched *watched, const char *path)
{
    for (size_t i = 0; i < watched->count; i++)
        if (strcmp(watched->items[i].path, path) == 0) return &watched->items[i];
    return NULL;
}

static gb_watched_file *add(gb_watched *watched, const char *path, bool source)
{
    watched->items = gb_arena_grow(&watched->arena, watched->items, watched->count,
                                   &watched->capacity, sizeof *watched->items);
    gb_watched_file *file = &watched->items[watched->count++];
    *file = (gb_watched_file){
        .path = gb_arena_strdup(&watched->arena, path), .source = source, .size = -1};
    return file;
}

void gb_watched_add(gb_watched *watched, const char *path, bool source)
{
    if (!find(watched, path)) look(add(watched, path, source));
}

static bool is_source(const char *name)
{
    static const char *const endings[] = {".c",   ".h",   ".cu",  ".cuh", ".cc",
                                          ".cpp", ".hpp", ".cxx", ".mk",  ".inc"};
    bool found = strcmp(name, "Makefile") == 0 || strcmp(name, "CMakeLists.txt") == 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        found |= gb_text_ends(name, endings[i]);
    return found && *name != '.';
}

/* Whether a folder is somebody's sources: not what is hidden, results or built. */
static bool is_searched(const char *name)
{
    return *name != '.' && strcmp(name, "build") != 0 && strcmp(name, "results") != 0;
}

/* Calls found for each source. */
static void each_source(gb_watched *watched, const char *folder, int deep,
                        void (*found)(gb_watched *watched, const char *path))
{
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        struct stat info;
        const char *path = gb_arena_printf(&watched->arena, "%s/%s", folder, entry->d_name);
        if (lstat(path, &info) != 0) continue;
        if (S_ISDIR(info.st_mode) && deep > 1 && is_searched(entry->d_name))
            each_source(watched, path, deep - 1, found);
        else if (!S_ISDIR(info.st_mode) && is_source(entry->d_name))
            found(watched, path);
    }
    if (stream) closedir(stream);
}

static void add_source(gb_watched *watched, const char *path)
{
    gb_watched_add(watched, path, true);
}

void gb_watched_add_sources(gb_watched *watched, const char *folder)
{
    each_source(watched, folder, LEVELS, add_source);
}

const char *gb_watched_look(gb_watched *watched, bool sources)
{
    const char *other = NULL;
    for (size_t i = 0; i < watched->count; i++)
        if (watched->items[i].source == sources && look(&watched->items[i]))
            other = watched->items[i].path;
    return other;
}
