/* The sort of small inputs in one launch: random points of all types, payloads, orders and bits, by
 * a cluster and by grids of several sizes, also under other orders of threads; how it leaves its
 * scratch; and when it is onesweep's. */
/* test: long 11 */
#include "common/protocol/schedule.h"
#include "common/worker/backend.h"
#include "kernels/radix-sort/onesweep/onesweep.h"
#include "kernels/radix-sort/small/small.h"
#include "kernels/radix-sort/variants.h"
#include "tests/kernels/radix-sort/radix_sort_points.cuh"

#include <stdlib.h>

enum { POINTS = 90, EXPLORED = 24, MOST_BLOCKS = 4 };

/* So many multiprocessors; without clusters (arch 800) blocks meet in memory from the start. */
static void set_device(unsigned sms, int arch)
{
    device.sms = (int)sms;
    device.arch = arch;
    device.shared_optin = device.shared_per_sm = (uint64_t)227 << 10;
}

/* A schedule has as many blocks at once as the device has multiprocessors. */
static gb_schedule schedule_of(gb_policy policy, uint64_t seed, unsigned atomic)
{
    return gb_schedule{policy, seed, atomic, 0, 0, (unsigned)device.sms, 0};
}

static gb_params draw_point(uint64_t i, uint64_t most)
{
    unsigned begin = 0, end;
    const unsigned type = (unsigned)draw(4, i, 4);
    const uint64_t n = 1 + draw(7, i, most >> draw(8, i, 4));
    draw_bits(4000 + i, type, &begin, &end);
    if (draw(12, i, 2)) { /* all: the top digit alone parts the keys */
        begin = 0;
        end = type == RS_U64 ? 64 : 32;
    }
    return point(n, draw_dist(i), type, (unsigned)draw(5, i, 2), (unsigned)draw(9, i, 2), begin,
                 end);
}

/* Sorts it twice: the first sort leaves the scratch as the second one needs it. */
static void sort_point(const gb_params *params, uint64_t seed, const gb_schedule *schedule)
{
    gb_error error;
    gb_job job = open_job(&rs_small, params, seed);
    unsigned char cleared[SM_CLEARED_BYTES];
    if (rs_small.prepare(&job) != GB_OK) fail_msg("%s", job.error.text);
    const uint64_t counts = sm_counts_bytes(&job.problem->shape, &device);
    assert_int_equal(cudaMemset((char *)job.state + SM_CLEARED_BYTES, 0xa5, counts), cudaSuccess);
    assert_int_equal(gb_backend_schedule(NULL, schedule, &error), GB_OK);
    for (int i = 0; i < 2; i++) {
        if (rs_poison(&job, NULL) != GB_OK) fail_msg("%s", job.error.text);
        gb_backend_begin_schedule(NULL);
        gb_status status = rs_small.run(&job, NULL);
        gb_backend_end_schedule(NULL);
        if (status == GB_OK) status = rs_check(&job, NULL);
        if (status != GB_OK)
            fail_msg("%d multiprocessors, arch %d, policy %s, sort %d, %s: %s", device.sms,
                     device.arch, gb_policy_name(schedule->policy), i, name_of(params),
                     job.error.text);
    }
    assert_int_equal(gb_backend_schedule(NULL, NULL, &error), GB_OK);
    assert_int_equal(cudaMemcpy(cleared, job.state, sizeof cleared, cudaMemcpyDeviceToHost), 0);
    for (unsigned i = 0; i < 144; i++) /* meetings; the rest is where shared memory lay */
        assert_int_equal(cleared[i], 0);
    rs_small.cleanup(&job);
    rs_close(job.problem);
}

static void random_points(void **)
{
    for (uint64_t i = 0; i < POINTS; i++) {
        const gb_params params = draw_point(i, 30000);
        set_device(1 + (unsigned)draw(10, i, MOST_BLOCKS), draw(11, i, 2) ? 900 : 800);
        if (params.value[RS_N].size > (uint64_t)12288 * (unsigned)device.sms) continue;
        const gb_schedule schedule = schedule_of(GB_POLICY_ROUND_ROBIN, i, 0);
        sort_point(&params, i, &schedule);
    }
}

