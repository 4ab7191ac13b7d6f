/* Judges an array in full, on the device, wherever it lies: every element that passes the test is
 * found exactly once and nothing else is, what was held is still there, memory beyond the last
 * element is untouched, the pieces of memory are apart from each other and as many as were taken,
 * and where pushes were lost their number is the one that the variant reports. */
#include "common/cuda/grid.cuh"
#include "kernels/dynamic-array/dynamic_array.h"

#include <inttypes.h>
#include <stdlib.h>

static const unsigned long long NOWHERE = ~0ull;
/* A block judges so many elements of one segment; segments on the host come in such pieces. */
enum { PIECE = 1 << 16 };

/* What the kernels find: indexes of the array, the smallest of each kind. */
typedef struct findings {
    unsigned long long found;   /* different elements */
    unsigned long long foreign; /* holds a value that was never pushed */
    unsigned long long twice;
    unsigned long long held; /* not what was held there before */
    unsigned long long disorder;
    unsigned long long beyond; /* written, past the last element */
    unsigned long long input;  /* changed; an index of the input */
} findings;

/* Elements of one segment from the index `begin` of the array on. */
typedef struct piece {
    const uint32_t *at, *before; /* before: the element at begin - 1, or NULL */
    uint64_t begin, count, room;
} piece;

typedef struct checker {
    uint32_t *seen; /* device: a bit an element that is kept */
    findings *found;
    piece *pieces; /* device */
    size_t piece_capacity;
    uint32_t *stage; /* device: PIECE + 1 elements from host memory */
} checker;

/* ---- kernels --------------------------------------------------------------------------------- */

static __device__ void first_of(unsigned long long *smallest, uint64_t index)
{
    atomicMin(smallest, (unsigned long long)index);
}

static __device__ void judge_element(const da_values &values, uint64_t held, bool ordered,
                                     const piece &p, uint64_t k, const uint32_t *holes,
                                     uint32_t *seen, findings *found, unsigned *mine)
{
    const uint64_t index = p.begin + k;
    if (holes && holes[index / 32] >> index % 32 & 1) return;
    const uint32_t value = p.at[k];
    if (index < held) {
        if (value != da_held_value(&values, index)) first_of(&found->held, index);
        return;
    }
    if (value >= values.kept) {
        first_of(&found->foreign, index);
        return;
    }
    const uint32_t bit = 1u << value % 32;
    if (atomicOr(&seen[value / 32], bit) & bit)
        first_of(&found->twice, index);
    else
        ++*mine;
    if (!ordered || index == held) return;
    const uint32_t left = k ? p.at[k - 1] : p.before ? *p.before : 0;
    if (left < values.kept && (k || p.before) &&
        da_place(&values, left) >= da_place(&values, value))
        first_of(&found->disorder, index);
}

static __global__ void judge(da_values values, uint64_t held, bool ordered, bool poisoned,
                             const piece *pieces, const uint32_t *holes, uint32_t *seen,
                             findings *found)
{
    const piece p = pieces[blockIdx.x];
    const uint32_t poison = DA_POISON * 0x01010101u;
    unsigned mine = 0;
    for (uint64_t k = threadIdx.x; k < p.count; k += blockDim.x)
        judge_element(values, held, ordered, p, k, holes, seen, found, &mine);
    for (uint64_t k = p.count + threadIdx.x; poisoned && k < p.room; k += blockDim.x)
        if (p.at[k] != poison) first_of(&found->beyond, p.begin + k);
    if (mine) atomicAdd(&found->found, (unsigned long long)mine);
}

