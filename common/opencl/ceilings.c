/* Measures what the device can do at best: bandwidth of copying, reading and writing, the time of
 * an empty launch, the step of the timer. A CPU device has neither a bandwidth of its own nor a
 * launch worth a limit: the timer's step alone. */
#include "common/opencl/backend.h"

#include "common/worker/clock.h"

#include <stdlib.h>

/* Long enough for an idle device to raise its clocks. */
static const double warm_up_s = 0.04, budget_per_kind_s = 0.03;
enum { FEWEST_RUNS = 3, MOST_RUNS = 20, LAUNCH_RUNS = 31, MOST_LAUNCHES = 8 };

typedef enum sweep_kind { SWEEP_COPY, SWEEP_COPY_BUFFER, SWEEP_READ, SWEEP_WRITE } sweep_kind;

typedef struct sweep {
    gb_backend *backend;
    sweep_kind kind;
    cl_mem source, target;
    uint64_t tiles;
    int launches; /* of run_launches */
    gb_error error;
} sweep;

static gb_status run_sweep(void *context, gb_stream stream)
{
    sweep *s = context;
    (void)stream;
    switch (s->kind) {
    case SWEEP_COPY:
        return gb_sweep_copy(s->backend, s->source, s->target, s->tiles, &s->error);
    case SWEEP_COPY_BUFFER:
        GB_CL_TRY(clEnqueueCopyBuffer(s->backend->cl.queue, s->source, s->target, 0, 0,
                                      s->tiles * GB_SWEEP_TILE_BYTES, 0, NULL, NULL),
                  &s->error);
        return GB_OK;
    case SWEEP_READ:
        return gb_sweep_read(s->backend, s->source, s->tiles, &s->error);
    case SWEEP_WRITE:
        return gb_sweep_write(s->backend, s->target, s->tiles, &s->error);
    }
    return GB_OK;
}

static gb_status run_launches(void *context, gb_stream stream)
{
    sweep *s = context;
    gb_status status = GB_OK;
    (void)stream;
    for (int i = 0; i < s->launches && status == GB_OK; i++)
        status = gb_sweep_nothing(s->backend, &s->error);
    return status;
}

static gb_status time_once(sweep *s, gb_region region, double *seconds, gb_error *error)
{
    bool expired;
    gb_status status =
        gb_backend_time(s->backend, GB_CLOCK_EVENTS, region, s, seconds, &expired, error);
    if (status != GB_OK && s->error.text[0]) *error = s->error;
    return status;
}

/* Bytes/s of the fastest run; a sweep moves passes x tiles. */
static gb_status best_rate(sweep *s, sweep_kind kind, int passes, double *rate, gb_error *error)
{
    s->kind = kind;
    double best = 0;
    const double until = gb_clock_s() + budget_per_kind_s;
    for (int run = 0; run < MOST_RUNS && (run < FEWEST_RUNS || gb_clock_s() < until); run++) {
        double seconds = 0;
        gb_status status = time_once(s, run_sweep, &seconds, error);
        if (status != GB_OK) return status;
        if (seconds > 0 && (best == 0 || seconds < best)) best = seconds;
    }
    const double bytes = (double)passes * (double)s->tiles * GB_SWEEP_TILE_BYTES;
    if (best > 0 && bytes / best > *rate) *rate = bytes / best;
    return GB_OK;
}

static gb_status measure_bandwidth(sweep *s, gb_ceilings *ceilings, gb_error *error)
{
    gb_status status = GB_OK;
    s->kind = SWEEP_COPY;
    for (double until = gb_clock_s() + warm_up_s; status == GB_OK && gb_clock_s() < until;) {
        double seconds;
        status = time_once(s, run_sweep, &seconds, error);
    }
    if (status == GB_OK) status = best_rate(s, SWEEP_COPY, 2, &ceilings->copy_bytes_per_s, error);
    if (status == GB_OK)
        status = best_rate(s, SWEEP_COPY_BUFFER, 2, &ceilings->copy_bytes_per_s, error);
    if (status == GB_OK) status = best_rate(s, SWEEP_READ, 1, &ceilings->read_bytes_per_s, error);
    if (status == GB_OK) status = best_rate(s, SWEEP_WRITE, 1, &ceilings->write_bytes_per_s, error);
    return status;
}

/* Two buffers of at least 256 MiB and 16 times the cache (so that what a run finds cached from the
 * run before is a few per cent at most), but no more than an eighth of the memory each. Too little
 * memory leaves the bandwidths unmeasured, which is no error. */
static gb_status bandwidth(sweep *s, gb_ceilings *ceilings, gb_error *error)
{
    const gb_device *info = &s->backend->cl.info;
    uint64_t bytes = (uint64_t)256 << 20;
    if (bytes < 16 * info->l2_bytes) bytes = 16 * info->l2_bytes;
    if (bytes > info->memory_bytes / 8) bytes = info->memory_bytes / 8;
    s->tiles = bytes / GB_SWEEP_TILE_BYTES;
    if (s->tiles == 0) return GB_OK;
    bytes = s->tiles * GB_SWEEP_TILE_BYTES;
    /* Both are zeroed: the reading kernel counts on it. */
    gb_status status = gb_opencl_buffer(bytes, "the bandwidth measurement", &s->source, error);
    if (status == GB_OK)
        status = gb_opencl_buffer(bytes, "the bandwidth measurement", &s->target, error);
    if (status == GB_OK) status = measure_bandwidth(s, ceilings, error);
    gb_opencl_release(&s->source);
    gb_opencl_release(&s->target);
    return status == GB_OUT_OF_MEMORY ? GB_OK : status;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* launch_s: the median time of one empty kernel. timer_s: the smallest step between the different
 * times that one to eight of them take, which is the timer's, for the times themselves scatter. */
static gb_status launch_and_timer(sweep *s, gb_ceilings *ceilings, gb_error *error)
{
    double one[LAUNCH_RUNS], all[LAUNCH_RUNS * MOST_LAUNCHES], seconds;
    int alls = 0;
    s->launches = 1;
    gb_status status = time_once(s, run_launches, &seconds, error); /* loads its code */
    for (s->launches = 1; s->launches <= MOST_LAUNCHES; s->launches++) {
        for (int run = 0; status == GB_OK && run < LAUNCH_RUNS; run++) {
            status = time_once(s, run_launches, &seconds, error);
            all[alls++] = seconds;
            if (s->launches == 1) one[run] = seconds;
        }
    }
    if (status != GB_OK) return status;
    qsort(one, LAUNCH_RUNS, sizeof *one, by_size);
    qsort(all, (size_t)alls, sizeof *all, by_size);
    ceilings->launch_s = one[LAUNCH_RUNS / 2];
    const double rounding_s = 0.5e-9; /* profiling tells whole nanoseconds */
    for (int i = 1; i < alls; i++) {
        const double step = all[i] - all[i - 1];
        if (step > rounding_s && (ceilings->timer_s == 0 || step < ceilings->timer_s))
            ceilings->timer_s = step;
    }
    return GB_OK;
}

gb_status gb_backend_measure_ceilings(gb_backend *backend, gb_ceilings *ceilings, gb_error *error)
{
    sweep s = {.backend = backend};
    *ceilings = (gb_ceilings){.launch_s = 0};
    gb_status status = gb_sweeps_open(backend, error);
    if (status == GB_OK && !backend->cl.cpu) status = bandwidth(&s, ceilings, error);
    if (status == GB_OK) status = launch_and_timer(&s, ceilings, error);
    if (backend->cl.cpu) ceilings->launch_s = 0;
    return status;
}
