/* Partitions by functions of a program's own (multipartition.hpp): the answer is a plain counting
 * sort's on the host, whatever the type, the number of keys and bins, the distribution and the
 * method; and the library's functions have the same door. */
#include "kernels/multipartition/partition/multipartition.hpp"

#include "tests/harness/device.cuh"

#include <algorithm>
#include <array>
#include <vector>

using gpubench::DeviceMultipartition;
using gpubench::PartitionOptions;

/* ---- keys, values and functions -------------------------------------------------------------- */

/* Keys that are no numbers. */
typedef struct tagged {
    int group;
    float weight;
} tagged;
typedef struct wide {
    uint32_t word[4];
} wide;

enum { TABLE = 3000 };
static unsigned strange; /* keys that no input has */

/* A table of the program's own: what is no key of the input must not be looked up in it. */
struct by_table {
    const uint16_t *bin_of;
    unsigned operator()(uint32_t key) const
    {
        strange += key >= TABLE;
        return key < TABLE ? bin_of[key] : 0;
    }
};

/* A result that is wider than a bin. */
struct by_group {
    uint64_t bins;
    uint64_t operator()(const tagged &key) const { return (uint64_t)key.group % bins; }
};

/* ---- one partition, held against the host's -------------------------------------------------- */

template <class T> static T *on_device(const std::vector<T> &from)
{
    void *memory;
    assert_int_equal(cudaMalloc(&memory, from.size() * sizeof(T)), cudaSuccess);
    assert_int_equal(
        cudaMemcpy(memory, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice),
        cudaSuccess);
    return static_cast<T *>(memory);
}

/* What is no value: for partitions of keys alone. */
struct none {
    char nothing;
};

template <bool STABLE, class Key, class Value, class Function> struct partition_of {
    std::vector<Key> keys, keys_out;
    std::vector<Value> values, values_out;
    uint32_t bins;
    Function function;
    PartitionOptions options;
    std::vector<uint64_t> offsets;

    cudaError_t call(void *temp, size_t &bytes, Key *in, Key *out, Value *from, Value *to,
                     uint64_t *begins, uint64_t n)
    {
        if constexpr (std::is_same<Value, none>::value) {
            if constexpr (STABLE)
                return DeviceMultipartition::StablePartitionKeys(temp, bytes, in, out, begins, n,
                                                                 bins, function, NULL, options);
            else
                return DeviceMultipartition::PartitionKeys(temp, bytes, in, out, begins, n, bins,
                                                           function, NULL, options);
        } else {
            if constexpr (STABLE)
                return DeviceMultipartition::StablePartitionPairs(
                    temp, bytes, in, out, from, to, begins, n, bins, function, NULL, options);
            else
                return DeviceMultipartition::PartitionPairs(temp, bytes, in, out, from, to, begins,
                                                            n, bins, function, NULL, options);
        }
    }

    cudaError_t run()
    {
        const uint64_t n = keys.size();
        keys.push_back(Key{}); /* behind the end, to be left as it is */
        values.push_back(Value{});
        keys_out.assign(n + 1, Key{});
        values_out.assign(n + 1, Value{});
        memset(&keys_out[n], 0x5a, sizeof(Key));
        memset(&values_out[n], 0x5a, sizeof(Value));
        offsets.assign(bins + 1, ~(uint64_t)0);
        Key *in = on_device(keys), *out = on_device(keys_out);
        Value *from = on_device(values), *to = on_device(values_out);
        uint64_t *begins = on_device(offsets);
        size_t bytes = 0;
        cudaError_t code = call(NULL, bytes, in, out, from, to, begins, n);
        if (code == cudaSuccess) {
            uint8_t *temp = on_device(std::vector<uint8_t>(bytes, 0xa5));
            code = call(temp, bytes, in, out, from, to, begins, n);
            if (cudaDeviceSynchronize() != cudaSuccess)
                fail_msg("%s", cudaGetErrorString(cudaGetLastError()));
            cudaFree(temp);
        }
        assert_memory_equal(in, keys.data(), (n + 1) * sizeof(Key));
        memcpy(keys_out.data(), out, (n + 1) * sizeof(Key)); /* the device is the host */
        memcpy(values_out.data(), to, (n + 1) * sizeof(Value));
        memcpy(offsets.data(), begins, offsets.size() * sizeof(uint64_t));
        cudaFree(in), cudaFree(out), cudaFree(from), cudaFree(to), cudaFree(begins);
        return code;
    }

    /* Elements as their bytes, which can be compared. */
    typedef std::array<unsigned char, sizeof(Key) + sizeof(Value)> element;
    static std::vector<element> together(const std::vector<Key> &k, const std::vector<Value> &v)
    {
        std::vector<element> all(k.size(), element{});
        for (size_t i = 0; i < k.size(); i++) {
            memcpy(all[i].data(), &k[i], sizeof(Key));
            if (!std::is_same<Value, none>::value)
                memcpy(all[i].data() + sizeof(Key), &v[i], sizeof(Value));
        }
        return all;
    }

    void is_right(const char *what)
    {
        const cudaError_t code = run();
        if (code != cudaSuccess) fail_msg("%s: %s", what, gpubench::PartitionError());
        const size_t n = keys.size() - 1;
        std::vector<uint64_t> begins(bins + 1, 0), next;
        std::vector<unsigned> bin(n);
        for (size_t i = 0; i < n; i++) {
            const uint64_t found = (uint64_t)function(keys[i]);
            bin[i] = found < bins ? (unsigned)found : bins - 1;
            begins[bin[i] + 1]++;
        }
        for (uint32_t b = 0; b < bins; b++)
            begins[b + 1] += begins[b];
        if (begins != offsets) fail_msg("%s: the offsets are wrong", what);
        std::vector<Key> k(n + 1);
        std::vector<Value> v(n + 1);
        next = begins;
        for (size_t i = 0; i < n; i++) {
            const uint64_t place = next[bin[i]]++;
            k[place] = keys[i];
            v[place] = values[i];
        }
        memset(&k[n], 0x5a, sizeof(Key));
        memset(&v[n], 0x5a, sizeof(Value));
        auto expected = together(k, v), found = together(keys_out, values_out);
        for (uint32_t b = 0; !STABLE && b < bins; b++) {
            std::sort(expected.begin() + begins[b], expected.begin() + begins[b + 1]);
            std::sort(found.begin() + begins[b], found.begin() + begins[b + 1]);
        }
        if (expected != found) fail_msg("%s: the elements are wrong", what);
    }
};

