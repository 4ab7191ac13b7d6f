/* Judges an output in full, on the device, wherever it lies: order, stability through the payload,
 * multiset of elements; up to RS_EXACT_LIMIT elements also element by element against the oracle,
 * which shows the stability of bare keys that are sorted by some of their bits. What lies in host
 * memory passes through the device in slices, so that data larger than it are judged as well. */
#include "common/cuda/grid.cuh"
#include "kernels/radix-sort/findings.cuh"
#include "kernels/radix-sort/problem.h"

#include <stdlib.h>
#include <string.h>

/* ---- kernels --------------------------------------------------------------------------------- */

/* The input as the generator defines it, read from nowhere. */
static __global__ void hash_truth(gb_dist dist, rs_shape shape, rs_findings *findings)
{
    rs_hash mine = {0, 0, 0};
    for (uint64_t i = gb_first(); i < shape.n; i += gb_stride())
        rs_hash_add(&mine, i, rs_make_key(&dist, shape.type, i),
                    rs_made_payload((uint32_t)i, rs_payload_words(&shape)));
    rs_add_up(&mine, findings);
}

/* The element before a slice. */
typedef struct predecessor {
    bool there;
    uint64_t key;
    uint32_t payload; /* its first word: where it was in the input */
} predecessor;

/* Elements [begin, begin + count) of an array that `keys` and `payload` (or NULL) hold from begin
 * on. An element is compared with the one before it if `ordered` says so. */
static __global__ void judge(rs_shape shape, const void *keys, const uint32_t *payload,
                             uint64_t begin, uint64_t count, predecessor before, bool ordered,
                             rs_findings *findings)
{
    const unsigned words = rs_payload_words(&shape);
    rs_hash mine = {0, 0, 0};
    for (uint64_t i = gb_first(); i < count; i += gb_stride()) {
        const uint64_t key = rs_load_key(shape.type, keys, i);
        const uint32_t number = payload ? payload[i * words] : 0;
        rs_hash_add(&mine, begin + i, key, rs_payload_number(payload + i * words, words));
        if (!ordered || (i == 0 && !before.there)) continue;
        const uint64_t field = rs_field(&shape, key);
        const uint64_t left =
            rs_field(&shape, i ? rs_load_key(shape.type, keys, i - 1) : before.key);
        const uint32_t left_number = payload && i ? payload[(i - 1) * words] : before.payload;
        const unsigned long long here = begin + i;
        if (left > field)
            atomicMin(reinterpret_cast<unsigned long long *>(&findings->misplaced), here);
        else if (payload && left == field && left_number >= number)
            atomicMin(reinterpret_cast<unsigned long long *>(&findings->unstable), here);
    }
    rs_add_up(&mine, findings);
}

/* ---- the truth ------------------------------------------------------------------------------- */

/* Whether the device makes the elements that the CPU makes. */
static gb_status compare_generators(const gb_problem *p, const gb_dist *dist, gb_error *error)
{
    const rs_checker *checker = static_cast<const rs_checker *>(p->checker);
    rs_hash here = {0, 0, 0};
    for (uint64_t i = 0; i < p->shape.n; i++)
        rs_hash_add(&here, i, rs_make_key(dist, p->shape.type, i),
                    rs_made_payload((uint32_t)i, rs_payload_words(&p->shape)));
    if (memcmp(&here, &checker->truth, sizeof here) == 0) return GB_OK;
    return gb_fail(error, GB_CRASHED,
                   "the device made other keys for dist %.40s, seed %llu than the CPU does: it "
                   "miscomputes, or was miscompiled for",
                   p->dist, (unsigned long long)p->seed);
}

gb_status rs_checker_open(gb_problem *problem, gb_error *error)
{
    rs_checker *checker = (rs_checker *)calloc(1, sizeof *checker);
    gb_dist dist;
    char why[160];
    rs_findings findings;
    if (!checker) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the checker");
    problem->checker = checker;
    if (!gb_dist_of(problem->dist, problem->seed, problem->shape.n, &dist, why))
        return gb_fail(error, GB_UNSUPPORTED, "%s", why);
    GB_TRY(cudaMalloc((void **)&checker->findings, sizeof *checker->findings), error);
    gb_status status = rs_findings_clear(checker->findings, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(hash_truth, gb_grid(problem->device, problem->shape.n), dim3(GB_GRID_THREADS), 0,
                  0, dist, problem->shape, checker->findings),
           error);
    status = rs_findings_fetch(checker->findings, &findings, error);
    checker->truth = findings.sum;
    if (status == GB_OK && problem->shape.n <= RS_EXACT_LIMIT)
        status = compare_generators(problem, &dist, error);
    return status;
}

