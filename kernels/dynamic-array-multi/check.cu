/* Judges arrays and directory in full, on the ranks. The input is still what it was; every rank's
 * directory says rightly how many elements each rank has and where; every element, looked up by its
 * index of all through the directory by the rank before the one that has it, is one that was to be
 * pushed, and none is there twice, on any two ranks, or missing; and of the memory of the arrays
 * nothing was written but elements. */
#include "kernels/dynamic-array-multi/problem.h"

#include "common/cuda/grid.cuh"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const unsigned long long NOWHERE = ~0ull;

/* What the kernels of a rank find: the smallest of each kind. */
typedef struct dm_findings {
    unsigned long long input;   /* changed; an index of the rank's share */
    unsigned long long foreign; /* holds a value that was never pushed; an index of all */
    unsigned long long twice;   /* likewise; is there a second time, on one rank */
    unsigned long long shared;  /* an element that two ranks have */
    unsigned long long missing; /* an element that none has */
    unsigned long long beyond; /* a word of the rank's memory that is no element, but was written */
} dm_findings;

/* ---- on the device --------------------------------------------------------------------------- */

static __global__ void dm_judge_input(da_values values, uint64_t begin, uint64_t n,
                                      const uint32_t *in, dm_findings *found)
{
    for (uint64_t i = gb_first(); i < n; i += gb_stride())
        if (in[i] != da_value(&values, begin + i)) atomicMin(&found->input, (unsigned long long)i);
}

/* Elements [from, to) of all; seen: a bit an element that is pushed. */
static __global__ void dm_judge(dm_directory d, uint64_t from, uint64_t to, uint64_t kept,
                                unsigned *seen, dm_findings *found)
{
    for (uint64_t i = from + gb_first(); i < to; i += gb_stride()) {
        const uint32_t value = *dm_at(d, i), bit = 1u << value % 32;
        if (value >= kept)
            atomicMin(&found->foreign, (unsigned long long)i);
        else if (atomicOr(&seen[value / 32], bit) & bit)
            atomicMin(&found->twice, (unsigned long long)i);
    }
}

/* Words [from, to) of what all ranks have seen together. */
static __global__ void dm_judge_seen(gb_window seen, unsigned ranks, uint64_t from, uint64_t to,
                                     uint64_t kept, dm_findings *found)
{
    for (uint64_t w = from + gb_first(); w < to; w += gb_stride()) {
        const uint64_t left = kept - 32 * w;
        const unsigned wanted = left < 32 ? (1u << left) - 1 : ~0u;
        unsigned all = 0, both = 0;
        for (unsigned r = 0; r < ranks; r++) {
            const unsigned one = reinterpret_cast<const unsigned *>(seen.at[r])[w];
            both |= all & one;
            all |= one;
        }
        if (both) atomicMin(&found->shared, (unsigned long long)(32 * w + __ffs((int)both) - 1));
        if (all != wanted)
            atomicMin(&found->missing,
                      (unsigned long long)(32 * w + __ffs((int)(wanted & ~all)) - 1));
    }
}

/* An arena of `bytes`, 64 of them a turn; used: elements in each of its granules. */
static __global__ void dm_judge_beyond(const uint4 *arena, uint64_t bytes, unsigned granule_log2,
                                       const unsigned *used, dm_findings *found)
{
    enum { WORDS = 16 };
    const unsigned poison = 0xA5A5A5A5u; /* arrays.cu */
    for (uint64_t piece = gb_first(); piece < bytes / (4 * WORDS); piece += gb_stride()) {
        const uint64_t word = piece * WORDS, within = word & (((uint64_t)1 << granule_log2) - 1);
        const unsigned elements = used[word >> granule_log2];
        const unsigned first = elements <= within           ? 0
                               : elements - within >= WORDS ? (unsigned)WORDS
                                                            : (unsigned)(elements - within);
        if (first == WORDS) continue;
        unsigned words[WORDS];
        for (int v = 0; v < WORDS / 4; v++) {
            const uint4 four = arena[piece * (WORDS / 4) + v];
            words[4 * v] = four.x;
            words[4 * v + 1] = four.y;
            words[4 * v + 2] = four.z;
            words[4 * v + 3] = four.w;
        }
        for (unsigned k = 0; k < WORDS; k++)
            if (k >= first && words[k] != poison)
                atomicMin(&found->beyond, (unsigned long long)word + k);
    }
}

/* ---- the directory, on the host -------------------------------------------------------------- */

static gb_status fetch(void *to, const void *from, uint64_t bytes, gb_error *error)
{
    return gb_cuda_status(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost),
                          "reading what a variant has left", error);
}

