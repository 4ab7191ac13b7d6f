/* The bin function max, floor(key bins / (max + 1)), against a division: wherever a bin begins. */
#include "tests/kernels/multipartition/multipartition_keys.h"

/* The bin of a key by its definition, a division by max + 1. */
static uint32_t bin_by_division(uint64_t key, uint64_t max, uint32_t bins)
{
    return (uint32_t)((unsigned __int128)key * bins / ((unsigned __int128)max + 1));
}

/* Largest keys: small ones, around powers of two, products of primes, random ones; up to limit. */
static uint64_t test_max(unsigned j, uint64_t limit)
{
    enum { SMALL = 40, POWERS = 3 * 64 };
    if (j < SMALL) return j;
    j -= SMALL;
    if (j < POWERS) return (((uint64_t)1 << (j / 3)) + j % 3 - 2) & limit;
    j -= POWERS;
    static const uint64_t some[] = {359,
                                    360,
                                    1048574,
                                    1048575,
                                    1048576,
                                    4294967295,
                                    4294967294,
                                    4294967290,
                                    2863311530,
                                    2863311531,
                                    0xFFFFFFFFFFFFFFFF,
                                    0xFFFFFFFFFFFFFFFE,
                                    0xAAAAAAAAAAAAAAAA,
                                    12288 * 999983ull};
    if (j < sizeof some / sizeof *some) return some[j] & limit;
    return test_key64(1000 + j) >> j % 64 & limit;
}
enum { TEST_MAXES = 400 };

static uint32_t bin_of_max(const mp_shape *shape, const mp_bin_data *data, uint64_t key)
{
    return shape->key_bytes == 8 ? mp_bin64(MP_MAX, data, key)
                                 : mp_bin(MP_MAX, data, (uint32_t)key);
}

/* Both sides of where bins begin: first = ceil(b (max + 1) / bins). As a bin never falls where keys
 * grow, all keys are right where these are. step: of b. */
static void begins_where_it_should(unsigned key_bytes, uint32_t bins, uint64_t max, uint32_t step)
{
    const mp_shape shape = {.bins = bins, .function = MP_MAX, .key_bytes = key_bytes};
    const mp_bin_data data = mp_bin_data_by_max(&shape, max);
    assert_int_equal(bin_of_max(&shape, &data, 0), 0);
    assert_int_equal(bin_of_max(&shape, &data, max), bin_by_division(max, max, bins));
    for (uint32_t b = 1; b < bins; b += step) {
        const unsigned __int128 scaled = ((unsigned __int128)max + 1) * b;
        const uint64_t first = (uint64_t)((scaled + bins - 1) / bins);
        if (first > max) break;
        const uint32_t at = bin_of_max(&shape, &data, first),
                       before = bin_of_max(&shape, &data, first - 1);
        if (at != bin_by_division(first, max, bins) ||
            before != bin_by_division(first - 1, max, bins))
            fail_msg("%u-byte keys up to %llu in %u bins: %llu is in bin %u, the one before in %u",
                     key_bytes, (unsigned long long)max, bins, (unsigned long long)first, at,
                     before);
    }
}

static void max_divides_by_the_largest_key(void **state)
{
    (void)state;
    for (unsigned j = 0; j < TEST_MAXES; j++)
        for (int i = 0; i < SOME_BINS; i++) {
            const uint32_t step = 1 + some_bins[i] / 97;
            begins_where_it_should(4, some_bins[i], test_max(j, UINT32_MAX), step);
            begins_where_it_should(8, some_bins[i], test_max(j, UINT64_MAX), step);
        }
    /* every bin */
    static const uint64_t maxes[] = {0,          1048574,    1048575,    1048576,
                                     2863311530, 4294967290, 4294967294, 4294967295};
    for (unsigned j = 0; j < sizeof maxes / sizeof *maxes; j++) {
        begins_where_it_should(4, 1048576, maxes[j], 1);
        begins_where_it_should(4, 1048575, maxes[j], 1);
        begins_where_it_should(8, 1048575, ~maxes[j], 1);
    }
    /* every key */
    for (uint64_t max = 0; max < 300; max++)
        for (uint32_t bins = 1; bins < 300; bins++)
            for (unsigned width = 4; width <= 8; width += 4) {
                const mp_shape shape = {.bins = bins, .function = MP_MAX, .key_bytes = width};
                const mp_bin_data data = mp_bin_data_by_max(&shape, max);
                for (uint64_t key = 0; key <= max; key++)
                    assert_int_equal(bin_of_max(&shape, &data, key), key * bins / (max + 1));
            }
}

/* Over all keys it is the range function. */
static void max_of_all_keys_is_range(void **state)
{
    (void)state;
    for (int i = 0; i < SOME_BINS; i++) {
        const mp_shape narrow = {.bins = some_bins[i], .function = MP_MAX, .key_bytes = 4},
                       wide = {.bins = some_bins[i], .function = MP_MAX, .key_bytes = 8};
        const mp_bin_data data = mp_bin_data_by_max(&narrow, UINT32_MAX),
                          data64 = mp_bin_data_by_max(&wide, UINT64_MAX);
        for (uint32_t j = 0; j < 2000; j++) {
            assert_int_equal(mp_bin_max(&data, test_key(j)), mp_bin_range(&data, test_key(j)));
            assert_int_equal(mp_bin_max64(&data64, test_key64(j)),
                             mp_bin_range64(&data64, test_key64(j)));
        }
    }
}

/* A key above the largest, such as a kernel may leave behind, has the last bin for a checker. */
static void keys_above_the_largest_stay_inside(void **state)
{
    (void)state;
    for (unsigned j = 0; j < TEST_MAXES; j++)
        for (int i = 0; i < SOME_BINS; i++)
            for (unsigned width = 4; width <= 8; width += 4) {
                const mp_shape shape = {
                    .bins = some_bins[i], .function = MP_MAX, .key_bytes = width};
                const uint64_t limit = width == 8 ? UINT64_MAX : UINT32_MAX;
                const mp_bin_data data = mp_bin_data_by_max(&shape, test_max(j, limit));
                assert_true(mp_bin_wide(MP_MAX, &data, width, limit) < some_bins[i]);
                assert_true(mp_bin_wide(MP_MAX, &data, width, test_key64(j) & limit) <
                            some_bins[i]);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(max_divides_by_the_largest_key),
        cmocka_unit_test(max_of_all_keys_is_range),
        cmocka_unit_test(keys_above_the_largest_stay_inside),
    };
    return cmocka_run_group_tests_name("multipartition by the largest key", tests, NULL, NULL);
}
