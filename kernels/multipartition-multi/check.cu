/* Judges an output in full, on the ranks where it lies. In this order: the input is still what it
 * was; every rank says rightly where each bin begins and which bins each rank has; every element
 * lies within its bin, on the rank that has it; nothing was written outside; up to MP_EXACT_LIMIT
 * keys each rank's elements are compared with those that the CPU makes; and the elements of all
 * ranks together are those of the input. Since an element's bin follows from its key, each bin then
 * has its own ones. */
#include "kernels/multipartition-multi/problem.h"

#include "common/cuda/grid.cuh"
#include "common/cuda/search.cuh"

#include <stdlib.h>
#include <string.h>

static const uint64_t NO_DEFECT = ~(uint64_t)0;

/* ---- on the device --------------------------------------------------------------------------- */

/* The smallest index of an element outside its bin. keys: a rank's output, n elements, which begins
 * at element `from` of all bins behind each other. */
static __global__ void mpm_find_misplaced(mp_shape shape, mp_bin_data bin, const void *keys,
                                          uint64_t n, uint64_t from, const uint64_t *offsets,
                                          unsigned long long *first_defect)
{
    for (uint64_t i = gb_first(); i < n; i += gb_stride()) {
        const uint32_t b = mp_bin_at(&shape, &bin, keys, i);
        if (from + i >= offsets[b] && from + i < offsets[b + 1]) continue;
        atomicMin(first_defect, (unsigned long long)i);
        return;
    }
}

/* The smallest number of a byte of the guards before and behind an output of so many bytes that is
 * not what poison left: those behind it count on from MPM_GUARD. */
static __global__ void mpm_find_written(const unsigned char *guarded, uint64_t bytes,
                                        unsigned char garbage, unsigned long long *first_defect)
{
    for (uint64_t i = gb_first(); i < 2 * MPM_GUARD; i += gb_stride())
        if (guarded[i < MPM_GUARD ? i : bytes + i] != garbage)
            atomicMin(first_defect, (unsigned long long)i);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static gb_status fetch(void *to, const void *from, uint64_t bytes, gb_error *error)
{
    if (!bytes) return GB_OK;
    return gb_cuda_status(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost),
                          "reading what a variant has left", error);
}

/* Other variants use the same input: one that changed it is named and the input made again. */
static gb_status check_inputs(gb_job *job)
{
    mpm_problem *p = mpm_problem_of(job);
    gb_status status = GB_OK;
    mp_hash now;
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        const mpm_rank *own = &p->ranks[i];
        status = mpm_queue_fingerprint(p, i, own->keys_in, own->payload_in, own->n, own->begin,
                                       &job->error);
    }
    if (status == GB_OK) status = gb_comm_wait(p->comm, &job->error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        status = fetch(&now, p->ranks[i].sums, sizeof now, &job->error);
        if (status != GB_OK || memcmp(&now, &p->ranks[i].input, sizeof now) == 0) continue;
        status = mpm_generate(p, i, &job->error);
        if (status == GB_OK) status = gb_comm_wait(p->comm, &job->error);
        if (status == GB_OK)
            status = gb_fail(&job->error, GB_WRONG,
                             "%s changed its input on rank %u, which others share",
                             job->variant->name, p->comm->local[i].rank);
    }
    return status;
}

/* found: room for bins + 1 and size + 1 numbers. */
static gb_status check_tables_of(gb_job *job, unsigned i, uint64_t *found)
{
    const mpm_problem *p = mpm_problem_of(job);
    const mpm_rank *own = &p->ranks[i];
    const uint32_t bins = p->shape.all.bins;
    const unsigned size = p->comm->size, r = p->comm->local[i].rank;
    gb_status status =
        fetch(found, own->offsets, ((uint64_t)bins + 1) * sizeof *found, &job->error);
    for (uint32_t b = 0; b <= bins && status == GB_OK; b++)
        if (found[b] != p->offsets[b])
            return gb_fail(&job->error, GB_WRONG,
                           "rank %u: offsets[%u] = %llu, but so many keys lie before: %llu", r, b,
                           (unsigned long long)found[b], (unsigned long long)p->offsets[b]);
    if (status == GB_OK)
        status = fetch(found, own->firsts, ((uint64_t)size + 1) * sizeof *found, &job->error);
    for (unsigned k = 0; k <= size && status == GB_OK; k++)
        if (found[k] != p->firsts[k])
            return gb_fail(&job->error, GB_WRONG,
                           "rank %u: firsts[%u] = %llu, but the first bin of that rank is %llu", r,
                           k, (unsigned long long)found[k], (unsigned long long)p->firsts[k]);
    return status;
}

