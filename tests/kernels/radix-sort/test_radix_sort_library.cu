/* The sort's public functions: what is sorted is ordered as the language and CUB's documentation
 * order it, for every type, payload and order; NaNs, zeros, infinities and denormals; mistakes in a
 * request are named. Expected orders are from comparisons of numbers, not from any image of keys.
 */
/* test: long 12 */
#include "kernels/radix-sort/keys.h"
#include "kernels/radix-sort/sort.hpp"
#include "tests/harness/device.cuh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

enum { GUARD = 64, GARBAGE = 0xA5 };

/* ---- memory ---------------------------------------------------------------------------------- */

/* Device memory with a guard behind it. */
struct array {
    unsigned char *at;
    size_t bytes;

    explicit array(size_t size, const void *from = NULL) : bytes(size)
    {
        assert_int_equal(cudaMalloc((void **)&at, size + GUARD), cudaSuccess);
        assert_int_equal(cudaMemset(at, GARBAGE, size + GUARD), cudaSuccess);
        if (from && size)
            assert_int_equal(cudaMemcpy(at, from, size, cudaMemcpyHostToDevice), cudaSuccess);
    }
    ~array() { (void)cudaFree(at); }
    array(const array &) = delete;

    template <class T> std::vector<T> host() const
    {
        std::vector<T> all(bytes / sizeof(T));
        unsigned char guard[GUARD];
        if (bytes)
            assert_int_equal(cudaMemcpy(all.data(), at, bytes, cudaMemcpyDeviceToHost),
                             cudaSuccess);
        assert_int_equal(cudaMemcpy(guard, at + bytes, GUARD, cudaMemcpyDeviceToHost), cudaSuccess);
        for (const unsigned char one : guard)
            assert_int_equal(one, GARBAGE);
        return all;
    }
};

/* ---- keys ------------------------------------------------------------------------------------ */

static uint64_t drawn(uint64_t stream, uint64_t i)
{
    return gb_mix64(i * 0x9E3779B97F4A7C15ull + stream * 0xD1B54A32D192ED03ull);
}

template <class T> static T of_bits(uint64_t bits)
{
    T key;
    memcpy(&key, &bits, sizeof key); /* the low bytes */
    return key;
}
template <class T> static uint64_t bits_of(T key)
{
    uint64_t bits = 0;
    memcpy(&bits, &key, sizeof key);
    return bits;
}

/* Floats of every kind, each often. */
template <class T> static T special(uint64_t i)
{
    const uint64_t top = (uint64_t)1 << (8 * sizeof(T) - 1);
    const uint64_t infinity = bits_of(std::numeric_limits<T>::infinity());
    const uint64_t magnitudes[] = {
        0,
        0,
        0,
        1,
        2,
        bits_of(std::numeric_limits<T>::min()) - 1, /* the largest denormal */
        bits_of(std::numeric_limits<T>::min()),
        bits_of((T)1),
        bits_of((T)1.5),
        bits_of(std::numeric_limits<T>::max()),
        infinity,
        infinity + 1, /* NaNs: signalling, quiet, all bits */
        bits_of(std::numeric_limits<T>::quiet_NaN()),
        top - 1,
    };
    const uint64_t draw = drawn(1, i), kinds = sizeof magnitudes / sizeof *magnitudes;
    if (draw >> 8 & 1) return of_bits<T>(drawn(2, i));
    return of_bits<T>(magnitudes[(draw >> 16) % kinds] | (draw & 1 ? top : 0));
}

template <class T> static T made(uint64_t i)
{
    if constexpr (std::is_floating_point<T>::value)
        return special<T>(i);
    else
        return drawn(3, i) & 1 ? (T)(drawn(4, i) % 5) - (T)2 : (T)drawn(5, i);
}

/* NaNs with the sign before all numbers, others behind them, by their bits; numbers as the language
 * compares them, for which -0 is no less than +0. */
