/* Buckets' kernels by how much shared memory a block may have: two rooms, one for nearly all
 * buckets, of which a multiprocessor holds two, and a larger one for the others. A file has the
 * kernels of one kind of GPU. */
#ifndef GB_OCTREE_MORTON_ROOMS_H
#define GB_OCTREE_MORTON_ROOMS_H

#include "kernels/octree/morton/morton.h"

typedef struct mo_room_kind {
    void (*kernel[2])(mo_build); /* for leaves of many bodies, of one */
    unsigned threads;
    uint64_t bytes;  /* of shared memory, dynamic */
    unsigned bodies; /* that it holds */
} mo_room_kind;

typedef struct mo_rooms {
    mo_room_kind small, large;
} mo_rooms;

mo_rooms mo_rooms_64();  /* KiB of a block: Turing */
mo_rooms mo_rooms_96();  /* Volta, and of 99 the GPUs for graphics from Ampere on */
mo_rooms mo_rooms_163(); /* A100 */
mo_rooms mo_rooms_227(); /* Hopper, Blackwell */

#endif
