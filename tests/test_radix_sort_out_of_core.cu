/* The out-of-core sort: cuts through sorted runs, keys packed into records and out of them, slices
 * on their way through the threads that unpack, and whole sorts under limits so narrow that there
 * are many chunks, at the sizes where chunks end. */
#include "kernels/radix-sort/out_of_core.cuh"
#include "kernels/radix-sort/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern "C" {
#include <cmocka.h>
}

static gb_device device;

/* Random numbers of a test: number i of stream `what`, below `limit`. */
static uint64_t draw(uint64_t what, uint64_t i, uint64_t limit)
{
    const gb_random4 four = gb_random(what, 0, i);
    return ((uint64_t)four.word[0] << 32 | four.word[1]) % limit;
}

static rs_shape shape_of(rs_type type, bool descending)
{
    return rs_shape{0, type, false, descending, 0, type == RS_U64 ? 64u : 32u};
}

static void sort_keys(const rs_shape *shape, void *keys, uint64_t count)
{
    rs_shape part = *shape;
    part.n = count;
    void *scratch = malloc(count * 32 + 1);
    rs_oracle(&part, keys, NULL, scratch);
    free(scratch);
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* Everything before the cut belongs before everything behind it, in the order of the runs where
 * fields are equal. */
static void assert_cut(const rs_shape *shape, const rs_run *runs, unsigned count, const rs_cut *cut,
                       uint64_t rank)
{
    uint64_t sum = 0;
    for (unsigned r = 0; r < count; r++) {
        sum += cut->at[r];
        assert_true(cut->at[r] <= runs[r].count);
        if (cut->at[r] == 0) continue;
        const uint64_t last = rs_run_field(shape, &runs[r], cut->at[r] - 1);
        for (unsigned s = 0; s < count; s++) {
            if (cut->at[s] == runs[s].count) continue;
            const uint64_t next = rs_run_field(shape, &runs[s], cut->at[s]);
            assert_true(last < next || (last == next && r <= s));
        }
    }
    assert_true(sum == rank && cut->rank == rank);
}

static void cuts_are_where_they_belong(void **)
{
    enum { RUNS = 7, MOST = 90 };
    static uint64_t keys[RUNS][MOST];
    for (uint64_t t = 0; t < 300; t++) {
        const rs_shape shape = shape_of(t % 3 == 0 ? RS_U64 : t % 3 == 1 ? RS_U32 : RS_F32, t % 2);
        const unsigned count = 1 + (unsigned)draw(1, t, RUNS);
        const uint64_t different = t % 5 == 0 ? 1 : t % 5 == 1 ? 4 : UINT64_MAX;
        rs_run runs[RUNS] = {};
        uint64_t all = 0;
        for (unsigned r = 0; r < count; r++) {
            runs[r].count = draw(2, t * RUNS + r, MOST);
            runs[r].keys = keys[r];
            all += runs[r].count;
            for (uint64_t i = 0; i < runs[r].count; i++)
                rs_store_key(shape.type, keys[r], i,
                             draw(3, (t * RUNS + r) * MOST + i, different) * 0x9E3779B97F4A7C15u);
            sort_keys(&shape, keys[r], runs[r].count);
        }
        uint64_t at[RUNS] = {}, scratch[2 * RUNS];
        rs_cut cut = {at, 0, 0};
        for (uint64_t rank = 0, step = 0;; step++) {
            rs_cut_advance(&shape, runs, count, rank, &cut, scratch);
            assert_cut(&shape, runs, count, &cut, rank);
            if (rank == all) break;
            rank += draw(4, t * 1000 + step, 60);
            if (rank > all) rank = all;
        }
    }
}

/* ---- packing --------------------------------------------------------------------------------- */

typedef struct packed {
    uint64_t count;
    uint32_t *keys, *records, *wide, *wide_groups, *unpacked;
} packed;

template <class T> static T *room(uint64_t count)
{
    T *memory = NULL;
    assert_int_equal(cudaMalloc(&memory, count * sizeof(T) + 16), cudaSuccess);
    memset(memory, 0xCB, count * sizeof(T));
    return memory;
}

/* Sorted keys: dense ones, whose records need no upper halves, and from key `sparse` on others. */
static packed make_packed(const rs_shape *shape, uint64_t count, uint64_t sparse)
{
    packed p = {count,
                room<uint32_t>(count),
                room<uint32_t>(rs_records(count) * RS_RECORD_WORDS),
                room<uint32_t>(rs_records(count) * RS_WIDE_WORDS),
                room<uint32_t>(rs_groups(count)),
                room<uint32_t>(count + 1)};
    uint32_t field = 12345;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t image = shape->descending ? ~field : field;
        p.keys[i] = rs_key_of_image32(shape->type, image);
        field += (uint32_t)draw(5, i, i < sparse ? 900 : 60000);
    }
    uint32_t *zeros = room<uint32_t>(rs_groups(count));
    memset(zeros, 0, rs_groups(count) * 4);
    memset(p.wide_groups, 0, rs_groups(count) * 4);
    assert_int_equal(rs_launch_pack(&device, shape, count, p.keys, p.records, p.wide, zeros,
                                    p.wide_groups, NULL),
                     cudaSuccess);
    assert_memory_equal(zeros, p.wide_groups, rs_groups(count) * 4);
    cudaFree(zeros);
    return p;
}

