/* Multipartition on the CPU: the bin functions against their definitions, the oracle against a
 * naive gathering of bin after bin, the limits of irregular bins. */
#include "tests/kernels/multipartition/multipartition_keys.h"

#include <stdlib.h>
#include <string.h>

static mp_bin_data data_for(mp_function_kind kind, uint32_t bins, const uint32_t *limits)
{
    mp_shape shape = {.bins = bins, .function = kind, .key_bytes = 4};
    return mp_bin_data_of(&shape, limits);
}

static mp_bin_data data64_for(mp_function_kind kind, uint32_t bins, const uint64_t *limits)
{
    mp_shape shape = {.bins = bins, .function = kind, .key_bytes = 8};
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

static void wide_range_is_the_scaled_key(void **state)
{
    (void)state;
    for (int i = 0; i < SOME_BINS; i++) {
        const uint64_t bins = some_bins[i];
        mp_bin_data data = data64_for(MP_RANGE, some_bins[i], NULL);
        assert_int_equal(mp_bin64(MP_RANGE, &data, 0), 0);
        assert_int_equal(mp_bin64(MP_RANGE, &data, UINT64_MAX), bins - 1);
        for (uint64_t b = 1; b < bins; b += 1 + bins / 97) {
            unsigned __int128 scaled = (unsigned __int128)b << 64;
            uint64_t begin = (uint64_t)((scaled + bins - 1) / bins);
            assert_int_equal(mp_bin64(MP_RANGE, &data, begin), b);
            assert_int_equal(mp_bin64(MP_RANGE, &data, begin - 1), b - 1);
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

static void wide_modulo_is_the_remainder(void **state)
{
    (void)state;
    for (int i = 0; i < SOME_BINS; i++) {
        const uint64_t bins = some_bins[i];
        mp_bin_data data = data64_for(MP_MODULO, some_bins[i], NULL);
        for (uint32_t j = 0; j < 2000; j++)
            assert_int_equal(mp_bin64(MP_MODULO, &data, test_key64(j)), test_key64(j) % bins);
        for (uint32_t j = 0; j < 100; j++) {
            const uint64_t multiple = test_key64(j) / bins * bins;
            assert_int_equal(mp_bin64(MP_MODULO, &data, multiple), 0);
            if (multiple) assert_int_equal(mp_bin64(MP_MODULO, &data, multiple - 1), bins - 1);
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

static void wide_hash_spreads_either_half(void **state)
{
    (void)state;
    enum { BINS = 100, KEYS = 100000 };
    for (unsigned shift = 0; shift <= 32; shift += 32) {
        uint32_t count[BINS] = {0};
        mp_bin_data data = data64_for(MP_HASH, BINS, NULL);
        for (uint64_t key = 0; key < KEYS; key++) {
            uint32_t b = mp_bin64(MP_HASH, &data, key << shift);
            assert_in_range(b, 0, BINS - 1);
            count[b]++;
        }
        for (int b = 0; b < BINS; b++)
            assert_in_range(count[b], 800, 1200);
    }
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

static void wide_splitters_count_limits(void **state)
{
    (void)state;
    for (int i = 0; i < SOME_BINS; i++) {
        const uint32_t bins = some_bins[i];
        uint64_t *limits = malloc(bins * sizeof *limits);
        mp_make_limits64(3, bins, limits);
        mp_bin_data data = data64_for(MP_SPLITTERS, bins, limits);
        for (uint32_t b = 0; b + 1 < bins; b += 1 + bins / 500) {
            if (b) assert_true(limits[b] > limits[b - 1]);
            assert_int_equal(mp_bin64(MP_SPLITTERS, &data, limits[b]), b + 1);
            assert_int_equal(mp_bin64(MP_SPLITTERS, &data, limits[b] - 1), b);
        }
        assert_int_equal(mp_bin64(MP_SPLITTERS, &data, UINT64_MAX), bins - 1);
        assert_int_equal(mp_bin64(MP_SPLITTERS, &data, 0), 0);
        free(limits);
    }
}

/* So that 32- and 64-bit keys of one seed have the same bins, but for those next to a limit. */
static void wide_limits_continue_the_narrow_ones(void **state)
{
    (void)state;
    for (int i = 0; i < SOME_BINS; i++) {
        const uint32_t bins = some_bins[i];
        uint32_t *narrow = malloc(bins * sizeof *narrow), equal_low = 0;
        uint64_t *wide = malloc(bins * sizeof *wide);
        mp_make_limits(7, bins, narrow);
        mp_make_limits64(7, bins, wide);
        for (uint32_t b = 0; b + 1 < bins; b++) {
            assert_int_equal(wide[b] >> 32, narrow[b]);
            if (b) assert_true(wide[b] >= wide[b - 1]);
            if (b) equal_low += (uint32_t)wide[b] == (uint32_t)wide[b - 1];
        }
        assert_true(equal_low < 10); /* 2^20 of 2^-32 */
        free(narrow);
        free(wide);
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

/* ---- the oracle ------------------------------------------------------------------------------ */

enum { MOST_KEYS = 4093, MOST_BINS = 361, GUARD = 0x5E };

/* Room for the most elements of 16 bytes and a guard. */
typedef union array {
    unsigned char bytes[(MOST_KEYS + 1) * 16];
    uint32_t narrow[(MOST_KEYS + 1) * 4];
    uint64_t wide[(MOST_KEYS + 1) * 2];
} array;

static void guard_is_whole(const array *a, size_t from)
{
    for (size_t i = from; i < sizeof a->bytes; i++)
        assert_int_equal(a->bytes[i], GUARD);
}

/* Gathers bin after bin, by n looks at the input each. */
static void compare_naively(const mp_shape *shape)
{
    static array keys, payload, keys_out, payload_out;
    static uint32_t bin[MOST_KEYS];
    uint64_t offsets[MOST_BINS + 2], wide_limits[MOST_BINS];
    uint32_t limits[MOST_BINS];
    const size_t width = shape->key_bytes, more = shape->payload_bytes;
    mp_make_limits(9, shape->bins, limits);
    mp_make_limits64(9, shape->bins, wide_limits);
    const uint64_t max = width == 8 ? UINT64_MAX / 5 * 3 : UINT32_MAX / 5 * 3;
    mp_bin_data data =
        shape->function == MP_MAX
            ? mp_bin_data_by_max(shape, max)
            : mp_bin_data_of(shape, width == 8 ? (const void *)wide_limits : (const void *)limits);
    for (uint32_t i = 0; i < shape->n; i++) {
        if (shape->function == MP_MAX && width == 8)
            keys.wide[i] = test_key64(i) % (max + 1);
        else if (shape->function == MP_MAX)
            keys.narrow[i] = (uint32_t)(test_key(i) % (max + 1));
        else if (width == 8)
            keys.wide[i] = test_key64(i);
        else
            keys.narrow[i] = test_key(i);
        bin[i] = width == 8 ? mp_bin64(shape->function, &data, keys.wide[i])
                            : mp_bin(shape->function, &data, keys.narrow[i]);
        for (unsigned w = 0; w < more / 4; w++)
            payload.narrow[i * more / 4 + w] = i * 2654435761u + w;
    }
    memset(&keys_out, GUARD, sizeof keys_out);
    memset(&payload_out, GUARD, sizeof payload_out);
    offsets[shape->bins + 1] = 0xBEEF;
    mp_oracle(shape, &data, &keys, more ? &payload : NULL, &keys_out, more ? &payload_out : NULL,
              offsets);
    uint64_t place = 0;
    for (uint32_t b = 0; b < shape->bins; b++) {
        assert_int_equal(offsets[b], place);
        for (uint64_t i = 0; i < shape->n; i++) {
            if (bin[i] != b) continue;
            assert_memory_equal(keys_out.bytes + place * width, keys.bytes + i * width, width);
            if (more)
                assert_memory_equal(payload_out.bytes + place * more, payload.bytes + i * more,
                                    more);
            place++;
        }
    }
    assert_int_equal(offsets[shape->bins], shape->n);
    assert_int_equal(place, shape->n);
    guard_is_whole(&keys_out, shape->n * width);
    guard_is_whole(&payload_out, shape->n * more);
    assert_int_equal(offsets[shape->bins + 1], 0xBEEF);
}

static void oracle_gathers_bin_after_bin(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0, 1, 31, 33, 1000, MOST_KEYS};
    static const uint32_t bins_of[] = {1, 2, 33, MOST_BINS};
    static const unsigned payloads[] = {0, 4, 8, 16};
    for (unsigned s = 0; s < 6; s++)
        for (unsigned t = 0; t < 4; t++)
            for (int kind = MP_RANGE; kind <= MP_MAX; kind++)
                for (unsigned k = 0; k < 8; k++) {
                    mp_shape shape = {.n = sizes[s],
                                      .bins = bins_of[t],
                                      .function = (mp_function_kind)kind,
                                      .payload_bytes = payloads[k % 4],
                                      .key_bytes = k < 4 ? 4 : 8};
                    compare_naively(&shape);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range_is_the_scaled_key),
        cmocka_unit_test(wide_range_is_the_scaled_key),
        cmocka_unit_test(modulo_is_the_remainder),
        cmocka_unit_test(wide_modulo_is_the_remainder),
        cmocka_unit_test(hash_spreads_neighbours),
        cmocka_unit_test(wide_hash_spreads_either_half),
        cmocka_unit_test(splitters_count_limits),
        cmocka_unit_test(wide_splitters_count_limits),
        cmocka_unit_test(wide_limits_continue_the_narrow_ones),
        cmocka_unit_test(limits_are_irregular_and_ascend),
        cmocka_unit_test(oracle_gathers_bin_after_bin),
    };
    return cmocka_run_group_tests_name("multipartition oracle", tests, NULL, NULL);
}
