/* The kernel of the variants tma (one time step a sweep) and temporal (STEPS of them): a block
 * marches along z through a tile of 128 cells x `rows` rows, and each plane passes all stages, one
 * time step each, while it is in registers.
 *
 * - One warp fills a ring of planes in shared memory (on Hopper one thread, by the copy engine).
 *   The others own ROWS rows each, 4 cells a lane and row.
 * - A plane that arrives at a stage completes the plane RADIUS before it, which goes on to the next
 *   stage at once; so a stage keeps, for each cell, RADIUS sums that wait for planes to come and
 *   RADIUS values of planes that were (or reads these again where they lie in shared memory).
 * - The first stage has its neighbours in x and y from the ring. Later stages have those in x from
 *   other lanes and those in y from other warps, through shared memory; a warp waits for the two
 *   beside it alone (gb_mbarrier), once a plane for all stages together.
 * - Tiles overlap: at each stage but the last a ring of RADIUS cells around the tile goes wrong, so
 *   neighbours compute these themselves. Outside the box values stay what they were (Dirichlet).
 * - Blocks keep to the same plane, more or less: the copying warp waits, a bounded time, for blocks
 *   that lag, so that what neighbouring tiles both read is read from memory once.
 *
 * Streaming in z with register queues: Nguyen et al. 2010, "3.5-D blocking optimization"; partial
 * sums instead of a full queue, several steps fused on GPUs: Matsumura et al. 2020, "AN5D". */
#ifndef GB_STENCIL_FUSED_CUH
#define GB_STENCIL_FUSED_CUH

#include "common/cuda/tensor_map.cuh"
#include "common/cuda/warp.cuh"
#include "kernels/stencil/four.cuh"
#include "kernels/stencil/fused/slab.cuh"

#include <type_traits>

/* ---- the warp that copies -------------------------------------------------------------------- */

template <class TILE>
__device__ __forceinline__ void
fused_copy_planes(const gb_tensor_map &map, const typename TILE::sweep &sweep, float *ring,
                  gb_mbarrier *full, gb_mbarrier *empty, unsigned lane, fused_part<TILE> part)
{
    int slot = 0;
    unsigned parity = 1; /* that an unused slot has */
    if (gb_tensor_map_one_lane() && lane != 0) return;
    do {
        const int column = sweep.column + part.left - TILE::MARGIN;
        const int row = sweep.row + part.top - TILE::RADIUS;
        int plane = sweep.plane + (part.z_begin - TILE::RADIUS * TILE::STEPS) * sweep.plane_step;
        fused_await_early<TILE>(sweep, part.z_begin);
        for (int p = 0; p < part.groups * TILE::PLANES; p++) {
            if (sweep.lead && p % 2 == 0 && lane == 0) {
                if (p >= sweep.lead) {
                    /* a hint: after a while it goes on */
                    const unsigned *others = sweep.progress + (p - sweep.lead) / 2;
                    for (int i = 0; i < 4000 && (int)(gb_glance(others) - sweep.all) < 0; i++) {
                    }
                }
                atomicAdd(sweep.progress + p / 2, 1u);
            }
            fused_await_late<TILE>(sweep, part.z_begin, p);
            gb_mbarrier_wait(empty + slot, parity);
            gb_tensor_map_load(map, ring + slot * sweep.slot_floats, column, row, plane,
                               full + slot, lane);
            plane += sweep.plane_step;
            if (++slot == sweep.slots) {
                slot = 0;
                parity ^= 1;
            }
        }
    } while (part.next(sweep));
}

/* ---- the kernel ------------------------------------------------------------------------------ */

enum { FUSED_MOST_SLOTS = 12 };