static gb_status check_tables(gb_job *job)
{
    const mpm_problem *p = mpm_problem_of(job);
    const size_t bins = p->shape.all.bins, size = p->comm->size;
    uint64_t *found = (uint64_t *)calloc((bins > size ? bins : size) + 1, sizeof *found);
    if (!found) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    gb_status status = GB_OK;
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++)
        status = check_tables_of(job, i, found);
    free(found);
    return status;
}

/* Queues the search for what lies wrong in rank i's output, and what was written around it. */
static gb_status queue_search(gb_job *job, unsigned i)
{
    enum { GARBAGE = 0xA5 }; /* problem.cu */
    const mpm_problem *p = mpm_problem_of(job);
    const mpm_rank *own = &p->ranks[i];
    const gb_rank *rank = &p->comm->local[i];
    const mp_shape *all = &p->shape.all;
    unsigned long long *defects = reinterpret_cast<unsigned long long *>(own->misplaced);
    gb_status status = gb_comm_enter(p->comm, i, &job->error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemsetAsync(defects, 0xFF, 2 * sizeof *defects, rank->stream), &job->error);
    GB_TRY(launch(mpm_find_misplaced, gb_grid(&rank->device, own->out_n), dim3(GB_GRID_THREADS), 0,
                  rank->stream, *all, p->bin, mpm_keys_of(p, rank->rank), own->out_n,
                  p->offsets[p->firsts[rank->rank]], own->offsets, defects),
           &job->error);
    const struct {
        const unsigned char *at;
        uint64_t bytes;
    } outputs[] = {{p->keys.at[rank->rank], own->out_n * all->key_bytes},
                   {p->payload.at[rank->rank], own->out_n * all->payload_bytes}};
    for (const auto &one : outputs)
        if (one.at)
            GB_TRY(launch(mpm_find_written, gb_grid(&rank->device, 2 * MPM_GUARD),
                          dim3(GB_GRID_THREADS), 0, rank->stream, one.at, one.bytes,
                          (unsigned char)GARBAGE, defects + 1),
                   &job->error);
    return GB_OK;
}

/* Says what is wrong with element i of a rank's output. */
static gb_status report_misplaced(gb_job *job, unsigned rank, uint64_t i)
{
    const mpm_problem *p = mpm_problem_of(job);
    const mp_shape *all = &p->shape.all;
    const uint64_t at = p->offsets[p->firsts[rank]] + i;
    uint64_t key = 0;
    gb_status status =
        fetch(&key, static_cast<unsigned char *>(mpm_keys_of(p, rank)) + i * all->key_bytes,
              all->key_bytes, &job->error);
    if (status != GB_OK) return status;
    const uint32_t right = mp_bin_wide(MP_RANGE, &p->bin, all->key_bytes, key);
    const uint32_t here = gb_stretch_holding(p->offsets, all->bins, at);
    return gb_fail(
        &job->error, GB_WRONG,
        "rank %u: keys_out[%llu] = 0x%0*llx belongs to bin %u, which rank %u has, but "
        "lies in bin %u",
        rank, (unsigned long long)i, (int)(2 * all->key_bytes), (unsigned long long)key, right,
        mpm_owner(p->offsets[right], p->offsets[right + 1], all->n, p->comm->size), here);
}

static gb_status check_places(gb_job *job)
{
    mpm_problem *p = mpm_problem_of(job);
    gb_status status = GB_OK;
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++)
        status = queue_search(job, i);
    if (status == GB_OK) status = gb_comm_wait(p->comm, &job->error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        const unsigned r = p->comm->local[i].rank;
        uint64_t defects[2];
        status = fetch(defects, p->ranks[i].misplaced, sizeof defects, &job->error);
        if (status == GB_OK && defects[0] != NO_DEFECT) return report_misplaced(job, r, defects[0]);
        if (status == GB_OK && defects[1] != NO_DEFECT)
            return gb_fail(&job->error, GB_WRONG,
                           "rank %u: a byte %s its output was written, %llu bytes away from it", r,
                           defects[1] < MPM_GUARD ? "before" : "behind",
                           (unsigned long long)(defects[1] < MPM_GUARD ? MPM_GUARD - defects[1]
                                                                       : defects[1] - MPM_GUARD));
    }
    return status;
}

static int ascending(const void *a, const void *b)
{
    const mp_element *left = (const mp_element *)a, *right = (const mp_element *)b;
    if (left->key != right->key) return left->key < right->key ? -1 : 1;
    return left->payload[0] < right->payload[0] ? -1 : left->payload[0] > right->payload[0];
}

