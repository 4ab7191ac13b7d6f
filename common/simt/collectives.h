/* Barriers and warp-wide operations. Those that a generation lacks are not declared for it. */
#ifndef GB_SIMT_COLLECTIVES_H
#define GB_SIMT_COLLECTIVES_H

#include "common/simt/machine.h"

namespace simt
{
/* Waits until every living lane of `mask` is at the same operation with the same mask; the
 * operation's result for this lane. `source` is the lane that a shuffle reads. */
uint64_t at_warp(warp_operation op, unsigned mask, uint64_t value, unsigned source,
                 const char *file, int line);

/* Waits until every living thread of the block is here. */
barrier_result at_barrier(bool predicate, const char *file, int line);
/* For the runtime. The calling thread has ended: what waited for it alone can go on. */
void release_without(worker *w, task *ended);

template <class T> SIMT_INLINE uint64_t to_bits(T value)
{
    static_assert(std::is_arithmetic<T>::value || std::is_enum<T>::value,
                  "warp operations take numbers of up to 8 bytes");
    static_assert(sizeof(T) <= 8, "warp operations take numbers of up to 8 bytes");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class T> SIMT_INLINE T from_bits(uint64_t bits)
{
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <class T>
SIMT_INLINE T shuffle(unsigned mask, T value, unsigned source, const char *file, int line)
{
    return from_bits<T>(at_warp(op_shuffle, mask, to_bits(value), source, file, line));
}
} // namespace simt

/* ---- the block ------------------------------------------------------------------------------ */

SIMT_INLINE void __syncthreads(SIMT_PLACE)
{
    (void)simt::at_barrier(false, file, line);
}
SIMT_INLINE int __syncthreads_count(int predicate, SIMT_PLACE)
{
    return (int)simt::at_barrier(predicate != 0, file, line).true_count;
}
SIMT_INLINE int __syncthreads_or(int predicate, SIMT_PLACE)
{
    return simt::at_barrier(predicate != 0, file, line).true_count != 0;
}
SIMT_INLINE int __syncthreads_and(int predicate, SIMT_PLACE)
{
    const simt::barrier_result result = simt::at_barrier(predicate != 0, file, line);
    return result.true_count == result.arrived;
}

/* ---- the warp ------------------------------------------------------------------------------- */

SIMT_INLINE void __syncwarp(unsigned mask = ~0u, SIMT_PLACE)
{
    (void)simt::at_warp(simt::op_sync, mask, 0, 0, file, line);
}
/* Not of CUDA: a warp's lanes meet as they do between two of its instructions. In turn
 * (round-robin) they go on in their order, under other policies in any. Orders no memory accesses.
 */
SIMT_INLINE void simt_lockstep(SIMT_PLACE)
{
    (void)simt::at_warp(simt::op_lockstep, ~0u, 0, 0, file, line);
}
SIMT_INLINE unsigned __ballot_sync(unsigned mask, int predicate, SIMT_PLACE)
{
    return (unsigned)simt::at_warp(simt::op_ballot, mask, predicate != 0, 0, file, line);
}
SIMT_INLINE int __all_sync(unsigned mask, int predicate, SIMT_PLACE)
{
    return (int)simt::at_warp(simt::op_all, mask, predicate != 0, 0, file, line);
}
SIMT_INLINE int __any_sync(unsigned mask, int predicate, SIMT_PLACE)
{
    return (int)simt::at_warp(simt::op_any, mask, predicate != 0, 0, file, line);
}
SIMT_INLINE unsigned __activemask()
{
    return 1u << simt::here.thread->lane;
}

/* Shuffles within groups of `width` lanes; a source outside the group is the caller itself. */
template <class T>
SIMT_INLINE T __shfl_sync(unsigned mask, T value, int source, int width = 32, SIMT_PLACE)
{
    const unsigned lane = simt::here.thread->lane, in_group = (unsigned)width - 1;
    return simt::shuffle(mask, value, (lane & ~in_group) | ((unsigned)source & in_group), file,
                         line);
}
template <class T>
SIMT_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_PLACE)
{
    const unsigned lane = simt::here.thread->lane, first = lane & ~((unsigned)width - 1);
    const bool inside = delta <= lane - first;
    return simt::shuffle(mask, value, inside ? lane - delta : lane, file, line);
}
template <class T>
SIMT_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, SIMT_PLACE)
{
    const unsigned lane = simt::here.thread->lane, last = lane | ((unsigned)width - 1);
    const bool inside = delta <= last - lane;
    return simt::shuffle(mask, value, inside ? lane + delta : lane, file, line);
}
template <class T>
SIMT_INLINE T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, SIMT_PLACE)
{
    const unsigned lane = simt::here.thread->lane, source = lane ^ (unsigned)lanes;
    const bool inside = source <= (lane | ((unsigned)width - 1));
    return simt::shuffle(mask, value, inside ? source : lane, file, line);
}

#if GB_ARCH >= 700
template <class T> SIMT_INLINE unsigned __match_any_sync(unsigned mask, T value, SIMT_PLACE)
{
    return (unsigned)simt::at_warp(simt::op_match_any, mask, simt::to_bits(value), 0, file, line);
}
template <class T>
SIMT_INLINE unsigned __match_all_sync(unsigned mask, T value, int *all_equal, SIMT_PLACE)
{
    const unsigned lanes =
        (unsigned)simt::at_warp(simt::op_match_all, mask, simt::to_bits(value), 0, file, line);
    *all_equal = lanes != 0;
    return lanes;
}
#endif

#if GB_ARCH >= 800
#define SIMT_REDUCE(name, T, op)                                                 \
    SIMT_INLINE T name(unsigned mask, T value, SIMT_PLACE)                       \
    {                                                                            \
        return (T)simt::at_warp(simt::op, mask, (unsigned)value, 0, file, line); \
    }
SIMT_REDUCE(__reduce_add_sync, unsigned, op_add)
SIMT_REDUCE(__reduce_add_sync, int, op_add)
SIMT_REDUCE(__reduce_min_sync, unsigned, op_min_unsigned)
SIMT_REDUCE(__reduce_min_sync, int, op_min_signed)
SIMT_REDUCE(__reduce_max_sync, unsigned, op_max_unsigned)
SIMT_REDUCE(__reduce_max_sync, int, op_max_signed)
SIMT_REDUCE(__reduce_and_sync, unsigned, op_and)
SIMT_REDUCE(__reduce_or_sync, unsigned, op_or)
SIMT_REDUCE(__reduce_xor_sync, unsigned, op_xor)
#undef SIMT_REDUCE
#endif

#endif