static void free_packed(packed *p)
{
    uint32_t *const arrays[] = {p->keys, p->records, p->wide, p->wide_groups, p->unpacked};
    for (uint32_t *array : arrays)
        cudaFree(array);
}

static void keys_come_out_as_they_went_in(void **)
{
    static const uint64_t counts[] = {1, 2, 63, 64, 65, 1000, 2 * RS_GROUP + 77};
    for (unsigned t = 0; t < 6; t++) {
        const rs_type types[] = {RS_U32, RS_I32, RS_F32};
        const rs_shape shape = shape_of(types[t % 3], t / 3);
        for (uint64_t count : counts) {
            const uint64_t sparse = RS_GROUP + 100;
            packed p = make_packed(&shape, count, sparse);
            const rs_run run = {count, NULL, p.records, p.wide, p.wide_groups};
            for (uint64_t g = 0; g < rs_groups(count); g++)
                assert_int_equal(p.wide_groups[g], g > 0);
            for (uint64_t i = 0; i<count; i += count> 2000 ? 7 : 1)
                assert_true(rs_run_field(&shape, &run, i) == rs_field(&shape, p.keys[i]));
            const uint64_t narrow = count < RS_GROUP ? count : (uint64_t)RS_GROUP;
            for (unsigned shift = 0; shift < 2; shift++) {
                memset(p.unpacked, 0xCB, count * 4);
                rs_unpack(&shape, p.records, narrow, p.unpacked + shift);
                assert_memory_equal(p.unpacked + shift, p.keys, narrow * 4);
            }
            free_packed(&p);
        }
    }
}

