/* The arithmetic of variants whose threads march along z with four cells of each of some rows: what
 * is kept of a column of cells, and the tile of a plane in shared memory that feeds it.
 *
 * A plane gives all it has when it arrives, and is forgotten: for each cell a thread keeps r sums
 * that are not complete yet and the r last values. When the value v of plane z arrives, the sum of
 * plane z - r is complete; the sums of planes z - r + 1 .. z - 1 get their share of v; that of
 * plane z begins with v, the last r values and its neighbours in x and y. These are 2r registers a
 * cell, against 2r + 1 and a sum for the queue of z-loop-registers, and a plane's neighbours are
 * needed when it arrives, not r planes later: shared memory holds the plane at hand alone. */
#ifndef GB_STENCIL_COLUMN_CUH
#define GB_STENCIL_COLUMN_CUH

#include "kernels/stencil/four.cuh"
#include "kernels/stencil/march/march.cuh"

/* ---- the tile -------------------------------------------------------------------------------- */

/* THREADS threads write X * Y cells of a plane: 4 * ROWS each, thread t those at column
 * t % LANES * 4 and row t / LANES * ROWS. Shared memory holds the tile with its halo: r rows above
 * and below, four columns left and right. */
template <int R, int LANES_, int HEIGHT, int ROWS_> struct st_tile {
    enum {
        RADIUS = R,
        LANES = LANES_,
        ROWS = ROWS_,
        THREADS = LANES * HEIGHT,
        X = 4 * LANES,
        Y = HEIGHT * ROWS,
        PITCH = X + 8,
        FLOATS = (Y + 2 * R) * PITCH,
        /* the halo in vectors of four floats: rows, then the ends of the tile's own rows */
        HALO_ROWS = 2 * R * LANES,
        HALO = HALO_ROWS + 2 * Y,
        HALOS = (HALO + THREADS - 1) / THREADS /* that a thread loads, at most */
    };
};

/* Lanes of the tile that covers a box best, among those of 8, 16 and 32 lanes in blocks of
 * `threads` threads with `rows` rows each: the one with the fewest cells and, around them, sectors
 * (of eight floats) in all. A wide tile has little halo at its sides, a high one above and below; a
 * narrow box fills no wide tile. */
static inline int st_lanes_for(const st_shape *shape, int threads, int rows)
{
    int best = 0;
    int64_t least = INT64_MAX;
    for (int lanes = 32; lanes >= 8; lanes /= 2) {
        const int64_t x = 4 * lanes, y = (int64_t)threads / lanes * rows;
        const int64_t tiles = (shape->x + x - 1) / x * ((shape->y + y - 1) / y);
        const int64_t cost = tiles * (x + 16) * (y + 2 * shape->radius);
        if (cost >= least) continue;
        least = cost;
        best = lanes;
    }
    return best;
}

/* Blocks of so many threads, which write so many rows each: an H200 (132 multiprocessors) holds two
 * of them each, and tiles of 128 x 16 cells or higher ones cover the 2048 x 256 cells of the
 * paper's largest plane with 256, so that it marches through it in one wave. */
enum { ST_MARCH_THREADS = 256, ST_MARCH_ROWS = 2, ST_MARCH_BLOCKS = 2 };

template <template <class Tile> class Blocks, int R, int LANES>
static gb_status st_open_tile(gb_job *job)
{
    typedef st_tile<R, LANES, ST_MARCH_THREADS / LANES, ST_MARCH_ROWS> tile;
    return st_plan_open(job, Blocks<tile>::blocks());
}

template <template <class Tile> class Blocks, int R> static gb_status st_open_lanes(gb_job *job)
{
    switch (st_lanes_for(&job->problem->shape, ST_MARCH_THREADS, ST_MARCH_ROWS)) {
    case 8:
        return st_open_tile<Blocks, R, 8>(job);
    case 16:
        return st_open_tile<Blocks, R, 16>(job);
    default:
        return st_open_tile<Blocks, R, 32>(job);
    }
}

