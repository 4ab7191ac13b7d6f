/* Planted: what one block stores and another one is to see, in an order that nobody asked for.
 *
 * Flags are awaited by atomics, so what is missing is the order of the data alone; and data are
 * read by plain loads, which may find what was there before. */
#include "common/cuda/warp.cuh"
#include "tests/worker/primitives/planted/planted.cuh"

enum { order_words = 8 };

static unsigned expect_first_words(const unsigned *in, unsigned *out)
{
    memcpy(out, in, order_words * sizeof *out);
    return order_words;
}

static unsigned expect_sum(const unsigned *in, unsigned *out)
{
    out[0] = 0;
    for (unsigned i = 0; i < planted_words; i++)
        out[0] += in[i];
    return 1;
}

/* scratch: a flag, 32 bytes further a message. */
__device__ static unsigned *message_in(unsigned *scratch)
{
    return scratch + 8;
}

__device__ static void await(unsigned *flag, unsigned value)
{
    while (atomicAdd(flag, 0u) != value) {
    }
}

/* Blocks take what they do from a ticket, so that who is waited for has begun. */
__device__ static unsigned next_ticket(unsigned *scratch)
{
    return atomicAdd(&scratch[4], 1u);
}

/* ---- a message and its flag ------------------------------------------------------------------ */

enum writing {
    written_right,
    written_without_fence,
    fenced_before,
    fenced_for_block,
    flag_is_plain
};
enum reading { read_right, read_without_fence, fenced_before_flag };

template <writing W> __device__ void write_message(const unsigned *in, unsigned *scratch)
{
    unsigned *flag = scratch;
    if (W == fenced_before) __threadfence();
    for (unsigned i = 0; i < order_words; i++)
        message_in(scratch)[i] = in[i];
    if (W == written_right) __threadfence();
    if (W == fenced_for_block) __threadfence_block();
    if (W == flag_is_plain)
        *flag = 1;
    else
        atomicExch(flag, 1u);
}

template <reading R> __device__ void read_message(unsigned *out, unsigned *scratch)
{
    if (R == fenced_before_flag) __threadfence();
    await(scratch, 1);
    if (R == read_right) __threadfence();
    for (unsigned i = 0; i < order_words; i++)
        out[i] = message_in(scratch)[i];
}

template <writing W, reading R>
__device__ void pass_message(const unsigned *in, unsigned *out, unsigned *scratch)
{
    if (next_ticket(scratch) == 0)
        write_message<W>(in, scratch);
    else
        read_message<R>(out, scratch);
}

#define MESSAGE(symbol, text, wrong, right, wrong_writing, wrong_reading)                        \
    template <bool SOUND>                                                                        \
    __global__ void symbol(const unsigned *in, unsigned *out, unsigned *scratch)                 \
    {                                                                                            \
        pass_message<SOUND ? written_right : wrong_writing, SOUND ? read_right : wrong_reading>( \
            in, out, scratch);                                                                   \
    }                                                                                            \
    PLANTED(symbol, text, wrong, right, 2, 1, 0, planted_exact, expect_first_words)

MESSAGE(fence_of_writer, "fence-of-writer", "a message, and a flag by atomicExch, no fence between",
        "a message, a fence, a flag", written_without_fence, read_right);
MESSAGE(fence_of_reader, "fence-of-reader",
        "a flag is awaited, and what it says read without a fence",
        "a flag is awaited, then a fence, then the message", written_right, read_without_fence);
MESSAGE(fence_too_early, "fence-too-early", "the fence stands before the message, not behind it",
        "the fence stands between message and flag", fenced_before, read_right);
MESSAGE(fence_before_flag, "fence-before-flag",
        "the reader's fence stands before the flag is awaited", "the reader's fence stands behind",
        written_right, fenced_before_flag);
MESSAGE(fence_of_block, "fence-of-block",
        "__threadfence_block between message and flag for another block",
        "__threadfence between message and flag", fenced_for_block, read_right);
MESSAGE(flag_by_store, "flag-by-store", "the flag is one more plain store behind the message",
        "the flag is an atomicExch behind a fence", flag_is_plain, read_right);

/* Message and flag are volatile, which PTX takes for relaxed: no order between the two. */
template <bool SOUND>
__global__ void volatile_message(const unsigned *in, unsigned *out, unsigned *scratch)
{
    volatile unsigned *flag = scratch, *message = message_in(scratch);
    if (next_ticket(scratch) == 0) {
        for (unsigned i = 0; i < order_words; i++)
            message[i] = in[i];
        if (SOUND) __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0)
            gb_ask_again();
        __threadfence();
        for (unsigned i = 0; i < order_words; i++)
            out[i] = message[i];
    }
}
PLANTED(volatile_message, "volatile-message",
        "a message and its flag are volatile, without a fence",
        "a message and its flag are volatile, with a fence between", 2, 1, 0, planted_exact,
        expect_first_words);

/* A barrier makes a block's stores known to the thread that raises the flag; only its fence makes
 * them known to other blocks. */
template <bool SOUND>
__global__ void barrier_for_fence(const unsigned *in, unsigned *out, unsigned *scratch)
{
    __shared__ unsigned mine;
    if (threadIdx.x == 0) mine = next_ticket(scratch);
    __syncthreads();
    if (mine == 0) {
        message_in(scratch)[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        if (threadIdx.x != 0) return;
        if (SOUND) __threadfence();
        atomicExch(scratch, 1u);
    } else {
        if (threadIdx.x == 0) {
            await(scratch, 1);
            if (SOUND) __threadfence();
        }
        __syncthreads();
        out[threadIdx.x] = message_in(scratch)[threadIdx.x];
    }
}
PLANTED(barrier_for_fence, "barrier-for-fence", "__syncthreads stands where blocks need a fence",
        "__syncthreads, then one thread's fence and flag", 2, order_words, 0, planted_exact,
        expect_first_words);

/* ---- many blocks ----------------------------------------------------------------------------- */

__device__ static unsigned sum_of_block(const unsigned *in)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < planted_words / order_words; i++)
        sum += in[blockIdx.x * (planted_words / order_words) + i];
    return sum;
}

