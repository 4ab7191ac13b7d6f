/* Barriers, warp operations and atomics against what their definitions say, for every width, for
 * partial warps and partial masks, under all scheduling policies. */
#include "tests/simt/buffer.h"
#include "tests/simt/tap.h"

static const unsigned full = 0xffffffffu;

/* Runs a kernel with (in, out) on one block; in[i] = values[i]. */
template <class T>
static std::vector<T> apply(void (*kernel)(const T *, T *), const std::vector<T> &values,
                            size_t results)
{
    buffer<T> in(values), out(results);
    const cudaError_t code =
        launch(kernel, 1, (unsigned)values.size(), 0, NULL, (const T *)in.at, out.at);
    if (code != cudaSuccess) printf("# %s\n", cudaGetErrorString(code));
    return out.read();
}

static std::vector<unsigned> values_of(unsigned n, unsigned distinct)
{
    std::vector<unsigned> v(n);
    unsigned x = 12345;
    for (unsigned &e : v) {
        x = x * 1664525u + 1013904223u;
        e = (x >> 8) % distinct;
    }
    return v;
}

/* ---- shuffles -------------------------------------------------------------------------------- */

enum shuffle_kind { shuffle_index, shuffle_up, shuffle_down, shuffle_xor };

template <int KIND, class T> __global__ void shuffle_kernel(const T *in, T *out)
{
    const T v = in[threadIdx.x];
    for (int width = 1; width <= 32; width *= 2) {
        for (int d = 0; d < 32; d++) {
            T r;
            if (KIND == shuffle_index) r = __shfl_sync(full, v, d, width);
            if (KIND == shuffle_up) r = __shfl_up_sync(full, v, d, width);
            if (KIND == shuffle_down) r = __shfl_down_sync(full, v, d, width);
            if (KIND == shuffle_xor) r = __shfl_xor_sync(full, v, d, width);
            *out = r;
            out += 32;
        }
    }
}

/* The source lane by the table in the CUDA programming guide. */
static int source_lane(int kind, int lane, int d, int width)
{
    const int first = lane / width * width;
    switch (kind) {
    case shuffle_index:
        return first + d % width;
    case shuffle_up:
        return lane - d >= first ? lane - d : lane;
    case shuffle_down:
        return lane + d < first + width ? lane + d : lane;
    default:
        return (lane ^ d) < first + width ? lane ^ d : lane;
    }
}

template <int KIND, class T> __global__ void shuffle_all(const T *in, T *out)
{
    shuffle_kernel<KIND, T>(in, out + threadIdx.x);
}

template <int KIND, class T> static void test_shuffle(const char *name)
{
    std::vector<T> in(32);
    for (int i = 0; i < 32; i++)
        in[i] = (T)(i * 1000003 + 7) / (T)3;
    const std::vector<T> out = apply<T>(shuffle_all<KIND, T>, in, 6 * 32 * 32);
    bool right = true;
    size_t at = 0;
    for (int width = 1; width <= 32; width *= 2)
        for (int d = 0; d < 32; d++)
            for (int lane = 0; lane < 32; lane++)
                right &= out[at++] == in[source_lane(KIND, lane, d, width)];
    ok(right, "%s", name);
}

static void test_shuffles()
{
    test_shuffle<shuffle_index, unsigned>("__shfl_sync, every width and source");
    test_shuffle<shuffle_up, int>("__shfl_up_sync, every width and distance");
    test_shuffle<shuffle_down, float>("__shfl_down_sync of floats");
    test_shuffle<shuffle_xor, unsigned long long>("__shfl_xor_sync of 64-bit integers");
    test_shuffle<shuffle_down, double>("__shfl_down_sync of doubles");
}

/* ---- votes ----------------------------------------------------------------------------------- */

