/* What the tests of the out-of-core sort share: sorted keys, packed as a run or as slices. */
#ifndef GB_TESTS_KERNELS_RADIX_SORT_RADIX_SORT_PACKED_CUH
#define GB_TESTS_KERNELS_RADIX_SORT_RADIX_SORT_PACKED_CUH

#include "kernels/radix-sort/out_of_core/packed.cuh"
#include "tests/kernels/radix-sort/radix_sort_device.cuh"

#include <stdlib.h>

static rs_shape shape_of(rs_type type, bool descending)
{
    return rs_shape{0, type, false, descending, 0, type == RS_U64 ? 64u : 32u};
}

template <class T> static T *room(uint64_t count)
{
    T *memory = NULL;
    assert_int_equal(cudaMalloc(&memory, count * sizeof(T) + 16), cudaSuccess);
    memset(memory, 0xCB, count * sizeof(T));
    return memory;
}

typedef enum packed_as { A_RUN, AS_SLICES } packed_as;

/* Sorted keys, packed. Of slices wide is not written. */
typedef struct packed {
    rs_run run; /* keys NULL */
    uint32_t *keys;
    rs_packed to;
} packed;

/* Packs keys, which become p's. Both places of flags say the same. */
static inline packed pack(const rs_shape *shape, uint32_t *keys, uint64_t count, packed_as kind,
                          unsigned bits)
{
    const uint64_t records = rs_records(count), groups = rs_groups(count);
    const unsigned words = kind == A_RUN ? rs_run_words(bits) : (unsigned)RS_SLICE_WORDS;
    packed p = {};
    p.keys = keys;
    p.to.records = room<uint32_t>(records * words);
    p.to.wide = room<uint32_t>(records * rs_wide_words(bits));
    p.to.wide_groups = room<uint32_t>(groups);
    p.to.host_wide_groups = room<uint32_t>(groups);
    memset(p.to.wide_groups, 0, groups * 4);
    memset(p.to.host_wide_groups, 0, groups * 4);
    if (kind == A_RUN)
        assert_int_equal(rs_launch_pack_run(&device, shape, count, keys, bits, &p.to, NULL),
                         cudaSuccess);
    else
        assert_int_equal(rs_launch_pack_slices(&device, shape, count, keys, &p.to, NULL),
                         cudaSuccess);
    assert_memory_equal(p.to.wide_groups, p.to.host_wide_groups, groups * 4);
    p.run = {count, NULL, p.to.records, p.to.wide, p.to.wide_groups, bits};
    return p;
}

static void free_packed(packed *p)
{
    uint32_t *const arrays[] = {p->keys, p->to.records, p->to.wide, p->to.wide_groups,
                                p->to.host_wide_groups};
    for (uint32_t *array : arrays)
        cudaFree(array);
}

/* Sorted keys: most gaps are below `least`, of every 97 keys one has the gap `large`, and from key
 * `sparse` on they are larger than 16 bits hold. */
static uint32_t *make_keys(const rs_shape *shape, uint64_t count, uint32_t least, uint32_t large,
                           uint64_t sparse)
{
    uint32_t *keys = room<uint32_t>(count);
    uint32_t field = 12345;
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t image = shape->descending ? ~field : field;
        keys[i] = rs_key_of_image32(shape->type, image);
        if (i >= sparse)
            field += 65536 + (uint32_t)draw(5, i, 300);
        else
            field += i % 97 == 31 ? large : (uint32_t)draw(5, i, least);
    }
    return keys;
}

#endif
