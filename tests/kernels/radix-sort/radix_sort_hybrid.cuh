/* The hybrid radix sort's stages as its unit tests run them. Its source is compiled in, for a
 * plan's pieces. */
#ifndef GB_TESTS_KERNELS_RADIX_SORT_RADIX_SORT_HYBRID_CUH
#define GB_TESTS_KERNELS_RADIX_SORT_RADIX_SORT_HYBRID_CUH

#include "kernels/radix-sort/hybrid/hybrid.cu"

#include "common/protocol/schedule.h"
#include "common/worker/backend.h"
#include "tests/kernels/radix-sort/radix_sort_points.cuh"

/* Which way the keys went: hy_verdict, what was tried, and whether that failed. */
enum {
    EVEN = 0,
    REFUSED = HY_REFUSED,
    COUNTED = 1 << 16,
    IN_ORDER = 1 << 17,
    FAILED = 1 << 18,
    PLACED = 1 << 19,                     /* the stages went by places */
    TOO_MANY = COUNTED | FAILED | REFUSED /* onesweep sorts them */
};

static const unsigned of_32_bits[] = {RS_U32, RS_I32, RS_F32};

static inline void set_device(void)
{
    device.sms = 1;
    device.arch = 900;
    device.shared_optin = device.shared_per_sm = 227 << 10;
    device.memory_bytes = (uint64_t)1 << 30;
}

/* A plan with scratch of its own. */
static inline plan open_plan(const gb_job *job, unsigned bits)
{
    void *scratch;
    const uint64_t bytes = plan_of(job->problem, &device, bits, NULL).bytes;
    assert_int_equal(cudaMalloc(&scratch, bytes), cudaSuccess);
    assert_int_equal(cudaMemset(scratch, 0xa5, bytes), cudaSuccess);
    return plan_of(job->problem, &device, bits, scratch);
}

static inline void close_plan(const plan *p)
{
    assert_int_equal(cudaFree(p->cleared), cudaSuccess);
}

static inline unsigned verdict_of(const plan *p)
{
    unsigned said[2];
    assert_int_equal(cudaMemcpy(said, p->sort.state, sizeof said, cudaMemcpyDeviceToHost),
                     cudaSuccess);
    return said[0] | (said[1] & HY_COUNTS ? (unsigned)COUNTED : 0u) |
           (said[1] & (HY_ASCENDS | HY_DESCENDS) ? (unsigned)IN_ORDER : 0u) |
           (said[1] & HY_BY_PLACE ? (unsigned)PLACED : 0u) |
           (said[1] & HY_FAILED ? (unsigned)FAILED : 0u);
}

static inline gb_job open_point(const gb_params *params, uint64_t seed)
{
    gb_job job = open_job(&rs_hybrid, params, seed);
    if (rs_problem_device(&job) != GB_OK || rs_poison(&job, NULL) != GB_OK)
        fail_msg("%s", job.error.text);
    return job;
}

/* Sorts the point with so many bits, has the checker judge it, and returns the verdict. */
static inline unsigned sort_with_bits(const gb_params *params, uint64_t seed, unsigned bits)
{
    gb_job job = open_point(params, seed);
    const plan p = open_plan(&job, bits);
    if (run_plan(&job, &p, NULL) != GB_OK || rs_check(&job, NULL) != GB_OK)
        fail_msg("%u bits, %s: %s", bits, name_of(params), job.error.text);
    const unsigned verdict = verdict_of(&p);
    close_plan(&p);
    rs_close(job.problem);
    return verdict;
}

/* The stages without onesweep: keys that are not left to it are in order; of others the output is
 * untouched, but where an attempt to copy them had begun. */
static inline void stages_alone(const gb_params *params, unsigned expected)
{
    const uint64_t n = params->value[RS_N].size;
    const bool sorted = !(expected & 0xffff);
    gb_job job = open_point(params, n);
    const plan p = open_plan(&job, bits_for(n));
    unsigned *before = (unsigned *)malloc(n * 4), *after = (unsigned *)malloc(n * 4);
    assert_true(before && after);
    assert_int_equal(cudaMemcpy(before, p.sort.keys_out, n * 4, cudaMemcpyDeviceToHost), 0);
    if (run_stages(&p, NULL, &job.error) != GB_OK) fail_msg("%s", job.error.text);
    assert_int_equal(cudaMemcpy(after, p.sort.keys_out, n * 4, cudaMemcpyDeviceToHost), 0);
    if (verdict_of(&p) != expected)
        fail_msg("%s: the verdict is %x, not %x", name_of(params), verdict_of(&p), expected);
    if (sorted && rs_check(&job, NULL) != GB_OK)
        fail_msg("%s: %s", name_of(params), job.error.text);
    if (!sorted && !(expected & IN_ORDER)) assert_memory_equal(before, after, n * 4);
    free(before);
    free(after);
    close_plan(&p);
    rs_close(job.problem);
}

/* Sorts keys instead of those of the point and compares with the oracle; all bits count. */
static inline void sort_keys(gb_job *job, const plan *p, unsigned *keys)
{
    const uint64_t n = job->problem->shape.n;
    unsigned *out = (unsigned *)malloc(n * 4);
    void *scratch = malloc(n * 32);
    assert_true(out && scratch);
    assert_int_equal(cudaMemcpy(job->problem->keys_in, keys, n * 4, cudaMemcpyHostToDevice), 0);
    if (run_plan(job, p, NULL) != GB_OK) fail_msg("%s", job->error.text);
    assert_int_equal(cudaMemcpy(out, job->problem->keys_out, n * 4, cudaMemcpyDeviceToHost), 0);
    rs_oracle(&job->problem->shape, keys, NULL, scratch);
    assert_memory_equal(out, keys, n * 4);
    free(out);
    free(scratch);
}

/* Sorts the point under schedule i, by 4 bits; returns the verdict. */
static inline unsigned sort_under_schedule(const gb_params *params, unsigned i)
{
    gb_error error;
    const gb_schedule schedule = {
        (gb_policy)(i % GB_POLICY_COUNT), i, 64u >> i % 5, 0, 0, 1u << i % 3, 0};
    gb_job job = open_point(params, i);
    const plan p = open_plan(&job, 4);
    assert_int_equal(gb_backend_schedule(NULL, &schedule, &error), GB_OK);
    gb_backend_begin_schedule(NULL);
    gb_status status = run_plan(&job, &p, NULL);
    gb_backend_end_schedule(NULL);
    assert_int_equal(gb_backend_schedule(NULL, NULL, &error), GB_OK);
    if (status == GB_OK) status = rs_check(&job, NULL);
    if (status != GB_OK)
        fail_msg("policy %s, %s: %s", gb_policy_name(schedule.policy), name_of(params),
                 job.error.text);
    const unsigned verdict = verdict_of(&p);
    close_plan(&p);
    rs_close(job.problem);
    return verdict;
}

#endif
