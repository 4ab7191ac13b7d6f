/* Multipartition on the CPU: the bin functions against their definitions, the oracle against a
 * naive gathering of bin after bin, the limits of irregular bins. */
#include "common/distributions.h"
#include "kernels/multipartition/bins.h"
#include "kernels/multipartition/multipartition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint32_t some_bins[] = {1,    2,    3,     7,     31,      32,     33,
                                     64,   100,  255,   256,   257,     361,    1000,
                                     4096, 5000, 12288, 65536, 1048575, 1048576};
enum { SOME_BINS = sizeof some_bins / sizeof *some_bins };

static const uint32_t edge_keys[] = {0, 1, 2, 3, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};
enum { EDGE_KEYS = sizeof edge_keys / sizeof *edge_keys };

/* Key j of a test: the edges, then random ones. */
static uint32_t test_key(uint32_t j)
{
    return j < EDGE_KEYS ? edge_keys[j] : gb_random(5, 0, j).word[0];
}

static mp_bin_data data_for(mp_function_kind kind, uint32_t bins, const uint32_t *limits)
{
    mp_shape shape = {.n = 0, .bins = bins, .function = kind};
    return mp_bin_data_of(&shape, limits);
}

static void range_is_the_scaled_key(void **state)
{
    (void)state;
    for (int i = 0; i < SOME_BINS; i++) {
        mp_bin_data data = data_for(MP_RANGE, some_bins[i], NULL);
        assert_int_equal(mp_bin(MP_RANGE, &data, 0), 0);
        assert_int_equal(mp_bin(MP_RANGE, &data, 0xFFFFFFFF), some_bins[i] - 1);
        for (uint32_t b = 1; b < some_bins[i]; b += 1 + some_bins[i] / 97) {
            uint64_t begin = (((uint64_t)b << 32) + some_bins[i] - 1) / some_bins[i];
            assert_int_equal(mp_bin(MP_RANGE, &data, (uint32_t)begin), b);
            assert_int_equal(mp_bin(MP_RANGE, &data, (uint32_t)begin - 1), b - 1);
        }
    }
}

static void modulo_is_the_remainder(void **state)
{
    (void)state;
    for (int i = 0; i < SOME_BINS; i++) {
        mp_bin_data data = data_for(MP_MODULO, some_bins[i], NULL);
        for (uint32_t j = 0; j < 2000; j++)
            assert_int_equal(mp_bin(MP_MODULO, &data, test_key(j)), test_key(j) % some_bins[i]);
        for (uint64_t key = some_bins[i]; key <= UINT32_MAX; key += UINT32_MAX / 50) {
            uint32_t multiple = (uint32_t)(key / some_bins[i] * some_bins[i]);
            assert_int_equal(mp_bin(MP_MODULO, &data, multiple), 0);
            assert_int_equal(mp_bin(MP_MODULO, &data, multiple - 1), some_bins[i] - 1);
        }
    }
}

static void hash_spreads_neighbours(void **state)
{
    (void)state;
    enum { BINS = 100, KEYS = 100000 };
    static uint32_t count[BINS];
    mp_bin_data data = data_for(MP_HASH, BINS, NULL);
    for (uint32_t key = 0; key < KEYS; key++) {
        uint32_t b = mp_bin(MP_HASH, &data, key);
        assert_in_range(b, 0, BINS - 1);
        count[b]++;
    }
    for (int b = 0; b < BINS; b++) /* 1000 expected, standard deviation 31.5 */
        assert_in_range(count[b], 800, 1200);
}