template <class TILE>
__global__ void __launch_bounds__(TILE::THREADS, 1)
    fused_march(const GB_GRID_CONSTANT gb_tensor_map map, const typename TILE::sweep sweep,
                const st_weights weights)
{
    constexpr int R = TILE::RADIUS, T = TILE::STEPS, ROWS = TILE::ROWS, U = TILE::PLANES;
    constexpr int PITCH = TILE::PITCH, WIDTH = TILE::WIDTH;
    /* Whether the first and last planes of a march leave out the sums that nobody needs, and
     * whether rows in the box are known by bits of a register or by predicates: what spills the
     * least (README.md). */
    constexpr bool LEAVES_OUT = T != 2, BITS = T > 2;
    GB_DYNAMIC_SHARED();
    __shared__ gb_mbarrier full[FUSED_MOST_SLOTS], empty[FUSED_MOST_SLOTS];
    __shared__ gb_mbarrier beside[TILE::WARPS * TILE::BUFFERS];
    float *const ring = reinterpret_cast<float *>(gb_shared_memory) +
                        ((128u - (gb_shared_address(gb_shared_memory) & 127u)) & 127u) / 4;
    float *const exchange = ring + sweep.slots * sweep.slot_floats;
    const unsigned lane = threadIdx.x % 32;
    const int warp = (int)__shfl_sync(GB_FULL_MASK, threadIdx.x / 32, 0), warps = sweep.warps;
    if (threadIdx.x == 0) {
        for (int i = 0; i < sweep.slots; i++) {
            gb_mbarrier_init(full + i, 1);
            gb_mbarrier_init(empty + i, (unsigned)warps);
        }
        for (int w = 0; w < warps; w++)
            for (int b = 0; b < TILE::BUFFERS; b++)
                gb_mbarrier_init(beside + w * TILE::BUFFERS + b,
                                 (unsigned)max(1, (w > 0) + (w < warps - 1)));
        gb_mbarrier_fence_init();
    }
    __syncthreads();
    gb_wait_for_previous();

    fused_part<TILE> part;
    part.first(sweep);
    if (warp == warps) {
        fused_copy_planes<TILE>(map, sweep, ring, full, empty, lane, part);
        return;
    }

    const int rows = warps * ROWS;
    int slot = 0;
    unsigned parity = 0;
    int g = 0; /* groups of planes that this block has marched through */
    do {
        const int left = part.left, top = part.top, z_begin = part.z_begin;
        const int planes = part.planes, groups = part.groups;
        const int row = warp * ROWS; /* the warp's first one in the tile */
        const int x = left + 4 * (int)lane, y = top + row;
        const float *const here = ring + (row + R) * PITCH + TILE::MARGIN + 4 * lane;
        /* The exchange: R rows, those of the tile, R rows; of each, all buffers; of each, all
         * stages but the first. */
        constexpr int EXCHANGE = TILE::BUFFERS * (T - 1) * WIDTH;
        float *const mine = exchange + (R + row) * EXCHANGE + 4 * lane;
        gb_mbarrier *const heard = beside + warp * TILE::BUFFERS;
        /* lane 0 tells the warp above, lane 1 the one below */
        gb_mbarrier *const told = lane == 0 ? heard - TILE::BUFFERS : heard + TILE::BUFFERS;
        const bool tells = (lane == 0 && warp > 0) || (lane == 1 && warp < warps - 1);
        const bool whole = x >= 0 && x + 3 < sweep.x;
        const bool partly = x < sweep.x && x + 3 >= sweep.x;
        const bool edge = __any_sync(GB_FULL_MASK, partly);
        unsigned mask = 0; /* bit i: the lane stores row i; bit 8 + i: within[i] (BITS) */
        bool within[ROWS]; /* all its cells of the row lie in the box */
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            within[i] = whole && y + i >= 0 && y + i < sweep.y;
            if (BITS && within[i]) mask |= 256u << i;
            if (4 * (int)lane >= TILE::HALO_X && 4 * (int)lane < WIDTH - TILE::HALO_X &&
                x < sweep.x && row + i >= TILE::HALO && row + i < rows - TILE::HALO &&
                y + i < sweep.y)
                mask |= 1u << i;
        }
        float *to = sweep.to + (z_begin - TILE::DELAY) * sweep.step + y * (int64_t)sweep.pitch + x;

        /* sums[s][j]: of plane z - R + j of stage s, z being the last one that arrived; past[s][k]:
         * values of plane z - k. */
        float4 sums[T][R][ROWS], past[T][R][ROWS];
#pragma unroll
        for (int s = 0; s < T; s++)
#pragma unroll
            for (int k = 0; k < R; k++)
#pragma unroll
                for (int i = 0; i < ROWS; i++)
                    sums[s][k][i] = past[s][k][i] = make_float4(0, 0, 0, 0);
        unsigned used = 0; /* something of whatever is read from a slot for the last time */
        /* The slot whose plane nobody needs any more goes back to the copying warp; there may not
         * be one yet. */
        auto give_back = [&](bool has) {
            const int old = slot < TILE::KEPT ? slot - TILE::KEPT + sweep.slots : slot - TILE::KEPT;
            __syncwarp();
            gb_mbarrier_arrive_after(empty + old, lane == 0 && has, used, sweep.zero);
            used = 0;
        };

        /* Plane p of the march, the u-th of its group. EDGE: planes lie outside of the box, or
         * nothing is to be stored yet, or the box ends within four cells of the warp; elsewhere p
         * is not asked for. */
        auto plane = [&](auto EDGE, int u, int p, unsigned phase) {
            constexpr bool at_edge = decltype(EDGE)::value;
            /* Computed again rather than kept in registers, which the other branch needs. */
            const int x = at_edge ? left + 4 * (int)(gb_forget(threadIdx.x) % 32) : 0;
            const int y = at_edge ? top + (int)(gb_forget(threadIdx.x) / 32) * ROWS : 0;
            const bool partly = x < sweep.x && x + 3 >= sweep.x;
            const float *const now = here + slot * sweep.slot_floats;
            float *const shared = mine + u % TILE::BUFFERS * (T - 1) * WIDTH;
            const float *before[R]; /* the planes before; while there are none, this one */
            float4 four[ROWS];
#pragma unroll
            for (int k = 0; k < R; k++) {
                const int there = at_edge && p <= k ? slot : slot - 1 - k;
                before[k] = here + (there < 0 ? there + sweep.slots : there) * sweep.slot_floats;
            }
            gb_mbarrier_wait(full + slot, parity);
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                four[i] = st_load4(now + i * PITCH);
                if (LEAVES_OUT && at_edge && !TILE::RING_PAST) used |= __float_as_uint(four[i].x);
            }

            /* Neighbours in z: every stage completes plane z - R and begins plane z. */
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                float4 oldest = {0, 0, 0, 0}; /* of the stage, where the exchange still holds it */
#pragma unroll
                for (int s = 0; s < T; s++) {
                    if (LEAVES_OUT && at_edge && s > 0 && p < 2 * R * s) break;
                    float4 old[R];
#pragma unroll
                    for (int k = 0; k < R; k++) {
                        if (s == 0 && TILE::RING_PAST)
                            old[k] = st_load4(before[k] + i * PITCH);
                        else if (s > 0 && k == R - 1 && TILE::SHARED_OLDEST)
                            old[k] = oldest;
                        else
                            old[k] = past[s][k][i];
                    }
                    if (s == 0 && TILE::RING_PAST) used |= __float_as_uint(old[R - 1].x);
                    float4 done = st_add4(sums[s][0][i], weights.w[6 * R], four[i]);
                    const float4 fixed = old[R - 1];
                    if (at_edge && s < T - 1) {
                        const int out =
                            z_begin + p - R * (T + s + 1); /* the plane that is completed */
                        const bool inside = (unsigned)out < (unsigned)sweep.z &&
                                            (unsigned)(y + i) < (unsigned)sweep.y;
                        if (!(inside && (unsigned)x < (unsigned)sweep.x)) done.x = fixed.x;
                        if (!(inside && (unsigned)(x + 1) < (unsigned)sweep.x)) done.y = fixed.y;
                        if (!(inside && (unsigned)(x + 2) < (unsigned)sweep.x)) done.z = fixed.z;
                        if (!(inside && (unsigned)(x + 3) < (unsigned)sweep.x)) done.w = fixed.w;
                    } else if (s < T - 1) {
                        const bool inside = BITS ? mask & 256u << i : within[i];
                        done.x = inside ? done.x : fixed.x;
                        done.y = inside ? done.y : fixed.y;
                        done.z = inside ? done.z : fixed.z;
                        done.w = inside ? done.w : fixed.w;
                    }
#pragma unroll
                    for (int j = 1; j < R; j++)
                        sums[s][j - 1][i] = st_add4(sums[s][j][i], weights.w[6 * (R - j)], four[i]);
                    float4 sum = st_times4(weights.w[0], four[i]);
#pragma unroll
                    for (int k = 0; k < R; k++)
                        sum = st_add4(sum, weights.w[6 * k + 5], old[k]);
                    sums[s][R - 1][i] = sum;
#pragma unroll
                    for (int k = R - 1; k > 0; k--)
                        past[s][k][i] = past[s][k - 1][i];
                    past[s][0][i] = four[i];
                    four[i] = done;
                    if (s == T - 1) {
                        float *const cells = to + (size_t)(i * sweep.pitch);
                        if (!(mask & 1u << i) || (at_edge && (p < TILE::DELAY || p >= planes)))
                            continue;
                        if (!at_edge || !partly) {
                            st_store4(cells, done);
                        } else {
                            cells[0] = done.x;
                            if (x + 1 < sweep.x) cells[1] = done.y;
                            if (x + 2 < sweep.x) cells[2] = done.z;
                        }
                        continue;
                    }
                    float *const passed = shared + i * EXCHANGE + s * WIDTH;
                    if (TILE::SHARED_OLDEST) oldest = st_load4(passed);
                    if (TILE::SHARED_OLDEST || i < R || i >= ROWS - R) st_store4(passed, done);
                }
            }
            to += sweep.step;
            if (T > 1) {
                __syncwarp();
                gb_mbarrier_arrive(told + u % TILE::BUFFERS, tells);
            }

            if (TILE::KEPT) give_back(!at_edge || p >= TILE::KEPT);

            /* Neighbours in x and y of the plane that arrived, first stage. used: something of
             * whatever is read from the slot for the last time. */
            if (!LEAVES_OUT || !at_edge || (p >= R && p < planes - R)) {
#pragma unroll
                for (int i = 0; i < ROWS; i++) {
                    const float *const at = now + i * PITCH;
                    const float4 before_x = st_load4(at - 4), after_x = st_load4(at + 4);
                    if (!TILE::RING_PAST)
                        used |= __float_as_uint(before_x.w) | __float_as_uint(after_x.x);
                    float4 sum =
                        st_add_x<R>(weights, sums[0][R - 1][i], before_x, past[0][0][i], after_x);
#pragma unroll
                    for (int k = 1; k <= R; k++) {
                        float4 above = past[0][0][i - k >= 0 ? i - k : 0];
                        float4 below = past[0][0][i + k < ROWS ? i + k : 0];
                        if (i - k < 0) {
                            above = st_load4(at - k * PITCH);
                            if (!TILE::RING_PAST) used |= __float_as_uint(above.x);
                        }
                        if (i + k >= ROWS) {
                            below = st_load4(at + k * PITCH);
                            if (!TILE::RING_PAST) used |= __float_as_uint(below.x);
                        }
                        sum = st_add4(sum, weights.w[6 * k - 3], above);
                        sum = st_add4(sum, weights.w[6 * k - 2], below);
                    }
                    sums[0][R - 1][i] = sum;
                }
            }
            if (T > 1) gb_mbarrier_wait(heard + u % TILE::BUFFERS, phase);

                /* Neighbours in x and y, later stages. */
