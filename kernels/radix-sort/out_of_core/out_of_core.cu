/* Variant onesweep-out-of-core: sorts what lies in host memory, of which the device holds a part.
 *
 * 1. Chunks come to the device one after the other, are sorted there, and go back as sorted runs.
 * 2. When all runs are there, the host cuts through them (rs_cut_advance) so that the pieces follow
 *    one another in the output, each as large as a chunk, whatever the keys are. A piece's stretch
 *    of every run comes to the device, is sorted, and goes to its place.
 * Two areas each for what comes in and what goes out, and three streams, overlap the way in, the
 * sort and the way out.
 *
 * Bytes, for N bytes of 32-bit keys, against one round trip with both directions at once, which is
 * N / 51 GB/s on an H200 (55 GB/s where one direction has the bus alone):
 * - No output key is known before the last input key has been seen, so if only the device sorts,
 *   N has to come in before N goes out: N/55 + N/51, 0.52 of the round trip, whatever the
 *   algorithm. Spilled as they are, runs add N each way, hidden behind it at best.
 * - To be faster, the CPU has to take a part. Merging sorted runs, or partitioning the input before
 *   it enters, moves 2 N bytes through all cores at 5 to 10 instructions a key, and the second one
 *   delays the first transfer. Unpacking is the least that a CPU can do: sorted keys are packed
 *   (runs.h) into 2.06 bytes each, and become keys again by one addition each, in order. Runs,
 *   which only the device unpacks, into 1.69 bytes, for chunks of 10 million keys.
 * - So: in N, out 0.42 N meanwhile (runs), then in 0.42 N and out 0.52 N at once (packed output):
 *   N/52 + 0.52 N/51 = 0.66 of the round trip, if the CPU unpacks N in the second part's time, that
 *   is, reads 0.52 N and writes N at 100 GB/s, and if that leaves the way in 41 GB/s. Where its
 *   cores are slower, slices of the output travel as they are: one is packed only if a seat is free
 *   in the ring of those that wait. At 50 GB/s that makes 0.60.
 * - Device memory: both sorts of a key, of 4 passes each, move 72 bytes, packing and unpacking 20,
 *   at 4 TB/s a fifth of the bus's time.
 * - Host memory: 3.9 N over all of it, at 120 GB/s.
 * What it reaches, and what was tried on the way, is in the folder's README.
 *
 * Keys that do not pack (64 bits, or sorted by some of their bits) and payloads travel as they are.
 */
#include "kernels/radix-sort/out_of_core/out_of_core.cuh"
#include "kernels/radix-sort/variants.h"

#include <string.h>

static const cudaMemcpyKind TO_HOST = cudaMemcpyDeviceToHost;

/* ---- sorted ---------------------------------------------------------------------------------- */

/* How item i is sorted, and where its keys are then. */
typedef struct sorting {
    void *from, *to;
    unsigned bits;   /* of the run that the keys become; 0: they become slices */
    uint32_t *flags; /* the groups' in host memory */
} sorting;

static uint32_t *run_flags(const rs_ooc *o, uint64_t i)
{
    return o->run_wide_groups + o->plan.groups * i;
}

/* A piece that came in packed is sorted from the loose keys into the place that it came to, a
 * chunk from there into the loose keys: to be a run, unless it is the only one. */
static sorting sorting_of(const rs_ooc *o, uint64_t i, bool is_piece)
{
    const rs_ooc_in *in = &o->ins[i % RS_OOC_AREAS];
    const rs_ooc_out *out = &o->outs[i % RS_OOC_AREAS];
    if (!o->plan.packed) return sorting{in->keys, out->keys, 0, NULL};
    if (is_piece) return sorting{o->loose, in->keys, 0, out->host_wide_groups};
    if (!o->runs) return sorting{in->keys, o->loose, 0, out->host_wide_groups};
    return sorting{in->keys, o->loose, o->runs[i].bits, run_flags(o, i)};
}

