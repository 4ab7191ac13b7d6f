/* Variant octreebuild-lf: insertion without locks, as the paper has it. */
#include "kernels/octree/insert_lf.cuh"

enum { THREADS = 256 };

static gb_status prepare(gb_job *job)
{
    oc_insert_plan plan = {};
    plan.kernel = oc_lf_build<false, THREADS>;
    plan.counting = oc_lf_build<true, THREADS>;
    plan.threads = THREADS;
    plan.stock = 1;
    plan.run = 1;
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
    prepare,
    NULL,
    oc_insert_run,
    oc_insert_cleanup,
};
}