/* What a rank has, by what its own array says: filled by right_of. malloc's. */
static gb_status right_of(gb_job *job, unsigned i, dm_told **out)
{
    const dm_problem *p = dm_problem_of(job);
    const dm_state *state = dm_state_of(job);
    const unsigned rank = p->comm->local[i].rank;
    const uint64_t room = p->granule / 4;
    dm_told *told = *out = (dm_told *)calloc(1, state->stride);
    if (!told) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    told->size = !state->funnel ? p->ranks[i].kept : rank == 0 ? p->shape.kept : 0;
    for (unsigned g = 0; g < state->granules; g++)
        told->granule[g] = g < (told->size + room - 1) / room ? g * p->granule : DM_NOWHERE;
    if (state->funnel) return GB_OK;

    const gb_growable_view v = gb_growable_view_of(state->array[i]);
    uint64_t unplaced = 0;
    gb_status status = gb_comm_enter(p->comm, i, &job->error);
    if (status != GB_OK) return status;
    GB_TRY(gb_growable_unplaced(state->array[i], 0, &unplaced), &job->error);
    if (unplaced)
        return gb_fail(&job->error, GB_WRONG, "rank %u: %" PRIu64 " pushes have no memory yet",
                       rank, unplaced);
    gb_growable_granule *table = (gb_growable_granule *)malloc(v.granules * sizeof *table);
    if (!table) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    status = fetch(table, v.table, v.granules * sizeof *table, &job->error);
    for (unsigned g = 0; g < state->granules && told->granule[g] != DM_NOWHERE; g++)
        told->granule[g] = table[g].at - reinterpret_cast<uintptr_t>(state->arena.at[rank]);
    free(table);
    return status;
}

/* What rank `at` knows of rank `of`, against what is right. */
static gb_status compare(gb_job *job, unsigned at, unsigned of, const dm_told *found,
                         const dm_told *right)
{
    const dm_state *state = dm_state_of(job);
    if (found->size != right->size)
        return gb_fail(&job->error, GB_WRONG,
                       "rank %u knows of %" PRIu64 " elements on rank %u, which are %" PRIu64, at,
                       found->size, of, right->size);
    for (unsigned g = 0; g < state->granules; g++)
        if (found->granule[g] != right->granule[g])
            return gb_fail(&job->error, GB_WRONG,
                           "rank %u looks for granule %u of rank %u at byte %" PRIu64
                           " of its memory, but it lies at %" PRIu64,
                           at, g, of, found->granule[g], right->granule[g]);
    return GB_OK;
}

/* Each granule lies in the arena, and alone there; and *used, malloc's: elements in each granule of
 * the arena. */
static gb_status lay_out(gb_job *job, unsigned i, const dm_told *right, unsigned **used)
{
    const dm_problem *p = dm_problem_of(job);
    const dm_state *state = dm_state_of(job);
    const uint64_t room = p->granule / 4, granules = state->arena_bytes[i] / p->granule;
    *used = (unsigned *)calloc(granules + 1, sizeof **used);
    if (!*used) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    for (unsigned g = 0; g < state->granules && right->granule[g] != DM_NOWHERE; g++) {
        const uint64_t at = right->granule[g] / p->granule, left = right->size - g * room;
        if (right->granule[g] % p->granule || at >= granules || (*used)[at])
            return gb_fail(&job->error, GB_WRONG,
                           "rank %u: granule %u lies at byte %" PRIu64
                           " of its memory: outside, across granules, or where another one does",
                           p->comm->local[i].rank, g, right->granule[g]);
        (*used)[at] = (unsigned)(left < room ? left : room);
    }
    return GB_OK;
}

/* ---- judging --------------------------------------------------------------------------------- */

/* What is found of a rank is cleared, and its input, and memory that is not in use, are judged. */
static gb_status begin_judging(gb_job *job, unsigned i, const unsigned *used, unsigned *device_used)
{
    const dm_problem *p = dm_problem_of(job);
    const dm_state *state = dm_state_of(job);
    const gb_rank *rank = &p->comm->local[i];
    const dm_rank *own = &p->ranks[i];
    dm_findings *found = static_cast<dm_findings *>(p->found[i]);
    gb_status status = gb_comm_enter(p->comm, i, &job->error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpyAsync(device_used, used,
                           (state->arena_bytes[i] / p->granule + 1) * sizeof *used,
                           cudaMemcpyHostToDevice, rank->stream),
           &job->error);
    GB_TRY(cudaMemsetAsync(found, 0xFF, sizeof *found, rank->stream), &job->error);
    GB_TRY(cudaMemsetAsync(p->seen.at[rank->rank], 0, p->shape.kept / 32 * 4 + 4, rank->stream),
           &job->error);
    GB_TRY(launch(dm_judge_input, gb_grid(&rank->device, own->n), dim3(GB_GRID_THREADS), 0,
                  rank->stream, p->values, own->begin, own->n, own->in, found),
           &job->error);
    GB_TRY(launch(dm_judge_beyond, gb_grid(&rank->device, state->arena_bytes[i] / 64),
                  dim3(GB_GRID_THREADS), 0, rank->stream,
                  reinterpret_cast<const uint4 *>(state->arena.at[rank->rank]),
                  state->arena_bytes[i], dm_granule_log2(p), device_used, found),
           &job->error);
    return GB_OK;
}

