/* The marching kernels of fused.cuh, one for each radius and number of fused steps, as the variants
 * tma and temporal see them. */
#ifndef GB_STENCIL_FUSED_H
#define GB_STENCIL_FUSED_H

#include "kernels/stencil/variants.h"

enum { ST_MAX_FUSED = 4 };

/* How a box is cut for one kernel on one device. */
typedef struct fused_plan {
    int warps;                    /* of a block that compute */
    int slots;                    /* planes of the ring in shared memory */
    int tiles_x, tiles_y, chunks; /* columns: their product */
    int chunk;                    /* planes that a column stores */
    int span;                     /* planes that a block reads, columns laid end to end */
    int64_t blocks;
    unsigned slot_floats;
    size_t shared_bytes;
    bool resident; /* blocks march through a column each, all at once */
} fused_plan;

/* One of the two ends of a slab, and what passes there between it and its neighbour. */
typedef struct fused_border {
    int cells; /* of the planes beyond it those that are cells: 0 at the larger box's end, else all
                */
    /* Planes from this end on that are lent: stored a second time, where the neighbour has its copy
     * of them. From a cell to its copy are so many floats, a multiple of 4. */
    int lent;
    int64_t away;
    /* Sweeps that the neighbour has ended at this border, in memory of the slab's device: before
     * the first of its cells is read they must be as many as come before this one. NULL: no need
     * to ask. */
    const unsigned *ended;
    /* The same word of the neighbour's, for which this sweep comes to count when nothing of it is
     * left to do at this border; NULL: nobody asks. */
    unsigned *tell;
    unsigned *through; /* warps that have nothing left to do there, 0 at first, if tell */
} fused_border;

/* Where a slab of a larger box lies. Its arrays have `ghosts` planes more before its own and behind
 * them, which hold its neighbours' cells or, where the larger box ends, what is fixed. */
typedef struct fused_slab {
    int ghosts;      /* at least radius * steps of a sweep, on a side that has a neighbour */
    unsigned number; /* of the sweep in its run, from 0 on */
    fused_border below, above; /* at its first plane and at its last one */
} fused_slab;

typedef struct fused_kernel {
    /* The plan that takes the least time, by a simple model; false if not even the smallest tile
     * fits into the shared memory that a block of the device may have. */
    bool (*plan)(const st_shape *shape, const gb_device *device, fused_plan *plan);
    /* One sweep over the box: from and to are arrays of device memory; down: from the last plane to
     * the first. progress: fused_progress_words words, all 0. */
    gb_status (*sweep)(const gb_problem *problem, const fused_plan *plan, const float *from,
                       float *to, bool down, unsigned *progress, gb_stream stream, gb_error *error);
} fused_kernel;

/* The same of a slab, which the problem's shape and arrays are. */
typedef struct fused_slab_kernel {
    bool lends_early; /* a march does best to begin at a border, else to end there */
    bool (*plan)(const st_shape *shape, const gb_device *device, fused_plan *plan);
    gb_status (*sweep)(const gb_problem *problem, const fused_slab *slab, const fused_plan *plan,
                       const float *from, float *to, bool down, unsigned *progress,
                       gb_stream stream, gb_error *error);
} fused_slab_kernel;

/* NULL where there is none for so many steps at that radius. */
const fused_kernel *fused_find(int radius, unsigned steps);
/* Words of progress that a sweep over a box may use. */
size_t fused_progress_words(const st_shape *shape);

/* fused_1.cu .. fused_4.cu: kernels of so many steps, by radius. */
extern const fused_kernel *const fused_1[ST_MAX_RADIUS + 1];
extern const fused_kernel *const fused_2[ST_MAX_RADIUS + 1];
extern const fused_kernel *const fused_3[ST_MAX_RADIUS + 1];
extern const fused_kernel *const fused_4[ST_MAX_RADIUS + 1];

#endif
