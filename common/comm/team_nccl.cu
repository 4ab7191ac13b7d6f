/* Ranks that are processes with a GPU each: NCCL joins them and carries what they tell each other;
 * on one host they open each other's memory by CUDA's IPC, and barriers are words in it. */
#if defined(__CUDACC__)

#include "common/comm/team.cuh"
#include "common/cuda/clock.cuh"

#include <new>
#include <stdio.h>
#include <string.h>

struct gb_carried {
    cudaStream_t stream;    /* for what the host waits for */
    unsigned char *staging; /* GB_MOST_GATHERED bytes of its own, then those of all ranks */
    uint64_t *word;         /* what an all-reduce that is a barrier sums */
};

/* Words of barriers: [size of the group][rank], each with the barriers that this rank has come to,
 * written by it into the memory of each other one. A window of the group of all ranks. */
static gb_window flags;

/* Memory that is opened by others is a multiple of the driver's blocks, so that a handle, which is
 * of a whole block, leads to its begin and to nothing else. */
static const uint64_t block_bytes = 2ull << 20;

/* ---- ids ------------------------------------------------------------------------------------- */

gb_status gb_carry_id(char *id, size_t capacity, gb_error *error)
{
    const char *why;
    gb_nccl_id made;
    const gb_nccl *nccl = gb_nccl_get(&why);
    if (!nccl) return gb_fail(error, GB_UNSUPPORTED, "processes find each other by NCCL: %s", why);
    const gb_status status = gb_nccl_status(nccl->make_id(&made), "an id", error);
    for (size_t i = 0; i < sizeof made.bytes && status == GB_OK && 2 * i + 2 < capacity; i++)
        snprintf(id + 2 * i, 3, "%02x", (unsigned char)made.bytes[i]);
    return status;
}

static bool parse_id(const char *text, gb_nccl_id *id)
{
    for (size_t i = 0; i < sizeof id->bytes; i++) {
        unsigned byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) return false;
        id->bytes[i] = (char)byte;
        if (!text[2 * i + 1]) return false;
    }
    return text[2 * sizeof id->bytes] == '\0';
}

/* ---- groups ---------------------------------------------------------------------------------- */

gb_status gb_carry_group(gb_group *group, const char *id, gb_error *error)
{
    const char *why;
    gb_nccl_id parsed;
    void *at;
    const gb_nccl *nccl = gb_nccl_get(&why);
    if (!nccl) return gb_fail(error, GB_UNSUPPORTED, "processes find each other by NCCL: %s", why);
    if (!parse_id(id, &parsed))
        return gb_fail(error, GB_CRASHED, "the team's id is none of NCCL's");
    gb_carried *carried = new (std::nothrow) gb_carried();
    if (!carried) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for ranks");
    group->carried = carried;
    gb_status status =
        gb_cuda_malloc(&at, 8 + (1 + group->size) * GB_MOST_GATHERED, "what ranks tell", error);
    if (status != GB_OK) return status;
    carried->word = static_cast<uint64_t *>(at);
    carried->staging = static_cast<unsigned char *>(at) + 8;
    GB_TRY(cudaMemset(at, 0, 8), error);
    GB_TRY(cudaStreamCreateWithFlags(&carried->stream, cudaStreamNonBlocking), error);
    status =
        gb_nccl_status(nccl->init_rank(&group->nccl, (int)group->size, parsed, (int)group->rank),
                       "a communicator of several processes", error);
    /* Connections are made at the first call, whose host side would be in the way of a gate. */
    if (status == GB_OK) status = gb_carry_barrier(group, false, carried->stream, 0, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaStreamSynchronize(carried->stream), error);
    return GB_OK;
}

gb_status gb_carry_gather(gb_group *group, const void *own, size_t bytes, void *all,
                          gb_error *error)
{
    const char *why;
    gb_carried *c = group->carried;
    unsigned char *gathered = c->staging + GB_MOST_GATHERED;
    GB_TRY(cudaMemcpyAsync(c->staging, own, bytes, cudaMemcpyHostToDevice, c->stream), error);
    const gb_status status =
        gb_nccl_status(gb_nccl_get(&why)->all_gather(c->staging, gathered, bytes, GB_NCCL_CHAR,
                                                     group->nccl, c->stream),
                       "what ranks tell each other", error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpyAsync(all, gathered, group->size * bytes, cudaMemcpyDeviceToHost, c->stream),
           error);
    GB_TRY(cudaStreamSynchronize(c->stream), error);
    return GB_OK;
}

/* ---- windows --------------------------------------------------------------------------------- */

/* What a rank lends, as the others open it. */
struct lent {
    cudaIpcMemHandle_t handle;
    uint64_t host; /* of boot_id: processes with another one cannot */
    uint64_t can;  /* 0: this system has no such handles */
};

static uint64_t host_hash()
{
    char text[64] = "";
    uint64_t hash = 14695981039346656037ull;
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (!file || !fgets(text, sizeof text, file)) text[0] = '\0';
    if (file) (void)fclose(file);
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211ull;
    return hash;
}

