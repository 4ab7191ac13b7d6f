/* The out-of-core sort's ways in: chunks of the input as they lie, and pieces of the output, a
 * stretch of every run each. */
#include "kernels/radix-sort/out_of_core.cuh"

static const cudaMemcpyKind TO_DEVICE = cudaMemcpyHostToDevice;

gb_status rs_ooc_chunk_in(rs_ooc *o, uint64_t i, gb_error *error)
{
    rs_ooc_slot *slot = rs_ooc_slot_of(o, i);
    const uint64_t at = i * o->plan.capacity, count = rs_ooc_count(o, i);
    GB_TRY(cudaStreamWaitEvent(o->in, slot->out_done, 0), error);
    GB_TRY(cudaMemcpyAsync(slot->keys, rs_ooc_key(o, o->problem->host_keys_in, at),
                           count * rs_key_bytes(o->shape.type), TO_DEVICE, o->in),
           error);
    if (slot->payload)
        GB_TRY(cudaMemcpyAsync(slot->payload, o->problem->host_payload_in + at, count * 4,
                               TO_DEVICE, o->in),
               error);
    GB_TRY(cudaEventRecord(slot->in_done, o->in), error);
    return GB_OK;
}

/* ---- a piece in ------------------------------------------------------------------------------ */

/* A piece while its stretches are listed or copied. */
typedef struct gathering {
    rs_ooc_slot *slot;
    uint64_t place, sheets; /* so far */
    unsigned segments;
} gathering;

/* Keys [begin, end) of a run, which lie in groups of one kind. */
static void gather_segment(gathering *g, const rs_run *run, uint64_t begin, uint64_t end)
{
    const uint64_t sheet_keys = RS_SHEET * RS_RECORD, first = begin / sheet_keys;
    const uint32_t *wide = run->wide_groups[begin / RS_GROUP] ? run->wide : NULL;
    g->slot->host_segments[g->segments++] =
        rs_segment{run->records + first * RS_SHEET_WORDS,
                   wide ? wide + first * RS_SHEET * RS_WIDE_WORDS : NULL,
                   g->sheets,
                   begin % sheet_keys,
                   end - begin,
                   g->place};
    g->sheets += rs_sheets(end) - first;
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

static gb_status gather_keys(rs_ooc *o, gathering *g, const rs_run *run, uint64_t begin,
                             uint64_t end, gb_error *error)
{
    if (!o->plan.packed) {
        GB_TRY(cudaMemcpyAsync(rs_ooc_key(o, g->slot->keys, g->place),
                               rs_ooc_key(o, const_cast<void *>(run->keys), begin),
                               (end - begin) * rs_key_bytes(o->shape.type), TO_DEVICE, o->in),
               error);
        g->place += end - begin;
        return GB_OK;
    }
    while (begin < end) {
        const uint64_t until = same_kind_until(run, begin, end);
        gather_segment(g, run, begin, until);
        begin = until;
    }
    return GB_OK;
}

/* Moves the cut on by a piece and gathers its stretch of every run, in the order of the runs. */
static gb_status gather(rs_ooc *o, uint64_t i, gathering *g, gb_error *error)
{
    const unsigned runs = (unsigned)o->plan.chunks;
    for (unsigned r = 0; r < runs; r++)
        o->before[r] = o->cut.at[r];
    rs_cut_advance(&o->shape, o->runs, runs, o->cut.rank + rs_ooc_count(o, i), &o->cut,
                   o->scratch_words);
    for (unsigned r = 0; r < runs; r++) {
        const uint64_t begin = o->before[r], end = o->cut.at[r];
        if (begin == end) continue;
        if (g->slot->payload)
            GB_TRY(cudaMemcpyAsync(g->slot->payload + g->place,
                                   o->run_payload + r * o->plan.capacity + begin, (end - begin) * 4,
                                   TO_DEVICE, o->in),
                   error);
        gb_status status = gather_keys(o, g, &o->runs[r], begin, end, error);
        if (status != GB_OK) return status;
    }
    return GB_OK;
}

gb_status rs_ooc_piece_in(rs_ooc *o, uint64_t i, gb_error *error)
{
    rs_ooc_slot *slot = rs_ooc_slot_of(o, i);
    gathering g = {slot, 0, 0, 0};
    GB_TRY(cudaStreamWaitEvent(o->in, slot->out_done, 0), error);
    gb_status status = gather(o, i, &g, error);
    if (status != GB_OK) return status;
    if (g.segments) {
        GB_TRY(cudaMemcpyAsync(slot->segments, slot->host_segments,
                               g.segments * sizeof *slot->segments, TO_DEVICE, o->in),
               error);
        GB_TRY(rs_launch_unpack(o->problem->device, &o->shape, slot->segments, g.segments, g.sheets,
                                static_cast<uint32_t *>(slot->keys), o->in),
               error);
    }
    GB_TRY(cudaEventRecord(slot->in_done, o->in), error);
    return GB_OK;
}
