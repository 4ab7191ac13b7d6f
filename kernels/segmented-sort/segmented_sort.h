/* Segmented sort: the keys of many segments, each into order by itself, alone or with a payload.
 * What the files of this folder share. Keys, payloads, their arrays and what they are ordered by
 * are radix sort's (kernels/radix-sort/), which a point's data begin with. */
#ifndef GB_SEGMENTED_SORT_H
#define GB_SEGMENTED_SORT_H

#include "kernels/radix-sort/radix_sort.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { SG_N, SG_SEGMENTS, SG_LENGTHS, SG_DIST, SG_TYPE, SG_PAYLOAD, SG_ORDER, SG_AXES };

/* How long segments are (lengths.c). */
typedef enum sg_law { SG_UNIFORM, SG_POWER, SG_CONSTANT, SG_BORDERS } sg_law;

/* A point of the experiment in C types. */
typedef struct sg_shape {
    rs_shape sort; /* of all n keys; all their bits count */
    uint64_t mean; /* of the lengths that the law draws */
    sg_law law;
} sg_shape;

sg_shape sg_shape_of(const gb_params *params);

/* Where the segments begin: lengths are drawn one after the other, each by the seed and its number
 * alone, until n keys have a segment; the last one has what is left. *offsets: *segments + 1
 * numbers, the first 0 and the last n, ascending, on the heap and the caller's to free. False if
 * there is no host memory for them. */
bool sg_make_offsets(const sg_shape *shape, uint64_t seed, uint32_t **offsets, uint32_t *segments);

/* A point's data. The first member is what radix sort's functions take for a problem: keys and
 * payloads, key i and payload i depending on the seed and i alone; payload i is i. */
typedef struct sg_problem {
    struct gb_problem sort;
    sg_shape shape;
    uint32_t segments;
    uint32_t *host_offsets; /* segments + 1 */
    uint32_t *offsets;      /* the same in device memory: an input of every variant */
    void *checker;          /* check.cu's */
} sg_problem;

static inline sg_problem *sg_problem_of(gb_problem *problem)
{
    return (sg_problem *)problem;
}

/* Makes the arrays in device memory, input filled; they and the offsets count as the job's. */
gb_status sg_problem_device(gb_job *job);

/* The truth: each segment by radix sort's oracle, a stable merge sort on one core. keys and payload
 * (or NULL) are sorted in place; scratch is 32 bytes an element. */
void sg_oracle(const sg_shape *shape, const uint32_t *offsets, uint32_t segments, void *keys,
               uint32_t *payload, void *scratch);

/* axes.c */
extern const gb_axis sg_axes[SG_AXES];
const char *sg_invalid(const gb_params *params);
const char *sg_mistake(const gb_params *params);
gb_work sg_work(const gb_params *params);

/* problem.cu */
gb_status sg_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error);
void sg_close(gb_problem *problem);
gb_status sg_poison(gb_job *job, gb_stream stream);
/* check.cu */
gb_status sg_checker_open(sg_problem *problem, gb_error *error);
void sg_checker_close(sg_problem *problem);
gb_status sg_check(gb_job *job, gb_stream stream);

#ifdef __cplusplus
}
#endif
#endif
