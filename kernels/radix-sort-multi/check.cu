/* Judges an output in full, on the device: every run ascends, and so do the runs' ends; each
 * payload stands beside the key that it came with; the runs together are a permutation of the
 * input; behind a run's end nothing was written. The input must be as it was. */
#include "common/cuda/grid.cuh"
#include "kernels/radix-sort-multi/problem.h"
#include "kernels/radix-sort/findings.cuh"

/* What is found of a rank; the words of all ranks pass between them. */
typedef struct ms_findings {
    rs_findings in, out;  /* out.unstable: the first element whose payload is another key's */
    uint64_t written;     /* the first element behind the run that is no longer garbage */
    uint64_t first, last; /* keys at the run's ends, if it has any */
} ms_findings;

/* ---- kernels --------------------------------------------------------------------------------- */

static __global__ void ms_clear_findings(ms_findings *findings)
{
    const rs_findings nothing = {{0, 0, 0}, RS_NO_DEFECT, RS_NO_DEFECT};
    findings->in = findings->out = nothing;
    findings->written = RS_NO_DEFECT;
    findings->first = findings->last = 0;
}

/* A share of the input as the generator defines it, read from nowhere. */
static __global__ void ms_hash_truth(gb_dist dist, rs_shape shape, uint64_t begin, uint64_t count,
                                     rs_findings *findings)
{
    rs_hash mine = {0, 0, 0};
    for (uint64_t i = gb_first(); i < count; i += gb_stride())
        rs_hash_add(&mine, begin + i, rs_make_key(&dist, shape.type, begin + i),
                    shape.payload ? (uint32_t)(begin + i) : 0);
    rs_add_up(&mine, findings);
}

static __global__ void ms_hash_input(rs_shape shape, const void *keys, const uint32_t *payload,
                                     uint64_t begin, uint64_t count, rs_findings *findings)
{
    rs_hash mine = {0, 0, 0};
    for (uint64_t i = gb_first(); i < count; i += gb_stride())
        rs_hash_add(&mine, begin + i, rs_load_key(shape.type, keys, i), payload ? payload[i] : 0);
    rs_add_up(&mine, findings);
}

static __device__ void note_least(uint64_t *at, uint64_t index)
{
    atomicMin(reinterpret_cast<unsigned long long *>(at), (unsigned long long)index);
}

/* A run of count elements. */
static __global__ void ms_judge_run(gb_dist dist, rs_shape shape, const void *keys,
                                    const uint32_t *payload, uint64_t count, ms_findings *findings)
{
    rs_hash mine = {0, 0, 0};
    for (uint64_t i = gb_first(); i < count; i += gb_stride()) {
        const uint64_t key = rs_load_key(shape.type, keys, i);
        const uint64_t number = payload ? payload[i] : 0;
        rs_hash_add(&mine, 0, key, number);
        if (i && rs_load_key(shape.type, keys, i - 1) > key)
            note_least(&findings->out.misplaced, i);
        if (payload && (number >= shape.n || rs_make_key(&dist, shape.type, number) != key))
            note_least(&findings->out.unstable, i);
        if (i == 0) findings->first = key;
        if (i + 1 == count) findings->last = key;
    }
    rs_add_up(&mine, &findings->out);
}

/* Behind the run: elements [count, all) of `element` bytes each, a multiple of 4. */
static __global__ void ms_judge_rest(const uint32_t *array, unsigned element, uint64_t count,
                                     uint64_t all, ms_findings *findings)
{
    const uint32_t garbage = MS_GARBAGE * 0x01010101u;
    const unsigned words = element / 4;
    for (uint64_t i = count * words + gb_first(); i < all * words; i += gb_stride())
        if (array[i] != garbage) note_least(&findings->written, i / words);
}

/* ---- on all ranks ---------------------------------------------------------------------------- */

static ms_findings *findings_of(const ms_problem *p, unsigned i)
{
    return static_cast<ms_findings *>(p->local[i].findings);
}

