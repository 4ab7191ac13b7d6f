/* The sort of pairs, in a file of its own: it sees the other primitive's types and no octree. */
#include "kernels/octree/morton/sort.h"
#include "kernels/radix-sort/onesweep/onesweep.h"

static rs_shape shape_of(uint64_t n, unsigned key_bytes, unsigned bits)
{
    return rs_shape{n, key_bytes == 8 ? RS_U64 : RS_U32, 4, false, 0, bits};
}

uint64_t oc_sort_bytes(uint64_t n, const gb_device *device)
{
    const rs_shape narrow = shape_of(n, 4, 32), wide = shape_of(n, 8, 64);
    const uint64_t a = os_scratch_bytes(&narrow, device), b = os_scratch_bytes(&wide, device);
    return a > b ? a : b;
}

gb_status oc_sort_pairs(uint64_t n, unsigned key_bytes, unsigned bits, const gb_device *device,
                        const void *keys_in, const uint32_t *values_in, void *keys_out,
                        uint32_t *values_out, void *scratch, cudaStream_t stream, gb_error *error)
{
    const rs_shape shape = shape_of(n, key_bytes, bits);
    const os_sort_data data = {keys_in, values_in, keys_out, values_out, scratch, NULL};
    return os_sort(&shape, device, &data, stream, error);
}
