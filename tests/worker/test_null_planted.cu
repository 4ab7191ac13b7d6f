/* The null primitive's checker: variants that are wrong on purpose (a spin cut short, a copy
 * without its last byte, ...) have to be found, and the right ones pass. Runs on the device,
 * whatever it is.
 */
#include "common/cuda/clock.cuh"
#include "common/cuda/sweep.cuh"
#include "kernels/null/null.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern "C" {
#include <cmocka.h>
}

static gb_device device;

/* Runs a variant at a point as the worker's `verify` does. */
static gb_status verdict(const gb_variant *variant, uint64_t ns, uint64_t bytes, gb_error *error)
{
    gb_params params = {};
    params.value[NULL_NS].size = ns;
    params.value[NULL_BYTES].size = bytes;
    gb_job job = {};
    job.variant = variant;
    job.params = &params;
    job.device = &device;
    assert_null(variant->unsupported(&params, &device));
    assert_int_equal(null_open(&params, 7, &device, &job.problem, error), GB_OK);
    if (variant->prepare) assert_int_equal(variant->prepare(&job), GB_OK);
    assert_int_equal(null_poison(&job, NULL), GB_OK);
    assert_int_equal(variant->run(&job, NULL), GB_OK);
    const gb_status status = null_check(&job, NULL);
    *error = job.error;
    if (variant->cleanup) variant->cleanup(&job);
    null_close(job.problem);
    return status;
}

static void passes(const gb_variant *variant, uint64_t ns, uint64_t bytes)
{
    gb_error error = {};
    if (verdict(variant, ns, bytes, &error) != GB_OK)
        fail_msg("%s of %llu ns, %llu bytes: %s", variant->name, (unsigned long long)ns,
                 (unsigned long long)bytes, error.text);
}