__global__ void vote_kernel(const unsigned *in, unsigned *out)
{
    const unsigned v = in[threadIdx.x], t = threadIdx.x, n = blockDim.x;
    out[t] = __ballot_sync(full, v & 1);
    out[n + t] = (unsigned)__all_sync(full, v < 4);
    out[2 * n + t] = (unsigned)__any_sync(full, v == 5);
    /* the two halves of the warp vote by themselves, in turns */
    if (t % 32 < 16)
        out[3 * n + t] = __ballot_sync(0x0000ffffu, v & 2);
    else
        out[3 * n + t] = __ballot_sync(0xffff0000u, v & 4);
}

static void test_votes()
{
    const unsigned n = 80; /* the last warp is half full */
    const std::vector<unsigned> in = values_of(n, 6);
    const std::vector<unsigned> out = apply<unsigned>(vote_kernel, in, 4 * n);
    bool right = true;
    for (unsigned t = 0; t < n; t++) {
        const unsigned first = t / 32 * 32, end = first + 32 < n ? first + 32 : n;
        unsigned odd = 0, all = 1, any = 0, half = 0;
        for (unsigned i = first; i < end; i++) {
            odd |= (in[i] & 1) << (i - first);
            all &= in[i] < 4;
            any |= in[i] == 5;
            if ((i % 32 < 16) == (t % 32 < 16))
                half |= (unsigned)((in[i] & (t % 32 < 16 ? 2 : 4)) != 0) << (i - first);
        }
        right &= out[t] == odd && out[n + t] == all && out[2 * n + t] == any;
        right &= out[3 * n + t] == half;
    }
    ok(right, "ballot, all, any; by whole and half warps, in a partial warp");
}

/* Lanes that leave early are waited for no longer. */
__global__ void leaving_kernel(const unsigned *in, unsigned *out)
{
    if (threadIdx.x & 1) return;
    out[threadIdx.x] = __ballot_sync(full, 1);
    __syncthreads();
    out[threadIdx.x] += in[threadIdx.x];
}

static void test_leaving()
{
    const std::vector<unsigned> out =
        apply<unsigned>(leaving_kernel, std::vector<unsigned>(64, 1), 64);
    bool right = true;
    for (unsigned t = 0; t < 64; t++)
        right &= out[t] == (t & 1 ? 0 : 0x55555556u);
    ok(right, "threads that have ended are not waited for");
}

/* ---- match and reduce ------------------------------------------------------------------------ */

#if GB_ARCH >= 700
__global__ void match_kernel(const unsigned *in, unsigned *out)
{
    const unsigned t = threadIdx.x, n = blockDim.x;
    int equal;
    out[t] = __match_any_sync(full, in[t]);
    out[n + t] = __match_all_sync(full, in[t], &equal);
    out[2 * n + t] = (unsigned)equal;
    out[3 * n + t] = __match_all_sync(full, (unsigned long long)t / 32 << 40, &equal);
    out[4 * n + t] = (unsigned)equal;
}

static void test_match()
{
    const std::vector<unsigned> in = values_of(64, 5);
    const std::vector<unsigned> out = apply<unsigned>(match_kernel, in, 5 * 64);
    bool any = true, all = true;
    for (unsigned t = 0; t < 64; t++) {
        unsigned same = 0;
        for (unsigned i = 0; i < 32; i++)
            same |= (unsigned)(in[t / 32 * 32 + i] == in[t]) << i;
        any &= out[t] == same;
        all &= out[64 + t] == 0 && out[128 + t] == 0 && out[192 + t] == full && out[256 + t] == 1;
    }
    ok(any, "__match_any_sync");
    ok(all, "__match_all_sync of different and of equal 64-bit values");
}
#endif

/* Declared for a generation exactly if it has them: a call that depends on a template parameter is
 * resolved here if anywhere. */
template <class T> static auto has_match(T v) -> decltype(__match_any_sync(full, v), true)
{
    return true;
}
template <class... T> static bool has_match(T...)
{
    return false;
}
template <class T> static auto has_reduce(T v) -> decltype(__reduce_add_sync(full, v), true)
{
    return true;
}
template <class... T> static bool has_reduce(T...)
{
    return false;
}

