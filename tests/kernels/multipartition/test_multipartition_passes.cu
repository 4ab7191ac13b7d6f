/* Partitions of our own on input that no distribution of the data has: whose sample misleads, whose
 * size is awkward; and the memory that they ask for. */
/* test: thorough turns 35 */
#include "tests/harness/device.cuh"

#include "common/cuda/search.cuh"
#include "common/distributions.h"
#include "kernels/multipartition/partition/foresee.cuh"
#include "kernels/multipartition/partition/partition.h"

#include <algorithm>
#include <vector>

/* A device with so many multiprocessors, which decides how many blocks share the work; or, where
 * those wait for each other, no more than there are. */
static gb_device device_with(int sms, mp_method method = MP_AUTO)
{
    gb_device device = {};
    cudaDeviceProp properties;
    assert_int_equal(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    const bool waits = method == MP_UNSTABLE_RESIDENT || method == MP_STABLE_RESIDENT;
    device.sms = waits ? std::min(properties.multiProcessorCount, sms) : sms;
    device.arch = 100 * properties.major + 10 * properties.minor;
    device.shared_per_sm = properties.sharedMemPerMultiprocessor;
    device.shared_optin = properties.sharedMemPerBlockOptin;
    return device;
}

static void *device_copy(const void *from, size_t bytes)
{
    void *at;
    assert_int_equal(cudaMalloc(&at, bytes + 16), cudaSuccess);
    if (from) assert_int_equal(cudaMemcpy(at, from, bytes, cudaMemcpyHostToDevice), cudaSuccess);
    return at;
}

static const uint32_t SALT = 17;

/* Partitions keys by ranges and compares every bin, as a multiset or in order, with what it should
 * hold. known: what the request says of the keys. */
static void expect_right(mp_method method, const std::vector<uint32_t> &keys, uint32_t bins,
                         int sms, mp_keys known = MP_KEYS_ANY)
{
    const gb_device device = device_with(sms, method);
    const size_t n = keys.size();
    mp_request r = {};
    gb_error error = {};
    r.method = method;
    r.n = n;
    r.key_bytes = 4;
    r.function = MP_RANGE;
    r.bins = bins;
    r.salt = SALT;
    r.keys = known;
    if (mp_refusal(&r, &device)) return;
    r.keys_in = device_copy(keys.data(), 4 * n);
    r.keys_out = device_copy(NULL, 4 * n);
    r.offsets = (uint64_t *)device_copy(NULL, 8 * ((size_t)bins + 1));
    void *scratch = device_copy(NULL, mp_scratch_bytes(&r, &device));
    assert_int_equal(mp_queue_partition(&r, &device, scratch, NULL, &error), GB_OK);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);

    std::vector<uint32_t> found(n);
    std::vector<uint64_t> offsets((size_t)bins + 1);
    assert_int_equal(cudaMemcpy(found.data(), r.keys_out, 4 * n, cudaMemcpyDeviceToHost),
                     cudaSuccess);
    assert_int_equal(
        cudaMemcpy(offsets.data(), r.offsets, 8 * offsets.size(), cudaMemcpyDeviceToHost),
        cudaSuccess);
    std::vector<std::vector<uint32_t>> right(bins);
    for (const uint32_t key : keys)
        right[((uint64_t)key * bins) >> 32].push_back(key);
    uint64_t begin = 0;
    for (uint32_t b = 0; b < bins; b++) {
        assert_int_equal(offsets[b], begin);
        std::vector<uint32_t> mine(found.begin() + (long)begin,
                                   found.begin() + (long)(begin + right[b].size()));
        if (!mp_is_stable(method)) {
            std::sort(mine.begin(), mine.end());
            std::sort(right[b].begin(), right[b].end());
        }
        assert_true(mine == right[b]);
        begin += right[b].size();
    }
    assert_int_equal(offsets[bins], n);
    for (void *memory : {(void *)r.keys_in, r.keys_out, (void *)r.offsets, scratch})
        assert_int_equal(cudaFree(memory), cudaSuccess);
}

/* The lines that the sample looks at have the largest keys, all others one of the smallest: all of
 * the output but a sixteenth has to be where nothing was foreseen. */
static std::vector<uint32_t> misleading(size_t n, uint32_t other)
{
    std::vector<uint32_t> keys(n, other);
    for (uint64_t one = 0; one < n / 32 / 16; one++) {
        const uint64_t line = one * 16 + gb_scatter32((uint32_t)one ^ SALT) % 16;
        for (uint32_t k = 0; k < 32; k++)
            keys[line * 32 + k] = 0xffffffffu - k;
    }
    return keys;
}

