/* The onesweep radix sort: random points of all types, payloads, orders and bits in tiles of every
 * size, also under other orders of threads, and what other sorts ask of it as a piece. */
/* test: fast 4 */
#include "common/protocol/schedule.h"
#include "common/worker/backend.h"
#include "kernels/radix-sort/onesweep/onesweep.h"
#include "kernels/radix-sort/variants.h"
#include "tests/kernels/radix-sort/radix_sort_points.cuh"

#include <stdlib.h>

enum { POINTS = 150, EXPLORED = 24, MOST_KEYS = 60000 };

/* Small inputs have small tiles, large ones on a device with much shared memory the largest; of
 * half of the points long keys may be sorted by some of their digits. */
static void draw_device(uint64_t i)
{
    static const unsigned kib[] = {96, 227};
    device.sms = 1 + (int)draw(10, i, 3);
    device.shared_optin = device.shared_per_sm = (uint64_t)kib[draw(11, i, 2)] << 10;
    os_shortened_from = draw(13, i, 2) ? 1 : (uint64_t)1 << 22;
}

static gb_params draw_point(uint64_t i, uint64_t most)
{
    unsigned begin = 0, end;
    const unsigned type = (unsigned)draw(4, i, RS_TYPES);
    const uint64_t n = 1 + draw(7, i, 1 + (most >> draw(8, i, 8)));
    draw_bits(4000 + i, type, &begin, &end);
    if (draw(12, i, 3) == 0) { /* whole bytes have code of their own */
        begin = begin / 8 * 8;
        end = (end + 7) / 8 * 8;
    }
    return point(n, draw_dist(i), type, (unsigned)draw(5, i, 4), (unsigned)draw(9, i, 2), begin,
                 end);
}

/* As the variant does, of few keys, too. */
static gb_status sweep(gb_job *job)
{
    const gb_problem *p = job->problem;
    const os_sort_data data = {p->keys_in,     p->payload_in, p->keys_out,
                               p->payload_out, job->state,    NULL};
    return os_sweep(&p->shape, &device, &data, NULL, &job->error);
}

static void sort_point(const gb_params *params, uint64_t seed, const gb_schedule *schedule)
{
    gb_error error;
    gb_job job = open_job(&rs_onesweep, params, seed);
    if (rs_onesweep.prepare(&job) != GB_OK || rs_poison(&job, NULL) != GB_OK)
        fail_msg("%s", job.error.text);
    const rs_shape *shape = &job.problem->shape;
    const uint64_t cleared = os_cleared_bytes(shape);
    assert_int_equal(
        cudaMemset((char *)job.state + cleared, 0xa5, os_scratch_bytes(shape, &device) - cleared),
        cudaSuccess);
    assert_int_equal(gb_backend_schedule(NULL, schedule, &error), GB_OK);
    gb_backend_begin_schedule(NULL);
    gb_status status = sweep(&job);
    gb_backend_end_schedule(NULL);
    assert_int_equal(gb_backend_schedule(NULL, NULL, &error), GB_OK);
    if (status == GB_OK) status = rs_check(&job, NULL);
    if (status != GB_OK)
        fail_msg("%s%s, %s: %s", schedule ? "policy " : "no schedule",
                 schedule ? gb_policy_name(schedule->policy) : "", name_of(params), job.error.text);
    rs_onesweep.cleanup(&job);
    rs_close(job.problem);
}

static void random_points(void **)
{
    for (uint64_t i = 0; i < POINTS; i++) {
        const gb_params params = draw_point(i, MOST_KEYS);
        draw_device(i);
        sort_point(&params, i, NULL);
    }
}

static void other_schedules(void **)
{
    for (unsigned i = 0; i < EXPLORED; i++) {
        const gb_params params = draw_point(5000 + i, 24000);
        const gb_schedule schedule = {
            (gb_policy)(i % GB_POLICY_COUNT), i, 64u >> i % 5, 0, 0, 1u << i % 3, 0};
        draw_device(i);
        sort_point(&params, i, &schedule);
    }
}

/* ---- as a piece of other sorts --------------------------------------------------------------- */

/* Sorts of the first n keys of a point, with scratch for all of them: two, for the first must leave
 * its scratch as the second one needs it. */