/* ---- inputs ---------------------------------------------------------------------------------- */

enum { UNIFORM, SKEWED, SORTED, DISTRIBUTIONS };

/* Numbers below 2^24, of which skewed ones are often one of two. */
static std::vector<uint32_t> numbers(size_t n, int distribution)
{
    std::vector<uint32_t> all(n);
    for (size_t i = 0; i < n; i++) {
        const uint32_t mixed = (uint32_t)(gb_mix64(i + 1000 * n) >> 40);
        const bool often = distribution == SKEWED && mixed % 10 < 7;
        all[i] = often ? 4000000u + 5000000u * (mixed % 10 < 2) : mixed;
    }
    if (distribution == SORTED) std::sort(all.begin(), all.end());
    return all;
}

static wide wide_of(uint32_t i)
{
    return wide{{i, ~i, i * 3, i * 2654435761u}};
}

template <class Value> static std::vector<Value> values_of(size_t n)
{
    std::vector<Value> values(n);
    for (uint32_t i = 0; i < n; i++) {
        if constexpr (std::is_same<Value, wide>::value)
            values[i] = wide_of(i);
        else if constexpr (!std::is_same<Value, none>::value)
            values[i] = (Value)i * 0x100000001ull;
    }
    return values;
}

/* Whatever `go` does with each of: keys, how they are distributed, and so many bins. */
template <class Go> static void with_inputs(Go go)
{
    static const size_t sizes[] = {0, 1, 31, 32, 33, 1021, 4099, 70001};
    static const uint32_t bins[] = {1, 2, 100, 256, 361, 1000, 5000};
    int turn = 0;
    for (size_t n : sizes)
        for (uint32_t b : bins)
            go(numbers(n, turn % DISTRIBUTIONS), turn % DISTRIBUTIONS, b), turn += 1;
}

static const char *named(char *text, size_t n, uint32_t bins, int distribution, mp_method method)
{
    snprintf(text, 100, "n = %zu, %u bins, distribution %d, method %d", n, bins, distribution,
             (int)method);
    return text;
}

