/* What the ranks' kernels and the host pass to each other. */
#ifndef GB_OCTREE_MULTI_TYPES_CUH
#define GB_OCTREE_MULTI_TYPES_CUH

#include "common/comm/ranks.h"
#include "common/cuda/device.cuh"
#include "kernels/octree/cells.h"

enum {
    OM_RUN = 1024,        /* codes that a block sorts */
    OM_LIST = 8 * OM_RUN, /* codes that a rank lends for the borders, at most: 64 KB, in runs */
    OM_DRAWN =
        28 * OM_RUN, /* and for the trees, at most: 7/8 of what a tree of many bodies wants */
    OM_MOST_TOP = (GB_MOST_RANKS - 1) * OC_CODE_DIGITS /* cells of the top */
};

/* ---- borders (borders.cuh) and bodies (move.cuh) --------------------------------------------- */

/* The first OC_CODE_DIGITS digits of a place: oc_code. */
typedef unsigned long long om_code;

/* How many codes each rank lends: as many, of all, as it has bodies at first, of all. */
typedef struct om_sampling {
    unsigned ranks, total;
    unsigned count[GB_MOST_RANKS]; /* for the borders; total: of all ranks */
    unsigned drawn[GB_MOST_RANKS]; /* for the trees */
} om_sampling;

/* What a border is made of, [k] the one before rank k: it lies behind `low`, where that is less,
 * and not behind `high`. */
typedef struct om_bounds {
    om_code low, high;
} om_bounds;

/* Codes that a border's `low` [0] and `high` [1] lie between: not before `from`, nor behind
 * ~but_to. 0: nobody knows yet. */
typedef struct om_bracket {
    om_code from[2], but_to[2];
} om_bracket;

/* What borders take of memory: of each rank its bounds, and behind all of them brackets. */
#define OM_BORDERS_BYTES (GB_MOST_RANKS * (sizeof(om_bounds) + sizeof(om_bracket)))

/* Where a rank's codes go: [r], in the memory of rank r; NULL: not there. */
typedef struct om_lists {
    om_code *at[GB_MOST_RANKS];
} om_lists;

/* Where bodies of each owner go: to bodies[r][*fill[r]] and on, as long as there is room. */
typedef struct om_targets {
    float4 *bodies[GB_MOST_RANKS];
    unsigned *fill[GB_MOST_RANKS]; /* in the memory of whoever counts for the owner */
} om_targets;

/* ---- the top (top.cuh) ----------------------------------------------------------------------- */

/* Who has what a slot of the top leads to. */
#define OM_NOBODY 0xFFFFFFFFu /* the slot is empty */
#define OM_TOP 0xFFFFFFFEu    /* value: a cell of the top */

/* A slot of the top. rank: one that has it, or one of the two above. value: as in kernels/octree,
 * of that rank: OC_CELL | a cell, or the place of a leaf's first body in the rank's order. */
typedef struct om_slot {
    uint32_t rank, value;
    uint32_t count; /* of a leaf: its bodies, which go on at place 0 of the next rank that has any;
                       0: all that the rank's own marks say, which are many and coincide */
    uint32_t zero;
} om_slot;

typedef struct om_top {
    uint32_t cells;
    uint32_t zero[3];
    om_slot root; /* leads to the root: a cell of the top, or of the only rank that has bodies */
    om_slot slot[OC_SLOTS * OM_MOST_TOP]; /* of cells: slot 8 c + d is octant d of cell c */
} om_top;

/* What a rank has in an octant: nothing (OC_EMPTY), a cell, or a leaf's first place. */
typedef struct om_entry {
    uint32_t value;
    uint32_t count; /* of a leaf: bodies; 0: more than OM_COUNTED, which coincide */
} om_entry;

/* What a rank tells: in the cells on the path of the border before its bodies (0) and behind (1).
 */
typedef struct om_told {
    uint32_t bodies;
    om_entry at[2][OC_CODE_DIGITS][OC_SLOTS];
} om_told;

/* Where a rank's word goes: [r], in the memory of rank r; NULL: not there. */
typedef struct om_ears {
    om_told *at[GB_MOST_RANKS];
} om_ears;

#endif
