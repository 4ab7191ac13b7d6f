/* The variants. single: one GPU's array alone. peers: every GPU pushes onto its own array, then
 * tells all others of it through windows. nccl: the same, told by NCCL's all-gather. funnel: all
 * push onto one array, on the first GPU, with atomic additions and stores that cross the link. */
#include "kernels/dynamic-array-multi/problem.h"

/* What is pushed. */
struct dm_below {
    uint32_t limit;
    __host__ __device__ __forceinline__ bool operator()(uint32_t e) const { return e < limit; }
};

static dm_below dm_test_of(const dm_problem *p)
{
    return dm_below{(uint32_t)p->shape.kept};
}

/* ---- pushing --------------------------------------------------------------------------------- */

static gb_status push_own(gb_job *job, unsigned i)
{
    const dm_problem *p = dm_problem_of(job);
    const dm_state *state = dm_state_of(job);
    gb_status status = gb_comm_enter(state->comm, i, &job->error);
    if (status != GB_OK) return status;
    GB_TRY((gb_push_kept<uint32_t, GB_PUSH_ANY>(gb_growable_view_of(state->array[i]),
                                                p->ranks[i].in, p->ranks[i].n, dm_test_of(p),
                                                state->comm->local[i].stream)),
           &job->error);
    return GB_OK;
}

/* An addition that other GPUs see, too. */
static __device__ __forceinline__ unsigned long long dm_add(unsigned long long *at,
                                                            unsigned long long value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
    return atomicAdd_system(at, value);
#else
    return atomicAdd(at, value);
#endif
}

/* One block a tile; out and size are of the rank that has the array. */
template <int THREADS, int VECTORS>
static __global__ void __launch_bounds__(THREADS)
    dm_push_far(const uint32_t *__restrict__ in, uint64_t n, dm_below keep,
                uint32_t *__restrict__ out, unsigned long long *size)
{
    typedef gb_tile<uint32_t, THREADS, VECTORS> tile_type;
    __shared__ typename tile_type::shared shared;
    __shared__ unsigned long long place;
    tile_type tile;
    tile.load(in, n, (uint64_t)blockIdx.x * tile_type::SIZE);
    tile.count(&shared, keep);
    if (threadIdx.x == 0 && tile.total) place = dm_add(size, tile.total);
    tile.pack(&shared);
    __syncthreads();
    if (tile.total) tile_type::store(&shared, 0, tile.total, out + place);
}

static gb_status push_far(gb_job *job, unsigned i)
{
    enum { THREADS = 512, VECTORS = 4 };
    const dm_problem *p = dm_problem_of(job);
    const dm_state *state = dm_state_of(job);
    const uint64_t n = p->ranks[i].n, tiles = gb_tile<uint32_t, THREADS, VECTORS>::tiles_of(n);
    gb_status status = gb_comm_enter(state->comm, i, &job->error);
    if (status != GB_OK || tiles == 0) return status;
    GB_TRY(launch(dm_push_far<THREADS, VECTORS>, dim3((unsigned)tiles), dim3(THREADS), 0,
                  state->comm->local[i].stream, p->ranks[i].in, n, dm_test_of(p),
                  reinterpret_cast<uint32_t *>(state->arena.at[0]),
                  reinterpret_cast<unsigned long long *>(state->sizes.at[0])),
           &job->error);
    return GB_OK;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Calls queue() between fork and join. */
template <class Queue> static gb_status dm_between(gb_job *job, gb_stream stream, Queue queue)
{
    gb_comm *comm = dm_state_of(job)->comm;
    gb_status status = gb_comm_fork(comm, stream, &job->error);
    if (status == GB_OK) status = queue(comm);
    return gb_comm_end(comm, stream, status, &job->error);
}

template <class Push> static gb_status dm_by_all(const gb_comm *comm, Push push)
{
    gb_status status = GB_OK;
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = push(i);
    return status;
}

static gb_status run_single(gb_job *job, gb_stream stream)
{
    return dm_between(job, stream, [&](gb_comm *) { return push_own(job, 0); });
}

static gb_status run_own(gb_job *job, gb_stream stream, dm_way way)
{
    return dm_between(job, stream, [&](gb_comm *comm) {
        const gb_status status = dm_by_all(comm, [&](unsigned i) { return push_own(job, i); });
        return status == GB_OK ? dm_queue_directory(job, way) : status;
    });
}

static gb_status run_peers(gb_job *job, gb_stream stream)
{
    return run_own(job, stream, DM_BY_WINDOWS);
}

static gb_status run_nccl(gb_job *job, gb_stream stream)
{
    return run_own(job, stream, DM_BY_NCCL);
}

static gb_status run_funnel(gb_job *job, gb_stream stream)
{
    return dm_between(job, stream, [&](gb_comm *comm) {
        gb_status status = dm_by_all(comm, [&](unsigned i) { return push_far(job, i); });
        if (status == GB_OK) status = gb_comm_barrier(comm, &job->error);
        return status == GB_OK ? dm_queue_directory(job, DM_BY_WINDOWS) : status;
    });
}

/* ---- the variants ---------------------------------------------------------------------------- */

static const char *unsupported_single(const gb_params *params, const gb_device *)
{
    return params->value[DM_GPUS].size == 1 ? NULL : "what one GPU does alone: gpus 1";
}

static const char *unsupported_peers(const gb_params *params, const gb_device *)
{
    return gb_comm_refusal(params->value[DM_GPUS].size, GB_NEEDS_PEERS);
}

static const char *unsupported_nccl(const gb_params *params, const gb_device *)
{
    return gb_comm_refusal(params->value[DM_GPUS].size, GB_NEEDS_PEERS | GB_NEEDS_NCCL);
}

static const char *unsupported_funnel(const gb_params *params, const gb_device *device)
{
    if (device->arch && device->arch < 600)
        return "atomic additions that other GPUs see: from Pascal on";
    return unsupported_peers(params, device);
}

static gb_status prepare_peers(gb_job *job)
{
    return dm_arrays_open(job, GB_NEEDS_PEERS, false);
}

static gb_status prepare_nccl(gb_job *job)
{
    return dm_arrays_open(job, GB_NEEDS_PEERS | GB_NEEDS_NCCL, false);
}

static gb_status prepare_funnel(gb_job *job)
{
    return dm_arrays_open(job, GB_NEEDS_PEERS, true);
}

#define VARIANT(name, text, summary, origin, unsupported, prepare, run) \
    const gb_variant name = {                                           \
        text, summary, origin, 0, unsupported, prepare, dm_arrays_reset, run, dm_arrays_close}

extern "C" {
VARIANT(dm_single, "single", "one GPU's growable array, pushed onto in bulk", "gpubench",
        unsupported_single, prepare_peers, run_single);
VARIANT(dm_peers, "peers", "a growable array a GPU, and a directory told through windows",
        "gpubench", unsupported_peers, prepare_peers, run_peers);
VARIANT(dm_nccl, "nccl", "the same, the directory told by NCCL's all-gather", "gpubench, NCCL",
        unsupported_nccl, prepare_nccl, run_nccl);
VARIANT(dm_funnel, "funnel",
        "all GPUs push onto one array on the first: its counter and its stores cross the link",
        "gpubench", unsupported_funnel, prepare_funnel, run_funnel);
}
