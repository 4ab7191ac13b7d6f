/* Device memory, for the runtime; what programs call is in host.h (memory.cpp). */
#ifndef GB_SIMT_MEMORY_H
#define GB_SIMT_MEMORY_H

#include "common/simt/weak.h"

#include <vector>

namespace simt
{
/* All that kernels can address but the heap and shared memory, in order of address. */
std::vector<memory_range> device_ranges();
/* Whether something was written into the red zones around allocations since the last call, and what
 * it was. */
bool find_damage(char *text, size_t capacity);
} // namespace simt

#endif
