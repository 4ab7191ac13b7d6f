/* The kernel of variant async-copy. */
#ifndef GB_STENCIL_ASYNC_COPY_CUH
#define GB_STENCIL_ASYNC_COPY_CUH

#include "common/cuda/copy_async.cuh"
#include "kernels/stencil/march/column.cuh"

/* Starts the copies of a plane and makes them a group; a plane that nobody needs is an empty one,
 * so that a thread's groups are numbered as the planes are. */
template <class Tile>
__device__ __forceinline__ void st_send(float *shared, const float *plane, bool needed,
                                        const st_own<Tile> &own, const st_halo<Tile> &halo,
                                        const st_march &march)
{
    if (needed) {
#pragma unroll
        for (int r = 0; r < Tile::ROWS; r++)
            if (st_needed<Tile>(march, own.x, own.y + r))
                gb_copy_async_16(shared + own.slot + r * Tile::PITCH,
                                 plane + own.at + r * march.pitch);
#pragma unroll
        for (int i = 0; i < Tile::HALOS; i++)
            if (halo.slot[i] >= 0) gb_copy_async_16(shared + halo.slot[i], plane + halo.at[i]);
    }
    gb_copy_async_commit();
}

/* One block a tile and chunk, and a ring of RING planes in shared memory, of which RING - 1 are on
 * their way while the other one is worked on. The barrier of a plane does both: it shows what all
 * threads have copied of it, and tells that all are done with the plane before, whose slot gets
 * the next one. */
template <class Tile, int RING, int BLOCKS>
__global__ void __launch_bounds__(Tile::THREADS, BLOCKS)
    st_async_copy_kernel(const float *__restrict__ from, float *__restrict__ to, st_march march,
                         st_weights weights)
{
    GB_DYNAMIC_SHARED();
    float *const ring = reinterpret_cast<float *>(gb_shared_memory);
    const st_stand stand = st_stand_of(march, Tile::X, Tile::Y);
    const st_own<Tile> own = st_own_of<Tile>(march, stand);
    const st_halo<Tile> halo = st_halo_of<Tile>(march, stand);
    const int planes = stand.last - stand.first;
    st_column<Tile> column;

    from += stand.first * march.plane;
    to += (stand.first - Tile::RADIUS) * march.plane;
#pragma unroll
    for (int a = 0; a < RING - 1; a++)
        st_send(ring + a * Tile::FLOATS, from + a * march.plane, a < planes, own, halo, march);
    st_begin(column, from, own, march);
    float *now = ring, *last = ring + (RING - 1) * Tile::FLOATS;
    for (int i = 0; i < planes; i++) {
        gb_copy_async_wait_but<RING - 2>();
        __syncthreads();
        st_send(last, from + (RING - 1) * march.plane, i + RING - 1 < planes, own, halo, march);
#pragma unroll
        for (int r = 0; r < Tile::ROWS; r++) {
            const float4 value = st_load4(now + own.slot + r * Tile::PITCH);
            const float4 complete = st_take(column, r, value, weights);
            if (i >= Tile::RADIUS) st_write<Tile>(to + own.at, r, complete, own, march);
        }
        st_add_plane(column, now, own, weights);
        last = now;
        now = now == ring + (RING - 1) * Tile::FLOATS ? ring : now + Tile::FLOATS;
        from += march.plane;
        to += march.plane;
    }
    st_end(column, from, to, own, march, planes, weights);
}

/* BLOCKS of a multiprocessor are enough. */
template <class Tile, int RING, int BLOCKS> static inline st_blocks st_async_copy_blocks()
{
    return {st_async_copy_kernel<Tile, RING, BLOCKS>,
            dim3(Tile::THREADS),
            RING * Tile::FLOATS * sizeof(float),
            Tile::X,
            Tile::Y,
            BLOCKS,
            INT_MAX};
}

#endif