/* Segments that begin and end within records, of both kinds, from one buffer. */
static void segments_are_unpacked(void **)
{
    const rs_shape shape = shape_of(RS_F32, true);
    const uint64_t count = RS_GROUP + 1000;
    packed p = make_packed(&shape, count, RS_GROUP);
    const rs_segment segments[] = {{0, 3, 1, 0, 0},
                                   {1, 0, 64, 1, 0},
                                   {2, 63, 2, 65, 0},
                                   {4, 10, 500, 67, 0},
                                   {12, 0, 1000, 567, 1}};
    const uint64_t from[] = {0, 64, 128, 640, RS_GROUP};
    const unsigned segment_count = sizeof segments / sizeof *segments;
    const uint64_t records = 12 + rs_records(1000), total = 1567;
    uint32_t *in = room<uint32_t>(records * RS_RECORD_WORDS);
    uint32_t *wide = room<uint32_t>(records * RS_WIDE_WORDS);
    rs_segment *on_device = room<rs_segment>(segment_count);
    memcpy(on_device, segments, sizeof segments);
    for (unsigned s = 0; s < segment_count; s++) {
        const uint64_t some = rs_records(segments[s].skip + segments[s].count);
        memcpy(in + segments[s].record * RS_RECORD_WORDS,
               p.records + from[s] / RS_RECORD * RS_RECORD_WORDS, some * RS_RECORD_WORDS * 4);
        if (segments[s].wide)
            memcpy(wide + segments[s].record * RS_WIDE_WORDS,
                   p.wide + from[s] / RS_RECORD * RS_WIDE_WORDS, some * RS_WIDE_WORDS * 4);
    }
    assert_int_equal(rs_launch_unpack(&device, &shape, on_device, segment_count, records, in, wide,
                                      p.unpacked, NULL),
                     cudaSuccess);
    for (unsigned s = 0; s < segment_count; s++)
        assert_memory_equal(p.unpacked + segments[s].place, p.keys + from[s] + segments[s].skip,
                            segments[s].count * 4);
    assert_int_equal(p.unpacked[total], 0xCBCBCBCBu); /* nothing behind the last one */
    cudaFree(in);
    cudaFree(wide);
    cudaFree(on_device);
    free_packed(&p);
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* More slices than seats and as many, of one part and of several; in every other sort the last
 * slices that are handed over never arrive. */
static void slices_pass_through_the_threads(void **)
{
    enum { SEATS = 3, SLICES = 50, LARGEST = 5 * RS_GROUP + 77, STAY_AWAY = 2 };
    static const uint32_t slices_of[] = {SLICES, SLICES, SEATS, SEATS};
    const rs_shape shape = shape_of(RS_I32, false);
    packed p = make_packed(&shape, LARGEST, LARGEST);
    uint32_t *out = room<uint32_t>((uint64_t)SLICES * LARGEST);
    static volatile uint32_t arrived[SEATS];
    rs_unpackers *unpackers = NULL;
    gb_error error = {GB_OK, ""};
    assert_int_equal(rs_unpackers_start(&shape, SEATS, arrived, &unpackers, &error), GB_OK);
    for (unsigned sort = 0; sort < 4; sort++) {
        const uint32_t slices = slices_of[sort], lost = sort % 2;
        const uint32_t last = slices - lost * STAY_AWAY;
        memset(out, 0xCB, (uint64_t)SLICES * LARGEST * 4);
        rs_unpackers_begin(unpackers);
        for (uint32_t i = 1; i <= slices; i++) {
            const uint64_t count = i % 3 ? 200 : LARGEST;
            const rs_slice slice = {count, p.records, out + (uint64_t)(i - 1) * LARGEST};
            uint32_t next;
            while ((next = rs_unpackers_next(unpackers)) == 0)
                usleep(10);
            assert_int_equal(next, i);
            if (i % 2 && i <= last) arrived[(i - 1) % SEATS] = i; /* before it is handed over */
            rs_unpackers_add(unpackers, &slice);
            if (i <= last) arrived[(i - 1) % SEATS] = i;
        }
        rs_unpackers_drain(unpackers, !lost);
        for (uint32_t i = 1; i <= slices; i++) {
            const uint32_t *mine = out + (uint64_t)(i - 1) * LARGEST;
            const uint64_t count = i > last ? 0 : i % 3 ? 200 : LARGEST;
            assert_memory_equal(mine, p.keys, count * 4);
            assert_true(count == LARGEST || mine[count] == 0xCBCBCBCBu);
        }
        assert_true(rs_unpackers_next(unpackers) == slices + 1);
    }
    rs_unpackers_stop(unpackers);
    rs_unpackers_stop(NULL);
    cudaFree(out);
    free_packed(&p);
}

/* ---- sorts ----------------------------------------------------------------------------------- */

static gb_params point(uint64_t n, const char *dist, const char *type, const char *payload,
                       const char *order, const char *bits)
{
    const char *const texts[] = {NULL, dist, type, payload, order, bits};
    gb_params params;
    memset(&params, 0, sizeof params);
    params.value[RS_N].size = n;
    for (int axis = RS_DIST; axis < RS_AXES; axis++)
        snprintf(params.value[axis].text, sizeof params.value[axis].text, "%s", texts[axis]);
    assert_null(rs_invalid(&params));
    return params;
}

/* Sorts a point twice in one job and has the checker judge each; *plan is what was planned. */
static gb_status sort_point(const gb_params *params, uint64_t seed, uint64_t limit,
                            rs_ooc_plan *plan, gb_error *error)
{
    gb_job job;
    memset(&job, 0, sizeof job);
    job.variant = &rs_onesweep_out_of_core;
    job.params = params;
    job.device = &device;
    job.scope = GB_SCOPE_HOST_TO_HOST;
    job.memory_limit = limit;
    assert_int_equal(rs_open(params, seed, &device, &job.problem, &job.error), GB_OK);
    gb_status status = job.variant->prepare(&job);
    *plan = static_cast<const rs_ooc *>(job.state)->plan;
    for (int i = 0; i < 2 && status == GB_OK; i++) {
        assert_true(!limit || job.memory_used <= limit);
        status = rs_poison(&job, NULL);
        if (status == GB_OK) status = job.variant->run(&job, NULL);
        if (status == GB_OK) status = rs_check(&job, NULL);
    }
    *error = job.error;
    job.variant->cleanup(&job);
    rs_close(job.problem);
    return status;
}

static uint64_t assert_sorted(uint64_t n, const char *dist, const char *type, const char *payload,
                              const char *order, const char *bits, uint64_t seed, uint64_t limit)
{
    rs_ooc_plan plan;
    gb_error error;
    const gb_params params = point(n, dist, type, payload, order, bits);
    const gb_status status = sort_point(&params, seed, limit, &plan, &error);
    if (status != GB_OK)
        fail_msg("n=%llu dist=%s type=%s payload=%s order=%s bits=%s seed=%llu limit=%llu: %s",
                 (unsigned long long)n, dist, type, payload, order, bits, (unsigned long long)seed,
                 (unsigned long long)limit, error.text);
    return plan.chunks;
}

static const char *const dists[] = {"uniform",  "zipf",     "sorted",     "reversed",  "normal",
                                    "constant", "binomial", "distinct:2", "distinct:7"};
static const char *const types[] = {"u32", "u64", "i32", "f32"};

static void random_points_are_sorted(void **)
{
    static const char *const bits[] = {"all", "all", "range:8-24", "range:3-20"};
    uint64_t most = 0;
    for (uint64_t t = 0; t < 72; t++) {
        const uint64_t limit = 128 << 10;
        const uint64_t chunks = assert_sorted(
            draw(6, t, 14000), dists[t % 9], types[draw(7, t, 4)], t % 2 ? "u32" : "none",
            draw(8, t, 2) ? "descending" : "ascending", bits[draw(9, t, 4)], t, limit);
        if (chunks > most) most = chunks;
    }
    assert_true(most > 4);
}

/* One element more or less than whole chunks, and the smallest inputs. */
static void borders_of_chunks(void **)
{
    static const uint64_t few[] = {0, 1, 2, 63, 64, 65};
    for (uint64_t n : few)
        for (const char *type : types)
            (void)assert_sorted(n, "uniform", type, "u32", "ascending", "all", n,
                                n % 2 ? 0 : 1 << 20);
    for (unsigned t = 0; t < 6; t++) {
        const uint64_t limit = 160 << 10, over[] = {0, 1, (uint64_t)-1};
        const char *type = t % 2 ? "u32" : "u64";
        gb_params params = point(8000, "distinct:7", type, "u32", "ascending", "all");
        rs_ooc_plan plan;
        gb_error error;
        assert_int_equal(sort_point(&params, t, limit, &plan, &error), GB_OK);
        const uint64_t capacity = plan.capacity;
        params.value[RS_N].size = 4 * capacity + over[t / 2];
        assert_int_equal(sort_point(&params, t, limit, &plan, &error), GB_OK);
        assert_true(plan.chunks > 3);
    }
}

/* Groups with and without upper halves in one run, and slices with and without. */
static void groups_of_both_kinds(void **)
{
    assert_true(assert_sorted(420003, "distinct:3", "u32", "none", "descending", "all", 5,
                              (uint64_t)7 << 20) > 1);
    assert_int_equal(assert_sorted(600001, "distinct:2", "f32", "none", "ascending", "all", 6, 0),
                     1);
}

static void too_little_memory_is_said(void **)
{
    rs_ooc_plan plan;
    gb_error error;
    const gb_params params = point(100000, "uniform", "u32", "none", "ascending", "all");
    assert_int_equal(sort_point(&params, 1, 4096, &plan, &error), GB_OUT_OF_MEMORY);
    assert_non_null(strstr(error.text, "chunks: "));
    assert_non_null(strstr(error.text, "4096 free: measure.device_memory allows this job 4096"));
}

static int get_device(void **)
{
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return -1;
    device.sms = properties.multiProcessorCount;
    device.memory_bytes = properties.totalGlobalMem;
    snprintf(device.backend, sizeof device.backend, "simt");
    return 0;
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_are_where_they_belong),
        cmocka_unit_test(keys_come_out_as_they_went_in),
        cmocka_unit_test(segments_are_unpacked),
        cmocka_unit_test(slices_pass_through_the_threads),
        cmocka_unit_test(random_points_are_sorted),
        cmocka_unit_test(borders_of_chunks),
        cmocka_unit_test(groups_of_both_kinds),
        cmocka_unit_test(too_little_memory_is_said),
    };
    return cmocka_run_group_tests(tests, get_device, NULL);
}
