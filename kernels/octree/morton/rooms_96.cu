/* Buckets for blocks of 96 KiB of shared memory. */
#include "kernels/octree/morton/buckets.cuh"

mo_rooms mo_rooms_96()
{
    return mo_rooms_of<mo_room<384, 8>, mo_room<1024, 6>>();
}
