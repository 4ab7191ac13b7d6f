/* Multipartition: keys into contiguous bins. What the files of this folder share. */
#ifndef GB_MULTIPARTITION_H
#define GB_MULTIPARTITION_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { MP_N, MP_BINS, MP_DIST, MP_FUNCTION, MP_PAYLOAD, MP_AXES };

typedef enum mp_function_kind { MP_RANGE, MP_MODULO, MP_HASH, MP_SPLITTERS } mp_function_kind;

/* A point of the experiment in C types. */
typedef struct mp_shape {
    uint64_t n;
    uint32_t bins;
    mp_function_kind function;
    bool payload; /* a u32 travels with each key */
} mp_shape;

mp_shape mp_shape_of(const gb_params *params);

/* The bin function's data: host and device evaluate mp_bin (bins.h) on it. limits has bins-1
 * ascending entries for MP_SPLITTERS (bin = number of limits <= key), else NULL. */
typedef struct mp_bin_data {
    uint32_t bins;
    uint64_t magic;         /* MP_MODULO: ceil(2^64 / bins) in 64 bits: 0 for one bin */
    const uint32_t *limits; /* memory of whoever evaluates */
} mp_bin_data;

/* A point's data. Key i and payload i depend on the seed and i alone; payload i is the low 32 bits
 * of i, so that a checker can see stability. */
struct gb_problem {
    mp_shape shape;
    uint64_t seed;
    const gb_device *device;
    char dist[GB_MAX_TEXT];
    /* device memory */
    uint32_t *keys_in, *keys_out;       /* n each */
    uint32_t *payload_in, *payload_out; /* n each, or NULL */
    uint64_t *offsets; /* bins + 1: where each bin starts; written by every variant */
    mp_bin_data bin;   /* limits on the device */
    /* host memory, made when first asked for (mp_problem_host), else NULL */
    uint32_t *host_keys_in, *host_keys_out, *host_payload_in, *host_payload_out;
    uint64_t *host_offsets;
    mp_bin_data host_bin; /* limits on the host; always there */
    void *checker;        /* what the checker remembers: true offsets, multiset hash */
};

/* Irregular limits for MP_SPLITTERS, bins - 1 of them: with u_i uniform in [0, 1),
 * limits[i - 1] = floor(2^32 (i + u_i) / bins). Ascending; a bin is between 0 and 2 times as wide
 * as the mean, and two limits may coincide where bins are only a few keys wide. */
void mp_make_limits(uint64_t seed, uint32_t bins, uint32_t *limits);

/* The bin function's data; limits (kept, not copied) is used by MP_SPLITTERS alone. */
mp_bin_data mp_bin_data_of(const mp_shape *shape, const uint32_t *limits);

/* Makes the host copies of input and output (pinned where the back-end can). */
gb_status mp_problem_host(struct gb_problem *problem, gb_error *error);

/* The oracle: a sequential stable counting sort by bin. keys_out, payload_out: n; offsets: bins+1.
 * payload_in and payload_out may be NULL together. */
void mp_oracle(const mp_shape *shape, const mp_bin_data *bin, const uint32_t *keys_in,
               const uint32_t *payload_in, uint32_t *keys_out, uint32_t *payload_out,
               uint64_t *offsets);

/* problem.cu */
gb_status mp_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error);
void mp_close(gb_problem *problem);
gb_status mp_upload(gb_job *job, gb_stream stream);
gb_status mp_download(gb_job *job, gb_stream stream);
gb_status mp_poison(gb_job *job, gb_stream stream);
/* check.cu */
gb_status mp_check(gb_job *job, gb_stream stream);

extern const gb_variant mp_buffer_per_warp, mp_large, mp_multipartition;
extern const gb_variant mp_multisplit_warp, mp_multisplit_block, mp_multisplit_reduced_bit,
    mp_multisplit;
extern const gb_variant mp_cub_radix_sort, mp_cub_label_sort;
extern const gb_variant mp_unstable, mp_stable, mp_unstable_two_pass, mp_stable_two_pass;
extern const gb_variant mp_cpu, mp_cpu_parallel;

#ifdef __cplusplus
}
#endif
#endif
