/* Variant burtscher-pingali: insertion with locks, well made. Line by line: as_published.cu. */
#include "kernels/octree/insert/locked.cuh"

enum { THREADS = 512 };

static gb_status prepare(gb_job *job)
{
    oc_insert_plan plan = {};
    plan.kernel = oc_bp_build<false, THREADS>;
    plan.counting = oc_bp_build<true, THREADS>;
    plan.threads = THREADS;
    plan.stock = 1;
    return oc_insert_prepare(job, plan);
}

extern "C" {
const gb_variant oc_burtscher_pingali = {
    "burtscher-pingali",
    "an occupied slot is locked, divided until the bodies part, and published; a barrier calms "
    "those that wait",
    "Burtscher and Pingali 2011",
    0,
    oc_one_body,
    prepare,
    NULL,
    oc_insert_run,
    oc_insert_cleanup,
    "slots are looked at through the L1 first, a release takes the fence's place, and a thread "
    "takes its cell beforehand, where its warp is together; blocks of 512, as many as fit",
    NULL,
};
}
