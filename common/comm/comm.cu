/* Ranks: their devices and streams, and how their work is ordered. */
#include "common/comm/state.cuh"
#include "common/cuda/limit.cuh"
#include "common/worker/cpu_pool.h"

#include <new>
#include <stdio.h>
#include <string.h>

const char *const gb_gpus_nasty[] = {"2", "3", "5", "1", "8", NULL};
const char *const gb_share_names[] = {"even", "uneven", NULL};
const char *const gb_scaling_names[] = {"strong", "weak", NULL};

/* ---- what can be had ------------------------------------------------------------------------- */

/* The first two of so many ranks of which one cannot reach the other's memory. */
static bool find_strangers(unsigned ranks, int *one, int *other)
{
    const gb_set *set = gb_set_now();
    for (unsigned i = 0; i < ranks; i++) {
        for (unsigned j = 0; j < ranks; j++) {
            int can = 0;
            if (set->device[i] == set->device[j]) continue;
            if (cudaDeviceCanAccessPeer(&can, set->device[i], set->device[j]) == cudaSuccess && can)
                continue;
            (void)cudaGetLastError();
            *one = set->device[i];
            *other = set->device[j];
            return true;
        }
    }
    return false;
}

static bool find_shared(unsigned ranks, int *device)
{
    const gb_set *set = gb_set_now();
    for (unsigned i = 0; i < ranks; i++)
        for (unsigned j = 0; j < i; j++)
            if (set->device[i] == set->device[j]) {
                *device = set->device[i];
                return true;
            }
    return false;
}

const char *gb_comm_refusal(uint64_t ranks, unsigned needs)
{
    const gb_set *set = gb_set_now();
    int one, other;
    if (gb_team_size() && ranks > 1) return gb_team_refusal(ranks, needs);
    if (ranks > set->size)
#if defined(__CUDACC__)
        return gb_reason("%llu GPUs are asked for, %u %s selected (--device 0,1 or --device all)",
                         (unsigned long long)ranks, set->size, set->size == 1 ? "is" : "are");
#else
        return gb_reason("%llu GPUs are asked for, %u are simulated (SIMT_DEVICES)",
                         (unsigned long long)ranks, set->size);
#endif
    if ((needs & GB_NEEDS_PEERS) && find_strangers((unsigned)ranks, &one, &other))
        return gb_reason("GPU %d cannot reach the memory of GPU %d", one, other);
#if defined(__CUDACC__)
    const char *why;
    if ((needs & GB_NEEDS_NCCL) && ranks > 1) {
        if (find_shared((unsigned)ranks, &one))
            return gb_reason("NCCL wants a GPU for each rank, and GPU %d has two", one);
        if (!gb_nccl_get(&why)) return gb_reason("%s", why);
    }
#else
    (void)find_shared;
#endif
    return NULL;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Whether this process has opened a device's memory to another before; it has from now on. Asking
 * for it again would be an error, if a harmless one. */
static bool is_open(int to, int of)
{
    enum { KNOWN = 64 };
    static uint64_t open[KNOWN];
    if (to >= KNOWN || of >= KNOWN) return false;
    const uint64_t bit = (uint64_t)1 << of;
    const bool was = open[to] & bit;
    open[to] |= bit;
    return was;
}

static gb_status open_peers(const gb_comm *comm, unsigned i, gb_error *error)
{
    const int *devices = comm->state->devices;
    for (unsigned j = 0; j < comm->locals; j++) {
        int can = 0;
        if (devices[j] == devices[i]) continue;
        GB_TRY(cudaDeviceCanAccessPeer(&can, devices[i], devices[j]), error);
        if (!can || is_open(devices[i], devices[j])) continue;
        const cudaError_t code = cudaDeviceEnablePeerAccess(devices[j], 0);
        if (code == cudaErrorPeerAccessAlreadyEnabled)
            (void)cudaGetLastError();
        else if (code != cudaSuccess)
            return gb_cuda_status(code, "opening a GPU's memory to another", error);
    }
    return GB_OK;
}

static gb_status open_rank(gb_comm *comm, unsigned i, const gb_device *device, gb_error *error)
{
    gb_comm_state *state = comm->state;
    gb_rank *rank = &comm->local[i];
    void *scratch;
    rank->rank = comm->first + i;
    rank->device = *device; /* all of a set are of one make */
    rank->device.index = state->devices[i];
    gb_status status = gb_comm_enter(comm, i, error);
    if (status == GB_OK) status = open_peers(comm, i, error);
    if (status == GB_OK)
        status = gb_cuda_malloc(&scratch, (uint64_t)comm->size * GB_MOST_REDUCED * 8,
                                "what ranks reduce", error);
    if (status != GB_OK) return status;
    state->scratch[i] = static_cast<unsigned char *>(scratch);
    GB_TRY(cudaStreamCreateWithFlags(&state->own[i], cudaStreamNonBlocking), error);
    GB_TRY(cudaEventCreateWithFlags(&state->reached[i], cudaEventDisableTiming), error);
    rank->stream = state->own[i];
    return GB_OK;
}

/* A thread for each rank here, as far as there are cores. On simt the queues are of one thread. */
static gb_status open_crew(gb_comm *comm, gb_error *error)
{
#if defined(__CUDACC__)
    const unsigned cores = gb_pool_cores(), threads = cores < comm->locals ? cores : comm->locals;
    if (threads > 1) return gb_crew_open(threads, &comm->state->crew, error);
#else
    (void)comm;
    (void)error;
#endif
    return GB_OK;
}

static gb_status open_ranks(gb_comm *comm, const gb_device *device, unsigned needs, gb_error *error)
{
    gb_status status = GB_OK;
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = open_rank(comm, i, device, error);
    if (comm->state->group)
        status = gb_group_agree(comm->state->group, status, error);
    else if (status == GB_OK && (needs & GB_NEEDS_NCCL) && comm->size > 1)
        status = gb_nccl_open(comm->state->devices, comm->size, &comm->state->nccl, error);
    if (status == GB_OK && (needs & GB_NEEDS_CREW)) status = open_crew(comm, error);
    gb_error ignored;
    const gb_status back = gb_comm_enter(comm, 0, status == GB_OK ? error : &ignored);
    return status == GB_OK ? back : status;
}

gb_status gb_comm_open(const gb_device *device, uint64_t size, unsigned needs, gb_comm **out,
                       gb_error *error)
{
    *out = NULL;
    const char *reason = gb_comm_refusal(size, needs);
    if (reason) return gb_fail(error, GB_UNSUPPORTED, "%s", reason);
    gb_group *group = NULL;
    if (gb_team_size() && size > 1) {
        const gb_status status = gb_team_group((unsigned)size, &group, error);
        if (status != GB_OK) return status;
    }
    gb_comm *comm = new (std::nothrow) gb_comm();
    gb_comm_state *state = new (std::nothrow) gb_comm_state();
    gb_rank *ranks = new (std::nothrow) gb_rank[size]();
    if (!comm || !state || !ranks) {
        delete comm;
        delete state;
        delete[] ranks;
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for %llu ranks",
                       (unsigned long long)size);
    }
    comm->size = (unsigned)size;
    comm->first = group ? group->rank : 0;
    comm->locals = group ? 1 : (unsigned)size;
    comm->local = ranks;
    comm->state = state;
    state->group = group;
    state->nccl = group && group->nccl ? &group->nccl : NULL;
    memcpy(state->devices, gb_set_now()->device, sizeof state->devices);
    const gb_status status = open_ranks(comm, device, needs, error);
    if (status == GB_OK)
        *out = comm;
    else
        gb_comm_close(comm);
    return status;
}

