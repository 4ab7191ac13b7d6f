/* Litmus tests of memory whose stores stay behind: what PTX forbids never shows, and what it allows
 * and the model has does show. x and y are words of device memory, r what was read; all are 0. */
#include "common/cuda/device.cuh"

#include "tests/simt/buffer.h"
#include "tests/simt/tap.h"

struct words {
    unsigned x, other_granules[15], y, other_granules_too[15], r[4];
};
struct many {
    unsigned word[8];
};

__device__ static unsigned look(unsigned *at)
{
    return atomicAdd(at, 0u);
}
__device__ static unsigned look_volatile(unsigned *at)
{
    return *static_cast<volatile unsigned *>(at);
}
__device__ static void set_volatile(unsigned *at, unsigned value)
{
    *static_cast<volatile unsigned *>(at) = value;
}
template <bool YES> __device__ void fence_if()
{
    if (YES) __threadfence();
}

/* ---- a message ------------------------------------------------------------------------------- */

template <bool WRITER, bool READER> __global__ void message(words *m)
{
    if (blockIdx.x == 0) {
        m->x = 1;
        fence_if<WRITER>();
        atomicExch(&m->y, 1u);
    } else {
        m->r[0] = look(&m->y);
        fence_if<READER>();
        m->r[1] = m->x;
    }
}
template <bool WRITER, bool READER> __global__ void message_volatile(words *m)
{
    if (blockIdx.x == 0) {
        set_volatile(&m->x, 1);
        fence_if<WRITER>();
        set_volatile(&m->y, 1);
    } else {
        m->r[0] = look_volatile(&m->y);
        fence_if<READER>();
        m->r[1] = look_volatile(&m->x);
    }
}
/* Of which the data are updated, which happens at once, and looked at past the L1. */
template <bool WRITER, bool READER> __global__ void message_updated(words *m)
{
    if (blockIdx.x == 0) {
        atomicAdd(&m->x, 1u);
        fence_if<WRITER>();
        atomicExch(&m->y, 1u);
    } else {
        m->r[0] = look(&m->y);
        fence_if<READER>();
        m->r[1] = __ldcg(&m->x);
    }
}
template <bool WRITER, bool READER> __global__ void message_of_many(words *m)
{
    many *data = reinterpret_cast<many *>(&m->y + 1);
    if (blockIdx.x == 0) {
        many out = {{1, 1, 1, 1, 1, 1, 1, 1}};
        *data = out;
        fence_if<WRITER>();
        atomicExch(&m->x, 1u);
    } else {
        m->r[0] = look(&m->x);
        fence_if<READER>();
        m->r[1] = data->word[5];
    }
}
static bool is_stale(const words &m)
{
    return m.r[0] == 1 && m.r[1] == 0;
}

/* Written by one thread, announced by another one of its block; read likewise. */
enum meeting { barrier, lanes, block_fence, nothing };
template <meeting HOW> __device__ void meet(unsigned *flag, bool first)
{
    if (HOW == barrier) __syncthreads();
    if (HOW == lanes) __syncwarp();
    if (HOW != block_fence) return;
    if (first) {
        __threadfence_block();
        atomicExch(flag, 1u);
    } else {
        while (look(flag) == 0) {
        }
        __threadfence_block();
    }
}
template <meeting HOW, bool WRITER, bool READER> __global__ void message_by_two(words *m)
{
    __shared__ unsigned flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    const bool writes = blockIdx.x == 0, first = threadIdx.x == 0;
    if (writes && first) m->x = 1;
    if (!writes && first) {
        m->r[0] = look(&m->y);
        fence_if<READER>();
    }
    meet<HOW>(&flag, first);
    if (writes && !first) {
        fence_if<WRITER>();
        atomicExch(&m->y, 1u);
    }
    if (!writes && !first) m->r[1] = m->x;
}

/* Somebody between has seen the message, and says so behind a fence. */
template <bool SAME_BLOCK> __global__ void passed_on(words *m)
{
    const unsigned who = SAME_BLOCK ? 2 * blockIdx.x + threadIdx.x : blockIdx.x;
    if (who == 0) {
        set_volatile(&m->x, 1);
    } else if (who == 1) {
        const unsigned seen = look_volatile(&m->x);
        __threadfence();
        if (seen) atomicExch(&m->y, 1u);
    } else if (who == 2) {
        m->r[0] = look(&m->y);
        __threadfence();
        m->r[1] = look_volatile(&m->x);
    }
}
static bool is_lost(const words &m)
{
    return m.y == 1 && is_stale(m);
}