#if GB_ARCH >= 800
__global__ void reduce_kernel(const int *in, int *out)
{
    const int v = in[threadIdx.x];
    const unsigned u = (unsigned)v, t = threadIdx.x;
    const int results[9] = {__reduce_add_sync(full, v),      __reduce_min_sync(full, v),
                            __reduce_max_sync(full, v),      (int)__reduce_add_sync(full, u),
                            (int)__reduce_min_sync(full, u), (int)__reduce_max_sync(full, u),
                            (int)__reduce_and_sync(full, u), (int)__reduce_or_sync(full, u),
                            (int)__reduce_xor_sync(full, u)};
    for (int i = 0; i < 9; i++)
        out[i * 32 + t] = results[i];
}

static void test_reduce()
{
    std::vector<int> in(32);
    unsigned expected[9] = {0, 0x7fffffff, 0x80000000, 0, full, 0, full, 0, 0};
    for (int i = 0; i < 32; i++) {
        in[i] = (i * 7919 - 100000) | 0x40;
        const unsigned u = (unsigned)in[i];
        expected[0] += u;
        expected[3] += u;
        if (in[i] < (int)expected[1]) expected[1] = u;
        if (in[i] > (int)expected[2]) expected[2] = u;
        if (u < expected[4]) expected[4] = u;
        if (u > expected[5]) expected[5] = u;
        expected[6] &= u;
        expected[7] |= u;
        expected[8] ^= u;
    }
    const std::vector<int> out = apply<int>(reduce_kernel, in, 9 * 32);
    bool right = true;
    for (int i = 0; i < 9 * 32; i++)
        right &= (unsigned)out[i] == expected[i / 32];
    ok(right, "__reduce_*_sync, signed and unsigned");
}
#endif

static void test_generation()
{
    ok(has_match(1u) == (GB_ARCH >= 700), "__match_any_sync exists from Volta on");
    ok(has_reduce(1u) == (GB_ARCH >= 800), "__reduce_add_sync exists from Ampere on");
#if GB_ARCH >= 700
    test_match();
#endif
#if GB_ARCH >= 800
    test_reduce();
#endif
}

/* ---- the block ------------------------------------------------------------------------------- */

__global__ void barrier_kernel(const unsigned *in, unsigned *out)
{
    __shared__ unsigned turn[3][32][8];
    const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    turn[threadIdx.z][threadIdx.y][threadIdx.x] = in[0] + t;
    __syncthreads();
    const unsigned n = blockDim.x * blockDim.y * blockDim.z, other = n - 1 - t;
    const unsigned seen = turn[other / 256][other / 8 % 32][other % 8];
    unsigned wrong = seen != in[0] + other;
    for (int round = 0; round < 3; round++) { /* the results of successive barriers stay apart */
        wrong += __syncthreads_count(t % 3 == (unsigned)round) != (int)(n / 3);
        wrong += __syncthreads_or(t == 5) != 1 || __syncthreads_or(0) != 0;
        wrong += __syncthreads_and(1) != 1 || __syncthreads_and(t != 5) != 0;
    }
    out[(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * n + t] = wrong;
}

static void test_barriers()
{
    buffer<unsigned> in(std::vector<unsigned>(1, 9)), out(24 * 768, 0xff);
    const cudaError_t code = launch(barrier_kernel, dim3(2, 3, 4), dim3(8, 32, 3), 0, NULL,
                                    (const unsigned *)in.at, out.at);
    bool right = code == cudaSuccess;
    for (unsigned wrong : out.read())
        right &= wrong == 0;
    ok(right, "__syncthreads and its count, or, and; blocks and grids of three dimensions");
}

/* ---- atomics --------------------------------------------------------------------------------- */

struct atomic_cells {
    int add, sub, smallest, largest;
    unsigned bits_and, bits_or, bits_xor, wrap_up, wrap_down, swapped, increments;
    unsigned long long wide, wide_min;
    long long wide_max;
    float real;
};

__global__ void atomics_kernel(atomic_cells *cells, unsigned *seen)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    seen[atomicAdd(&cells->add, 1)] += 1;
    atomicSub(&cells->sub, i);
    atomicMin(&cells->smallest, 5 - i);
    atomicMax(&cells->largest, i * 3);
    atomicAnd(&cells->bits_and, ~(1u << i % 32));
    atomicOr(&cells->bits_or, 1u << i % 31);
    atomicXor(&cells->bits_xor, (unsigned)i);
    atomicInc(&cells->wrap_up, 9);
    atomicDec(&cells->wrap_down, 9);
    atomicAdd(&cells->wide, 0x100000001ull);
    atomicMin(&cells->wide_min, 0x7000000000ull - (unsigned)i);
    atomicMax(&cells->wide_max, -1000000000000ll + i);
    atomicAdd(&cells->real, 0.5f);
    unsigned old = cells->increments, assumed;
    do {
        assumed = old;
        old = atomicCAS(&cells->increments, assumed, assumed + 1);
    } while (old != assumed);
    atomicExch(&cells->swapped, 77u);
}