static void splitters_count_limits(void **state)
{
    (void)state;
    for (int i = 0; i < SOME_BINS; i++) {
        uint32_t bins = some_bins[i];
        uint32_t *limits = malloc(bins * sizeof *limits);
        mp_make_limits(3, bins, limits);
        mp_bin_data data = data_for(MP_SPLITTERS, bins, limits);
        uint32_t step = 1 + bins / 500;
        for (uint32_t b = 0; b + 1 < bins; b += step) {
            uint32_t expect = b + 1;
            while (expect < bins - 1 && limits[expect] == limits[b])
                expect++;
            assert_int_equal(mp_bin(MP_SPLITTERS, &data, limits[b]), expect);
            if (limits[b] == 0) continue;
            uint32_t below = b;
            while (below > 0 && limits[below - 1] == limits[b])
                below--;
            assert_int_equal(mp_bin(MP_SPLITTERS, &data, limits[b] - 1), below);
        }
        assert_int_equal(mp_bin(MP_SPLITTERS, &data, 0xFFFFFFFF), bins - 1);
        if (bins > 1 && limits[0] > 0) assert_int_equal(mp_bin(MP_SPLITTERS, &data, 0), 0);
        free(limits);
    }
}

static void limits_are_irregular_and_ascend(void **state)
{
    (void)state;
    enum { BINS = 1000 };
    uint32_t limits[BINS - 1], again[BINS - 1], other[BINS - 1];
    mp_make_limits(1, BINS, limits);
    mp_make_limits(1, BINS, again);
    mp_make_limits(2, BINS, other);
    assert_memory_equal(limits, again, sizeof limits);
    assert_memory_not_equal(limits, other, sizeof limits);
    double mean = 4294967296.0 / BINS;
    int narrow = 0, wide = 0;
    for (int i = 1; i < BINS - 1; i++) {
        assert_true(limits[i] >= limits[i - 1]);
        double width = ((double)limits[i] - limits[i - 1]) / mean;
        assert_true(width <= 2.0);
        narrow += width < 0.5;
        wide += width > 1.5;
    }
    /* the difference of two uniform jitters leaves [-1/2, 1/2] at either end once in eight */
    assert_in_range(narrow, 80, 170);
    assert_in_range(wide, 80, 170);
}

static void oracle_gathers_bin_after_bin(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0, 1, 31, 33, 1000, 4093};
    static const uint32_t bins_of[] = {1, 2, 33, 361};
    for (unsigned s = 0; s < 6; s++)
        for (unsigned t = 0; t < 4; t++)
            for (int kind = MP_RANGE; kind <= MP_SPLITTERS; kind++)
                for (int payload = 0; payload < 2; payload++) {
                    uint64_t n = sizes[s];
                    uint32_t bins = bins_of[t], limits[361];
                    mp_shape shape = {n, bins, (mp_function_kind)kind, payload == 1};
                    mp_make_limits(9, bins, limits);
                    mp_bin_data data = mp_bin_data_of(&shape, limits);
                    uint32_t in[4093], numbers[4093], out[4094], moved[4094];
                    uint64_t offsets[363];
                    for (uint64_t i = 0; i < n; i++) {
                        in[i] = test_key((uint32_t)i);
                        numbers[i] = (uint32_t)i;
                    }
                    out[n] = moved[n] = 0xDEAD;
                    offsets[bins + 1] = 0xBEEF;
                    mp_oracle(&shape, &data, in, payload ? numbers : NULL, out,
                              payload ? moved : NULL, offsets);
                    uint64_t place = 0;
                    for (uint32_t b = 0; b < bins; b++) {
                        assert_int_equal(offsets[b], place);
                        for (uint64_t i = 0; i < n; i++) {
                            if (mp_bin((mp_function_kind)kind, &data, in[i]) != b) continue;
                            assert_int_equal(out[place], in[i]);
                            if (payload) assert_int_equal(moved[place], i);
                            place++;
                        }
                    }
                    assert_int_equal(offsets[bins], n);
                    assert_int_equal(place, n);
                    assert_int_equal(out[n], 0xDEAD);
                    assert_int_equal(moved[n], 0xDEAD);
                    assert_int_equal(offsets[bins + 1], 0xBEEF);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range_is_the_scaled_key),
        cmocka_unit_test(modulo_is_the_remainder),
        cmocka_unit_test(hash_spreads_neighbours),
        cmocka_unit_test(splitters_count_limits),
        cmocka_unit_test(limits_are_irregular_and_ascend),
        cmocka_unit_test(oracle_gathers_bin_after_bin),
    };
    return cmocka_run_group_tests_name("multipartition oracle", tests, NULL, NULL);
}
