/* Measures what the device can do at best: bandwidth of copying, reading and writing, the time of
 * an empty launch, how fast blocks begin, the step of the timer. Limits in the results come from
 * here, never from a data sheet. */
#include "common/cuda/backend.cuh"
#include "common/worker/clock.h"

#include <algorithm>

#if defined(__CUDACC__)

/* Long enough for an idle device to raise its clocks; with the runs below, well under 0.3 s. */
static const double warm_up_s = 0.04, budget_per_kind_s = 0.03;
enum { FEWEST_RUNS = 3, MOST_RUNS = 20, LAUNCH_RUNS = 31, MOST_LAUNCHES = 8 };

enum sweep_kind { SWEEP_COPY, SWEEP_MEMCPY, SWEEP_READ, SWEEP_WRITE };

struct sweep {
    sweep_kind kind;
    uint4 *source, *target;
    uint64_t units;
    unsigned *sink;
    gb_error error;
};

static gb_status run_sweep(void *context, gb_stream opaque)
{
    sweep *s = static_cast<sweep *>(context);
    cudaStream_t stream = gb_cuda_stream(opaque);
    switch (s->kind) {
    case SWEEP_COPY:
        GB_TRY(gb_launch_copy(s->source, s->target, s->units, stream), &s->error);
        break;
    case SWEEP_MEMCPY:
        GB_TRY(cudaMemcpyAsync(s->target, s->source, s->units * sizeof(uint4),
                               cudaMemcpyDeviceToDevice, stream),
               &s->error);
        break;
    case SWEEP_READ:
        GB_TRY(gb_launch_read(s->source, s->units, s->sink, stream), &s->error);
        break;
    case SWEEP_WRITE:
        GB_TRY(gb_launch_write(s->target, s->units, 0, stream), &s->error);
        break;
    }
    return GB_OK;
}

static gb_status time_sweep(gb_backend *backend, sweep *s, double *seconds, bool *expired,
                            gb_error *error)
{
    gb_status status =
        gb_backend_time(backend, GB_CLOCK_GATED, run_sweep, s, seconds, expired, error);
    if (status != GB_OK && s->error.text[0]) *error = s->error;
    return status;
}

/* Bytes/s of the fastest run; a sweep moves passes x units x 16 bytes. */
static gb_status best_rate(gb_backend *backend, sweep *s, sweep_kind kind, int passes, double *rate,
                           gb_error *error)
{
    s->kind = kind;
    double best = 0, until = gb_clock_s() + budget_per_kind_s;
    for (int run = 0; run < MOST_RUNS && (run < FEWEST_RUNS || gb_clock_s() < until); run++) {
        double seconds = 0;
        bool expired = false;
        gb_status status = time_sweep(backend, s, &seconds, &expired, error);
        if (status != GB_OK) return status;
        if (!expired && seconds > 0 && (best == 0 || seconds < best)) best = seconds;
    }
    if (best > 0) *rate = std::max(*rate, (double)passes * (double)s->units * sizeof(uint4) / best);
    return GB_OK;
}

static gb_status measure_bandwidth(gb_backend *backend, sweep *s, gb_ceilings *ceilings,
                                   gb_error *error)
{
    /* Zero both buffers: the kernels' sums count on it, and untouched memory may not be backed. */
    s->kind = SWEEP_WRITE;
    gb_status status = run_sweep(s, gb_backend_stream(backend));
    std::swap(s->source, s->target);
    if (status == GB_OK) status = run_sweep(s, gb_backend_stream(backend));
    if (status != GB_OK) {
        *error = s->error;
        return status;
    }
    s->kind = SWEEP_COPY;
    for (double until = gb_clock_s() + warm_up_s; gb_clock_s() < until;) {
        double seconds;
        bool expired;
        status = time_sweep(backend, s, &seconds, &expired, error);
        if (status != GB_OK) return status;
    }
    status = best_rate(backend, s, SWEEP_COPY, 2, &ceilings->copy_bytes_per_s, error);
    if (status == GB_OK)
        status = best_rate(backend, s, SWEEP_MEMCPY, 2, &ceilings->copy_bytes_per_s, error);
    if (status == GB_OK)
        status = best_rate(backend, s, SWEEP_READ, 1, &ceilings->read_bytes_per_s, error);
    if (status == GB_OK)
        status = best_rate(backend, s, SWEEP_WRITE, 1, &ceilings->write_bytes_per_s, error);
    return status;
}

/* Two buffers of at least 256 MiB and 16 times the L2 (so that what a run finds cached from the run
 * before is a few per cent at most), but no more than an eighth of the free memory each. Too little
 * memory leaves the bandwidths unmeasured, which is no error. */
