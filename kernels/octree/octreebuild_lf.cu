/* Variant octreebuild-lf: insertion without locks, as the paper has it; octreebuild-lf-shared: what
 * the paper names as future work, the top of the tree in shared memory. */
#include "kernels/octree/insert_lf.cuh"

enum { THREADS = 256, SHARED_LEVELS = 3 };

template <int LEVELS> static gb_status prepare(gb_job *job)
{
    oc_insert_plan plan = {};
    plan.kernel = oc_lf_build<LEVELS, false, THREADS>;
    plan.counting = oc_lf_build<LEVELS, true, THREADS>;
    plan.threads = THREADS;
    plan.stock = 1;
    return oc_insert_prepare(job, plan);
}

extern "C" {
const gb_variant oc_octreebuild_lf = {
    "octreebuild-lf",
    "each thread holds a cell and swaps it into the tree; no lock, no barrier, every division is "
    "seen at once",
    "OctreeBuild-LF",
    0,
    oc_one_body,
    prepare<0>,
    NULL,
    oc_insert_run,
    oc_insert_cleanup,
};
const gb_variant oc_octreebuild_lf_shared = {
    "octreebuild-lf-shared",
    "the same; a block remembers the cells of depth 3 in its shared memory and begins there",
    "OctreeBuild-LF, future work",
    0,
    oc_one_body,
    prepare<SHARED_LEVELS>,
    NULL,
    oc_insert_run,
    oc_insert_cleanup,
};
}
