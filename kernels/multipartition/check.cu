/* Judges an output in full, on the device where the data lies. In this order: the input is still
 * what it was, every offset is right, every element lies in its bin, up to MP_EXACT_LIMIT keys the
 * oracle agrees element by element, the elements are those of the input, and what is claimed to be
 * stable is. Stability of more than MP_EXACT_LIMIT keys shows in payloads only: without them, a
 * stable claim is checked up to that size. */
#include "common/cuda/grid.cuh"
#include "common/cuda/search.cuh"
#include "kernels/multipartition/bins.h"
#include "kernels/multipartition/problem.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t NO_DEFECT = ~(uint64_t)0;

/* ---- kernels --------------------------------------------------------------------------------- */

/* The smallest index of an element outside its bin. */
static __global__ void find_misplaced(mp_shape shape, mp_bin_data bin, const uint32_t *keys,
                                      const uint64_t *offsets, unsigned long long *first_defect)
{
    for (uint64_t i = gb_first(); i < shape.n; i += gb_stride()) {
        uint32_t b = mp_bin_at(&shape, &bin, keys, i);
        if (i >= offsets[b] && i < offsets[b + 1]) continue;
        atomicMin(first_defect, (unsigned long long)i);
        return;
    }
}

/* Payloads begin with the low 32 bits of input positions: in a stable output these ascend inside
 * each bin, but for the places (wraps: rows of bins each) where positions pass a multiple of 2^32.
 * The smallest index of a payload that does not ascend elsewhere. */
