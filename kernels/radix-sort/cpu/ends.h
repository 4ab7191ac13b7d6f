/* Elements as the CPU variants sort them: what does not depend on their kind (kinds.h). */
#ifndef GB_RADIX_SORT_CPU_ENDS_H
#define GB_RADIX_SORT_CPU_ENDS_H

#include "common/worker/cpu_pool.h"
#include "kernels/radix-sort/variants.h"

/* The form of a name for the kind of element at hand. */
#define RS_JOIN_NAMES(name, kind) name##_##kind
#define RS_JOIN(name, kind) RS_JOIN_NAMES(name, kind)
#define RS_OF(name) RS_JOIN(name, RS_KIND)
#define RS_INLINE __attribute__((always_inline)) static inline

/* function_KIND(...) for the kind that a shape has. */
#define rs_for_kind(shape, function, ...)                                                        \
    (rs_key_bytes((shape)->type) == 8                                                            \
         ? ((shape)->payload ? function##_pairs64(__VA_ARGS__) : function##_keys64(__VA_ARGS__)) \
         : ((shape)->payload ? function##_pairs32(__VA_ARGS__) : function##_keys32(__VA_ARGS__)))

enum { RS_PAYLOAD_BITS = 32 };

/* Where elements come from and go to: the job's arrays on the host. image = key ^ flip, and for a
 * negative key ^ negative as well; the same on the image's sign gives the key back, so that
 * neither way branches (rs_image32 in arithmetic). */
typedef struct rs_cpu_ends {
    const void *keys_in;
    const uint32_t *payload_in;
    void *keys_out;
    uint32_t *payload_out;
    uint64_t flip, negative;
    unsigned low, high; /* the bits of an element by which it is ordered */
} rs_cpu_ends;

static inline rs_cpu_ends rs_cpu_ends_of(const struct gb_problem *p)
{
    const rs_shape *shape = &p->shape;
    const unsigned below = shape->payload ? RS_PAYLOAD_BITS : 0;
    rs_cpu_ends ends = {.keys_in = p->host_keys_in,
                        .payload_in = p->host_payload_in,
                        .keys_out = p->host_keys_out,
                        .payload_out = p->host_payload_out,
                        .low = shape->begin_bit + below,
                        .high = shape->end_bit + below};
    const uint64_t top = (uint64_t)1 << (8 * rs_key_bytes(shape->type) - 1);
    if (shape->type != RS_U32 && shape->type != RS_U64) ends.flip = top;
    if (shape->type == RS_F32 || shape->type == RS_F64) ends.negative = top - 1;
    if (shape->descending) ends.flip = ~ends.flip;
    return ends;
}

/* Bytes of an element. */
static inline size_t rs_cpu_element_bytes(const rs_shape *shape)
{
    return rs_key_bytes(shape->type) * (shape->payload ? 2 : 1);
}

/* The bits of a digit of so many bits. */
static inline uint32_t rs_digit_mask(unsigned width)
{
    return ((uint32_t)1 << width) - 1;
}

enum { RS_DIGIT_BITS = 8, RS_DIGIT_BINS = 1 << RS_DIGIT_BITS, RS_MOST_DIGITS = 64 / RS_DIGIT_BITS };

/* How a range of bits is cut into digits from the least significant one. */
typedef struct rs_digits {
    unsigned low, passes, width, last_width;
} rs_digits;

/* As few digits as there must be, and these as narrow as can be. */
static inline rs_digits rs_digits_of(unsigned low, unsigned high)
{
    const unsigned bits = high - low, passes = (bits + RS_DIGIT_BITS - 1) / RS_DIGIT_BITS;
    const unsigned width = (bits + passes - 1) / passes;
    return (rs_digits){low, passes, width, bits - (passes - 1) * width};
}

static inline unsigned rs_digit_shift(const rs_digits *digits, unsigned pass)
{
    return digits->low + pass * digits->width;
}

static inline uint32_t rs_digit_mask_of(const rs_digits *digits, unsigned pass)
{
    return rs_digit_mask(pass == digits->passes - 1 ? digits->last_width : digits->width);
}

/* Counts become first places. */
static inline void rs_scan_counts(uint64_t *counts, uint32_t bins, uint64_t base)
{
    for (uint32_t bin = 0; bin < bins; bin++) {
        const uint64_t mine = counts[bin];
        counts[bin] = base;
        base += mine;
    }
}

#endif
