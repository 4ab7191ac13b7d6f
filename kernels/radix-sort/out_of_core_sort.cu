/* How the out-of-core sort sorts what is on the device: the passes of lsd8. */
#include "kernels/radix-sort/lsd_digits.cuh"
#include "kernels/radix-sort/out_of_core.cuh"

enum { BITS = 8 };

typedef struct buffers {
    rs_elements here, there;
    uint64_t columns; /* tiles */
    void *cells, *scan;
} buffers;

static uint64_t columns_of(const rs_shape *shape, uint64_t count)
{
    const uint64_t tile = LSD_TILE_BYTES / rs_key_bytes(shape->type);
    return (count + tile - 1) / tile;
}

static uint64_t cell_bytes(const rs_shape *shape, uint64_t count)
{
    const uint64_t bytes = (columns_of(shape, count) << BITS) * rs_position_bytes(count);
    return (bytes + 255) / 256 * 256;
}

size_t rs_ooc_sort_bytes(const rs_shape *shape, uint64_t count)
{
    return cell_bytes(shape, count) + gb_scan_scratch(columns_of(shape, count) << BITS);
}

template <class Key, class Position>
static gb_status pass(const rs_shape *shape, rs_digit<Key> digit, const buffers *b,
                      cudaStream_t stream, gb_error *error)
{
    const dim3 grid((unsigned)b->columns), block(LSD_THREADS);
    const Key *keys = static_cast<const Key *>(b->here.keys);
    Position *cells = static_cast<Position *>(b->cells);
    auto scatter = b->here.payload ? lsd_scatter<Key, Position, BITS, true>
                                   : lsd_scatter<Key, Position, BITS, false>;
    GB_TRY(launch(lsd_count<Key, Position, BITS>, grid, block, 0, stream, keys, shape->n, digit,
                  b->columns, cells),
           error);
    GB_TRY(gb_scan_exclusive(cells, b->columns * (digit.mask + 1), b->scan, stream), error);
    GB_TRY(launch(scatter, grid, block, 0, stream, keys, b->here.payload, shape->n, digit,
                  b->columns, cells, static_cast<Key *>(b->there.keys), b->there.payload),
           error);
    return GB_OK;
}

gb_status rs_ooc_sort(const gb_device *, const rs_shape *shape, uint64_t count, void *keys,
                      void *other_keys, uint32_t *payload, uint32_t *other_payload, void *scratch,
                      size_t, cudaStream_t stream, gb_error *error)
{
    rs_shape part = *shape;
    part.n = count;
    buffers b = {{keys, payload},
                 {other_keys, other_payload},
                 columns_of(&part, count),
                 scratch,
                 static_cast<char *>(scratch) + cell_bytes(&part, count)};
    const unsigned passes = rs_passes(&part, BITS);
    gb_status status = GB_OK;
    for (unsigned i = 0; status == GB_OK && i < passes; i++) {
        status = rs_with_types(&part, rs_position_bytes(count), [&](auto key, auto position) {
            typedef decltype(key) Key;
            return pass<Key, decltype(position)>(&part, rs_digit_of<Key>(&part, i, BITS), &b,
                                                 stream, error);
        });
        const rs_elements swap = b.here;
        b.here = b.there;
        b.there = swap;
    }
    if (status != GB_OK || passes % 2 == 0) return status;
    GB_TRY(cudaMemcpyAsync(keys, other_keys, count * rs_key_bytes(part.type),
                           cudaMemcpyDeviceToDevice, stream),
           error);
    if (payload)
        GB_TRY(cudaMemcpyAsync(payload, other_payload, count * 4, cudaMemcpyDeviceToDevice, stream),
               error);
    return GB_OK;
}
