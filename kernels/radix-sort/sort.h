/* Sorting keys on a GPU, with or without payloads, for other programs.
 *
 * A request says what is to be done. rs_sort_scratch says how much device memory it needs beside
 * its arrays, rs_sort queues it: nothing is allocated and nothing waits for the device, so that a
 * stream's capture into a CUDA graph works. All functions are about the current device and may be
 * called by any thread.
 *
 *     rs_sort_request request = {.keys_in = in, .keys_out = out, .n = n, .type = RS_F32};
 *     uint64_t bytes;
 *     if (rs_sort_scratch(&request, &bytes) == RS_OK && cudaMalloc(&scratch, bytes) == 0)
 *         status = rs_sort(&request, scratch, bytes, stream);
 *
 * Set a whole request to 0 before its fields: what is 0 is the common case, also of fields that are
 * still to come. Included by C11 and C++17; no CUDA type appears here. In C++, sort.hpp has the
 * same with the signatures of cub::DeviceRadixSort. */
#ifndef GB_SORT_H
#define GB_SORT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a key is. Floats are ordered as CUB documents: -0 and +0 are equal (and keep their bits),
 * NaNs are ordered by theirs: those with the sign set come before -infinity, others after
 * +infinity. */
typedef enum rs_type { RS_U32, RS_U64, RS_I32, RS_F32, RS_I64, RS_F64 } rs_type;

/* All arrays are in device memory, aligned to 16 bytes, and do not overlap. */
typedef struct rs_sort_request {
    const void *keys_in, *payload_in; /* n of each, left as they are; payload: NULL without */
    void *keys_out, *payload_out;     /* the same in order */
    uint64_t n;                       /* 0 is fine; with a payload at most 2^32 */
    rs_type type;
    unsigned payload_bytes; /* that travel with each key: 0, 4, 8 or 16 */
    int descending;
    /* Whether equal keys keep their order. Keys alone that are ordered by all of their bits cannot
     * be told apart, but for zeros: where it is 0, they may be sorted in a faster way. */
    int stable;
    /* Of the number that orders a key as it is ordered, the bits [begin_bit, end_bit) count: of
     * signed numbers with the sign bit flipped, of floats with all bits flipped (sign set) or the
     * sign bit. Keys that agree there are equal; with begin_bit = end_bit > 0 all are. end_bit 0:
     * all bits of the type. */
    unsigned begin_bit, end_bit;
    /* NULL: all elements are sorted together. Or where segments begin that are sorted each by
     * itself, and stably: segments + 1 numbers in device memory, ascending (equal ones: an empty
     * segment), from 0 to n. Then all bits of the keys count, n is below 2^30, a payload has 4
     * bytes, and -0 comes before +0. */
    const uint32_t *offsets;
    uint32_t segments;
} rs_sort_request;

typedef enum rs_status {
    RS_OK,
    RS_INVALID,    /* the request contradicts what is said above */
    RS_NO_SCRATCH, /* scratch is too small or not aligned to 256 bytes */
    RS_CUDA        /* a call of the CUDA runtime failed */
} rs_status;

/* *bytes: of device memory for rs_sort; arrays may be NULL yet. About the size of the input, or
 * with a payload wider than 4 bytes that of the keys and 8 bytes each; for sorts that may change
 * the order of equal keys, as that of integers alone, up to 2.3 times the input, and tables that
 * depend on the device, of some hundred MB on a large one. */
rs_status rs_sort_scratch(const rs_sort_request *request, uint64_t *bytes);

/* Queues the sort on stream (a cudaStream_t, NULL being the default one). The arrays and scratch
 * stay the caller's, and have to live until it has run; what scratch holds before and after is of
 * no interest. */
rs_status rs_sort(const rs_sort_request *request, void *scratch, uint64_t scratch_bytes,
                  void *stream);

/* Why the calling thread's last call failed: a sentence, valid until its next one. */
const char *rs_sort_error(void);

#ifdef __cplusplus
}
#endif
#endif
