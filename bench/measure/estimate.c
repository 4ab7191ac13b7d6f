/* What a plan will move: the worker says what a point's work is, in bulk. */
#include "bench/measure/estimate.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS_PER_REQUEST = 1000 };
/* Kernels seldom reach the bandwidth of a copy, and every request has a cost. */
static const double of_bandwidth = 0.3, least_sample_s = 20e-6, least_row_s = 5e-3;
/* Input generation and two verifications cost about as much as so many samples. */
static const double other_samples = 12;
/* The ratio of work to row costs on a device whose bandwidth is unknown. */
static const double unknown_bytes_per_s = 1e8;
/* What kernels of the simt device seem to move for each of its threads, of_bandwidth and verifying
 * taken into account: of all primitives, as their variants take from a quarter of the time that
 * this tells to four times of it. */
static const double simt_bytes_per_s = 3e7;

bool gb_estimate_make(gb_estimate *estimate, gb_session *session, const gb_config *config,
                      gb_error *error)
{
    gb_link link = {.session = session, .primitive = config->primitive};
    estimate->count = config->point_count;
    estimate->work = calloc(config->point_count + 1, sizeof *estimate->work);
    estimate->reasons = calloc(config->point_count + 1, sizeof *estimate->reasons);
    gb_status status = GB_OK;
    if (!estimate->work || !estimate->reasons)
        status = gb_fail(error, GB_OUT_OF_MEMORY, "out of memory");
    estimate->mistaken = SIZE_MAX;
    for (size_t i = 0; status == GB_OK && i < config->point_count; i += POINTS_PER_REQUEST) {
        size_t count = config->point_count - i, mistaken;
        if (count > POINTS_PER_REQUEST) count = POINTS_PER_REQUEST;
        status = gb_job_work(&link, config->points + i, count, gb_worker_limit_s(),
                             estimate->work + i, estimate->reasons + i, &mistaken, error);
        if (status != GB_OK || mistaken == SIZE_MAX) continue;
        estimate->mistaken = i + mistaken;
        break;
    }
    if (status != GB_OK) gb_estimate_free(estimate);
    return status == GB_OK;
}

void gb_estimate_free(gb_estimate *estimate)
{
    for (size_t i = 0; estimate->reasons && i < estimate->count; i++)
        free(estimate->reasons[i]);
    free(estimate->reasons);
    free(estimate->work);
    *estimate = (gb_estimate){0};
}

bool gb_estimate_is_simt(const gb_session *session)
{
    return strcmp(session->catalogue->backend, "simt") == 0;
}

/* 0: unknown */
static double bandwidth_of(const gb_session *session)
{
    if (session->copy_bytes_per_s > 0) return session->copy_bytes_per_s;
    return gb_estimate_is_simt(session) ? simt_bytes_per_s * session->device->sms : 0;
}

bool gb_estimate_is_known(const gb_session *session)
{
    return bandwidth_of(session) > 0;
}

double gb_estimate_row_s(const gb_estimate *estimate, const gb_config *config, size_t point,
                         const gb_session *session)
{
    if (estimate->reasons[point]) return least_row_s;
    const double known = bandwidth_of(session), bandwidth = known > 0 ? known : unknown_bytes_per_s;
    double sample_s = (double)estimate->work[point].bytes / (bandwidth * of_bandwidth);
    if (sample_s < least_sample_s) sample_s = least_sample_s;
    double samples = (double)config->measure.samples + config->measure.warmup + other_samples;
    return least_row_s + samples * sample_s * (1 + config->measure.rest);
}

const char *gb_estimate_source(const gb_session *session)
{
    return gb_estimate_is_simt(session)
               ? "a rough guess from the size: the CPU may take a quarter or four times of it"
               : "a rough guess from the copy bandwidth";
}
