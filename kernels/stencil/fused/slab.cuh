/* What a march through a slab of a larger box does besides: it lends its outermost planes to the
 * neighbours, and orders itself with their sweeps.
 *
 * Lending. A warp stores a plane of its cells where the others are, and a while later reads it back
 * (from the L2) and stores it where the neighbour has its copy. Stored there at once, by all blocks
 * at the same time, as they march side by side, planes would come faster than what joins the
 * devices carries, and the march would stand still meanwhile. So those at the march's beginning are
 * lent one by one during its first three quarters, by each block at other times; those at its end
 * when it is over.
 *
 * Order. Before the copies of the neighbour's planes are read, the neighbour must have ended the
 * sweep before at that border: then they have come, and the neighbour's copies of what is lent now,
 * which lie in the array that it read in that sweep, are no longer needed: no plane is lent before
 * a copy was read. It has ended the sweep there when all its warps have read their last copy and
 * lent their last plane. The last of them says so in a word of the other device's. */
#ifndef GB_STENCIL_FUSED_SLAB_CUH
#define GB_STENCIL_FUSED_SLAB_CUH

#include "common/cuda/mbarrier.cuh"
#include "kernels/stencil/four.cuh"
#include "kernels/stencil/fused/tile.cuh"

/* ---- order ----------------------------------------------------------------------------------- */

/* Until the neighbour has ended so many sweeps. What it stored before is seen by copies that are
 * started then, by the engine as well. */
static __device__ __forceinline__ void fused_await(const fused_border &border, unsigned sweeps)
{
    if (!border.ended) return;
    while (gb_glance(border.ended) < sweeps)
        gb_ask_again();
    __threadfence_system();
#if GB_HAS_MBARRIER
    asm volatile("fence.proxy.async;" ::: "memory");
#endif
}

/* A warp is through with a border. All lanes call it together. */
static __device__ __forceinline__ void fused_through(const fused_slab_sweep &sweep,
                                                     const fused_border &border)
{
    if (!border.tell) return;
    __syncwarp();
    if (gb_lane() != 0) return;
    __threadfence_system();
    if (atomicAdd(border.through, 1u) != sweep.all * (unsigned)sweep.warps - 1) return;
    __threadfence_system();
#if defined(__CUDACC__)
    *static_cast<volatile unsigned *>(border.tell) = sweep.number + 1;
#else
    atomicExch(border.tell, sweep.number + 1);
#endif
}

/* What the copying warp waits for: before a part that begins at z_begin, and before its p-th plane.
 * Of a box by itself: nothing. */
template <class TILE> __device__ __forceinline__ void fused_await_early(const fused_sweep &, int) {}
template <class TILE>
__device__ __forceinline__ void fused_await_early(const fused_slab_sweep &sweep, int z_begin)
{
    if (z_begin - TILE::RADIUS * TILE::STEPS < sweep.first) fused_await(sweep.early, sweep.number);
}

template <class TILE>
__device__ __forceinline__ void fused_await_late(const fused_sweep &, int, int)
{
}
template <class TILE>
__device__ __forceinline__ void fused_await_late(const fused_slab_sweep &sweep, int z_begin, int p)
{
    if (z_begin - TILE::RADIUS * TILE::STEPS + p == sweep.end)
        fused_await(sweep.late, sweep.number);
}

/* ---- lending --------------------------------------------------------------------------------- */

/* Stores the warp's cells of a plane a second time. mask: the rows of which the lane has four.
 * Those behind a row's last cell are fixed, the same in both arrays. */