static __global__ void judge_input(da_values values, const uint32_t *in, findings *found)
{
    for (uint64_t i = gb_first(); i < values.n; i += gb_stride())
        if (in[i] != da_value(&values, i)) first_of(&found->input, i);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static uint64_t seen_bytes(const gb_problem *p)
{
    return p->shape.kept / 32 * 4 + 4;
}

static gb_status checker_of(gb_problem *p, checker **out, gb_error *error)
{
    if (!p->checker) p->checker = calloc(1, sizeof(checker));
    checker *c = *out = static_cast<checker *>(p->checker);
    if (!c) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the checker");
    gb_status status = GB_OK;
    if (!c->seen) status = gb_cuda_malloc((void **)&c->seen, seen_bytes(p), "the checker", error);
    if (status == GB_OK && !c->found)
        status = gb_cuda_malloc((void **)&c->found, sizeof *c->found, "the checker", error);
    return status;
}

void da_checker_close(gb_problem *problem)
{
    checker *c = static_cast<checker *>(problem->checker);
    if (!c) return;
    (void)cudaFree(c->seen);
    (void)cudaFree(c->found);
    (void)cudaFree(c->pieces);
    (void)cudaFree(c->stage);
    free(c);
    problem->checker = NULL;
}

/* ---- the layout, on the host ----------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
    const da_segment *left = (const da_segment *)a, *right = (const da_segment *)b;
    return left->at < right->at ? -1 : left->at > right->at;
}

static gb_status check_apart(gb_job *job, const da_view *view)
{
    da_segment *sorted = (da_segment *)malloc((view->count + 1) * sizeof *sorted);
    if (!sorted) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    size_t count = 0;
    for (size_t i = 0; i < view->count; i++)
        if (view->segments[i].at && view->segments[i].room) sorted[count++] = view->segments[i];
    qsort(sorted, count, sizeof *sorted, by_address);
    const uint32_t *arena = static_cast<const uint32_t *>(view->arena);
    const uint32_t *arena_end = arena ? arena + view->arena_bytes / 4 : NULL;
    gb_status status = GB_OK;
    for (size_t i = 0; i < count && status == GB_OK; i++) {
        const da_segment *s = &sorted[i];
        if (i + 1 < count && s->at + s->room > sorted[i + 1].at)
            status =
                gb_fail(&job->error, GB_WRONG,
                        "the memory of elements %" PRIu64 " on and that of %" PRIu64 " on overlap",
                        s->begin, sorted[i + 1].begin);
        else if (arena && (s->at < arena || s->at + s->room > arena_end))
            status =
                gb_fail(&job->error, GB_WRONG,
                        "the memory of elements %" PRIu64 " on lies outside the arena", s->begin);
    }
    free(sorted);
    return status;
}

static gb_status check_layout(gb_job *job, const da_view *view)
{
    const da_shape *shape = &job->problem->shape;
    uint64_t next = 0;
    if (view->size != shape->held + shape->kept)
        return gb_fail(&job->error, GB_WRONG,
                       "the array says it holds %" PRIu64 " elements, not %" PRIu64, view->size,
                       shape->held + shape->kept);
    for (size_t i = 0; i < view->count; i++) {
        const da_segment *s = &view->segments[i];
        if ((s->count ? s->begin != next : s->begin < next) || s->count > s->room)
            return gb_fail(&job->error, GB_WRONG,
                           "piece %zu of the array begins with element %" PRIu64 ", not %" PRIu64
                           ", and holds %" PRIu64 " with room for %" PRIu64,
                           i, s->begin, next, s->count, s->room);
        next += s->count;
    }
    if (next != view->size)
        return gb_fail(&job->error, GB_WRONG,
                       "the pieces hold %" PRIu64 " elements of %" PRIu64 " in the array", next,
                       view->size);
    if (view->allocations != view->buckets)
        return gb_fail(&job->error, GB_WRONG,
                       "%" PRIu64 " pieces of memory were taken, %" PRIu64 " are in use",
                       view->allocations, view->buckets);
    return check_apart(job, view);
}

/* ---- judging --------------------------------------------------------------------------------- */

static gb_status judge_pieces(gb_job *job, const checker *c, const da_view *view, size_t count)
{
    const gb_problem *p = job->problem;
    GB_TRY(launch(judge, dim3((unsigned)count), dim3(GB_GRID_THREADS), 0, 0, p->values,
                  p->shape.held, (job->variant->flags & GB_STABLE) != 0, view->poisoned, c->pieces,
                  view->holes, c->seen, c->found),
           &job->error);
    GB_TRY(cudaDeviceSynchronize(), &job->error);
    return GB_OK;
}

/* Cuts the segments; *pieces is malloc's. */
static gb_status cut(const da_view *view, piece **pieces, size_t *count, gb_error *error)
{
    size_t most = view->count;
    for (size_t i = 0; i < view->count; i++)
        most += view->segments[i].room / PIECE + 1;
    *count = 0;
    *pieces = (piece *)malloc((most + 1) * sizeof **pieces);
    if (!*pieces) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to check");
    const uint32_t *last = NULL;
    for (size_t i = 0; i < view->count; i++) {
        const da_segment *s = &view->segments[i];
        for (uint64_t from = 0; s->at && from < s->room; from += PIECE) {
            const uint64_t room = s->room - from < PIECE ? s->room - from : (uint64_t)PIECE;
            const uint64_t left = s->count > from ? s->count - from : 0;
            (*pieces)[(*count)++] = {s->at + from, last, s->begin + from, left < room ? left : room,
                                     room};
            if (left) last = s->at + from + (left < room ? left : room) - 1;
        }
        if (!s->at && s->count) last = NULL;
    }
    return GB_OK;
}

static gb_status judge_on_device(gb_job *job, checker *c, const da_view *view, const piece *pieces,
                                 size_t count)
{
    if (count > c->piece_capacity) {
        (void)cudaFree(c->pieces);
        c->pieces = NULL;
        c->piece_capacity = 0;
        GB_TRY(cudaMalloc(&c->pieces, count * sizeof *pieces), &job->error);
        c->piece_capacity = count;
    }
    GB_TRY(cudaMemcpy(c->pieces, pieces, count * sizeof *pieces, cudaMemcpyHostToDevice),
           &job->error);
    return judge_pieces(job, c, view, count);
}

/* One piece after the other, its predecessor before it. */
static gb_status judge_from_host(gb_job *job, checker *c, const da_view *view, const piece *pieces,
                                 size_t count)
{
    if (!c->stage) GB_TRY(cudaMalloc(&c->stage, (PIECE + 1) * 4), &job->error);
    gb_status status = GB_OK;
    for (size_t i = 0; i < count && status == GB_OK; i++) {
        piece p = pieces[i];
        GB_TRY(cudaMemcpy(c->stage + 1, p.at, p.room * 4, cudaMemcpyHostToDevice), &job->error);
        if (p.before)
            GB_TRY(cudaMemcpy(c->stage, p.before, 4, cudaMemcpyHostToDevice), &job->error);
        p.at = c->stage + 1;
        if (p.before) p.before = c->stage;
        status = judge_on_device(job, c, view, &p, 1);
    }
    return status;
}

static gb_status look(gb_job *job, checker *c, const da_view *view, findings *found)
{
    const gb_problem *p = job->problem;
    const findings nothing = {0, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE};
    piece *pieces = NULL;
    size_t count = 0;
    GB_TRY(cudaMemcpy(c->found, &nothing, sizeof nothing, cudaMemcpyHostToDevice), &job->error);
    GB_TRY(cudaMemset(c->seen, 0, seen_bytes(p)), &job->error);
    GB_TRY(launch(judge_input, gb_grid(p->device, p->shape.n), dim3(GB_GRID_THREADS), 0, 0,
                  p->values, p->in, c->found),
           &job->error);
    gb_status status = cut(view, &pieces, &count, &job->error);
    if (status == GB_OK && count)
        status = view->on_host ? judge_from_host(job, c, view, pieces, count)
                               : judge_on_device(job, c, view, pieces, count);
    free(pieces);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpy(found, c->found, sizeof *found, cudaMemcpyDeviceToHost), &job->error);
    return GB_OK;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static gb_status verdict(gb_job *job, const da_view *view, const findings *found)
{
    const uint64_t kept = job->problem->shape.kept, missing = kept - found->found;
    const struct {
        unsigned long long at;
        const char *what;
    } defects[] = {{found->input, "element %llu of the input was overwritten"},
                   {found->held, "element %llu was in the array before and has changed"},
                   {found->twice, "element %llu is in the array a second time"},
                   {found->foreign, "element %llu is none that was pushed"},
                   {found->beyond, "place %llu was written, which is beyond the last element"}};
    if (view->lost && !view->holes)
        return gb_fail(&job->error, GB_WRONG,
                       "%" PRIu64 " of %" PRIu64 " pushes have no memory yet", view->lost, kept);
    for (size_t i = 0; i < sizeof defects / sizeof *defects; i++)
        if (defects[i].at != NOWHERE)
            /* the format is one of the five above: NOLINTNEXTLINE(clang-diagnostic-format-*) */
            return gb_fail(&job->error, GB_WRONG, defects[i].what, defects[i].at);
    if (missing != view->lost)
        return gb_fail(&job->error, GB_WRONG,
                       "%" PRIu64 " of %" PRIu64 " elements are missing, but %" PRIu64
                       " failures were reported",
                       missing, kept, view->lost);
    if (missing)
        return gb_fail(&job->error, GB_WRONG,
                       "%" PRIu64 " of %" PRIu64
                       " pushes were lost, as reported: there was no memory for them",
                       missing, kept);
    if (found->disorder != NOWHERE)
        return gb_fail(&job->error, GB_WRONG,
                       "element %llu comes before its predecessor in the input", found->disorder);
    return GB_OK;
}

gb_status da_check(gb_job *job, gb_stream stream)
{
    const da_state *state = static_cast<const da_state *>(job->state);
    checker *c;
    findings found = {};
    da_view view = {};
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    gb_status status = checker_of(job->problem, &c, &job->error);
    if (status == GB_OK) status = state->view(job, &view);
    if (status == GB_OK) status = check_layout(job, &view);
    if (status == GB_OK) status = look(job, c, &view, &found);
    if (status == GB_OK) status = verdict(job, &view, &found);
    free(view.segments);
    return status;
}
