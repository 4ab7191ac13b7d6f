/* Where worker executables lie, and what their names say. Nothing is started here, and no folder is
 * looked into only because it is the current one. */
#ifndef GB_WORKER_EXECUTABLES_H
#define GB_WORKER_EXECUTABLES_H

#include "common/text/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { GB_WORKER_FOLDER = 2048, GB_WORKER_COMMAND = 4096 };

/* By its name: gpubench-cuda*, gpubench-simt*, gpubench-opencl*, gpubench-python*, gpubench-host*.
 * What it really serves it says itself. Builds for checks alone (gpubench-simt-hooks, -tsan) are no
 * workers. */
typedef enum gb_kind {
    GB_KIND_CUDA,
    GB_KIND_SIMT,
    GB_KIND_OPENCL,
    GB_KIND_PYTHON,
    GB_KIND_HOST,
    GB_KIND_OTHER /* named by --worker or GPUBENCH_WORKERS, and called otherwise */
} gb_kind;

/* Where it was found; of workers that can do the same, that of an earlier place is taken. */
typedef enum gb_home {
    GB_HOME_NAMED,  /* by --worker: a command, or a folder that has workers */
    GB_HOME_CONFIG, /* beside a config that is run */
    GB_HOME_DRIVER, /* in GPUBENCH_WORKER_PATH, else beside this program */
    GB_HOME_LISTED, /* in a folder of GPUBENCH_WORKERS, or named there */
    GB_HOME_COUNT
} gb_home;

typedef struct gb_executable {
    char *command;
    gb_kind kind;
    gb_home home;
} gb_executable;

typedef struct gb_executables {
    gb_executable *list;
    size_t count, capacity;
    const char *code; /* that was asked for */
} gb_executables;

/* Finds the workers that there are: with named (--worker) those alone, else those beside the config
 * (config: its path; NULL: none), those beside the driver and those of GPUBENCH_WORKERS (folders
 * and executables, separated by colons), each once, of each folder those for CUDA first. With a
 * code ("sm_35") of each folder those alone whose names end so (gpubench-cuda11-sm_35); without
 * ("") none of these. False and *error if GPUBENCH_WORKERS or --worker names what is not there; no
 * worker at all is no error. Free in any case. */
bool gb_executables_find(gb_executables *found, const char *named, const char *config,
                         const char *code, gb_error *error);
void gb_executables_free(gb_executables *found);

/* Whether a path is a folder: what may be named in the place of a worker, or of a primitive. */
bool gb_is_folder(const char *path);
/* The same of one that is written as a path, with a slash or as "." or "..": a bare name may be
 * that of a primitive. */
bool gb_is_folder_path(const char *operand);
/* Where the driver's own workers lie: $GPUBENCH_WORKER_PATH, else the folder of this program. False
 * if that cannot be told. */
bool gb_worker_folder(char *folder, size_t capacity);
gb_kind gb_worker_kind(const char *command);
/* The same program's build for exploring schedules, COMMAND-hooks in the same folder (of a CUDA
 * worker that of the simt one); the caller frees it. NULL if there is none. *older, if older is not
 * NULL: it is older than the program. */
char *gb_worker_hooks(const char *command, bool *older);
/* A command as messages show it: without the folder, unless it has arguments. Returns text. */
const char *gb_worker_short_name(const char *command, char *text, size_t capacity);
/* The folder of a command that is a path alone, "" of others. Returns text. */
const char *gb_worker_folder_of(const char *command, char *text, size_t capacity);
/* Says that there are no workers of the code, and how to get some; named: --worker, or NULL. Always
 * false. */
bool gb_worker_refuse_none(const char *named, const char *code, gb_error *error);
/* Of which codes there are workers in a folder: "sm_35, sm_70"; "" if there are none. Returns text.
 */
const char *gb_worker_codes(const char *folder, char *text, size_t capacity);

#endif
