/* The out-of-core sort's memory: how large a chunk may be, one allocation on the device cut into
 * its parts, page-locked arrays on the host, streams, events, threads. */
#include "kernels/radix-sort/out_of_core/out_of_core.cuh"
#include "kernels/radix-sort/passes.cuh"

#include <stdlib.h>

/* Where memory does not force more, so many chunks: fewer, and the bus waits longer for the first
 * sort and the last; more, and the pieces of a run, each of which is a copy, get short. Chunks are
 * not smaller than a slice (15 bits hold the gaps of evenly spread keys from 2^21 a run on),
 * and more than so many runs are not merged. */
enum { USUAL_CHUNKS = 24, MOST_CHUNKS = 1024, MOST_SEATS = 16 };
/* So many records are a whole number of 128-byte lines; to begin stretches there takes room that is
 * little from so many records of a chunk on. */
enum { LINES = 32, SHEET_PAYS = 1024 };

/* ---- the plan -------------------------------------------------------------------------------- */

static void plan_sizes(rs_ooc_plan *plan, uint64_t capacity)
{
    if (capacity < RS_RECORD) capacity = RS_RECORD;
    plan->capacity = capacity;
    plan->chunks = (plan->n + capacity - 1) / capacity;
    /* A piece takes one stretch of every run at most, in which groups of both kinds may alternate;
     * a segment begins and ends within a record. */
    const uint64_t alternating = capacity / RS_GROUP + 2 * plan->chunks;
    const uint64_t all = plan->chunks * rs_groups(capacity);
    plan->segments = alternating < all ? alternating : all;
    const uint64_t slice = capacity < RS_OOC_SLICE ? capacity : (uint64_t)RS_OOC_SLICE;
    plan->slices = plan->chunks * ((capacity + slice - 1) / slice);
    plan->seats = plan->slices < MOST_SEATS ? (unsigned)plan->slices : (unsigned)MOST_SEATS;
    plan->seat_words = rs_records(slice) * RS_SLICE_WORDS;
    plan->groups = rs_groups(capacity);
    plan->run_words = rs_records(capacity) * RS_ALL_WORDS;
    plan->sheet = rs_records(capacity) >= SHEET_PAYS ? LINES : 1;
    plan->records = rs_records(capacity) + 2 * plan->sheet * plan->segments;
}

/* One way's payload and, where nothing is packed, its keys. */
static void place_elements(const rs_ooc_plan *plan, rs_scratch *p, void **keys, uint32_t **payload,
                           uint64_t key_bytes, uint64_t payload_bytes)
{
    if (payload_bytes) *payload = (uint32_t *)rs_part<char>(p, payload_bytes);
    if (!plan->packed) *keys = rs_part<char>(p, key_bytes);
}

/* Where keys are packed: a piece's records and their upper planes, which together are longer than
 * the keys of a chunk, on the way in; a run's, or slices', on the way out. */
static void place_packed(const rs_ooc_plan *plan, rs_scratch *p, rs_ooc_in *in, rs_ooc_out *out)
{
    in->keys = in->words = rs_part<uint32_t>(p, plan->records * RS_ALL_WORDS);
    in->segments = rs_part<rs_segment>(p, plan->segments);
    out->words = rs_part<uint32_t>(p, plan->run_words);
    out->wide_groups = rs_part<uint32_t>(p, plan->groups);
}

/* Places all parts. Arrays of elements have 16 bytes of slack for kernels that move whole groups of
 * 16 bytes. */
static void place(rs_ooc *o, rs_scratch *p)
{
    const rs_ooc_plan *plan = &o->plan;
    const uint64_t key_bytes = plan->capacity * rs_key_bytes(o->shape.type) + 16;
    const uint64_t payload_bytes = o->shape.payload ? plan->capacity * 4 + 16 : 0;
    rs_shape chunk = o->shape;
    chunk.n = plan->capacity;
    for (int a = 0; a < RS_OOC_AREAS; a++) {
        rs_ooc_in *in = &o->ins[a];
        rs_ooc_out *out = &o->outs[a];
        place_elements(plan, p, &in->keys, &in->payload, key_bytes, payload_bytes);
        place_elements(plan, p, &out->keys, &out->payload, key_bytes, payload_bytes);
        if (plan->packed) place_packed(plan, p, in, out);
    }
    o->scratch = rs_part<char>(p, os_scratch_bytes(&chunk, o->problem->device));
    if (!plan->packed) return;
    o->loose = (uint32_t *)rs_part<char>(p, key_bytes);
    o->numbers = rs_part<uint32_t>(p, plan->slices);
}

static uint64_t device_bytes(rs_ooc *o)
{
    rs_scratch p = {NULL, 0};
    place(o, &p);
    return p.bytes;
}

