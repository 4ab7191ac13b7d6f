/* Judges what a run has found: of up to OC_FEW bodies every answer, of more those of some thousand,
 * by a look at all bodies, and of every answer what can be seen by itself: numbers of other bodies,
 * each once, the nearest first. A tree is judged as kernels/octree does. Of a build alone the
 * queries are asked once, and their answers judged. */
#include "kernels/octree-neighbours/neighbours.cuh"
#include "kernels/octree/check.h"

#include <inttypes.h>
#include <stdlib.h>

enum { CHECK_THREADS = 256, SOME = 8192, SAMPLE_STREAM = 200 };

static const unsigned long long NOWHERE = ~0ull;

/* What can be wrong, in the order in which it is reported. */
enum nn_defect {
    NO_BODY, /* what is named is none, or the body itself */
    TWICE,   /* a body is named a second time */
    MISSING, /* fewer are named than there are */
    ORDER,   /* a nearer one comes behind a farther one */
    FARTHER, /* there is a nearer one that is not named */
    COUNT,   /* there are more, or fewer, within the radius */
    OTHERS,  /* there are as many, but others */
    DEFECTS
};

static const char *const said[] = {
    "the neighbours of body %llu have one that is no other body",
    "the neighbours of body %llu have one twice",
    "body %llu has fewer neighbours than there are",
    "the neighbours of body %llu do not come in the order of their distance",
    "the neighbours of body %llu are not the nearest",
    "of body %llu there are not so many within the radius",
    "of body %llu others are within the radius",
};
static_assert(sizeof said / sizeof *said == DEFECTS, "one for each kind, in order");

/* The first body of each kind; NOWHERE: there is none. */
typedef struct nn_findings {
    unsigned long long at[DEFECTS];
} nn_findings;

/* What is looked at. */
typedef struct nn_judged {
    const float4 *bodies;
    uint64_t n;
    unsigned k;     /* of each, at most n - 1 */
    unsigned named; /* numbers that each has room for */
    float r2;
    nn_found found;
    uint64_t looked; /* bodies whose answers are held against all bodies */
    uint64_t seed;
    nn_findings *findings;
} nn_judged;

static __device__ void note(const nn_judged &t, nn_defect kind, uint64_t body)
{
    atomicMin(&t.findings->at[kind], (unsigned long long)body);
}

/* What can be seen of each answer by itself. */
static __global__ void nn_judge_names(nn_judged t)
{
    for (uint64_t i = gb_first(); i < t.n; i += gb_stride()) {
        const uint32_t *names = t.found.nearest + i * t.named;
        float before = 0;
        for (unsigned j = 0; j < t.named; j++) {
            if (j >= t.k) {
                if (names[j] != OC_EMPTY) note(t, NO_BODY, i);
                continue;
            }
            if (names[j] == OC_EMPTY) {
                note(t, MISSING, i);
                break;
            }
            if (names[j] >= t.n || names[j] == i) {
                note(t, NO_BODY, i);
                break;
            }
            for (unsigned l = 0; l < j; l++)
                if (names[l] == names[j]) note(t, TWICE, i);
            const float d2 = nn_distance2(t.bodies[names[j]], t.bodies[i]);
            if (d2 < before) note(t, ORDER, i);
            before = d2;
        }
    }
}

/* A block a body: all others that are nearer than the farthest that is named are named, for there
 * are fewer than k of them; or how many there are within the radius. */
static __global__ void __launch_bounds__(CHECK_THREADS) nn_look_at_all(nn_judged t)
{
    __shared__ unsigned count, hash;
    const uint64_t begin = blockIdx.x * t.n / t.looked, end = (blockIdx.x + 1ull) * t.n / t.looked;
    const uint64_t self =
        begin + gb_random(t.seed, SAMPLE_STREAM, blockIdx.x).word[0] % (end - begin);
    const float4 at = t.bodies[self];
    const bool nearest = t.found.nearest;
    float most = t.r2;
    if (nearest)
        most = t.k ? nn_distance2(t.bodies[t.found.nearest[self * t.named + t.k - 1]], at) : -1.0f;
    if (threadIdx.x == 0) count = hash = 0;
    __syncthreads();
    for (uint64_t i = threadIdx.x; i < t.n; i += CHECK_THREADS) {
        const float d2 = nn_distance2(t.bodies[i], at);
        if (i == self || d2 > most || (nearest && !(d2 < most))) continue;
        atomicAdd(&count, 1u);
        atomicAdd(&hash, nn_hash((uint32_t)i));
    }
    __syncthreads();
    if (threadIdx.x) return;
    if (nearest) {
        if (count >= t.k && t.k) note(t, FARTHER, self);
    } else if (t.found.within[self].count != count) {
        note(t, COUNT, self);
    } else if (t.found.within[self].hash != hash) {
        note(t, OTHERS, self);
    }
}

static gb_status verdict(const nn_judged *t, gb_error *error)
{
    nn_findings found;
    GB_TRY(cudaMemcpy(&found, t->findings, sizeof found, cudaMemcpyDeviceToHost), error);
    for (int kind = 0; kind < DEFECTS; kind++)
        if (found.at[kind] != NOWHERE)
            /* the format is one of those above: NOLINTNEXTLINE(clang-diagnostic-format-*) */
            return gb_fail(error, GB_WRONG, said[kind], found.at[kind]);
    return GB_OK;
}

static gb_status judge_answers(const nn_judged *t, const gb_device *device, gb_error *error)
{
    nn_findings none;
    for (unsigned long long &at : none.at)
        at = NOWHERE;
    GB_TRY(cudaMemcpy(t->findings, &none, sizeof none, cudaMemcpyHostToDevice), error);
    if (t->found.nearest) {
        GB_TRY(launch(nn_judge_names, gb_grid(device, t->n), dim3(GB_GRID_THREADS), 0, 0, *t),
               error);
        const gb_status status = verdict(t, error);
        if (status != GB_OK) return status;
    }
    GB_TRY(launch(nn_look_at_all, dim3((unsigned)t->looked), dim3(CHECK_THREADS), 0, 0, *t), error);
    return verdict(t, error);
}

static gb_status judge(gb_job *job)
{
    const nn_state *state = static_cast<const nn_state *>(job->state);
    const nn_problem *p = nn_problem_of(job);
    const uint64_t n = p->shape.bodies.n;
    nn_judged t = {};
    t.bodies = static_cast<const float4 *>(p->tree->bodies);
    t.n = n;
    t.named = p->shape.k;
    t.k = n > p->shape.k ? p->shape.k : (unsigned)n - 1;
    t.r2 = p->radius * p->radius;
    t.found = state->found;
    t.looked = n <= OC_FEW ? n : (uint64_t)SOME;
    t.seed = p->tree->seed;
    gb_status status =
        gb_cuda_malloc((void **)&t.findings, sizeof *t.findings, "the checker", &job->error);
    if (status == GB_OK) status = judge_answers(&t, job->device, &job->error);
    (void)cudaFree(t.findings);
    return status;
}

gb_status nn_check(gb_job *job, gb_stream stream)
{
    const nn_state *state = static_cast<const nn_state *>(job->state);
    const nn_problem *p = nn_problem_of(job);
    oc_view view = {};
    gb_status status = GB_OK;
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    if (state->view) {
        status = state->view(job, &view);
        if (status == GB_OK) status = oc_judge(p->tree, &view, NULL, &job->error);
    }
    if (status != GB_OK || p->shape.bodies.n == 0) return status;
    if (p->shape.stage == NN_BUILD) {
        status = nn_ask_once(job);
        if (status != GB_OK) return status;
    }
    return judge(job);
}
