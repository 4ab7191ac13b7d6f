/* Threads that unpack slices of the output while the next ones are on the bus. */
#ifndef GB_RADIX_SORT_UNPACKERS_H
#define GB_RADIX_SORT_UNPACKERS_H

#include "kernels/radix-sort/runs.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rs_unpackers rs_unpackers;

/* A slice on its way into place `seat` of a ring of buffers. */
typedef struct rs_slice {
    unsigned seat;
    uint64_t count; /* keys */
    const uint32_t *records;
    uint32_t *keys; /* where they go */
} rs_slice;

/* Starts the threads, one a core that this process may use less one for the caller. `arrive` waits
 * until the records of a seat are there and returns false if they never will be; it is called by
 * the threads. *out is NULL after a failure. */
gb_status rs_unpackers_start(const rs_shape *shape, unsigned seats,
                             bool (*arrive)(void *context, unsigned seat), void *context,
                             rs_unpackers **out, gb_error *error);
/* A seat that nobody uses, now the caller's; -1 if there is none at the moment. */
int rs_unpackers_take_seat(rs_unpackers *unpackers);
/* Hands over a slice; its seat is free again when it has been unpacked. Slices are taken up in this
 * order. */
void rs_unpackers_add(rs_unpackers *unpackers, const rs_slice *slice);
/* Waits until all slices are unpacked; false if one never arrived. */
bool rs_unpackers_drain(rs_unpackers *unpackers);
/* Ends the threads and frees everything; NULL is allowed. */
void rs_unpackers_stop(rs_unpackers *unpackers);

#ifdef __cplusplus
}
#endif
#endif
