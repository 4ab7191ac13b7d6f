/* Planted: memory of others, and memory that nobody has set. */
#include "tests/worker/primitives/planted/planted.cuh"

enum { tile = 64 };

static unsigned expect_input(const unsigned *in, unsigned *out)
{
    memcpy(out, in, planted_words * sizeof *out);
    return planted_words;
}

/* Differences of neighbours in a ring of 64 words, and those words. */
static unsigned expect_ring(const unsigned *in, unsigned *out)
{
    for (unsigned i = 0; i < tile; i++) {
        out[i] = in[(i + 1) % tile] - in[i];
        out[tile + i] = in[i];
    }
    return 2 * tile;
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* A tile without room for its halo. */
template <bool SOUND>
__global__ void shared_static_end(const unsigned *in, unsigned *out, unsigned *)
{
    __shared__ unsigned s[SOUND ? tile + 1 : tile];
    const unsigned i = threadIdx.x;
    s[i] = in[i];
    if (i == 0) s[blockDim.x] = in[0]; /* planted: shared-static-end */
    __syncthreads();
    out[i] = s[i + 1] - s[i];
    out[tile + i] = s[i];
}
PLANTED(shared_static_end, "shared-static-end", "a static array without room for its halo",
        "a static array with room for its halo", 1, tile, 0, planted_exact, expect_ring);

/* Rows of 8 words, padded to 9 in one place and not in the other: the last ones lie in the next
 * array, or in none. */
template <bool SOUND>
__global__ void shared_static_neighbour(const unsigned *in, unsigned *out, unsigned *)
{
    __shared__ unsigned rows[SOUND ? 8 * 9 : 8 * 8], ring[tile + 1];
    const unsigned i = threadIdx.x, at = i / 8 * 9 + i % 8;
    ring[i] = in[i];
    if (i == 0) ring[tile] = in[0];
    __syncthreads();
    rows[at] = in[i]; /* planted: shared-static-neighbour */
    __syncthreads();
    out[i] = ring[i + 1] - ring[i];
    out[tile + i] = rows[at];
}
PLANTED(shared_static_neighbour, "shared-static-neighbour",
        "padded rows in an array without padding", "padded rows in an array with padding", 1, tile,
        0, planted_exact, expect_ring);

/* One word beyond the dynamic shared memory that was asked for. */
template <bool SOUND>
__global__ void shared_dynamic_end(const unsigned *in, unsigned *out, unsigned *)
{
    GB_DYNAMIC_SHARED();
    unsigned *s = reinterpret_cast<unsigned *>(gb_shared_memory);
    const unsigned i = threadIdx.x, next = SOUND ? (i + 1) % tile : i + 1;
    s[i] = in[i];
    __syncthreads();
    if (!SOUND && i == 0) s[tile] = s[0]; /* planted: shared-dynamic-end */
    __syncthreads();
    out[i] = s[next] - s[i];
    out[tile + i] = s[i];
}
PLANTED(shared_dynamic_end, "shared-dynamic-end", "a halo beyond the dynamic shared memory",
        "a ring within the dynamic shared memory", 1, tile, tile * sizeof(unsigned), planted_exact,
        expect_ring);

/* Two arrays carved out of the dynamic shared memory, the second one a word too early. */
template <bool SOUND>
__global__ void shared_dynamic_neighbour(const unsigned *in, unsigned *out, unsigned *)
{
    GB_DYNAMIC_SHARED();
    unsigned *ring = reinterpret_cast<unsigned *>(gb_shared_memory);
    unsigned *words = ring + (SOUND ? tile + 1 : tile);
    const unsigned i = threadIdx.x;
    words[i] = in[i];
    ring[i] = in[i];
    __syncthreads();
    if (i == 0) ring[tile] = in[1] + 1;
    __syncthreads();
    out[i] = (i + 1 == tile ? ring[0] : ring[i + 1]) - ring[i];
    out[tile + i] = words[i];
}
PLANTED(shared_dynamic_neighbour, "shared-dynamic-neighbour",
        "carved arrays that overlap by a word", "carved arrays side by side", 1, tile,
        (2 * tile + 1) * sizeof(unsigned), planted_exact, expect_ring);

/* ---- device memory --------------------------------------------------------------------------- */

/* i <= n, where i < n was meant. */
template <bool SOUND> __global__ void global_behind(const unsigned *in, unsigned *out, unsigned *)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (SOUND ? i < planted_words : i <= planted_words) out[i] = i < planted_words ? in[i] : 0;
}
PLANTED(global_behind, "global-behind", "one word is stored behind the end", "i < n, not i <= n", 5,
        64, 0, planted_exact, expect_input);