static gb_status sort_piece(gb_job *job, uint64_t n, const unsigned *only_if)
{
    const gb_problem *p = job->problem;
    rs_shape shape = p->shape;
    void *scratch;
    const uint64_t bytes = os_scratch_bytes(&shape, &device);
    assert_int_equal(cudaMalloc(&scratch, bytes), cudaSuccess);
    assert_int_equal(cudaMemset(scratch, 0xa5, bytes), cudaSuccess);
    shape.n = n;
    const uint64_t cleared = os_cleared_bytes(&shape);
    assert_int_equal(cudaMemset(scratch, 0, cleared), cudaSuccess);
    const os_sort_data data = {p->keys_in,     p->payload_in, p->keys_out,
                               p->payload_out, scratch,       only_if};
    gb_status status = GB_OK;
    for (int i = 0; i < 2 && status == GB_OK; i++) {
        if (!only_if) assert_int_equal(cudaMemset(p->keys_out, 0x5a, n * 4), cudaSuccess);
        status = os_sweep(&shape, &device, &data, NULL, &job->error);
    }
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_true(cleared < bytes);
    assert_int_equal(cudaFree(scratch), cudaSuccess);
    return status;
}

/* With a word of 0 nothing is written, with any other all is sorted. */
static void only_if_wanted(void **)
{
    enum { KEYS = 20011 };
    unsigned *wanted;
    const gb_params params = point(KEYS, "zipf", RS_F32, 1, 1, 2, 31);
    gb_job job = open_job(&rs_onesweep, &params, 3);
    unsigned *before = (unsigned *)malloc(KEYS * 4), *after = (unsigned *)malloc(KEYS * 4);
    assert_true(before && after);
    assert_int_equal(cudaMalloc((void **)&wanted, sizeof *wanted), cudaSuccess);
    if (rs_problem_device(&job) != GB_OK || rs_poison(&job, NULL) != GB_OK)
        fail_msg("%s", job.error.text);
    for (unsigned word = 0; word <= 4; word += 2) {
        assert_int_equal(cudaMemcpy(wanted, &word, sizeof word, cudaMemcpyHostToDevice), 0);
        assert_int_equal(cudaMemcpy(before, job.problem->keys_out, KEYS * 4, cudaMemcpyDefault), 0);
        if (sort_piece(&job, KEYS, wanted) != GB_OK) fail_msg("%s", job.error.text);
        assert_int_equal(cudaMemcpy(after, job.problem->keys_out, KEYS * 4, cudaMemcpyDefault), 0);
        if (!word) assert_memory_equal(before, after, KEYS * 4);
        if (word && (rs_check(&job, NULL) != GB_OK || rs_poison(&job, NULL) != GB_OK))
            fail_msg("word %u: %s", word, job.error.text);
    }
    assert_int_equal(cudaFree(wanted), cudaSuccess);
    free(before);
    free(after);
    rs_close(job.problem);
}

/* Scratch for many keys serves fewer; the output behind them stays as it is. */
static void fewer_keys(void **)
{
    enum { KEYS = 50000 };
    static const uint64_t counts[] = {0, 1, 4095, 4096, 4097, 30721, KEYS};
    const gb_params params = point(KEYS, "uniform", RS_U32, 0, 0, 0, 32);
    gb_job job = open_job(&rs_onesweep, &params, 4);
    unsigned *in = (unsigned *)malloc(KEYS * 4), *out = (unsigned *)malloc(KEYS * 4);
    unsigned *before = (unsigned *)malloc(KEYS * 4);
    void *scratch = malloc(KEYS * 32);
    assert_true(in && out && before && scratch);
    device.sms = 1;
    if (rs_problem_device(&job) != GB_OK) fail_msg("%s", job.error.text);
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        rs_shape shape = job.problem->shape;
        shape.n = counts[i];
        if (rs_poison(&job, NULL) != GB_OK) fail_msg("%s", job.error.text);
        assert_int_equal(cudaMemcpy(in, job.problem->keys_in, KEYS * 4, cudaMemcpyDefault), 0);
        assert_int_equal(cudaMemcpy(before, job.problem->keys_out, KEYS * 4, cudaMemcpyDefault), 0);
        if (sort_piece(&job, counts[i], NULL) != GB_OK) fail_msg("%s", job.error.text);
        assert_int_equal(cudaMemcpy(out, job.problem->keys_out, KEYS * 4, cudaMemcpyDefault), 0);
        rs_oracle(&shape, in, NULL, scratch);
        assert_memory_equal(out, in, counts[i] * 4);
        assert_memory_equal(out + counts[i], before + counts[i], (KEYS - counts[i]) * 4);
    }
    free(in);
    free(out);
    free(before);
    free(scratch);
    rs_close(job.problem);
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    device.arch = 900;
    device.memory_bytes = (uint64_t)1 << 30;
    draw_device(0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_points),
        cmocka_unit_test(other_schedules),
        cmocka_unit_test(only_if_wanted),
        cmocka_unit_test(fewer_keys),
    };
    return cmocka_run_group_tests_name("onesweep", tests, NULL, NULL);
}
