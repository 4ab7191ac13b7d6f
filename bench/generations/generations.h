/* One primitive over generations of GPUs: of each device the row that stands nearest to a chosen
 * point, measured there or printed for it. */
#ifndef GB_GENERATIONS_GENERATIONS_H
#define GB_GENERATIONS_GENERATIONS_H

#include "bench/rows/gpus.h"
#include "bench/table/layout.h"
#include "bench/table/render.h"

/* What rates are divided by, beside the rate itself. */
enum { GB_PER_BANDWIDTH = 1, GB_PER_SM_CYCLE = 2 };

/* A version that is followed from device to device: the fastest of these variants (separated by
 * ';'), or how much faster it is than the fastest of others (over; NULL: its rate). at: values of
 * axes that are its own. */
typedef struct gb_generation_line {
    const char *of, *over, *label;
    gb_choices at;
} gb_generation_line;

typedef struct gb_generation_query {
    const char *path; /* where it is from, for messages; NULL: there is none */
    gb_generation_line *lines;
    size_t line_count;
    /* An axis of sizes that need not agree: the value that is nearest to this one is taken. NULL:
     * none. */
    const char *near_axis;
    double near;
    unsigned per; /* GB_PER_* */
} gb_generation_query;

/* How far a size may be from the wanted one, as a factor. */
enum { GB_GENERATION_FACTOR = 16 };

/* Where what is compared comes from. sets: of one primitive, of any experiments and papers. */
typedef struct gb_generation_sources {
    const gb_result_set **sets;
    size_t count, capacity;
} gb_generation_sources;

/* A device, of results or of who prints something. */
typedef struct gb_generation_device {
    const char *name;         /* that tells it from the others */
    const char *label;        /* as results name it, else as it is printed, but "H100 80GB HBM3" */
    const char *architecture; /* "": no data sheet of it is known here */
    const gb_gpu *gpu;        /* NULL: the same */
} gb_generation_device;

typedef struct gb_generation_point {
    size_t line, device;
    bool printed;
    const gb_result_set *set;
    const gb_result_row *row;
    double value, lo, hi; /* items/s, or a speed-up; lo and hi 0: no interval */
    double per_bandwidth; /* items a byte of the memory's bandwidth; 0: not known */
    double per_sm_cycle;  /* items a multiprocessor and cycle of its highest clock; 0: the same */
    const char *differences; /* in what is left open: "n 64M, cold cache"; "": nothing */
} gb_generation_point;

typedef struct gb_generation {
    const gb_generation_query *query;
    gb_generation_device *devices; /* in the order of their architectures, unknown ones last */
    size_t device_count, device_capacity;
    gb_generation_point
        *points; /* by line, then by device, what was measured before what is printed */
    size_t point_count, point_capacity;
    size_t architectures; /* how many different ones there are */
    const char *unit;     /* of rates: "keys" */
    const char *held;     /* what all points share: "dist uniform, type u32" */
    /* Sentences, "" where there is nothing to say: which points differ from most others, which were
     * left out of what is normalised, and which altogether. */
    const char *differing, *unnormalised, *left_out;
} gb_generation;

/* Adds those sets of some results that are of a primitive and can have points: no times of the simt
 * device, no profiles. */
void gb_generation_add_sets(gb_arena *arena, gb_generation_sources *sources,
                            const gb_results *results, const char *primitive);

/* Reads all that papers, and others where the suite has it, print: the files of results/published/.
 * Start from {0}, free it when the sets are no longer used. False and *error. */
bool gb_generation_read_printed(gb_results *printed, gb_error *error);

/* Finds the points. layout: what a script says of its rows (where, best_axes, scale_by,
 * no_cache_resident); chosen: what the user wants instead (may be NULL). Everything lives in the
 * arena, or as long as the sets. False and *error: GB_UNSUPPORTED if there is none; GB_WRONG if the
 * layout leaves an axis open. */
bool gb_generation_find(gb_arena *arena, const gb_generation_query *query,
                        const gb_table_layout *layout, const gb_gpus *gpus,
                        const gb_generation_sources *sources, const gb_choices *chosen,
                        gb_generation *found, gb_error *error);

/* The points as a table: rates, then speed-ups. */
gb_table gb_generation_table(gb_arena *arena, const gb_generation *found, const char *title);

/* ---- devices.c --------------------------------------------------------------------------------
 */

/* The number of a device by its name in results, which becomes one of found->devices. */
size_t gb_generation_device_of(gb_arena *arena, gb_generation *found, const gb_gpus *gpus,
                               const gb_result_set *set, const gb_result_row *row);
/* Puts devices and points in order; counts architectures. */
void gb_generation_order(gb_arena *arena, gb_generation *found);

#endif
