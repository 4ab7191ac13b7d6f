/* Radix sort: keys into ascending or descending order, alone or with a payload. What the files of
 * this folder share. */
#ifndef GB_RADIX_SORT_H
#define GB_RADIX_SORT_H

#include "common/gpubench.h"
#include "kernels/radix-sort/sort.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { RS_N, RS_DIST, RS_TYPE, RS_PAYLOAD, RS_ORDER, RS_BITS, RS_AXES };

enum { RS_TYPES = RS_F64 + 1 };

/* A point of the experiment in C types. Keys are ordered by the bits [begin_bit, end_bit) of their
 * image (keys.h); those that agree there are equal. */
typedef struct rs_shape {
    uint64_t n;
    rs_type type;
    unsigned payload; /* bytes that travel with each key: 0, 4, 8 or 16 */
    bool descending;
    unsigned begin_bit, end_bit; /* begin_bit < end_bit <= the type's width */
} rs_shape;

/* The point's shape. Where the axis bits names no range of the type's, begin_bit >= end_bit. */
rs_shape rs_shape_of(const gb_params *params);
/* Bytes of a key: 4 or 8. */
static inline size_t rs_key_bytes(rs_type type)
{
    return type == RS_U64 || type == RS_I64 || type == RS_F64 ? 8 : 4;
}
/* Bytes of an element: key and payload. */
static inline size_t rs_element_bytes(const rs_shape *shape)
{
    return rs_key_bytes(shape->type) + shape->payload;
}

/* A point's data. Key i and payload i depend on the seed and i alone; payload i is i
 * and, if it is wide, a hash of i (keys.h), so that a checker sees stability. Arrays are of n
 * elements and 16 bytes of slack, and are made when a job first asks for them (rs_problem_device,
 * rs_problem_host): NULL until then, and for payloads that there are none of. The OpenCL worker
 * keeps its buffers in the same fields. */
struct gb_problem {
    rs_shape shape;
    uint64_t seed;
    const gb_device *device;
    const char *dist;
    /* device memory */
    void *keys_in, *keys_out;
    uint32_t *payload_in, *payload_out; /* shape.payload / 4 words an element */
    /* host memory, page-locked where the back-end can */
    void *host_keys_in, *host_keys_out;
    uint32_t *host_payload_in, *host_payload_out;
    void *checker; /* what the checker remembers */
    /* The input is the host arrays', from whoever made this point, and not the generator's: the
     * device's arrays are not filled until rs_upload. */
    bool brought;
};

/* Makes the arrays in device memory, input filled (unless brought); they count as the job's memory.
 */
gb_status rs_problem_device(gb_job *job);
/* Makes the arrays in host memory, input filled. */
gb_status rs_problem_host(gb_job *job);

/* The truth: a stable merge sort on one core, by rs_field alone. keys and payload (a word an
 * element, or NULL) are sorted in place; scratch is 32 bytes an element. */
void rs_oracle(const rs_shape *shape, void *keys, uint32_t *payload, void *scratch);

/* axes.c */
extern const gb_axis rs_axes[RS_AXES];
/* NULL if the values go together, else the reason. */
const char *rs_invalid(const gb_params *params);
const char *rs_mistake(const gb_params *params);
/* Whether text names bits of keys of some width. */
bool rs_bits_can_be(const char *text);
/* The gb_variant.unsupported of variants that move payloads of 32 bits alone. */
const char *rs_no_wide_payload(const gb_params *params, const gb_device *device);
gb_work rs_work(const gb_params *params);
#define RS_TITLE "Radix sort: keys into order"

/* problem.cu */
gb_status rs_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error);
void rs_close(gb_problem *problem);
gb_status rs_upload(gb_job *job, gb_stream stream);
gb_status rs_download(gb_job *job, gb_stream stream);
gb_status rs_poison(gb_job *job, gb_stream stream);
/* first_call.c */
gb_status rs_run_fresh(const gb_variant *variant, void *shared, gb_stream stream, gb_error *error);
/* check.cu */
gb_status rs_check(gb_job *job, gb_stream stream);

#ifdef __cplusplus
}
#endif
#endif
