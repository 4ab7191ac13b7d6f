/* What the kernel of fused.cuh is told: its tile when it is compiled, its sweep when it is
 * launched, and from these each block the parts of the box that it marches through. */
#ifndef GB_STENCIL_FUSED_TILE_CUH
#define GB_STENCIL_FUSED_TILE_CUH

#include "common/cuda/device.cuh"
#include "common/cuda/warp.cuh"
#include "kernels/stencil/fused/fused.h"

/* What a launch is told. */
typedef struct fused_sweep {
    float *to;   /* cell (0, 0, first plane of the march) */
    int x, y, z; /* cells of the box */
    int tiles_x, tiles_y;
    int warps;            /* that compute, at most WARPS */
    int slots;            /* planes of the ring */
    unsigned slot_floats; /* from one to the next: a multiple of 32 */
    int columns;          /* tiles_x * tiles_y * chunks */
    int chunk;            /* planes of z that a column stores */
    int span;             /* planes that a block reads (SPANS) */
    unsigned pitch;
    int64_t step;          /* floats to the next plane of the march, negative if that goes down z */
    int column, row;       /* of the map: cell (0, 0) */
    int plane, plane_step; /* of the map: the march's first plane that is stored, and +1 or -1 */
    unsigned *progress;    /* blocks that have asked for planes 2i and 2i + 1, at [i] */
    unsigned all;          /* what progress comes to when all blocks have */
    int lead;              /* planes that a block may be ahead of the others; 0: any number */
    unsigned zero;         /* 0 (gb_mbarrier_arrive_after) */
} fused_sweep;

/* What a launch is told of a slab besides. Planes count from the march's first cell on: z of them
 * are cells, [first, end) are stored. */
typedef struct fused_slab_sweep : fused_sweep {
    int first, end;
    fused_border early, late; /* where the march begins and where it ends */
    unsigned number;
} fused_slab_sweep;

/* What is fixed when the kernel is compiled. */
template <int RADIUS_, int STEPS_, int ROWS_, int WARPS_, int MARGIN_, bool RING_PAST_,
          bool SHARED_OLDEST_, bool SPANS_ = false>
struct fused_tile {
    static constexpr int RADIUS = RADIUS_, STEPS = STEPS_;
    static constexpr int ROWS = ROWS_;   /* of a warp */
    static constexpr int WARPS = WARPS_; /* that compute, at most */
    /* Cells read at either side of a row, for the first stage. */
    static constexpr int MARGIN = MARGIN_;
    /* Whether the first stage reads its past planes from the ring again instead of keeping them in
     * registers. */
    static constexpr bool RING_PAST = RING_PAST_;
    /* Planes that stay in the ring after they came. */
    static constexpr int KEPT = RING_PAST ? RADIUS : 0;
    /* Whether later stages read the oldest of their past planes from the exchange again, where the
     * plane that they complete takes its place. */
    static constexpr bool SHARED_OLDEST = SHARED_OLDEST_;
    /* Whether a block may march through parts of several columns, one after the other. */
    static constexpr bool SPANS = SPANS_;
    /* Whether the box is a slab of a larger one (fused_slab_tile). */
    static constexpr bool SLAB = false;
    typedef fused_sweep sweep;

    static constexpr int WIDTH = 128, PITCH = WIDTH + 2 * MARGIN;
    static constexpr int HALO = RADIUS * (STEPS - 1);      /* rows that go wrong at either side */
    static constexpr int HALO_X = (HALO + 3) / 4 * 4;      /* cells, in whole float4 */
    static constexpr int INNER_X = WIDTH - 2 * HALO_X;     /* cells that a tile stores along x */
    static constexpr int PLANES = RADIUS < 2 ? 2 : RADIUS; /* that the loop is unrolled by */
    static constexpr int BUFFERS = PLANES;                 /* for the exchange between warps */
    static constexpr int THREADS = (WARPS + 1) * 32;
    /* Planes read before the first one is stored. */
    static constexpr int DELAY = 2 * RADIUS * STEPS;
    static_assert(STEPS == 1 || ROWS >= RADIUS, "neighbours in y lie in the next warp");
    static_assert(MARGIN % 4 == 0 && (BUFFERS == RADIUS || !SHARED_OLDEST), "");
};

/* The same for a slab: planes before and behind those that are stored may be cells as well, and the
 * outermost ones are stored a second time, where the neighbour has its copy of them (slab.cuh). */
template <class TILE> struct fused_slab_tile : TILE {
    static constexpr bool SLAB = true;
    /* Whether planes at the march's beginning are lent while it goes on. Of several steps at larger
     * radii the registers are full: what interrupts the march spills in it. */
    static constexpr bool LENDS_EARLY = TILE::STEPS == 1 || TILE::RADIUS == 1;
    typedef fused_slab_sweep sweep;
};

/* ---- what a block marches through ------------------------------------------------------------ */

/* A column is a tile through a chunk of z, tiles fastest and of them x. Each block has one; or,
 * with SPANS, it has `span` planes of all that there are, the columns laid end to end, each as long
 * as what it stores and DELAY planes before. Where a block ends inside of a column the next one
 * begins there, with DELAY planes more. */
template <class TILE> struct fused_part {
    int column;
    int from, upto; /* planes of the column's chunk */
    int left, top;  /* cell of the box where the tile begins */
    int z_begin;    /* first plane that is stored */
    int planes;     /* that are read, from z_begin - RADIUS * STEPS on */
    int groups;     /* that the loop takes for them */

    /* Of a box by itself: nothing more. */
    __device__ __forceinline__ void enter_slab(const fused_sweep &, int) {}
    __device__ __forceinline__ void enter_slab(const fused_slab_sweep &sweep, int most)
    {
        z_begin += sweep.first;
        planes = min(z_begin + most, sweep.end) - z_begin + TILE::DELAY;
    }
    __device__ __forceinline__ bool enter(const typename TILE::sweep &sweep)
    {
        from = 0;
        upto = sweep.chunk;
        if (TILE::SPANS) {
            const int begin = (int)gb_forget(blockIdx.x) * sweep.span -
                              column * (sweep.chunk + TILE::DELAY) - TILE::DELAY;
            from = max(begin, 0);
            upto = min(begin + sweep.span, sweep.chunk);
            if (column >= sweep.columns || from >= upto) return false;
        }
        const int tiles = sweep.tiles_x * sweep.tiles_y, tile = column % tiles;
        left = tile % sweep.tiles_x * TILE::INNER_X - TILE::HALO_X;
        top = tile / sweep.tiles_x * (sweep.warps * TILE::ROWS - 2 * TILE::HALO) - TILE::HALO;
        z_begin = column / tiles * sweep.chunk + from;
        planes = min(column / tiles * sweep.chunk + upto, sweep.z) - z_begin + TILE::DELAY;
        enter_slab(sweep, upto - from);
        groups = (planes + TILE::PLANES - 1) / TILE::PLANES;
        return true;
    }
    __device__ __forceinline__ void first(const typename TILE::sweep &sweep)
    {
        column = (int)blockIdx.x;
        if (TILE::SPANS) column = column * sweep.span / (sweep.chunk + TILE::DELAY);
        enter(sweep);
    }
    __device__ __forceinline__ bool next(const typename TILE::sweep &sweep)
    {
        if (!TILE::SPANS) return false;
        column++;
        return enter(sweep);
    }
};

#endif
