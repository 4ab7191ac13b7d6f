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
static const unsigned of_64_bits[] = {RS_U64, RS_I64, RS_F64};

enum { KINDS = 4 /* of elements: as kinds.cuh has them */ };

/* The i-th type, by turns, of the keys of a kind; whether it has a payload. */
static inline unsigned type_of(unsigned kind, uint64_t i)
{
    return (kind % 2 ? of_64_bits : of_32_bits)[i % 3];
}
static inline unsigned payload_of(unsigned kind)
{
    return kind / 2;
}

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
    const uint64_t bytes = plan_of(job->problem, NULL, &device, bits, NULL).bytes;
    assert_int_equal(cudaMalloc(&scratch, bytes), cudaSuccess);
    assert_int_equal(cudaMemset(scratch, 0xa5, bytes), cudaSuccess);
    return plan_of(job->problem, NULL, &device, bits, scratch);
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

/* Elements that one kind of elements holds, on the host. */
typedef struct elements {
    void *keys;
    uint32_t *payload; /* NULL without */
} elements;

static inline elements new_elements(const rs_shape *shape)
{
    elements e = {malloc(shape->n * rs_key_bytes(shape->type)), NULL};
    if (shape->payload) e.payload = (uint32_t *)malloc(shape->n * sizeof *e.payload);
    assert_true(e.keys && (e.payload || !shape->payload));
    return e;
}

static inline void free_elements(elements *e)
{
    free(e->keys);
    free(e->payload);
}

static inline elements output_of(const gb_problem *problem)
{
    const rs_shape *shape = &problem->shape;
    elements e = new_elements(shape);
    assert_int_equal(cudaMemcpy(e.keys, problem->keys_out, shape->n * rs_key_bytes(shape->type),
                                cudaMemcpyDeviceToHost),
                     0);
    if (e.payload)
        assert_int_equal(cudaMemcpy(e.payload, problem->payload_out, shape->n * sizeof *e.payload,
                                    cudaMemcpyDeviceToHost),
                         0);
    return e;
}

/* Sorts the point with so many bits, has the checker judge it, and returns the verdict. */
static inline unsigned sort_with_bits(const gb_params *params, uint64_t seed, unsigned bits)
{
    gb_job job = open_point(params, seed);
    const plan p = open_plan(&job, bits);
    if (run_plan(job.problem, &device, &p, NULL, &job.error) != GB_OK ||
        rs_check(&job, NULL) != GB_OK)
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
    const rs_shape *shape = &job.problem->shape;
    elements before = output_of(job.problem);
    if (run_stages(&p, shape, NULL, &job.error) != GB_OK) fail_msg("%s", job.error.text);
    elements after = output_of(job.problem);
    if (verdict_of(&p) != expected)
        fail_msg("%s: the verdict is %x, not %x", name_of(params), verdict_of(&p), expected);
    if (sorted && rs_check(&job, NULL) != GB_OK)
        fail_msg("%s: %s", name_of(params), job.error.text);
    if (!sorted && !(expected & IN_ORDER)) {
        assert_memory_equal(before.keys, after.keys, n * rs_key_bytes(shape->type));
        if (before.payload) assert_memory_equal(before.payload, after.payload, n * 4);
    }
    free_elements(&before);
    free_elements(&after);
    close_plan(&p);
    rs_close(job.problem);
}

/* Puts -0 before +0 in sorted floats: they are equal, and hybrid is not stable. */
template <class Key> static inline void order_zeros(const rs_shape *shape, Key *keys)
{
    const Key minus = (Key)1 << (8 * sizeof *keys - 1);
    uint64_t begin = 0, end, minuses = 0;
    if (!rs_is_float(shape->type)) return;
    while (begin < shape->n && (Key)(keys[begin] << 1))
        begin++;
    for (end = begin; end < shape->n && !(Key)(keys[end] << 1); end++)
        minuses += keys[end] == minus;
    for (uint64_t i = begin; i < end; i++)
        keys[i] = i - begin < minuses ? minus : 0;
}

/* Sorts keys instead of those of the point, which become the oracle's, and compares; all bits
 * count. Payloads are the point's, numbers of its elements: each goes with its key, once. */
template <class Key> static inline void sort_keys(gb_job *job, const plan *p, Key *keys)
{
    const rs_shape *shape = &job->problem->shape;
    const uint64_t n = shape->n;
    assert_int_equal(sizeof *keys, rs_key_bytes(shape->type));
    void *scratch = malloc(n * 32);
    Key *in = (Key *)malloc(n * sizeof *in);
    bool *came = (bool *)calloc(n, sizeof *came);
    assert_true(scratch && in && came);
    memcpy(in, keys, n * sizeof *in);
    assert_int_equal(
        cudaMemcpy(job->problem->keys_in, keys, n * sizeof *keys, cudaMemcpyHostToDevice), 0);
    if (run_plan(job->problem, &device, p, NULL, &job->error) != GB_OK)
        fail_msg("%s", job->error.text);
    elements out = output_of(job->problem);
    for (uint64_t i = 0; i < n && out.payload; i++) {
        const uint32_t from = out.payload[i];
        if (from >= n || came[from] || in[from] != ((const Key *)out.keys)[i])
            fail_msg("payload %u is lost, or not with its key", from);
        came[from] = true;
    }
    rs_shape bare = *shape;
    bare.payload = 0;
    rs_oracle(&bare, keys, NULL, scratch);
    order_zeros(shape, keys);
    order_zeros(shape, (Key *)out.keys);
    assert_memory_equal(out.keys, keys, n * sizeof *keys);
    free_elements(&out);
    free(came);
    free(in);
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
    gb_status status = run_plan(job.problem, &device, &p, NULL, &job.error);
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