/* The last block to be done adds up what all have left: CUDA's threadFenceReduction sample. */
template <bool SOUND>
__global__ void last_block(const unsigned *in, unsigned *out, unsigned *scratch)
{
    unsigned *sums = message_in(scratch);
    sums[blockIdx.x] = sum_of_block(in);
    if (SOUND) __threadfence();
    if (next_ticket(scratch) != gridDim.x - 1) return;
    __threadfence();
    unsigned sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
        sum += sums[b];
    out[0] = sum;
}
PLANTED(last_block, "last-block", "the last block adds up sums that no fence stands behind",
        "the last block adds up sums, each with a fence behind it", order_words, 1, 0,
        planted_exact, expect_sum);

/* sum += x by every thread. */
template <bool SOUND>
__global__ void add_by_store(const unsigned *in, unsigned *out, unsigned *scratch)
{
    unsigned *sum = scratch, *done = scratch + 8;
    const unsigned mine = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (SOUND)
        atomicAdd(sum, mine);
    else
        *sum += mine;
    __threadfence();
    if (atomicAdd(done, 1u) != planted_words - 1) return;
    __threadfence();
    out[0] = *sum;
}
PLANTED(add_by_store, "add-by-store", "an atomicAdd turned plain: *sum += x by every thread",
        "a sum by atomicAdd", 4, planted_words / 4, 0, planted_exact, expect_sum);

/* A slot is empty or taken: looked at and stored, instead of exchanged. */
template <bool SOUND>
__global__ void swap_by_store(const unsigned *, unsigned *out, unsigned *scratch)
{
    unsigned *slots = scratch + 8, at = 0;
    for (;; at++) {
        if (SOUND) {
            if (atomicCAS(&slots[at], 0u, 1u) == 0) break;
        } else if (slots[at] == 0) {
            slots[at] = 1;
            break;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
static unsigned expect_places(const unsigned *, unsigned *out)
{
    for (unsigned i = 0; i < 32; i++)
        out[i] = i;
    return 32;
}
PLANTED(swap_by_store, "swap-by-store", "a compare-and-swap turned plain: if (!slot) slot = 1",
        "a slot is taken by atomicCAS", 4, 8, 0, planted_any_order, expect_places);

/* Who first finds no table makes it; the others look whether it is there, and then at it. */
template <bool SOUND>
__global__ void double_checked(const unsigned *in, unsigned *out, unsigned *scratch)
{
    unsigned *made = scratch, *lock = scratch + 8, *table = scratch + 16;
    if (SOUND ? atomicAdd(made, 0u) == 0 : *made == 0) {
        while (atomicCAS(lock, 0u, 1u) != 0) {
        }
        __threadfence();
        if (*made == 0) {
            for (unsigned i = 0; i < order_words; i++)
                table[i] = in[i];
            if (SOUND) __threadfence();
            if (SOUND)
                atomicExch(made, 1u);
            else
                *made = 1;
        }
        __threadfence();
        atomicExch(lock, 0u);
    }
    if (SOUND) __threadfence();
    out[blockIdx.x] = table[blockIdx.x];
}
PLANTED(double_checked, "double-checked",
        "a table is made under a lock, and looked for without order",
        "a table is made under a lock, and looked for by an atomic and a fence", order_words, 1, 0,
        planted_exact, expect_first_words);

/* A lock is given back without a fence: what was stored under it may come later than it. */
template <bool SOUND>
__global__ void unlock_early(const unsigned *in, unsigned *out, unsigned *scratch)
{
    unsigned *lock = scratch, *sum = scratch + 8, *done = scratch + 16;
    const unsigned mine = sum_of_block(in);
    while (atomicCAS(lock, 0u, 1u) != 0) {
    }
    __threadfence();
    *sum += mine;
    const unsigned before = (*done)++;
    if (before == gridDim.x - 1) out[0] = *sum;
    if (SOUND) __threadfence();
    atomicExch(lock, 0u);
}
PLANTED(unlock_early, "unlock-early", "a lock is given back without a fence",
        "a lock is given back behind a fence", order_words, 1, 0, planted_exact, expect_sum);

/* Nodes are pushed before they are filled; the last block takes them as they come. */
template <bool SOUND>
__global__ void push_before_fill(const unsigned *in, unsigned *out, unsigned *scratch)
{
    unsigned *head = scratch, *next = scratch + 16, *value = scratch + 32;
    const unsigned me = next_ticket(scratch) + 1; /* 0: the list's end */
    if (me <= order_words) {
        unsigned seen = atomicAdd(head, 0u), before;
        if (SOUND) value[me] = in[me - 1];
        do {
            next[me] = before = seen;
            __threadfence();
            seen = atomicCAS(head, before, me);
        } while (seen != before);
        if (!SOUND) value[me] = in[me - 1];
        return;
    }
    for (unsigned count = 0; count < order_words;) {
        const unsigned node = atomicAdd(head, 0u);
        __threadfence();
        if (node && atomicCAS(head, node, next[node]) == node) out[count++] = value[node];
    }
}
PLANTED(push_before_fill, "push-before-fill", "a node is in the list before it is filled",
        "a node is filled, then a fence, then it is in the list", order_words + 1, 1, 0,
        planted_any_order, expect_first_words);