/* Whole slices where there is more than one, so that each begins at an aligned address. */
static uint64_t rounded(uint64_t capacity)
{
    const uint64_t slice = RS_OOC_SLICE, record = RS_RECORD;
    const uint64_t unit = capacity > slice ? slice : record;
    return capacity / unit * unit;
}

/* The largest chunks that fit into so many bytes, up to the usual size. Where none do: those that
 * need least, for the allocation to refuse. */
static void make_plan(rs_ooc *o, uint64_t available)
{
    rs_ooc_plan *plan = &o->plan;
    plan->n = o->shape.n;
    plan->packed = rs_packs(&o->shape);
    uint64_t usual = (plan->n + USUAL_CHUNKS - 1) / USUAL_CHUNKS;
    if (usual < RS_OOC_SLICE) usual = RS_OOC_SLICE;
    if (usual > plan->n) usual = plan->n;
    uint64_t capacity = rounded(usual + RS_OOC_SLICE - 1), best = capacity, fewest = UINT64_MAX;
    for (; capacity > 0; capacity = rounded(capacity - (capacity + 15) / 16)) {
        plan_sizes(plan, capacity);
        const uint64_t bytes = device_bytes(o);
        if (plan->chunks > MOST_CHUNKS && fewest < UINT64_MAX) break;
        if (bytes < fewest) best = capacity;
        if (bytes < fewest) fewest = bytes;
        if (bytes <= available) break;
    }
    plan_sizes(plan, best);
}

/* What this job may take: up to its limit, or most of what the device has free. */
static gb_status find_available(gb_job *job, uint64_t *bytes)
{
    size_t left = 0, all = 0;
    GB_TRY(cudaMemGetInfo(&left, &all), &job->error);
    *bytes = left - left / 16;
    if (!job->memory_limit) return GB_OK;
    const uint64_t allowed =
        job->memory_limit > job->memory_used ? job->memory_limit - job->memory_used : 0;
    if (allowed < *bytes) *bytes = allowed;
    return GB_OK;
}

/* ---- host memory ----------------------------------------------------------------------------- */

template <class T> static gb_status locked(gb_job *job, T **out, uint64_t bytes, const char *what)
{
    void *memory = NULL;
    gb_status status = gb_cuda_malloc_host(&memory, bytes + 16, what, &job->error);
    *out = static_cast<T *>(memory);
    return status;
}

/* The runs: as many as there are chunks, each with room for a whole chunk. One chunk is no run: it
 * goes straight out. */
static gb_status make_runs(gb_job *job, rs_ooc *o)
{
    const rs_ooc_plan *plan = &o->plan;
    gb_status status = GB_OK;
    if (plan->chunks == 1) return GB_OK;
    if (!plan->packed)
        status = locked(job, &o->run_keys, plan->n * rs_key_bytes(o->shape.type), "the runs");
    else
        status = locked(job, &o->run_words, plan->run_words * plan->chunks * 4, "the runs");
    if (status == GB_OK && plan->packed)
        status = locked(job, &o->run_wide_groups, plan->groups * plan->chunks * 4, "the groups");
    if (status == GB_OK && o->shape.payload)
        status = locked(job, &o->run_payload, plan->n * 4, "the runs' payload");
    if (status != GB_OK) return status;
    o->runs = (rs_run *)calloc(plan->chunks, sizeof *o->runs);
    o->cut.at = (uint64_t *)calloc(plan->chunks, sizeof(uint64_t));
    o->before = (uint64_t *)calloc(plan->chunks, sizeof(uint64_t));
    o->scratch_words = (uint64_t *)calloc(plan->chunks, RS_CUT_WORDS * sizeof(uint64_t));
    if (o->runs && o->cut.at && o->before && o->scratch_words) return GB_OK;
    return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the list of runs");
}

/* The numbers that the device sends behind the slices. */
static gb_status make_numbers(gb_job *job, rs_ooc *o)
{
    const uint64_t count = o->plan.slices;
    uint32_t *numbers = (uint32_t *)malloc(count * 4);
    if (!numbers) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for numbers");
    for (uint64_t i = 0; i < count; i++)
        numbers[i] = (uint32_t)i + 1;
    const cudaError_t code = cudaMemcpy(o->numbers, numbers, count * 4, cudaMemcpyHostToDevice);
    free(numbers);
    GB_TRY(code, &job->error);
    return GB_OK;
}

static gb_status make_unpackers(gb_job *job, rs_ooc *o)
{
    const rs_ooc_plan *plan = &o->plan;
    if (!plan->packed) return GB_OK;
    gb_status status =
        locked(job, &o->ring, plan->seats * plan->seat_words * 4, "the slices to unpack");
    if (status == GB_OK) status = locked(job, &o->arrived, plan->seats * 4, "slices' numbers");
    if (status == GB_OK) status = make_numbers(job, o);
    if (status != GB_OK) return status;
    return rs_unpackers_start(&o->shape, plan->seats, o->arrived, &o->unpackers, &job->error);
}

