/* What was measured commit after commit: the runs of each experiment in order, each against the one
 * before, and which commit made what slower. */
#ifndef GB_HISTORY_HISTORY_H
#define GB_HISTORY_HISTORY_H

#include "bench/compare/compare.h"
#include "bench/util/exporter.h"

/* A run of an experiment on a device: of several at the same commit, without changes besides, the
 * last. */
typedef struct gb_history_run {
    const gb_side *side;
    const gb_run_facts *facts;
    const char *path;    /* the result file */
    const char *name;    /* "3f2a1c0", "3f2a1c0-dirty"; when it was, where no commit is known */
    const char *subject; /* of the commit; "" where git does not say */
    size_t equal;        /* earlier runs that it stands for */
    long order;          /* of the commit among all; -1: not known */
} gb_history_run;

/* The rows of a variant, with the same cache mode and scope, between two runs that follow. */
typedef struct gb_history_group {
    const char *variant, *cache, *scope;
    const gb_pair **pairs;
    size_t count, capacity;
    size_t verdicts[GB_VERDICT_COUNT];
    size_t still; /* of the slower ones: that the last run is slower as well than the one before */
} gb_history_group;

/* A run against the one before. */
typedef struct gb_history_step {
    gb_comparison comparison;
    gb_comparison *last; /* the one before against the last run; NULL where nothing is slower */
    gb_history_group *groups;
    size_t group_count, group_capacity;
    bool still_broken; /* rows that were ok failed, and some still do */
} gb_history_step;

/* An experiment on one make of device. */
typedef struct gb_history_series {
    const char *experiment, *primitive, *device;
    bool simt;
    gb_history_run *runs;
    size_t count, capacity;
    gb_history_step *steps; /* steps[i]: runs[i] against runs[i - 1]; of 0 nothing */
} gb_history_series;

typedef struct gb_history {
    gb_sides sides; /* everything lives in their arena */
    gb_history_series *series;
    size_t count, capacity;
    bool by_commit;      /* runs are in the order of their commits, else of their time */
    const char *no_git;  /* why not; "" where no run has a commit */
    size_t still_slower; /* rows, of all series, and runs whose rows failed */
} gb_history;

/* How to read and judge it. */
typedef struct gb_history_wishes {
    gb_judging judging;
    const gb_choices *chosen;
    gb_noise
        *beside;   /* gets the noise that is known beside the files; NULL: it is not looked for */
    uint64_t last; /* so many runs of each series; 0: all */
} gb_history_wishes;

/* Reads result files, or all below folders, with those of earlier runs that were moved aside; asks
 * git for the order of their commits, in the first folder's repository, else in that of the current
 * folder; and judges each run against the one before. False and *error. Start from {0}, free in any
 * case. */
bool gb_history_read(gb_history *history, char **paths, size_t count,
                     const gb_history_wishes *wishes, gb_error *error);
void gb_history_free(gb_history *history);

/* ---- for people and programs ----------------------------------------------------------------- */

/* Where it is written to, and how. */
typedef struct gb_history_output {
    gb_history *history;
    const gb_judging *judging;
    FILE *file;
    size_t tables;      /* written so far */
    struct cJSON *json; /* what is written at the end */
} gb_history_output;

/* The formats. They write to a gb_history_output, an item a gb_history_series. For people a line a
 * run and a column a group of rows, then which run made what slower or faster. CSV: a line a row
 * and run. JSON: one value of all. */
extern const gb_exporter gb_history_exporters[];

/* "SLOWER by 12 % ±0.4 at 3f2a1c0": by how much of their rate the rows of a group are slower or
 * faster. */
const char *gb_history_change_text(gb_arena *arena, const gb_history_group *group,
                                   gb_verdict verdict);

/* (records.c) */
void gb_history_begin_csv(void *output);
void gb_history_put_csv(void *output, const void *series);
void gb_history_begin_json(void *output);
void gb_history_put_json(void *output, const void *series);
void gb_history_end_json(void *output);

/* ---- for a figure ---------------------------------------------------------------------------- */

/* The rows of all runs of a series with an axis more, the first: "commit", "run" where no commit is
 * known. Lives in the arena. */
gb_result_set *gb_history_rows(gb_arena *arena, const gb_history_series *series, bool by_commit);

/* ---- its parts ------------------------------------------------------------------------------- */

/* Finds the runs of all sides (find.c). */
void gb_history_find(gb_history *history, const gb_choices *chosen);
/* Fills in order and subject of each run's commit, and history->by_commit and no_git (git.c). */
void gb_history_ask_git(gb_history *history, const char *folder);
/* Sorts and names the runs (find.c). */
void gb_history_order(gb_history *history, uint64_t last);

#endif