static void other_schedules(void **)
{
    for (unsigned i = 0; i < EXPLORED; i++) {
        const gb_params params = draw_point(5000 + i, 9000);
        set_device(1 + i % MOST_BLOCKS, draw(13, i, 2) ? 900 : 800);
        const gb_schedule schedule = schedule_of((gb_policy)(i % GB_POLICY_COUNT), i, 64u >> i % 5);
        sort_point(&params, i, &schedule);
    }
}

/* Every way through the kernel, in a cluster and in a grid: one block; even keys; keys that agree
 * in their top digits; uneven ones; one digit; keys that agree in all bits that count. */
static void every_way(void **)
{
    static const struct {
        unsigned n;
        const char *dist;
        unsigned begin, end;
    } ways[] = {{2000, "uniform", 0, 32},  {7001, "uniform", 0, 32},   {7001, "uniform", 3, 29},
                {7001, "sorted", 0, 32},   {7001, "reversed", 0, 32},  {7001, "zipf", 0, 32},
                {7001, "uniform", 11, 17}, {7001, "constant", 0, 32},  {7001, "sorted", 24, 32},
                {7001, "sorted", 16, 32},  {7001, "distinct:2", 0, 32}};
    for (unsigned i = 0; i < 4 * (sizeof ways / sizeof *ways); i++) {
        const unsigned way = i / 4, clusters = i & 1, pairs = i >> 1 & 1;
        set_device(4, clusters ? 900 : 800);
        const gb_params params =
            point(ways[way].n, ways[way].dist, RS_U32, pairs, 0, ways[way].begin, ways[way].end);
        const gb_schedule schedule = schedule_of(GB_POLICY_RANDOM, i, 0);
        sort_point(&params, i, &schedule);
    }
}

/* The first n elements of a job's output against the oracle's, or, if there is to be none, against
 * what poison left there. */
static void judge_first(const gb_job *job, uint64_t n, bool sorted)
{
    const gb_problem *p = job->problem;
    const size_t width = rs_key_bytes(p->shape.type);
    char *keys = (char *)malloc(2 * n * width), *keys_out = keys + n * width;
    uint32_t *payload = (uint32_t *)malloc(2 * n * 4), *payload_out = payload + n;
    void *spare = malloc(n * 32);
    assert_true(keys && payload && spare);
    assert_int_equal(cudaMemcpy(keys, p->keys_in, n * width, cudaMemcpyDefault), cudaSuccess);
    assert_int_equal(cudaMemcpy(payload, p->payload_in, n * 4, cudaMemcpyDefault), cudaSuccess);
    assert_int_equal(cudaMemcpy(keys_out, p->keys_out, n * width, cudaMemcpyDefault), cudaSuccess);
    assert_int_equal(cudaMemcpy(payload_out, p->payload_out, n * 4, cudaMemcpyDefault),
                     cudaSuccess);
    rs_oracle(&p->shape, keys, payload, spare);
    if (!sorted) memset(keys, 0xa5, n * width);
    if (!sorted) memset(payload, 0xa5, n * 4);
    assert_memory_equal(keys_out, keys, n * width);
    assert_memory_equal(payload_out, payload, n * 4);
    free(keys);
    free(payload);
    free(spare);
}

/* Sorts n pairs of keys that a test has made. */
static void sort_keys(const void *keys, unsigned n, unsigned type, uint64_t seed)
{
    gb_error error;
    const gb_params params = point(n, "uniform", type, 1, 0, 0, type == RS_U64 ? 64 : 32);
    const gb_schedule schedule = schedule_of(GB_POLICY_RANDOM, seed, 0);
    gb_job job = open_job(&rs_small, &params, seed);
    if (rs_small.prepare(&job) != GB_OK || rs_poison(&job, NULL) != GB_OK)
        fail_msg("%s", job.error.text);
    assert_int_equal(
        cudaMemcpy(job.problem->keys_in, keys, n * rs_key_bytes((rs_type)type), cudaMemcpyDefault),
        cudaSuccess);
    assert_int_equal(gb_backend_schedule(NULL, &schedule, &error), GB_OK);
    gb_backend_begin_schedule(NULL);
    if (rs_small.run(&job, NULL) != GB_OK) fail_msg("%s", job.error.text);
    gb_backend_end_schedule(NULL);
    assert_int_equal(gb_backend_schedule(NULL, NULL, &error), GB_OK);
    judge_first(&job, n, true);
    rs_small.cleanup(&job);
    rs_close(job.problem);
}

