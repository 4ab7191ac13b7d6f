/* 3-D star stencils: what the files of this folder share.
 *
 * A step replaces every cell of a box of x * y * z floats by a weighted sum of itself and of its
 * radius nearest neighbours in both directions of each axis, 6 * radius + 1 cells with as many
 * different weights. Cells around the box (ghosts, `radius` deep) are fixed: Dirichlet's boundary.
 * x is the contiguous axis. */
#ifndef GB_STENCIL_H
#define GB_STENCIL_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { ST_X, ST_Y, ST_Z, ST_RADIUS, ST_BLOCK, ST_STEPS, ST_FUSED, ST_AXES };

enum { ST_MAX_RADIUS = 4, ST_MAX_COEFFICIENTS = 6 * ST_MAX_RADIUS + 1 };
/* What the axes allow: cells along each, steps of a run, and of a sweep. */
enum { ST_MOST_CELLS = 65535, ST_MOST_STEPS = 1000, ST_MOST_FUSED = 8 };

/* The axis `radius`, on one GPU and on several. */
#define ST_RADIUS_AXIS                                                                    \
    {                                                                                     \
        .name = "radius", .type = GB_AXIS_SIZE,                                           \
        .help = "neighbours in each direction of each axis: 6 radius + 1 cells are read", \
        .fallback = "1", .min = 1, .max = ST_MAX_RADIUS,                                  \
        .nasty = (const char *const[]){"1", "2", "3", "4", NULL},                         \
    }

/* A thread block as the axis `block` says it: "32x8x1". All three are 0 for "auto". */
typedef struct st_block {
    unsigned x, y, z;
} st_block;

/* A point of the experiment in C types. */
typedef struct st_shape {
    int x, y, z;    /* cells of the box, each at least 1 */
    int radius;     /* 1 .. ST_MAX_RADIUS */
    st_block block; /* threads of a block; zeros: the variant's own choice */
    unsigned steps; /* time steps in a run, at least 1 */
    unsigned fused; /* time steps in a sweep over memory, at least 1 */
} st_shape;

/* Where the cells lie in an array. Cell (x, y, z), ghosts included (from -radius on), is element
 * origin + z * plane + y * pitch + x. Rows begin at multiples of 128 bytes; the ghosts at their
 * left end and those at the right end of the row before share the ST_PAD elements between them.
 * What is neither cell nor ghost is padding that nobody writes. */
typedef struct st_layout {
    int64_t pitch, plane; /* elements from a row to the next, from a plane to the next */
    int64_t origin;       /* the element of cell (0, 0, 0): a multiple of ST_PAD */
    int64_t total;        /* elements of the array */
} st_layout;

enum { ST_PAD = 32 };

/* Weights: [0] is the cell's own; for k = 1 .. radius: [6k-5] of x-k, [6k-4] of x+k, [6k-3] of y-k,
 * [6k-2] of y+k, [6k-1] of z-k, [6k] of z+k. All are different and positive and their sum is 1, so
 * that values stay within those of the input however many steps are taken. Passed to kernels by
 * value: they then are constants of the launch. */
typedef struct st_weights {
    float w[ST_MAX_COEFFICIENTS];
} st_weights;

/* A point's data. Arrays are st_layout.total floats. A run takes `steps` steps in st_sweeps sweeps:
 * the first reads `input` and writes field[0], the next reads field[0] and writes field[1], and so
 * on in turn. All three arrays hold the ghosts; nobody writes them, nor `input`. */
struct gb_problem {
    st_shape shape;
    st_layout layout;
    st_weights weights;
    uint64_t seed;
    const gb_device *device;
    /* device memory; NULL until st_problem_device */
    float *input, *field[2];
    /* host memory that variants on the CPU work in, the same layout; NULL until st_problem_host */
    float *host_input, *host_field[2];
    /* page-locked host memory of scope host-to-host: the input, and the field of the result; NULL
     * until the first upload */
    float *locked_input, *locked_result;
    void *checker; /* what the checker remembers */
};

/* shape.c */
st_shape st_shape_of(const gb_params *params);
st_layout st_layout_of(const st_shape *shape);
st_weights st_weights_of(int radius);
/* Sweeps over memory that a run makes: ceil(steps / fused). */
unsigned st_sweeps(const st_shape *shape);
/* Steps that sweep number `sweep` (from 0) takes: `fused`, or in the last one what is left. */
unsigned st_sweep_steps(const st_shape *shape, unsigned sweep);
/* The array in which a run's result lies, 0 or 1: an index into field and host_field. */
unsigned st_result(const st_shape *shape);
/* The threads of a block: the point's, or, where its block is "auto", the variant's own choice. */
st_block st_block_or(const st_shape *shape, st_block own);
/* NULL if the point's block is "auto", else the reason: for variants with tiles of their own. */
const char *st_own_block(const gb_params *params);
/* NULL if the point has one step a sweep, else the reason: for variants that fuse none. */
const char *st_no_fusing(const gb_params *params);
/* Both. */
const char *st_one_step_own_block(const gb_params *params);

/* axes.c */
extern const gb_axis st_axes[ST_AXES];
const char *st_invalid(const gb_params *params);
gb_work st_work(const gb_params *params);

/* problem.cu: makes the arrays in device memory or in host memory, input and ghosts filled; device
 * memory, the checker's included, counts as the job's. For a variant's prepare. */
gb_status st_problem_device(gb_job *job);
gb_status st_problem_host(gb_job *job);
/* Sweep number `sweep` (from 0) over memory: writes the box of `to` as st_sweep_steps steps on from
 * `from`. */
typedef gb_status st_sweep(gb_job *job, const float *from, float *to, unsigned sweep,
                           gb_stream stream);
/* A run: all sweeps, from the input through the fields in turn, in device memory or, for a variant
 * with GB_HOST, in host memory. */
gb_status st_run_sweeps(gb_job *job, st_sweep *sweep, gb_stream stream);
gb_status st_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error);
void st_close(gb_problem *problem);
gb_status st_upload(gb_job *job, gb_stream stream);
gb_status st_download(gb_job *job, gb_stream stream);
gb_status st_poison(gb_job *job, gb_stream stream);
/* check.cu */
gb_status st_check(gb_job *job, gb_stream stream);
/* copy.cu: whether the variant, copy or cpu-copy, takes no step, so that its result is the input.
 */
bool st_copies(const gb_variant *variant);

/* cpu.c: one step in plain loops, accumulated in double. Arrays of st_layout.total floats. */
void st_oracle_step(const st_shape *shape, const st_weights *weights, const float *from, float *to);

#ifdef __cplusplus
}
#endif
#endif
