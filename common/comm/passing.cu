/* Passing data between ranks: by NCCL, or by copies. */
#include "common/comm/state.cuh"

#include <new>

/* ---- all to all ------------------------------------------------------------------------------ */

/* Copies that a stream makes in any order. */
typedef struct copies {
    void *to[GB_MOST_RANKS];
    const void *from[GB_MOST_RANKS];
    size_t bytes[GB_MOST_RANKS], count;
} copies;

/* Several are one call where the runtime has it: copies from another GPU take the host 4 us each,
 * which several threads cannot do at once, and a stream makes them one after the other (H200). */
static cudaError_t copy_all(const copies *c, cudaStream_t stream)
{
#if defined(__CUDACC__) && CUDART_VERSION >= 13000
    if (c->count > 1) {
        cudaMemcpyAttributes all = {};
        size_t first = 0; /* of the copies that have these attributes */
        all.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
        return cudaMemcpyBatchAsync(c->to, c->from, c->bytes, c->count, &all, &first, 1, stream);
    }
#endif
    cudaError_t code = cudaSuccess;
    for (size_t k = 0; k < c->count && code == cudaSuccess; k++)
        code = cudaMemcpyAsync(c->to[k], c->from[k], c->bytes[k], cudaMemcpyDeviceToDevice, stream);
    return code;
}

/* A receiver takes what is sent to it. */
static gb_status take_copies(const gb_comm *comm, unsigned i, const gb_piece *send,
                             const gb_piece *receive, gb_error *error)
{
    copies all;
    all.count = 0;
    for (unsigned k = 0; k < comm->size; k++) {
        const unsigned r = (i + k) % comm->size; /* not all from one at a time */
        const gb_piece *from = &send[r * comm->size + i], *to = &receive[i * comm->size + r];
        if (from->bytes != to->bytes)
            return gb_fail(error, GB_CRASHED,
                           "rank %u takes %llu bytes from rank %u, which sends %llu", i,
                           (unsigned long long)to->bytes, r, (unsigned long long)from->bytes);
        if (!to->bytes || to->at == from->at) continue;
        all.to[all.count] = to->at;
        all.from[all.count] = from->at;
        all.bytes[all.count++] = to->bytes;
    }
    GB_TRY(copy_all(&all, comm->local[i].stream), error);
    return GB_OK;
}

/* By copies each receiver takes what is sent to it, once all have it ready; nobody goes on before
 * all are served. */
static gb_status exchange_by_copies(gb_comm *comm, const gb_piece *send, const gb_piece *receive,
                                    gb_error *error)
{
    if (comm->state->group) return gb_carry_exchange(comm->state->group, send, receive, error);
    gb_status status = gb_comm_barrier(comm, error);
    if (status == GB_OK)
        status = gb_comm_each(comm, error, [&](unsigned i, gb_error *why) {
            return take_copies(comm, i, send, receive, why);
        });
    return status == GB_OK ? gb_comm_barrier(comm, error) : status;
}

/* What a rank, whose device is the current one, sends to itself is copied. */
static gb_status keep(const gb_comm *comm, unsigned i, const gb_piece *send,
                      const gb_piece *receive, gb_error *error)
{
    const unsigned own = i * comm->size + comm->local[i].rank;
    const gb_piece *from = &send[own], *to = &receive[own];
    if (!to->bytes || to->at == from->at) return GB_OK;
    GB_TRY(cudaMemcpyAsync(to->at, from->at, to->bytes, cudaMemcpyDeviceToDevice,
                           comm->local[i].stream),
           error);
    return GB_OK;
}

/* All sends and receives as one group, in which none waits for another. */
static gb_status exchange_by_nccl(gb_comm *comm, const gb_piece *send, const gb_piece *receive,
                                  gb_error *error)
{
    static const char what[] = "an all-to-all";
    const char *why;
    const gb_nccl *nccl = gb_nccl_get(&why);
    const gb_status status = gb_comm_each(comm, error, [&](unsigned i, gb_error *reason) {
        return keep(comm, i, send, receive, reason);
    });
    if (status != GB_OK) return status;
    int result = nccl->group_start();
    for (unsigned i = 0; i < comm->locals; i++) {
        for (unsigned r = 0; r < comm->size; r++) {
            const gb_piece *out = &send[i * comm->size + r], *in = &receive[i * comm->size + r];
            if (r == comm->local[i].rank) continue;
            if (out->bytes && !result)
                result = nccl->send(out->at, out->bytes, GB_NCCL_CHAR, (int)r, comm->state->nccl[i],
                                    comm->local[i].stream);
            if (in->bytes && !result)
                result = nccl->receive(in->at, in->bytes, GB_NCCL_CHAR, (int)r,
                                       comm->state->nccl[i], comm->local[i].stream);
        }
    }
    const int ended = nccl->group_end();
    return gb_nccl_status(result ? result : ended, what, error);
}

