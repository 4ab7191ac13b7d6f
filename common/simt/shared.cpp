/* Device memory that several processes have: files without a name (memfd_create), which the others
 * find among the descriptors of the process that made them. */
#include "common/simt/shared.h"

#include "common/simt/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace simt
{
cudaError_t make_shared(uint64_t bytes, shared_handle *handle)
{
    const int fd = memfd_create("gpubench", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0) {
        const int reason = errno;
        if (fd >= 0) (void)close(fd);
        return set_error(cudaErrorMemoryAllocation,
                         "no memory of %llu bytes for several processes: %s",
                         (unsigned long long)bytes, strerror(reason));
    }
    *handle = {(int32_t)getpid(), (int32_t)fd, bytes};
    return cudaSuccess;
}

int open_shared(const shared_handle &handle)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)handle.process,
                   (int)handle.descriptor);
    return open(path, O_RDWR | O_CLOEXEC);
}

cudaError_t map_shared(int fd, uint64_t bytes, bool own, void **out)
{
    *out = NULL;
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        return set_error(cudaErrorMemoryAllocation,
                         "no room for %llu bytes of several processes: %s",
                         (unsigned long long)bytes, strerror(errno));
    const cudaError_t code = adopt_memory(at, bytes, own);
    if (code == cudaSuccess)
        *out = at;
    else
        (void)munmap(at, bytes);
    return code;
}

void unmap_shared(void *at, uint64_t bytes)
{
    disown_memory(at);
    (void)munmap(at, bytes);
}
} // namespace simt
