/* Times a region of queued work: device events behind a gate, plain device events, or the host's
 * clock.
 *
 * The gate is a one-thread kernel that spins until the host says go. Everything of a sample is
 * queued behind it first, so the two events enclose the device's work alone and not the host's
 * launching of it (the idea is that of NVBench's blocking kernel). It gives up by itself after 100
 * ms, so that a region that waits for the device, a profiler that serialises kernels, or a full
 * launch queue cannot hang: such a sample is reported as expired and never used. */
#include "common/cuda/backend.cuh"
#include "common/cuda/clock.cuh"
#include "common/worker/clock.h"

gb_meeting_of_processes *gb_before_region;

/* Behind the gate, which each process opens when it has queued all of its own. */
static gb_status meet(const gb_backend *backend, gb_error *error)
{
    return gb_before_region ? gb_before_region(backend->stream, error) : GB_OK;
}

#if defined(__CUDACC__)

static const uint64_t gate_patience_ns = 100000000;

__global__ void gb_gate(volatile gb_gate_words *words, uint64_t patience_ns)
{
    const uint64_t start = gb_device_ns();
    while (!words->open) {
        if (gb_device_ns() - start > patience_ns) {
            words->expired = 1;
            return;
        }
    }
}

gb_status gb_timing_open(gb_backend *backend, gb_error *error)
{
    GB_TRY(cudaStreamCreate(&backend->stream), error);
    GB_TRY(cudaEventCreate(&backend->start), error);
    GB_TRY(cudaEventCreate(&backend->stop), error);
    void *words = NULL, *words_device = NULL;
    GB_TRY(cudaHostAlloc(&words, sizeof(gb_gate_words), cudaHostAllocMapped), error);
    backend->gate = static_cast<volatile gb_gate_words *>(words);
    GB_TRY(cudaHostGetDevicePointer(&words_device, words, 0), error);
    backend->gate_device = static_cast<volatile gb_gate_words *>(words_device);

    /* A kernel's code is loaded at its first launch, which may wait for the device to be idle: do
     * that now, with the gate open. */
    backend->gate->open = 1;
    GB_TRY(launch(gb_gate, dim3(1), dim3(1), 0, backend->stream, backend->gate_device,
                  gate_patience_ns),
           error);
    GB_TRY(cudaStreamSynchronize(backend->stream), error);
    return GB_OK;
}

void gb_timing_close(gb_backend *backend)
{
    if (backend->gate) (void)cudaFreeHost(const_cast<gb_gate_words *>(backend->gate));
    if (backend->stop) (void)cudaEventDestroy(backend->stop);
    if (backend->start) (void)cudaEventDestroy(backend->start);
    if (backend->stream) (void)cudaStreamDestroy(backend->stream);
}

/* Start event, region, stop event. */
static gb_status queue_region(gb_backend *backend, gb_region region, void *context, gb_error *error)
{
    gb_status status = meet(backend, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaEventRecord(backend->start, backend->stream), error);
    status = region(context, gb_stream_of(backend));
    if (status != GB_OK) return status;
    GB_TRY(cudaEventRecord(backend->stop, backend->stream), error);
    return GB_OK;
}

static gb_status time_by_events(gb_backend *backend, bool gated, gb_region region, void *context,
                                double *seconds, bool *expired, gb_error *error)
{
    if (gated) {
        backend->gate->open = 0;
        backend->gate->expired = 0;
        __sync_synchronize();
        GB_TRY(launch(gb_gate, dim3(1), dim3(1), 0, backend->stream, backend->gate_device,
                      gate_patience_ns),
               error);
    }
    gb_status status = queue_region(backend, region, context, error);
    if (gated) {
        __sync_synchronize();
        backend->gate->open = 1;
    }
    cudaError_t waited = cudaStreamSynchronize(backend->stream);
    if (status != GB_OK) return status;
    GB_TRY(waited, error);
    float milliseconds = 0;
    GB_TRY(cudaEventElapsedTime(&milliseconds, backend->start, backend->stop), error);
    *seconds = 1e-3 * (double)milliseconds;
    *expired = gated && backend->gate->expired;
    return GB_OK;
}

#else

gb_status gb_timing_open(gb_backend *backend, gb_error *error)
{
    GB_TRY(cudaStreamCreate(&backend->stream), error);
    return GB_OK;
}

void gb_timing_close(gb_backend *backend)
{
    (void)cudaStreamDestroy(backend->stream);
}

#endif

static gb_status time_by_host(gb_backend *backend, gb_region region, void *context, double *seconds,
                              gb_error *error)
{
    gb_status status = meet(backend, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaStreamSynchronize(backend->stream), error);
    double start = gb_clock_s();
    status = region(context, gb_stream_of(backend));
    cudaError_t waited = cudaStreamSynchronize(backend->stream);
    *seconds = gb_clock_s() - start;
    if (status != GB_OK) return status;
    GB_TRY(waited, error);
    return GB_OK;
}

gb_status gb_backend_time(gb_backend *backend, gb_clock clock, gb_region region, void *context,
                          double *seconds, bool *expired, gb_error *error)
{
    *expired = false;
#if defined(__CUDACC__)
    if (clock != GB_CLOCK_HOST) {
        return time_by_events(backend, clock == GB_CLOCK_GATED, region, context, seconds, expired,
                              error);
    }
#else
    (void)clock;
#endif
    return time_by_host(backend, region, context, seconds, error);
}