static void test_atomics()
{
    const int n = 4000;
    atomic_cells start = {};
    start.bits_and = full;
    start.wide_min = ~0ull;
    start.wide_max = -2000000000000ll;
    buffer<atomic_cells> cells(std::vector<atomic_cells>(1, start));
    buffer<unsigned> seen(n);
    const cudaError_t code = launch(atomics_kernel, n / 100, 100, 0, NULL, cells.at, seen.at);
    const atomic_cells c = cells.read()[0];
    unsigned bits = 0;
    bool once = code == cudaSuccess;
    for (int i = 0; i < n; i++)
        bits ^= (unsigned)i;
    for (unsigned count : seen.read())
        once &= count == 1;
    ok(once && c.add == n, "atomicAdd returns every ticket once");
    ok(c.sub == -(n * (n - 1) / 2) && c.smallest == 6 - n && c.largest == 3 * (n - 1),
       "atomicSub, atomicMin, atomicMax");
    ok(c.bits_and == 0 && c.bits_or == 0x7fffffffu && c.bits_xor == bits, "atomicAnd, Or, Xor");
    ok(c.wrap_up == n % 10 && c.wrap_down == (10 - n % 10) % 10, "atomicInc and atomicDec wrap");
    ok(c.wide == n * 0x100000001ull && c.wide_min == 0x7000000001ull - n &&
           c.wide_max == -1000000000001ll + n,
       "64-bit atomics");
    ok(c.real == 0.5f * n && c.increments == n && c.swapped == 77, "float add, CAS loop, exchange");
}

/* Lanes draw tickets: before, lane `late` is the last to come to the lockstep. */
__global__ void lockstep_kernel(unsigned late, unsigned *tickets, unsigned *drawn)
{
    const unsigned lane = threadIdx.x;
    if (lane == late || lane == 31) __syncwarp(1u << late | 1u << 31); /* whom 31 wakes */
    simt_lockstep();
    drawn[lane] = atomicAdd(tickets, 1u);
    simt_lockstep();
    drawn[32 + lane] = atomicAdd(tickets, 1u);
}

static void test_lockstep()
{
    bool right = true;
    for (const unsigned late : {0u, 5u, 30u}) {
        buffer<unsigned> tickets(std::vector<unsigned>(1, 0)), drawn(64);
        right &= launch(lockstep_kernel, 1, 32, 0, NULL, late, tickets.at, drawn.at) == cudaSuccess;
        unsigned lane = 0;
        for (const unsigned ticket : drawn.read())
            right &= ticket == lane++;
    }
    ok(right, "after a lockstep lanes go on in their order");
}

int main()
{
    static const char *const names[] = {"round robin", "random", "unfair"};
    for (int policy = 0; policy < 3; policy++) {
        simt::config.policy = (simt::policy)policy;
        simt::config.preempt_atomic = policy == simt::random_order ? 200 : 0;
        printf("# %s\n", names[policy]);
        test_shuffles();
        test_votes();
        test_leaving();
        test_generation();
        test_barriers();
        test_atomics();
        if (policy == simt::round_robin) test_lockstep();
    }
    return tap_done();
}