template <class TILE>
__device__ __forceinline__ void fused_lend(const fused_slab_sweep &sweep,
                                           const fused_part<TILE> &part, int plane, int64_t away,
                                           unsigned mask)
{
    /* Rows at a time: registers are few where steps are fused. */
    constexpr int ROWS = TILE::STEPS == 1 ? TILE::ROWS : 1;
    const int thread = (int)gb_forget(threadIdx.x);
    const int x = part.left + 4 * (thread % 32), y = part.top + thread / 32 * TILE::ROWS;
    float *const cells = sweep.to + plane * sweep.step + y * (int64_t)sweep.pitch + x;
#pragma unroll 1
    for (int first = 0; first < TILE::ROWS; first += ROWS) {
        float4 four[ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            if (mask & 1u << (first + i))
                four[i] = st_load4(cells + (first + i) * (int64_t)sweep.pitch);
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            if (mask & 1u << (first + i))
                st_store4(cells + (first + i) * (int64_t)sweep.pitch + away, four[i]);
    }
}

/* What a warp has to lend of a part, and the loops of the march, which it interrupts. Of a box by
 * itself: nothing. */
template <class TILE, bool SLAB = TILE::SLAB> struct fused_lender {
    typedef typename TILE::sweep sweep_type;

    __device__ __forceinline__ void first(const sweep_type &, const fused_part<TILE> &, int) {}
    /* The group up to which the loop for edges goes on, and that for what is between. */
    __device__ __forceinline__ int until(int g, int inner, int inner_end, int end) const
    {
        return g < inner && inner < inner_end ? inner : end;
    }
    __device__ __forceinline__ int until_inner(int inner_end) const { return inner_end; }
    __device__ __forceinline__ void go_on(const sweep_type &, const fused_part<TILE> &, int, int,
                                          unsigned)
    {
    }
    __device__ __forceinline__ void last(const sweep_type &, const fused_part<TILE> &, int,
                                         unsigned)
    {
    }
};

template <class TILE> struct fused_lender<TILE, true> {
    static_assert(!TILE::LENDS_EARLY || !TILE::SPANS, "the block's one part");
    typedef typename TILE::sweep sweep_type;
    enum { NEVER = 0x7fffffff };

    /* Before this group of the block's something is to be done, unless the part has ended: a plane
     * is lent or, after the last one, the warp is through. */
    int next;

    /* When a part's planes are lent. Computed again whenever it is asked for, rather than kept in
     * registers. */
    struct plan {
        fused_part<TILE> part = {};
        int planes; /* that are lent at the beginning */
        int begin;  /* group of the part before which the first of them is */
        int period; /* groups to the next one */

        __device__ __forceinline__ plan(const sweep_type &sweep, int column)
        {
            part.column = (int)gb_forget(TILE::SPANS ? (unsigned)column : blockIdx.x);
            part.enter(sweep);
            const int stored = part.planes - TILE::DELAY;
            planes = max(0, min(sweep.first + sweep.early.lent - part.z_begin, stored));
            const int soonest = (TILE::DELAY + planes + TILE::PLANES - 1) / TILE::PLANES;
            period = max(1, (part.groups * 3 / 4 - soonest) / (planes + 1));
            begin = soonest + (int)(blockIdx.x % (unsigned)period);
            /* without any business at the border: through as soon as it is there */
            if (part.z_begin >= sweep.first + TILE::RADIUS * TILE::STEPS) begin = 0;
        }
    };

    /* g: the part's first group. */
    __device__ __forceinline__ void first(const sweep_type &sweep, const fused_part<TILE> &part,
                                          int g)
    {
        if (!TILE::LENDS_EARLY) return;
        next = sweep.early.tell ? g + plan(sweep, part.column).begin : NEVER;
    }
    __device__ __forceinline__ int until(int g, int inner, int inner_end, int end) const
    {
        if (!TILE::LENDS_EARLY) return g < inner && inner < inner_end ? inner : end;
        const int edges = g >= inner_end || inner >= inner_end ? end : max(g, inner);
        return min(edges, next);
    }
    __device__ __forceinline__ int until_inner(int inner_end) const
    {
        return TILE::LENDS_EARLY ? min(inner_end, next) : inner_end;
    }
    /* Does what is to be done before group `next`; first: the part's first one. */
    __device__ __forceinline__ void act(const sweep_type &sweep, int column, int first,
                                        unsigned mask)
    {
        const plan now(sweep, column);
        const int lent = (next - first - now.begin) / now.period;
        if (lent < now.planes) {
            fused_lend<TILE>(sweep, now.part, now.part.z_begin + lent, sweep.early.away, mask);
            next += now.period;
        } else {
            fused_through(sweep, sweep.early);
            next = NEVER;
        }
    }
    __device__ __forceinline__ void go_on(const sweep_type &sweep, const fused_part<TILE> &part,
                                          int first, int g, unsigned mask)
    {
        if (TILE::LENDS_EARLY && g == next) act(sweep, part.column, first, mask);
    }
    /* At the end of a part: what is left, and what is lent at its end. */
    __device__ __forceinline__ void last(const sweep_type &sweep, const fused_part<TILE> &part,
                                         int first, unsigned mask)
    {
        if (TILE::LENDS_EARLY) {
#pragma unroll 1
            while (next != NEVER)
                act(sweep, part.column, first, mask);
        }
        if (sweep.late.lent || (!TILE::LENDS_EARLY && sweep.early.lent)) {
            const plan now(sweep, part.column);
            const int from = now.part.z_begin, upto = from + now.part.planes - TILE::DELAY;
            const int early = TILE::LENDS_EARLY ? from : from + now.planes;
#pragma unroll 1
            for (int z = from; z < early; z++)
                fused_lend<TILE>(sweep, now.part, z, sweep.early.away, mask);
#pragma unroll 1
            for (int z = max(from, sweep.end - sweep.late.lent); z < upto; z++)
                fused_lend<TILE>(sweep, now.part, z, sweep.late.away, mask);
        }
    }
};

/* A warp's march is over. */
template <class TILE> __device__ __forceinline__ void fused_leave(const fused_sweep &) {}
template <class TILE> __device__ __forceinline__ void fused_leave(const fused_slab_sweep &sweep)
{
    if (!TILE::LENDS_EARLY) fused_through(sweep, sweep.early);
    fused_through(sweep, sweep.late);
}

#endif
