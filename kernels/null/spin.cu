/* Variants of a known length: one thread spins on the device's own clock. What an event timer says
 * of them, less what it says of a spin of 0 ns, is the length that was asked for, or the timer is
 * wrong. */
#include "common/cuda/clock.cuh"
#include "kernels/null/null.h"

/* ---- the kernel ------------------------------------------------------------------------------ */

/* The clock that counts nanoseconds may stand still for a microsecond between two steps, which is 2
 * % of 50 us: between them, cycles tell the time. From a step on, elapsed is what the clock says
 * since the first step, plus the cycles since the last one; before the first step, cycles alone.
 * The cycles' part never exceeds a step, so that a core whose clock has changed since it was
 * calibrated is wrong by a step at most. A step is looked up before the cycles are, so that a
 * thread held up in between is late, never early. */
__global__ void null_spin_kernel(uint64_t ns, null_clocks clocks, null_record *record)
{
    if (threadIdx.x) return;
    const uint64_t begin = gb_device_ns();
    long long at = clock64(); /* when the clock last moved on */
    uint64_t last = begin, first = begin, lead = 0, elapsed;
    do {
        const uint64_t now = gb_device_ns();
        const long long cycles = clock64();
        uint64_t since = (uint64_t)(cycles - at) * clocks.ns_per_megacycle >> 20;
        if (now != last) {
            if (last == begin) {
                lead = since < now - begin ? since : now - begin;
                first = now;
            }
            last = now;
            at = cycles;
            since = 0;
        } else if (since > clocks.tick_ns) {
            since = clocks.tick_ns;
        }
        elapsed = lead + (last - first) + since;
    } while (elapsed < ns);
    record->begin = begin;
    record->end = gb_device_ns();
}

/* ---- calibration ----------------------------------------------------------------------------- */

/* Follows the clock from one of its steps to the first one that is at least so far on. */
__global__ void null_calibrate_kernel(uint64_t least_ns, null_clocks *clocks)
{
    uint64_t now = gb_device_ns(), last = now, tick = ~(uint64_t)0;
    while (now == last)
        now = gb_device_ns();
    const long long cycles = clock64();
    const uint64_t first = last = now;
    do {
        now = gb_device_ns();
        if (now == last) continue;
        if (now - last < tick) tick = now - last;
        last = now;
    } while (last - first < least_ns);
    const uint64_t spent = (uint64_t)(clock64() - cycles);
    clocks->tick_ns = tick;
    clocks->ns_per_megacycle = ((last - first) << 20) / (spent ? spent : 1);
}

/* Two clocks are read one after the other; who is held up in between gets a wrong ratio: of three,
 * the middle one. 100 us of cycles, for a clock that moves every microsecond, are good to 1 %. */
enum { CALIBRATIONS = 3 };
static const uint64_t calibration_ns = 100000;

static gb_status calibrate_once(null_clocks *device_clocks, null_clocks *clocks, gb_error *error)
{
    GB_TRY(launch(null_calibrate_kernel, dim3(1), dim3(1), 0, 0, calibration_ns, device_clocks),
           error);
    GB_TRY(cudaMemcpy(clocks, device_clocks, sizeof *clocks, cudaMemcpyDeviceToHost), error);
    return GB_OK;
}

gb_status null_calibrate(null_clocks *clocks, gb_error *error)
{
    null_clocks *device_clocks = NULL, all[CALIBRATIONS];
    GB_TRY(cudaMalloc(&device_clocks, sizeof *device_clocks), error);
    gb_status status = GB_OK;
    for (int i = 0; i < CALIBRATIONS && status == GB_OK; i++)
        status = calibrate_once(device_clocks, &all[i], error);
    (void)cudaFree(device_clocks);
    if (status != GB_OK) return status;
    *clocks = all[0];
    for (int i = 0; i < CALIBRATIONS; i++) {
        int below = 0;
        for (int j = 0; j < CALIBRATIONS; j++) {
            if (all[j].tick_ns < clocks->tick_ns) clocks->tick_ns = all[j].tick_ns;
            below += all[j].ns_per_megacycle < all[i].ns_per_megacycle ||
                     (all[j].ns_per_megacycle == all[i].ns_per_megacycle && j < i);
        }
        if (below == CALIBRATIONS / 2) clocks->ns_per_megacycle = all[i].ns_per_megacycle;
    }
    return GB_OK;
}

/* ---- variants -------------------------------------------------------------------------------- */

static const char *unsupported(const gb_params *params, const gb_device *)
{
    return params->value[NULL_BYTES].size ? "it spins and copies nothing: leave bytes 0" : NULL;
}

/* The shape of the empty kernel. */
static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    GB_TRY(launch(null_spin_kernel, dim3(1), dim3(32), 0, gb_cuda_stream(stream), p->ns, p->clocks,
                  p->record),
           &job->error);
    return GB_OK;
}

extern "C" {
bool null_spins(const gb_variant *variant)
{
    return variant->unsupported == unsupported;
}

const gb_variant null_spin = {
    "spin",      "one thread spins for ns of the device's clock",
    "gpubench",  0,
    unsupported, NULL,
    NULL,        run,
    NULL,
};
/* The two clocks have crystals of their own: this one finds a device whose seconds are too long. */
const gb_variant null_spin_host_clock = {
    "spin-host-clock",
    "the same, timed by the host's clock",
    "gpubench",
    GB_HOST,
    unsupported,
    NULL,
    NULL,
    run,
    NULL,
};
}