static __global__ void find_unstable(mp_shape shape, mp_bin_data bin, const uint32_t *keys,
                                     const uint32_t *payload, const uint64_t *offsets,
                                     const uint64_t *wraps, uint32_t rows,
                                     unsigned long long *first_defect)
{
    const unsigned words = shape.payload_bytes / 4;
    for (uint64_t i = gb_first() + 1; i < shape.n; i += gb_stride()) {
        if (payload[i * words] > payload[(i - 1) * words]) continue;
        uint32_t b = mp_bin_at(&shape, &bin, keys, i);
        bool begins = i == offsets[b];
        for (uint32_t e = 0; e < rows; e++)
            begins |= i == wraps[(uint64_t)e * bin.bins + b];
        if (begins) continue;
        atomicMin(first_defect, (unsigned long long)i);
        return;
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Element i of the output. */
static gb_status read_element(const gb_problem *p, uint64_t i, mp_element *element, gb_error *error)
{
    const unsigned key_words = p->shape.key_bytes / 4, words = p->shape.payload_bytes / 4;
    uint64_t key[1] = {0};
    uint32_t payload[MP_PAYLOAD_WORDS] = {0};
    GB_TRY(cudaMemcpy(key, p->keys_out + i * key_words, p->shape.key_bytes, cudaMemcpyDeviceToHost),
           error);
    if (words)
        GB_TRY(cudaMemcpy(payload, p->payload_out + i * words, p->shape.payload_bytes,
                          cudaMemcpyDeviceToHost),
               error);
    *element = mp_load_element(&p->shape, key, payload, 0);
    return GB_OK;
}

static uint32_t host_bin_of(const gb_problem *p, const mp_element *element)
{
    return mp_bin_wide(p->shape.function, &p->host_bin, p->shape.key_bytes, element->key);
}

/* Brings output (and input, where a variant on the CPU could have changed it) to the device. */
static gb_status fetch_from_host(gb_job *job, cudaStream_t queue)
{
    gb_problem *p = job->problem;
    const bool input_too = (job->variant->flags & GB_HOST) != 0;
    const size_t keys = mp_keys_size(&p->shape), payload = mp_payload_size(&p->shape);
    if (!p->host_offsets)
        return gb_fail(&job->error, GB_CRASHED, "%s left no output in host memory",
                       job->variant->name);
    struct {
        void *to;
        const void *from;
        size_t size;
    } copies[] = {
        {p->offsets, p->host_offsets, ((size_t)p->shape.bins + 1) * sizeof *p->offsets},
        {p->keys_out, p->host_keys_out, keys},
        {p->payload_out, p->host_payload_out, payload},
        {p->keys_in, p->host_keys_in, input_too ? keys : 0},
        {p->payload_in, p->host_payload_in, input_too ? payload : 0},
    };
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        if (copies[i].size)
            GB_TRY(cudaMemcpyAsync(copies[i].to, copies[i].from, copies[i].size,
                                   cudaMemcpyHostToDevice, queue),
                   &job->error);
    return GB_OK;
}

/* Other variants use the same input: one that changed it is named and the input made again. */
static gb_status check_input(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    const mp_checker *checker = (const mp_checker *)p->checker;
    mp_hash now;
    gb_status status = mp_fingerprint(p, p->keys_in, p->payload_in, stream, &now, &job->error);
    if (status != GB_OK) return status;
    if (memcmp(&now, &checker->input, sizeof now) == 0) return GB_OK;
    status = mp_generate(p, &job->error);
    if (status == GB_OK) status = mp_fetch_input(p, &job->error);
    if (status != GB_OK) return status;
    return gb_fail(&job->error, GB_WRONG, "%s changed its input, which others share",
                   job->variant->name);
}

static gb_status check_offsets(gb_job *job)
{
    const gb_problem *p = job->problem;
    const mp_checker *checker = (const mp_checker *)p->checker;
    const uint32_t bins = p->shape.bins;
    GB_TRY(cudaMemcpy(checker->found, p->offsets, ((size_t)bins + 1) * sizeof(uint64_t),
                      cudaMemcpyDeviceToHost),
           &job->error);
    for (uint32_t b = 0; b <= bins; b++) {
        unsigned long long found = checker->found[b], right = checker->host_offsets[b];
        if (found == right) continue;
        if (b == bins)
            return gb_fail(&job->error, GB_WRONG,
                           "offsets[%u] = %llu, but the last bin ends at n = %llu", b, found,
                           right);
        return gb_fail(&job->error, GB_WRONG,
                       "offsets[%u] = %llu, but bin %u begins at %llu (%llu keys of the input fall "
                       "into it)",
                       b, found, b, right,
                       (unsigned long long)checker->host_offsets[b + 1] - right);
    }
    return GB_OK;
}

/* The bin whose part of the output holds index i. */
static gb_status first_defect(gb_job *job, cudaStream_t queue, uint64_t *index)
{
    const mp_checker *checker = (const mp_checker *)job->problem->checker;
    GB_TRY(
        cudaMemcpyAsync(index, checker->first_defect, sizeof *index, cudaMemcpyDeviceToHost, queue),
        &job->error);
    GB_TRY(cudaStreamSynchronize(queue), &job->error);
    return GB_OK;
}

static gb_status check_places(gb_job *job, cudaStream_t queue)
{
    const gb_problem *p = job->problem;
    const mp_checker *checker = (const mp_checker *)p->checker;
    uint64_t i;
    mp_element element = {};
    GB_TRY(cudaMemsetAsync(checker->first_defect, 0xFF, sizeof NO_DEFECT, queue), &job->error);
    GB_TRY(launch(find_misplaced, gb_grid(p->device, p->shape.n), dim3(GB_GRID_THREADS), 0, queue,
                  p->shape, p->bin, p->keys_out, checker->offsets,
                  reinterpret_cast<unsigned long long *>(checker->first_defect)),
           &job->error);
    gb_status status = first_defect(job, queue, &i);
    if (status != GB_OK || i == NO_DEFECT) return status;
    status = read_element(p, i, &element, &job->error);
    if (status != GB_OK) return status;
    uint32_t right = host_bin_of(p, &element);
    uint32_t here = gb_stretch_holding(checker->host_offsets, p->shape.bins, i);
    const uint64_t *offsets = checker->host_offsets;
    return gb_fail(&job->error, GB_WRONG,
                   "keys_out[%llu] = 0x%0*llx belongs to bin %u [%llu, %llu) but lies in bin %u "
                   "[%llu, %llu)",
                   (unsigned long long)i, (int)(2 * p->shape.key_bytes),
                   (unsigned long long)element.key, right, (unsigned long long)offsets[right],
                   (unsigned long long)offsets[right + 1], here, (unsigned long long)offsets[here],
                   (unsigned long long)offsets[here + 1]);
}

static gb_status check_exactly(gb_job *job)
{
    const gb_problem *p = job->problem;
    const size_t keys = mp_keys_size(&p->shape), payload = mp_payload_size(&p->shape);
    if (p->shape.n == 0 || p->shape.n > MP_EXACT_LIMIT) return GB_OK;
    char *memory = (char *)malloc(keys + payload);
    if (!memory) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    cudaError_t code = cudaMemcpy(memory, p->keys_out, keys, cudaMemcpyDeviceToHost);
    if (code == cudaSuccess && payload)
        code = cudaMemcpy(memory + keys, p->payload_out, payload, cudaMemcpyDeviceToHost);
    gb_status status = gb_cuda_status(code, "reading the output", &job->error);
    if (status == GB_OK)
        status = mp_compare_exactly(p, (job->variant->flags & GB_STABLE) != 0, memory,
                                    reinterpret_cast<uint32_t *>(memory + keys), &job->error);
    free(memory);
    return status;
}

static gb_status check_elements(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const mp_checker *checker = (const mp_checker *)p->checker;
    mp_hash found;
    gb_status status = mp_fingerprint(p, p->keys_out, p->payload_out, stream, &found, &job->error);
    if (status != GB_OK) return status;
    if (found.a == checker->input.a && found.b == checker->input.b) return GB_OK;
    return gb_fail(&job->error, GB_WRONG,
                   "the output is grouped into the right bins but is no permutation of the input: "
                   "%s were lost, repeated or changed",
                   p->payload_out ? "keys or payloads" : "keys");
}

static gb_status check_stability(gb_job *job, cudaStream_t queue)
{
    const gb_problem *p = job->problem;
    const mp_checker *checker = (const mp_checker *)p->checker;
    uint64_t i;
    mp_element before = {}, after = {};
    if (!(job->variant->flags & GB_STABLE) || !p->payload_out || p->shape.n == 0) return GB_OK;
    GB_TRY(cudaMemsetAsync(checker->first_defect, 0xFF, sizeof NO_DEFECT, queue), &job->error);
    GB_TRY(launch(find_unstable, gb_grid(p->device, p->shape.n), dim3(GB_GRID_THREADS), 0, queue,
                  p->shape, p->bin, p->keys_out, p->payload_out, checker->offsets, checker->wraps,
                  (uint32_t)((p->shape.n - 1) >> 32),
                  reinterpret_cast<unsigned long long *>(checker->first_defect)),
           &job->error);
    gb_status status = first_defect(job, queue, &i);
    if (status != GB_OK || i == NO_DEFECT) return status;
    status = read_element(p, i - 1, &before, &job->error);
    if (status == GB_OK) status = read_element(p, i, &after, &job->error);
    if (status != GB_OK) return status;
    const char *more = p->shape.payload_bytes > 4 ? "..." : "";
    return gb_fail(
        &job->error, GB_WRONG,
        "not stable: in bin %u, payload_out[%llu] = %u%s follows %u%s (payloads %s input "
        "positions)",
        host_bin_of(p, &after), (unsigned long long)i, after.payload[0], more, before.payload[0],
        more, *more ? "begin with" : "are");
}

gb_status mp_check(gb_job *job, gb_stream stream)
{
    cudaStream_t queue = gb_cuda_stream(stream);
    GB_TRY(cudaStreamSynchronize(queue), &job->error);
    gb_status status = GB_OK;
    if (mp_output_on_host(job)) status = fetch_from_host(job, queue);
    if (status == GB_OK) status = check_input(job, stream);
    if (status == GB_OK) status = check_offsets(job);
    if (status == GB_OK) status = check_places(job, queue);
    if (status == GB_OK) status = check_exactly(job);
    if (status == GB_OK) status = check_elements(job, stream);
    if (status == GB_OK) status = check_stability(job, queue);
    return status;
}
