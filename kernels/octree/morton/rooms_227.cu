/* Buckets for blocks of 227 KiB of shared memory. */
#include "kernels/octree/morton/buckets.cuh"

mo_rooms mo_rooms_227()
{
    return mo_rooms_of<mo_room<576, 13>, mo_room<1024, 12>>();
}