/* A rank judges what the one behind it has. */
static gb_status judge_next(gb_job *job, unsigned i, const uint64_t *begins)
{
    const dm_problem *p = dm_problem_of(job);
    const gb_rank *rank = &p->comm->local[i];
    const unsigned next = (rank->rank + 1) % p->comm->size;
    gb_status status = gb_comm_enter(p->comm, i, &job->error);
    if (status != GB_OK) return status;
    GB_TRY(launch(dm_judge, gb_grid(&rank->device, begins[next + 1] - begins[next]),
                  dim3(GB_GRID_THREADS), 0, rank->stream,
                  dm_directory_of(p, dm_state_of(job), rank->rank), begins[next], begins[next + 1],
                  p->shape.kept, reinterpret_cast<unsigned *>(p->seen.at[rank->rank]),
                  static_cast<dm_findings *>(p->found[i])),
           &job->error);
    return GB_OK;
}

/* A rank's part of what all have seen. */
static gb_status judge_part(gb_job *job, unsigned i)
{
    const dm_problem *p = dm_problem_of(job);
    const gb_rank *rank = &p->comm->local[i];
    const uint64_t words = (p->shape.kept + 31) / 32,
                   from = gb_share_begin(words, p->comm->size, rank->rank, false),
                   to = gb_share_begin(words, p->comm->size, rank->rank + 1, false);
    gb_status status = gb_comm_enter(p->comm, i, &job->error);
    if (status != GB_OK) return status;
    GB_TRY(launch(dm_judge_seen, gb_grid(&rank->device, to - from), dim3(GB_GRID_THREADS), 0,
                  rank->stream, p->seen, p->comm->size, from, to, p->shape.kept,
                  static_cast<dm_findings *>(p->found[i])),
           &job->error);
    return GB_OK;
}

/* Makes the input of a rank again, which others use as well. */
static __global__ void dm_make_again(da_values values, uint64_t begin, uint64_t n, uint32_t *in)
{
    for (uint64_t i = gb_first(); i < n; i += gb_stride())
        in[i] = da_value(&values, begin + i);
}

static gb_status restore_input(gb_job *job, unsigned i)
{
    const dm_problem *p = dm_problem_of(job);
    const gb_rank *rank = &p->comm->local[i];
    const dm_rank *own = &p->ranks[i];
    const gb_status status = gb_comm_enter(p->comm, i, &job->error);
    if (status != GB_OK) return status;
    GB_TRY(launch(dm_make_again, gb_grid(&rank->device, own->n), dim3(GB_GRID_THREADS), 0,
                  rank->stream, p->values, own->begin, own->n, own->in),
           &job->error);
    GB_TRY(cudaStreamSynchronize(rank->stream), &job->error);
    return GB_OK;
}

static gb_status verdict(gb_job *job, unsigned i)
{
    const dm_problem *p = dm_problem_of(job);
    const unsigned rank = p->comm->local[i].rank, next = (rank + 1) % p->comm->size;
    dm_findings found;
    gb_status status = fetch(&found, p->found[i], sizeof found, &job->error);
    if (status != GB_OK) return status;
    if (found.input != NOWHERE) {
        status = restore_input(job, i);
        return status != GB_OK ? status
                               : gb_fail(&job->error, GB_WRONG,
                                         "element %llu of the input of rank %u was overwritten",
                                         found.input, rank);
    }
    if (found.foreign != NOWHERE)
        return gb_fail(&job->error, GB_WRONG,
                       "element %llu of all, on rank %u, is none that was pushed", found.foreign,
                       next);
    if (found.twice != NOWHERE)
        return gb_fail(&job->error, GB_WRONG, "element %llu of all is on rank %u a second time",
                       found.twice, next);
    if (found.shared != NOWHERE)
        return gb_fail(&job->error, GB_WRONG, "value %llu was pushed by two ranks", found.shared);
    if (found.missing != NOWHERE)
        return gb_fail(&job->error, GB_WRONG, "value %llu is on no rank", found.missing);
    if (found.beyond != NOWHERE)
        return gb_fail(
            &job->error, GB_WRONG,
            "rank %u: word %llu of the memory of its array was written, where no element "
            "is",
            rank, found.beyond);
    return GB_OK;
}

