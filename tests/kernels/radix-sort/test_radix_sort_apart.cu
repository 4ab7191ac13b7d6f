/* Hybrid where some of the elements lie apart from the others: the same ways are gone as when all
 * lie together, stages read them where they lie, and what does not know of two arrays finds them
 * behind the others. */
/* test: long 12 */
#include "tests/kernels/radix-sort/radix_sort_hybrid.cuh"

enum { POISON = 0x5a };

/* A point whose last elements have been put somewhere else, with what was in their place gone. */
typedef struct divided {
    gb_job job;
    hy_apart apart;
    void *keys; /* those of apart */
    uint32_t *payload;
    uint64_t at;         /* in bytes, of the first of them in the keys */
    unsigned char *kept; /* host: their keys, then their payloads */
    uint64_t key_bytes, bytes;
} divided;

static void *tail_of(const divided *d)
{
    return static_cast<unsigned char *>(d->job.problem->keys_in) + d->at;
}
static uint32_t *payload_tail_of(const divided *d)
{
    const gb_problem *problem = d->job.problem;
    return problem->payload_in + (problem->shape.n - d->apart.n);
}

static divided divide(const gb_params *params, uint64_t seed, uint64_t more)
{
    divided d = {};
    d.job = open_point(params, seed);
    const rs_shape *shape = &d.job.problem->shape;
    d.apart.n = more;
    d.key_bytes = more * rs_key_bytes(shape->type);
    d.bytes = d.key_bytes + more * shape->payload;
    d.at = (shape->n - more) * rs_key_bytes(shape->type);
    d.kept = (unsigned char *)malloc(d.bytes + 1);
    assert_non_null(d.kept);
    assert_int_equal(cudaMalloc(&d.keys, d.key_bytes + 1), cudaSuccess);
    assert_int_equal(cudaMemcpy(d.keys, tail_of(&d), d.key_bytes, cudaMemcpyDeviceToDevice), 0);
    assert_int_equal(cudaMemcpy(d.kept, d.keys, d.key_bytes, cudaMemcpyDeviceToHost), 0);
    assert_int_equal(cudaMemset(tail_of(&d), POISON, d.key_bytes), 0);
    d.apart.keys = d.keys;
    if (!shape->payload) return d;
    assert_int_equal(shape->payload, 4);
    void *payload;
    assert_int_equal(cudaMalloc(&payload, more * 4 + 1), cudaSuccess);
    d.apart.payload = d.payload = static_cast<uint32_t *>(payload);
    assert_int_equal(cudaMemcpy(d.payload, payload_tail_of(&d), more * 4, cudaMemcpyDeviceToDevice),
                     0);
    assert_int_equal(cudaMemcpy(d.kept + d.key_bytes, d.payload, more * 4, cudaMemcpyDeviceToHost),
                     0);
    assert_int_equal(cudaMemset(payload_tail_of(&d), POISON, more * 4), 0);
    return d;
}

/* Whether what the last elements' place has now is they, or is as it was. */
static bool tail_is(const divided *d, bool joined)
{
    unsigned char *now = (unsigned char *)malloc(d->bytes + 1);
    bool is = now != NULL;
    assert_non_null(now);
    assert_int_equal(cudaMemcpy(now, tail_of(d), d->key_bytes, cudaMemcpyDeviceToHost), 0);
    if (d->payload)
        assert_int_equal(cudaMemcpy(now + d->key_bytes, payload_tail_of(d), d->bytes - d->key_bytes,
                                    cudaMemcpyDeviceToHost),
                         0);
    for (uint64_t i = 0; i < d->bytes; i++)
        is &= now[i] == (joined ? d->kept[i] : (unsigned char)POISON);
    free(now);
    return is;
}

