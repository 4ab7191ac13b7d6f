/* The noise of a device: how far two runs of the same thing lie apart, by how long it takes. */
#ifndef GB_NOISE_H
#define GB_NOISE_H

#include "bench/arena.h"

#include <stdbool.h>

/* Rows of like kind: differences below the floor are seen between equal runs. */
typedef struct gb_noise_class {
    const char *device, *scope;
    const char *kind; /* "gpu" or "cpu": where the variant runs */
    int decade;       /* mean times from 10^decade to 10^(decade + 1) s */
    size_t rows;
    double median, floor, largest; /* of the differences: half, 99 % and all of the rows are below;
                                      relative, 0.01 is one per cent */
} gb_noise_class;

typedef struct gb_noise {
    gb_noise_class *items;
    size_t count, capacity;
} gb_noise;

/* Adds the classes of a file that `gpubench run --aa` wrote. False and *error if it is unreadable
 * or damaged. Everything lives in the arena. Start from {0}. */
bool gb_noise_load(gb_arena *arena, const char *path, gb_noise *noise, gb_error *error);
/* Writes them, whole or not at all. */
bool gb_noise_write(const gb_noise *noise, const char *path, gb_error *error);

/* The class for a row: of its device, scope and kind that with the nearest decade. NULL: that
 * device was never measured twice. */
const gb_noise_class *gb_noise_find(const gb_noise *noise, const char *device, const char *scope,
                                    bool cpu, double time_s);

/* Sorts a difference (any sign) of a row into its class. When all are in, gb_noise_settle. */
typedef struct gb_noise_builder gb_noise_builder;
gb_noise_builder *gb_noise_begin(gb_arena *arena);
void gb_noise_add(gb_noise_builder *builder, const char *device, const char *scope, bool cpu,
                  double time_s, double difference);
void gb_noise_settle(gb_noise_builder *builder, gb_noise *noise);

#endif