/* Who has seen the flag stores as well, and what was stored before the flag comes later. */
template <bool FENCES> __global__ void overtaken(words *m)
{
    if (blockIdx.x == 0) {
        m->x = 1;
        fence_if<FENCES>();
        atomicExch(&m->y, 1u);
    } else if (look(&m->y)) {
        fence_if<FENCES>();
        atomicExch(&m->x, 2u);
        m->r[0] = 1;
    }
}
static bool is_overtaken(const words &m)
{
    return m.r[0] == 1 && m.x == 1;
}

/* ---- each waits for the other one, and who sees what first ----------------------------------- */

template <bool FENCES> __global__ void store_then_look(words *m)
{
    unsigned *mine = blockIdx.x ? &m->y : &m->x, *other = blockIdx.x ? &m->x : &m->y;
    *mine = 1;
    fence_if<FENCES>();
    m->r[blockIdx.x] = look_volatile(other);
}
static bool neither_saw(const words &m)
{
    return m.r[0] == 0 && m.r[1] == 0;
}

__global__ void four_blocks(words *m)
{
    if (blockIdx.x < 2) {
        set_volatile(blockIdx.x ? &m->y : &m->x, 1);
        return;
    }
    const bool third = blockIdx.x == 2;
    const unsigned first = look_volatile(third ? &m->x : &m->y);
    __threadfence();
    const unsigned then = look_volatile(third ? &m->y : &m->x);
    m->r[third ? 0 : 1] = first == 1 && then == 0;
}
static bool orders_differ(const words &m)
{
    return m.r[0] && m.r[1];
}

/* ---- one place ------------------------------------------------------------------------------- */

__global__ void counts_up(words *m)
{
    if (blockIdx.x == 0) {
        set_volatile(&m->x, 1);
        atomicAdd(&m->x, 1u);
        set_volatile(&m->x, 3);
    } else {
        for (int i = 0; i < 3; i++)
            m->r[i] = look_volatile(&m->x);
        m->r[3] = m->x; /* plainly, of what was seen */
    }
}
static bool goes_back(const words &m)
{
    return m.r[1] < m.r[0] || m.r[2] < m.r[1] || m.r[3] < m.r[2] || m.x != 3;
}

__global__ void own_stores(words *m)
{
    if (blockIdx.x == 0) {
        unsigned char *bytes = reinterpret_cast<unsigned char *>(&m->x);
        bytes[1] = 7;
        m->x = 5;
        m->r[0] = m->x;
        bytes[2] = 1;
        m->r[1] = m->x;
        m->r[2] = atomicAdd(&m->x, 1u);
        m->r[3] = m->x;
    } else {
        atomicAdd(&m->y, 1u);
    }
}
static bool forgets(const words &m)
{
    return m.r[0] != 5 || m.r[1] != 65541 || m.r[2] != 65541 || m.r[3] != 65542 || m.x != 65542;
}

__global__ void store_and_add(words *m)
{
    if (blockIdx.x == 0) m->x = 100;
    atomicAdd(&m->x, 1u);
}
static bool sum_is_wrong(const words &m)
{
    return m.x != 101 && m.x != 102;
}

/* ---- the heap -------------------------------------------------------------------------------- */

__global__ void heap_message(words *m)
{
    unsigned **word = reinterpret_cast<unsigned **>(m->other_granules + 1);
    if (blockIdx.x == 0) {
        unsigned *made = static_cast<unsigned *>(malloc(64));
        *made = 1;
        __threadfence();
        *word = made;
        __threadfence();
        atomicExch(&m->y, 1u);
        unsigned *short_lived = static_cast<unsigned *>(malloc(64));
        *short_lived = 1;
        free(short_lived); /* whoever has the memory next keeps what is in it */
    } else {
        m->r[0] = look(&m->y);
        __threadfence();
        if (!m->r[0]) return;
        m->r[1] = **word;
        free(*word);
    }
}

/* ---- where allocations lie ------------------------------------------------------------------- */

/* Two arrays, passed through by each other's blocks; r: what was read, mixed. */
__global__ void two_arrays(words *m, words *n)
{
    for (unsigned i = 1; i <= 40; i++) {
        if (blockIdx.x == 0) m->x = i;
        if (blockIdx.x == 1) n->x = i;
        const unsigned seen = look(&m->r[2]) + look(&n->r[2]) + m->x + 64 * n->x;
        m->r[blockIdx.x] = m->r[blockIdx.x] * 31 + seen + look(&m->x) + look(&n->x);
    }
}

/* ---- what shows ------------------------------------------------------------------------------ */

static words run(void (*kernel)(words *), unsigned blocks, unsigned threads, uint64_t seed)
{
    simt::reseed(seed);
    buffer<words> m(1);
    if (launch(kernel, blocks, threads, 0, NULL, m.at) != cudaSuccess) {
        printf("# %s\n", cudaGetErrorString(cudaGetLastError()));
        abort();
    }
    return m.read()[0];
}

