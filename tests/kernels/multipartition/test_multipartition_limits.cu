/* Bins among limits by a table (kernels/multipartition/search.cuh), against a count of the limits:
 * limits that are even, crowded, equal, a few or many, at the ends of the range; all of them, every
 * so many, and those within a segment; keys at, before and behind each. */
#include "tests/harness/device.cuh"

#include "kernels/multipartition/tables.cuh"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

enum { THREADS = 128, ITEMS = 4 };

/* The digits of keys by a table. */
template <class Key>
static __global__ void look_up(mp_search search, unsigned segment, mp_bin_data bin, const Key *keys,
                               unsigned n, unsigned *out)
{
    mp_copy_table(search, segment);
    __syncthreads();
    for (unsigned first = ITEMS * (blockIdx.x * THREADS + threadIdx.x); first < n;
         first += ITEMS * gridDim.x * THREADS) {
        Key key[ITEMS];
        unsigned digits[ITEMS];
        for (unsigned i = 0; i < ITEMS; i++)
            key[i] = first + i < n ? keys[first + i] : 0;
        mp_look_up(mp_copy_of(search), bin, key, digits);
        for (unsigned i = 0; i < ITEMS; i++)
            if (first + i < n) out[first + i] = digits[i];
    }
}

template <class T> struct array {
    T *at;
    explicit array(const std::vector<T> &from) : array(from.size())
    {
        if (from.empty()) return;
        assert_int_equal(
            cudaMemcpy(at, from.data(), sizeof(T) * from.size(), cudaMemcpyHostToDevice),
            cudaSuccess);
    }
    explicit array(size_t n) { assert_int_equal(cudaMalloc(&at, sizeof(T) * n + 16), cudaSuccess); }
    ~array() { (void)cudaFree(at); }
    array(const array &) = delete;
    std::vector<T> host(size_t n) const
    {
        std::vector<T> all(n);
        assert_int_equal(cudaMemcpy(all.data(), at, sizeof(T) * n, cudaMemcpyDeviceToHost),
                         cudaSuccess);
        return all;
    }
};

static uint64_t drawn(uint64_t i)
{
    return gb_mix64(i * 0x9E3779B97F4A7C15ull + 12345);
}

template <class Key> static std::vector<Key> keys_around(const std::vector<Key> &limits)
{
    const Key most = std::numeric_limits<Key>::max();
    std::vector<Key> keys = {0, 1, (Key)(most / 2), (Key)(most - 1), most};
    for (size_t i = 0; i < limits.size(); i++) {
        const Key limit = limits[i], next = i + 1 < limits.size() ? limits[i + 1] : most;
        for (const Key key :
             {(Key)(limit - 1), limit, (Key)(limit + 1), (Key)(limit + (next - limit) / 2)})
            keys.push_back(key);
        keys.push_back((Key)drawn(i));
        keys.push_back(limit + (Key)(drawn(i) % ((uint64_t)(next - limit) / 3 + 1)));
    }
    return keys;
}

/* What a table is about: limits first + i << stride_log, i < count, of all. */
struct view {
    unsigned first, stride_log, count;
};