/* What the host needs to judge: of each rank. */
typedef struct dm_right {
    dm_told *told[GB_MOST_RANKS]; /* of local rank i */
    unsigned *used[GB_MOST_RANKS];
    void *device_used[GB_MOST_RANKS];
    uint64_t begins[GB_MOST_RANKS + 1];
} dm_right;

/* The directory that local rank i has against what each local rank has; its begins against the
 * sums, which it says itself of ranks of other processes. */
static gb_status check_directory(gb_job *job, unsigned i, dm_right *right)
{
    const dm_problem *p = dm_problem_of(job);
    const dm_state *state = dm_state_of(job);
    const gb_comm *comm = p->comm;
    const uint64_t bytes =
        state->stride * comm->size + sizeof(uint64_t) * ((uint64_t)comm->size + 1);
    unsigned char *here = (unsigned char *)malloc(bytes);
    if (!here) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    const unsigned rank = comm->local[i].rank;
    gb_status status = fetch(here, state->told.at[rank], bytes, &job->error);
    const uint64_t *begins = reinterpret_cast<const uint64_t *>(here + state->stride * comm->size);
    for (unsigned k = 0; k < comm->locals && status == GB_OK; k++) {
        const unsigned of = comm->local[k].rank;
        status = compare(job, rank, of, reinterpret_cast<dm_told *>(here + of * state->stride),
                         right->told[k]);
    }
    right->begins[0] = 0;
    for (unsigned r = 0; r < comm->size; r++)
        right->begins[r + 1] =
            right->begins[r] + reinterpret_cast<dm_told *>(here + r * state->stride)->size;
    for (unsigned r = 0; r <= comm->size && status == GB_OK; r++)
        if (begins[r] != right->begins[r])
            status = gb_fail(&job->error, GB_WRONG,
                             "rank %u: elements of rank %u begin with number %" PRIu64
                             ", but so many lie before: %" PRIu64,
                             rank, r, begins[r], right->begins[r]);
    if (status == GB_OK && right->begins[comm->size] != p->shape.kept)
        status = gb_fail(&job->error, GB_WRONG,
                         "rank %u knows of %" PRIu64 " elements in all, of which %" PRIu64
                         " were pushed",
                         rank, right->begins[comm->size], p->shape.kept);
    free(here);
    return status;
}

static gb_status judge(gb_job *job, dm_right *right)
{
    const dm_problem *p = dm_problem_of(job);
    gb_comm *comm = p->comm;
    gb_status status = GB_OK;
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = right_of(job, i, &right->told[i]);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = check_directory(job, i, right);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++) {
        const uint64_t granules = dm_state_of(job)->arena_bytes[i] / p->granule;
        /* freed by dm_check: NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
        status = lay_out(job, i, right->told[i], &right->used[i]);
        if (status == GB_OK)
            status = gb_comm_malloc(comm, i, &right->device_used[i],
                                    (granules + 1) * sizeof(unsigned), "the checker", &job->error);
        if (status == GB_OK)
            status = begin_judging(job, i, right->used[i],
                                   static_cast<unsigned *>(right->device_used[i]));
    }
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = judge_next(job, i, right->begins);
    if (status == GB_OK) status = gb_comm_barrier(comm, &job->error);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = judge_part(job, i);
    if (status == GB_OK) status = gb_comm_wait(comm, &job->error);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = verdict(job, i);
    return status;
}

/* A run that leaves no directory, on one GPU, gets it here. */
static gb_status see_to_directory(gb_job *job, gb_stream stream)
{
    gb_comm *comm = dm_state_of(job)->comm;
    if (job->variant != &dm_single) return GB_OK;
    gb_status status = gb_comm_fork(comm, stream, &job->error);
    if (status == GB_OK) status = dm_queue_directory(job, DM_BY_WINDOWS);
    return gb_comm_end(comm, stream, status, &job->error);
}

gb_status dm_check(gb_job *job, gb_stream stream)
{
    const dm_problem *p = dm_problem_of(job);
    dm_right right = {};
    gb_error ignored;
    gb_status status = see_to_directory(job, stream);
    if (status == GB_OK)
        status = gb_cuda_status(cudaStreamSynchronize(gb_cuda_stream(stream)), "waiting for a run",
                                &job->error);
    if (status == GB_OK) status = judge(job, &right);
    if (status != GB_OK) (void)gb_comm_wait(p->comm, &ignored);
    for (unsigned i = 0; i < p->comm->locals; i++) {
        free(right.told[i]);
        free(right.used[i]);
        gb_comm_free(p->comm, i, right.device_used[i]);
    }
    const gb_status back = gb_comm_enter(p->comm, 0, status == GB_OK ? &job->error : &ignored);
    return status == GB_OK ? back : status;
}
