/* Plans and launches of sweeps over slabs. */
#include "kernels/stencil-multi/sweeps.h"

#include <new>

static const fused_slab_kernel *find(int radius, unsigned steps)
{
    static const fused_slab_kernel *const *const by_steps[] = {stm_slab_1, stm_slab_2, stm_slab_3,
                                                               stm_slab_4};
    if (steps < 1 || steps > ST_MAX_FUSED) return NULL;
    return by_steps[steps - 1][radius];
}

/* Steps that the last sweep of a run takes, or all before it. */
static unsigned steps_of(const st_shape *whole, bool last)
{
    return st_sweep_steps(whole, last ? st_sweeps(whole) - 1 : 0);
}

const char *stm_sweeps_refusal(const gb_params *params, const gb_device *device, unsigned needs,
                               const char *reason)
{
    if (!reason) reason = gb_comm_refusal(params->value[STM_GPUS].size, needs);
    if (reason) return reason;
    const st_shape whole = stm_whole_of(params);
    for (int last = 0; last < 2; last++) {
        const unsigned steps = steps_of(&whole, last);
        const fused_slab_kernel *kernel = find(whole.radius, steps);
        fused_plan plan;
        if (!kernel)
            return gb_reason("%u steps of radius %d in one sweep: the sums and values that it "
                             "keeps do not fit into registers",
                             steps, whole.radius);
        if (!kernel->plan(&whole, device, &plan))
            return gb_reason("its smallest tile does not fit into the %llu bytes of shared memory "
                             "that a block of this device can have",
                             (unsigned long long)device->shared_optin);
    }
    return NULL;
}

int stm_needed_after(const stm_problem *p, unsigned sweep)
{
    if (sweep + 1 >= st_sweeps(&p->whole)) return 0;
    return p->whole.radius * (int)st_sweep_steps(&p->whole, sweep + 1);
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* Behind the words of a sweep that its blocks use themselves: warps that are through with the lower
 * border, with the upper one. */
enum { THROUGH_BELOW, THROUGH_ABOVE, THROUGH_WORDS };

static gb_status open_rank(const stm_problem *p, unsigned i, stm_sweeps *sweeps, gb_error *error)
{
    const gb_device *device = &p->comm->local[i].device;
    const st_shape *shape = &p->part[i].slab.shape;
    for (int last = 0; last < 2; last++) {
        const fused_slab_kernel *kernel = find(shape->radius, steps_of(&p->whole, last));
        if (!kernel || !kernel->plan(shape, device, &sweeps->plan[last]))
            return gb_fail(error, GB_CRASHED, "no kernel fits, though one was said to");
    }
    void *progress = NULL;
    sweeps->words = fused_progress_words(shape) + THROUGH_WORDS;
    const gb_status status = gb_comm_malloc(p->comm, i, &progress,
                                            st_sweeps(&p->whole) * sweeps->words * sizeof(unsigned),
                                            "the progress of the blocks", error);
    sweeps->progress = static_cast<unsigned *>(progress);
    return status;
}

gb_status stm_sweeps_open(stm_problem *p, stm_way way, stm_sweeps **out, gb_error *error)
{
    stm_sweeps *sweeps = new (std::nothrow) stm_sweeps[p->comm->locals]();
    *out = sweeps;
    if (!sweeps) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for plans");
    gb_status status = GB_OK;
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        sweeps[i].way = way;
        status = open_rank(p, i, &sweeps[i], error);
    }
    return status == GB_OK ? gb_comm_enter(p->comm, 0, error) : status;
}

void stm_sweeps_close(stm_problem *p, stm_sweeps *sweeps)
{
    gb_error ignored;
    if (!sweeps) return;
    for (unsigned i = 0; i < p->comm->locals; i++)
        gb_comm_free(p->comm, i, sweeps[i].progress);
    (void)gb_comm_enter(p->comm, 0, &ignored);
    delete[] sweeps;
}

static gb_status reset_rank(const stm_problem *p, const stm_sweeps *sweeps, unsigned i,
                            gb_error *error)
{
    const size_t words = st_sweeps(&p->whole) * sweeps[i].words;
    const gb_status status = gb_comm_enter(p->comm, i, error);
    if (status != GB_OK) return status;
    GB_TRY(
        cudaMemsetAsync(sweeps[i].progress, 0, words * sizeof(unsigned), p->comm->local[i].stream),
        error);
    return GB_OK;
}

