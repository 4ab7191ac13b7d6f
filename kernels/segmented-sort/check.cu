/* Judges an output in full, on the device: order within each segment, stability through the
 * payload, which elements each segment has; up to RS_EXACT_LIMIT elements also element by element
 * against the oracle. Input and offsets must be as they were. */
#include "common/cuda/grid.cuh"
#include "common/cuda/search.cuh"
#include "kernels/radix-sort/findings.cuh"
#include "kernels/radix-sort/problem.h"
#include "kernels/segmented-sort/segmented_sort.h"

#include <stdlib.h>
#include <string.h>

typedef struct sg_checker {
    rs_hash truth;         /* of the input, from the generator and the offsets alone */
    rs_findings *findings; /* device: one */
} sg_checker;

/* ---- kernels --------------------------------------------------------------------------------- */

/* Adds element i of a segment: the same element of another one has another hash. */
GB_RANDOM_FN void hash_element(rs_hash *hash, uint64_t i, uint32_t segment, uint64_t key,
                               uint32_t payload)
{
    rs_hash_add(hash, i, gb_mix64(key + 0x9E3779B97F4A7C15ull) + segment, payload);
}

/* The input as the generator defines it, read from nowhere. */
static __global__ void sg_hash_truth(gb_dist dist, rs_shape shape, const uint32_t *offsets,
                                     uint32_t segments, rs_findings *findings)
{
    rs_hash mine = {0, 0, 0};
    for (uint64_t i = gb_first(); i < shape.n; i += gb_stride())
        hash_element(&mine, i, gb_stretch_holding(offsets, segments, i),
                     rs_make_key(&dist, shape.type, i), shape.payload ? (uint32_t)i : 0);
    rs_add_up(&mine, findings);
}

/* An element is compared with the one before it in its segment if `ordered` says so. */
static __global__ void sg_judge(rs_shape shape, const uint32_t *offsets, uint32_t segments,
                                const void *keys, const uint32_t *payload, bool ordered,
                                rs_findings *findings)
{
    rs_hash mine = {0, 0, 0};
    for (uint64_t i = gb_first(); i < shape.n; i += gb_stride()) {
        const uint64_t key = rs_load_key(shape.type, keys, i);
        const uint32_t number = payload ? payload[i] : 0;
        const uint32_t segment = gb_stretch_holding(offsets, segments, i);
        hash_element(&mine, i, segment, key, number);
        if (!ordered || i == offsets[segment]) continue;
        const uint64_t field = rs_field(&shape, key);
        const uint64_t left = rs_field(&shape, rs_load_key(shape.type, keys, i - 1));
        const unsigned long long here = i;
        if (left > field)
            atomicMin(reinterpret_cast<unsigned long long *>(&findings->misplaced), here);
        else if (payload && left == field && payload[i - 1] >= number)
            atomicMin(reinterpret_cast<unsigned long long *>(&findings->unstable), here);
    }
    rs_add_up(&mine, findings);
}

/* ---- the truth ------------------------------------------------------------------------------- */

/* Whether the device makes the elements that the CPU makes, in the segments that it has. */
static gb_status compare_generators(const sg_problem *p, const gb_dist *dist, gb_error *error)
{
    const sg_checker *checker = static_cast<const sg_checker *>(p->checker);
    const rs_shape *shape = &p->shape.sort;
    rs_hash here = {0, 0, 0};
    for (uint32_t s = 0; s < p->segments; s++)
        for (uint64_t i = p->host_offsets[s]; i < p->host_offsets[s + 1]; i++)
            hash_element(&here, i, s, rs_make_key(dist, shape->type, i),
                         shape->payload ? (uint32_t)i : 0);
    if (memcmp(&here, &checker->truth, sizeof here) == 0) return GB_OK;
    return gb_fail(error, GB_CRASHED,
                   "the device made other keys or segments for dist %.40s, seed %llu than the CPU "
                   "does: it miscomputes, or was miscompiled for",
                   p->sort.dist, (unsigned long long)p->sort.seed);
}

