/* The memory of the builds by insertion, and how one is run. */
#include "kernels/octree/insert/insert.cuh"

#include <stdlib.h>

typedef struct insert_state {
    oc_state state;
    oc_insert given;
    oc_insert_plan plan;
    dim3 grid;
    uint64_t bytes;
} insert_state;

/* ---- what a run begins with ------------------------------------------------------------------ */

/* No body has a list, and the root is the only cell and empty. */
static __global__ void begin(oc_insert t)
{
    if (t.only_if && !*t.only_if) return;
    uint4 *lists = reinterpret_cast<uint4 *>(t.next);
    const uint4 empty = make_uint4(OC_EMPTY, OC_EMPTY, OC_EMPTY, OC_EMPTY);
    for (uint64_t k = gb_first(); k < ((uint64_t)t.n + 3) / 4; k += gb_stride())
        lists[k] = empty;
    if (gb_first() < OC_SLOTS) t.slot[gb_first()] = OC_EMPTY;
    if (gb_first() == OC_SLOTS) {
        t.words->cells = 1;
        t.words->trouble = 0;
    }
}

static gb_status build(gb_job *job, void (*kernel)(oc_insert), unsigned long long *tally,
                       cudaStream_t stream)
{
    const insert_state *s = static_cast<const insert_state *>(job->state);
    oc_insert given = s->given;
    given.tally = tally;
    if (s->plan.launches) return s->plan.launches(job, &given, s->grid, stream);
    GB_TRY(launch(begin, gb_grid(job->device, given.n / 4 + 1), dim3(GB_GRID_THREADS), 0, stream,
                  given),
           &job->error);
    GB_TRY(launch_next(kernel, s->grid, dim3(s->plan.threads), 0, stream, given), &job->error);
    return GB_OK;
}

gb_status oc_insert_run(gb_job *job, gb_stream stream)
{
    const insert_state *s = static_cast<const insert_state *>(job->state);
    return build(job, s->plan.kernel, NULL, gb_cuda_stream(stream));
}

void oc_insert_only_if(gb_job *job, const unsigned *word)
{
    static_cast<insert_state *>(job->state)->given.only_if = word;
}

const oc_insert *oc_insert_of(const gb_job *job)
{
    return &static_cast<const insert_state *>(job->state)->given;
}

/* ---- what a run left ------------------------------------------------------------------------- */

static gb_status words_of(gb_job *job, uint64_t *cells, unsigned *trouble)
{
    const insert_state *s = static_cast<const insert_state *>(job->state);
    oc_insert_words words;
    GB_TRY(cudaMemcpy(&words, s->given.words, sizeof words, cudaMemcpyDeviceToHost), &job->error);
    *cells = words.cells < s->given.pool ? words.cells : s->given.pool;
    *trouble = words.trouble;
    return GB_OK;
}

static gb_status view(gb_job *job, oc_view *view)
{
    const insert_state *s = static_cast<const insert_state *>(job->state);
    oc_view made = {};
    made.slot = s->given.slot;
    made.next = s->given.next;
    made.bytes = s->bytes;
    *view = made;
    return words_of(job, &view->cells, &view->trouble);
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    const insert_state *s = static_cast<const insert_state *>(job->state);
    const oc_insert *t = &s->given;
    cudaStream_t on = gb_cuda_stream(stream);
    GB_TRY(cudaMemsetAsync(t->slot, OC_POISON, (uint64_t)t->pool * OC_SLOTS * 4, on), &job->error);
    GB_TRY(cudaMemsetAsync(t->next, OC_POISON, (uint64_t)t->n * 4, on), &job->error);
    GB_TRY(cudaMemsetAsync(t->words, OC_POISON, sizeof *t->words, on), &job->error);
    return GB_OK;
}

static gb_status count(gb_job *job, unsigned long long *device, oc_contention *counts)
{
    const insert_state *s = static_cast<const insert_state *>(job->state);
    unsigned long long tally[OC_TALLIES][OC_DEPTH + 1];
    GB_TRY(cudaMemset(device, 0, sizeof tally), &job->error);
    const gb_status status = build(job, s->plan.counting, device, 0);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpy(tally, device, sizeof tally, cudaMemcpyDeviceToHost), &job->error);
    for (int d = 0; d <= OC_DEPTH; d++) {
        counts->tries[d] = tally[OC_TRIES][d];
        counts->failed[d] = tally[OC_FAILED][d];
        counts->waits[d] = tally[OC_WAITS][d];
    }
    uint64_t cells = 1;
    unsigned trouble;
    const gb_status read = words_of(job, &cells, &trouble);
    if (read == GB_OK) counts->wasted = cells - 1 - tally[OC_USED][0];
    return read;
}