template <class T> static bool less(T a, T b)
{
    if constexpr (std::is_floating_point<T>::value) {
        const int64_t top = 8 * sizeof(T) - 1;
        auto rank = [&](T key) { return !std::isnan(key) ? 0 : bits_of(key) >> top ? -1 : 1; };
        const int left = rank(a), right = rank(b);
        if (left != right) return left < right;
        if (left) return left < 0 ? bits_of(a) > bits_of(b) : bits_of(a) < bits_of(b);
    }
    return a < b;
}

/* ---- sorts ----------------------------------------------------------------------------------- */

template <class T> static rs_type type_of()
{
    return gpubench::detail::sort_type<T>();
}

struct how {
    unsigned payload;
    bool descending, stable;
    unsigned begin, end; /* 0, 0: all bits */
    bool even = false;   /* hardly any special keys: bits are what was drawn */
};

/* Sorts twice in the same scratch, which is garbage at first. */
static void sort(const rs_sort_request *r)
{
    uint64_t bytes;
    if (rs_sort_scratch(r, &bytes) != RS_OK) fail_msg("%s", rs_sort_error());
    const array scratch(bytes);
    for (int i = 0; i < 2; i++)
        if (rs_sort(r, scratch.at, bytes, NULL) != RS_OK) fail_msg("%s", rs_sort_error());
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    scratch.host<unsigned char>();
}

/* Whether a has to come before b. */
template <class T> static bool before(const how &h, T a, T b)
{
    const rs_shape shape = {0, type_of<T>(), 0, h.descending, h.begin, h.end};
    if (h.end) return rs_field(&shape, bits_of(a)) < rs_field(&shape, bits_of(b));
    return h.descending ? less(b, a) : less(a, b);
}

/* The places that a stable sort takes its elements from. */
template <class T> static std::vector<uint32_t> order_of(const std::vector<T> &keys, const how &h)
{
    std::vector<uint32_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return before(h, keys[a], keys[b]); });
    return order;
}

template <class T>
static void judge(const std::vector<T> &keys, const std::vector<T> &out,
                  const std::vector<uint32_t> &payload, const how &h)
{
    const std::vector<uint32_t> order = order_of(keys, h);
    const unsigned words = h.payload / 4;
    if (!h.stable && !words) { /* equal keys in any order */
        std::vector<uint64_t> found, right;
        for (size_t i = 0; i < keys.size(); i++) {
            assert_false(before(h, out[i], keys[order[i]]) || before(h, keys[order[i]], out[i]));
            found.push_back(bits_of(out[i]));
            right.push_back(bits_of(keys[i]));
        }
        std::sort(found.begin(), found.end());
        std::sort(right.begin(), right.end());
        assert_true(found == right);
        return;
    }
    for (size_t i = 0; i < keys.size(); i++) {
        if (bits_of(out[i]) != bits_of(keys[order[i]]))
            fail_msg("key %zu of %zu (type %d, payload %u, %s, bits %u-%u): 0x%llx, not 0x%llx", i,
                     keys.size(), (int)type_of<T>(), h.payload,
                     h.descending ? "descending" : "ascending", h.begin, h.end,
                     (unsigned long long)bits_of(out[i]),
                     (unsigned long long)bits_of(keys[order[i]]));
        for (unsigned w = 0; w < words; w++)
            if (payload[i * words + w] != rs_payload_word(order[i], w))
                fail_msg("word %u of payload %zu of %zu (type %d): %u, of %u", w, i, keys.size(),
                         (int)type_of<T>(), payload[i * words + w], order[i]);
    }
}