static void a_sample_that_misleads_costs_no_key(void **state)
{
    (void)state;
    for (const uint32_t other : {0u, 1u})
        for (const size_t n : {4096, 6144, 8192, 12000, 16384, 20000, 40000})
            for (const uint32_t bins : {2u, 40u, 256u, 512u}) {
                expect_right(MP_UNSTABLE, misleading(n, other), bins, n < 20000 ? 2 : 1);
                expect_right(MP_UNSTABLE_TWO_PASS, misleading(n, other), bins, 2);
                expect_right(MP_UNSTABLE_SAMPLED_TWO_PASS, misleading(n, other), bins, 2);
            }
}

/* Bins are counted in passing in tiles of one digit, too, some of which follow each other in a
 * block: every key counts once. The sample is not to say that all are runs. */
static void bins_are_counted_in_passing(void **state)
{
    (void)state;
    std::vector<uint32_t> keys(400009);
    for (size_t i = 0; i < keys.size(); i++) {
        const uint32_t random = gb_scatter32((uint32_t)i);
        keys[i] = i < keys.size() / 2 ? random : 0x30000000u | random >> 8;
    }
    for (const uint32_t bins : {256u, 1000u, 4096u})
        for (const int sms : {1, 2})
            for (const mp_keys known : {MP_KEYS_ANY, MP_KEYS_SKEWED})
                expect_right(MP_UNSTABLE_SAMPLED_TWO_PASS, keys, bins, sms, known);
}

/* Of so many keys a sample says whether some digits have a crowd: where one has that share of them,
 * in percent. */
static void a_sample_says_which_digits_have_a_crowd(void **state)
{
    (void)state;
    std::vector<uint32_t> keys(300007);
    for (const uint32_t share : {0u, 5u, 33u, 67u, 100u})
        for (const uint32_t bins : {16u, 90u, 400u}) {
            for (size_t i = 0; i < keys.size(); i++) {
                const uint32_t random = gb_scatter32((uint32_t)i);
                keys[i] = random % 100 < share ? 0x70000000u | random >> 8 : gb_scatter32(~random);
            }
            expect_right(MP_UNSTABLE, keys, bins, 1);
        }
}

/* Who is told that some digits have a crowd finds tiles of one digit, and the other way round. */
static void wrong_knowledge_costs_no_key(void **state)
{
    (void)state;
    const size_t n = 200003;
    std::vector<uint32_t> ascending(n), phases(n);
    for (size_t i = 0; i < n; i++) {
        ascending[i] = (uint32_t)(((uint64_t)i << 32) / n);
        phases[i] = i / 50000 % 2 ? gb_scatter32((uint32_t)i) : 0x30000000u + (uint32_t)(i % 7);
    }
    for (const auto &keys : {ascending, phases})
        for (const mp_keys known : {MP_KEYS_ANY, MP_KEYS_SKEWED, MP_KEYS_SORTED, MP_KEYS_FEW})
            for (const uint32_t bins : {5u, 10u, 300u, 3000u})
                for (int method = MP_AUTO + 1; method < MP_METHODS; method++)
                    expect_right((mp_method)method, keys, bins, 2, known);
}

/* Keys that are said to be sorted are copied where they are, and only there: each is in a bin of
 * its own, and two neighbours have changed places, of one thread, of two, of two warps, of two
 * tiles. */
static void what_is_not_quite_in_order_is_partitioned(void **state)
{
    (void)state;
    const size_t n = 20003, in_order = n;
    for (const size_t at : {in_order, (size_t)0, (size_t)1, (size_t)3, (size_t)127, (size_t)1023,
                            (size_t)4095, n - 2}) {
        std::vector<uint32_t> keys(n);
        for (size_t i = 0; i < n; i++)
            keys[i] = (uint32_t)(((uint64_t)i << 32) / n) + 1;
        if (at != in_order) std::swap(keys[at], keys[at + 1]);
        for (const mp_method method :
             {MP_STABLE_TWO_PASS, MP_STABLE_DRAWN_TWO_PASS, MP_STABLE_DRAWN_THREE_PASS})
            expect_right(method, keys, n, 2, MP_KEYS_SORTED);
    }
}

/* Skewed keys have several parts for each block in the second pass. */
static void parts_of_skewed_keys_are_all_moved(void **state)
{
    (void)state;
    std::vector<uint32_t> keys(1200007);
    for (size_t i = 0; i < keys.size(); i++)
        keys[i] = i % 3 ? 0x12345678u + (uint32_t)(i % 2) : gb_scatter32((uint32_t)i);
    for (const mp_method method : {MP_STABLE_TWO_PASS, MP_STABLE_DRAWN_TWO_PASS})
        expect_right(method, keys, 300, 1, MP_KEYS_SKEWED);
}

