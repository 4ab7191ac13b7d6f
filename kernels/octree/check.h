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

enum { OC_FEW = 65537 }; /* bodies up to which a tree is compared with the CPU's as well */

/* Whether a view shows the sparse octree of the problem's bodies: GB_OK and its figures in *stats
 * (which may be NULL), or a status and in *error the first defect. Arrays of a view on the device
 * must be complete: 8 * cells slots, n words. Waits for the device. GB_OUT_OF_MEMORY: the build ran
 * out of cells, as it says, or there is no memory to judge it. */
gb_status oc_judge(gb_problem *problem, const oc_view *view, oc_stats *stats, gb_error *error);

/* The same over the problem's bodies whatever they are: where they are from is not asked. */
gb_status oc_judge_tree(gb_problem *problem, const oc_view *view, oc_stats *stats, gb_error *error);

/* check_few.cu: the same for at most OC_FEW bodies and a tree that was found to be right, on the
 * CPU and in another way; also that the problem's host_bodies, if there are any, were not changed.
 */
gb_status oc_judge_few(const gb_problem *problem, const oc_view *view, const oc_stats *stats,
                       gb_error *error);

/* oracle.c: GB_OK if the view, which lies on the host, shows the tree of these bodies slot by slot
 * and has these figures. Takes 17 bytes a body of memory. */
gb_status oc_compare_with_cpu(const gb_problem *problem, const oc_body *bodies, const oc_view *view,
                              const oc_stats *stats, gb_error *error);

#ifdef __cplusplus
}
#endif
#endif
