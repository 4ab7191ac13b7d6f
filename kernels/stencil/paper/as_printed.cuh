/* What the three kernels of the paper, as it prints them, share: their arguments and launch. */
#ifndef GB_STENCIL_AS_PRINTED_CUH
#define GB_STENCIL_AS_PRINTED_CUH

#include "common/cuda/device.cuh"
#include "kernels/stencil/variants.h"

#include <limits.h>

enum { ST_PRINTED_MOST_THREADS = 1024 /* of a block */ };

/* Arguments of a kernel, by value. */
typedef struct st_printed {
    st_shape shape;
    st_weights weights;
    int dimx, dimy; /* elements from a row to the next; rows from a plane to the next */
    int origin;     /* the index of cell (0, 0, 0) */
    float *a, *b;
} st_printed;

/* The paper's block. */
static inline st_block st_printed_block(const st_shape *shape)
{
    const st_block paper = {32, 1, 1};
    return st_block_or(shape, paper);
}

static inline const char *st_printed_unsupported(const gb_params *params, const gb_device *)
{
    const st_shape shape = st_shape_of(params);
    const st_layout layout = st_layout_of(&shape);
    /* Threads beyond the box have an index, too. */
    const int64_t most = layout.total + ST_PRINTED_MOST_THREADS * (layout.pitch + 1);
    if (most > INT_MAX)
        return gb_reason("the printed index is an int: it numbers %d elements, and this box, its "
                         "ghosts and the threads beyond them are %lld",
                         INT_MAX, (long long)most);
    return st_no_fusing(params);
}

static inline gb_status st_printed_sweep(gb_job *job, void (*kernel)(st_printed), const float *from,
                                         float *to, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const st_layout *layout = &p->layout;
    const st_block block = st_printed_block(&p->shape);
    const dim3 grid(((unsigned)p->shape.x + block.x - 1) / block.x,
                    ((unsigned)p->shape.y + block.y - 1) / block.y,
                    ((unsigned)p->shape.z + block.z - 1) / block.z);
    st_printed task;
    task.shape = p->shape;
    task.weights = p->weights;
    task.dimx = (int)layout->pitch;
    task.dimy = (int)(layout->plane / layout->pitch);
    task.origin = (int)layout->origin;
    task.a = const_cast<float *>(from);
    task.b = to;
    GB_TRY(launch(kernel, grid, dim3(block.x, block.y, block.z), 0, gb_cuda_stream(stream), task),
           &job->error);
    return GB_OK;
}

#endif