/* prepare() of a variant with such tiles: Blocks<Tile>::blocks() are those of its kernel. */
template <template <class Tile> class Blocks> static gb_status st_open_tiles(gb_job *job)
{
    switch (job->problem->shape.radius) {
    case 1:
        return st_open_lanes<Blocks, 1>(job);
    case 2:
        return st_open_lanes<Blocks, 2>(job);
    case 3:
        return st_open_lanes<Blocks, 3>(job);
    default:
        return st_open_lanes<Blocks, 4>(job);
    }
}

/* A thread's own cells: columns x .. x + 3 of rows y .. y + ROWS - 1. */
template <class Tile> struct st_own {
    int x, y;
    int slot;   /* in the shared plane, of the first one */
    int64_t at; /* in an array, of the first one in plane 0 */
};

template <class Tile>
__device__ __forceinline__ st_own<Tile> st_own_of(const st_march &march, const st_stand &stand)
{
    const int lane = (int)threadIdx.x % Tile::LANES;
    const int row = (int)threadIdx.x / Tile::LANES * Tile::ROWS;
    const int x = stand.x + 4 * lane, y = stand.y + row;
    return {x, y, (row + Tile::RADIUS) * Tile::PITCH + 4 + 4 * lane,
            march.origin + y * march.pitch + x};
}

/* Whether the vector at column x of row y holds anything that a cell of the box needs. It then lies
 * within its row, whose padding it may run into. */
template <class Tile> __device__ __forceinline__ bool st_needed(const st_march &march, int x, int y)
{
    return x < march.x + Tile::RADIUS && y < march.y + Tile::RADIUS;
}

/* The vectors of the halo that a thread brings: their place in plane 0, and in the shared plane
 * (-1: there is none to bring). */
template <class Tile> struct st_halo {
    int64_t at[Tile::HALOS];
    int slot[Tile::HALOS];
};

template <class Tile>
__device__ __forceinline__ st_halo<Tile> st_halo_of(const st_march &march, const st_stand &stand)
{
    st_halo<Tile> halo;
#pragma unroll
    for (int i = 0; i < Tile::HALOS; i++) {
        const int h = (int)threadIdx.x + i * Tile::THREADS, end = h - Tile::HALO_ROWS;
        int row = h / Tile::LANES, column = 4 + h % Tile::LANES * 4;
        if (row >= Tile::RADIUS) row += Tile::Y;
        if (end >= 0) {
            row = Tile::RADIUS + end / 2;
            column = end % 2 * (Tile::X + 4);
        }
        const int x = stand.x + column - 4, y = stand.y + row - Tile::RADIUS;
        halo.at[i] = march.origin + y * march.pitch + x;
        halo.slot[i] =
            h < Tile::HALO && st_needed<Tile>(march, x, y) ? row * Tile::PITCH + column : -1;
    }
    return halo;
}

/* ---- the column ------------------------------------------------------------------------------ */

/* For each row of a thread: sums[j] of the plane that is complete after j + 1 more, and the values
 * of the last planes, the latest first. */
template <class Tile> struct st_column {
    float4 sums[Tile::ROWS][Tile::RADIUS], past[Tile::ROWS][Tile::RADIUS];
};

/* Begins with the r planes below the first one, where `from` is: they have no share in planes that
 * are not the caller's. */
template <class Tile>
__device__ __forceinline__ void st_begin(st_column<Tile> &column, const float *from,
                                         const st_own<Tile> &own, const st_march &march)
{
#pragma unroll
    for (int k = 0; k < Tile::RADIUS; k++) {
#pragma unroll
        for (int r = 0; r < Tile::ROWS; r++) {
            const float *at = from + own.at - (k + 1) * march.plane + r * march.pitch;
            column.past[r][k] = column.sums[r][k] = make_float4(0, 0, 0, 0);
            if (st_needed<Tile>(march, own.x, own.y + r)) column.past[r][k] = st_load4(at);
        }
    }
}

