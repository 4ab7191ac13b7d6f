/* Planted: warp operations with a mask of the wrong lanes. */
#include "tests/worker/primitives/planted/planted.cuh"

enum { some_lanes = 20 };

/* Each of the first 20 words, with its successor but for the last. */
static unsigned expect_pairs(const unsigned *in, unsigned *out)
{
    for (unsigned i = 0; i < some_lanes; i++)
        out[i] = in[i] + (i + 1 < some_lanes ? in[i + 1] : in[i]);
    return some_lanes;
}

/* The mask names lanes that do not come. */
template <bool SOUND>
__global__ void mask_of_absent_lanes(const unsigned *in, unsigned *out, unsigned *)
{
    const unsigned mine = in[threadIdx.x];
    if (threadIdx.x < some_lanes) {
        const unsigned mask = SOUND ? (1u << some_lanes) - 1 : 0xffffffffu;
        const unsigned next = __shfl_down_sync(mask, mine, 1); /* planted: mask-of-absent-lanes */
        out[threadIdx.x] = mine + (threadIdx.x + 1 < some_lanes ? next : mine);
    }
    __syncthreads();
}
PLANTED(mask_of_absent_lanes, "mask-of-absent-lanes", "20 lanes shuffle with the mask of 32",
        "20 lanes shuffle with their own mask", 1, 32, 0, planted_exact, expect_pairs);

static unsigned expect_first_of_halves(const unsigned *in, unsigned *out)
{
    for (unsigned i = 0; i < 32; i++)
        out[i] = in[i / 16 * 16];
    return 32;
}

/* Both halves of the warp use the mask of the lower one. */
template <bool SOUND>
__global__ void mask_without_self(const unsigned *in, unsigned *out, unsigned *)
{
    const unsigned half = threadIdx.x / 16;
    const unsigned mask = SOUND ? 0xffffu << 16 * half : 0xffffu;
    out[threadIdx.x] = __shfl_sync(mask, in[threadIdx.x], 0, 16); /* planted: mask-without-self */
}
PLANTED(mask_without_self, "mask-without-self", "the upper half shuffles with the lower one's mask",
        "each half shuffles with its own mask", 1, 32, 0, planted_exact, expect_first_of_halves);

/* How many of a warp's words are beyond 1000 and odd, at each of those. */
static unsigned expect_odd_counts(const unsigned *in, unsigned *out)
{
    unsigned count = 0;
    for (unsigned i = 0; i < 32; i++)
        count += in[i] > 1000 && in[i] % 2;
    for (unsigned i = 0; i < 32; i++)
        out[i] = in[i] > 1000 && in[i] % 2 ? count : 0;
    return 32;
}

/* The mask is of those who take the first branch, the ballot in the second. */
template <bool SOUND>
__global__ void mask_before_divergence(const unsigned *in, unsigned *out, unsigned *)
{
    const unsigned mine = in[threadIdx.x];
    unsigned count = 0;
    unsigned mask = __ballot_sync(0xffffffffu, mine > 1000);
    if (SOUND) mask = __ballot_sync(0xffffffffu, mine > 1000 && mine % 2);
    if (mine > 1000) {
        if (mine % 2)
            count = (unsigned)__popc(__ballot_sync(mask, 1)); /* planted: mask-before-divergence */
    }
    __syncthreads();
    out[threadIdx.x] = count;
}
PLANTED(mask_before_divergence, "mask-before-divergence", "a ballot's mask from before a branch",
        "the mask of those who took the branch", 1, 32, 0, planted_exact, expect_odd_counts);

/* The mask is right, but one lane reads from a lane that is not in it. */
template <bool SOUND>
__global__ void shuffle_from_absent_lane(const unsigned *in, unsigned *out, unsigned *)
{
    const unsigned mine = in[threadIdx.x];
    if (threadIdx.x < some_lanes) {
        const unsigned next = __shfl_down_sync((1u << some_lanes) - 1, mine, 1);
        const bool last = SOUND && threadIdx.x + 1 == some_lanes;
        out[threadIdx.x] = mine + (last ? mine : next);
    }
}
PLANTED(shuffle_from_absent_lane, "shuffle-from-absent-lane",
        "a shuffle from a lane beyond the mask", "the last lane of the mask keeps its own", 1, 32,
        0, planted_exact, expect_pairs);