template <class T> static void sort_keys(size_t n, const how &h)
{
    const unsigned words = h.payload / 4;
    std::vector<T> keys(n);
    std::vector<uint32_t> payload(n * words);
    for (size_t i = 0; i < n; i++) {
        keys[i] = h.even && i % 50 ? of_bits<T>(drawn(6, i)) : made<T>(i);
        for (unsigned w = 0; w < words; w++)
            payload[i * words + w] = rs_payload_word((uint32_t)i, w);
    }
    const array keys_in(n * sizeof(T), keys.data()), payload_in(n * h.payload, payload.data());
    const array keys_out(n * sizeof(T)), payload_out(n * h.payload);
    rs_sort_request r = {};
    r.keys_in = keys_in.at;
    r.keys_out = keys_out.at;
    r.payload_in = h.payload ? payload_in.at : NULL;
    r.payload_out = h.payload ? payload_out.at : NULL;
    r.n = n;
    r.type = type_of<T>();
    r.payload_bytes = h.payload;
    r.descending = h.descending;
    r.stable = h.stable;
    r.begin_bit = h.begin;
    r.end_bit = h.end;
    sort(&r);
    judge(keys, keys_out.host<T>(), payload_out.host<uint32_t>(), h);
    assert_memory_equal(keys_in.host<T>().data(), keys.data(), n * sizeof(T));
    assert_memory_equal(payload_in.host<uint32_t>().data(), payload.data(), n * h.payload);
}

template <class T> static void all_ways(size_t n)
{
    for (const unsigned payload : {0u, 4u, 8u, 16u})
        for (int descending = 0; descending < 2; descending++)
            sort_keys<T>(n, how{payload, descending != 0, true, 0, 0});
}

static void every_type_payload_and_order(void **)
{
    for (const size_t n : {0, 1, 2, 31, 33, 1021, 4099}) {
        all_ways<uint32_t>(n);
        all_ways<int32_t>(n);
        all_ways<float>(n);
        all_ways<uint64_t>(n);
        all_ways<int64_t>(n);
        all_ways<double>(n);
    }
}

/* Zeros among other keys that agree with them in the bits that count. */
static void some_bits_of_floats(void **)
{
    static const unsigned ranges[][2] = {{0, 1}, {0, 8}, {8, 24}, {3, 31}, {31, 32}, {0, 31}};
    for (const auto &range : ranges)
        for (const unsigned payload : {0u, 4u, 8u})
            for (int descending = 0; descending < 2; descending++) {
                const unsigned up = range[1] == 32 ? 32 : 0;
                sort_keys<float>(3001, how{payload, descending != 0, true, range[0], range[1]});
                sort_keys<double>(
                    3001, how{payload, descending != 0, true, range[0] + up, range[1] + up});
                if (!payload)
                    sort_keys<float>(3001, how{0, descending != 0, true, range[0], range[1]});
            }
}

/* Enough keys for the sort that is not stable, and for several tiles of the other. */
static void many_keys(void **)
{
    const size_t n = 70001;
    rs_sort_request r = {};
    uint64_t bytes[2];
    r.n = n;
    r.type = RS_F32;
    for (r.stable = 0; r.stable < 2; r.stable++)
        assert_int_equal(rs_sort_scratch(&r, &bytes[r.stable]), RS_OK);
    assert_true(bytes[0] != bytes[1]); /* they are two sorts */
    for (int stable = 0; stable < 2; stable++) {
        sort_keys<uint32_t>(n, how{0, false, stable != 0, 0, 0});
        sort_keys<int32_t>(n, how{0, true, stable != 0, 0, 0});
        sort_keys<float>(n, how{0, stable != 0, stable != 0, 0, 0});
        sort_keys<uint64_t>(n / 4, how{0, true, stable != 0, 0, 0});
    }
    for (int descending = 0; descending < 2; descending++) {
        sort_keys<float>(n, how{0, descending != 0, false, 4, 31, true});
        sort_keys<float>(n, how{0, descending != 0, false, 4, 32, true});
        sort_keys<float>(n, how{0, descending != 0, false, 0, 0, true});
        sort_keys<uint32_t>(n, how{0, descending != 0, false, 4, 31, true});
    }
    sort_keys<float>(n, how{4, true, true, 0, 0});
    sort_keys<double>(n / 2, how{16, false, true, 0, 0});
}