/* Row r of the next plane arrives: returns its sum of r planes ago. */
template <class Tile>
__device__ __forceinline__ float4 st_take(st_column<Tile> &column, int r, const float4 &value,
                                          const st_weights &weights)
{
    enum { R = Tile::RADIUS };
    const float4 complete = st_add4(column.sums[r][0], weights.w[6 * R], value);
    float4 opened = st_times4(weights.w[0], value);
#pragma unroll
    for (int k = 1; k < R; k++)
        column.sums[r][k - 1] = st_add4(column.sums[r][k], weights.w[6 * (R - k)], value);
#pragma unroll
    for (int k = 1; k <= R; k++)
        opened = st_add4(opened, weights.w[6 * k - 1], column.past[r][k - 1]);
    column.sums[r][R - 1] = opened;
#pragma unroll
    for (int k = R - 1; k > 0; k--)
        column.past[r][k] = column.past[r][k - 1];
    column.past[r][0] = value;
    return complete;
}

/* What the neighbours in x and y give to the plane that has just been taken; `shared` has it. A row
 * of shared memory is read once for all the thread's rows that need it. */
template <class Tile>
__device__ __forceinline__ void st_add_plane(st_column<Tile> &column, const float *shared,
                                             const st_own<Tile> &own, const st_weights &weights)
{
    enum { R = Tile::RADIUS, ROWS = Tile::ROWS };
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const float *at = shared + own.slot + r * Tile::PITCH;
        column.sums[r][R - 1] = st_add_x<R>(weights, column.sums[r][R - 1], st_load4(at - 4),
                                            column.past[r][0], st_load4(at + 4));
    }
#pragma unroll
    for (int row = -R; row < ROWS + R; row++) {
        const bool mine = row >= 0 && row < ROWS;
        const float4 value =
            mine ? column.past[mine ? row : 0][0] : st_load4(shared + own.slot + row * Tile::PITCH);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const int k = r > row ? r - row : row - r;
            if (k == 0 || k > R) continue;
            column.sums[r][R - 1] =
                st_add4(column.sums[r][R - 1], weights.w[6 * k - (r > row ? 3 : 2)], value);
        }
    }
}

/* Writes what is complete of row r, cells alone; at: their place in the array. Nobody reads them in
 * this sweep: they leave the L2 before the input does. */
template <class Tile>
__device__ __forceinline__ void st_write(float *at, int r, const float4 &value,
                                         const st_own<Tile> &own, const st_march &march)
{
    if (own.y + r >= march.y) return;
    at += r * march.pitch;
    if (own.x + 3 < march.x) {
        __stcs(reinterpret_cast<float4 *>(at), value);
        return;
    }
    if (own.x < march.x) at[0] = value.x;
    if (own.x + 1 < march.x) at[1] = value.y;
    if (own.x + 2 < march.x) at[2] = value.z;
}

/* The r planes above the last one complete those below them. from and to: at the plane behind the
 * last one, and at the one r planes before. */
template <class Tile>
__device__ __forceinline__ void st_end(st_column<Tile> &column, const float *from, float *to,
                                       const st_own<Tile> &own, const st_march &march, int planes,
                                       const st_weights &weights)
{
    enum { R = Tile::RADIUS };
    float4 value[R][Tile::ROWS];
#pragma unroll
    for (int k = 0; k < R; k++) {
#pragma unroll
        for (int r = 0; r < Tile::ROWS; r++) {
            value[k][r] = make_float4(0, 0, 0, 0);
            if (st_needed<Tile>(march, own.x, own.y + r))
                value[k][r] = st_load4(from + own.at + k * march.plane + r * march.pitch);
        }
    }
#pragma unroll
    for (int k = 0; k < R; k++) {
#pragma unroll
        for (int r = 0; r < Tile::ROWS; r++) {
            const float4 complete = st_take(column, r, value[k][r], weights);
            if (planes >= R - k)
                st_write<Tile>(to + own.at + k * march.plane, r, complete, own, march);
        }
    }
}

#endif
