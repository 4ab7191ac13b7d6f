/* Cells from bodies in curve order. Bodies of a cell are neighbours there, so all that a cell needs
 * to know of its children is how deep neighbours go together (Karras 2012 builds binary trees from
 * the same; here a cell finds its eight children itself, so that its 32 bytes are written at once
 * and nothing has to be cleared).
 *
 * Of body p: left is the depth of the smallest cell that holds p - 1 and p (-1 where a subtree
 * begins); reach is the depth of the deepest cell of the tree whose first body is p, if that is
 * more than left: p then begins the cells of depths left + 1 to reach. */
#ifndef GB_OCTREE_EMIT_CUH
#define GB_OCTREE_EMIT_CUH

#include "common/cuda/warp.cuh"
#include "kernels/octree/cells.h"

enum { OC_EMIT_LANES = 8 /* a cell */, OC_EMIT_LOOKS = 4 /* at 8 bodies, before one searches */ };

/* One cell a group of 8 lanes; by a full warp. cell is its index, begin its first body, depth its
 * depth; groups that are not `ok` have none. stage: 32 words of shared memory, the warp's own.
 *   - bodies.left(p): as above; -1 for p past the last one
 *   - bodies.reach(p)
 *   - bodies.child(p): the index of the first cell that p begins
 *   - bodies.leaf(p): what a slot holds where p is the first body of a leaf; marks p as such
 *   - bodies.digit(p, depth)
 *   - bodies.can_search(depth); bodies.search(begin, depth, octant, &p): the first body of the
 *     octant, or false if it is empty
 * Gives what the lane's slot of the cell holds. */
template <class Bodies>
static __device__ __forceinline__ uint32_t oc_emit_cell(const Bodies &bodies, bool ok,
                                                        unsigned cell, unsigned begin, int depth,
                                                        uint32_t *stage)
{
    const unsigned lane = gb_lane(), octant = lane % OC_EMIT_LANES, group = lane - octant;
    unsigned p = begin + octant;
    bool done = !ok;
    stage[lane] = OC_EMPTY;
    __syncwarp();
    for (int look = 0; __any_sync(GB_FULL_MASK, !done); look++) {
        const bool search = look >= OC_EMIT_LOOKS && !done && bodies.can_search(depth);
        const int left = done || search ? -1 : p == begin ? depth : bodies.left(p);
        const unsigned ends = __ballot_sync(GB_FULL_MASK, left < depth) >> group & 0xFFu;
        bool starts = !done && left == depth && (ends & ((1u << octant) - 1)) == 0;
        if (search) starts = bodies.search(begin, depth, octant, &p);
        if (starts) {
            const bool is_cell = bodies.reach(p) > depth;
            stage[group + bodies.digit(p, depth)] =
                is_cell ? OC_CELL | (p == begin ? cell + 1 : bodies.child(p)) : bodies.leaf(p);
        }
        done = done || ends != 0;
        p += OC_EMIT_LANES;
        __syncwarp(); /* who searches writes once more what lanes have written by looking */
    }
    __syncwarp();
    const uint32_t value = stage[lane];
    __syncwarp();
    return value;
}

#endif