void gb_comm_close(gb_comm *comm)
{
    if (!comm) return;
    gb_error ignored;
    gb_comm_state *state = comm->state;
#if !defined(__CUDACC__)
    (void)simt::end_queues(NULL);
#endif
    gb_crew_close(state->crew);
    for (unsigned i = 0; i < comm->locals; i++) {
        if (gb_comm_enter(comm, i, &ignored) != GB_OK) continue;
        if (state->reached[i]) (void)cudaEventDestroy(state->reached[i]);
        if (state->own[i]) (void)cudaStreamDestroy(state->own[i]);
        (void)cudaFree(state->scratch[i]);
    }
    (void)gb_comm_enter(comm, 0, &ignored);
    delete[] comm->local;
    delete state;
    delete comm;
}

gb_status gb_comm_enter(const gb_comm *comm, unsigned i, gb_error *error)
{
    GB_TRY(gb_enter_device(comm->state->devices[i]), error);
    return GB_OK;
}

typedef struct each_call {
    const gb_comm *comm;
    gb_comm_queue *queue;
    void *context;
} each_call;

static gb_status enter_and_queue(void *context, unsigned i, gb_error *error)
{
    const each_call *call = static_cast<const each_call *>(context);
    const gb_status status = gb_comm_enter(call->comm, i, error);
    return status == GB_OK ? call->queue(call->context, i, error) : status;
}

