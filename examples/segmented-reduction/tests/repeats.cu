/* Sums of floats that are no whole numbers by merge-path, on the simt device: prints their bits,
 * which must be the same under whichever schedule, and fails where one is further from the sum in
 * double precision than n roundings are (Higham 2002, "Accuracy and Stability of Numerical
 * Algorithms", section 4.2: any order of adding). */
#include "segmented_reduction.h"

#include "common/cuda/device.cuh"
#include "common/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements: so many tiles that one block adds what they carry to each other, and that several do.
 */
enum { FEW = 20011, MOST = 70001, SEGMENTS = 397 };

static float values[MOST], sums[SEGMENTS];
static uint32_t offsets[SEGMENTS + 1];

/* Every third segment is empty, one has half of all elements, the others share the rest. */
static void make_input(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        values[i] = (float)gb_random(1, 0, i).word[0] * 0x1p-31f - 1.0f;
    for (uint32_t s = 1; s <= SEGMENTS; s++)
        offsets[s] = s == SEGMENTS ? n : s * (n / 2 / SEGMENTS) + (s > 200 ? n / 2 : 0);
    for (uint32_t s = 2; s < SEGMENTS; s += 3)
        offsets[s] = offsets[s - 1];
}

static bool near(uint32_t s)
{
    double sum = 0, all = 0;
    for (uint32_t i = offsets[s]; i < offsets[s + 1]; i++) {
        sum += (double)values[i];
        all += fabs((double)values[i]);
    }
    const double bound = (offsets[s + 1] - offsets[s]) * 0x1p-24 * all;
    if (fabs((double)sums[s] - sum) <= bound) return true;
    printf("segment %u: %.9g is further than %g from %.17g\n", s, (double)sums[s], bound, sum);
    return false;
}

static gb_status sum_all(gb_job *job)
{
    gb_problem *p = job->problem;
    GB_TRY(cudaMalloc(&p->values, sizeof values), &job->error);
    GB_TRY(cudaMalloc((void **)&p->offsets, sizeof offsets), &job->error);
    GB_TRY(cudaMalloc(&p->sums, sizeof sums), &job->error);
    GB_TRY(cudaMemcpy(p->values, values, sizeof values, cudaMemcpyHostToDevice), &job->error);
    GB_TRY(cudaMemcpy(p->offsets, offsets, sizeof offsets, cudaMemcpyHostToDevice), &job->error);
    gb_status status = sr_merge_path.prepare(job);
    if (status == GB_OK) status = sr_merge_path.run(job, NULL);
    if (status == GB_OK) GB_TRY(cudaDeviceSynchronize(), &job->error);
    sr_merge_path.cleanup(job);
    GB_TRY(cudaMemcpy(sums, p->sums, sizeof sums, cudaMemcpyDeviceToHost), &job->error);
    return status;
}

static bool judge(uint32_t n)
{
    gb_problem problem = {};
    gb_job job = {};
    problem.shape = {n, SEGMENTS, SR_UNIFORM, SR_F32};
    job.problem = &problem;
    make_input(n);
    if (sum_all(&job) != GB_OK) {
        printf("%s\n", job.error.text);
        return false;
    }
    bool good = true;
    for (uint32_t s = 0; s < SEGMENTS; s++) {
        uint32_t bits;
        memcpy(&bits, &sums[s], sizeof bits);
        printf("%08x\n", bits);
        good &= near(s);
    }
    return good;
}

int main(void)
{
    const bool few = judge(FEW), most = judge(MOST);
    return !(few && most);
}