/* No bit counts: all is copied. */
static void no_bits(void **)
{
    sort_keys<int64_t>(1000, how{16, false, true, 7, 7});
    sort_keys<float>(1000, how{0, true, true, 32, 32});
}

/* ---- CUB's signatures ------------------------------------------------------------------------ */

struct record {
    double x;
    uint32_t i, unused;
};

static void signatures_of_cub(void **)
{
    typedef gpubench::DeviceRadixSort sorts;
    const int n = 4001;
    std::vector<float> keys(n);
    std::vector<record> values(n);
    for (int i = 0; i < n; i++) {
        keys[(size_t)i] = special<float>((uint64_t)i);
        values[(size_t)i] = record{0.5 * i, (uint32_t)i, 7};
    }
    const array keys_in(n * sizeof(float), keys.data());
    const array values_in(n * sizeof(record), values.data());
    const array keys_out(n * sizeof(float)), values_out(n * sizeof(record));
    float *in = (float *)keys_in.at, *out = (float *)keys_out.at;
    record *from = (record *)values_in.at, *to = (record *)values_out.at;
    for (int descending = 0; descending < 2; descending++) {
        size_t bytes = 0;
        const auto pairs = descending ? sorts::SortPairsDescending<float, record, int>
                                      : sorts::SortPairs<float, record, int>;
        assert_int_equal(pairs(NULL, bytes, in, out, from, to, n, 0, 32, NULL), cudaSuccess);
        const array temp(bytes);
        assert_int_equal(pairs(temp.at, bytes, in, out, from, to, n, 0, 32, NULL), cudaSuccess);
        const std::vector<uint32_t> order = order_of(keys, how{0, descending != 0, true, 0, 0});
        const std::vector<record> found = values_out.host<record>();
        for (size_t i = 0; i < (size_t)n; i++) {
            assert_int_equal(found[i].i, order[i]);
            assert_true(found[i].x == 0.5 * order[i]);
        }
        size_t less = bytes - 1;
        assert_int_equal(pairs(temp.at, less, in, out, from, to, n, 0, 32, NULL),
                         cudaErrorInvalidValue);
        assert_int_equal(pairs(temp.at + 16, bytes, in, out, from, to, n, 0, 32, NULL),
                         cudaErrorInvalidValue);
        assert_int_equal(pairs(temp.at, bytes, in + 1, out, from, to, n - 1, 0, 32, NULL),
                         cudaErrorInvalidValue);
    }
}

