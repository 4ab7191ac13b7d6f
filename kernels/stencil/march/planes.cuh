/* The kernel of variant planes. */
#ifndef GB_STENCIL_PLANES_CUH
#define GB_STENCIL_PLANES_CUH

#include "kernels/stencil/march/column.cuh"

/* What a thread brings of one plane. */
template <class Tile> struct st_arrival {
    float4 own[Tile::ROWS], halo[Tile::HALOS];
};

template <class Tile>
__device__ __forceinline__ void st_fetch(st_arrival<Tile> &arrival, const float *plane,
                                         const st_own<Tile> &own, const st_halo<Tile> &halo,
                                         const st_march &march)
{
#pragma unroll
    for (int r = 0; r < Tile::ROWS; r++)
        if (st_needed<Tile>(march, own.x, own.y + r))
            arrival.own[r] = st_load4(plane + own.at + r * march.pitch);
#pragma unroll
    for (int i = 0; i < Tile::HALOS; i++)
        if (halo.slot[i] >= 0) arrival.halo[i] = st_load4(plane + halo.at[i]);
}

/* One block a tile and chunk. While plane z is worked on, the next AHEAD planes are on their way to
 * registers. The shared plane is there twice, so one barrier a plane is enough: who writes the one
 * buffer has passed the barrier that all pass after they have read it. */
template <class Tile, int AHEAD, int BLOCKS>
__global__ void __launch_bounds__(Tile::THREADS, BLOCKS)
    st_planes_kernel(const float *__restrict__ from, float *__restrict__ to, st_march march,
                     st_weights weights)
{
    enum { TURNS = AHEAD % 2 ? 2 * AHEAD : AHEAD };
    GB_DYNAMIC_SHARED();
    float *const shared = reinterpret_cast<float *>(gb_shared_memory);
    const st_stand stand = st_stand_of(march, Tile::X, Tile::Y);
    const st_own<Tile> own = st_own_of<Tile>(march, stand);
    const st_halo<Tile> halo = st_halo_of<Tile>(march, stand);
    st_column<Tile> column;
    st_arrival<Tile> arrival[AHEAD] = {};

    from += stand.first * march.plane;
    to += (stand.first - Tile::RADIUS) * march.plane;
#pragma unroll
    for (int a = 0; a < AHEAD; a++)
        if (stand.first + a < stand.last)
            st_fetch(arrival[a], from + a * march.plane, own, halo, march);
    st_begin(column, from, own, march);
    int z = stand.first;
    while (z < stand.last) {
#pragma unroll
        for (int turn = 0; turn < TURNS; turn++) {
            if (z == stand.last) break;
            float *const plane = shared + turn % 2 * Tile::FLOATS;
            st_arrival<Tile> &now = arrival[turn % AHEAD];
            float4 value[Tile::ROWS];
#pragma unroll
            for (int r = 0; r < Tile::ROWS; r++) {
                value[r] = now.own[r];
                st_store4(plane + own.slot + r * Tile::PITCH, value[r]);
            }
#pragma unroll
            for (int i = 0; i < Tile::HALOS; i++)
                if (halo.slot[i] >= 0) st_store4(plane + halo.slot[i], now.halo[i]);
            if (z + AHEAD < stand.last) st_fetch(now, from + AHEAD * march.plane, own, halo, march);
            __syncthreads();
#pragma unroll
            for (int r = 0; r < Tile::ROWS; r++) {
                const float4 complete = st_take(column, r, value[r], weights);
                if (z - Tile::RADIUS >= stand.first)
                    st_write<Tile>(to + own.at, r, complete, own, march);
            }
            st_add_plane(column, plane, own, weights);
            from += march.plane;
            to += march.plane;
            z++;
        }
    }
    st_end(column, from, to, own, march, stand.last - stand.first, weights);
}

/* BLOCKS of a multiprocessor are enough. */
template <class Tile, int AHEAD, int BLOCKS> static inline st_blocks st_planes_blocks()
{
    return {st_planes_kernel<Tile, AHEAD, BLOCKS>,
            dim3(Tile::THREADS),
            2 * Tile::FLOATS * sizeof(float),
            Tile::X,
            Tile::Y,
            BLOCKS,
            INT_MAX};
}

#endif
