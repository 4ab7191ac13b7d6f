/* Sorts of 64-bit keys by their upper digits, mended after: planted runs of keys that agree in
 * them, of every length, order and place, and what makes a sort begin again with all digits. */
/* test: fast 8 */
#include "kernels/radix-sort/onesweep/count.cuh"
#include "kernels/radix-sort/onesweep/mend.cuh"
#include "tests/kernels/radix-sort/radix_sort_points.cuh"

#include <stdlib.h>

enum { KEYS = 6 * OS_MEND_KEYS + 77, LONGEST = OS_MEND_RUN };

/* A sort of its own data, and what is the truth. */
typedef struct sorting {
    rs_shape shape;
    uint64_t *keys, *out;
    uint32_t *payload, *payload_out;
    void *scratch;
    const unsigned *only_if;
} sorting;

static sorting open_sorting(uint64_t n, bool payload, bool descending, unsigned begin, unsigned end)
{
    sorting s = {
        {n, RS_U64, payload ? 4u : 0u, descending, begin, end}, NULL, NULL, NULL, NULL, NULL, NULL};
    const uint64_t bytes = os_scratch_bytes(&s.shape, &device);
    assert_int_equal(cudaMalloc(&s.keys, n * 8 + 16), cudaSuccess);
    assert_int_equal(cudaMalloc(&s.out, n * 8 + 16), cudaSuccess);
    assert_int_equal(cudaMalloc(&s.payload, n * 4 + 16), cudaSuccess);
    assert_int_equal(cudaMalloc(&s.payload_out, n * 4 + 16), cudaSuccess);
    assert_int_equal(cudaMalloc(&s.scratch, bytes), cudaSuccess);
    memset(s.scratch, 0xA5, bytes);
    memset(s.scratch, 0, os_cleared_bytes(&s.shape));
    for (uint64_t i = 0; i < n; i++) {
        s.keys[i] = draw(1, i, UINT64_MAX);
        s.payload[i] = (uint32_t)i;
    }
    return s;
}

static void close_sorting(sorting *s)
{
    void *const arrays[] = {s->keys, s->out, s->payload, s->payload_out, s->scratch};
    for (void *array : arrays)
        cudaFree(array);
}

static void sort(sorting *s)
{
    gb_error error;
    const os_sort_data data = {s->keys,    s->shape.payload ? s->payload : NULL,
                               s->out,     s->shape.payload ? s->payload_out : NULL,
                               s->scratch, s->only_if};
    memset(s->out, 0x5A, s->shape.n * 8);
    memset(s->payload_out, 0x5A, s->shape.n * 4);
    if (os_sweep(&s->shape, &device, &data, NULL, &error) != GB_OK) fail_msg("%s", error.text);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
}

/* Sorts, compares all with the oracle, and returns the plan. */
static os_plan assert_sorted(sorting *s)
{
    const uint64_t n = s->shape.n;
    uint64_t *keys = (uint64_t *)malloc(n * 8 + 1);
    uint32_t *payload = (uint32_t *)malloc(n * 4 + 1);
    void *scratch = malloc(n * 32 + 1);
    assert_true(keys && payload && scratch);
    memcpy(keys, s->keys, n * 8);
    memcpy(payload, s->payload, n * 4);
    rs_oracle(&s->shape, keys, s->shape.payload ? payload : NULL, scratch);
    sort(s);
    assert_memory_equal(s->out, keys, n * 8);
    if (s->shape.payload) assert_memory_equal(s->payload_out, payload, n * 4);
    free(keys);
    free(payload);
    free(scratch);
    return *(const os_plan *)s->scratch;
}

/* `length` keys at random places that agree in the upper bits and stand at `rank` in the output, or
 * near it. kind: below, all differ; some are equal; they come in order; all are equal. */
static void plant(sorting *s, uint64_t which, uint64_t rank, unsigned length, unsigned kind)
{
    const uint64_t n = s->shape.n, top = (uint64_t)((double)rank / (double)n * 1048576) << 44;
    for (unsigned i = 0; i < length; i++) {
        const uint64_t differing[] = {draw(21, which * 64 + i, (uint64_t)1 << 32),
                                      draw(22, which * 64 + i, 3), (uint64_t)(i + 1) << 8, 1};
        /* a stretch of the input each, so that they come in the order of i */
        const uint64_t place = (uint64_t)i * (n / 64) + draw(23, which * 64 + i, n / 64);
        s->keys[place] = top | (uint64_t)5 << 40 | differing[kind] << s->shape.begin_bit;
        if (s->shape.descending) s->keys[place] = ~s->keys[place];
    }
}

/* Every length that is mended, of every kind, across the borders of the mending blocks. */
static void short_runs_are_mended(void **)
{
    uint64_t t = 0;
    for (unsigned length = 2; length <= (unsigned)LONGEST; length++) {
        const bool payload = length % 2, descending = length % 3 == 0;
        sorting s = open_sorting(KEYS, payload, descending, length % 5 ? 0 : 3, 64);
        for (uint64_t border = 0; border <= KEYS; border += OS_MEND_KEYS)
            plant(&s, t++, border, length, (length + (unsigned)(border / OS_MEND_KEYS)) % 4);
        const os_plan plan = assert_sorted(&s);
        assert_true(plan.left_out >= 4);
        assert_int_equal(plan.again, 0);
        close_sorting(&s);
    }
}