/* By auto; and of the larger inputs by each method that can do it, first to last. */
template <bool STABLE, class Key, class Value, class Function>
static void partition_all(const std::vector<Key> &keys, uint32_t bins, int distribution,
                          const Function &function, mp_method first, mp_method last)
{
    char text[100];
    partition_of<STABLE, Key, Value, Function> all = {
        keys, {}, values_of<Value>(keys.size()), {}, bins, function, {}, {}};
    const mp_keys known[] = {MP_KEYS_ANY, MP_KEYS_SKEWED, MP_KEYS_SORTED};
    all.options.keys = known[distribution];
    auto automatic = all;
    automatic.is_right(named(text, keys.size(), bins, distribution, MP_AUTO));
    if (keys.size() < 70001 || (bins != 256 && bins != 361 && bins != 5000)) return;
    int able = 0;
    for (int m = first; m <= last; m++) {
        all.options.method = (mp_method)m;
        all.options.keys = MP_KEYS_SKEWED;
        auto asked = all, one = all;
        if (asked.run() == cudaErrorNotSupported) continue;
        one.is_right(named(text, keys.size(), bins, distribution, (mp_method)m));
        able++;
    }
    assert_true(able >= (bins <= 256 ? last - first : 1));
}

static void any_order(const std::vector<uint32_t> &keys, int distribution, uint32_t bins,
                      const uint16_t *table, bool stable)
{
    std::vector<uint32_t> small(keys);
    for (uint32_t &key : small)
        key = (uint32_t)((uint64_t)key * TABLE >> 24);
    if (stable)
        partition_all<true, uint32_t, none>(small, bins, distribution, by_table{table}, MP_STABLE,
                                            MP_STABLE_RESIDENT);
    else
        partition_all<false, uint32_t, none>(small, bins, distribution, by_table{table},
                                             MP_UNSTABLE, MP_UNSTABLE_SAMPLED_TWO_PASS);
}

/* A table that says the bin of each of so many keys: scattered, each bin there is but the last. */
static void keys_go_where_a_table_says(void **)
{
    strange = 0;
    with_inputs([](const std::vector<uint32_t> &keys, int distribution, uint32_t bins) {
        std::vector<uint16_t> table(TABLE);
        for (uint32_t i = 0; i < TABLE; i++)
            table[i] = (uint16_t)(distribution == SORTED ? (uint64_t)i * bins / TABLE
                                                         : gb_mix64(i) % bins);
        uint16_t *there = on_device(table);
        any_order(keys, distribution, bins, there, keys.size() % 2 == bins % 2);
        if (keys.size() == 70001) any_order(keys, distribution, bins, there, true);
        cudaFree(there);
    });
    assert_int_equal(strange, 0);
}

/* Keys that are no numbers, with the widest values, in their order. */
static void elements_of_any_kind_keep_their_order(void **)
{
    with_inputs([](const std::vector<uint32_t> &numbers, int distribution, uint32_t bins) {
        std::vector<tagged> keys(numbers.size());
        for (size_t i = 0; i < keys.size(); i++)
            keys[i] = tagged{(int)numbers[i], (float)i};
        partition_all<true, tagged, wide>(keys, bins, distribution, by_group{bins}, MP_STABLE,
                                          MP_STABLE_RESIDENT);
    });
}

/* A lambda, which can be copied and not assigned, of floats; bins that there are not are the last:
 * those of numbers below 0, and of those that are too large. */
static void a_bin_that_is_not_there_is_the_last(void **)
{
    with_inputs([](const std::vector<uint32_t> &numbers, int distribution, uint32_t bins) {
        std::vector<float> keys(numbers.size());
        for (size_t i = 0; i < keys.size(); i++)
            keys[i] = (float)numbers[i] / (1 << 23) - 0.5f; /* from -0.5 to 1.5 */
        const float scale = (float)bins;
        const auto function = [scale](float key) { return (int)floorf(key * scale); };
        partition_all<false, float, uint64_t>(keys, bins, distribution, function, MP_UNSTABLE,
                                              MP_UNSTABLE_TWO_PASS);
    });
}

/* ---- the library's functions, and mistakes --------------------------------------------------- */

/* By this function, whose bins on the host are `bin`'s. */
template <class Key, class Function, class Bin>
static void by_library(const std::vector<Key> &keys, uint32_t bins, const Function &function,
                       Bin bin)
{
    partition_of<true, Key, uint32_t, Function> by = {
        keys, {}, values_of<uint32_t>(keys.size()), {}, bins, function, {}, {}};
    if (by.run() != cudaSuccess) fail_msg("%s", gpubench::PartitionError());
    for (uint32_t b = 0; b < bins; b++)
        for (uint64_t i = by.offsets[b]; i < by.offsets[b + 1]; i++) {
            assert_int_equal(bin(by.keys_out[i]), b);
            assert_true(i == by.offsets[b] || by.values_out[i - 1] < by.values_out[i]);
        }
    assert_int_equal(by.offsets[bins], keys.size());
}

