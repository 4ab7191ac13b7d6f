/* What the checker of octrees offers beside the verdict on a job: a verdict on any view, and the
 * figures of the tree that it found. */
#ifndef GB_OCTREE_CHECK_H
#define GB_OCTREE_CHECK_H

#include "kernels/octree/octree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A leaf's depth is that of the cell whose slot holds it. */
typedef struct oc_stats {
    uint64_t cells;               /* that can be reached, the root included */
    uint64_t leaves;              /* slots that hold bodies */
    uint64_t cells_at[OC_DEPTH];  /* by depth */
    uint64_t leaves_at[OC_DEPTH]; /* by depth */
    uint64_t bodies_at[OC_DEPTH]; /* by their leaf's depth */
    int deepest;                  /* depth of the deepest leaf; -1: there is none */
} oc_stats;

/* Whether a view shows the sparse octree of the problem's bodies: GB_OK and its figures in *stats
 * (which may be NULL), or a status and in *error the first defect. Arrays of a view on the device
 * must be complete: 8 * cells slots, n words. Waits for the device. GB_OUT_OF_MEMORY: the build ran
 * out of cells, as it says, or there is no memory to judge it. */
gb_status oc_judge(gb_problem *problem, const oc_view *view, oc_stats *stats, gb_error *error);

#ifdef __cplusplus
}
#endif
#endif