/* A rank's elements, sorted, against those of all that fall into its bins; right: all, sorted.
 * found, bytes: room for all. */
static gb_status compare_rank(gb_job *job, unsigned i, const mp_element *right, mp_element *found,
                              unsigned char *bytes)
{
    const mpm_problem *p = mpm_problem_of(job);
    const mp_shape *all = &p->shape.all;
    const unsigned r = p->comm->local[i].rank;
    const uint64_t n = p->ranks[i].out_n, keys = n * all->key_bytes;
    uint32_t *payload = reinterpret_cast<uint32_t *>(bytes + keys);
    gb_status status = fetch(bytes, mpm_keys_of(p, r), keys, &job->error);
    if (status == GB_OK)
        status = fetch(payload, mpm_payload_of(p, r), n * all->payload_bytes, &job->error);
    if (status != GB_OK) return status;
    for (uint64_t k = 0; k < n; k++)
        found[k] = mp_load_element(all, bytes, payload, k);
    qsort(found, n, sizeof *found, ascending);
    right += p->offsets[p->firsts[r]];
    for (uint64_t k = 0; k < n; k++) {
        const int order = ascending(&right[k], &found[k]);
        if (order == 0) continue;
        const mp_element *one = order < 0 ? &right[k] : &found[k];
        return gb_fail(&job->error, GB_WRONG,
                       "rank %u holds %s of it than the input: key 0x%llx with payload %u", r,
                       order < 0 ? "fewer" : "more", (unsigned long long)one->key, one->payload[0]);
    }
    return GB_OK;
}

/* Bins are ranges of keys: all elements, sorted, are those of rank 0, of rank 1, ... */
static gb_status check_exactly(gb_job *job)
{
    const mpm_problem *p = mpm_problem_of(job);
    const mp_shape *all = &p->shape.all;
    const size_t n = (size_t)all->n;
    if (n == 0 || n > MP_EXACT_LIMIT) return GB_OK;
    mp_element *right = (mp_element *)calloc(2 * n, sizeof *right);
    unsigned char *bytes = (unsigned char *)malloc(n * (all->key_bytes + all->payload_bytes));
    gb_status status = right && bytes ? GB_OK
                                      : gb_fail(&job->error, GB_OUT_OF_MEMORY,
                                                "no host memory to check %zu keys", n);
    if (status == GB_OK) {
        for (size_t k = 0; k < n; k++)
            right[k] = mp_make_element(&p->dist, all, k);
        qsort(right, n, sizeof *right, ascending);
    }
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++)
        status = compare_rank(job, i, right, right + n, bytes);
    free(right);
    free(bytes);
    return status;
}

/* The fingerprints of all ranks' outputs together. */
static gb_status check_elements(gb_job *job)
{
    mpm_problem *p = mpm_problem_of(job);
    uint64_t *sums[GB_MOST_RANKS];
    gb_status status = GB_OK;
    uint64_t found[2];
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        const unsigned r = p->comm->local[i].rank;
        sums[i] = &p->ranks[i].sums->a; /* and b behind it */
        status = mpm_queue_fingerprint(p, i, mpm_keys_of(p, r), mpm_payload_of(p, r),
                                       p->ranks[i].out_n, 0, &job->error);
    }
    if (status == GB_OK)
        status = gb_comm_all_reduce_u64(p->comm, GB_BY_COPIES, sums, 2, GB_SUM, &job->error);
    if (status == GB_OK) status = gb_comm_wait(p->comm, &job->error);
    if (status == GB_OK) status = fetch(found, sums[0], sizeof found, &job->error);
    if (status != GB_OK || (found[0] == p->all.a && found[1] == p->all.b)) return status;
    return gb_fail(&job->error, GB_WRONG,
                   "every key lies in its bin, but the output is no permutation of the input: %s "
                   "were lost, repeated or changed",
                   p->shape.all.payload_bytes ? "keys or payloads" : "keys");
}

gb_status mpm_check(gb_job *job, gb_stream stream)
{
    const mpm_problem *p = mpm_problem_of(job);
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    gb_status status = check_inputs(job);
    if (status == GB_OK) status = check_tables(job);
    if (status == GB_OK) status = check_places(job);
    if (status == GB_OK) status = check_exactly(job);
    if (status == GB_OK) status = check_elements(job);
    gb_error ignored;
    const gb_status back = gb_comm_enter(p->comm, 0, status == GB_OK ? &job->error : &ignored);
    return status == GB_OK ? back : status;
}