gb_status gb_comm_each(gb_comm *comm, gb_comm_queue *queue, void *context, gb_error *error)
{
    each_call call = {comm, queue, context};
    gb_status status = GB_OK;
    if (comm->state->crew)
        return gb_crew_run(comm->state->crew, comm->locals, enter_and_queue, &call, error);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = enter_and_queue(&call, i, error);
    return status;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Notes how far a rank's stream has come; its device is the current one. */
static gb_status reach(gb_comm *comm, unsigned i, gb_error *error)
{
    GB_TRY(cudaEventRecord(comm->state->reached[i], comm->local[i].stream), error);
    return GB_OK;
}

/* A rank's stream goes on when another has reached what was noted last. */
static gb_status follow(gb_comm *comm, unsigned i, unsigned other, gb_error *error)
{
    GB_TRY(cudaStreamWaitEvent(comm->local[i].stream, comm->state->reached[other], 0), error);
    return GB_OK;
}

gb_status gb_comm_fork(gb_comm *comm, gb_stream stream, gb_error *error)
{
#if !defined(__CUDACC__)
    if (!comm->state->group) simt::begin_queues(); /* the others cannot wait for this one's order */
#endif
    comm->local[0].stream = gb_cuda_stream(stream);
    /* What stream has queued is each process's own part of it: here, too, all of it comes first. */
    if (comm->state->group) return gb_comm_barrier(comm, error);
    gb_status status = gb_comm_enter(comm, 0, error);
    if (status == GB_OK) status = reach(comm, 0, error);
    if (status != GB_OK) return status;
    return gb_comm_each(comm, error, [&](unsigned i, gb_error *why) {
        return i ? follow(comm, i, 0, why) : GB_OK;
    });
}

gb_status gb_comm_join(gb_comm *comm, gb_stream, gb_error *error)
{
    gb_status status = gb_comm_each(
        comm, error, [&](unsigned i, gb_error *why) { return i ? reach(comm, i, why) : GB_OK; });
    if (status == GB_OK) status = gb_comm_enter(comm, 0, error);
    for (unsigned i = 1; i < comm->locals && status == GB_OK; i++)
        status = follow(comm, 0, i, error);
    if (status == GB_OK && comm->state->group) status = gb_comm_barrier(comm, error);
#if !defined(__CUDACC__)
    const cudaError_t code =
        comm->state->group ? cudaSuccess : simt::end_queues(comm->local[0].stream);
    if (status == GB_OK) status = gb_cuda_status(code, "what the ranks had queued", error);
#endif
    comm->local[0].stream = comm->state->own[0];
    if (comm->state->crew) gb_crew_rest(comm->state->crew);
    return status;
}

gb_status gb_comm_end(gb_comm *comm, gb_stream stream, gb_status status, gb_error *error)
{
    gb_error ignored;
    const gb_status joined = gb_comm_join(comm, stream, status == GB_OK ? error : &ignored);
    return status == GB_OK ? joined : status;
}

/* All ranks wait for those up to so many away. */
static gb_status meet(gb_comm *comm, unsigned away, gb_error *error)
{
    if (comm->state->group)
        return gb_group_barrier(comm->state->group, comm->local[0].stream, away, error);
    const gb_status status =
        gb_comm_each(comm, error, [&](unsigned i, gb_error *why) { return reach(comm, i, why); });
    if (status != GB_OK) return status;
    return gb_comm_each(comm, error, [&](unsigned i, gb_error *why) {
        gb_status followed = GB_OK;
        for (unsigned j = 0; j < comm->locals && followed == GB_OK; j++)
            if (j != i && (j > i ? j - i : i - j) <= away) followed = follow(comm, i, j, why);
        return followed;
    });
}

gb_status gb_comm_barrier(gb_comm *comm, gb_error *error)
{
    return meet(comm, comm->size, error);
}

gb_status gb_comm_barrier_neighbours(gb_comm *comm, gb_error *error)
{
    return meet(comm, 1, error);
}

gb_status gb_comm_wait(gb_comm *comm, gb_error *error)
{
    for (unsigned i = 0; i < comm->locals; i++) {
        const gb_status status = gb_comm_enter(comm, i, error);
        if (status != GB_OK) return status;
        GB_TRY(cudaStreamSynchronize(comm->local[i].stream), error);
    }
    return gb_comm_enter(comm, 0, error);
}

/* ---- memory ---------------------------------------------------------------------------------- */

gb_status gb_comm_malloc(gb_comm *comm, unsigned i, void **out, uint64_t bytes, const char *what,
                         gb_error *error)
{
    *out = NULL;
    gb_status status = gb_comm_enter(comm, i, error);
    if (status == GB_OK) status = gb_cuda_malloc(out, bytes, what, error);
    return status == GB_OK ? gb_comm_enter(comm, 0, error) : status;
}

void gb_comm_free(gb_comm *comm, unsigned i, void *at)
{
    gb_error ignored;
    if (!at) return;
    if (gb_comm_enter(comm, i, &ignored) == GB_OK) (void)cudaFree(at);
    (void)gb_comm_enter(comm, 0, &ignored);
}

gb_status gb_comm_window_open(gb_comm *comm, const uint64_t *bytes, const char *what,
                              gb_window *window, gb_error *error)
{
    gb_status status = GB_OK;
    if (comm->state->group)
        return gb_carry_window(comm->state->group, bytes[0], what, window, error);
    memset(window, 0, sizeof *window);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++) {
        void *at;
        status = gb_comm_malloc(comm, i, &at, bytes[i] ? bytes[i] : 1, what, error);
        window->at[comm->first + i] = static_cast<unsigned char *>(at);
    }
    if (status != GB_OK) gb_comm_window_close(comm, window);
    return status;
}

void gb_comm_window_close(gb_comm *comm, gb_window *window)
{
    if (comm->state->group) {
        gb_carry_close_window(comm->state->group, window);
        return;
    }
    for (unsigned i = 0; i < comm->locals; i++)
        gb_comm_free(comm, i, window->at[comm->first + i]);
    memset(window, 0, sizeof *window);
}
