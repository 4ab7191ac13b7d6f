/* What is mended at last: cells of a sample's tree that are none of the bodies' tree. */
#ifndef GB_OCTREE_MORTON_MEND_CUH
#define GB_OCTREE_MORTON_MEND_CUH

#include "kernels/octree/morton/sample.cuh"

enum { MO_MEND_THREADS = 256 };

/* Whether a cell of the sample's tree is none of the bodies' tree: it has too few, or all coincide.
 */
static __device__ __forceinline__ bool mo_is_none(const mo_build &b, uint64_t cell)
{
    const mo_span span = b.spans[cell];
    const unsigned begin = b.counts[span.first], end = b.counts[span.first + span.count];
    if (end - begin <= b.leaf) return true;
    return oc_common_depth(mo_place(b, b.bodies[b.order[begin]]),
                           mo_place(b, b.bodies[b.order[end - 1]])) == OC_DEPTH;
}

/* Its bodies hang in its slot. The sample's bodies are in a cell each more than once, so none is
 * empty. */
static __device__ __forceinline__ void mo_make_leaf(const mo_build &b, uint64_t cell, uint32_t at)
{
    const mo_span span = b.spans[cell];
    const unsigned begin = b.counts[span.first], end = b.counts[span.first + span.count];
    b.slot[at] = begin;
    for (unsigned p = begin + 1; p < end && end - begin <= b.leaf; p++)
        atomicAnd(&b.first[p / 32], ~(1u << p % 32));
}

/* The highest ones of them become leaves; the root is always a cell. */
static __global__ void __launch_bounds__(MO_MEND_THREADS) mo_mend(mo_build b)
{
    if (mo_yields(b)) return;
    const unsigned cell = blockIdx.x * MO_MEND_THREADS + threadIdx.x;
    if (cell == 0 || cell >= b.words->coarse || b.words->trouble || !mo_is_none(b, cell)) return;
    const uint32_t at = b.parent[cell];
    if (at / 8 != 0 && mo_is_none(b, at / 8)) return;
    mo_make_leaf(b, cell, at);
}

#endif
