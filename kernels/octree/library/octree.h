/* Octrees over bodies on a GPU, for other programs: built, updated when bodies moved, summed up,
 * and searched.
 *
 * A handle has the memory for trees of so many bodies, on the device that was current when it was
 * made; that has to be current in all its calls. What takes a stream (a cudaStream_t, NULL being
 * the default one) is queued there: nothing is allocated and nothing waits for the device, unless
 * it says so. What a call leaves is there for the next ones on the same stream. A handle is for one
 * host thread at a time.
 *
 *     gb_octree_options options = {.most_bodies = n, .uses = GB_OCTREE_SUMS | GB_OCTREE_QUERIES};
 *     gb_octree *tree;
 *     gb_octree_cube cube;
 *     if (gb_octree_create(&options, &tree) == GB_OCTREE_OK &&
 *         gb_octree_cube_around(bodies, n, &cube) == GB_OCTREE_OK)
 *         status = gb_octree_build(tree, bodies, n, cube, stream);
 *
 * Bodies are four floats in device memory, aligned to 16 bytes: x, y, z and a mass. Coordinates are
 * cut to 24 bits of the cube's side, and a cell is divided until no leaf holds more than `leaf`
 * bodies; bodies that coincide in all 24 bits share a leaf, however many they are. Bodies outside
 * of the cube count as if they were on its surface.
 *
 * Set options to 0 before their fields: what is 0 is the common case, also of fields that are still
 * to come. Included by C11 and C++17; no CUDA type appears here. */
#ifndef GB_OCTREE_LIBRARY_H
#define GB_OCTREE_LIBRARY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gb_octree gb_octree;

typedef enum gb_octree_status {
    GB_OCTREE_OK,
    GB_OCTREE_INVALID, /* the call contradicts what is said here */
    GB_OCTREE_MEMORY,  /* there is not enough memory, or there were not enough cells */
    GB_OCTREE_CUDA     /* a call of the CUDA runtime failed */
} gb_octree_status;

/* What a handle is to be used for beside building: memory is taken for that alone. */
enum {
    GB_OCTREE_SUMS = 1,    /* gb_octree_sums: 44 bytes a cell and 16 a body more */
    GB_OCTREE_QUERIES = 2, /* gb_octree_nearest and the others: 16 bytes a body more */
    GB_OCTREE_UPDATES = 4  /* gb_octree_update: 8 bytes a cell and 28 a body; without QUERIES */
};

typedef struct gb_octree_options {
    uint64_t most_bodies; /* that a tree may have; up to 2^30 */
    uint64_t most_cells;  /* up to 2^31 - 16, with UPDATES 2^29; 0: as many as bodies, and 4096 */
    unsigned leaf;        /* bodies a leaf, 1 to 32; 0: 1. With UPDATES 1 */
    unsigned uses;        /* of the above */
} gb_octree_options;

/* *tree is NULL after a failure. Waits for the device. */
gb_octree_status gb_octree_create(const gb_octree_options *options, gb_octree **tree);
/* Waits for the device. NULL is fine. */
void gb_octree_destroy(gb_octree *tree);

/* The cube in which bodies are placed. */
typedef struct gb_octree_cube {
    float low[3]; /* its lowest corner */
    float side;   /* 0: all bodies lie at one place */
} gb_octree_cube;

/* The smallest cube around n bodies. Waits for the device. Coordinates that are no finite numbers
 * are refused, and bodies that are more than 10^37 apart. */
gb_octree_status gb_octree_cube_around(const float *bodies, uint64_t n, gb_octree_cube *cube);

/* Queues the tree of n bodies, from scratch. They stay the caller's, and have to stay as they are
 * until the tree is built anew, or updated to where they are then. */
gb_octree_status gb_octree_build(gb_octree *tree, const float *bodies, uint64_t n,
                                 gb_octree_cube cube, void *stream);

/* Queues the tree of the same bodies, in the same cube, where they are now: the array may be
 * another one. Faster than a build as long as no more than one in twenty has left its slot of the
 * tree. */
gb_octree_status gb_octree_update(gb_octree *tree, const float *bodies, void *stream);

/* Queues the sums of every cell: view.sums and view.counts. */
gb_octree_status gb_octree_sums(gb_octree *tree, void *stream);

/* Queues for every body the numbers of its k (1 to 32) nearest others, the nearest first, to
 * numbers[k * body] and on; GB_OCTREE_NONE where there are fewer. */
gb_octree_status gb_octree_nearest(gb_octree *tree, unsigned k, uint32_t *numbers, void *stream);

/* Queues for every body how many others are no further than radius, to counts[body]. */
gb_octree_status gb_octree_count_within(gb_octree *tree, float radius, uint32_t *counts,
                                        void *stream);
/* And their numbers, in any order, to numbers[offsets[body]] and on: offsets are the sums of all
 * counts before. */
gb_octree_status gb_octree_list_within(gb_octree *tree, float radius, const uint32_t *offsets,
                                       uint32_t *numbers, void *stream);

/* Waits for the stream, and tells whether the last build or update had cells enough: if it had not,
 * GB_OCTREE_MEMORY, and the tree is of no use. */
gb_octree_status gb_octree_check(gb_octree *tree, void *stream);

#define GB_OCTREE_NONE 0xFFFFFFFFu
#define GB_OCTREE_CELL 0x80000000u

/* The tree for kernels of one's own, that are queued behind; device memory, the handle's.
 *
 * A cell is 8 slots; slot 8 c + d is octant d of cell c (4 for the upper half in x, 2 in y, 1 in
 * z), and cell 0 is the root. A slot holds GB_OCTREE_NONE, GB_OCTREE_CELL | the number of a cell,
 * or a leaf. Without UPDATES a leaf is a place in `order`: that of its first body; it goes on to
 * the next place whose bit in `starts` is set (bit p % 32 of word p / 32). With UPDATES it is a
 * body, and next[body] is another one at the same place, or GB_OCTREE_NONE. */
typedef struct gb_octree_view {
    const uint32_t *slots;
    const uint32_t *order, *starts; /* NULL with UPDATES */
    const uint32_t *next;           /* NULL without */
    const unsigned *cells;          /* how many there may be; those that are not in the tree are in
                                       no slot of one that is */
    const float *sums;              /* of each cell x, y, z of the centre of mass, mass; or NULL */
    const unsigned *counts;         /* and its bodies */
    uint64_t bytes;                 /* of device memory that the handle has */
} gb_octree_view;
gb_octree_status gb_octree_look(const gb_octree *tree, gb_octree_view *view);

/* Why the calling thread's last call failed: a sentence, valid until its next one. */
const char *gb_octree_error(void);

#ifdef __cplusplus
}
#endif
#endif
