/* Variant burtscher-pingali-tuned: insertion with locks, as fast as it was found to get. */
#include "kernels/octree/insert/warp.cuh"

static gb_status prepare(gb_job *job)
{
    return oc_insert_prepare(job, oc_warp_plan<true>());
}

extern "C" {
const gb_variant oc_burtscher_pingali_tuned = {
    "burtscher-pingali-tuned",
    "locks, with every trick that pays: the warp goes down together, lanes that meet share a swap, "
    "new cells come locked from a stock",
    "gpubench, after Burtscher and Pingali 2011",
    0,
    oc_one_body,
    prepare,
    NULL,
    oc_insert_run,
    oc_insert_cleanup,
    "the warp inserts, not the thread: no barrier of the block, one swap for lanes that meet, "
    "cells from a stock of the warp, which come locked and are published without a fence",
    NULL,
};
}
