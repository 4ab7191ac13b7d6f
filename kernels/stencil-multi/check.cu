/* Judges a run in full, each rank's arrays on its own device: every element of the input, boundary
 * and padding of the fields bit for bit, and every own cell of the result against a truth that is
 * accumulated in double (kernels/stencil/reference.cuh). Copies of a neighbour's cells may hold
 * anything.
 *
 * A rank's truth needs nobody else: it is made of its slab and radius * steps planes around it, as
 * far as there are any, from the input that the seed and the coordinates define. In each step a
 * further `radius` planes at the outer ends go wrong, none of its own. Up to ST_EXACT_LIMIT cells
 * in all it must be what the CPU's oracle makes of the whole box, bit for bit. */
#include "kernels/stencil-multi/problem.h"

#include "common/cuda/grid.cuh"
#include "kernels/stencil/reference.cuh"

#include <new>
#include <stdio.h>
#include <stdlib.h>

/* What is looked at of each rank. */
enum { INPUT, FIELD_0, FIELD_1, SUBJECTS };
static const char *const subject_names[SUBJECTS] = {"the input", "field 0", "field 1"};

typedef struct findings {
    st_defects fixed; /* of boundary and padding */
    st_defects cells;
} findings;

/* What the cells of an array are held to. */
typedef enum expected { ANYTHING, THE_INPUT, THE_TRUTH } expected;

/* Of a local rank. */
typedef struct judge_part {
    stm_slab wide;        /* the slab with radius * steps planes around it */
    float *truth, *stage; /* device: wide.layout.total floats */
    findings *found;      /* device: SUBJECTS */
    findings seen[SUBJECTS];
} judge_part;

struct stm_checker {
    bool truth_is_made;
    judge_part part[GB_MOST_RANKS];
};

/* ---- kernels --------------------------------------------------------------------------------- */