/* Queues a rank's part of a check, or of the truth. */
static gb_status look_at(const ms_problem *p, unsigned i, bool truth, const gb_dist *dist,
                         gb_error *error)
{
    const rs_shape *shape = &p->shape.sort;
    const ms_arrays *a = &p->local[i];
    const unsigned rank = p->comm->local[i].rank;
    const uint64_t begin = ms_begin(&p->shape, rank), share = ms_share(&p->shape, rank);
    const uint64_t room = ms_room(&p->shape) + MS_GUARD;
    const unsigned key = (unsigned)rs_key_bytes(shape->type);
    const dim3 threads(GB_GRID_THREADS);
    ms_findings *findings = findings_of(p, i);
    cudaStream_t stream = p->comm->local[i].stream;
    const auto grid = [&](uint64_t items) { return gb_grid(p->sort.device, items); };
    GB_TRY(launch(ms_clear_findings, dim3(1), dim3(1), 0, stream, findings), error);
    if (truth) {
        GB_TRY(launch(ms_hash_truth, grid(share), threads, 0, stream, *dist, *shape, begin, share,
                      &findings->in),
               error);
        return GB_OK;
    }
    GB_TRY(launch(ms_hash_input, grid(share), threads, 0, stream, *shape, a->keys_in, a->payload_in,
                  begin, share, &findings->in),
           error);
    GB_TRY(launch(ms_judge_run, grid(p->length[rank]), threads, 0, stream, *dist, *shape,
                  a->keys_out, a->payload_out, p->length[rank], findings),
           error);
    GB_TRY(launch(ms_judge_rest, grid(room - p->length[rank]), threads, 0, stream,
                  static_cast<const uint32_t *>(a->keys_out), key, p->length[rank], room, findings),
           error);
    if (a->payload_out)
        GB_TRY(launch(ms_judge_rest, grid(room - p->length[rank]), threads, 0, stream,
                      a->payload_out, shape->payload, p->length[rank], room, findings),
               error);
    return GB_OK;
}

/* all: of every rank of all processes. */
static gb_status gather(ms_problem *p, ms_findings all[GB_MOST_RANKS], gb_error *error)
{
    const void *from[GB_MOST_RANKS];
    void *to[GB_MOST_RANKS];
    for (unsigned i = 0; i < p->comm->locals; i++) {
        from[i] = p->local[i].findings;
        to[i] = p->local[i].gathered;
    }
    const gb_carrier carrier =
        gb_comm_refusal(p->comm->size, GB_NEEDS_PEERS) ? GB_BY_NCCL : GB_BY_COPIES;
    const gb_status status =
        gb_comm_all_gather(p->comm, carrier, from, sizeof(ms_findings), to, error);
    if (status != GB_OK) return status;
    const gb_status entered = gb_comm_enter(p->comm, 0, error);
    if (entered != GB_OK) return entered;
    GB_TRY(cudaMemcpyAsync(all, to[0], p->comm->size * sizeof(ms_findings), cudaMemcpyDeviceToHost,
                           p->comm->local[0].stream),
           error);
    return gb_comm_wait(p->comm, error);
}

static gb_status look_at_all(ms_problem *p, bool truth, ms_findings all[GB_MOST_RANKS],
                             gb_error *error)
{
    gb_dist dist;
    char why[160];
    gb_status status = GB_OK;
    if (!gb_dist_of(p->sort.dist, p->sort.seed, p->shape.sort.n, &dist, why))
        return gb_fail(error, GB_UNSUPPORTED, "%s", why);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        status = gb_comm_enter(p->comm, i, error);
        if (status == GB_OK) status = look_at(p, i, truth, &dist, error);
    }
    return status == GB_OK ? gather(p, all, error) : status;
}

static void add(rs_hash *sum, const rs_hash *more)
{
    sum->a += more->a;
    sum->b += more->b;
    sum->ordered += more->ordered;
}

