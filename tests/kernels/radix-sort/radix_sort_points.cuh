/* Points of radix sort as its unit tests draw them: deterministic, from the test's own streams. */
#ifndef GB_TESTS_KERNELS_RADIX_SORT_RADIX_SORT_POINTS_CUH
#define GB_TESTS_KERNELS_RADIX_SORT_RADIX_SORT_POINTS_CUH

#include "tests/kernels/radix-sort/radix_sort_device.cuh"

static const char *const types[] = {"u32", "u64", "i32", "f32", "i64", "f64"};
static const char *const orders[] = {"ascending", "descending"};
static const char *const payloads[] = {"none", "u32", "u64", "u128"};

static inline gb_params point(uint64_t n, const char *dist, unsigned type, unsigned payload,
                              unsigned order, unsigned begin_bit, unsigned end_bit)
{
    char bits[32];
    snprintf(bits, sizeof bits, "range:%u-%u", begin_bit, end_bit);
    return point(n, dist, types[type], payloads[payload], orders[order], bits);
}

/* A random range of a type's bits. */
static inline void draw_bits(uint64_t i, unsigned type, unsigned *begin, unsigned *end)
{
    const unsigned width = 8 * (unsigned)rs_key_bytes((rs_type)type);
    *begin = (unsigned)draw(1, i, width);
    *end = *begin + 1 + (unsigned)draw(2, i, width - *begin);
}

/* One of the distributions that gpubench check tries. */
static inline const char *draw_dist(uint64_t i)
{
    unsigned dists = 0;
    while (gb_dist_nasty[dists])
        dists++;
    return gb_dist_nasty[draw(6, i, dists)];
}

/* A job of variant at params; its problem is to be closed (rs_close). */
static inline gb_job open_job(const gb_variant *variant, const gb_params *params, uint64_t seed)
{
    gb_job job;
    memset(&job, 0, sizeof job);
    job.variant = variant;
    job.params = params;
    job.device = &device;
    job.scope = GB_SCOPE_DEVICE;
    if (rs_open(params, seed, &device, &job.problem, &job.error) != GB_OK)
        fail_msg("%s", job.error.text);
    return job;
}

/* What a failure names. */
static inline const char *name_of(const gb_params *params)
{
    static char text[800];
    const gb_value *value = params->value;
    snprintf(text, sizeof text, "n=%llu,dist=%s,type=%s,payload=%s,order=%s,bits=%s",
             (unsigned long long)value[RS_N].size, value[RS_DIST].text, value[RS_TYPE].text,
             value[RS_PAYLOAD].text, value[RS_ORDER].text, value[RS_BITS].text);
    return text;
}

#endif
