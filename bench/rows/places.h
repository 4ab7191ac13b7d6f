/* Where rows come from, and how rows of one model of device are told apart that were measured at
 * several places. A place is a folder of results: whatever runs it has are taken for one device's,
 * of rows that it has twice the last one read counts. */
#ifndef GB_ROWS_PLACES_H
#define GB_ROWS_PLACES_H

#include "bench/util/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct gb_results;
struct gb_result_set;
struct gb_result_row;

/* The rows of a device, under some conditions or none, in a folder, or in a file of it that is an
 * earlier run's or was named beside others of the same experiment. */
typedef struct gb_place {
    const char *model; /* the device as the files name it */
    const char *under; /* the conditions that it was used under (common/protocol/under.h); "" */
    /* The model with its conditions and what tells it from the same elsewhere behind it: its host,
     * else the last digits of its UUID, else the folder or file: "NVIDIA H200 (node7)", "NVIDIA
     * H200 (64 multiprocessors)", "NVIDIA H200 (64 multiprocessors, node7)". */
    const char *device;
    const char *folder, *named; /* the full path, and as it was named */
    bool of_file;               /* not of the whole folder */
    bool apart;                 /* of another tool's file, which is known by its own name */
    const char **csv;           /* the result files */
    size_t csv_count, csv_capacity;
    const char *node, *uuid; /* that all runs of the first `asked` files agree on; else "" */
    size_t asked;
} gb_place;

/* A file with rows, and which call of gb_results_add read it. */
typedef struct gb_read_file {
    const char *path; /* as its rows have it, the same pointer */
    unsigned operand;
} gb_read_file;

/* Notes a file that rows are read from next; path lives as long as the results. */
void gb_place_add_file(struct gb_results *results, const char *path);

/* The place of the rows of a set that a file has of a device: of model and under of `like`. apart
 * of `like`: the file is a place of its own in any case. */
const gb_place *gb_place_of(struct gb_results *results, const struct gb_result_set *set,
                            const char *path, const gb_place *like);

/* Gives every measured row of all these results the name of its device at its place. */
void gb_places_tell_apart(gb_arena *arena, struct gb_results *all, size_t count);

/* "NVIDIA H200 (64 multiprocessors)": a model and, where there are some, its conditions. */
const char *gb_device_under(gb_arena *arena, const char *model, const char *under);

/* The device of a row as its file names it, which is what data sheets, papers and noise go by. */
const char *gb_row_model(const struct gb_result_row *row);
/* The same of a name that gb_result_row.device has in the set. */
const char *gb_device_model(const struct gb_result_set *set, const char *device);

#endif
