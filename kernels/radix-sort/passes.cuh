/* What the sorts that go from the lowest digit to the highest share: a key's digit, the buffers
 * that the passes alternate between, and the way from a point to compiled kernels. */
#ifndef GB_RADIX_SORT_PASSES_CUH
#define GB_RADIX_SORT_PASSES_CUH

#include "common/cuda/device.cuh"
#include "kernels/radix-sort/keys.h"

#include <stdlib.h>

/* ---- digits ---------------------------------------------------------------------------------- */

/* The digit of a key that one pass sorts by: some bits of the image that rs_field orders by. For
 * all types the image is the key with some bits flipped and, if its top bit is set, some more. */
template <class Key> struct rs_digit {
    Key flip, flip_negative;
    unsigned shift, mask;

    __device__ __forceinline__ unsigned operator()(Key key) const
    {
        const Key negative = (Key)0 - (key >> (8 * sizeof(Key) - 1)); /* all ones or none */
        return (unsigned)((key ^ flip ^ (flip_negative & negative)) >> shift) & mask;
    }
};

/* The digit of pass `pass` where a pass takes digit_bits bits; the last one takes what is left. */
template <class Key>
static inline rs_digit<Key> rs_digit_of(const rs_shape *shape, unsigned pass, unsigned digit_bits)
{
    const Key top = (Key)1 << (8 * sizeof(Key) - 1);
    rs_digit<Key> digit = {0, 0, shape->begin_bit + pass * digit_bits, 0};
    const unsigned left = shape->end_bit - digit.shift;
    if (shape->type != RS_U32 && shape->type != RS_U64) digit.flip = top;
    if (rs_is_float(shape->type)) digit.flip_negative = top - 1;
    if (shape->descending) digit.flip = ~digit.flip;
    digit.mask = (1u << (left < digit_bits ? left : digit_bits)) - 1;
    return digit;
}

static inline unsigned rs_passes(const rs_shape *shape, unsigned digit_bits)
{
    return (shape->end_bit - shape->begin_bit + digit_bits - 1) / digit_bits;
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* Where elements lie; payload is NULL where there is none. */
typedef struct rs_elements {
    void *keys;
    uint32_t *payload;
} rs_elements;

/* What pass `pass` of `passes` writes: the last one the output, the others by turns `spare` and the
 * output. */
static inline rs_elements rs_pass_target(const gb_problem *problem, const rs_elements *spare,
                                         unsigned pass, unsigned passes)
{
    if ((passes - pass) % 2 == 0) return *spare;
    return rs_elements{problem->keys_out, problem->payload_out};
}

/* What it reads: the first one the input, which stays as it is. */
static inline rs_elements rs_pass_source(const gb_problem *problem, const rs_elements *spare,
                                         unsigned pass, unsigned passes)
{
    if (pass == 0) return rs_elements{problem->keys_in, problem->payload_in};
    return rs_pass_target(problem, spare, pass - 1, passes);
}

/* ---- scratch --------------------------------------------------------------------------------- */

/* Device memory that is cut into arrays: first all of them are laid out, then it is allocated. */
typedef struct rs_scratch {
    unsigned char *memory;
    uint64_t bytes;
} rs_scratch;

/* The offset of an array of so many bytes, aligned to 256. */
static inline uint64_t rs_lay_out(rs_scratch *scratch, uint64_t bytes)
{
    const uint64_t at = scratch->bytes;
    scratch->bytes += (bytes + 255) / 256 * 256;
    return at;
}

/* The next array of so many T; NULL as long as there is no memory, and only bytes are added up. */
template <class T> static inline T *rs_part(rs_scratch *scratch, uint64_t count)
{
    const uint64_t at = rs_lay_out(scratch, count * sizeof(T));
    return scratch->memory ? reinterpret_cast<T *>(scratch->memory + at) : NULL;
}

static inline gb_status rs_scratch_open(gb_job *job, rs_scratch *scratch)
{
    void *memory;
    gb_status status = gb_job_malloc(job, &memory, scratch->bytes + 16, "the sort's scratch");
    scratch->memory = static_cast<unsigned char *>(memory);
    return status;
}

/* Lays out the elements that all passes but the last may write; none for a single pass. */
typedef struct rs_spare_layout {
    uint64_t keys, payload;
} rs_spare_layout;

static inline rs_spare_layout rs_lay_out_spare(rs_scratch *scratch, const rs_shape *shape,
                                               unsigned passes)
{
    const uint64_t n = passes > 1 ? shape->n : 0;
    const uint64_t keys = rs_lay_out(scratch, n * rs_key_bytes(shape->type));
    return rs_spare_layout{keys, rs_lay_out(scratch, shape->payload ? n * 4 : 0)};
}

static inline rs_elements rs_spare_of(const rs_scratch *scratch, const rs_shape *shape,
                                      rs_spare_layout layout)
{
    void *payload = shape->payload ? scratch->memory + layout.payload : NULL;
    return rs_elements{scratch->memory + layout.keys, static_cast<uint32_t *>(payload)};
}

/* ---- all passes ------------------------------------------------------------------------------ */

/* Bytes of an output index. */
static inline size_t rs_position_bytes(uint64_t n)
{
    return n <= UINT32_MAX ? 4 : 8;
}

/* Calls go(key, position) with zeros of the types that hold a key's bits and an output index. */
template <class Go>
static gb_status rs_with_types(const rs_shape *shape, size_t position_bytes, Go &&go)
{
    if (rs_is_wide(shape->type)) return position_bytes == 4 ? go(0ull, 0u) : go(0ull, 0ull);
    return position_bytes == 4 ? go(0u, 0u) : go(0u, 0ull);
}

/* Queues the passes of a point, the lowest digit first, each by
 * pass(digit, position, &source, &target) with a zero of the type that holds an output index. */
template <class Pass>
static gb_status rs_queue_passes(const gb_problem *problem, const rs_elements *spare,
                                 unsigned digit_bits, size_t position_bytes, Pass &&pass)
{
    const rs_shape *shape = &problem->shape;
    const unsigned passes = rs_passes(shape, digit_bits);
    gb_status status = GB_OK;
    for (unsigned i = 0; shape->n && status == GB_OK && i < passes; i++) {
        const rs_elements source = rs_pass_source(problem, spare, i, passes);
        const rs_elements target = rs_pass_target(problem, spare, i, passes);
        status = rs_with_types(shape, position_bytes, [&](auto key, auto position) {
            return pass(rs_digit_of<decltype(key)>(shape, i, digit_bits), position, &source,
                        &target);
        });
    }
    return status;
}

#endif