gb_status stm_sweeps_reset(stm_problem *p, const stm_sweeps *sweeps, gb_stream stream,
                           gb_error *error)
{
    gb_status status = gb_comm_fork(p->comm, stream, error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++)
        status = reset_rank(p, sweeps, i, error);
    return gb_comm_end(p->comm, stream, status, error);
}

/* ---- a launch -------------------------------------------------------------------------------- */

/* Floats from plane `mine` of a rank's field to plane `other` of a neighbour's. */
static int64_t away(const stm_problem *p, unsigned rank, int mine, unsigned neighbour, int other,
                    unsigned field)
{
    const intptr_t here = reinterpret_cast<intptr_t>(stm_field(p, rank, field));
    const intptr_t there = reinterpret_cast<intptr_t>(stm_field(p, neighbour, field));
    return (int64_t)((there - here) / (intptr_t)sizeof(float)) +
           (int64_t)(other - mine) * p->part[0].slab.layout.plane;
}

/* What the sweep over a rank's slab lends to a neighbour and hears of it. Plane `mine` of the
 * rank's slab is plane `other` of the neighbour's. */
static void join_at(const stm_problem *p, unsigned rank, unsigned neighbour, unsigned sweep,
                    int mine, int other, const gb_window *ended, fused_border *border)
{
    const bool below = neighbour < rank;
    unsigned *const heard = reinterpret_cast<unsigned *>(ended->at[rank]);
    unsigned *const told = reinterpret_cast<unsigned *>(ended->at[neighbour]);
    if (sweep) border->ended = heard + (below ? STM_ENDED_BELOW : STM_ENDED_ABOVE);
    border->lent = stm_needed_after(p, sweep);
    if (!border->lent) return;
    border->away = away(p, rank, mine, neighbour, other, sweep % 2);
    border->tell = told + (below ? STM_ENDED_ABOVE : STM_ENDED_BELOW);
}

static bool goes_down(const stm_problem *p, const stm_sweeps *sweeps, unsigned rank, unsigned sweep)
{
    if (sweeps->way == STM_IN_TURN) return sweep % 2 != 0;
    /* ranks 0 and 1 begin at the border between them, or end there */
    const bool begins = find(p->whole.radius, steps_of(&p->whole, false))->lends_early;
    return (rank % 2 == 0) == begins;
}

gb_status stm_sweep(const stm_problem *p, const stm_sweeps *sweeps, unsigned i, unsigned sweep,
                    const gb_window *ended, cudaStream_t stream, gb_error *error)
{
    const stm_part *part = &p->part[i];
    const unsigned rank = p->comm->local[i].rank, field = sweep % 2;
    const int ghosts = part->slab.ghosts, z = part->slab.shape.z;
    const bool last = sweep + 1 == st_sweeps(&p->whole), above = rank + 1 < p->comm->size;
    const bool down = goes_down(p, &sweeps[i], rank, sweep);
    unsigned *const progress = sweeps[i].progress + sweep * sweeps[i].words;
    unsigned *const through = progress + sweeps[i].words - THROUGH_WORDS;
    fused_slab slab = {};
    slab.ghosts = ghosts;
    slab.number = sweep;
    slab.below.cells = rank > 0 ? ghosts : 0;
    slab.below.through = through + THROUGH_BELOW;
    slab.above.cells = above ? ghosts : 0;
    slab.above.through = through + THROUGH_ABOVE;
    if (ended && rank > 0) {
        const stm_slab below = stm_slab_of_rank(&p->whole, p->gpus, rank - 1);
        join_at(p, rank, rank - 1, sweep, 0, below.shape.z, ended, &slab.below);
    }
    if (ended && above) join_at(p, rank, rank + 1, sweep, z, 0, ended, &slab.above);
    const float *from = sweep ? part->box.field[(sweep - 1) % 2] : part->box.input;
    return find(p->whole.radius, steps_of(&p->whole, last))
        ->sweep(&part->box, &slab, &sweeps[i].plan[last], from, part->box.field[field], down,
                progress, reinterpret_cast<gb_stream>(stream), error);
}
