/* What problem.c and check.c of the OpenCL worker share: a point's data beyond struct gb_problem,
 * whose device arrays are cl_mem here. */
#ifndef GB_RADIX_SORT_OPENCL_DATA_H
#define GB_RADIX_SORT_OPENCL_DATA_H

#include "common/opencl/opencl.h"
#include "kernels/radix-sort/problem.h"

/* gb_problem.checker. */
typedef struct rs_data {
    rs_hash truth; /* of the input, from the generator alone */
    /* Page-locked memory of OpenCL is a buffer that stays mapped. */
    cl_mem pinned[4];
} rs_data;

/* A device array of the problem as what it is. */
static inline cl_mem rs_buffer(const void *array)
{
    return (cl_mem)(uintptr_t)array;
}

/* The gb_variant.unsupported of this worker's kernels. */
const char *rs_opencl_unsupported(const gb_params *params, const gb_device *device);

/* Does part of a work on elements: those from begin to end, by one of several threads. */
typedef void rs_part(void *context, unsigned thread, uint64_t begin, uint64_t end);

enum { RS_MOST_THREADS = 64 };

/* Calls part for shares of [0, count), in order of their threads' numbers, on all cores that this
 * process may use (at most RS_MOST_THREADS) where that pays; returns when all is done. */
gb_status rs_share_out(uint64_t count, rs_part *part, void *context, gb_error *error);

/* Makes elements [begin, begin + count) of the input in host memory; payload may be NULL. */
gb_status rs_make_slice(const struct gb_problem *problem, uint64_t begin, uint64_t count,
                        void *keys, uint32_t *payload, gb_error *error);
/* Writes the input to the device's arrays, slice by slice. */
gb_status rs_fill_device(const struct gb_problem *problem, gb_error *error);
/* Fingerprints the input as the generator defines it. */
gb_status rs_find_truth(const struct gb_problem *problem, rs_hash *truth, gb_error *error);

#endif
