/* Device memory, for the runtime and for memory of several processes (shared.h); what programs call
 * is in host.h (memory.cpp). */
#ifndef GB_SIMT_MEMORY_H
#define GB_SIMT_MEMORY_H

#include "common/simt/errors.h"
#include "common/simt/weak.h"

#include <vector>

namespace simt
{
/* All that kernels can address but the heap and shared memory, in order of address. */
std::vector<memory_range> device_ranges();
/* Makes memory that is not the runtime's own known to the checks of copies and fills, or unknown
 * again. counted: it takes of the device's memory. */
cudaError_t adopt_memory(void *at, size_t bytes, bool counted);
void disown_memory(void *at);
/* Whether something was written into the red zones around allocations since the last call, and what
 * it was. */
bool find_damage(char *text, size_t capacity);
} // namespace simt

#endif
