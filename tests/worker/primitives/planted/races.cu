/* Planted: updates that overwrite each other, and what people take for atomic. */
#include "tests/worker/primitives/planted/planted.cuh"

typedef unsigned long long tagged; /* a node below, a tag above */

/* ---- lost updates ---------------------------------------------------------------------------- */

static unsigned expect_maximum(const unsigned *in, unsigned *out)
{
    out[0] = 0;
    for (unsigned i = 0; i < planted_words; i++)
        if (in[i] > out[0]) out[0] = in[i];
    return 1;
}

static unsigned expect_sum(const unsigned *in, unsigned *out)
{
    out[0] = 0;
    for (unsigned i = 0; i < planted_words; i++)
        out[0] += in[i];
    return 1;
}

enum { histogram_bins = 8 };

static unsigned expect_histogram(const unsigned *in, unsigned *out)
{
    for (unsigned i = 0; i < histogram_bins; i++)
        out[i] = 0;
    for (unsigned i = 0; i < planted_words; i++)
        out[in[i] % histogram_bins]++;
    return histogram_bins;
}

/* Between the comparison and the exchange another thread may have stored a larger one. */
template <bool SOUND>
__global__ void lost_update_block(const unsigned *in, unsigned *out, unsigned *)
{
    __shared__ unsigned best;
    if (threadIdx.x == 0) best = 0;
    __syncthreads();
    const unsigned mine = in[threadIdx.x];
    if (SOUND)
        atomicMax(&best, mine);
    else if (mine > best)
        atomicExch(&best, mine);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = best;
}
PLANTED(lost_update_block, "lost-update-block", "a maximum: compared first, exchanged then",
        "a maximum by atomicMax", 1, planted_words, 0, planted_exact, expect_maximum);

/* A block's sum is added by one compare-and-swap that nobody tries again. */
template <bool SOUND>
__global__ void lost_update_grid(const unsigned *in, unsigned *out, unsigned *scratch)
{
    unsigned *total = &scratch[0], *done = &scratch[1];
    if (threadIdx.x != 0) return;
    unsigned mine = 0;
    for (unsigned i = 0; i < blockDim.x; i++)
        mine += in[blockIdx.x * blockDim.x + i];
    unsigned seen = __ldcg(total), before;
    do {
        before = seen;
        seen = atomicCAS(total, before, before + mine);
    } while (SOUND && seen != before);
    if (atomicAdd(done, 1u) == gridDim.x - 1) out[0] = __ldcg(total);
}
PLANTED(lost_update_grid, "lost-update-grid", "a sum by compare-and-swap, tried once",
        "a sum by compare-and-swap, tried until it succeeds", 16, planted_words / 16, 0,
        planted_exact, expect_sum);

/* The commonest of all: counter++ by many threads. */
template <bool SOUND>
__global__ void lost_update_plain(const unsigned *in, unsigned *out, unsigned *)
{
    __shared__ unsigned bins[histogram_bins];
    if (threadIdx.x < histogram_bins) bins[threadIdx.x] = 0;
    __syncthreads();
    unsigned *bin = &bins[in[threadIdx.x] % histogram_bins];
    if (SOUND)
        atomicAdd(bin, 1u);
    else
        *bin = *bin + 1;
    __syncthreads();
    if (threadIdx.x < histogram_bins) out[threadIdx.x] = bins[threadIdx.x];
}
PLANTED(lost_update_plain, "lost-update-plain", "a histogram by bin++", "a histogram by atomicAdd",
        1, planted_words, 0, planted_exact, expect_histogram);

/* ---- reservations ---------------------------------------------------------------------------- */

static unsigned expect_input(const unsigned *in, unsigned *out)
{
    memcpy(out, in, planted_words * sizeof *out);
    return planted_words;
}

/* The place is read first and counted afterwards, so two threads may have the same one. */
template <bool SOUND>
__global__ void double_reservation(const unsigned *in, unsigned *out, unsigned *scratch)
{
    unsigned *cursor = &scratch[0];
    const unsigned mine = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (SOUND) {
        out[atomicAdd(cursor, 1u)] = mine;
    } else {
        out[__ldcg(cursor)] = mine;
        atomicAdd(cursor, 1u);
    }
}
PLANTED(double_reservation, "double-reservation", "a place is read, used, and counted afterwards",
        "a place is what atomicAdd returns", 4, planted_words / 4, 0, planted_any_order,
        expect_input);

/* ---- stacks ---------------------------------------------------------------------------------- */

static const unsigned stack_end = 0xffffffffu, stack_nodes = 16;

/* Treiber's stack. Without a tag the head may be the node of before, on another successor. */
template <bool TAGS> __device__ unsigned pop(tagged *head, const unsigned *next)
{
    tagged old = atomicAdd(head, 0ull), seen;
    for (;; old = seen) {
        const unsigned node = (unsigned)old;
        if (node == stack_end) return stack_end;
        const tagged tag = TAGS ? (old >> 32) + 1 : 0;
        seen = atomicCAS(head, old, tag << 32 | next[node]);
        if (seen == old) return node;
    }
}

template <bool TAGS> __device__ void push(tagged *head, unsigned *next, unsigned node)
{
    tagged old = atomicAdd(head, 0ull), seen;
    for (;; old = seen) {
        next[node] = (unsigned)old;
        __threadfence();
        const tagged tag = TAGS ? (old >> 32) + 1 : 0;
        seen = atomicCAS(head, old, tag << 32 | node);
        if (seen == old) return;
    }
}

static unsigned expect_nodes(const unsigned *, unsigned *out)
{
    for (unsigned i = 0; i < stack_nodes; i++)
        out[i] = i;
    return stack_nodes;
}

/* A stack of as many nodes as threads, which take two and put them back; in the end each keeps one.
 */
template <bool SOUND> __global__ void aba_stack(const unsigned *, unsigned *out, unsigned *scratch)
{
    tagged *head = reinterpret_cast<tagged *>(scratch);
    unsigned *next = scratch + 2;
    const unsigned me = threadIdx.x;
    next[me] = me + 1 < stack_nodes ? me + 1 : stack_end;
    __syncthreads();
    for (int round = 0; round < 4; round++) {
        const unsigned first = pop<SOUND>(head, next), second = pop<SOUND>(head, next);
        if (first != stack_end) push<SOUND>(head, next, first);
        if (second != stack_end) push<SOUND>(head, next, second);
    }
    __syncthreads();
    out[me] = pop<SOUND>(head, next);
}
PLANTED(aba_stack, "aba-stack", "a stack of 16 threads whose head has no tag",
        "a stack of 16 threads with a tag", 1, stack_nodes, 0, planted_any_order, expect_nodes);