static void the_librarys_functions_have_the_same_door(void **)
{
    const uint32_t bins = 100;
    std::vector<uint32_t> keys(5000), limits(bins - 1);
    std::vector<uint64_t> wider(5000);
    for (size_t i = 0; i < keys.size(); i++)
        wider[i] = gb_mix64(i), keys[i] = (uint32_t)wider[i];
    for (uint32_t b = 0; b < bins - 1; b++)
        limits[b] = (b + 1) * (b + 1) * 400000u;
    const uint32_t *there = on_device(limits);
    by_library(keys, bins, gpubench::ByRange{},
               [](uint32_t key) { return (uint64_t)key * bins >> 32; });
    by_library(keys, bins, gpubench::ByModulo{}, [](uint32_t key) { return key % bins; });
    by_library(wider, bins, gpubench::ByModulo{}, [](uint64_t key) { return key % bins; });
    by_library(keys, bins, gpubench::ByHash{}, [](uint32_t key) {
        using namespace gpubench::engine;
        const mp_bin_data data = mp_make_bin_data(MP_HASH, bins, 4, NULL);
        return mp_bin_hash(&data, key);
    });
    by_library(keys, bins, gpubench::BySplitters{there}, [&](uint32_t key) {
        return std::upper_bound(limits.begin(), limits.end(), key) - limits.begin();
    });
    cudaFree(const_cast<uint32_t *>(there));
}

static void expect(cudaError_t code, cudaError_t expected, const char *words)
{
    assert_int_equal(code, expected);
    if (!strstr(gpubench::PartitionError(), words))
        fail_msg("'%s' is not in '%s'", words, gpubench::PartitionError());
}

static void mistakes_are_named(void **)
{
    char *memory;
    assert_int_equal(cudaMalloc((void **)&memory, 1 << 22), cudaSuccess);
    const uint16_t *table = (const uint16_t *)memory; /* zeros or not, they are bins */
    uint32_t *in = (uint32_t *)(memory + 65536), *out = (uint32_t *)(memory + 131072);
    uint64_t *offsets = (uint64_t *)(memory + 196608);
    memset(memory, 0, 1 << 22);
    size_t bytes = 0;
    const auto call = [&](void *temp, uint32_t bins, uint32_t *keys, uint32_t *to, mp_method how) {
        PartitionOptions options;
        options.method = how;
        return DeviceMultipartition::PartitionKeys(temp, bytes, keys, to, offsets, 1000, bins,
                                                   by_table{table}, NULL, options);
    };
    void *temp = memory + 262144;
    assert_int_equal(call(NULL, 100, in, out, MP_AUTO), cudaSuccess);
    assert_int_equal(call(temp, 100, in, out, MP_AUTO), cudaSuccess);
    expect(call(temp, 0, in, out, MP_AUTO), cudaErrorInvalidValue, "bins is 0; it may be 1 to");
    expect(call(temp, 100, NULL, out, MP_AUTO), cudaErrorInvalidValue, "keys_in is NULL");
    expect(call(temp, 100, in, in, MP_AUTO), cudaErrorInvalidValue, "keys_out is keys_in");
    expect(call(temp, 100, in, out + 1, MP_AUTO), cudaErrorInvalidValue, "keys_out is not aligned");
    expect(call((char *)temp + 16, 100, in, out, MP_AUTO), cudaErrorInvalidValue,
           "scratch is not aligned to 256 bytes");
    expect(call(temp, 100, in, out, MP_STABLE), cudaErrorNotSupported,
           "a not stable method is asked for here");
    expect(call(temp, 5000, in, out, MP_UNSTABLE), cudaErrorNotSupported,
           "5000 digits do not fit a pass");
    bytes--;
    expect(call(temp, 100, in, out, MP_AUTO), cudaErrorInvalidValue, "are needed");
    assert_int_equal(cudaFree(memory), cudaSuccess);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_go_where_a_table_says),
        cmocka_unit_test(elements_of_any_kind_keep_their_order),
        cmocka_unit_test(a_bin_that_is_not_there_is_the_last),
        cmocka_unit_test(the_librarys_functions_have_the_same_door),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