static const unsigned few_counts[] = {2500, 7001, 8192, 20011};

/* Nine keys in ten have the same top digit, or the same digits up to the lowest: the blocks' shares
 * would be uneven. */
static void uneven_keys(void **)
{
    for (unsigned i = 0; i < 16; i++) {
        const unsigned n = few_counts[i / 4];
        unsigned *keys = (unsigned *)malloc(n * 4);
        assert_non_null(keys);
        for (unsigned k = 0; k < n; k++) {
            const unsigned any = (unsigned)draw(30 + i, k, (uint64_t)1 << 32);
            const unsigned alike = i & 2 ? 0x07000000u | any >> 8 : 0x01020300u | any >> 24;
            keys[k] = draw(60, k, 10) ? alike : any;
        }
        set_device(4, i & 1 ? 900 : 800);
        sort_keys(keys, n, RS_U32, i);
        free(keys);
    }
}

/* Long keys whose highest bits are spread evenly, but among few values: those below count, too. */
static void keys_that_agree_far_down(void **)
{
    for (unsigned i = 0; i < 8; i++) {
        const unsigned n = few_counts[i / 2], low = i % 3 * 8;
        uint64_t *keys = (uint64_t *)malloc(n * 8);
        assert_non_null(keys);
        for (unsigned k = 0; k < n; k++)
            keys[k] = draw(70 + i, k, n / 9) * 0x9E3779B9u << 32 | draw(80 + i, k, 1000) << low;
        set_device(4, i & 1 ? 900 : 800);
        sort_keys(keys, n, RS_U64, i);
        free(keys);
    }
}

/* Keys of which a few at a time agree in the highest 16 bits and are told apart, or not, by those
 * below; or that lie close together anywhere. */
static void few_that_agree(void **)
{
    for (unsigned i = 0; i < 24; i++) {
        const unsigned n = i % 3 ? few_counts[i / 2 % 4] : 1999, close = i & 2;
        unsigned *keys = (unsigned *)malloc(n * 4);
        assert_non_null(keys);
        for (unsigned k = 0; k < n; k++) {
            const unsigned low = (unsigned)draw(90 + i, k, 3 + i);
            keys[k] = close ? 0x7fff0000u + (unsigned)draw(120 + i, k, 1u << 18)
                            : ((unsigned)draw(150 + i, k, n / 2) * 0x9E3779B9u & 0xffffff00u) + low;
        }
        set_device(4, i & 1 ? 900 : 800);
        sort_keys(keys, n, i % 5 ? RS_U32 : RS_F32, i);
        free(keys);
    }
}

/* Blocks that are full, where no share can be larger than another. */
static void full_blocks(void **)
{
    for (unsigned type = RS_U32; type <= RS_U64; type++) {
        rs_shape shape = {
            1, (rs_type)type, true, false, 0, 8u * (unsigned)rs_key_bytes((rs_type)type)};
        set_device(2, 800);
        const uint64_t most = sm_most(&shape, &device);
        assert_int_equal(most, type == RS_U32 ? 2 * 16384 : 2 * 12288);
        for (unsigned missing = 0; missing < 2; missing++) {
            const gb_params params =
                point(most - missing, "uniform", type, 1, missing, 0, type == RS_U64 ? 64 : 32);
            const gb_schedule schedule = schedule_of(GB_POLICY_ROUND_ROBIN, type, 0);
            sort_point(&params, type, &schedule);
        }
    }
}

