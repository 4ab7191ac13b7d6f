/* The launches of steps.h. */
#include "kernels/octree-multi/steps.h"

#include "kernels/octree-multi/move.cuh"
#include "kernels/octree-multi/top.cuh"

const char *om_refusal(const gb_params *params, const gb_device *device, unsigned needs)
{
    const uint64_t least = OM_MOVE_BYTES + 2048; /* and what kernels have by themselves */
    if (device->shared_optin < least)
        return gb_reason("a block takes %llu bytes of shared memory, and may have %llu",
                         (unsigned long long)least, (unsigned long long)device->shared_optin);
    return gb_comm_refusal(params->value[OM_GPUS].size, needs);
}

om_sampling om_sampling_of(const om_problem *p, unsigned trees)
{
    om_sampling s = {};
    uint64_t most = 0;
    if (trees > OM_DRAWN) trees = OM_DRAWN;
    s.ranks = p->shape.gpus;
    for (unsigned r = 0; r < s.ranks; r++)
        if (om_share(p, r) > most) most = om_share(p, r);
    const uint64_t list = most < OM_LIST ? most : (uint64_t)OM_LIST;
    for (unsigned r = 0; r < s.ranks && most > 0; r++) {
        s.count[r] = (unsigned)((om_share(p, r) * list + most - 1) / most);
        s.drawn[r] = (unsigned)((om_share(p, r) * trees + most - 1) / most);
        s.total += s.count[r];
    }
    return s;
}

typedef void (*move_kernel)(const float4 *, unsigned, oc_box, const om_bounds *, unsigned,
                            om_targets, unsigned);
typedef void (*count_kernel)(const float4 *, unsigned, oc_box, const om_bounds *, unsigned,
                             unsigned *);

/* The kernel for so many bits of a rank's number. */
static move_kernel move_for(unsigned ranks)
{
    return ranks <= 2 ? om_move<1> : ranks <= 8 ? om_move<3> : om_move<6>;
}

static count_kernel count_for(unsigned ranks)
{
    return ranks <= 2 ? om_count<1> : ranks <= 8 ? om_count<3> : om_count<6>;
}

gb_status om_allow_steps(gb_comm *comm, unsigned i, gb_error *error)
{
    gb_status status = gb_comm_enter(comm, i, error);
    if (status == GB_OK) status = gb_allow_shared(move_for(comm->size), OM_MOVE_BYTES, error);
    return status;
}

/* As many blocks as tiles need, at most those that are resident together, on all multiprocessors
 * but so many. */
static dim3 tiles_of(uint64_t n, const gb_device *device, uint64_t but)
{
    const uint64_t sms = (uint64_t)device->sms > but ? (uint64_t)device->sms - but : 1,
                   tiles = (n + OM_MOVE_TILE - 1) / OM_MOVE_TILE, most = sms * OM_MOVE_BLOCKS;
    return dim3((unsigned)(tiles == 0 ? 1 : tiles < most ? tiles : most));
}

static const float4 *own(const om_problem *p, unsigned i)
{
    return static_cast<const float4 *>(p->bodies[i]);
}

gb_status om_queue_sample(const om_problem *p, gb_comm *comm, unsigned i, const om_sampling *s,
                          const om_lists *lists, const om_lists *draws, gb_error *error)
{
    const unsigned rank = comm->local[i].rank, count = s->count[rank], drawn = s->drawn[rank];
    const gb_status status = gb_comm_enter(comm, i, error);
    if (status != GB_OK || count == 0) return status;
    GB_TRY(launch(om_sample, dim3(om_runs(count) + om_runs(drawn)), dim3(OM_SAMPLE_THREADS), 0,
                  comm->local[i].stream, own(p, i), om_share(p, rank), p->box, om_runs(count),
                  count, *lists, drawn, *draws),
           error);
    return GB_OK;
}

gb_status om_queue_borders(gb_comm *comm, unsigned i, const om_code *lists, const om_sampling *s,
                           om_bounds *bounds, gb_error *error)
{
    const gb_rank *rank = &comm->local[i];
    const gb_status status = gb_comm_enter(comm, i, error);
    if (status != GB_OK) return status;
    om_bracket *brackets = reinterpret_cast<om_bracket *>(bounds + GB_MOST_RANKS);
    const uint64_t codes = (uint64_t)s->ranks * OM_LIST;
    GB_TRY(cudaMemsetAsync(brackets, 0, s->ranks * sizeof *brackets, rank->stream), error);
    GB_TRY(launch(om_bracket_borders, gb_grid(&rank->device, codes / OM_COARSE * GB_WARP),
                  dim3(GB_GRID_THREADS), 0, rank->stream, lists, *s, brackets),
           error);
    GB_TRY(launch(om_find_borders, gb_grid(&rank->device, codes / OM_SCANNED * GB_WARP),
                  dim3(GB_GRID_THREADS), 0, rank->stream, lists, *s,
                  static_cast<const om_bracket *>(brackets), bounds),
           error);
    return GB_OK;
}

