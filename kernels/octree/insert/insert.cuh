/* What the builds by insertion share: memory that was reserved beforehand, and the few operations
 * on a slot that threads of other blocks change meanwhile.
 *
 * A slot only ever goes from OC_EMPTY to a body to (OC_LOCKED to) a cell, and a cell stays. So an
 * old value does no harm: what looks empty or like a body is changed by a compare-and-swap, which
 * fails and tells what is there now. */
#ifndef GB_OCTREE_INSERT_CUH
#define GB_OCTREE_INSERT_CUH

#include "common/cuda/grid.cuh"
#include "common/cuda/warp.cuh"
#include "kernels/octree/octree.h"

/* Each word that many threads change has a line of its own. */
typedef struct oc_insert_words {
    unsigned cells; /* handed out; passes the pool's size where that is too small */
    unsigned fill0[31];
    unsigned trouble; /* OC_POOL_EMPTY, or 0 */
    unsigned fill1[31];
    unsigned settled; /* what oc_settle adds 0 to */
    unsigned fill2[31];
} oc_insert_words;

enum { OC_TRIES, OC_FAILED, OC_WAITS, OC_USED, OC_TALLIES };

/* What a build is given; passed to kernels by value. */
typedef struct oc_insert {
    const float4 *bodies;
    uint32_t n;
    uint32_t pool; /* cells that may be taken, the root included */
    oc_box box;
    uint32_t *slot;
    uint32_t *next;
    oc_insert_words *words;
    const unsigned *only_if; /* NULL, or a word that is 0 where there is nothing to do after all */
    const uint32_t *only;    /* a bit a body, of builds that put some in, */
    const unsigned *all_if;  /* or all, if this word is not 0 */
    uint32_t *scratch;       /* what the plan asked for */
    unsigned long long *tally; /* OC_TALLIES times OC_DEPTH + 1, added to by builds that count */
} oc_insert;

/* How a variant builds. */
typedef struct oc_insert_plan {
    void (*kernel)(oc_insert);
    void (*counting)(oc_insert);     /* the same, which counts what happens at slots; or NULL */
    void (*beside)(oc_insert);       /* no more blocks than of this one; NULL: as many as there is
                                        room for */
    unsigned threads;                /* of a block */
    unsigned resident;               /* threads a multiprocessor, at most; 0: what it holds */
    unsigned stock;                  /* cells that a thread may have in its hands and not use */
    gb_status (*check)(gb_job *job); /* oc_state.check */
    uint64_t scratch;                /* bytes that it needs beside the tree */
    /* Queues the build. NULL: what every build begins with, and the kernel. */
    gb_status (*launches)(gb_job *job, const oc_insert *given, dim3 grid, cudaStream_t stream);
} oc_insert_plan;

/* prepare, run and cleanup of every build by insertion; the first allocates what the plan needs. */
gb_status oc_insert_prepare(gb_job *job, oc_insert_plan plan);
gb_status oc_insert_run(gb_job *job, gb_stream stream);
void oc_insert_cleanup(gb_job *job);
/* What the job's build is given. */
const oc_insert *oc_insert_of(const gb_job *job);
/* Runs do nothing where that word of device memory is 0; of the builds by warps (warp.cuh). */
void oc_insert_only_if(gb_job *job, const unsigned *word);

/* ---- slots ----------------------------------------------------------------------------------- */

static __device__ __forceinline__ uint32_t *oc_slot(const oc_insert &t, uint32_t cell,
                                                    oc_place place, int depth)
{
    return t.slot + ((uint64_t)cell * OC_SLOTS + oc_digit(place, depth));
}

/* What a slot holds now. */
static __device__ __forceinline__ uint32_t oc_now(const uint32_t *slot)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    uint32_t value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(slot) : "memory");
    return value;
#elif defined(__CUDACC__)
    return *static_cast<const volatile uint32_t *>(slot);
#else
    /* an atomic operation, so that every look is a point where others may go on */
    return atomicOr(const_cast<uint32_t *>(slot), 0u);
#endif
}

/* What a slot held a while ago, from the L1. A cell is one sector, and since Volta the L1 fetches
 * single sectors, so it has none of a cell that was not published yet. Before, it fetches lines of
 * four cells: there it is not asked. */
static __device__ __forceinline__ uint32_t oc_glimpse(const uint32_t *slot)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    uint32_t value;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(slot) : "memory");
    return value;
#else
    return oc_now(slot);
#endif
}

/* All that the warp wrote before is seen by who sees what one of its lanes writes after. */
static __device__ __forceinline__ void oc_settle(const oc_insert &t)
{
    __syncwarp();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    /* waits as __threadfence does, but leaves the L1 what it has */
    asm volatile("red.release.gpu.global.add.u32 [%0], 0;" : : "l"(&t.words->settled) : "memory");
#else
    (void)t;
    __threadfence();
#endif
    __syncwarp();
}

