/* Judges a run in full: every byte of the target and of the guard behind it, the source, which
 * others share, and the length that a spin wrote down. What a variant has no business with must be
 * as poison left it. */
#include "common/cuda/device.cuh"
#include "kernels/null/null.h"

#include <inttypes.h>
#include <string.h>

static const unsigned long long no_defect = ~0ull;

/* A spin may be longer than asked for by a part of its length, by a step of the clock at either
 * end, and by the way out of its loop. Beyond that somebody else has the device. */
static const double most_longer = 0.005;
static const uint64_t way_out_ns = 2000;

/* The smallest index below end of a byte that is neither the input's (below bytes) nor poison (from
 * there on). */
static __global__ void find_defect(uint64_t seed, uint64_t bytes, uint64_t end,
                                   const unsigned char *data, unsigned long long *first_defect)
{
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x, units = (end + 15) / 16;
    for (uint64_t u = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; u < units; u += stride) {
        const gb_random4 four = null_unit(seed, u);
        for (unsigned i = 0; i < 16 && u * 16 + i < end; i++) {
            const uint64_t at = u * 16 + i;
            const unsigned right =
                at < bytes ? four.word[i / 4] >> 8 * (i % 4) & 0xffu : (unsigned)NULL_POISON;
            if (data[at] != right) atomicMin(first_defect, (unsigned long long)at);
        }
    }
}

/* *defect is the first wrong byte of data, which is the input up to bytes and poison from there to
 * end; no_defect if all is well. */
static gb_status first_defect(const gb_job *job, const unsigned char *data, uint64_t bytes,
                              uint64_t end, gb_stream stream, unsigned long long *defect,
                              gb_error *error)
{
    const gb_problem *p = job->problem;
    cudaStream_t queue = gb_cuda_stream(stream);
    const uint64_t blocks = (end / 16 + 255) / 256 + 1;
    GB_TRY(cudaMemcpyAsync(p->first_defect, &no_defect, sizeof no_defect, cudaMemcpyHostToDevice,
                           queue),
           error);
    GB_TRY(launch(find_defect, dim3((unsigned)(blocks < 1024 ? blocks : 1024)), dim3(256), 0, queue,
                  p->seed, bytes, end, data, p->first_defect),
           error);
    GB_TRY(cudaMemcpyAsync(defect, p->first_defect, sizeof *defect, cudaMemcpyDeviceToHost, queue),
           error);
    GB_TRY(cudaStreamSynchronize(queue), error);
    return GB_OK;
}

static gb_status check_bytes(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const bool round_trip = null_round_trips(job->variant);
    const uint64_t copied = round_trip || null_copies(job->variant) ? p->bytes : 0;
    unsigned long long at = no_defect;
    gb_status status =
        first_defect(job, p->target, copied, p->bytes + NULL_GUARD_BYTES, stream, &at, &job->error);
    if (status != GB_OK) return status;
    if (at < copied) {
        unsigned char found = 0;
        GB_TRY(cudaMemcpy(&found, p->target + at, 1, cudaMemcpyDeviceToHost), &job->error);
        return gb_fail(&job->error, GB_WRONG, "byte %llu of %" PRIu64 " is %s", at, p->bytes,
                       found == NULL_POISON ? "not written" : "not the source's");
    }
    if (at != no_defect)
        return gb_fail(&job->error, GB_WRONG, "byte %llu is written, which lies %s", at,
                       copied ? "behind the copy" : "where nothing is to be written");
    status = first_defect(job, p->source, p->bytes, p->bytes, stream, &at, &job->error);
    if (status == GB_OK && at != no_defect)
        return gb_fail(&job->error, GB_WRONG,
                       "byte %llu of the source, which others share, has changed", at);
    return status;
}

static gb_status check_length(gb_job *job, const null_record *record)
{
    const gb_problem *p = job->problem;
    const uint64_t length = record->end - record->begin;
    const uint64_t longest =
        p->ns + (uint64_t)(most_longer * (double)p->ns) + 2 * p->clocks.tick_ns + way_out_ns;
    if (record->end < record->begin)
        return gb_fail(&job->error, GB_WRONG, "the spin ended before it began");
    /* Both ends are known to a step of the clock. */
    if (length + p->clocks.tick_ns < p->ns)
        return gb_fail(&job->error, GB_WRONG,
                       "the spin took %" PRIu64 " ns by the device's clock (which moves in steps "
                       "of %" PRIu64 " ns), shorter than the %" PRIu64 " asked for",
                       length, p->clocks.tick_ns, p->ns);
    if (p->gpu && length > longest)
        return gb_fail(&job->error, GB_WRONG,
                       "the spin took %" PRIu64 " ns by the device's clock, longer than the "
                       "%" PRIu64 " asked for: does another process use the device?",
                       length, p->ns);
    return GB_OK;
}

gb_status null_check(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    null_record record, poison;
    gb_status status = check_bytes(job, stream);
    if (status == GB_OK && null_round_trips(job->variant)) status = null_round_trip_check(job);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpy(&record, p->record, sizeof record, cudaMemcpyDeviceToHost), &job->error);
    memset(&poison, NULL_POISON, sizeof poison);
    const bool untouched = memcmp(&record, &poison, sizeof record) == 0;
    if (!null_spins(job->variant) && !untouched)
        return gb_fail(&job->error, GB_WRONG, "a record is written, which only a spin has");
    if (!null_spins(job->variant)) return GB_OK;
    if (untouched) return gb_fail(&job->error, GB_WRONG, "the spin wrote no record");
    return check_length(job, &record);
}
