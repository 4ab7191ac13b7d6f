/* Device memory that several processes of this host have, in the place of CUDA's IPC handles
 * (shared.cpp). It has no name and ends with the processes that have it, however they end. */
#ifndef GB_SIMT_SHARED_H
#define GB_SIMT_SHARED_H

#include "common/simt/errors.h"

#include <stdint.h>

namespace simt
{
/* Where other processes of this user find it, while the one that made it has it open. */
struct shared_handle {
    int32_t process, descriptor;
    uint64_t bytes;
};

/* bytes > 0. The descriptor is the caller's, who closes it when nobody is to open the memory any
 * more; what is mapped stays. */
cudaError_t make_shared(uint64_t bytes, shared_handle *handle);
/* Opens it as a file; -1 and errno if it is not there. */
int open_shared(const shared_handle &handle);
/* Puts it at an address, as device memory that kernels, copies and fills may touch. own: it takes
 * of this device's memory, and is filled with garbage first. */
cudaError_t map_shared(int fd, uint64_t bytes, bool own, void **out);
void unmap_shared(void *at, uint64_t bytes);
} // namespace simt

#endif
