/* The part of a device that a limit leaves (common/worker/limit.h), for the back-end's own files.
 */
#ifndef GB_CUDA_LIMIT_CUH
#define GB_CUDA_LIMIT_CUH

#include "common/cuda/device.cuh"

/* In the place of cudaSetDevice, which would make the context of the whole device current. */
cudaError_t gb_enter_device(int index);
/* How many of a device's multiprocessors kernels have. */
int gb_multiprocessors(int index, int all);
/* How many bytes of shared memory a block may ask for, of so many; also whether a launch may have
 * so many. */
size_t gb_shared_optin(size_t all);

#if !defined(__CUDACC__)
/* schedule.cu: so many in every schedule that says nothing of it; 0: as many as the environment
 * says. */
void gb_schedule_workers(unsigned workers);
#endif

#endif