gb_status gb_comm_all_to_all(gb_comm *comm, gb_carrier carrier, const gb_piece *send,
                             const gb_piece *receive, gb_error *error)
{
    if (gb_comm_by_nccl(comm, carrier)) return exchange_by_nccl(comm, send, receive, error);
    return exchange_by_copies(comm, send, receive, error);
}

/* ---- all gather ------------------------------------------------------------------------------ */

static gb_status gather_by_copies(gb_comm *comm, const void *const *from, uint64_t bytes,
                                  void *const *to, gb_error *error)
{
    const unsigned size = comm->size;
    gb_piece *pieces = new (std::nothrow) gb_piece[2 * comm->locals * size + 1];
    if (!pieces) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to gather with");
    gb_piece *send = pieces, *receive = pieces + comm->locals * size;
    for (unsigned i = 0; i < comm->locals; i++) {
        for (unsigned r = 0; r < size; r++) {
            send[i * size + r] = {const_cast<void *>(from[i]), bytes};
            receive[i * size + r] = {static_cast<unsigned char *>(to[i]) + r * bytes, bytes};
        }
    }
    const gb_status status = exchange_by_copies(comm, send, receive, error);
    delete[] pieces;
    return status;
}

gb_status gb_comm_all_gather(gb_comm *comm, gb_carrier carrier, const void *const *from,
                             uint64_t bytes, void *const *to, gb_error *error)
{
    if (!gb_comm_by_nccl(comm, carrier)) return gather_by_copies(comm, from, bytes, to, error);
    const char *why;
    const gb_nccl *nccl = gb_nccl_get(&why);
    int result = nccl->group_start();
    for (unsigned i = 0; i < comm->locals && !result; i++)
        result = nccl->all_gather(from[i], to[i], bytes, GB_NCCL_CHAR, comm->state->nccl[i],
                                  comm->local[i].stream);
    const int ended = nccl->group_end();
    return gb_nccl_status(result ? result : ended, "an all-gather", error);
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* at[k]: the sum (least, most) of all[r * count + k] over the ranks r. */
template <class T>
static __global__ void gb_comm_reduce(const T *all, T *at, unsigned count, unsigned ranks,
                                      gb_reduction how)
{
    const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= count) return;
    T sum = all[k];
    for (unsigned r = 1; r < ranks; r++) {
        const T other = all[(size_t)r * count + k];
        if (how == GB_SUM)
            sum += other;
        else if (how == GB_LEAST ? other < sum : other > sum)
            sum = other;
    }
    at[k] = sum;
}

template <class T>
static gb_status reduce(gb_comm *comm, gb_carrier carrier, T *const *at, uint64_t count,
                        gb_reduction how, gb_nccl_type type, gb_error *error)
{
    if (count == 0 || comm->size == 1) return GB_OK;
    if (gb_comm_by_nccl(comm, carrier)) {
        const gb_nccl_op op = how == GB_SUM     ? GB_NCCL_SUM
                              : how == GB_LEAST ? GB_NCCL_LEAST
                                                : GB_NCCL_MOST;
        const char *why;
        const gb_nccl *nccl = gb_nccl_get(&why);
        int result = nccl->group_start();
        for (unsigned i = 0; i < comm->locals && !result; i++)
            result = nccl->all_reduce(at[i], at[i], count, type, op, comm->state->nccl[i],
                                      comm->local[i].stream);
        const int ended = nccl->group_end();
        return gb_nccl_status(result ? result : ended, "a reduction", error);
    }
    if (count > GB_MOST_REDUCED)
        return gb_fail(error, GB_UNSUPPORTED,
                       "a reduction by copies of %llu numbers; it takes %d at most",
                       (unsigned long long)count, GB_MOST_REDUCED);
    const void *from[GB_MOST_RANKS] = {};
    void *to[GB_MOST_RANKS] = {};
    for (unsigned i = 0; i < comm->locals; i++) {
        from[i] = at[i];
        to[i] = comm->state->scratch[i];
    }
    const gb_status status = gather_by_copies(comm, from, count * sizeof(T), to, error);
    if (status != GB_OK) return status;
    return gb_comm_each(comm, error, [&](unsigned i, gb_error *reason) {
        GB_TRY(launch(gb_comm_reduce<T>, dim3(((unsigned)count + 127) / 128), dim3(128), 0,
                      comm->local[i].stream, static_cast<const T *>(to[i]), at[i], (unsigned)count,
                      comm->size, how),
               reason);
        return GB_OK;
    });
}

gb_status gb_comm_all_reduce_u64(gb_comm *comm, gb_carrier carrier, uint64_t *const *at,
                                 uint64_t count, gb_reduction how, gb_error *error)
{
    return reduce(comm, carrier, at, count, how, GB_NCCL_U64, error);
}

gb_status gb_comm_all_reduce_f32(gb_comm *comm, gb_carrier carrier, float *const *at,
                                 uint64_t count, gb_reduction how, gb_error *error)
{
    return reduce(comm, carrier, at, count, how, GB_NCCL_F32, error);
}
