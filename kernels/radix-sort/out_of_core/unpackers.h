/* Threads that unpack slices of the output while the next ones are on the bus. */
#ifndef GB_RADIX_SORT_UNPACKERS_H
#define GB_RADIX_SORT_UNPACKERS_H

#include "kernels/radix-sort/out_of_core/runs.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rs_unpackers rs_unpackers;

/* A slice, of one key or more, whose records are on their way. */
typedef struct rs_slice {
    uint64_t count; /* keys */
    const uint32_t *records;
    uint32_t *keys; /* where they go */
} rs_slice;

/* Starts the threads, one a core that this process may use less one for the caller. At most `seats`
 * slices are under way. arrived[s] (memory that the device writes, too) becomes the number of the
 * slice in seat s once its records are there: the first slice of a sort has number 1, and slice i
 * seat (i - 1) % seats. *out is NULL after a failure. */
gb_status rs_unpackers_start(const rs_shape *shape, unsigned seats, volatile uint32_t *arrived,
                             rs_unpackers **out, gb_error *error);
/* Begins a sort: the next slice has number 1, and nothing has arrived. Nothing may be under way. */
void rs_unpackers_begin(rs_unpackers *unpackers);
/* The number that the next slice will have; 0 if its seat is still taken. */
uint32_t rs_unpackers_next(const rs_unpackers *unpackers);
/* Hands over the next slice, which the threads share; its seat is free again when it has been
 * unpacked. */
void rs_unpackers_add(rs_unpackers *unpackers, const rs_slice *slice);
/* Waits until all slices are unpacked. If not `arrived`, those whose records are not there are
 * given up, for they never will be. */
void rs_unpackers_drain(rs_unpackers *unpackers, bool arrived);
/* Ends the threads and frees everything; NULL is allowed. */
void rs_unpackers_stop(rs_unpackers *unpackers);

#ifdef __cplusplus
}
#endif
#endif
