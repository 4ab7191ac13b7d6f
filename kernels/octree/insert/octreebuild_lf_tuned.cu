/* Variant octreebuild-lf-tuned: insertion without locks, as fast as it was found to get. */
#include "kernels/octree/insert/warp.cuh"

static gb_status prepare(gb_job *job)
{
    return oc_insert_prepare(job, oc_warp_plan<false>());
}

extern "C" {
const gb_variant oc_octreebuild_lf_tuned = {
    "octreebuild-lf-tuned",
    "no locks, with every trick that pays: the warp goes down together, lanes that meet share a "
    "swap, cells come from a stock",
    "gpubench, after OctreeBuild-LF",
    0,
    oc_one_body,
    prepare,
    NULL,
    oc_insert_run,
    oc_insert_cleanup,
    "the warp inserts, not the thread: one swap for lanes that meet, cells from a stock of the "
    "warp, a new cell takes both bodies if it parts them",
    NULL,
};
}