void rs_checker_close(gb_problem *problem)
{
    rs_checker *checker = (rs_checker *)problem->checker;
    if (!checker) return;
    (void)cudaFree(checker->findings);
    (void)cudaFree(checker->slice_keys);
    (void)cudaFree(checker->slice_payload);
    free(checker);
    problem->checker = NULL;
}

/* ---- looking at an array --------------------------------------------------------------------- */

/* Elements somewhere: payload is NULL where there is none. */
typedef struct elements {
    bool on_host;
    const void *keys;
    const uint32_t *payload;
} elements;

static elements output_of(const gb_job *job)
{
    const gb_problem *p = job->problem;
    if (rs_output_on_host(job)) return elements{true, p->host_keys_out, p->host_payload_out};
    return elements{false, p->keys_out, p->payload_out};
}

/* The input that the variant could have changed. */
static elements input_of(const gb_job *job)
{
    const gb_problem *p = job->problem;
    if (p->keys_in && !(job->variant->flags & GB_HOST))
        return elements{false, p->keys_in, p->payload_in};
    return elements{true, p->host_keys_in, p->host_payload_in};
}

static gb_status read_element(const rs_shape *shape, const elements *from, uint64_t i,
                              predecessor *element, gb_error *error)
{
    const size_t size = rs_key_bytes(shape->type);
    uint64_t word[1] = {0};
    GB_TRY(
        cudaMemcpy(word, static_cast<const char *>(from->keys) + i * size, size, cudaMemcpyDefault),
        error);
    element->there = true;
    element->key = rs_load_key(shape->type, word, 0);
    element->payload = 0;
    if (from->payload)
        GB_TRY(cudaMemcpy(&element->payload, from->payload + i * rs_payload_words(shape), 4,
                          cudaMemcpyDefault),
               error);
    return GB_OK;
}

