/* Multipartition as an experiment: a point's data, its oracle and its variants. What the files of
 * this folder share. */
#ifndef GB_MULTIPARTITION_EXPERIMENT_H
#define GB_MULTIPARTITION_EXPERIMENT_H

#include "common/gpubench.h"
#include "kernels/multipartition/multipartition.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { MP_N, MP_BINS, MP_DIST, MP_FUNCTION, MP_PAYLOAD, MP_TYPE, MP_AXES };

/* A point of the experiment in C types. */
typedef struct mp_shape {
    uint64_t n;
    uint32_t bins;
    mp_function_kind function;
    unsigned payload_bytes; /* what travels with each key: 0, 4, 8 or 16 */
    unsigned key_bytes;     /* 4 or 8 */
} mp_shape;

mp_shape mp_shape_of(const gb_params *params);
/* For variants that move 32-bit keys, alone or each with 32 bits: NULL if the point is of these,
 * else the reason. */
const char *mp_narrow_only(const gb_params *params);

/* The bin function's data: host and device evaluate mp_bin or mp_bin64 (bins.h) on it. For
 * MP_SPLITTERS there are bins-1 ascending limits of the keys' width (bin = number of limits <= key)
 * in memory of whoever evaluates; the other pointer, or both, is NULL. */
typedef struct mp_bin_data {
    uint32_t bins;
    uint32_t word;
    /* MP_MODULO: ceil(2^64 / bins) in 64 bits: 0 for one bin. MP_MAX: bins / (max + 1), rounded up,
     * in units of 2^-64 (magic, above word) or, of 64-bit keys, of 2^-128 (word, magic, magic_low).
     */
    uint64_t magic;
    uint64_t magic_low;
    const uint32_t *limits;
    const uint64_t *limits64;
} mp_bin_data;

/* A point's data. Key i and payload i depend on the seed and i alone; payload i begins with the low
 * 32 bits of i, so that a checker can see stability. Arrays are of n elements, as 32-bit words with
 * the low one first: who moves wider elements reads them as what they are. */
struct gb_problem {
    mp_shape shape;
    uint64_t seed;
    const gb_device *device;
    const char *dist;
    /* device memory */
    uint32_t *keys_in, *keys_out;
    uint32_t *payload_in, *payload_out; /* NULL if there is none */
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
/* The same with more bits of u_i: limits[i - 1] = floor(2^64 (i + u_i) / bins), whose upper half is
 * the 32-bit limit. */
void mp_make_limits64(uint64_t seed, uint32_t bins, uint64_t *limits);

/* The bin function's data; limits, of the keys' width (kept, not copied), is used by MP_SPLITTERS
 * alone. Not for MP_MAX. */
mp_bin_data mp_bin_data_of(const mp_shape *shape, const void *limits);
/* The same for MP_MAX: max is the largest key, of the keys' width. */
mp_bin_data mp_bin_data_by_max(const mp_shape *shape, uint64_t max);

/* Makes the host copies of input and output (pinned where the back-end can). */
gb_status mp_problem_host(struct gb_problem *problem, gb_error *error);

/* The oracle: a sequential stable counting sort by bin. Keys and payloads are n elements of the
 * shape's widths, at any address; offsets: bins+1. */
void mp_oracle(const mp_shape *shape, const mp_bin_data *bin, const void *keys_in,
               const void *payload_in, void *keys_out, void *payload_out, uint64_t *offsets);

/* problem.cu */
gb_status mp_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error);
void mp_close(gb_problem *problem);
gb_status mp_upload(gb_job *job, gb_stream stream);
gb_status mp_download(gb_job *job, gb_stream stream);
gb_status mp_poison(gb_job *job, gb_stream stream);
/* check.cu */
gb_status mp_check(gb_job *job, gb_stream stream);
/* partition/variants.cu */
gb_status mp_was_redone(gb_job *job, bool *redone);
/* gb_primitive.tune: what the variants auto and auto-stable go by (partition/tuning.c). */
gb_status mp_tune(const char *table, size_t size, const gb_device *device, char by[GB_MAX_TEXT],
                  gb_error *error);

extern const gb_variant mp_buffer_per_warp, mp_large, mp_multipartition;
extern const gb_variant mp_multisplit_warp, mp_multisplit_block, mp_multisplit_reduced_bit,
    mp_multisplit;
extern const gb_variant mp_cub_radix_sort, mp_cub_radix_sort_latest;
extern const gb_variant mp_cub_label_sort, mp_cub_label_sort_latest;
extern const gb_variant mp_cub_partition, mp_cub_partition_latest;
extern const gb_variant mp_unstable, mp_unstable_counted, mp_unstable_tiles,
    mp_unstable_tiles_counted, mp_unstable_resident, mp_unstable_two_pass,
    mp_unstable_sampled_two_pass, mp_unstable_tiles_two_pass, mp_stable, mp_stable_two_pass,
    mp_stable_drawn, mp_stable_drawn_two_pass, mp_stable_drawn_three_pass, mp_stable_tiles,
    mp_stable_tiles_two_pass, mp_stable_resident, mp_auto, mp_auto_stable;
extern const gb_variant mp_cpu, mp_cpu_parallel;

#ifdef __cplusplus
}
#endif
#endif
