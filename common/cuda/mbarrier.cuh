/* Barriers in shared memory on which some threads arrive and others wait, phase after phase:
 * Hopper's mbarrier, and the same by atomics where there is none.
 *
 * A phase completes when as many arrivals as gb_mbarrier_init was told have come (and, on Hopper,
 * the bytes that they announced); phase 0 comes first, and a wait names the parity of the phase
 * that it waits for. Nobody arrives for the next phase before somebody could have seen this one
 * complete.
 *
 * nvcc 13.0 for sm_90 may let an arrival pass loads of shared memory whose values nobody has used
 * yet: who gives memory away for others to overwrite arrives with gb_mbarrier_arrive_after. */
#ifndef GB_CUDA_MBARRIER_CUH
#define GB_CUDA_MBARRIER_CUH

#include "common/cuda/device.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define GB_HAS_MBARRIER 1
#else
#define GB_HAS_MBARRIER 0
#endif

/* 8 bytes of shared memory. Elsewhere than on Hopper: arrivals that are missing in the lower 16
 * bits of the first word, the number of phases above; the second one is what a phase begins with.
 */
typedef unsigned long long gb_mbarrier;

__device__ __forceinline__ unsigned gb_shared_address(const void *at)
{
#if defined(__CUDACC__)
    return (unsigned)__cvta_generic_to_shared(at);
#else
    return (unsigned)(uintptr_t)at;
#endif
}

/* By one thread, before a gb_mbarrier_fence_init and a barrier of the block. */
__device__ __forceinline__ void gb_mbarrier_init(gb_mbarrier *barrier, unsigned arrivals)
{
#if GB_HAS_MBARRIER
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :
                 : "r"(gb_shared_address(barrier)), "r"(arrivals)
                 : "memory");
#else
    unsigned *const word = reinterpret_cast<unsigned *>(barrier);
    word[0] = word[1] = arrivals;
#endif
}

/* Shows initialised barriers to the copy engine. */
__device__ __forceinline__ void gb_mbarrier_fence_init()
{
#if GB_HAS_MBARRIER
    asm volatile("fence.mbarrier_init.release.cluster;\n\tfence.proxy.async.shared::cta;" ::
                     : "memory");
#endif
}

/* One arrival, if `yes`; what the thread wrote before is seen by those who wait. */
__device__ __forceinline__ void gb_mbarrier_arrive(gb_mbarrier *barrier, bool yes)
{
#if GB_HAS_MBARRIER
    asm volatile("{\n\t.reg .pred yes;\n\tsetp.ne.u32 yes, %1, 0;\n\t"
                 "@yes mbarrier.arrive.shared::cta.b64 _, [%0];\n\t}"
                 :
                 : "r"(gb_shared_address(barrier)), "r"((unsigned)yes)
                 : "memory");
#else
    if (!yes) return;
    __threadfence_block();
    unsigned *const word = reinterpret_cast<unsigned *>(barrier);
    const unsigned before = atomicSub(word, 1u);
    if ((before & 0xffffu) == 1) atomicAdd(word, 0x10000u + word[1]);
#endif
}

/* The same, once the loads that `bits` come from are done. zero: a word that is 0, which the
 * compiler must not know. */
__device__ __forceinline__ void gb_mbarrier_arrive_after(gb_mbarrier *barrier, bool yes,
                                                         unsigned bits, unsigned zero)
{
    gb_mbarrier_arrive(barrier + (bits & zero), yes);
}

/* One arrival that announces bytes which a copy will write: the phase completes with them. On
 * Hopper alone. */
__device__ __forceinline__ void gb_mbarrier_arrive_expect(gb_mbarrier *barrier, unsigned bytes)
{
#if GB_HAS_MBARRIER
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(gb_shared_address(barrier)), "r"(bytes)
                 : "memory");
#else
    (void)barrier;
    (void)bytes;
    __trap();
#endif
}

/* Until the phase of that parity (0 or 1) has completed. All lanes of a warp call it together and
 * stay so (__syncwarp) until the next phase can complete, for a lane that is two phases late waits
 * for ever; or, where there is Hopper's mbarrier, one lane calls it that does all the warp does. */
__device__ __forceinline__ void gb_mbarrier_wait(gb_mbarrier *barrier, unsigned parity)
{
#if GB_HAS_MBARRIER
    asm volatile("{\n\t.reg .pred done;\n\tWAIT:\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
                 "@done bra DONE;\n\tbra WAIT;\n\tDONE:\n\t}"
                 :
                 : "r"(gb_shared_address(barrier)), "r"(parity)
                 : "memory");
#else
    /* Before Volta a lane that polls may keep the others from an arrival that comes before. */
    __syncwarp();
    while ((atomicAdd(reinterpret_cast<unsigned *>(barrier), 0u) >> 16 & 1u) == parity) {
    }
    __threadfence_block();
#endif
}

#endif