gb_status om_queue_count(const om_problem *p, gb_comm *comm, unsigned i, const om_bounds *bounds,
                         unsigned *counts, gb_error *error)
{
    const gb_rank *rank = &comm->local[i];
    const uint64_t n = om_share(p, rank->rank);
    const gb_status status = gb_comm_enter(comm, i, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemsetAsync(counts, 0, comm->size * sizeof *counts, rank->stream), error);
    GB_TRY(launch(count_for(comm->size), tiles_of(n, &rank->device, 0), dim3(OM_MOVE_THREADS), 0,
                  rank->stream, own(p, i), (unsigned)n, p->box, bounds, comm->size, counts),
           error);
    return GB_OK;
}

gb_status om_queue_begin(gb_comm *comm, unsigned i, const unsigned *counts, unsigned *begin,
                         gb_error *error)
{
    const gb_status status = gb_comm_enter(comm, i, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(om_begin, dim3(1), dim3(GB_MOST_RANKS), 0, comm->local[i].stream, counts,
                  comm->size, begin),
           error);
    return GB_OK;
}

gb_status om_queue_move(const om_problem *p, gb_comm *comm, unsigned i, const om_bounds *bounds,
                        const om_targets *targets, uint64_t room, bool beside, gb_error *error)
{
    const gb_rank *rank = &comm->local[i];
    const uint64_t n = om_share(p, rank->rank);
    const gb_status status = gb_comm_enter(comm, i, error);
    if (status != GB_OK || n == 0) return status;
    GB_TRY(launch(move_for(comm->size), tiles_of(n, &rank->device, beside), dim3(OM_MOVE_THREADS),
                  OM_MOVE_BYTES, rank->stream, own(p, i), (unsigned)n, p->box, bounds, comm->size,
                  *targets, (unsigned)room),
           error);
    return GB_OK;
}

gb_status om_queue_early(const om_problem *p, gb_comm *comm, unsigned i, mo_builder *builder,
                         const void *bodies, const unsigned *told, const om_sampling *s,
                         const om_code *draws, const om_bounds *bounds, cudaStream_t stream,
                         gb_error *error)
{
    const gb_rank *rank = &comm->local[i];
    gb_status status = gb_comm_enter(comm, i, error);
    if (status == GB_OK) status = mo_builder_start(builder, bodies, told, p->box, stream, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(om_lend, gb_grid(&rank->device, (uint64_t)s->ranks * OM_DRAWN),
                  dim3(GB_GRID_THREADS), 0, stream, draws, *s, bounds, rank->rank,
                  mo_builder_lent(builder)),
           error);
    return mo_builder_sample(builder, stream, error);
}

gb_status om_queue_build(const om_problem *p, gb_comm *comm, unsigned i, mo_builder *builder,
                         const void *bodies, uint64_t n, const unsigned *told, gb_error *error)
{
    cudaStream_t stream = comm->local[i].stream;
    const gb_status status = gb_comm_enter(comm, i, error);
    if (status != GB_OK) return status;
    return told ? mo_builder_finish(builder, stream, error)
                : mo_builder_build(builder, bodies, n, p->box, stream, error);
}

gb_status om_queue_tell(const om_problem *p, gb_comm *comm, unsigned i, const mo_builder *builder,
                        const void *bodies, uint64_t n, const unsigned *told,
                        const om_bounds *bounds, const om_ears *ears, gb_error *error)
{
    const gb_rank *rank = &comm->local[i];
    const gb_status status = gb_comm_enter(comm, i, error);
    if (status != GB_OK) return status;
    const om_tree tree = {mo_builder_tree(builder), static_cast<const float4 *>(bodies),
                          (uint32_t)n, told, p->box};
    GB_TRY(launch(om_tell, dim3(1), dim3(OM_TELL_THREADS), 0, rank->stream, tree, bounds,
                  comm->size, rank->rank, *ears),
           error);
    return GB_OK;
}

gb_status om_queue_top(const om_problem *p, gb_comm *comm, unsigned i, const om_bounds *bounds,
                       const om_told *told, om_top *top, gb_error *error)
{
    const gb_status status = gb_comm_enter(comm, i, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(om_make_top, dim3(1), dim3(OM_TOP_THREADS), 0, comm->local[i].stream, bounds,
                  told, comm->size, p->shape.bodies.leaf, top),
           error);
    return GB_OK;
}