static const uint64_t seeds = 400;

static void never(const char *what, void (*kernel)(words *), bool (*weak)(const words &),
                  unsigned blocks = 2, unsigned threads = 1)
{
    uint64_t shown = 0;
    for (uint64_t seed = 1; seed <= seeds && !shown; seed++)
        if (weak(run(kernel, blocks, threads, seed))) shown = seed;
    ok(shown == 0, "never: %s%s", what, shown ? " (it did)" : "");
}

static void shows(const char *what, void (*kernel)(words *), bool (*weak)(const words &),
                  unsigned blocks = 2, unsigned threads = 1)
{
    uint64_t shown = 0;
    for (uint64_t seed = 1; seed <= seeds && !shown; seed++)
        if (weak(run(kernel, blocks, threads, seed))) shown = seed;
    bool again = shown != 0;
    for (int i = 0; i < 3 && again; i++)
        again = weak(run(kernel, blocks, threads, shown));
    ok(again, "shows, and is replayed: %s", what);
}

/* A failure of a worker that has done much is one of a fresh worker, whose allocations lie
 * elsewhere. */
static void same_wherever_it_lies()
{
    /* multiples of 256 end in the same 12 bits of the address, those of 4096 in the same 16 */
    static const unsigned distances[] = {1, 2, 3, 7, 100, 256, 257, 512, 768, 4096, 4097, 8192};
    const unsigned count = sizeof distances / sizeof *distances;
    unsigned differ = 0, low = 0;
    buffer<words> all(distances[count - 1] + 1);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        words first = {};
        for (unsigned i = 0; i < count; i++) {
            words m, *const other = all.at + distances[i];
            simt::reseed(seed);
            if (cudaMemset(all.at, 0, sizeof m) || cudaMemset(other, 0, sizeof m)) abort();
            if (launch(two_arrays, 3, 1, 0, NULL, all.at, other) != cudaSuccess) abort();
            if (cudaMemcpy(&m, all.at, sizeof m, cudaMemcpyDeviceToHost)) abort();
            if (i == 0) first = m;
            differ += memcmp(m.r, first.r, sizeof m.r) != 0;
        }
        low += first.r[0] < 1u << 31;
    }
    ok(differ == 0, "the same wherever allocations lie: %u of %u are not", differ, 60 * count);
    ok(low > 0 && low < 60, "and differs among seeds");
}

static void test_messages()
{
    shows("a message without the writer's fence", message<false, true>, is_stale);
    shows("without the reader's", message<true, false>, is_stale);
    never("with both", message<true, true>, is_stale);
    shows("a volatile one without the writer's", message_volatile<false, true>, is_stale);
    never("with both", message_volatile<true, true>, is_stale);
    shows("an updated one without the writer's", message_updated<false, true>, is_stale);
    never("with both", message_updated<true, true>, is_stale);
    shows("one of many words without the writer's", message_of_many<false, true>, is_stale);
    never("with both", message_of_many<true, true>, is_stale);

    shows("one that passed a barrier, not a fence", message_by_two<barrier, false, true>, is_stale,
          2, 2);
    shows("likewise where it is read", message_by_two<barrier, true, false>, is_stale, 2, 2);
    shows("a fence by whom the message is not known to", message_by_two<nothing, true, true>,
          is_stale, 2, 2);
    never("fences behind and before a barrier", message_by_two<barrier, true, true>, is_stale, 2,
          2);
    never("or a __syncwarp", message_by_two<lanes, true, true>, is_stale, 2, 2);
    never("or fences of the block", message_by_two<block_fence, true, true>, is_stale, 2, 2);
    never("what was seen and passed on behind a fence", passed_on<false>, is_lost, 3, 1);
    never("also within a block", passed_on<true>, is_lost, 2, 2);
}

int main()
{
    simt::config.policy = simt::random_order;
    simt::config.preempt_volatile = simt::config.preempt_plain = simt::config.preempt_atomic = 300;
    simt::config.resident = 4;
    simt::config.weak = 400;
    test_messages();
    shows("a store that comes after one that follows it", overtaken<false>, is_overtaken);
    never("with fences", overtaken<true>, is_overtaken);
    shows("two that store and look without a fence", store_then_look<false>, neither_saw);
    never("with one", store_then_look<true>, neither_saw);
    never("two orders of two stores, by who has fences", four_blocks, orders_differ, 4);
    never("a place that goes back to what it was", counts_up, goes_back);
    never("own stores that are not seen, in their order", own_stores, forgets);
    never("an addition that is lost", store_and_add, sum_is_wrong);
    never("what is in the heap", heap_message, is_stale);
    same_wherever_it_lies();

    simt::config.weak = 0;
    never("anything of that in memory that is in order", message<false, false>, is_stale);
    return tap_done();
}
