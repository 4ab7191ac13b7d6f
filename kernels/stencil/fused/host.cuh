/* How the kernel of fused.cuh is planned and launched: a fused_kernel for each tile. */
#ifndef GB_STENCIL_FUSED_HOST_CUH
#define GB_STENCIL_FUSED_HOST_CUH

#include "kernels/stencil/fused/fused.cuh"
#include "kernels/stencil/fused/fused.h"

enum {
    /* Planes that a block may be ahead: measured on an H200, 2 to 12 (README.md). */
    FUSED_LEAD = 4,
    FUSED_MOST_CHUNKS = 64,
    /* Left of a block's shared memory for barriers and alignment. */
    FUSED_BARRIER_BYTES = 2048
};

template <class TILE> size_t fused_shared_bytes(int rows, int slots, unsigned *slot_floats)
{
    *slot_floats = (unsigned)((TILE::PITCH * (rows + 2 * TILE::RADIUS) + 31) / 32 * 32);
    const size_t exchange =
        (size_t)TILE::BUFFERS * (TILE::STEPS - 1) * (size_t)(rows + 2 * TILE::RADIUS) * TILE::WIDTH;
    return ((size_t)slots * *slot_floats + exchange) * sizeof(float) + 128;
}

/* Slots that the ring can have, at most SLOTS; fewer than are needed: 0. */
template <class TILE, int SLOTS>
int fused_slots(const gb_device *device, int rows, size_t *bytes, unsigned *slot_floats)
{
    const int least = TILE::KEPT + 2;
    for (int slots = SLOTS; slots >= least; slots--) {
        *bytes = fused_shared_bytes<TILE>(rows, slots, slot_floats);
        if (*bytes + FUSED_BARRIER_BYTES <= device->shared_optin) return slots;
    }
    return 0;
}

/* The model: a block's time goes with the planes that it reads times the rows that it computes;
 * what a plane costs whatever its rows, and what a march costs at its ends, are guesses that order
 * the plans of an H200 as measured. Blocks that each march through one column, all at once, can be
 * kept at the same plane and read memory less often. */
static inline double fused_time(const fused_plan *plan, int planes, int64_t waves)
{
    return (double)waves * (planes + 4) * (plan->warps + 2) * (plan->resident ? 1.0 : 1.1);
}

/* Takes over a plan that takes less time. */
static inline void fused_choose(const fused_plan *plan, double time, fused_plan *best,
                                double *least)
{
    if (*least > 0 && time >= *least) return;
    *least = time;
    *best = *plan;
}

template <class TILE, int SLOTS>
bool fused_make_plan(const st_shape *shape, const gb_device *device, fused_plan *best)
{
    double least = 0;
    for (int warps = TILE::WARPS; warps > 0; warps--) {
        fused_plan plan;
        const int rows = warps * TILE::ROWS, inner = rows - 2 * TILE::HALO;
        /* Where steps are fused a warp waits for those beside it: one alone would wait for ever. */
        if (inner < 1 || (TILE::STEPS > 1 && warps < 2)) break;
        plan.warps = warps;
        plan.slots = fused_slots<TILE, SLOTS>(device, rows, &plan.shared_bytes, &plan.slot_floats);
        if (!plan.slots) continue;
        plan.tiles_x = (shape->x + TILE::INNER_X - 1) / TILE::INNER_X;
        plan.tiles_y = (shape->y + inner - 1) / inner;
        for (int chunks = 1; chunks <= FUSED_MOST_CHUNKS && chunks <= shape->z; chunks++) {
            plan.chunk = (shape->z + chunks - 1) / chunks;
            plan.chunks = (shape->z + plan.chunk - 1) / plan.chunk;
            plan.span = plan.chunk + TILE::DELAY;
            plan.blocks = (int64_t)plan.tiles_x * plan.tiles_y * plan.chunks;
            const int64_t waves = (plan.blocks + device->sms - 1) / device->sms;
            plan.resident = waves == 1;
            fused_choose(&plan, fused_time(&plan, plan.span, waves), best, &least);
        }
        /* As many blocks as run at once, which share all columns' planes evenly; they count these
         * in 32 bits. */
        const int64_t all = (int64_t)plan.tiles_x * plan.tiles_y * (shape->z + TILE::DELAY);
        if (!TILE::SPANS || all > INT32_MAX / 2) continue;
        plan.chunk = shape->z;
        plan.chunks = 1;
        const int64_t even = (all + device->sms - 1) / device->sms;
        plan.span = even > 2 * TILE::DELAY ? (int)even : 2 * TILE::DELAY;
        plan.blocks = (all + plan.span - 1) / plan.span;
        plan.resident = false;
        fused_choose(&plan, fused_time(&plan, plan.span + TILE::DELAY, 1), best, &least);
    }
    return least > 0;
}

