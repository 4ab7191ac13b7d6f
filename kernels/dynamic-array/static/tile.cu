/* Variant static-tile: memory reserved beforehand, one reservation a tile, 16 bytes at a time. The
 * fastest push there is without growing or order: what growable is held against. */
#include "kernels/dynamic-array/growable/tile.cuh"
#include "kernels/dynamic-array/static/static.cuh"
#include "kernels/dynamic-array/variants.cuh"

/* From so many elements on tiles are larger: small ones have fewer elements wait for a last wave of
 * blocks. */
enum { LARGE = 1 << 25 };

/* MANY: a block has several tiles, and reads the next one while it writes one. */
template <int THREADS, int VECTORS, bool MANY>
static __global__ void __launch_bounds__(THREADS)
    push_tiles(const uint32_t *__restrict__ in, uint64_t n, uint64_t tiles, da_below keep,
               uint32_t *__restrict__ out, unsigned long long *size)
{
    typedef gb_tile<uint32_t, THREADS, VECTORS> tile_type;
    __shared__ typename tile_type::shared shared;
    __shared__ unsigned long long place;
    tile_type tile;
    tile.load(in, n, (uint64_t)blockIdx.x * tile_type::SIZE);
    for (uint64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        tile.count(&shared, keep);
        const unsigned total = tile.total;
        if (threadIdx.x == 0) place = atomicAdd(size, (unsigned long long)total);
        tile.pack(&shared);
        __syncthreads();
        if (MANY && t + gridDim.x < tiles) tile.load(in, n, (t + gridDim.x) * tile_type::SIZE);
        tile_type::store(&shared, 0, total, out + place);
        if (!MANY) return;
        __syncthreads();
    }
}

template <int THREADS, int VECTORS, bool MANY>
static cudaError_t push(const gb_problem *p, const da_static_state *a, cudaStream_t stream)
{
    const uint64_t tiles = gb_tile<uint32_t, THREADS, VECTORS>::tiles_of(p->shape.n);
    if (tiles == 0) return cudaSuccess;
    return launch(push_tiles<THREADS, VECTORS, MANY>,
                  dim3(MANY ? p->shape.blocks : (unsigned)tiles), dim3(THREADS), 0, stream, p->in,
                  p->shape.n, tiles, da_test_of(p), a->out, a->size);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const da_static_state *a = static_cast<const da_static_state *>(job->state);
    const cudaError_t code = p->shape.blocks ? push<1024, 2, true>(p, a, gb_cuda_stream(stream))
                             : p->shape.n < LARGE
                                 ? push<256, 4, false>(p, a, gb_cuda_stream(stream))
                                 : push<512, 4, false>(p, a, gb_cuda_stream(stream));
    return gb_cuda_status(code, "a bulk push", &job->error);
}

extern "C" {
const gb_variant da_static_tile = {
    "static-tile",
    "memory reserved beforehand, one atomicAdd a tile, packed in shared memory",
    "gpubench",
    0,
    NULL,
    da_static_prepare,
    da_static_reset,
    run,
    da_static_cleanup,
};
}
