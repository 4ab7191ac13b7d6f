/* The build of variant morton as others use it: over bodies that lie anywhere on the current
 * device, on any stream. Its tree is told by a view as that of every variant
 * (kernels/octree/octree.h), with `order` and `first`; places and numbers of bodies are those of
 * the array that is given. */
#ifndef GB_OCTREE_MORTON_BUILDER_H
#define GB_OCTREE_MORTON_BUILDER_H

#include "common/cuda/device.cuh"
#include "kernels/octree/octree.h"

typedef struct mo_builder mo_builder;

/* So many bodies may be sorted by whole keys in blocks, of those that go as fits. Tests lower it.
 */
extern uint64_t mo_most_few;

/* How bodies come into their order. Few are sorted by whole keys in either way, and all are where a
 * block has too little shared memory for anything else. */
typedef enum mo_way {
    MO_AS_FITS,   /* few; to buckets at once, from a tree of one sample; or else by regions */
    MO_BY_REGIONS /* in two steps, by a sample of each region: for any number of bodies */
} mo_way;

/* Memory on the current device for trees of `least` to `most` bodies, of `pool` cells at most, the
 * root included; *device is copied. *out is NULL after a failure; else the caller closes it, with
 * none of its builds under way, while the same device is the current one. */
gb_status mo_builder_open(uint64_t least, uint64_t most, unsigned leaf, uint64_t pool, mo_way way,
                          const gb_device *device, mo_builder **out, gb_error *error);
void mo_builder_close(mo_builder *builder);

/* Queues a build over bodies[0, n), float4 of device memory, least <= n <= most, whose coordinates
 * are cut by `box`. Nothing waits and nothing is allocated. The bodies must stay as long as the
 * tree. */
gb_status mo_builder_build(mo_builder *builder, const void *bodies, uint64_t n, oc_box box,
                           cudaStream_t stream, gb_error *error);

/* Builds from now on leave bodies that an insertion puts into a tree faster to that: whether the
 * last one has, is told by a word of device memory, which is 1 then, once it has ended. NULL: such
 * a builder has no sample for so many bodies, and always builds. */
const unsigned *mo_builder_may_yield(mo_builder *builder);

/* ---- a build that begins before its bodies are there --------------------------------------------
 *
 * The same tree, of bodies that are still on their way. Their number is a word of device memory
 * that is read when they are; the tree of the sample is made before, of codes that others lend. */

/* Sets a builder out for about so many bodies, `most` at most. How many codes the sample wants to
 * have; 0: such builds sort whole keys, and have to know how many bodies there are. */
unsigned mo_builder_foresees(mo_builder *builder, uint64_t expected);

/* Where the codes (oc_code) of a sample of the bodies go, in any order: the next one to codes[i], i
 * being *count, which is raised, as long as i < most. Device memory. */
typedef struct mo_lent {
    unsigned long long *codes;
    unsigned *count;
    unsigned most;
} mo_lent;
mo_lent mo_builder_lent(const mo_builder *builder);

/* How many bodies there are: as many as the word says, n at most; n without one. */
static __device__ __forceinline__ unsigned mo_told(const unsigned *told, unsigned n)
{
    return told && *told < n ? *told : n;
}

/* Three steps, each queued behind the one before; codes are lent between the first two, and the
 * bodies are there, *n of them, before the third. Where fewer or more have come than were expected
 * the build is only slower; more than `most` are as if they were so many. */
gb_status mo_builder_start(mo_builder *builder, const void *bodies, const unsigned *n, oc_box box,
                           cudaStream_t stream, gb_error *error);
gb_status mo_builder_sample(mo_builder *builder, cudaStream_t stream, gb_error *error);
gb_status mo_builder_finish(mo_builder *builder, cudaStream_t stream, gb_error *error);

/* ---- what a build leaves -----------------------------------------------------------------------
 */

/* Fills all that a build may write with garbage; queued. */
gb_status mo_builder_poison(const mo_builder *builder, cudaStream_t stream, gb_error *error);

/* The tree of the last build, which has ended; arrays are the builder's. */
gb_status mo_builder_view(const mo_builder *builder, oc_view *view, gb_error *error);

/* The same for kernels that are queued behind a build: device memory, whose contents are there when
 * the build has ended. */
typedef struct mo_tree {
    const uint32_t *slot, *order, *first; /* as in a view */
    const unsigned *cells;                /* handed out */
    const unsigned *trouble;              /* enum oc_trouble: the tree is incomplete */
} mo_tree;
mo_tree mo_builder_tree(const mo_builder *builder);

/* Of device memory. */
uint64_t mo_builder_bytes(const mo_builder *builder);

#endif
