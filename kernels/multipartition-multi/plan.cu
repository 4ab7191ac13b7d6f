/* Planning where everything goes. */
#include "kernels/multipartition-multi/plan.cuh"

#include "kernels/multipartition/counts.cuh"

enum { MPM_PLAN_THREADS = 1024, MPM_TELL_THREADS = 256 };

/* ---- telling --------------------------------------------------------------------------------- */

/* Writes a rank's row into every rank's window. */
static __global__ void mpm_tell(unsigned long long *counts, const uint64_t *offsets, unsigned bins,
                                unsigned rank, unsigned size, gb_window to)
{
    const unsigned b = blockIdx.x * MPM_TELL_THREADS + threadIdx.x;
    if (b >= bins) return;
    const uint64_t count = counts ? counts[b] : offsets[b + 1] - offsets[b];
    for (unsigned k = 0; k < size; k++) {
        const unsigned r = (rank + k) % size; /* not all to one at a time */
        reinterpret_cast<uint64_t *>(to.at[r])[(uint64_t)rank * bins + b] = count;
    }
    if (counts) counts[b] = 0;
}

gb_status mpm_queue_telling(mpm_problem *p, const mpm_plan *plan, unsigned i,
                            unsigned long long *counts, const uint64_t *offsets, gb_error *error)
{
    const unsigned bins = p->shape.all.bins;
    const gb_rank *rank = &p->comm->local[i];
    GB_TRY(launch(mpm_tell, dim3((bins + MPM_TELL_THREADS - 1) / MPM_TELL_THREADS),
                  dim3(MPM_TELL_THREADS), 0, rank->stream, counts, offsets, bins, rank->rank,
                  p->comm->size, plan->counts),
           error);
    return GB_OK;
}

/* ---- planning -------------------------------------------------------------------------------- */

/* One block. Sums go over neighbours in turns, so that reads and writes are of whole lines. */
static __global__ void __launch_bounds__(MPM_PLAN_THREADS)
    mpm_make_plan(const uint64_t *counts, unsigned bins, unsigned rank, unsigned size, uint64_t n,
                  uint64_t *offsets, uint64_t *firsts, mpm_place *places, gb_window keys,
                  gb_window payload)
{
    for (unsigned b = threadIdx.x; b < bins; b += MPM_PLAN_THREADS) {
        uint64_t sum = 0;
        for (unsigned r = 0; r < size; r++)
            sum += counts[(uint64_t)r * bins + b];
        offsets[b] = sum;
    }
    __syncthreads();
    mp_scan_bins<MPM_PLAN_THREADS>(reinterpret_cast<unsigned long long *>(offsets), bins);
    __syncthreads();
    const auto owner = [&](unsigned b) { return mpm_owner(offsets[b], offsets[b + 1], n, size); };
    for (unsigned b = threadIdx.x; b <= bins; b += MPM_PLAN_THREADS) {
        const unsigned from = b ? owner(b - 1) + 1 : 0, to = b < bins ? owner(b) : size;
        for (unsigned r = from; r <= to; r++)
            firsts[r] = b;
    }
    if (!places) return;
    __syncthreads();
    for (unsigned b = threadIdx.x; b < bins; b += MPM_PLAN_THREADS) {
        const unsigned to = owner(b);
        uint64_t low = offsets[b] - offsets[firsts[to]];
        for (unsigned r = 0; r < rank; r++)
            low += counts[(uint64_t)r * bins + b];
        mpm_place place;
        place.low = low;
        place.high = low + counts[(uint64_t)rank * bins + b];
        place.keys = reinterpret_cast<uint64_t>(keys.at[to]);
        place.payload = reinterpret_cast<uint64_t>(payload.at[to]);
        place.next = 0;
        place.left = 0;
        places[b] = place;
    }
}

gb_status mpm_queue_planning(const mpm_problem *p, unsigned i, const uint64_t *counts,
                             mpm_place *places, cudaStream_t stream, gb_error *error)
{
    const mpm_rank *own = &p->ranks[i];
    GB_TRY(launch(mpm_make_plan, dim3(1), dim3(MPM_PLAN_THREADS), 0, stream, counts,
                  p->shape.all.bins, p->comm->local[i].rank, p->comm->size, p->shape.all.n,
                  own->offsets, own->firsts, places, mpm_inside(p, p->keys),
                  mpm_inside(p, p->payload)),
           error);
    return GB_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

gb_status mpm_plan_open(mpm_problem *p, mpm_plan *plan, gb_error *error)
{
    gb_comm *comm = p->comm;
    const uint64_t bins = p->shape.all.bins;
    uint64_t bytes[GB_MOST_RANKS];
    for (unsigned i = 0; i < comm->locals; i++)
        bytes[i] = comm->size * bins * sizeof(uint64_t);
    gb_status status =
        gb_comm_window_open(comm, bytes, "what ranks tell each other", &plan->counts, error);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++) {
        void *at;
        status = gb_comm_malloc(comm, i, &at, bins * sizeof(mpm_place), "the plan", error);
        plan->places[i] = static_cast<mpm_place *>(at);
    }
    return status;
}

void mpm_plan_close(mpm_problem *p, mpm_plan *plan)
{
    gb_comm_window_close(p->comm, &plan->counts);
    for (unsigned i = 0; i < p->comm->locals; i++) {
        gb_comm_free(p->comm, i, plan->places[i]);
        plan->places[i] = NULL;
    }
}