gb_status sg_checker_open(sg_problem *problem, gb_error *error)
{
    const rs_shape *shape = &problem->shape.sort;
    sg_checker *checker = (sg_checker *)calloc(1, sizeof *checker);
    gb_dist dist;
    char why[160];
    rs_findings findings;
    if (!checker) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the checker");
    problem->checker = checker;
    if (!gb_dist_of(problem->sort.dist, problem->sort.seed, shape->n, &dist, why))
        return gb_fail(error, GB_UNSUPPORTED, "%s", why);
    GB_TRY(cudaMalloc((void **)&checker->findings, sizeof *checker->findings), error);
    gb_status status = rs_findings_clear(checker->findings, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(sg_hash_truth, gb_grid(problem->sort.device, shape->n), dim3(GB_GRID_THREADS), 0,
                  0, dist, *shape, problem->offsets, problem->segments, checker->findings),
           error);
    status = rs_findings_fetch(checker->findings, &findings, error);
    checker->truth = findings.sum;
    if (status == GB_OK && shape->n <= RS_EXACT_LIMIT)
        status = compare_generators(problem, &dist, error);
    return status;
}

void sg_checker_close(sg_problem *problem)
{
    sg_checker *checker = (sg_checker *)problem->checker;
    if (!checker) return;
    (void)cudaFree(checker->findings);
    free(checker);
    problem->checker = NULL;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* All n elements, judged. */
static gb_status look_at(const sg_problem *p, const void *keys, const uint32_t *payload,
                         bool ordered, rs_findings *findings, gb_error *error)
{
    const sg_checker *checker = static_cast<const sg_checker *>(p->checker);
    gb_status status = rs_findings_clear(checker->findings, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(sg_judge, gb_grid(p->sort.device, p->shape.sort.n), dim3(GB_GRID_THREADS), 0, 0,
                  p->shape.sort, p->offsets, p->segments, keys, payload, ordered,
                  checker->findings),
           error);
    GB_TRY(cudaDeviceSynchronize(), error);
    return rs_findings_fetch(checker->findings, findings, error);
}

/* Other variants and the checker use the same offsets: who changed them is named, and they are
 * written again. */
static gb_status check_offsets(gb_job *job)
{
    const sg_problem *p = sg_problem_of(job->problem);
    const size_t bytes = ((size_t)p->segments + 1) * sizeof(uint32_t);
    uint32_t *found = (uint32_t *)malloc(bytes);
    if (!found) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    gb_status status = gb_cuda_status(cudaMemcpy(found, p->offsets, bytes, cudaMemcpyDeviceToHost),
                                      "reading where the segments begin", &job->error);
    if (status == GB_OK && memcmp(found, p->host_offsets, bytes) != 0) {
        status =
            gb_cuda_status(cudaMemcpy(p->offsets, p->host_offsets, bytes, cudaMemcpyHostToDevice),
                           "writing where the segments begin", &job->error);
        if (status == GB_OK)
            status = gb_fail(&job->error, GB_WRONG,
                             "%s changed where the segments begin, which others share",
                             job->variant->name);
    }
    free(found);
    return status;
}

/* Likewise of the input. */
static gb_status check_input(gb_job *job)
{
    sg_problem *p = sg_problem_of(job->problem);
    const sg_checker *checker = static_cast<const sg_checker *>(p->checker);
    rs_findings now;
    if (!p->sort.keys_in)
        return gb_fail(&job->error, GB_CRASHED, "%s asked for no data", job->variant->name);
    gb_status status = look_at(p, p->sort.keys_in, p->sort.payload_in, false, &now, &job->error);
    if (status != GB_OK) return status;
    if (memcmp(&now.sum, &checker->truth, sizeof now.sum) == 0) return GB_OK;
    status =
        rs_generate(&p->sort, 0, p->shape.sort.n, p->sort.keys_in, p->sort.payload_in, &job->error);
    if (status != GB_OK) return status;
    return gb_fail(&job->error, GB_WRONG, "%s changed its input, which others share",
                   job->variant->name);
}

/* The output's elements i - 1 and i, which are of one segment. */
static gb_status report_pair(gb_job *job, uint64_t i, bool misplaced)
{
    const sg_problem *p = sg_problem_of(job->problem);
    const size_t size = rs_key_bytes(p->shape.sort.type);
    const unsigned segment = gb_stretch_holding(p->host_offsets, p->segments, i);
    uint64_t word[2] = {0, 0};
    uint32_t payload[2] = {0, 0};
    GB_TRY(cudaMemcpy(word, static_cast<const char *>(p->sort.keys_out) + (i - 1) * size, 2 * size,
                      cudaMemcpyDeviceToHost),
           &job->error);
    if (p->sort.payload_out)
        GB_TRY(cudaMemcpy(payload, p->sort.payload_out + i - 1, sizeof payload,
                          cudaMemcpyDeviceToHost),
               &job->error);
    const unsigned long long index = i, left = rs_load_key(p->shape.sort.type, word, 0),
                             right = rs_load_key(p->shape.sort.type, word, 1);
    if (misplaced)
        return gb_fail(&job->error, GB_WRONG,
                       "segment %u, which begins at %u, is not sorted: keys_out[%llu] = 0x%0*llx "
                       "belongs before keys_out[%llu] = 0x%0*llx",
                       segment, p->host_offsets[segment], index, (int)(2 * size), right, index - 1,
                       (int)(2 * size), left);
    return gb_fail(&job->error, GB_WRONG,
                   "segment %u, which begins at %u, is not stable: payload_out[%llu] = %u follows "
                   "%u, though their keys are equal (payloads are input positions)",
                   segment, p->host_offsets[segment], index, payload[1], payload[0]);
}

/* Element by element, against the oracle; of variants that claim to be stable, for others agree
 * with it in the keys alone, and that was seen already. */
static gb_status check_exactly(gb_job *job)
{
    const sg_problem *p = sg_problem_of(job->problem);
    const rs_type type = p->shape.sort.type;
    const uint64_t n = p->shape.sort.n;
    gb_dist dist;
    if (n > RS_EXACT_LIMIT || !(job->variant->flags & GB_STABLE)) return GB_OK;
    if (!gb_dist_of(p->sort.dist, p->sort.seed, n, &dist, NULL))
        return gb_fail(&job->error, GB_UNSUPPORTED, "dist '%.40s'", p->sort.dist);
    char *memory = (char *)malloc(n * (32 + 2 * 16) + 64);
    if (!memory) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    char *right = memory, *found = right + n * 8, *scratch = found + n * 8;
    uint32_t *right_payload = (uint32_t *)(scratch + n * 32), *found_payload = right_payload + n;
    for (uint64_t i = 0; i < n; i++) {
        rs_store_key(type, right, i, rs_make_key(&dist, type, i));
        right_payload[i] = found_payload[i] = (uint32_t)i;
    }
    sg_oracle(&p->shape, p->host_offsets, p->segments, right,
              p->sort.payload_out ? right_payload : NULL, scratch);
    cudaError_t code =
        cudaMemcpy(found, p->sort.keys_out, n * rs_key_bytes(type), cudaMemcpyDeviceToHost);
    if (code == cudaSuccess && p->sort.payload_out)
        code = cudaMemcpy(found_payload, p->sort.payload_out, n * 4, cudaMemcpyDeviceToHost);
    gb_status status = gb_cuda_status(code, "reading the output", &job->error);
    for (uint64_t i = 0; status == GB_OK && i < n; i++) {
        const unsigned long long key = rs_load_key(type, found, i);
        const unsigned long long expected = rs_load_key(type, right, i);
        if (key != expected)
            status = gb_fail(&job->error, GB_WRONG, "keys_out[%llu] = 0x%llx, not 0x%llx",
                             (unsigned long long)i, key, expected);
        else if (found_payload[i] != right_payload[i])
            status = gb_fail(&job->error, GB_WRONG, "payload_out[%llu] = %u, not %u",
                             (unsigned long long)i, found_payload[i], right_payload[i]);
    }
    free(memory);
    return status;
}

gb_status sg_check(gb_job *job, gb_stream stream)
{
    const sg_problem *p = sg_problem_of(job->problem);
    const sg_checker *checker = static_cast<const sg_checker *>(p->checker);
    rs_findings found = {};
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    gb_status status = check_offsets(job);
    if (status == GB_OK) status = check_input(job);
    if (status == GB_OK)
        status = look_at(p, p->sort.keys_out, p->sort.payload_out, true, &found, &job->error);
    if (status != GB_OK) return status;
    if (found.misplaced != RS_NO_DEFECT) return report_pair(job, found.misplaced, true);
    if (found.sum.a != checker->truth.a || found.sum.b != checker->truth.b)
        return gb_fail(&job->error, GB_WRONG,
                       "every segment is sorted but some do not have the keys%s of the input's: "
                       "they were lost, repeated, changed or moved to another segment",
                       p->sort.payload_out ? " and payloads" : "");
    if ((job->variant->flags & GB_STABLE) && found.unstable != RS_NO_DEFECT)
        return report_pair(job, found.unstable, false);
    return check_exactly(job);
}
