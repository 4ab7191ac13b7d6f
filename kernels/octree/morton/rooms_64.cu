/* Buckets for blocks of 64 KiB of shared memory. */
#include "kernels/octree/morton/buckets.cuh"

mo_rooms mo_rooms_64()
{
    return mo_rooms_of<mo_room<256, 7>, mo_room<512, 8>>();
}
