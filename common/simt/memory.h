/* Device memory, for the runtime; what programs call is in host.h (memory.cpp). */
#ifndef GB_SIMT_MEMORY_H
#define GB_SIMT_MEMORY_H

#include <stddef.h>

namespace simt
{
/* Whether something was written into the red zones around allocations since the last call, and what
 * it was. */
bool find_damage(char *text, size_t capacity);
} // namespace simt

#endif