/* The answer is right, and what lies apart is as it was. */
static void judge(divided *d)
{
    unsigned char *now = (unsigned char *)malloc(d->bytes + 1);
    assert_non_null(now);
    assert_int_equal(cudaMemcpy(now, d->keys, d->key_bytes, cudaMemcpyDeviceToHost), 0);
    assert_int_equal(cudaMemcpy(tail_of(d), d->kept, d->key_bytes, cudaMemcpyHostToDevice), 0);
    if (d->payload) {
        const uint64_t bytes = d->bytes - d->key_bytes;
        assert_int_equal(cudaMemcpy(now + d->key_bytes, d->payload, bytes, cudaMemcpyDeviceToHost),
                         0);
        assert_int_equal(
            cudaMemcpy(payload_tail_of(d), d->kept + d->key_bytes, bytes, cudaMemcpyHostToDevice),
            0);
    }
    assert_memory_equal(now, d->kept, d->bytes);
    if (rs_check(&d->job, NULL) != GB_OK)
        fail_msg("%llu apart: %s", (unsigned long long)d->apart.n, d->job.error.text);
    free(now);
    free(d->kept);
    assert_int_equal(cudaFree(d->keys), cudaSuccess);
    assert_int_equal(cudaFree(d->payload), cudaSuccess);
    rs_close(d->job.problem);
}

/* The verdict. Elements apart stay there where they are sorted in stages. */
static unsigned sort_divided(const gb_params *params, uint64_t seed, unsigned bits, uint64_t more)
{
    const hy_apart any = {};
    divided d = divide(params, seed, more);
    void *scratch;
    const uint64_t bytes = plan_of(d.job.problem, &any, &device, bits, NULL).bytes;
    assert_int_equal(cudaMalloc(&scratch, bytes), cudaSuccess);
    assert_int_equal(cudaMemset(scratch, 0xa5, bytes), cudaSuccess);
    const plan p = plan_of(d.job.problem, &d.apart, &device, bits, scratch);
    assert_int_equal(p.bytes, bytes);
    if (run_plan(d.job.problem, &device, &p, NULL, &d.job.error) != GB_OK)
        fail_msg("%s", d.job.error.text);
    const unsigned verdict = verdict_of(&p);
    if (!tail_is(&d, verdict != EVEN && verdict != PLACED))
        fail_msg("%s, %llu apart, verdict %x: behind the others lies something else",
                 name_of(params), (unsigned long long)more, verdict);
    close_plan(&p);
    judge(&d);
    return verdict;
}

static void every_way(void **)
{
    static const char *const dists[] = {"uniform", "normal",   "zipf",    "distinct:16",
                                        "sorted",  "reversed", "constant"};
    for (unsigned d = 0; d < sizeof dists / sizeof *dists; d++) {
        for (unsigned kind = 0; kind < KINDS; kind++) {
            const uint64_t n = kind % 2 ? 50001 : 65536;
            const unsigned width = kind % 2 ? 64 : 32, type = type_of(kind, d + kind);
            const gb_params params = point(n, dists[d], type, payload_of(kind), d % 2, 0, width);
            const uint64_t more = d % 2 ? n / 2 : 1 + draw(d, kind, n - 1);
            device.sms = 1 + (int)(d + kind) % 3;
            const unsigned together = sort_with_bits(&params, 7, 5);
            assert_int_equal(sort_divided(&params, 7, 5, more), together);
        }
    }
    device.sms = 1;
}

static void any_part(void **)
{
    enum { KEYS = 20011 };
    static const uint64_t parts[] = {0,  1,  3,   4,        5,         31,       32,  33,
                                     63, 64, 509, KEYS / 2, KEYS - 33, KEYS - 1, KEYS};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        device.sms = 1 + (int)i % 5;
        for (unsigned p = 0; p < 2; p++) {
            const gb_params params = point(KEYS, i % 2 ? "normal" : "uniform", p ? RS_U64 : RS_U32,
                                           p, 0, 0, p ? 64 : 32);
            sort_divided(&params, i, 4, p ? KEYS - parts[i] : parts[i]);
        }
    }
    device.sms = 1;
}

