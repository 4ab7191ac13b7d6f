/* Buckets for blocks of 163 KiB of shared memory. */
#include "kernels/octree/morton/buckets.cuh"

mo_rooms mo_rooms_163()
{
    return mo_rooms_of<mo_room<448, 12>, mo_room<1024, 10>>();
}
