/* Device addresses with memory behind their beginning, and more of it mapped there piece by piece.
 */
#ifndef GB_GROWABLE_MEMORY_H
#define GB_GROWABLE_MEMORY_H

#include "growable.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gb_mapping gb_mapping;

/* Reserves addresses for `most` bytes on the current device. Where it cannot map memory piece by
 * piece, all of it is allocated here. */
cudaError_t gb_mapping_create(gb_mapping **out, size_t most);
/* The same of memory that there is: `bytes` from `memory` on, which stays the caller's and has to
 * live as long. */
cudaError_t gb_mapping_lend(gb_mapping **out, void *memory, size_t bytes);
/* Sees to memory behind the first `bytes`; `mapped` says behind how many there is. */
cudaError_t gb_mapping_extend(gb_mapping *mapping, size_t bytes);
/* Takes all memory back, but keeps the addresses (and the memory, where it was allocated). */
cudaError_t gb_mapping_drop(gb_mapping *mapping);
void *gb_mapping_base(const gb_mapping *mapping);
size_t gb_mapping_mapped(const gb_mapping *mapping);
/* Frees it; NULL is nothing. */
void gb_mapping_destroy(gb_mapping *mapping);

#ifdef __cplusplus
}
#endif
#endif
