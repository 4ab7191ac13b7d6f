/* What the stages of the sort-based build share: sizes, device memory, and the order of the curve.
 *
 * The curve is Morton's (1966): bodies are ordered by their digits from the root down. The stages
 *   sample    a tree over some thousand bodies cuts space into slots that hold about as many
 *             bodies each, however dense they lie, numbered along the curve
 *   keys      every body's slot and its next 5 digits, in 32 bits; bodies are counted by slot
 *   group     slots become buckets of neighbours that fit a block's shared memory
 *   move      bodies go to their buckets
 *   buckets   a bucket is ordered in shared memory and its cells are written
 * and where the sample misled, or there are few bodies, or too many: a sort of whole keys (wide).
 * Which of both is decided on the device; nothing waits for the host. */
#ifndef GB_OCTREE_MORTON_H
#define GB_OCTREE_MORTON_H

#include "common/cuda/device.cuh"
#include "kernels/octree/cells.h"

enum {
    MO_SAMPLE = 32752, /* bodies of the sample, at most: fits 15 bits */
    MO_SPLIT = 4,      /* a slot with more of them becomes a cell */
    MO_CELLS = 6144,   /* of the sample's tree, at most: their slots' numbers fit 16 bits */
    MO_SLOTS = 7 * MO_CELLS + 1,
    MO_LEVELS = 5,                    /* digits of a key below its slot */
    MO_SUB = 3 * MO_LEVELS,           /* bits of them */
    MO_DEEPEST = OC_DEPTH - MO_LEVELS /* depth of the deepest slot's cell */
};

/* Why the bodies are sorted by whole keys after all: bits of the verdict. */
enum mo_verdict {
    MO_REFUSED = 1,     /* by the host: few bodies, or very many */
    MO_BUCKET_FULL = 2, /* a bucket is too large for a block */
    MO_DISORDER = 4,    /* what looked ordered is not */
    MO_NO_CELL = 8,     /* a cell of the sample's tree is none of the bodies' tree */
    MO_CROWD = 16       /* a bucket has too many slots or cells, or too many bodies in one place */
};

/* The words that kernels tell each other with; all 0 before each build. */
typedef struct mo_words {
    unsigned verdict; /* enum mo_verdict: not 0: by whole keys */
    unsigned trouble; /* enum oc_trouble */
    unsigned cells;   /* taken from the pool */
    unsigned ordered; /* the sample is in curve order */
    unsigned coarse;  /* cells of the sample's tree */
    unsigned unused[3];
} mo_words;

/* A slot of the sample's tree that is no cell there. */
typedef struct mo_slot {
    uint32_t at;    /* its index among the tree's slots: 8 * cell + octant */
    uint32_t depth; /* that a cell in it has */
} mo_slot;

/* The slots below a cell of the sample's tree. */
typedef struct mo_span {
    uint32_t first, count;
} mo_span;

/* Device memory and sizes of a build; passed to kernels by value. */
typedef struct mo_build {
    const float4 *bodies;
    unsigned n;
    unsigned leaf;
    oc_box box;
    unsigned sample; /* bodies of the sample */
    unsigned coarse; /* cells of the sample's tree, at most */
    unsigned target; /* bodies of a bucket, about */
    unsigned buckets;
    uint32_t pool; /* cells */
    mo_words *words;
    uint32_t *slot;  /* the tree: 8 * pool */
    uint32_t *order; /* n + slack */
    uint32_t *first; /* (n + 31) / 32 */
    /* of the sample */
    unsigned long long *codes; /* sample: 21 digits */
    uint16_t *tree;            /* 8 * MO_CELLS: a cell below MO_CELLS, or MO_CELLS + slot number */
    mo_slot *slots;            /* MO_SLOTS */
    mo_span *spans;            /* MO_CELLS */
    unsigned *counts;          /* MO_SLOTS + 1: bodies; then those before */
    uint16_t *bucket_of;       /* MO_SLOTS */
    unsigned *bucket_slot;     /* buckets + 1: their first slots */
    unsigned *bucket_fill;     /* buckets: where the next body goes */
    uint32_t *keys;            /* n */
    uint2 *records;            /* n: key, body */
} mo_build;

#endif