/* Allocates and lends; all ranks have the failure of one. */
static gb_status lend(gb_group *group, uint64_t bytes, const char *what, gb_window *window,
                      lent *all, gb_error *error)
{
    void *at = NULL;
    lent own = {};
    own.host = host_hash();
    const uint64_t room = (bytes + block_bytes - (bytes != 0)) / block_bytes * block_bytes;
    gb_status status = gb_cuda_malloc(&at, room, what, error);
    window->at[group->rank] = static_cast<unsigned char *>(at);
    if (status == GB_OK) own.can = cudaIpcGetMemHandle(&own.handle, at) == cudaSuccess;
    if (!own.can) (void)cudaGetLastError();
    status = gb_group_agree(group, status, error);
    return status == GB_OK ? gb_carry_gather(group, &own, sizeof own, all, error) : status;
}

/* Opens another rank's; no error stays behind where that cannot be. */
static cudaError_t open_lent(const lent *from, unsigned char **out)
{
    void *at = NULL;
    const cudaError_t code =
        from->can ? cudaIpcOpenMemHandle(&at, from->handle, cudaIpcMemLazyEnablePeerAccess)
                  : cudaErrorNotSupported;
    if (code != cudaSuccess) (void)cudaGetLastError();
    *out = static_cast<unsigned char *>(at);
    return code;
}

gb_status gb_carry_window(gb_group *group, uint64_t bytes, const char *what, gb_window *window,
                          gb_error *error)
{
    lent all[GB_MOST_RANKS];
    memset(window, 0, sizeof *window);
    gb_status status = lend(group, bytes, what, window, all, error);
    if (status != GB_OK) { /* nobody has opened any */
        (void)cudaFree(window->at[group->rank]);
        memset(window, 0, sizeof *window);
        return status;
    }
    for (unsigned r = 0; r < group->size && status == GB_OK; r++)
        if (r != group->rank)
            status = gb_cuda_status(open_lent(&all[r], &window->at[r]),
                                    "opening the memory of another process's GPU", error);
    status = gb_group_agree(group, status, error);
    if (status != GB_OK) gb_carry_close_window(group, window);
    return status;
}

void gb_carry_close_window(gb_group *group, gb_window *window)
{
    gb_error ignored;
    if (!window->at[group->rank]) return;
    for (unsigned r = 0; r < group->size; r++)
        if (r != group->rank && window->at[r]) (void)cudaIpcCloseMemHandle(window->at[r]);
    /* Memory that others have open must not go. */
    if (gb_group_agree(group, GB_OK, &ignored) == GB_OK) (void)cudaFree(window->at[group->rank]);
    memset(window, 0, sizeof *window);
}

/* The flags are the first window, and try who reaches whom. */
gb_status gb_carry_reach(gb_group *all_ranks, uint64_t *reached, bool *same_host, gb_error *error)
{
    lent all[GB_MOST_RANKS];
    const uint64_t bytes = (GB_MOST_RANKS + 1) * GB_MOST_RANKS * sizeof(uint64_t);
    gb_status status = lend(all_ranks, bytes, "what ranks meet by", &flags, all, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemset(flags.at[all_ranks->rank], 0, bytes), error);
    GB_TRY(cudaDeviceSynchronize(), error);
    *reached = 1ull << all_ranks->rank;
    *same_host = true;
    for (unsigned r = 0; r < all_ranks->size; r++) {
        const bool here = all[r].host == all[all_ranks->rank].host;
        *same_host = *same_host && here;
        if (r != all_ranks->rank && here && open_lent(&all[r], &flags.at[r]) == cudaSuccess)
            *reached |= 1ull << r;
    }
    return GB_OK;
}

/* ---- barriers -------------------------------------------------------------------------------- */

/* A thread a rank: tells it that this one has come, and waits until it has. Who waits in vain ends
 * the kernel, and with it the process's context. */
static __global__ void gb_team_meet(gb_window flags, unsigned first, unsigned rank, unsigned size,
                                    unsigned away, uint64_t epoch, uint64_t limit_ns)
{
    const unsigned r = threadIdx.x;
    const unsigned apart = r > rank ? r - rank : rank - r;
    if (r >= size || apart > away || r == rank) return;
    uint64_t *theirs = reinterpret_cast<uint64_t *>(flags.at[r]) + first + rank;
    const uint64_t *mine = reinterpret_cast<uint64_t *>(flags.at[rank]) + first + r;
    __threadfence_system(); /* all that was queued before is behind it */
    *(volatile uint64_t *)theirs = epoch;
    const uint64_t start = gb_device_ns();
    while (*(const volatile uint64_t *)mine < epoch)
        if (gb_device_ns() - start > limit_ns) __trap();
    __threadfence_system();
}

gb_status gb_carry_barrier(gb_group *group, bool by_flags, cudaStream_t stream, unsigned away,
                           gb_error *error)
{
    const char *why;
    const uint64_t epoch = ++group->epoch;
    if (!by_flags)
        return gb_nccl_status(gb_nccl_get(&why)->all_reduce(group->carried->word,
                                                            group->carried->word, 1, GB_NCCL_U64,
                                                            GB_NCCL_SUM, group->nccl, stream),
                              "a barrier", error);
    GB_TRY(launch(gb_team_meet, dim3(1), dim3(GB_MOST_RANKS), 0, stream, flags,
                  group->size * GB_MOST_RANKS, group->rank, group->size, away, epoch,
                  (uint64_t)(1e9 * gb_team_limit_s())),
           error);
    return GB_OK;
}

gb_status gb_carry_exchange(gb_group *, const gb_piece *, const gb_piece *, gb_error *error)
{
    return gb_fail(error, GB_CRASHED, "NCCL carries what passes between processes");
}

#endif
