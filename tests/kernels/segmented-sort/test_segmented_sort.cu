/* The segmented sort: random points of all types, payloads, orders and laws of lengths, also under
 * other orders of threads and on devices with little shared memory; lengths at the borders of its
 * classes; and what the lengths of a law are. */
/* test: fast 8 */
#include "common/protocol/schedule.h"
#include "common/text/kept.h"
#include "common/worker/backend.h"
#include "kernels/radix-sort/keys.h"
#include "kernels/segmented-sort/segmented/segmented.h"
#include "kernels/segmented-sort/variants.h"
#include "tests/harness/device.cuh"

enum { POINTS = 80, EXPLORED = 16, MOST_KEYS = 50000 };

static const char *const types[] = {"u32", "u64", "i32", "f32"};
static const char *const laws[] = {"uniform", "power", "constant", "borders"};

/* Random numbers of the test: number i of stream `what`, below `limit`. */
static uint64_t draw(uint64_t what, uint64_t i, uint64_t limit)
{
    const gb_random4 four = gb_random(what, 0, i);
    return ((uint64_t)four.word[0] << 32 | four.word[1]) % limit;
}

/* With little shared memory only short segments are sorted by blocks. */
static void draw_device(uint64_t i)
{
    static const unsigned kib[] = {48, 227};
    device.sms = 1 + (int)draw(10, i, 3);
    device.shared_optin = device.shared_per_sm = (uint64_t)kib[draw(11, i, 2)] << 10;
}

static gb_params point(uint64_t n, uint64_t mean, const char *law, const char *dist,
                       const char *type, const char *payload, const char *order)
{
    gb_params params;
    memset(&params, 0, sizeof params);
    params.value[SG_N].size = n;
    params.value[SG_SEGMENTS].size = mean;
    const char *const texts[] = {law, dist, type, payload, order};
    for (int axis = SG_LENGTHS; axis < SG_AXES; axis++)
        params.value[axis].text = gb_text_kept(texts[axis - SG_LENGTHS]);
    assert_null(sg_invalid(&params));
    return params;
}

static gb_params draw_point(uint64_t i, uint64_t most)
{
    unsigned dists = 0;
    while (gb_dist_nasty[dists])
        dists++;
    const uint64_t n = draw(1, i, 1 + (most >> draw(2, i, 6)));
    return point(n, 1 + draw(3, i, (uint64_t)1 << draw(4, i, 17)), laws[draw(5, i, 4)],
                 gb_dist_nasty[draw(6, i, dists)], types[draw(7, i, 4)],
                 draw(8, i, 2) ? "u32" : "none", draw(9, i, 2) ? "ascending" : "descending");
}

/* What a failure names. */
static const char *name_of(const gb_params *params)
{
    static char text[800];
    const gb_value *value = params->value;
    snprintf(text, sizeof text,
             "n=%llu,segments=%llu,lengths=%s,dist=%s,type=%s,payload=%s,order=%s",
             (unsigned long long)value[SG_N].size, (unsigned long long)value[SG_SEGMENTS].size,
             value[SG_LENGTHS].text, value[SG_DIST].text, value[SG_TYPE].text,
             value[SG_PAYLOAD].text, value[SG_ORDER].text);
    return text;
}

static gb_job open_job(const gb_params *params, uint64_t seed)
{
    gb_job job;
    memset(&job, 0, sizeof job);
    job.variant = &sg_segmented;
    job.params = params;
    job.device = &device;
    job.scope = GB_SCOPE_DEVICE;
    if (sg_open(params, seed, &device, &job.problem, &job.error) != GB_OK)
        fail_msg("%s", job.error.text);
    return job;
}

/* Sorts an opened job's point and checks it; scratch and output hold garbage before. */
static void sort_job(gb_job *job, const gb_schedule *schedule)
{
    gb_error error;
    if (sg_segmented.prepare(job) != GB_OK || sg_poison(job, NULL) != GB_OK)
        fail_msg("%s", job->error.text);
    const sg_problem *p = sg_problem_of(job->problem);
    const uint64_t bytes = sg_scratch_bytes(&p->shape.sort, p->segments, &device);
    assert_int_equal(cudaMemset(job->state, 0xa5, bytes), cudaSuccess);
    assert_int_equal(gb_backend_schedule(NULL, schedule, &error), GB_OK);
    gb_backend_begin_schedule(NULL);
    gb_status status = sg_segmented.run(job, NULL);
    gb_backend_end_schedule(NULL);
    assert_int_equal(gb_backend_schedule(NULL, NULL, &error), GB_OK);
    if (status == GB_OK) status = sg_check(job, NULL);
    if (status != GB_OK)
        fail_msg("%s%s, %s: %s", schedule ? "policy " : "no schedule",
                 schedule ? gb_policy_name(schedule->policy) : "", name_of(job->params),
                 job->error.text);
    sg_segmented.cleanup(job);
}