static __global__ void judge(stm_slab slab, uint64_t seed, const float *array, expected cells,
                             stm_slab wide, const float *truth, double tolerance, findings *found)
{
    /* from an own cell to its place in the truth */
    const int64_t shift =
        wide.layout.origin - slab.layout.origin + (slab.first - wide.first) * slab.layout.plane;
    for (uint64_t i = gb_first(); i < (uint64_t)slab.layout.total; i += gb_stride()) {
        const stm_place place = stm_place_of(&slab, (int64_t)i);
        if (place.kind == STM_BOUNDARY || place.kind == STM_PADDING) {
            if (st_bits_of(array[i]) != stm_initial_bits(seed, &place)) st_note(&found->fixed, i);
        } else if (cells == THE_INPUT) {
            if (st_bits_of(array[i]) != stm_initial_bits(seed, &place)) st_note(&found->cells, i);
        } else if (cells == THE_TRUTH && place.kind == STM_OWN) {
            const double off = (double)array[i] - (double)truth[(int64_t)i + shift];
            if (!(off <= tolerance && off >= -tolerance))
                st_note(&found->cells, i); /* NaN: neither */
        }
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

void stm_checker_close(stm_problem *p)
{
    if (!p->checker) return;
    for (unsigned i = 0; i < p->comm->locals; i++) {
        judge_part *part = &p->checker->part[i];
        gb_comm_free(p->comm, i, part->truth);
        gb_comm_free(p->comm, i, part->stage);
        gb_comm_free(p->comm, i, part->found);
    }
    delete p->checker;
    p->checker = NULL;
}

/* The slab with what its own cells depend on after all steps. */
static stm_slab widen(const stm_problem *p, const stm_slab *slab)
{
    const int64_t reach = (int64_t)p->whole.radius * p->whole.steps;
    const int64_t end = slab->first + slab->shape.z + reach;
    const int first = slab->first > reach ? slab->first - (int)reach : 0;
    return stm_slab_of(&p->whole, first, end < p->whole.z ? (int)end : p->whole.z, p->whole.radius);
}

static gb_status make_memory(stm_problem *p, gb_error *error)
{
    gb_status status = GB_OK;
    if (p->checker) return GB_OK;
    p->checker = new (std::nothrow) stm_checker();
    if (!p->checker) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the checker");
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        judge_part *part = &p->checker->part[i];
        part->wide = widen(p, &p->part[i].slab);
        const uint64_t bytes = (uint64_t)part->wide.layout.total * sizeof(float);
        const char *what = "what the result is checked with";
        void *truth = NULL, *stage = NULL, *found = NULL;
        status = gb_comm_malloc(p->comm, i, &truth, bytes, what, error);
        if (status == GB_OK) status = gb_comm_malloc(p->comm, i, &stage, bytes, what, error);
        if (status == GB_OK)
            status = gb_comm_malloc(p->comm, i, &found, SUBJECTS * sizeof(findings), what, error);
        part->truth = static_cast<float *>(truth);
        part->stage = static_cast<float *>(stage);
        part->found = static_cast<findings *>(found);
    }
    if (status != GB_OK) stm_checker_close(p);
    return status;
}

/* ---- the truth ------------------------------------------------------------------------------- */

/* Whole box, on the CPU; element e of both arrays is that of the slab `all`. */
static void oracle_steps(const stm_problem *p, const stm_slab *all, float *now, float *next)
{
    for (int64_t e = 0; e < all->layout.total; e++) {
        const stm_place place = stm_place_of(all, e);
        const uint32_t bits = stm_initial_bits(p->seed, &place);
        memcpy(&now[e], &bits, sizeof bits);
        memcpy(&next[e], &bits, sizeof bits);
    }
    for (unsigned s = 0; s < p->whole.steps; s++) {
        st_oracle_step(&p->whole, &p->weights, now, next);
        float *other = now;
        now = next;
        next = other;
    }
}

/* Own planes of the i-th local rank's truth; right: the oracle's whole box. */
static gb_status compare_part(const stm_problem *p, unsigned i, const stm_slab *all,
                              const float *right, gb_error *error)
{
    const judge_part *part = &p->checker->part[i];
    const stm_slab *slab = &p->part[i].slab, *wide = &part->wide;
    const size_t count = (size_t)wide->layout.total;
    float *found = (float *)malloc(count * sizeof *found);
    if (!found) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the oracle");
    gb_status status = gb_comm_enter(p->comm, i, error);
    if (status == GB_OK)
        status = gb_cuda_status(
            cudaMemcpy(found, part->truth, count * sizeof *found, cudaMemcpyDeviceToHost),
            "reading the truth", error);
    const int64_t shift =
        all->layout.origin - wide->layout.origin + wide->first * wide->layout.plane;
    for (int64_t e = 0; status == GB_OK && e < wide->layout.total; e++) {
        const stm_place place = stm_place_of(wide, e);
        if (place.kind != STM_OWN || place.z < slab->first ||
            place.z >= slab->first + slab->shape.z ||
            st_bits_of(found[e]) == st_bits_of(right[e + shift]))
            continue;
        status = gb_fail(error, GB_CRASHED,
                         "after %u steps of the reference, cell (%d, %d, %d) is %.9g on the device "
                         "of rank %u and %.9g on the CPU: the device miscomputes, or was "
                         "miscompiled for",
                         p->whole.steps, place.x, place.y, place.z, (double)found[e],
                         p->comm->local[i].rank, (double)right[e + shift]);
    }
    free(found);
    return status;
}

static gb_status compare_with_oracle(const stm_problem *p, gb_error *error)
{
    const stm_slab all = stm_slab_of(&p->whole, 0, p->whole.z, p->whole.radius);
    const size_t count = (size_t)all.layout.total;
    float *memory = (float *)malloc(2 * count * sizeof *memory);
    if (!memory) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the oracle");
    float *const half[2] = {memory, memory + count};
    oracle_steps(p, &all, half[0], half[1]);
    gb_status status = GB_OK;
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++)
        status = compare_part(p, i, &all, half[p->whole.steps % 2], error);
    free(memory);
    return status == GB_OK ? gb_comm_enter(p->comm, 0, error) : status;
}