/* Compare-and-swap before which all that the thread wrote is seen by who sees its value. */
static __device__ __forceinline__ uint32_t oc_swap_release(uint32_t *slot, uint32_t expected,
                                                           uint32_t value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    uint32_t before;
    asm volatile("atom.release.gpu.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(before)
                 : "l"(slot), "r"(expected), "r"(value)
                 : "memory");
    return before;
#else
    __threadfence();
    return atomicCAS(slot, expected, value);
#endif
}

/* Sets a slot that nobody else may change; who sees it sees all that the thread wrote before. */
static __device__ __forceinline__ void oc_set_release(uint32_t *slot, uint32_t value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(slot), "r"(value) : "memory");
#elif defined(__CUDACC__) || defined(GB_SIMT_HOOKS)
    __threadfence();
    *static_cast<volatile uint32_t *>(slot) = value;
#else
    __atomic_store_n(slot, value, __ATOMIC_RELEASE);
#endif
}

/* Sets a slot to a cell whose slots were all locked before oc_settle: who looks into it before all
 * that this thread wrote there is seen finds a lock. Needs no fence where the L2 keeps each
 * thread's order at an address, as all do; ThreadSanitizer knows no such promise for plain writes.
 */
static __device__ __forceinline__ void oc_set_marked(uint32_t *slot, uint32_t value)
{
#if defined(__CUDACC__) || defined(GB_SIMT_HOOKS)
    *static_cast<volatile uint32_t *>(slot) = value;
#else
    __atomic_store_n(slot, value, __ATOMIC_RELEASE);
#endif
}

/* ---- cells and bodies ------------------------------------------------------------------------ */

/* Writes all of a cell, a sector. */
static __device__ __forceinline__ void oc_write_slots(const oc_insert &t, uint32_t cell,
                                                      const uint32_t (&word)[OC_SLOTS])
{
    uint4 *out = reinterpret_cast<uint4 *>(t.slot + (uint64_t)cell * OC_SLOTS);
    out[0] = make_uint4(word[0], word[1], word[2], word[3]);
    out[1] = make_uint4(word[4], word[5], word[6], word[7]);
}

/* The same: `a` in octant at_a and `b` in octant at_b, which may be OC_SLOTS: nowhere. */
static __device__ __forceinline__ void oc_write_cell(const oc_insert &t, uint32_t cell,
                                                     uint32_t at_a, uint32_t a, uint32_t at_b,
                                                     uint32_t b)
{
    uint32_t word[OC_SLOTS];
#pragma unroll
    for (uint32_t d = 0; d < OC_SLOTS; d++)
        word[d] = d == at_a ? a : d == at_b ? b : OC_EMPTY;
    oc_write_slots(t, cell, word);
}

/* Says that the pool is too small; the caller then leaves. */
static __device__ __forceinline__ void oc_pool_is_empty(const oc_insert &t)
{
    atomicOr(&t.words->trouble, (unsigned)OC_POOL_EMPTY);
}

static __device__ __forceinline__ oc_place oc_place_of(const oc_insert &t, float4 body)
{
    return oc_place_at(t.box, body.x, body.y, body.z);
}

/* Puts a body into the list of the one that it coincides with and that is in the tree. That one
 * stays the list's first wherever it moves. */
static __device__ __forceinline__ void oc_join(const oc_insert &t, uint32_t first, uint32_t body)
{
    t.next[body] = atomicExch(&t.next[first], body);
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Counts by depth in the block's shared memory, where that is asked for. */
template <bool COUNT> struct oc_tally {
    unsigned *count; /* OC_TALLIES * (OC_DEPTH + 1) */

    __device__ __forceinline__ void begin(unsigned *shared)
    {
        count = shared;
        if (COUNT) {
            for (unsigned k = threadIdx.x; k < OC_TALLIES * (OC_DEPTH + 1); k += blockDim.x)
                count[k] = 0;
            __syncthreads();
        }
    }
    __device__ __forceinline__ void add(int what, int depth)
    {
        if (COUNT) atomicAdd(&count[what * (OC_DEPTH + 1) + depth], 1u);
    }
    /* One try, and whether it failed. */
    __device__ __forceinline__ void tried(int depth, bool failed)
    {
        add(OC_TRIES, depth);
        if (failed) add(OC_FAILED, depth);
    }
    __device__ __forceinline__ void end(const oc_insert &t)
    {
        if (COUNT) {
            __syncthreads();
            for (unsigned k = threadIdx.x; k < OC_TALLIES * (OC_DEPTH + 1); k += blockDim.x)
                if (count[k]) atomicAdd(&t.tally[k], (unsigned long long)count[k]);
        }
    }
};

#endif