static void sort_point(const gb_params *params, uint64_t seed, const gb_schedule *schedule)
{
    gb_job job = open_job(params, seed);
    sort_job(&job, schedule);
    sg_close(job.problem);
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

/* ---- lengths by hand ------------------------------------------------------------------------- */

/* Sorts segments of these lengths. */
static void sort_lengths(const uint32_t *lengths, uint32_t count, const char *dist,
                         const char *type, const char *payload)
{
    uint64_t n = 0;
    for (uint32_t s = 0; s < count; s++)
        n += lengths[s];
    const gb_params params = point(n, 1, "constant", dist, type, payload, "descending");
    gb_job job = open_job(&params, 7);
    sg_problem *p = sg_problem_of(job.problem);
    sg_checker_close(p);
    free(p->host_offsets);
    assert_int_equal(cudaFree(p->offsets), cudaSuccess);
    p->segments = count;
    p->host_offsets = (uint32_t *)calloc(count + 1, sizeof *p->host_offsets);
    assert_non_null(p->host_offsets);
    for (uint32_t s = 0; s < count; s++)
        p->host_offsets[s + 1] = p->host_offsets[s] + lengths[s];
    const size_t bytes = (count + 1) * sizeof *p->host_offsets;
    assert_int_equal(cudaMalloc((void **)&p->offsets, bytes), cudaSuccess);
    assert_int_equal(cudaMemcpy(p->offsets, p->host_offsets, bytes, cudaMemcpyHostToDevice),
                     cudaSuccess);
    if (sg_checker_open(p, &job.error) != GB_OK) fail_msg("%s", job.error.text);
    sort_job(&job, NULL);
    sg_close(job.problem);
}

static void sort_all_types(const uint32_t *lengths, uint32_t count, const char *dist)
{
    for (unsigned type = 0; type < 2; type++)
        for (unsigned payload = 0; payload < 2; payload++)
            sort_lengths(lengths, count, dist, types[type], payload ? "u32" : "none");
}

/* One more and one less than every class has, and empty ones around each. */
static void borders(void **)
{
    uint32_t lengths[16 * 8], count = 0;
    lengths[count++] = 0;
    for (uint32_t power = 1; power <= 16384; power *= 2)
        for (uint32_t length = power - 1; length <= power + 1; length++) {
            lengths[count++] = length;
            lengths[count++] = 0;
        }
    draw_device(1);
    device.shared_optin = 227 << 10;
    sort_all_types(lengths, count, "distinct:7");
    device.shared_optin = 48 << 10;
    sort_all_types(lengths, count, "uniform");
}

/* Nothing but empty segments; a single one; each of one key. */
static void extremes(void **)
{
    enum { KEYS = 3000 };
    static uint32_t lengths[KEYS];
    draw_device(1);
    sort_all_types(lengths, 5, "uniform");
    sort_all_types(lengths, 0, "uniform");
    for (uint32_t s = 0; s < KEYS; s++)
        lengths[s] = 1;
    sort_all_types(lengths, KEYS, "uniform");
    lengths[0] = 100000;
    sort_all_types(lengths, 1, "uniform");
    lengths[1] = 0;
    sort_all_types(lengths, 2, "constant");
}

/* Large segments whose highest byte leaves a crowd, whose bytes are nearly all the same, that are
 * parted: beside each other, so that passes differ from one to the next. */
static void large_beside_large(void **)
{
    static const char *const dists[] = {"uniform",  "zipf",       "normal",     "sorted",
                                        "constant", "distinct:2", "distinct:60"};
    const uint32_t lengths[] = {20000, 3, 16385, 9000, 0, 31000, 700};
    draw_device(2);
    for (unsigned i = 0; i < sizeof dists / sizeof *dists; i++)
        sort_all_types(lengths, sizeof lengths / sizeof *lengths, dists[i]);
}

/* ---- laws ------------------------------------------------------------------------------------ */

/* Over many segments a law has the mean that it is asked for, and empty segments; power laws come
 * to theirs slowly. */
static void means(void **)
{
    static const uint64_t wanted[] = {64, 1000, 4096};
    for (unsigned law = SG_UNIFORM; law <= SG_CONSTANT; law++)
        for (unsigned m = 0; m < 3; m++) {
            const gb_params params =
                point(wanted[m] * 400000 / (law == SG_POWER ? 1 : 20), wanted[m], laws[law],
                      "uniform", "u32", "none", "ascending");
            const sg_shape shape = sg_shape_of(&params);
            uint32_t *offsets, segments, empty = 0;
            assert_true(sg_make_offsets(&shape, 3, &offsets, &segments));
            assert_int_equal(offsets[0], 0);
            assert_int_equal(offsets[segments], shape.sort.n);
            for (uint32_t s = 0; s < segments; s++) {
                assert_true(offsets[s] <= offsets[s + 1]);
                empty += offsets[s] == offsets[s + 1];
            }
            const double mean = (double)shape.sort.n / segments;
            const double off = law == SG_POWER ? 0.12 : 0.02;
            assert_true(mean > (1 - off) * (double)wanted[m] &&
                        mean < (1 + off) * (double)wanted[m]);
            assert_true((empty > 0) == (law != SG_CONSTANT));
            free(offsets);
        }
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    device.arch = 900;
    device.memory_bytes = (uint64_t)1 << 30;
    device.shared_per_block = 48 << 10;
    draw_device(0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_points),
        cmocka_unit_test(other_schedules),
        cmocka_unit_test(borders),
        cmocka_unit_test(extremes),
        cmocka_unit_test(large_beside_large),
        cmocka_unit_test(means),
    };
    return cmocka_run_group_tests_name("segmented sort", tests, NULL, NULL);
}
