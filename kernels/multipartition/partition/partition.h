/* Partitions of our own as the variants run them, on a device that the caller describes;
 * multipartition.h says what a request is. Nothing here allocates or waits for the device. */
#ifndef GB_MULTIPARTITION_PARTITION_H
#define GB_MULTIPARTITION_PARTITION_H

#include "kernels/multipartition/experiment.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline bool mp_is_stable(mp_method method)
{
    return method >= MP_STABLE && method <= MP_STABLE_RESIDENT;
}

/* Whether some digits may have much more than others. */
static inline bool mp_is_skewed(mp_keys keys)
{
    return keys == MP_KEYS_SKEWED || keys == MP_KEYS_FEW;
}

/* NULL if the request's method (not MP_AUTO) can do it on this device, else the reason; *bytes: of
 * scratch memory. Here and in the next two only the request's sizes are looked at. */
const char *mp_measure(const mp_request *request, const gb_device *device, uint64_t *bytes);
/* Either of both alone. */
const char *mp_refusal(const mp_request *request, const gb_device *device);
uint64_t mp_scratch_bytes(const mp_request *request, const gb_device *device);
/* Queues the partition on stream; scratch is aligned to 256 bytes, and its content is of no
 * interest. */
gb_status mp_queue_partition(const mp_request *request, const gb_device *device, void *scratch,
                             gb_stream stream, gb_error *error);

/* *redone: whether a pass of the partition that used scratch last had to be done anew: its sample
 * had misled it, or its keys had not drawn in order. The device is idle. */
gb_status mp_partition_redone(const mp_request *request, const gb_device *device,
                              const void *scratch, bool *redone, gb_error *error);

/* ---- choosing -------------------------------------------------------------------------------- */

/* What was measured: how long each method took. */
typedef struct mp_tuned {
    const char *gpu;
    int arch, sms;
    unsigned key_bytes, payload_bytes;
    mp_keys keys;
    uint64_t n;
    uint32_t bins;
    double seconds[MP_METHODS]; /* 0: it could not do it */
    double copy_bytes_per_s;    /* of that GPU, as measured; 0: unknown */
    uint64_t l2_bytes;          /* likewise */
} mp_tuned;

/* From results/GPU/multipartition-tuning.csv, made by the build (scripts/tuning-table.sh). */
extern const mp_tuned mp_tuning[];
extern const unsigned mp_tuning_count;

/* What each method is expected to take on this device, by a table; 0: the table does not say. Of
 * the table counts the part (one GPU, kind of keys, size of elements) that is nearest to the
 * request; between its points in n and bins logarithms are interpolated, beyond them the last point
 * counts. A GPU with other multiprocessors is looked up at the n of which each has as much, and
 * what the memory moves takes longer or shorter by its bandwidth, the L2's share apart. Returns a
 * point of that part; NULL if the table is empty. */
const mp_tuned *mp_expect(const mp_tuned *table, unsigned count, const mp_request *request,
                          const gb_device *device, double seconds[MP_METHODS]);

/* The method that is expected to be the fastest, of those that can do it on this device; where none
 * can, one that mp_refusal refuses. *nearest, unless NULL: what mp_expect returns. */
mp_method mp_choose_from(const mp_tuned *table, unsigned count, const mp_request *request,
                         const gb_device *device, const mp_tuned **nearest);

#ifdef __cplusplus
}
#endif
#endif