/* As the given variant, with another run. */
static void fails(const gb_variant *like, gb_status (*run)(gb_job *, gb_stream), uint64_t ns,
                  uint64_t bytes, const char *words)
{
    gb_variant planted = *like;
    gb_error error = {};
    planted.run = run;
    const gb_status status = verdict(&planted, ns, bytes, &error);
    if (status != GB_WRONG || !strstr(error.text, words))
        fail_msg("as %s of %llu ns, %llu bytes: status %d, \"%s\" instead of \"%s\"", like->name,
                 (unsigned long long)ns, (unsigned long long)bytes, (int)status, error.text, words);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static gb_status copy_some(gb_job *job, uint64_t first, uint64_t end)
{
    const gb_problem *p = job->problem;
    assert_int_equal(
        cudaMemcpy(p->target + first, p->source + first, end - first, cudaMemcpyDeviceToDevice),
        cudaSuccess);
    return GB_OK;
}

static gb_status without_last(gb_job *job, gb_stream)
{
    return copy_some(job, 0, job->problem->bytes - 1);
}

static gb_status without_first(gb_job *job, gb_stream)
{
    return copy_some(job, 1, job->problem->bytes);
}

static gb_status one_too_many(gb_job *job, gb_stream)
{
    (void)copy_some(job, 0, job->problem->bytes);
    assert_int_equal(cudaMemset(job->problem->target + job->problem->bytes, 1, 1), cudaSuccess);
    return GB_OK;
}

static gb_status shifted(gb_job *job, gb_stream)
{
    const gb_problem *p = job->problem;
    assert_int_equal(cudaMemcpy(p->target, p->source + 1, p->bytes, cudaMemcpyDeviceToDevice),
                     cudaSuccess);
    return GB_OK;
}

static gb_status spoils_the_source(gb_job *job, gb_stream)
{
    (void)copy_some(job, 0, job->problem->bytes);
    assert_int_equal(cudaMemset(job->problem->source + job->problem->bytes / 2, 0, 1), cudaSuccess);
    return GB_OK;
}

static void wrong_copies(void **)
{
    static const uint64_t sizes[] = {17, 4096, 16384, 16385, 100003};
    for (int i = 0; i < 5; i++) {
        char last[64];
        snprintf(last, sizeof last, "byte %llu of %llu is not written",
                 (unsigned long long)sizes[i] - 1, (unsigned long long)sizes[i]);
        passes(&null_copy, 0, sizes[i]);
        passes(&null_memcpy, 0, sizes[i]);
        fails(&null_copy, without_last, 0, sizes[i], last);
        fails(&null_copy, without_first, 0, sizes[i], "byte 0 of");
        fails(&null_copy, one_too_many, 0, sizes[i], "which lies behind the copy");
        fails(&null_copy, shifted, 0, sizes[i], "is not the source's");
        fails(&null_copy, spoils_the_source, 0, sizes[i], "of the source, which others share");
    }
}

/* ---- round trips ----------------------------------------------------------------------------- */

/* The right one, and then a byte of the host's is set: from the source or from the target. */
static bool in_source;
static int64_t spoilt;

static gb_status spoils_the_host(gb_job *job, gb_stream stream)
{
    const null_locked *host = static_cast<const null_locked *>(job->state);
    const gb_status status = null_round_trip.run(job, stream);
    const uint64_t at =
        spoilt < 0 ? job->problem->bytes + (uint64_t)(-1 - spoilt) : (uint64_t)spoilt;
    (in_source ? host->source : host->target)[at] = in_source ? 2 : NULL_POISON + 2;
    return status;
}

static gb_status only_out(gb_job *job, gb_stream)
{
    const null_locked *host = static_cast<const null_locked *>(job->state);
    memcpy(host->target, host->source, job->problem->bytes);
    return GB_OK;
}

static gb_status only_in(gb_job *job, gb_stream)
{
    return copy_some(job, 0, job->problem->bytes);
}

static void wrong_round_trips(void **)
{
    static const uint64_t sizes[] = {1, 17, 4096, 100003};
    for (uint64_t size : sizes) {
        passes(&null_round_trip, 0, size);
        fails(&null_round_trip, only_out, 0, size, "is not written");
        fails(&null_round_trip, only_in, 0, size, "that came to the host are not the source's");
        in_source = false;
        for (spoilt = (int64_t)size - 1; spoilt >= 0; spoilt -= (int64_t)size / 2 + 1)
            fails(&null_round_trip, spoils_the_host, 0, size, "that came to the host are not");
        spoilt = -1;
        fails(&null_round_trip, spoils_the_host, 0, size, "at the host is written");
        in_source = true;
        spoilt = (int64_t)size / 2;
        fails(&null_round_trip, spoils_the_host, 0, size, "of the host's source changed");
    }
}

/* ---- spins ----------------------------------------------------------------------------------- */

static gb_status no_record(gb_job *, gb_stream)
{
    return GB_OK;
}

/* Writes a record that is so much longer than asked for, in nanoseconds. */
static int64_t longer;
static gb_status records(gb_job *job, gb_stream)
{
    const gb_problem *p = job->problem;
    const null_record record = {1000000, 1000000 + p->ns + (uint64_t)longer};
    assert_int_equal(cudaMemcpy(p->record, &record, sizeof record, cudaMemcpyHostToDevice),
                     cudaSuccess);
    return GB_OK;
}

/* The very kernel, asked for a thousandth. */
static gb_status too_short(gb_job *job, gb_stream stream)
{
    job->problem->ns /= 1000;
    const gb_status status = null_spin.run(job, stream);
    job->problem->ns *= 1000;
    return status;
}

static gb_status writes_the_target(gb_job *job, gb_stream stream)
{
    assert_int_equal(cudaMemset(job->problem->target, 0, 1), cudaSuccess);
    return null_spin.run(job, stream);
}

static void wrong_spins(void **)
{
    static const uint64_t lengths[] = {0, 1000, 50000, 2000000};
    for (int i = 0; i < 4; i++) {
        passes(&null_spin, lengths[i], 0);
        passes(&null_spin_host_clock, lengths[i], 0);
        fails(&null_spin, no_record, lengths[i], 0, "wrote no record");
        fails(&null_spin, writes_the_target, lengths[i], 0, "where nothing is to be written");
    }
    /* Longer than this thread is ever put aside. */
    fails(&null_spin, too_short, 500000000, 0, "shorter than the 500000000 asked for");
    longer = -100000;
    fails(&null_spin, records, 1000000, 0, "the spin took 900000 ns");
    longer = -1500000;
    fails(&null_spin, records, 1000000, 0, "ended before it began");
}

/* A GPU runs one kernel undisturbed; on a CPU anything may come between. */
static void long_spins(void **)
{
    longer = 100000;
    gb_variant planted = null_spin;
    planted.run = records;
    passes(&planted, 1000000, 0);
    snprintf(device.backend, sizeof device.backend, "cuda");
    fails(&null_spin, records, 1000000, 0, "longer than the 1000000 asked for");
    longer = 5000;
    passes(&planted, 1000000, 0);
    snprintf(device.backend, sizeof device.backend, "simt");
}

static void clocks_are_known(void **)
{
    null_clocks clocks = {};
    gb_error error = {};
    assert_int_equal(null_calibrate(&clocks, &error), GB_OK);
    /* No clock is coarser than a millisecond; cores run between 100 MHz and 100 GHz. */
    assert_true(clocks.tick_ns > 0 && clocks.tick_ns < 1000000);
    assert_true(clocks.ns_per_megacycle > 10000 && clocks.ns_per_megacycle < 10485760);
}

/* ---- nothing --------------------------------------------------------------------------------- */

static gb_status writes_a_record(gb_job *job, gb_stream stream)
{
    return null_spin.run(job, stream);
}

static gb_status writes_a_byte(gb_job *job, gb_stream)
{
    assert_int_equal(cudaMemset(job->problem->target + NULL_GUARD_BYTES - 1, 0, 1), cudaSuccess);
    return GB_OK;
}

static void busy_nothings(void **)
{
    static const gb_variant *const nothings[] = {&null_nothing, &null_empty, &null_waits,
                                                 &null_host};
    for (int i = 0; i < 4; i++) {
        passes(nothings[i], 0, 0);
        fails(nothings[i], writes_a_record, 0, 0, "which only a spin has");
        fails(nothings[i], writes_a_byte, 0, 0, "where nothing is to be written");
    }
}

int main(void)
{
    device.sms = 2;
    device.arch = 900;
    snprintf(device.backend, sizeof device.backend, "simt");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_copies),     cmocka_unit_test(wrong_round_trips),
        cmocka_unit_test(wrong_spins),      cmocka_unit_test(long_spins),
        cmocka_unit_test(clocks_are_known), cmocka_unit_test(busy_nothings),
    };
    return cmocka_run_group_tests_name("null, planted bugs", tests, NULL, NULL);
}
