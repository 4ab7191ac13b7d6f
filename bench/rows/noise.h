/* The noise of a device: how far two runs of the same thing lie apart, by how long it takes. */
#ifndef GB_ROWS_NOISE_H
#define GB_ROWS_NOISE_H

#include "bench/util/arena.h"

#include <stdbool.h>

/* Rows of like kind, and how far apart equal runs of theirs may be found. */
typedef struct gb_noise_class {
    const char *device, *scope;
    const char *kind;                /* "gpu" or "cpu": where the variant runs */
    const char *primitive, *variant; /* a variant that is much noisier than the others; "": these */
    int decade; /* of the others: mean times from 10^decade to 10^(decade + 1) s */
    size_t rows;
    /* Half, 99 % and all of the rows are sure (95 %) to differ by less between equal runs;
     * relative, 0.01 is one per cent. */
    double median, floor, largest;
    const char *file;   /* that says so; NULL: made here */
    const char *folder; /* whose results it is of, by its full path; NULL: unknown */
} gb_noise_class;

typedef struct gb_noise {
    gb_noise_class *items;
    size_t count, capacity;
} gb_noise;

/* Adds the classes of a file that `gpubench run --aa` wrote. False and *error if it is unreadable
 * or damaged. Everything lives in the arena. Start from {0}. */
bool gb_noise_load(gb_arena *arena, const char *path, gb_noise *noise, gb_error *error);
/* Adds those of what lies beside results, files or folders (aa/noise.csv; of a pass of `gpubench
 * run --aa` the one that the passes made), each file once; none, where there is none
 * (noise_beside.c). */
bool gb_noise_load_beside(gb_arena *arena, char **results, size_t count, gb_noise *noise,
                          gb_error *error);
/* Writes them, whole or not at all. */
bool gb_noise_write(const gb_noise *noise, const char *path, gb_error *error);

/* A row, as far as its class hangs on it. */
typedef struct gb_noise_row {
    const char *device, *scope, *primitive, *variant;
    bool cpu;
    double time_s;
    const char *folder; /* that the row is from, by its full path; NULL: unknown */
} gb_noise_row;

/* The class for a row: that of its variant, else of its device, scope and kind the one with the
 * nearest decade; of several hosts' devices of one name by what lies beside the row, if anything
 * does. NULL: that device was never measured twice. */
const gb_noise_class *gb_noise_find(const gb_noise *noise, const gb_noise_row *row);

/* Makes the classes of the differences between equal runs, count rows and for each how far it may
 * be from the same row of another run (relative, above 0). Variants whose 99 % lie more than
 * three times as far out as those of the median variant get classes of their own, so that the
 * others' do not grow. */
void gb_noise_make(gb_arena *arena, const gb_noise_row *rows, const double *differences,
                   size_t count, gb_noise *noise);

#endif