/* out[i - 1], but not for the first. */
template <bool SOUND> __global__ void global_before(const unsigned *in, unsigned *out, unsigned *)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (!SOUND || i > 0) out[i - 1] = in[i > 0 ? i - 1 : 0];
    if (i == 0) out[planted_words - 1] = in[planted_words - 1];
}
PLANTED(global_before, "global-before", "one word is stored before the begin", "none for thread 0",
        4, 64, 0, planted_exact, expect_input);

/* The same with an unsigned index, which is 4 G words away. */
template <bool SOUND> __global__ void global_far(const unsigned *in, unsigned *out, unsigned *)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!SOUND || i > 0) out[i - 1] = in[i > 0 ? i - 1 : 0]; /* planted: global-far */
    if (i == 0) out[planted_words - 1] = in[planted_words - 1];
}
PLANTED(global_far, "global-far", "an unsigned index of -1", "none for thread 0", 4, 64, 0,
        planted_exact, expect_input);

/* The last word has no successor. */
template <bool SOUND>
__global__ void global_read_behind(const unsigned *in, unsigned *out, unsigned *)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool has_next = SOUND ? i + 1 < planted_words : i < planted_words;
    out[i] = has_next ? max(in[i], in[i + 1]) : in[i];
}

static unsigned expect_larger(const unsigned *in, unsigned *out)
{
    for (unsigned i = 0; i < planted_words; i++)
        out[i] = i + 1 < planted_words && in[i + 1] > in[i] ? in[i + 1] : in[i];
    return planted_words;
}
PLANTED(global_read_behind, "global-read-behind", "the last word's successor is read",
        "the last word has no successor", 4, 64, 0, planted_exact, expect_larger);

/* ---- what nobody has set --------------------------------------------------------------------- */

static unsigned expect_odd(const unsigned *in, unsigned *out)
{
    out[0] = 0;
    for (unsigned i = 0; i < planted_words; i++)
        out[0] += in[i] % 2;
    return 1;
}

template <bool SOUND>
__global__ void uninitialised_shared(const unsigned *in, unsigned *out, unsigned *)
{
    __shared__ unsigned odd;
    if (SOUND && threadIdx.x == 0) odd = 0;
    __syncthreads();
    if (in[threadIdx.x] % 2) atomicAdd(&odd, 1u);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = odd;
}
PLANTED(uninitialised_shared, "uninitialised-shared", "a shared counter that nobody clears",
        "a shared counter that is cleared", 1, planted_words, 0, planted_exact, expect_odd);

/* The memory is cleared, or not, by the host. */
template <bool SOUND>
__global__ void uninitialised_device(const unsigned *in, unsigned *out, unsigned *scratch)
{
    unsigned *odd = &scratch[0], *done = &scratch[1];
    if (in[blockIdx.x * blockDim.x + threadIdx.x] % 2) atomicAdd(odd, 1u);
    __syncthreads();
    __threadfence();
    if (threadIdx.x == 0 && (atomicAdd(done, 1u) + 1) % gridDim.x == 0) out[0] = __ldcg(odd);
}
PLANTED(uninitialised_device, "uninitialised-device", "counters in memory that nobody clears",
        "counters in memory that is cleared", 4, 64, 0, planted_not_cleared, expect_odd);