/* A bucket is larger than its room, and then than its row: onesweep sorts what the stages leave. */
static void too_few_buckets(void **)
{
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const unsigned width = kind % 2 ? 64 : 32;
        const gb_params large = point(44000, "uniform", type_of(kind, 0), payload_of(kind), 0, 0,
                                      width),
                        full = point(61000, "uniform", type_of(kind, 0), payload_of(kind), 0, 0,
                                     width);
        assert_int_equal(sort_divided(&large, kind, 3, 17001), HY_TOO_LARGE);
        assert_int_equal(sort_divided(&full, kind, 3, 17001) & HY_ROW_FULL, HY_ROW_FULL);
    }
}

/* As others call it: below and from HY_LEAST keys on. */
static void as_a_piece(void **)
{
    static const uint64_t sizes[] = {1, 2, 33, 4097, HY_LEAST - 1, HY_LEAST, HY_LEAST + 77};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const gb_params params = point(sizes[i], "uniform", RS_U32, i % 2, 0, 0, 32);
        divided d = divide(&params, i, sizes[i] - sizes[i] / 3);
        gb_problem *problem = d.job.problem;
        void *scratch;
        const uint64_t bytes = hy_scratch_bytes(&problem->shape, &device, true);
        assert_int_equal(cudaMalloc(&scratch, bytes), cudaSuccess);
        assert_int_equal(cudaMemset(scratch, 0xa5, bytes), cudaSuccess);
        const os_sort_data data = {problem->keys_in,  problem->payload_in,
                                   problem->keys_out, problem->payload_out,
                                   scratch,           NULL};
        if (hy_sort_elements(&problem->shape, &device, &data, &d.apart, NULL, &d.job.error) !=
            GB_OK)
            fail_msg("%s", d.job.error.text);
        judge(&d);
        assert_int_equal(cudaFree(scratch), cudaSuccess);
    }
}

/* Blocks of either array take no more than a plan has room for, and all of it. */
static void blocks_are_shared(void **)
{
    for (unsigned i = 0; i < 3000; i++) {
        hy_sort s = {};
        s.n = 1 + (unsigned)draw(50, i, (uint64_t)1 << (1 + i % 28));
        s.blocks = 2 + 2 * (unsigned)draw(51, i, 1 << i % 8);
        const hy_apart apart = {NULL, NULL, draw(52, i, (uint64_t)s.n + 1)};
        share_blocks(&s, &apart);
        const uint64_t others = s.blocks - s.blocks_in, chunk = s.chunk;
        assert_true(s.blocks_in <= s.blocks);
        assert_true(s.blocks_in * chunk >= s.n_in && others * chunk >= apart.n);
        assert_true(chunk <= chunk_of(s.n, s.blocks > 3 ? s.blocks - 2 : 1));
    }
}

static void other_schedules(void **)
{
    static const char *const dists[] = {"uniform", "normal", "distinct:9", "sorted"};
    gb_error error;
    for (unsigned i = 0; i < 4 * GB_POLICY_COUNT; i++) {
        const gb_params params = point(9000 + i, dists[i % 4], RS_U32, i / 4 % 2, 0, 0, 32);
        const gb_schedule schedule = {
            (gb_policy)(i % GB_POLICY_COUNT), i, 64u >> i % 5, 0, 0, 1u << i % 3, 0};
        assert_int_equal(gb_backend_schedule(NULL, &schedule, &error), GB_OK);
        gb_backend_begin_schedule(NULL);
        sort_divided(&params, i, 4, draw(60, i, 9000));
        gb_backend_end_schedule(NULL);
        assert_int_equal(gb_backend_schedule(NULL, NULL, &error), GB_OK);
    }
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    set_device();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way),         cmocka_unit_test(any_part),
        cmocka_unit_test(too_few_buckets),   cmocka_unit_test(as_a_piece),
        cmocka_unit_test(blocks_are_shared), cmocka_unit_test(other_schedules),
    };
    return cmocka_run_group_tests_name("radix sort, elements apart", tests, NULL, NULL);
}