static gb_status bandwidth(gb_backend *backend, gb_ceilings *ceilings, gb_error *error)
{
    size_t free_bytes = 0, total_bytes = 0;
    GB_TRY(cudaMemGetInfo(&free_bytes, &total_bytes), error);
    uint64_t bytes = std::max<uint64_t>(256ull << 20, 16 * backend->device.l2_bytes);
    bytes = std::min<uint64_t>(bytes, free_bytes / 8);
    uint64_t tiles = bytes / (GB_SWEEP_TILE * sizeof(uint4));
    if (tiles == 0) return GB_OK;
    sweep s = {};
    s.units = tiles * GB_SWEEP_TILE;
    s.sink = backend->sink;
    void *source = NULL, *target = NULL;
    gb_status status = gb_cuda_status(cudaMalloc(&source, s.units * sizeof(uint4)),
                                      "cudaMalloc for the bandwidth measurement", error);
    if (status == GB_OK) {
        status = gb_cuda_status(cudaMalloc(&target, s.units * sizeof(uint4)),
                                "cudaMalloc for the bandwidth measurement", error);
    }
    if (status == GB_OK) {
        s.source = static_cast<uint4 *>(source);
        s.target = static_cast<uint4 *>(target);
        status = measure_bandwidth(backend, &s, ceilings, error);
    }
    (void)cudaFree(source);
    (void)cudaFree(target);
    return status == GB_OUT_OF_MEMORY ? GB_OK : status;
}

struct launches {
    int count;
    gb_error error;
};

static gb_status run_launches(void *context, gb_stream stream)
{
    launches *l = static_cast<launches *>(context);
    for (int i = 0; i < l->count; i++)
        GB_TRY(gb_launch_empty(gb_cuda_stream(stream)), &l->error);
    return GB_OK;
}

/* launch_s: the median time of one empty kernel. timer_s: the smallest step between the different
 * times that one to eight of them take, which is the timer's, for the times themselves scatter. */
static gb_status launch_and_timer(gb_backend *backend, gb_ceilings *ceilings, gb_error *error)
{
    double one[LAUNCH_RUNS], all[LAUNCH_RUNS + LAUNCH_RUNS * MOST_LAUNCHES];
    int ones = 0, alls = 0;
    launches l = {1, {}};
    GB_TRY(gb_launch_empty(backend->stream), error); /* loads its code */
    GB_TRY(cudaStreamSynchronize(backend->stream), error);
    for (l.count = 1; l.count <= MOST_LAUNCHES; l.count++) {
        for (int run = 0; run < LAUNCH_RUNS; run++) {
            double seconds = 0;
            bool expired = false;
            gb_status status = gb_backend_time(backend, GB_CLOCK_GATED, run_launches, &l, &seconds,
                                               &expired, error);
            if (status != GB_OK) {
                if (l.error.text[0]) *error = l.error;
                return status;
            }
            if (expired) return GB_OK; /* under a profiler: unknown rather than wrong */
            all[alls++] = seconds;
            if (l.count == 1) one[ones++] = seconds;
        }
    }
    std::sort(one, one + ones);
    std::sort(all, all + alls);
    ceilings->launch_s = one[ones / 2];
    const double rounding_s = 1e-9; /* events report milliseconds as a float */
    for (int i = 1; i < alls; i++) {
        double step = all[i] - all[i - 1];
        if (step > rounding_s && (ceilings->timer_s == 0 || step < ceilings->timer_s))
            ceilings->timer_s = step;
    }
    return GB_OK;
}

struct block_starts {
    uint64_t blocks;
    gb_error error;
};

static gb_status run_blocks(void *context, gb_stream stream)
{
    block_starts *b = static_cast<block_starts *>(context);
    GB_TRY(gb_launch_blocks(b->blocks, gb_cuda_stream(stream)), &b->error);
    return GB_OK;
}

/* Enough of them that the launch itself does not count: 2 to 3 ms on an H200. */
static gb_status block_rate(gb_backend *backend, gb_ceilings *ceilings, gb_error *error)
{
    block_starts b = {1 << 22, {}};
    for (int run = 0; run < FEWEST_RUNS + 1; run++) {
        double seconds = 0;
        bool expired = false;
        gb_status status =
            gb_backend_time(backend, GB_CLOCK_GATED, run_blocks, &b, &seconds, &expired, error);
        if (status != GB_OK) {
            if (b.error.text[0]) *error = b.error;
            return status;
        }
        if (!expired && seconds > 0)
            ceilings->blocks_per_s = std::max(ceilings->blocks_per_s, (double)b.blocks / seconds);
    }
    return GB_OK;
}

gb_status gb_backend_measure_ceilings(gb_backend *backend, gb_ceilings *ceilings, gb_error *error)
{
    *ceilings = gb_ceilings();
    gb_status status = bandwidth(backend, ceilings, error);
    if (status == GB_OK) status = block_rate(backend, ceilings, error);
    return status == GB_OK ? launch_and_timer(backend, ceilings, error) : status;
}

#else

/* Fibers have neither a bandwidth nor a launch worth a limit: the host timer's step alone. */
gb_status gb_backend_measure_ceilings(gb_backend *, gb_ceilings *ceilings, gb_error *)
{
    *ceilings = gb_ceilings();
    for (int i = 0; i < 1000; i++) {
        double before = gb_clock_s(), after = gb_clock_s();
        if (after > before && (ceilings->timer_s == 0 || after - before < ceilings->timer_s))
            ceilings->timer_s = after - before;
    }
    return GB_OK;
}

#endif
