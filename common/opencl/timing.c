/* Times a region of queued work: between two markers, by the device's own clock, or by the host's.
 *
 * A marker of an in-order queue is passed when all before it has ended; with profiling the device
 * says when (OpenCL 1.2, 5.12). The region lies between the END of the first marker and the END of
 * the second. There is no gate: where the host queues more slowly than the device works, its
 * slowness is part of the time, as it is for every user of OpenCL. */
#include "common/opencl/backend.h"

#include "common/worker/clock.h"

#include <stdio.h>

/* When a marker was passed, in nanoseconds of the device's clock; false if the device does not say.
 */
static bool passed_at(cl_event marker, cl_ulong *ns)
{
    *ns = 0;
    return clGetEventProfilingInfo(marker, CL_PROFILING_COMMAND_END, sizeof *ns, ns, NULL) ==
               CL_SUCCESS &&
           *ns != 0;
}

static gb_status time_by_host(gb_backend *backend, gb_region region, void *context, double *seconds,
                              gb_error *error)
{
    GB_CL_TRY(clFinish(backend->cl.queue), error);
    const double start = gb_clock_s();
    gb_status status = region(context, gb_opencl_stream(&backend->cl));
    const cl_int waited = clFinish(backend->cl.queue);
    *seconds = gb_clock_s() - start;
    return status != GB_OK ? status : gb_opencl_status(waited, "waiting for the run", error);
}

/* *told is false, and *seconds not set, where the device gave no times. */
static gb_status time_by_markers(gb_backend *backend, gb_region region, void *context,
                                 double *seconds, bool *told, gb_error *error)
{
    cl_command_queue queue = backend->cl.queue;
    cl_event start = NULL, stop = NULL;
    cl_ulong from = 0, to = 0;
    *told = false;
    GB_CL_TRY(clEnqueueMarkerWithWaitList(queue, 0, NULL, &start), error);
    gb_status status = region(context, gb_opencl_stream(&backend->cl));
    cl_int code = CL_SUCCESS;
    if (status == GB_OK) code = clEnqueueMarkerWithWaitList(queue, 0, NULL, &stop);
    const cl_int waited = clFinish(queue);
    if (code == CL_SUCCESS) code = waited;
    if (status == GB_OK && code == CL_SUCCESS)
        *told = passed_at(start, &from) && passed_at(stop, &to) && to >= from;
    if (*told) *seconds = 1e-9 * (double)(to - from);
    (void)clReleaseEvent(start);
    if (stop) (void)clReleaseEvent(stop);
    return status != GB_OK ? status : gb_opencl_status(code, "waiting for the run", error);
}

gb_status gb_backend_time(gb_backend *backend, gb_clock clock, gb_region region, void *context,
                          double *seconds, bool *expired, gb_error *error)
{
    bool told = false;
    *expired = false;
    if (clock == GB_CLOCK_HOST || !backend->markers)
        return time_by_host(backend, region, context, seconds, error);
    gb_status status = time_by_markers(backend, region, context, seconds, &told, error);
    if (status == GB_OK && !told)
        return gb_fail(error, GB_CRASHED,
                       "the device has told no time for a marker, though it did at first");
    return status;
}

gb_status gb_backend_profile(gb_backend *backend, gb_region region, void *context, gb_error *error)
{
    (void)backend;
    (void)region;
    (void)context;
    return gb_fail(error, GB_UNSUPPORTED,
                   "OpenCL has no call that starts a profiler: profile the CUDA worker's variants");
}

/* ---- can markers be trusted? ----------------------------------------------------------------- */

/* Work of some milliseconds: fills of a buffer. */
typedef struct fills {
    const gb_opencl *cl;
    cl_mem buffer;
    size_t bytes;
} fills;

enum { FILLS = 8 };

static gb_status run_fills(void *context, gb_stream stream)
{
    const fills *f = context;
    const cl_uint zero = 0;
    (void)stream;
    for (int i = 0; i < FILLS; i++)
        GB_CL_TRY(clEnqueueFillBuffer(f->cl->queue, f->buffer, &zero, sizeof zero, 0, f->bytes, 0,
                                      NULL, NULL),
                  NULL);
    return GB_OK;
}

/* The markers around some work must not lie further apart than the host's clock around work and
 * markers, and no nearer than half of that less what waking up the host may take. */
static bool is_plausible(double marked, double host)
{
    const double wake_up_s = 1e-3;
    return marked <= 1.02 * host && marked >= 0.5 * (host - wake_up_s);
}

gb_status gb_timing_open(gb_backend *backend, gb_error *error)
{
    fills f = {.cl = &backend->cl, .bytes = (size_t)16 << 20};
    bool told = true, plausible = false;
    double marked = 0, host = 0;
    gb_status status = gb_opencl_buffer(f.bytes, "trying the timer", &f.buffer, error);
    /* Three times: who is held up between the two clocks' readings looks wrong without being so. */
    for (int i = 0; status == GB_OK && told && !plausible && i < 3; i++) {
        GB_CL_TRY(clFinish(backend->cl.queue), error);
        const double start = gb_clock_s();
        status = time_by_markers(backend, run_fills, &f, &marked, &told, error);
        host = gb_clock_s() - start;
        plausible = is_plausible(marked, host);
    }
    gb_opencl_release(&f.buffer);
    backend->markers = told && plausible;
    if (status == GB_OK && !told)
        fprintf(stderr,
                "gpubench worker: %s does not tell when a marker was passed: times are those of "
                "the host's clock, from before the first call to after the wait\n",
                backend->cl.info.name);
    else if (status == GB_OK && !plausible)
        fprintf(stderr,
                "gpubench worker: %s says %.3g s between two markers, the host's clock %.3g s: "
                "times are those of the host's clock, from before the first call to after the "
                "wait\n",
                backend->cl.info.name, marked, host);
    return status;
}