/* Queues the steps of the i-th local rank. */
static gb_status make_truth_part(const stm_problem *p, unsigned i, gb_error *error)
{
    const judge_part *part = &p->checker->part[i];
    const stm_slab *wide = &part->wide;
    const gb_rank *rank = &p->comm->local[i];
    gb_status status = gb_comm_enter(p->comm, i, error);
    for (float *array : {part->truth, part->stage})
        if (status == GB_OK)
            status = stm_fill(&rank->device, wide, p->seed, false, array, rank->stream, error);
    if (status != GB_OK) return status;
    const uint64_t cells =
        (uint64_t)wide->shape.x * (uint64_t)wide->shape.y * (uint64_t)wide->shape.z;
    float *from = p->whole.steps % 2 ? part->stage : part->truth; /* so that it ends in truth */
    float *to = from == part->truth ? part->stage : part->truth;
    for (unsigned s = 0; s < p->whole.steps; s++) {
        GB_TRY(launch(st_reference_step, gb_grid(&rank->device, cells), dim3(GB_GRID_THREADS), 0,
                      rank->stream, wide->shape, wide->layout, p->weights, from, to),
               error);
        float *other = from;
        from = to;
        to = other;
    }
    return GB_OK;
}

static gb_status make_truth(stm_problem *p, gb_stream stream, gb_error *error)
{
    gb_status status = make_memory(p, error);
    if (status != GB_OK || p->checker->truth_is_made) return status;
    status = gb_comm_fork(p->comm, stream, error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++)
        status = make_truth_part(p, i, error);
    status = gb_comm_end(p->comm, stream, status, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), error);
    const uint64_t cells = (uint64_t)p->whole.x * (uint64_t)p->whole.y * (uint64_t)p->whole.z;
    if (cells <= ST_EXACT_LIMIT) status = compare_with_oracle(p, error);
    p->checker->truth_is_made = status == GB_OK;
    return status;
}

/* ---- looking at the arrays ------------------------------------------------------------------- */

static float *array_of(const stm_part *part, int subject)
{
    return subject == INPUT ? part->box.input : part->box.field[subject - FIELD_0];
}

static expected held_to(const stm_problem *p, int subject)
{
    if (subject == INPUT) return THE_INPUT;
    return st_result(&p->whole) == (unsigned)(subject - FIELD_0) ? THE_TRUTH : ANYTHING;
}

/* Queues the look at all arrays of the i-th local rank. */
static gb_status look_at_part(const stm_problem *p, unsigned i, gb_error *error)
{
    const findings nothing = {{ST_NO_DEFECT, 0}, {ST_NO_DEFECT, 0}};
    const findings clean[SUBJECTS] = {nothing, nothing, nothing};
    judge_part *part = &p->checker->part[i];
    const stm_slab *slab = &p->part[i].slab;
    const gb_rank *rank = &p->comm->local[i];
    const gb_status status = gb_comm_enter(p->comm, i, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpyAsync(part->found, clean, sizeof clean, cudaMemcpyHostToDevice, rank->stream),
           error);
    for (int s = 0; s < SUBJECTS; s++)
        GB_TRY(launch(judge, gb_grid(&rank->device, (uint64_t)slab->layout.total),
                      dim3(GB_GRID_THREADS), 0, rank->stream, *slab, p->seed,
                      array_of(&p->part[i], s), held_to(p, s), part->wide, part->truth,
                      st_tolerance(&p->whole), part->found + s),
               error);
    GB_TRY(cudaMemcpyAsync(part->seen, part->found, sizeof part->seen, cudaMemcpyDeviceToHost,
                           rank->stream),
           error);
    return GB_OK;
}

static gb_status look(const stm_problem *p, gb_stream stream, gb_error *error)
{
    gb_status status = gb_comm_fork(p->comm, stream, error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++)
        status = look_at_part(p, i, error);
    status = gb_comm_end(p->comm, stream, status, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), error);
    return GB_OK;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static gb_status read_element(const float *array, int64_t element, float *value, gb_error *error)
{
    GB_TRY(cudaMemcpy(value, array + element, sizeof *value, cudaMemcpyDeviceToHost), error);
    return GB_OK;
}

/* Something was written that nobody may write. Other variants use the same arrays: what one has
 * spoilt is made again. The device of the rank is the current one. */
