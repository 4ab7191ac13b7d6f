/* Sums of the segments of an array: sums[s] = values[offsets[s]] + ... + values[offsets[s + 1] -
 * 1], 0 where a segment is empty. What the files of this primitive share. */
#ifndef SEGMENTED_REDUCTION_H
#define SEGMENTED_REDUCTION_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SR_N, SR_SEGMENTS, SR_DIST, SR_TYPE, SR_AXES };
typedef enum sr_type { SR_U32, SR_F32, SR_U64 } sr_type;

/* Lengths of the segments. */
typedef enum sr_dist {
    SR_CONSTANT,     /* all alike */
    SR_UNIFORM,      /* from 0 to twice the mean */
    SR_POWER_LAW,    /* a length is exceeded with a chance of 1 over it (Pareto, exponent 1) */
    SR_GIANT,        /* one has 15 of 16 elements */
    SR_MOSTLY_EMPTY, /* 9 of 10 have none */
    SR_ONE_FULL      /* one has all elements */
} sr_dist;

enum { SR_MOST = 1 << 28 }; /* elements and segments: what sums of floats are exact for */

typedef struct sr_shape {
    uint32_t n, segments;
    sr_dist dist;
    sr_type type;
} sr_shape;

sr_shape sr_shape_of(const gb_params *params);
size_t sr_element_bytes(sr_type type);

/* What the output is filled with before a run. One element more stands behind it. */
enum { SR_POISON = 0xA5 };

/* Values and sums are n and segments elements of the type, offsets segments + 1 words. All begin at
 * a multiple of 16 bytes. */
struct gb_problem {
    sr_shape shape;
    uint64_t seed;
    void *values, *sums; /* device */
    uint32_t *offsets;
    void *host_values, *host_sums; /* page-locked */
    uint32_t *host_offsets;
    void *expected;       /* segments elements */
    uint64_t fingerprint; /* of values and offsets */
};

/* The sums that are right, by a loop over each segment. */
void sr_expect(struct gb_problem *problem);
/* GB_OK, or GB_WRONG with the first of the sums found that is not as expected. */
gb_status sr_compare(const struct gb_problem *problem, const void *found, gb_error *error);
/* Where the words of the offsets are counted from in a fingerprint; those of the values from 0. */
#define SR_SALT ((uint64_t)1 << 31)
/* A number that changes with any word of values and offsets in host memory. */
uint64_t sr_fingerprint(const struct gb_problem *problem);

gb_status sr_open(const gb_params *params, uint64_t seed, const gb_device *device,
                  struct gb_problem **out, gb_error *error);
void sr_close(struct gb_problem *problem);
gb_status sr_upload(gb_job *job, gb_stream stream);
gb_status sr_download(gb_job *job, gb_stream stream);
gb_status sr_poison(gb_job *job, gb_stream stream);
gb_status sr_check(gb_job *job, gb_stream stream);

extern const gb_variant sr_by_segment, sr_merge_path, sr_cpu_merge_path, sr_cub_segmented_reduce,
    sr_cub_segmented_reduce_latest, sr_cub_reduce_by_key, sr_cub_reduce_by_key_latest;

#ifdef __cplusplus
}
#endif
#endif
