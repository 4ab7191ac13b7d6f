/* CUDA's error codes, and the last error with a text that says more (errors.cpp). */
#ifndef GB_SIMT_ERRORS_H
#define GB_SIMT_ERRORS_H

/* name, CUDA's number, text */
#define SIMT_ERRORS(X)                                                                     \
    X(cudaSuccess, 0, "no error")                                                          \
    X(cudaErrorInvalidValue, 1, "invalid argument")                                        \
    X(cudaErrorMemoryAllocation, 2, "out of memory")                                       \
    X(cudaErrorInitializationError, 3, "initialization error")                             \
    X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                  \
    X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                 \
    X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                         \
    X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")            \
    X(cudaErrorInsufficientDriver, 35, "driver version is insufficient for the runtime")   \
    X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                       \
    X(cudaErrorNoDevice, 100, "no device is detected")                                     \
    X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                               \
    X(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported")                 \
    X(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for the device") \
    X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                      \
    X(cudaErrorNotReady, 600, "device not ready")                                          \
    X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")            \
    X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")       \
    X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")              \
    X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")            \
    X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                           \
    X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")    \
    X(cudaErrorNotSupported, 801, "operation not supported")                               \
    X(cudaErrorUnknown, 999, "unknown error")

enum cudaError {
#define SIMT_ERROR(name, number, text) name = number,
    SIMT_ERRORS(SIMT_ERROR)
#undef SIMT_ERROR
};
typedef enum cudaError cudaError_t;

cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorName(cudaError_t code);
/* After a failed launch: its report, until the next failure. */
const char *cudaGetErrorString(cudaError_t code);

namespace simt
{
/* For the runtime. Remembers code as the last error, with a text for cudaGetErrorString; returns
 * code. */
cudaError_t set_error(cudaError_t code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
} // namespace simt

#endif