#pragma unroll
            for (int s = 1; s < T; s++) {
                if (LEAVES_OUT && at_edge && (p < 2 * R * s + R || p >= planes - R)) break;
#pragma unroll
                for (int i = 0; i < ROWS; i++) {
                    const float *const at = shared + i * EXCHANGE + (s - 1) * WIDTH;
                    const float4 centre = past[s][0][i];
                    float4 before_x = centre, after_x = centre;
                    before_x.w = __shfl_up_sync(GB_FULL_MASK, centre.w, 1);
                    after_x.x = __shfl_down_sync(GB_FULL_MASK, centre.x, 1);
                    if (R >= 2) {
                        before_x.z = __shfl_up_sync(GB_FULL_MASK, centre.z, 1);
                        after_x.y = __shfl_down_sync(GB_FULL_MASK, centre.y, 1);
                    }
                    if (R >= 3) {
                        before_x.y = __shfl_up_sync(GB_FULL_MASK, centre.y, 1);
                        after_x.z = __shfl_down_sync(GB_FULL_MASK, centre.z, 1);
                    }
                    if (R >= 4) {
                        before_x.x = __shfl_up_sync(GB_FULL_MASK, centre.x, 1);
                        after_x.w = __shfl_down_sync(GB_FULL_MASK, centre.w, 1);
                    }
                    float4 sum = st_add_x<R>(weights, sums[s][R - 1][i], before_x, centre, after_x);
#pragma unroll
                    for (int k = 1; k <= R; k++) {
                        sum = st_add4(sum, weights.w[6 * k - 3],
                                      i - k >= 0 ? past[s][0][i - k >= 0 ? i - k : 0]
                                                 : st_load4(at - k * EXCHANGE));
                        sum = st_add4(sum, weights.w[6 * k - 2],
                                      i + k < ROWS ? past[s][0][i + k < ROWS ? i + k : 0]
                                                   : st_load4(at + k * EXCHANGE));
                    }
                    sums[s][R - 1][i] = sum;
                }
            }
            if (!TILE::KEPT) give_back(true);
            if (++slot == sweep.slots) {
                slot = 0;
                parity ^= 1;
            }
        };

        /* Groups [inner, inner_end) have nothing at any edge: a loop of their own, so that what
         * edges need takes no registers there. */
        const int first_inner = max(TILE::DELAY, R * T - z_begin + R * (T - 1));
        const int last_inner = min(planes - U, sweep.z + R - U - z_begin + R * T);
        const int first = g, end = g + groups;
        const int inner = g + (first_inner + U - 1) / U;
        const int inner_end = edge ? 0 : g + last_inner / U + 1;
        fused_lender<TILE> lender;
        lender.first(sweep, part, g);
        while (g < end) {
            const int stop = lender.until(g, inner, inner_end, end);
#pragma unroll 1
            for (; g < stop; g++)
#pragma unroll
                for (int u = 0; u < U; u++)
                    plane(std::true_type{}, u, (g - first) * U + u, (unsigned)g & 1u);
            const int stop_inner = lender.until_inner(inner_end);
#pragma unroll 1
            for (; g < stop_inner; g++)
#pragma unroll
                for (int u = 0; u < U; u++)
                    plane(std::false_type{}, u, 0, (unsigned)g & 1u);
            lender.go_on(sweep, part, first, g, mask);
        }
        lender.last(sweep, part, first, mask);
        if (!TILE::SPANS) break;
        __syncwarp();
        for (int k = 0; k < TILE::KEPT; k++) { /* the planes that stay */
            const int old = slot - TILE::KEPT + k;
            gb_mbarrier_arrive(empty + (old < 0 ? old + sweep.slots : old), lane == 0);
        }
    } while (part.next(sweep));
    fused_leave<TILE>(sweep);
}

#endif
