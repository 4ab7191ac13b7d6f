/* An array in device memory that grows while kernels push onto it: the host's side, for C and C++.
 *
 * A pool is a stretch of device addresses with memory behind its beginning; more is mapped behind
 * it when it is asked for, before or while kernels run, and nothing ever moves. It is handed out in
 * granules, by the kernels themselves. An array is a table of granules: element i lies in granule
 * i / granule_elements. Several arrays may share a pool.
 *
 * growable.cuh is the device's side. Kernels push by reserving places (one atomic addition for a
 * whole tile, or for those lanes of a warp that push together); whoever's reservation passes a
 * threshold takes the next granules before anybody needs them, and a thread that finds one missing
 * takes it itself. So no thread ever waits for another one, whatever the scheduler does.
 *
 * Where the pool has no granule left, a push does not fail: its places stay reserved, what goes
 * there is still where it came from, and is put there later (gb_growable_unplaced, and
 * gb_push_kept in growable_bulk.cuh), when the pool has more memory.
 *
 * Functions return cudaSuccess or the runtime's error; a handle that could not be made is NULL.
 * What takes a stream is queued there and waits for nothing unless it says so. A handle is for one
 * host thread at a time. */
#ifndef GB_GROWABLE_H
#define GB_GROWABLE_H

#if defined(GB_ARCH) && !defined(__CUDACC__)
#include "common/simt/simt.h" /* gpubench's own tests: kernels on the CPU */
#elif defined(__CUDACC__)
#include <cuda_runtime.h>
#else
#include <cuda_runtime_api.h>
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gb_growable_pool gb_growable_pool;
typedef struct gb_growable gb_growable;

/* ---- pools ----------------------------------------------------------------------------------- */

/* What granule_bytes 0 means on the current device: a power of two near 1/2048 of its memory, from
 * 2 MiB to 64 MiB. Small arrays waste at most so much; the faster the device, the sooner a granule
 * is full. */
size_t gb_growable_granule_bytes(void);

/* Reserves addresses for most_bytes in granules of granule_bytes (a power of two, at least 1024; 0:
 * gb_growable_granule_bytes()) on the current device, with no memory behind them. Where the driver
 * cannot map memory piece by piece, all of it is allocated at once. */
cudaError_t gb_growable_pool_create(gb_growable_pool **out, size_t most_bytes,
                                    size_t granule_bytes);
/* Sees to memory behind the first `bytes`, rounded up to what the device can map. Kernels that run
 * may take it as soon as this returns; it waits for none of them. cudaErrorMemoryAllocation: the
 * device has no more, or most_bytes is passed. */
cudaError_t gb_growable_pool_map(gb_growable_pool *pool, size_t bytes);
/* Takes the memory back; no array may hold a granule, and no kernel that uses the pool may run. */
cudaError_t gb_growable_pool_unmap(gb_growable_pool *pool);
/* Bytes that have memory behind them. */
size_t gb_growable_pool_mapped(const gb_growable_pool *pool);
/* The first address, and how many bytes are reserved from there on. */
void *gb_growable_pool_base(const gb_growable_pool *pool);
size_t gb_growable_pool_most(const gb_growable_pool *pool);
/* Granules that arrays have taken and not given back. Waits for the device. */
cudaError_t gb_growable_pool_taken(gb_growable_pool *pool, uint64_t *granules);
/* Frees the pool, which may be NULL. Its arrays must have been destroyed. */
void gb_growable_pool_destroy(gb_growable_pool *pool);

/* ---- arrays ---------------------------------------------------------------------------------- */

/* What kernels are given of an array, by value. Its fields are growable.cuh's. */
typedef struct gb_growable_view {
    struct gb_growable_control *control;
    struct gb_growable_pool_control *pool;
    struct gb_growable_granule *table;
    unsigned *order, *links; /* of the pool */
    struct gb_growable_pending *pending;
    unsigned pending_room;
    unsigned granules;     /* entries of table */
    unsigned granule_log2; /* elements of a granule, as a power of two */
    unsigned element_bytes;
} gb_growable_view;

/* An empty array of elements of 4, 8 or 16 bytes, at most most_elements of them. most_tiles: of how
 * many tiles one call of gb_push_kept consists at most (its grid); for each of them it can be noted
 * that memory was missing. */
cudaError_t gb_growable_create(gb_growable **out, gb_growable_pool *pool, size_t element_bytes,
                               uint64_t most_elements, unsigned most_tiles);
/* Gives all granules back and frees the array, which may be NULL. Waits for the device. */
void gb_growable_destroy(gb_growable *array);
gb_growable_view gb_growable_view_of(const gb_growable *array);

/* How many elements there are, those without memory included. Waits for the stream. */
cudaError_t gb_growable_size(gb_growable *array, cudaStream_t stream, uint64_t *size);
/* How many places are reserved but not written, because memory was missing. Waits for the stream.
 */
cudaError_t gb_growable_unplaced(gb_growable *array, cudaStream_t stream, uint64_t *places);
/* Elements that its granules have room for. Waits for the stream. */
cudaError_t gb_growable_capacity(gb_growable *array, cudaStream_t stream, uint64_t *elements);

/* Takes granules for so many elements from the pool. */
cudaError_t gb_growable_reserve(gb_growable *array, uint64_t elements, cudaStream_t stream);
/* gb_growable_resize, _clear, _release and _destroy give granules back: meanwhile no kernel may
 * push onto any array of the pool.
 *
 * Makes it `elements` long: new ones hold what the memory held. It has the granules that pushing so
 * many would have taken, those taken ahead included, so that the next push finds them; others go
 * back to the pool. */
cudaError_t gb_growable_resize(gb_growable *array, uint64_t elements, cudaStream_t stream);
/* Resizes it to 0: one granule stays. */
cudaError_t gb_growable_clear(gb_growable *array, cudaStream_t stream);
/* Empties it, and all its granules go back to the pool. */
cudaError_t gb_growable_release(gb_growable *array, cudaStream_t stream);

/* Pushes `count` elements, in an order of the device's choice; from is device memory, aligned to 16
 * bytes. */
cudaError_t gb_growable_append(gb_growable *array, const void *from, uint64_t count,
                               cudaStream_t stream);
/* Pushes again what the last gb_growable_append, from the same memory, found no memory for. */
cudaError_t gb_growable_append_again(gb_growable *array, const void *from, uint64_t count,
                                     cudaStream_t stream);
/* Elements [first, first + count) to `to`, on the host or the device. Waits for the stream.
 * cudaErrorInvalidValue: the array has not so many, or some of them have no memory. */
cudaError_t gb_growable_copy(gb_growable *array, uint64_t first, uint64_t count, void *to,
                             cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
