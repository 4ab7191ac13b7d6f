/* Variant octreebuild-lf: the paper's insertion without locks, well made (step by step:
 * as_published.cu); octreebuild-lf-shared: what the paper names as future work, the top of the tree
 * in shared memory. */
#include "kernels/octree/insert/lock_free.cuh"

/* Fewer threads than a multiprocessor holds fail less often, and the L1 has more for each. A table
 * of four levels, 16 KiB, is shared by larger blocks. */
enum { RESIDENT = 1536, THREADS = 256, SHARED_THREADS = 512, SHARED_LEVELS = 4 };

template <int LEVELS, int SIZE> static gb_status prepare(gb_job *job)
{
    oc_insert_plan plan = {};
    plan.kernel = oc_lf_build<LEVELS, false, SIZE>;
    plan.counting = oc_lf_build<LEVELS, true, SIZE>;
    plan.threads = SIZE;
    plan.resident = RESIDENT;
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
    prepare<0, THREADS>,
    NULL,
    oc_insert_run,
    oc_insert_cleanup,
    "the lanes of a warp vote in every turn and look together, through the L1; a release takes "
    "the fence's place; at most 1536 threads a multiprocessor, where burtscher-pingali takes all "
    "that fit (2048 on Hopper)",
    NULL,
};
const gb_variant oc_octreebuild_lf_shared = {
    "octreebuild-lf-shared",
    "the same; a block remembers the cells of depth 4 in its shared memory and begins there",
    "OctreeBuild-LF, future work",
    0,
    oc_one_body,
    prepare<SHARED_LEVELS, SHARED_THREADS>,
    NULL,
    oc_insert_run,
    oc_insert_cleanup,
    "the text only names shared memory; all else departs as octreebuild-lf does, in blocks of 512",
    NULL,
};
}