/* The result is in the other buffer, which is the current one then. */
static void double_buffers(void **)
{
    typedef gpubench::DeviceRadixSort sorts;
    const unsigned n = 3000;
    std::vector<long long> keys(n);
    std::vector<unsigned> values(n);
    for (unsigned i = 0; i < n; i++) {
        keys[i] = (long long)drawn(9, i) >> 40;
        values[i] = i;
    }
    const array a(n * 8, keys.data()), b(n * 8), c(n * 4, values.data()), d(n * 4);
    gpubench::DoubleBuffer<long long> both_keys((long long *)a.at, (long long *)b.at);
    gpubench::DoubleBuffer<unsigned> both_values((unsigned *)c.at, (unsigned *)d.at);
    size_t bytes = 0;
    assert_int_equal(sorts::SortPairs(NULL, bytes, both_keys, both_values, n), cudaSuccess);
    assert_int_equal(both_keys.selector, 0);
    const array temp(bytes);
    assert_int_equal(sorts::SortPairs(temp.at, bytes, both_keys, both_values, n), cudaSuccess);
    assert_ptr_equal(both_keys.Current(), b.at);
    assert_ptr_equal(both_values.Current(), d.at);
    const std::vector<uint32_t> order = order_of(keys, how{0, false, true, 0, 0});
    const std::vector<unsigned> found = d.host<unsigned>();
    for (size_t i = 0; i < n; i++)
        assert_int_equal(found[i], order[i]);
    /* by no bits: as it is */
    assert_int_equal(sorts::SortKeys(NULL, bytes, both_keys, n, 0, 0), cudaSuccess);
    assert_int_equal(sorts::SortKeysDescending(temp.at, bytes, both_keys, n, 0, 0), cudaSuccess);
    assert_ptr_equal(both_keys.Current(), a.at);
    assert_true(a.host<long long>() == b.host<long long>());
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static void expect(const rs_sort_request *request, void *scratch, uint64_t bytes, rs_status status,
                   const char *words)
{
    assert_int_equal(rs_sort(request, scratch, bytes, NULL), status);
    if (!strstr(rs_sort_error(), words)) fail_msg("'%s' is not in '%s'", words, rs_sort_error());
}

static void mistakes_in_requests_are_named(void **)
{
    const array memory(1 << 22);
    uint64_t bytes;
    rs_sort_request good = {};
    good.keys_in = memory.at;
    good.keys_out = memory.at + 65536;
    good.n = 1000;
    void *scratch = memory.at + 262144;
    assert_int_equal(rs_sort_scratch(&good, &bytes), RS_OK);
    assert_true(bytes > 0 && bytes <= (1 << 22) - 262144);
    assert_int_equal(rs_sort(&good, scratch, bytes, NULL), RS_OK);

#define BAD(change, words)                               \
    {                                                    \
        rs_sort_request bad = good;                      \
        bad.change;                                      \
        expect(&bad, scratch, bytes, RS_INVALID, words); \
    }
    BAD(type = (rs_type)6, "type is 6; it may be 0 (RS_U32) to 5 (RS_F64)")
    BAD(payload_bytes = 12, "payload_bytes is 12; it may be 0, 4, 8 or 16")
    BAD(payload_bytes = 4, "payload_in is NULL")
    BAD(end_bit = 33, "end_bit is 33; keys of this type have 32 bits")
    BAD(begin_bit = 33, "begin_bit is 33, behind end_bit, which is 32")
    BAD(n = ((uint64_t)1 << 40) + 1, "n is 1099511627777; it may be at most 1099511627776")
    BAD(keys_in = NULL, "keys_in is NULL")
    BAD(segments = 3, "there are 3 segments, and offsets is NULL")
    BAD(offsets = (const uint32_t *)memory.at, "segments is 0, and n is not")
#define BAD_SEGMENTS(change, words)                         \
    {                                                       \
        rs_sort_request parted = good;                      \
        parted.offsets = (const uint32_t *)memory.at;       \
        parted.segments = 3;                                \
        parted.change;                                      \
        expect(&parted, scratch, bytes, RS_INVALID, words); \
    }
    BAD_SEGMENTS(begin_bit = 8, "segments are sorted by all bits")
    BAD_SEGMENTS(end_bit = 24, "segments are sorted by all bits")
    BAD_SEGMENTS(payload_bytes = 8, "payload_bytes is 8; with segments it may be 0 or 4")
    BAD_SEGMENTS(n = (uint64_t)1 << 30, "n is 1073741824: at most 2^30 - 1 keys")
    BAD(keys_in = memory.at + 4, "keys_in is not aligned to 16 bytes")
    BAD(keys_out = memory.at, "keys_out is keys_in")
    expect(&good, scratch, bytes - 1, RS_NO_SCRATCH, "are needed");
    expect(&good, NULL, bytes, RS_NO_SCRATCH, "scratch has 0 bytes");
    expect(&good, (char *)scratch + 16, bytes, RS_NO_SCRATCH, "not aligned to 256 bytes");
    rs_sort_request pairs = good;
    pairs.payload_bytes = 4;
    pairs.n = ((uint64_t)1 << 32) + 1;
    assert_int_equal(rs_sort_scratch(&pairs, &bytes), RS_INVALID);
    assert_int_equal(bytes, 0);
    rs_sort_request nothing = good;
    nothing.n = 0;
    nothing.keys_in = nothing.keys_out = NULL;
    assert_int_equal(rs_sort(&nothing, NULL, 0, NULL), RS_OK);
}

/* Segments of a type, each in order by itself, and equal keys in the order of the input. */
template <class T> static void segments_of(rs_type type, bool payload, bool descending)
{
    const uint32_t lengths[] = {0, 1, 33, 64, 0, 700, 5000, 2, 9001, 31};
    const unsigned segments = sizeof lengths / sizeof *lengths;
    std::vector<uint32_t> offsets(1, 0);
    for (const uint32_t length : lengths)
        offsets.push_back(offsets.back() + length);
    const uint32_t n = offsets.back();
    std::vector<T> keys(n);
    std::vector<uint32_t> numbers(n);
    for (uint32_t i = 0; i < n; i++) {
        /* few different values, of both signs */
        keys[i] =
            (T)((double)(drawn(type, i) % 301) - (std::numeric_limits<T>::is_signed ? 150 : 0));
        numbers[i] = i;
    }
    const array in(n * sizeof(T), keys.data()), out(n * sizeof(T));
    const array with(n * 4, numbers.data()), with_out(n * 4);
    const array at(offsets.size() * 4, offsets.data());
    rs_sort_request request = {};
    uint64_t bytes;
    request.keys_in = in.at;
    request.keys_out = out.at;
    request.n = n;
    request.type = type;
    request.descending = descending;
    request.offsets = (const uint32_t *)at.at;
    request.segments = segments;
    if (payload) {
        request.payload_in = with.at;
        request.payload_out = with_out.at;
        request.payload_bytes = 4;
    }
    assert_int_equal(rs_sort_scratch(&request, &bytes), RS_OK);
    const array scratch(bytes + 256);
    unsigned char *aligned = (unsigned char *)(((uintptr_t)scratch.at + 255) / 256 * 256);
    if (rs_sort(&request, aligned, bytes, NULL) != RS_OK) fail_msg("%s", rs_sort_error());
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    for (unsigned s = 0; s < segments; s++)
        std::stable_sort(numbers.begin() + offsets[s], numbers.begin() + offsets[s + 1],
                         [&](uint32_t a, uint32_t b) {
                             return descending ? keys[a] > keys[b] : keys[a] < keys[b];
                         });
    const std::vector<T> found = out.host<T>();
    const std::vector<uint32_t> found_numbers = with_out.host<uint32_t>();
    for (uint32_t i = 0; i < n; i++) {
        assert_true(found[i] == keys[numbers[i]]);
        if (payload) assert_int_equal(found_numbers[i], numbers[i]);
    }
}

static void segments_of_every_type(void **)
{
    for (unsigned i = 0; i < 4; i++) {
        segments_of<uint32_t>(RS_U32, i & 1, i & 2);
        segments_of<uint64_t>(RS_U64, i & 1, i & 2);
        segments_of<int32_t>(RS_I32, i & 1, i & 2);
        segments_of<int64_t>(RS_I64, i & 1, i & 2);
        segments_of<float>(RS_F32, i & 1, i & 2);
        segments_of<double>(RS_F64, i & 1, i & 2);
    }
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    simt::config.workers = 2; /* multiprocessors: n / 2 keys each are work for hybrid */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_payload_and_order),
        cmocka_unit_test(some_bits_of_floats),
        cmocka_unit_test(many_keys),
        cmocka_unit_test(no_bits),
        cmocka_unit_test(segments_of_every_type),
        cmocka_unit_test(signatures_of_cub),
        cmocka_unit_test(double_buffers),
        cmocka_unit_test(mistakes_in_requests_are_named),
    };
    return cmocka_run_group_tests_name("the sort's library", tests, NULL, NULL);
}
