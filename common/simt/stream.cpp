/* Streams and events. All work has ended when the call that queued it returns, so a stream is no
 * more than a name, and an event is the host's time. */
#include "common/simt/host.h"

#include <new>
#include <time.h>

struct CUstream_st {
    unsigned flags;
};

struct CUevent_st {
    bool timed, recorded;
    struct timespec at;
};

/* A failed launch is what the device says until somebody takes the error. */
static cudaError_t pending()
{
    const cudaError_t code = cudaPeekAtLastError();
    switch (code) {
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorIllegalAddress:
        return code;
    default:
        return cudaSuccess;
    }
}

cudaError_t cudaDeviceSynchronize()
{
    return pending();
}
cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return pending();
}
cudaError_t cudaStreamQuery(cudaStream_t)
{
    return pending();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
    return pending();
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    *out = new (std::nothrow) CUstream_st{flags};
    return *out ? cudaSuccess : simt::set_error(cudaErrorMemoryAllocation, "out of host memory");
}
cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    return cudaStreamCreateWithFlags(out, cudaStreamDefault);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (!stream)
        return simt::set_error(cudaErrorInvalidResourceHandle, "cudaStreamDestroy: no stream");
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    *out = new (std::nothrow) CUevent_st{!(flags & cudaEventDisableTiming), false, {}};
    return *out ? cudaSuccess : simt::set_error(cudaErrorMemoryAllocation, "out of host memory");
}
cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    return cudaEventCreateWithFlags(out, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (!event)
        return simt::set_error(cudaErrorInvalidResourceHandle, "cudaEventDestroy: no event");
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    if (!event) return simt::set_error(cudaErrorInvalidResourceHandle, "cudaEventRecord: no event");
    (void)clock_gettime(CLOCK_MONOTONIC, &event->at);
    event->recorded = true;
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return pending();
}
cudaError_t cudaEventQuery(cudaEvent_t)
{
    return pending();
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    if (!start || !stop || !start->timed || !stop->timed || !start->recorded || !stop->recorded)
        return simt::set_error(cudaErrorInvalidResourceHandle,
                               "cudaEventElapsedTime: both events must be recorded, with timing");
    const double seconds = (double)(stop->at.tv_sec - start->at.tv_sec) +
                           1e-9 * (double)(stop->at.tv_nsec - start->at.tv_nsec);
    *milliseconds = (float)(1e3 * seconds);
    return cudaSuccess;
}