template <class Key>
static void expect(const std::string &name, const std::vector<Key> &limits, const view &v,
                   const mp_search &search, unsigned segment, const mp_bin_data &bin)
{
    std::vector<Key> of;
    for (unsigned i = 0; i < v.count && v.first + ((size_t)i << v.stride_log) < limits.size(); i++)
        of.push_back(limits[v.first + ((size_t)i << v.stride_log)]);
    const std::vector<Key> keys = keys_around(of);
    const array<Key> on_device(keys);
    const array<unsigned> out(keys.size());
    mp_search with = search;
    with.at = 16;
    const size_t shared = 16 + sizeof(unsigned) * (size_t)search.words;
    assert_int_equal(gb_allow_shared(look_up<Key>, shared, NULL), GB_OK);
    assert_int_equal(launch(look_up<Key>, dim3(2), dim3(THREADS), shared, (cudaStream_t)0, with,
                            segment, bin, (const Key *)on_device.at, (unsigned)keys.size(), out.at),
                     cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    const std::vector<unsigned> found = out.host(keys.size());
    for (size_t i = 0; i < keys.size(); i++) {
        const size_t right = std::upper_bound(of.begin(), of.end(), keys[i]) - of.begin();
        if (found[i] != right)
            fail_msg("%s, %zu limits of %zu, 2^%u apart, from %u on: key 0x%llx: digit %u, not %zu",
                     name.c_str(), of.size(), limits.size(), v.stride_log, v.first,
                     (unsigned long long)keys[i], found[i], right);
    }
}

template <class Key> static void all_views(const std::string &name, const std::vector<Key> &limits)
{
    const array<Key> on_device(limits);
    const unsigned count = (unsigned)limits.size();
    const mp_bin_data bin = mp_make_bin_data(MP_SPLITTERS, count + 1, sizeof(Key), on_device.at);
    const auto with = [&](unsigned tables, size_t most, unsigned step, unsigned stride_log,
                          const view &v) {
        mp_tables t = {};
        t.tables = tables;
        t.log = mp_table_log(v.count + 1, most);
        t.words = mp_table_words(t.log);
        t.first = v.first;
        t.step = step;
        t.stride_log = stride_log;
        t.count = v.count;
        t.limits = count;
        const array<unsigned> memory((size_t)tables * t.words);
        t.memory = memory.at;
        assert_int_equal(
            launch(mp_make_tables<Key>, dim3(4), dim3(GB_GRID_THREADS), 0, (cudaStream_t)0, t, bin),
            cudaSuccess);
        for (unsigned s = 0; s < tables; s++)
            expect(name, limits, view{v.first + s * step, stride_log, v.count},
                   mp_search{memory.at, t.words, 0}, s, bin);
    };
    with(1, 1 << 16, 0, 0, view{0, 0, count}); /* all: cells four times as many as digits */
    with(1, 0, 0, 0, view{0, 0, count});       /* and as few as may be */
    for (unsigned shift = 1; count >> shift; shift += 2) {
        const unsigned uppers = (count >> shift) + 1;
        with(1, 1 << 16, 0, shift, view{(1u << shift) - 1, shift, uppers - 1});
        with(uppers, 1 << 10, 1u << shift, 0, view{0, 0, (1u << shift) - 1});
    }
}

/* So many limits, limit(i) ascending. */
template <class Key, class Limit>
static void some_limits(const char *name, unsigned count, Limit limit)
{
    std::vector<Key> limits;
    for (unsigned i = 0; i < count; i++)
        limits.push_back((Key)limit(i));
    std::sort(limits.begin(), limits.end());
    all_views(name, limits);
}

template <class Key> static void of_every_kind()
{
    const uint64_t most = std::numeric_limits<Key>::max();
    for (const unsigned count : {0u, 1u, 2u, 3u, 7u, 30u, 255u, 360u, 1023u}) {
        const uint64_t step = most / (count + 1);
        some_limits<Key>("even", count, [&](uint64_t i) { return (i + 1) * step; });
        some_limits<Key>("irregular", count,
                         [&](uint64_t i) { return i * step + drawn(i) % (2 * (step / 2) + 1); });
        some_limits<Key>("random", count, [&](uint64_t i) { return drawn(i); });
        some_limits<Key>("small numbers", count, [&](uint64_t i) { return i; });
        some_limits<Key>("the largest", count, [&](uint64_t i) { return most - i; });
        some_limits<Key>("equal", count, [&](uint64_t) { return most / 3; });
        some_limits<Key>("all 0", count, [&](uint64_t) { return 0; });
        some_limits<Key>("all the largest", count, [&](uint64_t) { return most; });
        some_limits<Key>("either end", count, [&](uint64_t i) { return i % 2 ? most - i : i; });
        some_limits<Key>("a few, each often", count,
                         [&](uint64_t i) { return (i % 5) * (most / 5); });
        some_limits<Key>("one often, close to others", count, [&](uint64_t i) {
            return i % 3 ? most / 2 : most / 2 + drawn(i) % 3000 - 1500;
        });
        some_limits<Key>("in pairs", count, [&](uint64_t i) { return (i / 2) * step; });
        some_limits<Key>("ever closer", count,
                         [&](uint64_t i) { return most >> (i % (8 * sizeof(Key))); });
        some_limits<Key>("a crowd in the middle", count,
                         [&](uint64_t i) { return i % 8 ? most / 2 + drawn(i) % 4096 : drawn(i); });
    }
    /* more in a cell than the table counts */
    some_limits<Key>("thousands close together", 5000,
                     [&](uint64_t i) { return i < 4990 ? most / 2 + i / 2 : drawn(i); });
}

static void of_32_bits(void **)
{
    of_every_kind<uint32_t>();
}

static void of_64_bits(void **)
{
    of_every_kind<uint64_t>();
}

/* Limits that differ in bits which a place has lost, and such as begin where a place does. */
static void that_lose_bits(void **)
{
    for (const unsigned shift : {1u, 20u, 33u})
        for (const int more : {-1, 0, 1})
            some_limits<uint64_t>("close and far", 64, [&](uint64_t i) {
                return (i % 4 == 0 ? i << 57 : (i / 8 << 60) + (i << shift)) + (uint64_t)more + 2;
            });
    some_limits<uint64_t>("one bit more than a place has", 40,
                          [](uint64_t i) { return (i << 26) + (i % 2); });
    some_limits<uint64_t>("to the end", 3, [](uint64_t i) { return i * (~(uint64_t)0 / 2); });
}

static void tables_are_as_large_as_they_may_be(void **)
{
    assert_int_equal(mp_table_log(2, 1 << 20), 9); /* 512 cells at least */
    assert_int_equal(mp_table_log(256, 1 << 20), 10);
    assert_int_equal(mp_table_log(257, 1 << 20), 11);
    assert_int_equal(mp_table_log(1024, 1 << 16), 12); /* 32 KiB and the head */
    assert_int_equal(mp_table_log(1024, 1 << 15), 11);
    assert_int_equal(mp_table_log(1024, 0), 11); /* twice as many cells as digits */
    assert_int_equal(mp_table_log(1025, 0), 12);
    assert_int_equal(mp_table_log(1, 0), 1);
    assert_int_equal(mp_table_words(1) % 4, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_32_bits),
        cmocka_unit_test(of_64_bits),
        cmocka_unit_test(that_lose_bits),
        cmocka_unit_test(tables_are_as_large_as_they_may_be),
    };
    return cmocka_run_group_tests_name("limits", tests, get_device, NULL);
}