/* What fits depends on the device alone; what does not has a reason. */
static void what_fits(void **)
{
    const gb_params fits = point(2 * 16384, "uniform", RS_U32, 0, 0, 0, 32);
    const gb_params more = point(2 * 16384 + 1, "uniform", RS_U32, 0, 0, 0, 32);
    rs_shape shape = rs_shape_of(&fits);
    set_device(2, 800);
    assert_null(rs_small.unsupported(&fits, &device));
    assert_string_equal(rs_small.unsupported(&more, &device),
                        "32769 keys are not on the chip at once: at most 32768 of them are; "
                        "onesweep sorts more");
    assert_false(sm_wins(&shape, &device));
    shape.n = 2 * 16384 / 16 * 15;
    assert_true(sm_wins(&shape, &device));
    device.arch = 500; /* blocks cannot meet */
    assert_int_equal(sm_most(&shape, &device), 16384);
    device.shared_optin = 100 << 10;
    assert_int_equal(sm_most(&shape, &device), 16384);
    device.shared_optin = 64 << 10;
    assert_int_equal(sm_most(&shape, &device), 8192);
    device.shared_optin = 16 << 10;
    assert_int_equal(sm_most(&shape, &device), 0);
    assert_string_equal(rs_small.unsupported(&fits, &device),
                        "its smallest blocks do not fit the 16384 bytes of shared memory that this "
                        "device gives a block");
}

/* os_sort is this one for few keys, also where a word says that it is not to be done. Its scratch
 * serves both sorts by turns. */
static void as_onesweep(void **)
{
    enum { KEYS = 40000, FEW = 9001 };
    gb_error error;
    unsigned *wanted;
    void *scratch;
    const gb_params params = point(KEYS, "uniform", RS_F32, 1, 1, 0, 32);
    gb_job job = open_job(&rs_onesweep, &params, 3);
    set_device(2, 900);
    if (rs_problem_device(&job) != GB_OK) fail_msg("%s", job.error.text);
    gb_problem *p = job.problem;
    const rs_shape all = p->shape;
    const uint64_t bytes = os_scratch_bytes(&all, &device);
    assert_int_equal(cudaMalloc((void **)&wanted, sizeof *wanted), cudaSuccess);
    assert_int_equal(cudaMalloc(&scratch, bytes), cudaSuccess);
    assert_int_equal(cudaMemset(scratch, 0xa5, bytes), cudaSuccess);
    assert_int_equal(cudaMemset(scratch, 0, os_cleared_bytes(&all)), cudaSuccess);
    const gb_schedule schedule = schedule_of(GB_POLICY_RANDOM, 1, 0);
    assert_int_equal(gb_backend_schedule(NULL, &schedule, &error), GB_OK);
    for (unsigned i = 0; i < 16; i++) {
        const unsigned word = i % 2;
        const unsigned *only_if = i < 12 ? wanted : NULL;
        set_device(2, i % 8 < 4 ? 900 : 800);
        p->shape.n = all.n;
        if (rs_poison(&job, NULL) != GB_OK) fail_msg("%s", job.error.text);
        if (i % 4 < 2) p->shape.n = FEW;
        const os_sort_data data = {p->keys_in,     p->payload_in, p->keys_out,
                                   p->payload_out, scratch,       only_if};
        assert_int_equal(sm_wins(&p->shape, &device), i % 4 < 2);
        assert_int_equal(cudaMemcpy(wanted, &word, sizeof word, cudaMemcpyHostToDevice), 0);
        gb_backend_begin_schedule(NULL);
        gb_status status = os_sort(&p->shape, &device, &data, NULL, &job.error);
        gb_backend_end_schedule(NULL);
        if (status != GB_OK) fail_msg("%s", job.error.text);
        judge_first(&job, p->shape.n, !only_if || word);
    }
    assert_int_equal(gb_backend_schedule(NULL, NULL, &error), GB_OK);
    p->shape = all;
    assert_int_equal(cudaFree(wanted), cudaSuccess);
    assert_int_equal(cudaFree(scratch), cudaSuccess);
    rs_close(p);
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    device.memory_bytes = (uint64_t)1 << 30;
    set_device(1, 900);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_points),
        cmocka_unit_test(other_schedules),
        cmocka_unit_test(every_way),
        cmocka_unit_test(uneven_keys),
        cmocka_unit_test(keys_that_agree_far_down),
        cmocka_unit_test(few_that_agree),
        cmocka_unit_test(full_blocks),
        cmocka_unit_test(what_fits),
        cmocka_unit_test(as_onesweep),
    };
    return cmocka_run_group_tests_name("small", tests, NULL, NULL);
}