static gb_status pack(rs_ooc *o, const rs_ooc_out *out, const sorting *s, const rs_shape *shape,
                      gb_error *error)
{
    const uint64_t flag_bytes = rs_groups(shape->n) * 4;
    const uint32_t *keys = static_cast<const uint32_t *>(s->to);
    const gb_device *device = o->problem->device;
    const rs_packed to = {out->words, out->words + rs_ooc_wide_at(o, s->bits), out->wide_groups,
                          s->flags};
    memset(s->flags, 0, flag_bytes); /* what was here has been used */
    GB_TRY(cudaMemsetAsync(out->wide_groups, 0, flag_bytes, o->compute), error);
    GB_TRY(s->bits ? rs_launch_pack_run(device, shape, shape->n, keys, s->bits, &to, o->compute)
                   : rs_launch_pack_slices(device, shape, shape->n, keys, &to, o->compute),
           error);
    return GB_OK;
}

static gb_status queue_sort(rs_ooc *o, uint64_t i, const sorting *s, gb_error *error)
{
    rs_ooc_in *in = &o->ins[i % RS_OOC_AREAS];
    rs_ooc_out *out = &o->outs[i % RS_OOC_AREAS];
    rs_shape shape = o->shape;
    shape.n = rs_ooc_count(o, i);
    const os_sort_data data = {s->from, in->payload, s->to, out->payload, o->scratch, NULL};
    GB_TRY(cudaStreamWaitEvent(o->compute, out->done, 0), error);
    gb_status status = os_sort(&shape, o->problem->device, &data, o->compute, error);
    if (status == GB_OK && o->plan.packed) status = pack(o, out, s, &shape, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaEventRecord(out->sorted, o->compute), error);
    return GB_OK;
}

/* What a run is packed with: what its keys need if they are spread evenly, or more, if runs before
 * it did not get by. */
static void choose_bits(rs_ooc *o, uint64_t i)
{
    const unsigned bits = rs_gap_bits(rs_ooc_count(o, i));
    o->runs[i].bits = bits > o->gap_bits ? bits : o->gap_bits;
}

static gb_status queue_chunk_sort(rs_ooc *o, uint64_t i, gb_error *error)
{
    if (o->runs) choose_bits(o, i);
    const sorting s = sorting_of(o, i, false);
    GB_TRY(cudaStreamWaitEvent(o->compute, o->ins[i % RS_OOC_AREAS].done, 0), error);
    return queue_sort(o, i, &s, error);
}

static gb_status queue_piece_sort(rs_ooc *o, uint64_t i, gb_error *error)
{
    const rs_ooc_in *in = &o->ins[i % RS_OOC_AREAS];
    const sorting s = sorting_of(o, i, true);
    GB_TRY(cudaStreamWaitEvent(o->compute, in->done, 0), error);
    if (o->plan.packed)
        GB_TRY(rs_launch_unpack(o->problem->device, &o->shape, in->segments, in->segment_count,
                                in->record_count, in->words, o->loose, o->compute),
               error);
    return queue_sort(o, i, &s, error);
}

/* Waits for the flags of an item's groups; the streams have work of other items meanwhile. */
static gb_status await_flags(const rs_ooc_out *out, gb_error *error)
{
    GB_TRY(cudaEventSynchronize(out->sorted), error);
    return GB_OK;
}

/* ---- out as a run ---------------------------------------------------------------------------- */

/* The upper planes of the groups that need them, neighbours in one copy. */
static gb_status spill_wide(rs_ooc *o, const uint32_t *from, const rs_run *run, uint32_t *wide,
                            gb_error *error)
{
    const uint64_t record = rs_wide_words(run->bits), words = RS_GROUP_RECORDS * record;
    const uint64_t groups = rs_groups(run->count);
    for (uint64_t first = 0, end; first < groups; first = end) {
        end = first + 1;
        if (!run->wide_groups[first]) continue;
        while (end < groups && run->wide_groups[end])
            end++;
        const uint64_t records = rs_least(end * RS_GROUP_RECORDS, rs_records(run->count));
        const uint64_t count = records * record - first * words;
        GB_TRY(
            cudaMemcpyAsync(wide + first * words, from + first * words, count * 4, TO_HOST, o->out),
            error);
    }
    return GB_OK;
}

