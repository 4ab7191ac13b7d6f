/* What the meta file beside a result file says of the run that wrote it. */
#ifndef GB_ROWS_RUN_FACTS_H
#define GB_ROWS_RUN_FACTS_H

#include "bench/util/arena.h"

#include <stdbool.h>

/* A state of sources. */
typedef struct gb_commit {
    const char *hash; /* "" where it is not known */
    bool dirty;       /* and changes besides, whichever */
} gb_commit;

typedef struct gb_run_facts {
    const char *csv; /* the result file */
    /* "" where the meta file is missing or does not say */
    const char *toolkit, *driver;
    const char *config;                 /* its path, as the run was given it */
    const char *title, *version, *host; /* the config's; git's; processor and system */
    const char *started, *ended;        /* of the run that wrote last: "2026-11-25T16:33:16Z" */
    /* Of the host with the device, and the device's UUID; "" also where the file's rows are of
     * several, since the run went on elsewhere. */
    const char *node, *uuid;
    /* 0: unknown; sms: that kernels had, of a limited device its part */
    double sms, l2_bytes, copy_bytes_per_s, launch_s;
    /* Of a run on several GPUs, of the pair that is worst at it: bytes one way, both ways together,
     * and how long something small takes, stored by a kernel or else copied; 0: unknown */
    double link_bytes_per_s, link_both_bytes_per_s, link_s;
    const char *run_id, *state; /* of the run that wrote last */
    gb_commit source, program;  /* of the folder with the config, and of gpubench itself, then */
    bool several;               /* the file has rows of earlier runs at other commits than those */
    bool quick;                 /* not the whole config was run */
    double rows;                /* that the last run wrote or found written */
    double wall_s;              /* of all runs that wrote them, together; 0: unknown */
} gb_run_facts;

/* Reads what stands beside a result file. A meta file that is missing or damaged leaves the facts
 * blank: the rows are good without. Texts live in the arena, csv is kept as it is. */
gb_run_facts gb_run_facts_read(gb_arena *arena, const char *csv);

/* The folder plots/ beside the config that a result file was measured by, where it has one: scripts
 * and layouts of kernels outside the tree. The config is looked for from the current folder, then
 * from that of the results and those above it. NULL: there is none. */
const char *gb_plots_beside_config(gb_arena *arena, const char *csv);

/* NAME.csv -> NAME and another ending. */
char *gb_beside_result(gb_arena *arena, const char *csv, const char *ending);

#endif
