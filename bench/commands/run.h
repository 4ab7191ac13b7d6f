/* What the files of `gpubench run` share: the command and its configs. Inside the command only. */
#ifndef GB_COMMANDS_RUN_H
#define GB_COMMANDS_RUN_H

#include "bench/commands/run_export.h"
#include "bench/commands/run_sessions.h"
#include "bench/config/config.h"
#include "bench/config/source.h"
#include "bench/measure/estimate.h"
#include "bench/util/arena.h"

enum { GB_RUN_FOLDER = 1024 };

/* A config that is run, and by whom. */
typedef struct gb_run_item {
    gb_config_source source;
    bool beside; /* workers beside its file count: it was named by its path */
    gb_session *session;
    cJSON *description; /* that its primitive is made from; NULL: its worker has it */
    gb_catalogue *made; /* from that; NULL: nothing */
    gb_config *config;
    gb_estimate estimate;
    char results[GB_RUN_FOLDER]; /* the folder of results */
    char folder[GB_RUN_FOLDER];  /* where they go now: there, or below it with --aa */
} gb_run_item;

/* Rows of all configs of a run. */
typedef struct gb_run_tally {
    size_t rows[GB_STATUS_COUNT], resumed;
} gb_run_tally;

typedef struct gb_run_command {
    const char *device, *out, *filter, *samples, *worker, *library;
    gb_under under; /* the conditions to use the device under */
    gb_run_exports exports;
    bool resume, retry, quick, full, dry_run, requests, aa, live, watch;
    unsigned all_devices; /* 0: no; 1: one after another; 2: side by side where none disturbs */
    const char *place;    /* the folder's name of this device among all; NULL: its slug */
    cJSON **beside;       /* what the meta file says of the others, one a config; NULL: nothing */
    gb_run_tally *tally;  /* where rows are counted; NULL: nowhere */
    const char *also[64]; /* files that are watched besides */
    unsigned also_count;
    bool again;              /* a round of --watch, not the first */
    double until;            /* points that would end later (gb_now) are left out; 0: none */
    bool silent;             /* neither rows nor what follows from them are printed */
    size_t points, left_out; /* of the last config: how many were measured and left out */
    int argc;                /* the whole command line, as it was given */
    char **argv;
    char *command; /* the same as one text */
    gb_run_sessions sessions;
    gb_arena arena; /* of the configs' paths */
    gb_run_item *items;
    size_t count;
    bool stop; /* there is no use in going on with the next config */
} gb_run_command;

/* ---- before anything runs (run_load.c) ----------------------------------------------------------
 */

/* Reads and checks all configs, and finds the workers that they need: a mistake in the last one is
 * found before the first one runs. False, with the reason on stderr, and the exit status. */
bool gb_run_load(gb_run_command *c, char **paths, size_t count, int *status);
/* Finds for variants that a worker has not itself another one that does. */
void gb_run_find_others(gb_run_command *c);
void gb_run_free_items(gb_run_command *c);
/* Where results go: in --out, or in results, below that the folder `place` (NULL: none), and below
 * results that of the conditions. The length, as of snprintf. */
int gb_run_folder(const gb_run_command *c, const char *place, const gb_under *under, char *folder,
                  size_t size);

/* ---- primitives that are made from a config (run_library.c) -------------------------------------
 */

/* Describes the config's primitive if it is one of those; --library goes to it. False, with the
 * reason on stderr. */
bool gb_run_describe(const gb_run_command *c, gb_run_item *item);
/* Has the session's worker make it. False, with the reason on stderr. */
bool gb_run_provide(gb_run_item *item);
/* The session's worker has it, after another config as well. False and *error. */
bool gb_run_provide_again(const gb_run_item *item, gb_error *error);
/* Writes the files that its primitive was made from, a line "file PATH" each, for --watch. */
void gb_run_tell_made(const gb_run_item *item, FILE *told);
/* --library was of use. False, with the reason on stderr. */
bool gb_run_check_library(const gb_run_command *c);

/* ---- all that was asked for ---------------------------------------------------------------------
 */

/* On one device, in this process (run_here.c). The exit status. */
int gb_run_here(gb_run_command *c, char **paths, size_t count);
/* On every device of the host, a process for each (run_all.c). The worst exit status. */
int gb_run_all_devices(gb_run_command *c, char **paths, size_t count);

/* ---- running (run_configs.c) --------------------------------------------------------------------
 */

/* Has the worker of a config there, and no other. False, with the reason on stderr, and the exit
 * status. */
bool gb_run_wake(gb_run_command *c, const gb_run_item *item, int *status);
/* All configs; the worst exit status of any. An interrupt, a full disk or the loss of the worker
 * ends them at once. */
int gb_run_configs(gb_run_command *c);
/* All configs several times, each time by fresh workers: what they differ by is noise. */
int gb_run_equal(gb_run_command *c);

#endif
