/* What the device's files of this folder share: the data of a point, and what every element of a
 * slab's array holds. */
#ifndef GB_STENCIL_MULTI_PROBLEM_H
#define GB_STENCIL_MULTI_PROBLEM_H

#include "common/comm/comm.h"
#include "kernels/stencil-multi/stencil_multi.h"
#include "kernels/stencil/problem.h"

/* What a rank of this process has. Its arrays are slab.layout.total floats. */
typedef struct stm_part {
    stm_slab slab;
    /* The slab as kernels/stencil sees a box: shape and layout are slab's, device the rank's. input
     * is the rank's, field[] are in the window. */
    gb_problem box;
} stm_part;

/* A point's data, behind the name of gb_problem. Ranks run steps as kernels/stencil does: the first
 * sweep reads input and writes field[0], the next reads field[0] and writes field[1], and so on in
 * turn. Ghost planes of the input hold what the neighbours' input holds. */
typedef struct stm_problem {
    unsigned gpus;
    st_shape whole;
    st_weights weights;
    uint64_t seed;
    const gb_device *device; /* the worker's */
    gb_comm *comm;           /* NULL until stm_problem_ranks */
    stm_part *part;          /* [comm->locals] */
    /* Both fields of each rank, in the window if all reach each other's memory, else only where
     * this process finds its own. */
    gb_window fields;
    bool lent;
    /* The whole box as a point of kernels/stencil; NULL until stm_problem_alone. */
    gb_params alone_params;
    gb_problem *alone;
    struct stm_checker *checker; /* check.cu's; NULL until something is checked */
} stm_problem;

static inline stm_problem *stm_problem_of(gb_problem *problem)
{
    return reinterpret_cast<stm_problem *>(problem);
}

/* For prepare: opens the ranks and makes their arrays, input, boundary and padding filled. The
 * current device is local rank 0's again after it. */
gb_status stm_problem_ranks(gb_job *job);
/* Field 0 or 1 of any rank, as this process finds it. */
float *stm_field(const stm_problem *problem, unsigned rank, unsigned field);

/* Queues what fills an array of a slab on a stream of the current device: boundary and padding, and
 * cells with the input or, if `poisoned`, with poison. */
gb_status stm_fill(const gb_device *device, const stm_slab *slab, uint64_t seed, bool poisoned,
                   float *array, cudaStream_t stream, gb_error *error);
void stm_checker_close(stm_problem *problem);

/* ---- elements -------------------------------------------------------------------------------- */

/* Of an array: a cell of the slab's own, a neighbour's, one of the boundary, none. */
typedef enum stm_kind { STM_OWN, STM_FOREIGN, STM_BOUNDARY, STM_PADDING } stm_kind;

/* What an element of an array is. Coordinates are those of the whole box; of padding they mean
 * nothing. */
typedef struct stm_place {
    stm_kind kind;
    int x, y, z;
} stm_place;

GB_RANDOM_FN stm_place stm_place_of(const stm_slab *slab, int64_t element)
{
    const st_shape *shape = &slab->shape;
    const int r = shape->radius;
    stm_place place = {STM_PADDING, 0, 0, 0};
    const int64_t rows_in_plane = shape->y + 2 * r;
    const int64_t from_first = element - ST_PAD + r; /* (-r, -r, first plane) is element 0 */
    if (from_first < 0) return place;
    const int64_t row = from_first / slab->layout.pitch;
    const int plane = (int)(row / rows_in_plane) - slab->ghosts;
    place.x = (int)(from_first % slab->layout.pitch) - r;
    place.y = (int)(row % rows_in_plane) - r;
    place.z = slab->first + plane;
    if (place.x >= shape->x + r || plane >= shape->z + slab->ghosts || place.z < -r ||
        place.z >= slab->whole + r)
        return place;
    const int inside = place.x >= 0 && place.x < shape->x && place.y >= 0 && place.y < shape->y &&
                       place.z >= 0 && place.z < slab->whole;
    place.kind = !inside ? STM_BOUNDARY : plane >= 0 && plane < shape->z ? STM_OWN : STM_FOREIGN;
    return place;
}

/* The bits of an element before any step. */
GB_RANDOM_FN uint32_t stm_initial_bits(uint64_t seed, const stm_place *place)
{
    if (place->kind == STM_PADDING) return st_padding_bits;
    return st_bits_of(st_input(seed, place->x, place->y, place->z));
}

#endif