static gb_status report_written(gb_job *job, unsigned i, int subject, const st_defects *defects)
{
    const stm_problem *p = stm_problem_of(job->problem);
    const stm_slab *slab = &p->part[i].slab;
    const gb_rank *rank = &p->comm->local[i];
    float *const array = array_of(&p->part[i], subject);
    const stm_place place = stm_place_of(slab, (int64_t)defects->first);
    const uint32_t bits = stm_initial_bits(p->seed, &place);
    char where[96] = "an element of padding";
    float found = 0;
    gb_status status = read_element(array, (int64_t)defects->first, &found, &job->error);
    if (status == GB_OK)
        status = stm_fill(&rank->device, slab, p->seed, subject != INPUT, array, NULL, &job->error);
    if (status != GB_OK) return status;
    GB_TRY(cudaDeviceSynchronize(), &job->error);
    if (place.kind != STM_PADDING)
        (void)snprintf(where, sizeof where, "%s (%d, %d, %d)",
                       place.kind == STM_BOUNDARY ? "ghost" : "cell", place.x, place.y, place.z);
    return gb_fail(&job->error, GB_WRONG,
                   "%s wrote where nobody may: in %s of rank %u %s is 0x%08x, not 0x%08x, the "
                   "first of %llu",
                   job->variant->name, subject_names[subject], rank->rank, where, st_bits_of(found),
                   bits, defects->count);
}

static gb_status report_cell(gb_job *job, unsigned i, int subject, const st_defects *defects)
{
    const stm_problem *p = stm_problem_of(job->problem);
    const stm_slab *slab = &p->part[i].slab, *wide = &p->checker->part[i].wide;
    const stm_place place = stm_place_of(slab, (int64_t)defects->first);
    const int64_t at = wide->layout.origin + (place.z - wide->first) * wide->layout.plane +
                       place.y * wide->layout.pitch + place.x;
    const unsigned rank = p->comm->local[i].rank;
    float found = 0, right = 0;
    gb_status status =
        read_element(array_of(&p->part[i], subject), (int64_t)defects->first, &found, &job->error);
    if (status == GB_OK) status = read_element(p->checker->part[i].truth, at, &right, &job->error);
    if (status != GB_OK) return status;
    if (st_bits_of(found) == st_poison_bits)
        return gb_fail(&job->error, GB_WRONG,
                       "cell (%d, %d, %d), of rank %u, is not written, the first of %llu wrong "
                       "cells of this rank",
                       place.x, place.y, place.z, rank, defects->count);
    return gb_fail(&job->error, GB_WRONG,
                   "cell (%d, %d, %d), of rank %u, is %.9g, not %.9g (tolerance %.3g), the first "
                   "of %llu wrong cells of this rank",
                   place.x, place.y, place.z, rank, (double)found, (double)right,
                   st_tolerance(&p->whole), defects->count);
}

/* Tells the first defect of the i-th local rank; its device is the current one. */
static gb_status judge_part_of(gb_job *job, unsigned i)
{
    const stm_problem *p = stm_problem_of(job->problem);
    for (int s = 0; s < SUBJECTS; s++) {
        const findings *seen = &p->checker->part[i].seen[s];
        if (seen->fixed.count) return report_written(job, i, s, &seen->fixed);
        if (!seen->cells.count) continue;
        return s == INPUT ? report_written(job, i, s, &seen->cells)
                          : report_cell(job, i, s, &seen->cells);
    }
    return GB_OK;
}

gb_status stm_check(gb_job *job, gb_stream stream)
{
    stm_problem *p = stm_problem_of(job->problem);
    gb_job *alone = stm_alone_job(job);
    if (alone) {
        const gb_status status = st_check(alone, stream);
        job->error = alone->error;
        return status;
    }
    gb_status status = make_truth(p, stream, &job->error);
    if (status == GB_OK) status = look(p, stream, &job->error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        status = gb_comm_enter(p->comm, i, &job->error);
        if (status == GB_OK) status = judge_part_of(job, i);
    }
    gb_error ignored;
    (void)gb_comm_enter(p->comm, 0, &ignored);
    return status;
}
