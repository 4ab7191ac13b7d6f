/* The out-of-core sort's ways in: chunks of the input as they lie, and pieces of the output, a
 * stretch of every run each. */
#include "kernels/radix-sort/out_of_core/out_of_core.cuh"

static const cudaMemcpyKind TO_DEVICE = cudaMemcpyHostToDevice;

/* Item i's area is free when the item before last has been sorted, and, if parts of it travelled as
 * they are, has left. */
static gb_status await_area(rs_ooc *o, uint64_t i, gb_error *error)
{
    const rs_ooc_out *out = &o->outs[i % RS_OOC_AREAS];
    GB_TRY(cudaStreamWaitEvent(o->in, out->sorted, 0), error);
    if (out->as_they_are) GB_TRY(cudaStreamWaitEvent(o->in, out->done, 0), error);
    return GB_OK;
}

gb_status rs_ooc_chunk_in(rs_ooc *o, uint64_t i, gb_error *error)
{
    const rs_ooc_in *in = &o->ins[i % RS_OOC_AREAS];
    const uint64_t at = i * o->plan.capacity, count = rs_ooc_count(o, i);
    gb_status status = await_area(o, i, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpyAsync(in->keys, rs_ooc_key(o, o->problem->host_keys_in, at),
                           count * rs_key_bytes(o->shape.type), TO_DEVICE, o->in),
           error);
    if (in->payload)
        GB_TRY(cudaMemcpyAsync(in->payload, o->problem->host_payload_in + at, count * 4, TO_DEVICE,
                               o->in),
               error);
    GB_TRY(cudaEventRecord(in->done, o->in), error);
    return GB_OK;
}

/* ---- many copies ------------------------------------------------------------------------------
 */

static void add_copy(rs_ooc_copies *copies, void *to, const void *from, uint64_t bytes)
{
    copies->to[copies->count] = to;
    copies->from[copies->count] = from;
    copies->bytes[copies->count] = bytes;
    copies->count++;
}

/* Queues them as one batch where toolkit and driver can, else one by one, with a gap of some
 * microseconds between them in which the bus has nothing to do. */
static cudaError_t queue_copies(const rs_ooc_copies *copies, cudaStream_t stream)
{
    if (copies->count == 0) return cudaSuccess;
#if defined(CUDART_VERSION) && CUDART_VERSION >= 13000
    cudaMemcpyAttributes attributes = {};
    size_t first = 0;
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    const cudaError_t code = cudaMemcpyBatchAsync(copies->to, copies->from, copies->bytes,
                                                  copies->count, &attributes, &first, 1, stream);
    if (code != cudaErrorCallRequiresNewerDriver && code != cudaErrorNotSupported) return code;
    (void)cudaGetLastError();
#endif
    for (unsigned i = 0; i < copies->count; i++) {
        const cudaError_t one =
            cudaMemcpyAsync(copies->to[i], copies->from[i], copies->bytes[i], TO_DEVICE, stream);
        if (one != cudaSuccess) return one;
    }
    return cudaSuccess;
}

/* ---- a piece in ------------------------------------------------------------------------------ */

/* A piece while its stretches are listed. */
typedef struct gathering {
    rs_ooc_in *in;
    uint64_t place, records, words; /* so far */
    unsigned segments;
} gathering;

/* Keys [begin, end) of a run, which lie in groups of one kind. */
static void gather_segment(const rs_ooc *o, gathering *g, const rs_run *run, uint64_t begin,
                           uint64_t end)
{
    /* copies from and to whole lines of memory: others are slower on the bus */
    const uint64_t sheet = o->plan.sheet, first = begin / RS_RECORD / sheet * sheet;
    const uint64_t count = rs_records(end) - first;
    const uint64_t records = (count + sheet - 1) / sheet * sheet, words = rs_run_words(run->bits);
    const uint64_t wide_words = rs_wide_words(run->bits), wide_at = g->words + records * words;
    const bool is_wide = run->wide_groups[begin / RS_GROUP] != 0;
    g->in->host_segments[g->segments++] =
        rs_segment{g->records, begin - first * RS_RECORD, end - begin,
                   g->words,   is_wide ? wide_at : 0,     g->place,
                   run->bits};
    add_copy(&g->in->copies, g->in->words + g->words, run->records + first * words,
             count * words * 4);
    if (is_wide)
        add_copy(&g->in->copies, g->in->words + wide_at, run->wide + first * wide_words,
                 count * wide_words * 4);
    g->words += records * (words + (is_wide ? wide_words : 0));
    g->records += records;
    g->place += end - begin;
}

/* The end of the stretch of groups of one kind that begins in the group of key `begin`. */
static uint64_t same_kind_until(const rs_run *run, uint64_t begin, uint64_t end)
{
    uint64_t group = begin / RS_GROUP;
    const bool is_wide = run->wide_groups[group] != 0;
    while (group * RS_GROUP < end && (run->wide_groups[group] != 0) == is_wide)
        group++;
    return rs_least(group * RS_GROUP, end);
}

static void gather_keys(const rs_ooc *o, gathering *g, const rs_run *run, uint64_t begin,
                        uint64_t end)
{
    if (!o->plan.packed) {
        add_copy(&g->in->copies, rs_ooc_key(o, g->in->keys, g->place),
                 rs_ooc_key(o, const_cast<void *>(run->keys), begin),
                 (end - begin) * rs_key_bytes(o->shape.type));
        g->place += end - begin;
    }
    while (o->plan.packed && begin < end) {
        const uint64_t until = same_kind_until(run, begin, end);
        gather_segment(o, g, run, begin, until);
        begin = until;
    }
}

void rs_ooc_cut_piece(rs_ooc *o, uint64_t i)
{
    const unsigned runs = (unsigned)o->plan.chunks;
    for (unsigned r = 0; r < runs; r++)
        o->before[r] = o->cut.at[r];
    rs_cut_advance(&o->shape, o->runs, runs, o->cut.rank + rs_ooc_count(o, i), &o->cut,
                   o->scratch_words);
}

/* Lists the stretch of every run that the last cut has taken, in the order of the runs. */
static void gather(const rs_ooc *o, gathering *g)
{
    for (unsigned r = 0; r < (unsigned)o->plan.chunks; r++) {
        const uint64_t begin = o->before[r], end = o->cut.at[r];
        if (begin == end) continue;
        if (g->in->payload)
            add_copy(&g->in->copies, g->in->payload + g->place,
                     o->run_payload + r * o->plan.capacity + begin, (end - begin) * 4);
        gather_keys(o, g, &o->runs[r], begin, end);
    }
}

gb_status rs_ooc_piece_in(rs_ooc *o, uint64_t i, gb_error *error)
{
    rs_ooc_in *in = &o->ins[i % RS_OOC_AREAS];
    gathering g = {in, 0, 0, 0, 0};
    in->copies.count = 0;
    gather(o, &g);
    in->segment_count = g.segments;
    in->record_count = g.records;
    gb_status status = await_area(o, i, error);
    if (status != GB_OK) return status;
    GB_TRY(queue_copies(&in->copies, o->in), error);
    if (g.segments)
        GB_TRY(cudaMemcpyAsync(in->segments, in->host_segments, g.segments * sizeof *in->segments,
                               TO_DEVICE, o->in),
               error);
    GB_TRY(cudaEventRecord(in->done, o->in), error);
    return GB_OK;
}
