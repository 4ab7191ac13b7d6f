/* What `gpubench dump octree` writes of a tree. */
#ifndef GB_OCTREE_DUMP_H
#define GB_OCTREE_DUMP_H

#include "kernels/octree/octree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* slice, depth and contention: dump.c says what stands in them. */
extern const gb_dump oc_dumps[];

/* A view in host memory. */
typedef struct oc_host_tree {
    oc_view view;    /* its arrays are on the host */
    void *copied[4]; /* those that were made for it */
} oc_host_tree;

/* Copies the tree that the job's last run left; waits for the device. The caller frees it with
 * oc_host_tree_free, also after a failure, which is in job->error. */
gb_status oc_host_tree_of(gb_job *job, oc_host_tree *tree);
void oc_host_tree_free(oc_host_tree *tree);

#ifdef __cplusplus
}
#endif
#endif