gb_status ms_checker_open(ms_problem *p, gb_error *error)
{
    ms_findings all[GB_MOST_RANKS];
    gb_status status = GB_OK;
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        ms_arrays *a = &p->local[i];
        status = gb_comm_malloc(p->comm, i, &a->findings, sizeof *all, "the check", error);
        if (status == GB_OK)
            status = gb_comm_malloc(p->comm, i, &a->gathered, p->comm->size * sizeof *all,
                                    "the check", error);
    }
    if (status == GB_OK) status = look_at_all(p, true, all, error);
    if (status != GB_OK) return status;
    for (unsigned r = 0; r < p->comm->size; r++)
        add(&p->truth, &all[r].in.sum);
    return GB_OK;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static gb_status check_lengths(gb_job *job)
{
    const ms_problem *p = ms_problem_of(job->problem);
    const uint64_t room = ms_room(&p->shape);
    uint64_t sum = 0;
    for (unsigned r = 0; r < p->shape.size; r++) {
        if (p->length[r] > room)
            return gb_fail(&job->error, GB_WRONG,
                           "the run of rank %u has %llu elements, and may have %llu", r,
                           (unsigned long long)p->length[r], (unsigned long long)room);
        sum += p->length[r];
    }
    if (sum == p->shape.sort.n) return GB_OK;
    return gb_fail(&job->error, GB_WRONG, "the runs have %llu elements together, not %llu",
                   (unsigned long long)sum, (unsigned long long)p->shape.sort.n);
}

/* Other variants use the same input: one that changed it is named and the input made again. */
static gb_status check_input(gb_job *job, const ms_findings *all)
{
    ms_problem *p = ms_problem_of(job->problem);
    rs_hash sum = {0, 0, 0};
    for (unsigned r = 0; r < p->shape.size; r++)
        add(&sum, &all[r].in.sum);
    if (sum.a == p->truth.a && sum.b == p->truth.b && sum.ordered == p->truth.ordered) return GB_OK;
    const gb_status status = ms_generate(p, &job->error);
    if (status != GB_OK) return status;
    return gb_fail(&job->error, GB_WRONG, "%s changed its input, which others share",
                   job->variant->name);
}

/* The first defect within a run. */
static gb_status check_run(gb_job *job, unsigned r, const ms_findings *found)
{
    if (found->out.misplaced != RS_NO_DEFECT)
        return gb_fail(&job->error, GB_WRONG,
                       "not sorted: keys_out[%llu] of rank %u belongs before keys_out[%llu]",
                       (unsigned long long)found->out.misplaced, r,
                       (unsigned long long)found->out.misplaced - 1);
    if (found->out.unstable != RS_NO_DEFECT)
        return gb_fail(&job->error, GB_WRONG,
                       "payload_out[%llu] of rank %u is not that of the key beside it",
                       (unsigned long long)found->out.unstable, r);
    if (found->written != RS_NO_DEFECT)
        return gb_fail(&job->error, GB_WRONG,
                       "element %llu of rank %u was written, which is behind the run's end",
                       (unsigned long long)found->written, r);
    return GB_OK;
}

/* Runs behind each other: a key of one is never larger than one of a later one. */
static gb_status check_ends(gb_job *job, const ms_findings *all)
{
    const ms_problem *p = ms_problem_of(job->problem);
    unsigned before = p->shape.size; /* none yet */
    for (unsigned r = 0; r < p->shape.size; r++) {
        if (p->length[r] == 0) continue;
        if (before < p->shape.size && all[before].last > all[r].first)
            return gb_fail(&job->error, GB_WRONG,
                           "the run of rank %u ends in 0x%llx, that of rank %u begins with 0x%llx",
                           before, (unsigned long long)all[before].last, r,
                           (unsigned long long)all[r].first);
        before = r;
    }
    return GB_OK;
}

gb_status ms_check(gb_job *job, gb_stream stream)
{
    ms_problem *p = ms_problem_of(job->problem);
    ms_findings all[GB_MOST_RANKS];
    rs_hash sum = {0, 0, 0};
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    gb_status status = check_lengths(job);
    if (status == GB_OK) status = look_at_all(p, false, all, &job->error);
    if (status == GB_OK) status = check_input(job, all);
    for (unsigned r = 0; r < p->shape.size && status == GB_OK; r++) {
        status = check_run(job, r, &all[r]);
        add(&sum, &all[r].out.sum);
    }
    if (status == GB_OK) status = check_ends(job, all);
    if (status != GB_OK) return status;
    if (sum.a == p->truth.a && sum.b == p->truth.b) return GB_OK;
    return gb_fail(
        &job->error, GB_WRONG,
        "the output is sorted but is no permutation of the input: %s were lost, repeated "
        "or changed",
        p->shape.sort.payload ? "keys or payloads" : "keys");
}