/* ---- an area's own --------------------------------------------------------------------------- */

/* A segment's records, their upper planes, its payload. */
static gb_status make_copies(gb_job *job, const rs_ooc_plan *plan, rs_ooc_copies *copies)
{
    const uint64_t most = 3 * plan->segments;
    copies->from = (const void **)calloc(most, sizeof *copies->from);
    copies->to = (void **)calloc(most, sizeof *copies->to);
    copies->bytes = (size_t *)calloc(most, sizeof *copies->bytes);
    if (copies->from && copies->to && copies->bytes) return GB_OK;
    return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a list of copies");
}

static gb_status make_area(gb_job *job, const rs_ooc_plan *plan, rs_ooc_in *in, rs_ooc_out *out)
{
    cudaEvent_t *const events[] = {&in->done, &out->sorted, &out->done};
    for (cudaEvent_t *event : events)
        GB_TRY(cudaEventCreateWithFlags(event, cudaEventDisableTiming), &job->error);
    gb_status status = make_copies(job, plan, &in->copies);
    if (status != GB_OK || !plan->packed) return status;
    status = locked(job, &out->host_wide_groups, plan->groups * 4, "a piece's groups");
    if (status != GB_OK) return status;
    return locked(job, &in->host_segments, plan->segments * sizeof(rs_segment),
                  "a piece's segments");
}

static gb_status make_streams(gb_job *job, rs_ooc *o)
{
    cudaStream_t *const streams[] = {&o->in, &o->compute, &o->out};
    for (cudaStream_t *stream : streams)
        GB_TRY(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), &job->error);
    GB_TRY(cudaEventCreateWithFlags(&o->begun, cudaEventDisableTiming), &job->error);
    return GB_OK;
}

static gb_status make_device_memory(gb_job *job, rs_ooc *o)
{
    uint64_t available = 0;
    gb_status status = find_available(job, &available);
    if (status != GB_OK) return status;
    make_plan(o, available);
    status = gb_job_malloc(job, &o->device, device_bytes(o), "chunks");
    if (status != GB_OK) return status;
    rs_scratch p = {static_cast<unsigned char *>(o->device), 0};
    place(o, &p);
    GB_TRY(cudaMemset(o->scratch, 0, os_cleared_bytes(&o->shape)), &job->error);
    return GB_OK;
}

gb_status rs_ooc_prepare(gb_job *job)
{
    rs_ooc *o = (rs_ooc *)calloc(1, sizeof *o);
    if (!o) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the sort's state");
    job->state = o;
    o->problem = job->problem;
    o->shape = job->problem->shape;
    if (o->shape.n == 0) return GB_OK;
    gb_status status = make_device_memory(job, o);
    if (status == GB_OK) status = rs_problem_host(job);
    if (status == GB_OK) status = make_runs(job, o);
    if (status == GB_OK) status = make_streams(job, o);
    for (int a = 0; a < RS_OOC_AREAS && status == GB_OK; a++)
        status = make_area(job, &o->plan, &o->ins[a], &o->outs[a]);
    return status == GB_OK ? make_unpackers(job, o) : status;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void free_locked(void *memory)
{
    if (memory) (void)cudaFreeHost(memory);
}

static void free_event(cudaEvent_t event)
{
    if (event) (void)cudaEventDestroy(event);
}

void rs_ooc_cleanup(gb_job *job)
{
    rs_ooc *o = (rs_ooc *)job->state;
    if (!o) return;
    rs_unpackers_stop(o->unpackers);
    for (int a = 0; a < RS_OOC_AREAS; a++) {
        cudaEvent_t const events[] = {o->ins[a].done, o->outs[a].sorted, o->outs[a].done};
        for (cudaEvent_t event : events)
            free_event(event);
        free_locked(o->outs[a].host_wide_groups);
        free_locked(o->ins[a].host_segments);
        free(o->ins[a].copies.from);
        free(o->ins[a].copies.to);
        free(o->ins[a].copies.bytes);
    }
    free_event(o->begun);
    cudaStream_t const streams[] = {o->in, o->compute, o->out};
    for (cudaStream_t stream : streams)
        if (stream) (void)cudaStreamDestroy(stream);
    void *const arrays[] = {o->run_words, o->run_wide_groups, o->run_payload, o->run_keys,
                            o->ring,      o->arrived};
    for (void *array : arrays)
        free_locked(array);
    (void)cudaFree(o->device);
    free(o->runs);
    free(o->cut.at);
    free(o->before);
    free(o->scratch_words);
    free(o);
    job->state = NULL;
}