/* Where a digit's region is foreseen to begin. */
static uint64_t foreseen(const std::vector<uint32_t> &keys, uint32_t bins, uint32_t which,
                         uint32_t salt)
{
    const uint64_t n = keys.size();
    mp_elements<uint32_t, 0> in = {};
    in.keys = (uint32_t *)device_copy(keys.data(), 4 * n);
    mp_sample sample = {};
    mp_regions regions = {};
    sample.stretches = n / GB_WARP / MP_SAMPLE_STRETCH;
    sample.salt = salt;
    const std::vector<uint64_t> zeros(mp_cursor_at(bins) + 4 * (size_t)bins + 8);
    uint64_t *memory = (uint64_t *)device_copy(zeros.data(), 8 * zeros.size());
    sample.ticket = (unsigned *)memory;
    sample.counts = (unsigned *)(memory + 1);
    sample.begins = memory + 1 + bins;
    regions.written_to = (unsigned long long *)sample.begins + bins + 1;
    regions.next = regions.written_to + bins;
    const mp_digit digit = {mp_make_bin_data(MP_RANGE, bins, 4, NULL), MP_RANGE, 0, ~0u, bins};
    assert_int_equal(launch((mp_take_sample<uint32_t, false, mp_digit>), dim3(2),
                            dim3(MP_SAMPLE_THREADS), bins * sizeof(unsigned), NULL, in, n, digit,
                            1u, sample, regions),
                     cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    uint64_t begin;
    assert_int_equal(cudaMemcpy(&begin, sample.begins + which, 8, cudaMemcpyDeviceToHost),
                     cudaSuccess);
    for (void *one : {(void *)in.keys, (void *)memory})
        assert_int_equal(cudaFree(one), cudaSuccess);
    return begin;
}

/* An input made for one salt misleads that alone; the clock's is another one. */
static void a_sample_of_another_salt_is_not_misled(void **state)
{
    (void)state;
    const uint64_t n = 1 << 18, bins = 8;
    const std::vector<uint32_t> keys = misleading(n, 0); /* 15 of 16 are in the first bin */
    assert_true(foreseen(keys, bins, 1, SALT) == 0);
    for (const uint32_t salt : {SALT + 1, 12345u, 0u}) {
        const uint64_t begin = foreseen(keys, bins, 1, salt);
        assert_true(begin > n * 14 / 16 && begin < n);
    }
}

/* Sizes and numbers of bins that other partitions are known to have failed at. */
static void awkward_sizes_and_more_than_12288_bins_are_partitioned(void **state)
{
    (void)state;
    for (const size_t n : {1, 7, 64, 128, 320, 8193})
        for (const uint32_t bins : {1u, 2u, 3u, 256u, 1000u, 12289u, 70000u}) {
            std::vector<uint32_t> keys(n);
            for (size_t i = 0; i < n; i++)
                keys[i] = gb_scatter32((uint32_t)i + 1);
            for (int method = MP_AUTO + 1; method < MP_METHODS; method++)
                expect_right((mp_method)method, keys, bins, 4);
        }
}

/* Beside tables that do not grow with n. */
static void scratch_is_at_most_a_tenth_more_than_the_keys(void **state)
{
    (void)state;
    gb_device device = device_with(132);
    device.shared_per_sm = 228 << 10;
    device.shared_optin = 227 << 10;
    for (const uint32_t bins : {2u, 256u, 1024u, 65536u}) {
        mp_request r = {};
        r.n = (uint64_t)1 << 32; /* and more than 32 bits count */
        r.key_bytes = 4;
        r.function = MP_RANGE;
        r.bins = bins;
        for (const mp_keys known : {MP_KEYS_ANY, MP_KEYS_SKEWED, MP_KEYS_SORTED, MP_KEYS_FEW})
            for (int method = MP_AUTO + 1; method < MP_METHODS; method++) {
                r.method = (mp_method)method;
                r.keys = known;
                if (!mp_refusal(&r, &device))
                    assert_true(mp_scratch_bytes(&r, &device) <= (r.n * 4) / 10 * 11);
            }
    }
}

/* More bins than a sample of so many keys foresees well are counted: that has no room aside. */
static void what_no_sample_foresees_is_counted(void **state)
{
    (void)state;
    gb_device device = device_with(132);
    device.shared_per_sm = 228 << 10;
    device.shared_optin = 227 << 10;
    const struct {
        uint64_t n;
        uint32_t bins;
        bool foreseen;
    } cases[] = {{1 << 25, 2, true},    {1 << 25, 256, true},  {1 << 25, 1024, false},
                 {1 << 28, 1024, true}, {1 << 22, 512, false}, {(1 << 22) - 1, 512, true}};
    for (const auto &one : cases) {
        mp_request r = {};
        r.n = one.n;
        r.key_bytes = 4;
        r.function = MP_RANGE;
        r.bins = one.bins;
        r.method = MP_UNSTABLE_COUNTED;
        const uint64_t counted = mp_scratch_bytes(&r, &device);
        r.method = MP_UNSTABLE;
        assert_true((mp_scratch_bytes(&r, &device) > counted) == one.foreseen);
    }
}

/* Pieces of the second pass where two bins have all keys, and most strips are empty. */
static void two_bins_may_have_all_keys(void **state)
{
    (void)state;
    std::vector<uint32_t> keys(300000);
    for (size_t i = 0; i < keys.size(); i++)
        keys[i] = gb_scatter32((uint32_t)i) & 1 ? 0x01100000u : 0x9ee00000u;
    for (const mp_method method : {MP_STABLE_TWO_PASS, MP_STABLE_DRAWN_TWO_PASS})
        for (const mp_keys known : {MP_KEYS_ANY, MP_KEYS_SKEWED})
            expect_right(method, keys, 256, 20, known);
}

/* Every other key is of one of so many bins, `apart` from each other, at random or one bin after
 * the other: all of those bins, or some, go to their places in the first pass. */
static void bins_with_much_are_partitioned(void **state)
{
    (void)state;
    const uint32_t bins = 1024, width = 1u << 22;
    std::vector<uint32_t> keys(140003);
    const struct {
        uint32_t many, apart;
    } cases[] = {{10, 33}, {10, 32}, {30, 33}, {45, 7}};
    for (const auto &one : cases)
        for (const bool ascending : {false, true}) {
            for (size_t i = 0; i < keys.size(); i++) {
                const uint32_t random = gb_scatter32((uint32_t)i);
                const uint32_t which =
                    ascending ? (uint32_t)(i * one.many / keys.size()) : random % one.many;
                keys[i] = i % 2 ? random : which * one.apart * width + random % width;
            }
            for (const mp_method method : {MP_STABLE_TWO_PASS, MP_STABLE_DRAWN_TWO_PASS})
                expect_right(method, keys, bins, 2, MP_KEYS_SKEWED);
        }
}

static __global__ void find_by_both(const uint32_t *begins, unsigned count, uint32_t end,
                                    unsigned *differ)
{
    for (uint32_t at = begins[0]; at < end; at++)
        if (gb_warp_stretch_holding(begins, count, at) != gb_stretch_holding(begins, count, at))
            atomicAdd(differ, 1u);
}

static void a_warp_finds_the_stretch_that_a_thread_finds(void **state)
{
    (void)state;
    for (const unsigned count : {1u, 2u, 31u, 32u, 33u, 1000u, 1025u}) {
        std::vector<uint32_t> begins(count);
        uint32_t end = 0;
        for (uint32_t &begin : begins) { /* some are empty */
            begin = end;
            end += gb_scatter32(end) % 3 + gb_scatter32((uint32_t)(&begin - begins.data())) % 2;
        }
        end++;
        uint32_t *memory = (uint32_t *)device_copy(begins.data(), count * sizeof(uint32_t));
        unsigned none = 0, *differ = (unsigned *)device_copy(&none, sizeof none);
        assert_int_equal(
            launch(find_by_both, dim3(1), dim3(GB_WARP), 0, NULL, memory, count, end, differ),
            cudaSuccess);
        assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
        assert_int_equal(cudaMemcpy(&none, differ, sizeof none, cudaMemcpyDeviceToHost),
                         cudaSuccess);
        assert_int_equal(none, 0);
        cudaFree(memory);
        cudaFree(differ);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_that_misleads_costs_no_key),
        cmocka_unit_test(bins_are_counted_in_passing),
        cmocka_unit_test(a_sample_says_which_digits_have_a_crowd),
        cmocka_unit_test(wrong_knowledge_costs_no_key),
        cmocka_unit_test(what_is_not_quite_in_order_is_partitioned),
        cmocka_unit_test(parts_of_skewed_keys_are_all_moved),
        cmocka_unit_test(a_sample_of_another_salt_is_not_misled),
        cmocka_unit_test(awkward_sizes_and_more_than_12288_bins_are_partitioned),
        cmocka_unit_test(scratch_is_at_most_a_tenth_more_than_the_keys),
        cmocka_unit_test(what_no_sample_foresees_is_counted),
        cmocka_unit_test(two_bins_may_have_all_keys),
        cmocka_unit_test(bins_with_much_are_partitioned),
        cmocka_unit_test(a_warp_finds_the_stretch_that_a_thread_finds),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
