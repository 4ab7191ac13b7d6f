/* What others have to know of variant seeded: who chooses between builds, and tests. */
#ifndef GB_OCTREE_SEEDED_SEEDED_H
#define GB_OCTREE_SEEDED_SEEDED_H

#include "kernels/octree/octree.h"

enum { OC_SEEDED_MOST = 1 << 18 /* bodies */ };

/* Whether all bodies were inserted in the job's last run, which has ended. */
gb_status oc_seeded_yielded(gb_job *job, bool *yielded);

#endif
