/* The device's limits, for the runtime; what programs call is in host.h (device.cpp). */
#ifndef GB_SIMT_DEVICE_H
#define GB_SIMT_DEVICE_H

#include "common/simt/machine.h"

namespace simt
{
unsigned worker_count();
/* Dynamic shared memory that a block of the kernel may have. */
size_t shared_limit(kernel_address kernel);
size_t shared_optin();
/* That of the calling thread. */
int current_device();
} // namespace simt

#endif