/* The n elements, judged. */
static gb_status look_at(gb_problem *p, const elements *all, bool ordered, rs_findings *findings,
                         gb_error *error)
{
    const rs_checker *checker = static_cast<const rs_checker *>(p->checker);
    const size_t size = rs_key_bytes(p->shape.type);
    const unsigned words = rs_payload_words(&p->shape);
    const uint64_t n = p->shape.n, slice = all->on_host ? (uint64_t)RS_SLICE : n;
    predecessor before = {false, 0, 0};
    gb_status status = rs_findings_clear(checker->findings, error);
    if (status == GB_OK && all->on_host) status = rs_make_slices(p, error);
    for (uint64_t begin = 0; status == GB_OK && begin < n; begin += slice) {
        const uint64_t count = n - begin < slice ? n - begin : slice;
        const void *keys = static_cast<const char *>(all->keys) + begin * size;
        const uint32_t *payload = all->payload ? all->payload + begin * words : NULL;
        if (all->on_host) {
            GB_TRY(cudaMemcpy(checker->slice_keys, keys, count * size, cudaMemcpyHostToDevice),
                   error);
            keys = checker->slice_keys;
            if (payload) {
                GB_TRY(cudaMemcpy(checker->slice_payload, payload, count * p->shape.payload,
                                  cudaMemcpyHostToDevice),
                       error);
                payload = checker->slice_payload;
            }
        }
        if (begin) status = read_element(&p->shape, all, begin - 1, &before, error);
        if (status != GB_OK) return status;
        GB_TRY(launch(judge, gb_grid(p->device, count), dim3(GB_GRID_THREADS), 0, 0, p->shape, keys,
                      payload, begin, count, before, ordered, checker->findings),
               error);
        GB_TRY(cudaDeviceSynchronize(), error);
    }
    return status == GB_OK ? rs_findings_fetch(checker->findings, findings, error) : status;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Other variants use the same input: one that changed it is named and the input made again. */
static gb_status check_input(gb_job *job)
{
    gb_problem *p = job->problem;
    const rs_checker *checker = static_cast<const rs_checker *>(p->checker);
    const elements input = input_of(job);
    rs_findings now;
    if (!input.keys)
        return gb_fail(&job->error, GB_CRASHED, "%s asked for no data", job->variant->name);
    gb_status status = look_at(p, &input, false, &now, &job->error);
    if (status != GB_OK) return status;
    if (memcmp(&now.sum, &checker->truth, sizeof now.sum) == 0) return GB_OK;
    if (!input.on_host)
        status = rs_generate(p, 0, p->shape.n, p->keys_in, p->payload_in, &job->error);
    if (status != GB_OK) return status;
    return gb_fail(&job->error, GB_WRONG, "%s changed its input, which others share",
                   job->variant->name);
}

static gb_status report_pair(gb_job *job, const elements *output, uint64_t i, bool misplaced)
{
    predecessor left = {false, 0, 0}, right = {false, 0, 0};
    gb_status status = read_element(&job->problem->shape, output, i - 1, &left, &job->error);
    if (status == GB_OK)
        status = read_element(&job->problem->shape, output, i, &right, &job->error);
    if (status != GB_OK) return status;
    const unsigned long long index = i, a = left.key, b = right.key;
    if (misplaced)
        return gb_fail(&job->error, GB_WRONG,
                       "not sorted: keys_out[%llu] = 0x%0*llx belongs before keys_out[%llu] = "
                       "0x%0*llx",
                       index, (int)(2 * rs_key_bytes(job->problem->shape.type)), b, index - 1,
                       (int)(2 * rs_key_bytes(job->problem->shape.type)), a);
    return gb_fail(&job->error, GB_WRONG,
                   "not stable: payload_out[%llu] = %u follows %u, though their keys are equal "
                   "(payloads are input positions)",
                   index, right.payload, left.payload);
}

/* Element by element, against the oracle: a stable variant must give its sequence. Others agree
 * with it in the fields alone, and that was seen already. */
static gb_status check_exactly(gb_job *job, const elements *output)
{
    const gb_problem *p = job->problem;
    const uint64_t n = p->shape.n;
    const size_t size = rs_key_bytes(p->shape.type);
    gb_dist dist;
    if (n > RS_EXACT_LIMIT || !(job->variant->flags & GB_STABLE)) return GB_OK;
    if (!gb_dist_of(p->dist, p->seed, n, &dist, NULL))
        return gb_fail(&job->error, GB_UNSUPPORTED, "dist '%.40s'", p->dist);
    const unsigned words = rs_payload_words(&p->shape);
    char *memory = (char *)malloc(n * (2 * 8 + 32 + 4 + p->shape.payload) + 64);
    if (!memory) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    char *right = memory, *found = right + n * 8, *scratch = found + n * 8;
    uint32_t *right_payload = (uint32_t *)(scratch + n * 32), *found_payload = right_payload + n;
    for (uint64_t i = 0; i < n; i++) {
        rs_store_key(p->shape.type, right, i, rs_make_key(&dist, p->shape.type, i));
        right_payload[i] = (uint32_t)i;
    }
    rs_oracle(&p->shape, right, output->payload ? right_payload : NULL, scratch);
    cudaError_t code = cudaMemcpy(found, output->keys, n * size, cudaMemcpyDefault);
    if (code == cudaSuccess && output->payload)
        code = cudaMemcpy(found_payload, output->payload, n * p->shape.payload, cudaMemcpyDefault);
    gb_status status = gb_cuda_status(code, "reading the output", &job->error);
    for (uint64_t i = 0; status == GB_OK && i < n; i++) {
        const unsigned long long key = rs_load_key(p->shape.type, found, i);
        const unsigned long long expected = rs_load_key(p->shape.type, right, i);
        if (key != expected)
            status = gb_fail(&job->error, GB_WRONG, "keys_out[%llu] = 0x%llx, not 0x%llx",
                             (unsigned long long)i, key, expected);
        for (unsigned w = 0; status == GB_OK && w < words; w++) {
            const uint32_t word = found_payload[i * words + w];
            const uint32_t right_word = rs_payload_word(right_payload[i], w);
            if (word != right_word)
                status = gb_fail(&job->error, GB_WRONG, "word %u of payload_out[%llu] = %u, not %u",
                                 w, (unsigned long long)i, word, right_word);
        }
    }
    free(memory);
    return status;
}

gb_status rs_check(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    const rs_checker *checker = static_cast<const rs_checker *>(p->checker);
    const elements output = output_of(job);
    rs_findings found = {};
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    gb_status status = check_input(job);
    if (status != GB_OK) return status;
    if (!output.keys)
        return gb_fail(&job->error, GB_CRASHED, "%s left no output", job->variant->name);
    status = look_at(p, &output, true, &found, &job->error);
    if (status != GB_OK) return status;
    if (found.misplaced != RS_NO_DEFECT) return report_pair(job, &output, found.misplaced, true);
    if (found.sum.a != checker->truth.a || found.sum.b != checker->truth.b)
        return gb_fail(&job->error, GB_WRONG,
                       "the output is sorted but is no permutation of the input: %s were lost, "
                       "repeated or changed",
                       output.payload ? "keys or payloads" : "keys");
    if ((job->variant->flags & GB_STABLE) && found.unstable != RS_NO_DEFECT)
        return report_pair(job, &output, found.unstable, false);
    return check_exactly(job, &output);
}