static gb_status spill_keys(rs_ooc *o, uint64_t i, gb_error *error)
{
    const rs_ooc_out *out = &o->outs[i % RS_OOC_AREAS];
    rs_run *run = &o->runs[i];
    const uint64_t at = i * o->plan.capacity;
    run->count = rs_ooc_count(o, i);
    if (!o->plan.packed) {
        run->keys = rs_ooc_key(o, o->run_keys, at);
        GB_TRY(cudaMemcpyAsync(rs_ooc_key(o, o->run_keys, at), out->keys,
                               run->count * rs_key_bytes(o->shape.type), TO_HOST, o->out),
               error);
        return GB_OK;
    }
    const uint64_t wide_at = rs_ooc_wide_at(o, run->bits);
    uint32_t *into = o->run_words + o->plan.run_words * i;
    run->records = into;
    run->wide = into + wide_at;
    run->wide_groups = run_flags(o, i);
    GB_TRY(cudaMemcpyAsync(into, out->words, rs_records(run->count) * rs_run_words(run->bits) * 4,
                           TO_HOST, o->out),
           error);
    gb_status status = await_flags(out, error);
    if (status != GB_OK) return status;
    o->gap_bits = rs_next_gap_bits(run);
    return spill_wide(o, out->words + wide_at, run, into + wide_at, error);
}

static gb_status queue_spill(rs_ooc *o, uint64_t i, gb_error *error)
{
    const rs_ooc_out *out = &o->outs[i % RS_OOC_AREAS];
    GB_TRY(cudaStreamWaitEvent(o->out, out->sorted, 0), error);
    gb_status status = spill_keys(o, i, error);
    if (status != GB_OK) return status;
    if (out->payload)
        GB_TRY(cudaMemcpyAsync(o->run_payload + i * o->plan.capacity, out->payload,
                               rs_ooc_count(o, i) * 4, TO_HOST, o->out),
               error);
    GB_TRY(cudaEventRecord(out->done, o->out), error);
    return GB_OK;
}

/* ---- out to its place ------------------------------------------------------------------------ */

static bool any_wide(const uint32_t *flags, uint64_t count)
{
    for (uint64_t g = 0; g < rs_groups(count); g++)
        if (flags[g]) return true;
    return false;
}

/* A slice goes packed if 16 bits hold it and the CPU keeps up, else as it is: from where it was
 * sorted to. */
static gb_status deliver_slice(rs_ooc *o, rs_ooc_out *out, void *sorted, uint64_t piece_at,
                               uint64_t at, uint64_t count, gb_error *error)
{
    uint32_t *into = static_cast<uint32_t *>(o->problem->host_keys_out) + piece_at + at;
    const bool wide = any_wide(out->host_wide_groups + at / RS_GROUP, count);
    const uint32_t number = wide ? 0 : rs_unpackers_next(o->unpackers);
    if (number == 0) {
        out->as_they_are = true;
        GB_TRY(cudaMemcpyAsync(into, rs_ooc_key(o, sorted, at), count * 4, TO_HOST, o->out), error);
        return GB_OK;
    }
    const unsigned seat = (number - 1) % o->plan.seats;
    uint32_t *ring = rs_ooc_seat(o, seat);
    GB_TRY(cudaMemcpyAsync(ring, out->words + at / RS_RECORD * RS_SLICE_WORDS,
                           rs_records(count) * RS_SLICE_WORDS * 4, TO_HOST, o->out),
           error);
    GB_TRY(cudaMemcpyAsync(o->arrived + seat, o->numbers + number - 1, 4, TO_HOST, o->out), error);
    const rs_slice slice = {count, ring, into};
    rs_unpackers_add(o->unpackers, &slice);
    return GB_OK;
}

static gb_status deliver_keys(rs_ooc *o, uint64_t i, gb_error *error)
{
    rs_ooc_out *out = &o->outs[i % RS_OOC_AREAS];
    const uint64_t piece_at = i * o->plan.capacity, count = rs_ooc_count(o, i);
    if (!o->plan.packed) {
        GB_TRY(cudaMemcpyAsync(rs_ooc_key(o, o->problem->host_keys_out, piece_at), out->keys,
                               count * rs_key_bytes(o->shape.type), TO_HOST, o->out),
               error);
        return GB_OK;
    }
    void *sorted = sorting_of(o, i, o->plan.chunks > 1).to;
    out->as_they_are = false;
    gb_status status = await_flags(out, error);
    for (uint64_t at = 0; at < count && status == GB_OK; at += RS_OOC_SLICE)
        status =
            deliver_slice(o, out, sorted, piece_at, at, rs_least(RS_OOC_SLICE, count - at), error);
    return status;
}

