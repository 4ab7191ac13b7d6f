/* Judges a run in full, on the device, wherever its arrays lie: every element of the input, every
 * ghost and all padding of the fields bit for bit, and every cell of the result against a truth
 * that is accumulated in double. Up to ST_EXACT_LIMIT cells the truth itself must be the CPU
 * oracle's, bit for bit (reference.cuh has the tolerance). */
#include "kernels/stencil/problem.h"
#include "kernels/stencil/reference.cuh"

#include <stdio.h>
#include <stdlib.h>

typedef struct findings {
    st_defects fixed; /* of ghosts and padding */
    st_defects cells;
} findings;

/* What the cells of an array are held to. */
typedef enum expected { ANYTHING, THE_INPUT, THE_TRUTH } expected;

typedef struct checker {
    findings *found;      /* device: one */
    float *truth, *stage; /* device: st_layout.total floats; NULL until they are needed */
    bool truth_is_made;
} checker;

static checker *checker_of(const gb_problem *problem)
{
    return static_cast<checker *>(problem->checker);
}

static uint64_t bytes_of(const gb_problem *problem)
{
    return (uint64_t)problem->layout.total * sizeof(float);
}

static uint64_t cells_of(const st_shape *shape)
{
    return (uint64_t)shape->x * (uint64_t)shape->y * (uint64_t)shape->z;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static __global__ void judge(st_shape shape, st_layout layout, uint64_t seed, const float *array,
                             expected cells, const float *truth, double tolerance, findings *found)
{
    for (uint64_t i = gb_first(); i < (uint64_t)layout.total; i += gb_stride()) {
        const st_place place = st_place_of(&shape, &layout, (int64_t)i);
        if (place.kind != ST_CELL) {
            if (st_bits_of(array[i]) != st_initial_bits(seed, &place)) st_note(&found->fixed, i);
        } else if (cells == THE_INPUT) {
            if (st_bits_of(array[i]) != st_initial_bits(seed, &place)) st_note(&found->cells, i);
        } else if (cells == THE_TRUTH) {
            const double off = (double)array[i] - (double)truth[i];
            if (!(off <= tolerance && off >= -tolerance))
                st_note(&found->cells, i); /* NaN: neither */
        }
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

gb_status st_checker_open(gb_problem *problem, gb_error *error)
{
    checker *made = (checker *)calloc(1, sizeof *made);
    if (!made) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the checker");
    problem->checker = made;
    GB_TRY(cudaMalloc(&made->found, sizeof *made->found), error);
    return GB_OK;
}

void st_checker_close(gb_problem *problem)
{
    checker *made = checker_of(problem);
    if (!made) return;
    (void)cudaFree(made->found);
    (void)cudaFree(made->truth);
    (void)cudaFree(made->stage);
    free(made);
    problem->checker = NULL;
}

uint64_t st_checker_bytes(const gb_problem *problem)
{
    return 2 * bytes_of(problem);
}

static gb_status make(const gb_problem *problem, float **array, gb_error *error)
{
    void *memory = *array;
    if (memory) return GB_OK;
    gb_status status =
        gb_cuda_malloc(&memory, bytes_of(problem), "what the result is checked with", error);
    *array = static_cast<float *>(memory);
    return status;
}

gb_status st_stage(gb_problem *problem, float **stage, gb_error *error)
{
    gb_status status = make(problem, &checker_of(problem)->stage, error);
    *stage = checker_of(problem)->stage;
    return status;
}

/* ---- the truth ------------------------------------------------------------------------------- */

/* From the input as the generator defines it to after `steps` steps: on the CPU. */
static void oracle_steps(const gb_problem *p, float *now, float *next)
{
    for (int64_t i = 0; i < p->layout.total; i++) {
        const st_place place = st_place_of(&p->shape, &p->layout, i);
        const uint32_t bits = st_initial_bits(p->seed, &place);
        memcpy(&now[i], &bits, sizeof bits);
        memcpy(&next[i], &bits, sizeof bits);
    }
    for (unsigned s = 0; s < p->shape.steps; s++) {
        st_oracle_step(&p->shape, &p->weights, now, next);
        float *other = now;
        now = next;
        next = other;
    }
}

static gb_status compare_with_oracle(const gb_problem *p, gb_error *error)
{
    const uint64_t bytes = bytes_of(p);
    char *memory = (char *)malloc(3 * bytes);
    if (!memory) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the oracle");
    float *const half[2] = {(float *)memory, (float *)(memory + bytes)};
    oracle_steps(p, half[0], half[1]);
    float *const found = (float *)(memory + 2 * bytes), *const right = half[p->shape.steps % 2];
    gb_status status =
        gb_cuda_status(cudaMemcpy(found, checker_of(p)->truth, bytes, cudaMemcpyDeviceToHost),
                       "reading the truth", error);
    for (int64_t i = 0; status == GB_OK && i < p->layout.total; i++)
        if (st_bits_of(found[i]) != st_bits_of(right[i]))
            status = gb_fail(error, GB_CRASHED,
                             "after %u steps of the reference, element %lld is %.9g on the device "
                             "and %.9g on the CPU: the device miscomputes, or was miscompiled for",
                             p->shape.steps, (long long)i, (double)found[i], (double)right[i]);
    free(memory);
    return status;
}

static gb_status make_truth(gb_problem *p, gb_stream stream, gb_error *error)
{
    checker *c = checker_of(p);
    if (c->truth_is_made) return GB_OK;
    gb_status status = make(p, &c->truth, error);
    if (status == GB_OK) status = make(p, &c->stage, error);
    if (status == GB_OK) status = st_fill(p, false, c->truth, stream, error);
    if (status == GB_OK) status = st_fill(p, false, c->stage, stream, error);
    if (status != GB_OK) return status;
    float *from = p->shape.steps % 2 ? c->stage : c->truth; /* so that it ends in truth */
    float *to = from == c->truth ? c->stage : c->truth;
    for (unsigned s = 0; s < p->shape.steps; s++) {
        GB_TRY(launch(st_reference_step, gb_grid(p->device, cells_of(&p->shape)),
                      dim3(GB_GRID_THREADS), 0, gb_cuda_stream(stream), p->shape, p->layout,
                      p->weights, from, to),
               error);
        float *other = from;
        from = to;
        to = other;
    }
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), error);
    if (cells_of(&p->shape) <= ST_EXACT_LIMIT) status = compare_with_oracle(p, error);
    c->truth_is_made = status == GB_OK;
    return status;
}

/* ---- looking at an array --------------------------------------------------------------------- */

/* An array of the problem and what it is called. */
typedef struct subject {
    const char *name;
    float *array;
    bool on_host;
    bool poisoned; /* cells are restored to poison, else to the input */
} subject;

static gb_status look_at(const gb_job *job, const subject *subject, expected cells,
                         gb_stream stream, findings *found, gb_error *error)
{
    gb_problem *p = job->problem;
    const checker *c = checker_of(p);
    const findings nothing = {{ST_NO_DEFECT, 0}, {ST_NO_DEFECT, 0}};
    const float *array = subject->array;
    cudaStream_t queue = gb_cuda_stream(stream);
    if (subject->on_host) {
        float *stage = NULL;
        gb_status status = st_stage(p, &stage, error);
        if (status != GB_OK) return status;
        GB_TRY(cudaMemcpyAsync(stage, array, bytes_of(p), cudaMemcpyHostToDevice, queue), error);
        array = stage;
    }
    GB_TRY(cudaMemcpyAsync(c->found, &nothing, sizeof nothing, cudaMemcpyHostToDevice, queue),
           error);
    GB_TRY(launch(judge, gb_grid(p->device, (uint64_t)p->layout.total), dim3(GB_GRID_THREADS), 0,
                  queue, p->shape, p->layout, p->seed, array, cells, c->truth,
                  st_tolerance(&p->shape), c->found),
           error);
    GB_TRY(cudaMemcpyAsync(found, c->found, sizeof *found, cudaMemcpyDeviceToHost, queue), error);
    GB_TRY(cudaStreamSynchronize(queue), error);
    return GB_OK;
}

/* Other variants use the same arrays: what one has spoilt is made again. */
static gb_status restore(const gb_job *job, const subject *subject, gb_stream stream,
                         gb_error *error)
{
    gb_problem *p = job->problem;
    cudaStream_t queue = gb_cuda_stream(stream);
    float *stage = subject->array;
    gb_status status = subject->on_host ? st_stage(p, &stage, error) : GB_OK;
    if (status == GB_OK) status = st_fill(p, subject->poisoned, stage, stream, error);
    if (status != GB_OK) return status;
    if (subject->on_host)
        GB_TRY(cudaMemcpyAsync(subject->array, stage, bytes_of(p), cudaMemcpyDeviceToHost, queue),
               error);
    GB_TRY(cudaStreamSynchronize(queue), error);
    return GB_OK;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* "cell (3, 0, 1)", "ghost (-1, 0, 1)" or "element 17, which is padding,". */
static const char *say_place(const gb_problem *p, uint64_t element, char text[96])
{
    const st_place place = st_place_of(&p->shape, &p->layout, (int64_t)element);
    if (place.kind == ST_PADDING)
        (void)snprintf(text, 96, "element %llu, which is padding,", (unsigned long long)element);
    else
        (void)snprintf(text, 96, "%s (%d, %d, %d)", place.kind == ST_CELL ? "cell" : "ghost",
                       place.x, place.y, place.z);
    return text;
}

static gb_status read_element(const float *array, uint64_t element, float *value, gb_error *error)
{
    GB_TRY(cudaMemcpy(value, array + element, sizeof *value, cudaMemcpyDefault), error);
    return GB_OK;
}

/* Something was written that nobody may write. */
static gb_status report_written(gb_job *job, const subject *subject, const st_defects *defects,
                                gb_stream stream)
{
    const gb_problem *p = job->problem;
    char where[96];
    float found = 0, right;
    const st_place place = st_place_of(&p->shape, &p->layout, (int64_t)defects->first);
    const uint32_t bits = st_initial_bits(p->seed, &place);
    memcpy(&right, &bits, sizeof right);
    gb_status status = read_element(subject->array, defects->first, &found, &job->error);
    if (status == GB_OK && subject->array != p->locked_result)
        status = restore(job, subject, stream, &job->error);
    if (status != GB_OK) return status;
    return gb_fail(&job->error, GB_WRONG,
                   "%s wrote where nobody may: in %s %s is %.9g (0x%08x), not %.9g (0x%08x), the "
                   "first of %llu",
                   job->variant->name, subject->name, say_place(p, defects->first, where),
                   (double)found, st_bits_of(found), (double)right, bits, defects->count);
}

static gb_status report_cell(gb_job *job, const subject *subject, const st_defects *defects,
                             expected cells)
{
    const gb_problem *p = job->problem;
    char where[96];
    float found = 0, right = 0;
    const st_place place = st_place_of(&p->shape, &p->layout, (int64_t)defects->first);
    gb_status status = read_element(subject->array, defects->first, &found, &job->error);
    if (status == GB_OK && cells == THE_TRUTH)
        status = read_element(checker_of(p)->truth, defects->first, &right, &job->error);
    if (status != GB_OK) return status;
    if (cells == THE_INPUT) right = st_input(p->seed, place.x, place.y, place.z);
    (void)say_place(p, defects->first, where);
    if (st_bits_of(found) == st_poison_bits)
        return gb_fail(&job->error, GB_WRONG, "%s is not written, the first of %llu wrong cells",
                       where, defects->count);
    return gb_fail(&job->error, GB_WRONG,
                   "%s is %.9g, not %.9g (tolerance %.3g), the first of %llu wrong cells", where,
                   (double)found, (double)right, cells == THE_TRUTH ? st_tolerance(&p->shape) : 0.0,
                   defects->count);
}

static gb_status check_subject(gb_job *job, const subject *subject, expected cells,
                               gb_stream stream)
{
    findings found = {};
    if (!subject->array)
        return gb_fail(&job->error, GB_CRASHED, "%s has no data: its prepare asks for none",
                       job->variant->name);
    gb_status status = look_at(job, subject, cells, stream, &found, &job->error);
    if (status != GB_OK) return status;
    if (found.fixed.count) return report_written(job, subject, &found.fixed, stream);
    if (found.cells.count == 0) return GB_OK;
    if (!subject->poisoned) return report_written(job, subject, &found.cells, stream);
    return report_cell(job, subject, &found.cells, cells);
}

gb_status st_check(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    const bool host = (job->variant->flags & GB_HOST) != 0, locked = st_result_is_locked(job);
    const expected cells = st_copies(job->variant) ? THE_INPUT : THE_TRUTH;
    const unsigned result = st_result(&p->shape);
    float *const *field = host ? p->host_field : p->field;
    const subject input = {"the input", host ? p->host_input : p->input, host, false};
    const subject fields[2] = {{"field 0", field[0], host, true},
                               {"field 1", field[1], host, true}};
    const subject downloaded = {"the downloaded result", p->locked_result, true, true};
    gb_status status = cells == THE_TRUTH ? make_truth(p, stream, &job->error) : GB_OK;
    if (status == GB_OK) status = check_subject(job, &input, THE_INPUT, stream);
    for (unsigned f = 0; status == GB_OK && f < 2; f++)
        status = check_subject(job, &fields[f], f == result && !locked ? cells : ANYTHING, stream);
    if (status == GB_OK && locked) status = check_subject(job, &downloaded, cells, stream);
    return status;
}