/* What a sweep over so many planes is told of the slab: of a box by itself nothing. */
static inline void fused_tell(const fused_slab *, int, bool, fused_sweep *) {}
static inline void fused_tell(const fused_slab *slab, int z, bool down, fused_slab_sweep *sweep)
{
    sweep->early = down ? slab->above : slab->below;
    sweep->late = down ? slab->below : slab->above;
    sweep->first = sweep->early.cells;
    sweep->end = sweep->first + z;
    sweep->number = slab->number;
}

template <class TILE>
gb_status fused_launch_slab(const gb_problem *p, const fused_slab *slab, const fused_plan *plan,
                            const float *from, float *to, bool down, unsigned *progress,
                            gb_stream stream, gb_error *error)
{
    const st_shape *shape = &p->shape;
    const st_layout *layout = &p->layout;
    const int r = shape->radius, margin = ST_PAD / 2;
    const int rows = plan->warps * TILE::ROWS;
    const unsigned blocks = (unsigned)plan->blocks;
    gb_tensor_map map = {};
    /* From half of the padding at the left of the first row on, so that the ghosts at both ends of
     * a row are in it. */
    map.base = from + ST_PAD - margin;
    map.columns = (int)layout->pitch;
    map.rows = shape->y + 2 * r;
    map.planes = shape->z + 2 * slab->ghosts;
    map.pitch = layout->pitch;
    map.plane = layout->plane;
    map.box_columns = TILE::PITCH;
    map.box_rows = rows + 2 * r;
    gb_status status = gb_tensor_map_open(&map, p->device, error);
    if (status != GB_OK) return status;

    typename TILE::sweep sweep = {};
    sweep.x = shape->x;
    sweep.y = shape->y;
    sweep.z = slab->below.cells + shape->z + slab->above.cells;
    sweep.tiles_x = plan->tiles_x;
    sweep.tiles_y = plan->tiles_y;
    sweep.warps = plan->warps;
    sweep.slots = plan->slots;
    sweep.slot_floats = plan->slot_floats;
    sweep.chunk = plan->chunk;
    sweep.columns = plan->tiles_x * plan->tiles_y * plan->chunks;
    sweep.span = plan->span;
    sweep.pitch = (unsigned)layout->pitch;
    sweep.step = down ? -layout->plane : layout->plane;
    /* plane of the slab */
    const int first = down ? shape->z - 1 + slab->above.cells : -slab->below.cells;
    sweep.to = to + layout->origin + first * layout->plane;
    sweep.column = margin;
    sweep.row = r;
    sweep.plane = slab->ghosts + first;
    sweep.plane_step = down ? -1 : 1;
    sweep.progress = progress;
    sweep.all = blocks;
    sweep.lead = plan->resident && blocks > 1 ? FUSED_LEAD : 0;
    fused_tell(slab, shape->z, down, &sweep);
    st_weights weights = p->weights;
    for (int k = 1; down && k <= r; k++) {
        weights.w[6 * k - 1] = p->weights.w[6 * k];
        weights.w[6 * k] = p->weights.w[6 * k - 1];
    }
    status = gb_allow_shared(fused_march<TILE>, plan->shared_bytes, error);
    if (status != GB_OK) return status;
    const dim3 grid(blocks), block((unsigned)(plan->warps + 1) * 32u);
    GB_TRY(gb_tensor_map_engine(p->device)
               ? launch_next(fused_march<TILE>, grid, block, plan->shared_bytes,
                             gb_cuda_stream(stream), map, sweep, weights)
               : launch(fused_march<TILE>, grid, block, plan->shared_bytes, gb_cuda_stream(stream),
                        map, sweep, weights),
           error);
    return GB_OK;
}

/* A box by itself. */
template <class TILE>
gb_status fused_launch_sweep(const gb_problem *p, const fused_plan *plan, const float *from,
                             float *to, bool down, unsigned *progress, gb_stream stream,
                             gb_error *error)
{
    fused_slab whole = {};
    whole.ghosts = p->shape.radius;
    return fused_launch_slab<TILE>(p, &whole, plan, from, to, down, progress, stream, error);
}

template <class TILE, int SLOTS> struct fused_kernel_of {
    static const fused_kernel kernel;
    static const fused_slab_kernel slab;
};
template <class TILE, int SLOTS>
const fused_kernel fused_kernel_of<TILE, SLOTS>::kernel = {fused_make_plan<TILE, SLOTS>,
                                                           fused_launch_sweep<TILE>};
template <class TILE, int SLOTS>
const fused_slab_kernel fused_kernel_of<TILE, SLOTS>::slab = {
    fused_slab_tile<TILE>::LENDS_EARLY, fused_make_plan<TILE, SLOTS>,
    fused_launch_slab<fused_slab_tile<TILE>>};

#endif
