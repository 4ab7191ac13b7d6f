/* 3-D star stencils on several GPUs: what the files of this folder share.
 *
 * The box of kernels/stencil is cut along z into slabs, one a rank. A rank's arrays hold its own
 * planes and, on either side, `ghosts` = radius * fused planes more: copies of its neighbours'
 * outermost ones or, where the box ends, its boundary. After a sweep over memory (of `fused` time
 * steps) neighbours need each other's new outermost planes. */
#ifndef GB_STENCIL_MULTI_H
#define GB_STENCIL_MULTI_H

#include "common/comm/ranks.h"
#include "kernels/stencil/stencil.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { STM_GPUS, STM_X, STM_Y, STM_Z, STM_RADIUS, STM_STEPS, STM_FUSED, STM_SCALING, STM_AXES };

/* Some planes of the whole box, and arrays that hold them. Plane p of the slab, -ghosts <= p <
 * shape.z + ghosts, is plane first + p of the whole box; cell (x, y, p) is where st_layout says. */
typedef struct stm_slab {
    st_shape shape; /* as the whole box, but z: the planes that are its own */
    st_layout layout;
    int first;  /* of the whole box: its own first plane */
    int whole;  /* planes of the whole box */
    int ghosts; /* planes on either side of its own */
} stm_slab;

/* shape.c */
unsigned stm_gpus_of(const gb_params *params);
/* The box of all ranks together. */
st_shape stm_whole_of(const gb_params *params);
/* Planes on either side that a sweep of `fused` steps needs of others. */
int stm_ghosts_of(const st_shape *whole);
/* Planes [first, end) of the whole box. */
stm_slab stm_slab_of(const st_shape *whole, int first, int end, int ghosts);
/* Those of a rank: even shares, to one plane. */
stm_slab stm_slab_of_rank(const st_shape *whole, unsigned gpus, unsigned rank);
/* The same box as a point of kernels/stencil. */
gb_params stm_alone_params(const gb_params *params);
/* NULL if the point has one step a sweep, or several, else the reason. */
const char *stm_no_fusing(const gb_params *params);
const char *stm_fusing(const gb_params *params);

/* axes.c */
extern const gb_axis stm_axes[STM_AXES];
const char *stm_invalid(const gb_params *params);
gb_work stm_work(const gb_params *params);

/* problem.cu */
gb_status stm_open(const gb_params *params, uint64_t seed, const gb_device *device,
                   gb_problem **out, gb_error *error);
void stm_close(gb_problem *problem);
/* The whole box as kernels/stencil has it, made at the first call; the problem's own. */
gb_status stm_problem_alone(gb_problem *problem, const gb_params **params, gb_problem **alone,
                            gb_error *error);
gb_status stm_poison(gb_job *job, gb_stream stream);
/* check.cu */
gb_status stm_check(gb_job *job, gb_stream stream);

/* single.c: the job of kernels/stencil that a job of `single` or `single-temporal` stands for; NULL
 * for other variants. */
gb_job *stm_alone_job(const gb_job *job);

/* one a line, so that a new one is one line */
extern const gb_variant stm_single;
extern const gb_variant stm_single_temporal;
extern const gb_variant stm_nccl;
extern const gb_variant stm_nccl_temporal;
extern const gb_variant stm_peers;
extern const gb_variant stm_peers_temporal;

#ifdef __cplusplus
}
#endif
#endif
