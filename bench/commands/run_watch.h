/* A kernel author's loop, `gpubench run --watch`: measure, wait until a file changes, build,
 * measure again, and say what became of it. Inside the command only. */
#ifndef GB_COMMANDS_RUN_WATCH_H
#define GB_COMMANDS_RUN_WATCH_H

#include "bench/util/arena.h"

#include <stdbool.h>
#include <stdio.h>

/* Measures once, in a process of its own: returns an exit status, and writes lines to `told`: "file
 * PATH" of what it ran, such as a worker, and "results PATH" of each result file that it wrote. */
typedef int gb_watch_round(void *context, bool first, FILE *told);

typedef struct gb_watch_wishes {
    char **configs; /* as they were named */
    size_t config_count;
    const char **also; /* files to be watched besides */
    unsigned also_count;
    const char *library; /* --library; NULL: none */
} gb_watch_wishes;

/* Goes on until somebody asks for an end. Sources beside a config that has a primitive.c there are
 * watched, too, and built by `gpubench build` when they change. Returns the exit status. */
int gb_run_watch(const gb_watch_wishes *wishes, gb_watch_round *round, void *context);

/* ---- its parts ------------------------------------------------------------------------------- */

/* Prints how the rows of a result file stand to those of the run before it, which it moved aside;
 * nothing where there is none (run_since.c). */
void gb_run_since_print(const char *csv);

/* Files that are looked at (run_watched.c). */
typedef struct gb_watched_file {
    const char *path;
    bool source;                                  /* is built first */
    long long size, seconds, nanoseconds, number; /* as last looked at; size -1: it is not there */
} gb_watched_file;

typedef struct gb_watched {
    gb_arena arena;
    gb_watched_file *items;
    size_t count, capacity;
} gb_watched;

/* Adds a file as it is now, once. */
void gb_watched_add(gb_watched *watched, const char *path, bool source);
/* The same of a primitive's sources, in a folder and those below it; files that have come since are
 * added. */
void gb_watched_add_sources(gb_watched *watched, const char *folder);
/* Looks at all files of a kind anew: the path of one that is another than before; NULL: none is. */
const char *gb_watched_look(gb_watched *watched, bool sources);

#endif
