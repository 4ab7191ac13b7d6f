/* A program that sorts by cub::DeviceRadixSort sorts by gpubench's: the namespace is all that
 * changes. Here one function is called with both, and what they give has to be the same, bit by
 * bit: NaNs, infinities, denormals, and zeros of both signs among the keys, the values in order.
 *
 *   nvcc -std=c++17 sort_cub_example.cu $(pkg-config --cflags --libs gpubench) */
#include <gpubench/sort.hpp>

#if !defined( \
    GB_ARCH) /* gpubench's own tests have no CUB on the CPU: a sort of the host's instead */
#include <cub/device/device_radix_sort.cuh>
#include <cuda_runtime.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#define NEED(call)                                                                        \
    do {                                                                                  \
        const cudaError_t code = (call);                                                  \
        if (code != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(code)); \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

struct results {
    std::vector<unsigned char> keys, values;
    bool operator==(const results &other) const
    {
        return keys == other.keys && values == other.values;
    }
};

template <class T> struct array {
    T *at = nullptr;
    explicit array(const std::vector<T> &from) : array(from.size())
    {
        NEED(cudaMemcpy(at, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    explicit array(size_t n) { NEED(cudaMalloc((void **)&at, n * sizeof(T) + 1)); }
    ~array() { (void)cudaFree(at); }
    array(const array &) = delete;
    std::vector<unsigned char> bytes(size_t n) const
    {
        std::vector<unsigned char> all(n * sizeof(T));
        NEED(cudaMemcpy(all.data(), at, all.size(), cudaMemcpyDeviceToHost));
        return all;
    }
};

/* What a program does that sorts pairs, in descending order or not. */
template <class Sort, class Key, class Value>
static results sorted_by(const std::vector<Key> &keys, const std::vector<Value> &values,
                         bool descending)
{
    const size_t n = keys.size();
    const array<Key> keys_in(keys), keys_out(n);
    const array<Value> values_in(values), values_out(n);
    void *temp = nullptr;
    size_t bytes = 0;
    for (int pass = 0; pass < 2; pass++) { /* the size, then the sort */
        if (descending)
            NEED(Sort::SortPairsDescending(temp, bytes, keys_in.at, keys_out.at, values_in.at,
                                           values_out.at, n));
        else
            NEED(Sort::SortPairs(temp, bytes, keys_in.at, keys_out.at, values_in.at, values_out.at,
                                 n));
        if (pass == 0) NEED(cudaMalloc(&temp, bytes));
    }
    NEED(cudaFree(temp));
    return {keys_out.bytes(n), values_out.bytes(n)};
}

#if defined(GB_ARCH)
/* NaNs with the sign come first and others last (there is one of each here), numbers as the
 * language compares them. */
template <class Key, class Value>
static results expected(const std::vector<Key> &keys, const std::vector<Value> &values,
                        bool descending)
{
    auto rank = [](Key key) { return !std::isnan(key) ? 0 : std::signbit(key) ? -1 : 1; };
    auto less = [&](Key a, Key b) {
        return rank(a) != rank(b) ? rank(a) < rank(b) : rank(a) == 0 && a < b;
    };
    std::vector<size_t> order(keys.size());
    std::iota(order.begin(), order.end(), (size_t)0);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return descending ? less(keys[b], keys[a]) : less(keys[a], keys[b]);
    });
    results r = {std::vector<unsigned char>(keys.size() * sizeof(Key)),
                 std::vector<unsigned char>(keys.size() * sizeof(Value))};
    for (size_t i = 0; i < order.size(); i++) {
        std::memcpy(&r.keys[i * sizeof(Key)], &keys[order[i]], sizeof(Key));
        std::memcpy(&r.values[i * sizeof(Value)], &values[order[i]], sizeof(Value));
    }
    return r;
}
#else
template <class Key, class Value>
static results expected(const std::vector<Key> &keys, const std::vector<Value> &values,
                        bool descending)
{
    return sorted_by<cub::DeviceRadixSort>(keys, values, descending);
}
#endif

/* Two thirds numbers of both signs, many of them equal, one third special. */
template <class Key> static std::vector<Key> made(size_t n)
{
    typedef std::numeric_limits<Key> limits;
    const Key specials[] = {
        (Key)0,        limits::infinity(), limits::quiet_NaN(), limits::denorm_min(),
        limits::max(), limits::min()};
    std::vector<Key> keys(n);
    for (size_t i = 0; i < n; i++) {
        const unsigned drawn = (unsigned)i * 2654435761u;
        const Key key = drawn % 3 ? (Key)(drawn >> 16) / 8 : specials[drawn / 4 % 6];
        keys[i] = std::copysign(key, drawn & 1u << 9 ? (Key)-1 : (Key)1);
    }
    return keys;
}

template <class Key, class Value> static int compare(const char *what, size_t n)
{
    const std::vector<Key> keys = made<Key>(n);
    std::vector<Value> values(n);
    int failures = 0;
    for (size_t i = 0; i < n; i++)
        std::memcpy(&values[i], &i, std::min(sizeof(Value), sizeof i));
    for (int descending = 0; descending < 2; descending++) {
        const results ours = sorted_by<gpubench::DeviceRadixSort>(keys, values, descending != 0);
        const bool same = ours == expected(keys, values, descending != 0);
        printf("%s, n = %zu, %s: %s\n", what, n, descending ? "descending" : "ascending",
               same ? "the same" : "DIFFERENT");
        failures += !same;
    }
    return failures;
}

struct wide {
    unsigned word[4];
};

int main()
{
    int failures = 0;
    for (const size_t n : {(size_t)1, (size_t)1000, (size_t)300007}) {
        failures += compare<float, unsigned>("float with 4 bytes", n);
        failures += compare<float, wide>("float with 16 bytes", n);
        failures += compare<double, unsigned long long>("double with 8 bytes", n);
    }
    return failures != 0;
}