/* A run of one key more is left, and all is sorted by all digits; unless it is in order. */
static void long_runs_are_not(void **)
{
    for (unsigned t = 0; t < 16; t++) {
        const unsigned kind = t % 4, length = LONGEST + 1 + t / 4 * 9;
        sorting s = open_sorting(KEYS, t % 2, t / 2 % 2, 0, 64);
        plant(&s, 100 + t, OS_MEND_KEYS * (1 + t % 3) - draw(24, t, 60), length, kind);
        const os_plan plan = assert_sorted(&s);
        assert_true(plan.again || plan.left_out >= 4);
        assert_int_equal(plan.again != 0, kind < 2);
        /* the next sort with this scratch begins anew, or not at all */
        s.keys[0] = 77;
        const os_plan same = assert_sorted(&s);
        assert_int_equal(same.again != 0, kind < 2);
        unsigned word = 0;
        s.only_if = &word;
        sort(&s);
        for (uint64_t i = 0; i < KEYS; i++)
            assert_true(s.out[i] == 0x5A5A5A5A5A5A5A5Aull);
        word = 2;
        (void)assert_sorted(&s);
        close_sorting(&s);
    }
}

/* Upper halves that look random, digit by digit, but are few, above random lower ones: the sample
 * sees it, and more digits are sorted by. */
static void the_sample_sees_few_upper_halves(void **)
{
    for (unsigned halves = 1; halves <= 400; halves = 1 + halves * 7) {
        sorting s = open_sorting(KEYS, true, false, 0, 64);
        for (uint64_t i = 0; i < KEYS; i++)
            s.keys[i] =
                (uint64_t)gb_scatter32((uint32_t)draw(25, i, halves)) << 32 | (uint32_t)s.keys[i];
        const os_plan plan = assert_sorted(&s);
        assert_true(plan.left_out <= 3 && !plan.again);
        close_sorting(&s);
    }
}

/* Equal keys, however many, and keys of which few bits differ. */
static void few_bits_need_few_passes(void **)
{
    for (unsigned t = 0; t < 8; t++) {
        sorting s = open_sorting(KEYS, t % 2, false, 0, 64);
        for (uint64_t i = 0; i < KEYS; i++) {
            const uint64_t few = draw(26, i, 1000), values = draw(32, i, 9);
            const uint64_t keys[] = {7,
                                     few,
                                     gb_mix64(few),
                                     s.keys[i] >> 40,
                                     s.keys[i] & 0xFFFFFF00u,
                                     i % 3 ? 5 : s.keys[i],
                                     gb_mix64(values),
                                     values << 8 | values << 48};
            s.keys[i] = keys[t];
        }
        const os_plan plan = assert_sorted(&s);
        if (t == 2) assert_true(plan.left_out >= 4);
        if (t >= 6) assert_true(plan.active <= 2 && plan.left_out >= 5);
        if (t != 2 && t != 5) assert_true(plan.active <= 4);
        assert_false(plan.again);
        close_sorting(&s);
    }
}

/* Few values, and one that the sample does not meet: between two of the few in all but the last
 * digit. */
static void a_value_that_the_sample_misses(void **)
{
    unsigned again = 0;
    for (unsigned t = 0; t < 3; t++) {
        sorting s = open_sorting(8 * KEYS, t % 2, false, 0, 64);
        for (uint64_t i = 0; i < s.shape.n; i++)
            s.keys[i] = gb_mix64(draw(33, i, 5)) | 2;
        s.keys[(t + 1) * 997] ^= 3;
        const os_plan plan = assert_sorted(&s);
        again += plan.again;
        assert_true(plan.again || plan.left_out < 7);
        close_sorting(&s);
    }
    assert_true(again > 0);
}

/* Ranges of bits: the mended digits are the range's. */
static void ranges_are_mended(void **)
{
    unsigned mended = 0;
    for (unsigned t = 0; t < 24; t++) {
        const unsigned begin = (unsigned)draw(27, t, 30), end = 64 - (unsigned)draw(28, t, 9);
        sorting s = open_sorting(1 + draw(29, t, KEYS), t % 2, t % 3 == 0, begin, end);
        for (uint64_t i = 0; i + 1 < s.shape.n; i += 3) /* neighbours in the middle digits alone */
            if (draw(30, i, 4) == 0) s.keys[i + 1] = s.keys[i] ^ (draw(31, i, 255) << (begin + 2));
        const os_plan plan = assert_sorted(&s);
        mended += plan.left_out && !plan.again;
        close_sorting(&s);
    }
    assert_true(mended > 10);
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    device.arch = 900;
    device.memory_bytes = (uint64_t)1 << 30;
    device.sms = 2;
    device.shared_optin = device.shared_per_sm = (uint64_t)227 << 10;
    os_shortened_from = 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_runs_are_mended),
        cmocka_unit_test(long_runs_are_not),
        cmocka_unit_test(the_sample_sees_few_upper_halves),
        cmocka_unit_test(few_bits_need_few_passes),
        cmocka_unit_test(a_value_that_the_sample_misses),
        cmocka_unit_test(ranges_are_mended),
    };
    return cmocka_run_group_tests_name("shorten", tests, NULL, NULL);
}
