/* Partitions of our own, as the variants and the library run them: which passes, and the memory
 * that they need. Nothing here allocates or waits for the device. */
#ifndef GB_MULTIPARTITION_PARTITION_H
#define GB_MULTIPARTITION_PARTITION_H

#include "kernels/multipartition/multipartition.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How to go about it. */
typedef enum mp_method {
    MP_UNSTABLE,          /* one pass into foreseen regions */
    MP_STABLE,            /* one pass, counted before */
    MP_UNSTABLE_TWO_PASS, /* by the bin's upper bits, then within those by the lower ones */
    MP_STABLE_TWO_PASS    /* by the lower bits, then by the upper ones */
} mp_method;

/* All of device memory; arrays are aligned to 16 bytes. */
typedef struct mp_request {
    const void *keys_in, *payload_in; /* payload: NULL where payload_bytes is 0 */
    void *keys_out, *payload_out;
    uint64_t *offsets; /* bins + 1 */
    uint64_t n;
    unsigned key_bytes, payload_bytes; /* 4 or 8; 0, 4, 8 or 16 */
    mp_function_kind function;
    mp_bin_data bin; /* limits on the device */
} mp_request;

/* NULL if the method can do it on this device, else the reason. */
const char *mp_partition_refuses(mp_method method, unsigned key_bytes, unsigned payload_bytes,
                                 uint32_t bins, const gb_device *device);
/* Bytes of scratch memory for a request of that size; only the sizes of the request are looked at.
 */
uint64_t mp_partition_scratch(mp_method method, const mp_request *request, const gb_device *device);
/* Queues the partition on stream; scratch is aligned to 256 bytes, and its content is of no
 * interest. */
gb_status mp_partition(mp_method method, const mp_request *request, const gb_device *device,
                       void *scratch, gb_stream stream, gb_error *error);

#ifdef __cplusplus
}
#endif
#endif