static gb_status queue_delivery(rs_ooc *o, uint64_t i, gb_error *error)
{
    const rs_ooc_out *out = &o->outs[i % RS_OOC_AREAS];
    GB_TRY(cudaStreamWaitEvent(o->out, out->sorted, 0), error);
    gb_status status = deliver_keys(o, i, error);
    if (status != GB_OK) return status;
    if (out->payload)
        GB_TRY(cudaMemcpyAsync(o->problem->host_payload_out + i * o->plan.capacity, out->payload,
                               rs_ooc_count(o, i) * 4, TO_HOST, o->out),
               error);
    GB_TRY(cudaEventRecord(out->done, o->out), error);
    return GB_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

typedef gb_status (*queue_fn)(rs_ooc *o, uint64_t i, gb_error *error);

/* Takes all chunks or pieces through three stages: while item i is sorted, i + 1 comes in and i - 1
 * goes out. i + 1 comes to the area of i - 1, of which it is known by then how it leaves. What the
 * host has to find out about i + 1 before it comes in (ahead; or NULL) it does while it would wait
 * for i - 1. */
static gb_status queue_all(rs_ooc *o, void (*ahead)(rs_ooc *o, uint64_t i), queue_fn in,
                           queue_fn sort, queue_fn out, gb_error *error)
{
    const uint64_t count = o->plan.chunks;
    if (ahead) ahead(o, 0);
    gb_status status = in(o, 0, error);
    for (uint64_t i = 0; i <= count && status == GB_OK; i++) {
        if (i < count) status = sort(o, i, error);
        if (ahead && i + 1 < count) ahead(o, i + 1);
        if (i > 0 && status == GB_OK) status = out(o, i - 1, error);
        if (i + 1 < count && status == GB_OK) status = in(o, i + 1, error);
    }
    return status;
}

/* Waits for all that was queued, also after a failure: the next run begins with nothing under way.
 */
static gb_status finish(rs_ooc *o, gb_status status, gb_error *error)
{
    cudaStream_t const streams[] = {o->in, o->compute, o->out};
    for (cudaStream_t stream : streams) {
        cudaError_t code = cudaStreamSynchronize(stream);
        if (status == GB_OK && code != cudaSuccess)
            status = gb_cuda_status(code, "sorting in chunks", error);
    }
    if (o->unpackers) rs_unpackers_drain(o->unpackers, status == GB_OK);
    return status;
}

static gb_status sort_all(rs_ooc *o, gb_error *error)
{
    if (o->plan.chunks == 1)
        return queue_all(o, NULL, rs_ooc_chunk_in, queue_chunk_sort, queue_delivery, error);
    o->gap_bits = 1;
    gb_status status = queue_all(o, NULL, rs_ooc_chunk_in, queue_chunk_sort, queue_spill, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaStreamSynchronize(o->out), error); /* the cuts read the runs */
    for (uint64_t r = 0; r < o->plan.chunks; r++)
        o->cut.at[r] = 0;
    o->cut.rank = 0;
    return queue_all(o, rs_ooc_cut_piece, rs_ooc_piece_in, queue_piece_sort, queue_delivery, error);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    rs_ooc *o = static_cast<rs_ooc *>(job->state);
    if (o->shape.n == 0) return GB_OK;
    for (rs_ooc_out &out : o->outs)
        out.as_they_are = false;
    if (o->unpackers) rs_unpackers_begin(o->unpackers);
    GB_TRY(cudaEventRecord(o->begun, gb_cuda_stream(stream)), &job->error);
    GB_TRY(cudaStreamWaitEvent(o->in, o->begun, 0), &job->error);
    return finish(o, sort_all(o, &job->error), &job->error);
}

extern "C" const gb_variant rs_onesweep_out_of_core = {
    "onesweep-out-of-core",
    "more than the device holds: sorted in chunks, cut across, packed on the bus",
    "gpubench",
    GB_STABLE | GB_OWN_TRANSFERS,
    rs_no_wide_payload,
    rs_ooc_prepare,
    NULL,
    run,
    rs_ooc_cleanup,
};