static gb_status contention(gb_job *job, oc_contention *counts)
{
    void *device = NULL;
    gb_status status =
        gb_cuda_malloc(&device, sizeof(unsigned long long) * OC_TALLIES * (OC_DEPTH + 1),
                       "what is counted", &job->error);
    if (status != GB_OK) return status;
    status = count(job, static_cast<unsigned long long *>(device), counts);
    (void)cudaFree(device);
    return status;
}

/* ---- opening and closing --------------------------------------------------------------------- */

/* Blocks of a plan's size of one of its kernels that a multiprocessor has room for, 1 at least. */
static gb_status room_for(gb_job *job, const oc_insert_plan *plan, void (*kernel)(oc_insert),
                          unsigned *blocks)
{
    int fits = 0;
    GB_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, kernel, (int)plan->threads, 0),
           &job->error);
    *blocks = fits > 0 ? (unsigned)fits : 1;
    return GB_OK;
}

/* As many blocks as the multiprocessors of the point hold, and no more than the bodies need. */
static gb_status lay_out(gb_job *job, insert_state *s)
{
    const oc_shape *shape = &job->problem->shape;
    const oc_insert_plan *plan = &s->plan;
    unsigned blocks = 0, beside = 0;
    gb_status status = room_for(job, plan, plan->kernel, &blocks);
    if (status == GB_OK && plan->beside) status = room_for(job, plan, plan->beside, &beside);
    if (status != GB_OK) return status;
    if (beside && blocks > beside) blocks = beside;
    if (plan->resident && blocks > plan->resident / plan->threads)
        blocks = plan->resident / plan->threads ? plan->resident / plan->threads : 1;
    unsigned sms = job->device->sms > 0 ? (unsigned)job->device->sms : 1;
    if (shape->sms && shape->sms < sms) sms = shape->sms;
    uint64_t grid = (uint64_t)blocks * sms;
    const uint64_t needed = (shape->n + plan->threads - 1) / plan->threads;
    if (grid > needed) grid = needed ? needed : 1;
    s->grid = dim3((unsigned)grid);
    const uint64_t threads = grid * plan->threads;
    uint64_t pool = shape->pool + threads * plan->stock;
    if (pool > OC_MOST_CELLS) pool = OC_MOST_CELLS;
    s->given.pool = (uint32_t)pool;
    return GB_OK;
}

gb_status oc_insert_prepare(gb_job *job, oc_insert_plan plan)
{
    const gb_problem *p = job->problem;
    insert_state *s = (insert_state *)calloc(1, sizeof *s);
    if (!s) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a tree");
    job->state = s;
    s->state.view = view;
    s->state.poison = poison;
    s->state.contention = plan.counting ? contention : NULL;
    s->state.check = plan.check;
    s->plan = plan;
    s->given.bodies = static_cast<const float4 *>(p->bodies);
    s->given.n = (uint32_t)p->shape.n;
    s->given.box = p->box;
    gb_status status = lay_out(job, s);
    if (status != GB_OK) return status;
    const uint64_t cells = (uint64_t)s->given.pool * OC_SLOTS * 4, lists = p->shape.n * 4 + 16;
    s->bytes = cells + lists + sizeof *s->given.words + plan.scratch;
    status = gb_cuda_malloc((void **)&s->given.slot, cells, "the tree's cells", &job->error);
    if (status == GB_OK)
        status = gb_cuda_malloc((void **)&s->given.next, lists, "the bodies' lists", &job->error);
    if (status == GB_OK)
        status = gb_cuda_malloc((void **)&s->given.words, sizeof *s->given.words,
                                "the tree's counters", &job->error);
    if (status == GB_OK && plan.scratch)
        status = gb_cuda_malloc((void **)&s->given.scratch, plan.scratch,
                                "what the build needs beside the tree", &job->error);
    return status;
}

void oc_insert_cleanup(gb_job *job)
{
    insert_state *s = static_cast<insert_state *>(job->state);
    if (!s) return;
    (void)cudaFree(s->given.slot);
    (void)cudaFree(s->given.next);
    (void)cudaFree(s->given.words);
    (void)cudaFree(s->given.scratch);
    free(s);
    job->state = NULL;
}
