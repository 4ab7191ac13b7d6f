/* Judges what a run leaves: the tree as kernels/octree does, then the sums of all cells, then the
 * force on every body, and on some of them by all pairs. */
#include "kernels/octree-nbody/check.cuh"

#include "kernels/octree/check.h"

#include <inttypes.h>
#include <stdlib.h>

/* Bodies that are looked at closely: all of few. */
enum { CLOSELY = 512, CLOSELY_WITHOUT_TREE = 4096, SAMPLE_STREAM = 200 };

/* How far forces are from those of all pairs, of the bodies that are looked at closely; lengths of
 * differences by lengths of forces, rms: roots of means of squares. */
typedef struct accuracy {
    uint64_t bodies;
    double rms, rms_alone; /* of a job's forces, and of those by a walk of each body */
    double median, most_of_99, most;
    double energy; /* by how much the sum of potentials is off, of it */
    double pulls;  /* rms of the sums of the pulls' lengths, by that of forces */
} accuracy;

typedef struct workspace {
    nb_judged of;
    nb_sample *host, *device;
    uint64_t samples;
    accuracy found;
} workspace;

static void free_workspace(workspace *w)
{
    (void)cudaFree(w->of.counts);
    (void)cudaFree(w->of.found);
    (void)cudaFree(w->device);
    free(w->host);
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static const char *const said[] = {
    "the mass of cell %llu is not that of its bodies",
    "the centre of mass of cell %llu is not that of its bodies",
    "the distance from which cell %llu is a point is not that of its edge and its bodies",
    "the force on body %llu is not near that of its own walk through the tree",
    "the potential of body %llu is not near that of its own walk through the tree",
};
static_assert(sizeof said / sizeof *said == DEFECTS, "one for each kind, in order");

static gb_status begin_findings(nb_judged *t, gb_error *error)
{
    nb_findings none;
    for (unsigned long long &at : none.at)
        at = NOWHERE;
    if (!t->found) {
        const gb_status status =
            gb_cuda_malloc((void **)&t->found, sizeof none, "the checker", error);
        if (status != GB_OK) return status;
    }
    GB_TRY(cudaMemcpy(t->found, &none, sizeof none, cudaMemcpyHostToDevice), error);
    return GB_OK;
}

static gb_status verdict(const nb_judged *t, gb_error *error)
{
    nb_findings found;
    GB_TRY(cudaMemcpy(&found, t->found, sizeof found, cudaMemcpyDeviceToHost), error);
    for (int kind = 0; kind < DEFECTS; kind++)
        if (found.at[kind] != NOWHERE)
            /* the format is one of those above: NOLINTNEXTLINE(clang-diagnostic-format-*) */
            return gb_fail(error, GB_WRONG, said[kind], found.at[kind]);
    return GB_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

#define OVER(kernel, count, ...) \
    GB_TRY(launch(kernel, gb_grid(device, count), dim3(GB_GRID_THREADS), 0, 0, __VA_ARGS__), error)

static gb_status check_sums(nb_judged *t, const gb_device *device, gb_error *error)
{
    const uint64_t bytes = t->cells * sizeof *t->counts;
    gb_status status = gb_cuda_malloc((void **)&t->counts, bytes + 16, "the checker", error);
    if (status == GB_OK) status = begin_findings(t, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemset(t->counts, 0, bytes), error);
    OVER(count_into_cells, t->n, *t);
    OVER(judge_sums, t->cells, *t);
    return verdict(t, error);
}

static gb_status check_forces(nb_judged *t, const gb_device *device, gb_error *error)
{
    const gb_status status = begin_findings(t, error);
    if (status != GB_OK) return status;
    OVER(judge_forces, t->n, *t);
    return verdict(t, error);
}

/* Draws the bodies that are looked at closely, and does so. */
static gb_status look(workspace *w, bool has_tree, uint64_t seed, gb_error *error)
{
    const nb_judged *t = &w->of;
    const uint64_t most = has_tree ? CLOSELY : CLOSELY_WITHOUT_TREE;
    w->samples = t->n < most ? t->n : most;
    const uint64_t bytes = w->samples * sizeof *w->host;
    w->host = (nb_sample *)calloc(w->samples + 1, sizeof *w->host);
    if (!w->host) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the checker");
    for (uint64_t k = 0; k < w->samples; k++) { /* one anywhere in each equal share */
        const uint64_t begin = k * t->n / w->samples, end = (k + 1) * t->n / w->samples;
        const uint32_t any = gb_random(seed, SAMPLE_STREAM, k).word[0];
        w->host[k].body = (uint32_t)(begin + any % (end - begin));
    }
    const gb_status status = gb_cuda_malloc((void **)&w->device, bytes + 16, "the checker", error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpy(w->device, w->host, bytes, cudaMemcpyHostToDevice), error);
    GB_TRY(launch(look_closely, dim3((unsigned)w->samples), dim3(PAIR_THREADS), 0, 0, *t, w->device,
                  has_tree),
           error);
    GB_TRY(cudaMemcpy(w->host, w->device, bytes, cudaMemcpyDeviceToHost), error);
    return GB_OK;
}

static int by_value(const void *a, const void *b)
{
    const double x = *static_cast<const double *>(a), y = *static_cast<const double *>(b);
    return (x > y) - (x < y);
}

static double length(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

static gb_status measure(workspace *w, gb_error *error)
{
    accuracy *a = &w->found;
    double forces = 0, is = 0, alone = 0, pulls = 0, potential = 0, off = 0;
    double *relative = (double *)calloc(w->samples + 1, sizeof *relative);
    if (!relative) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the checker");
    for (uint64_t k = 0; k < w->samples; k++) {
        const nb_sample *s = &w->host[k];
        const nb_pulled *p = &s->pairs, *b = &s->alone;
        const double force = length(p->x, p->y, p->z);
        const double error_is =
            length((double)s->is.x - p->x, (double)s->is.y - p->y, (double)s->is.z - p->z);
        const double error_alone = length(b->x - p->x, b->y - p->y, b->z - p->z);
        forces += force * force;
        is += error_is * error_is;
        alone += error_alone * error_alone;
        pulls += p->lengths * p->lengths;
        potential += p->potential;
        off += (double)s->is.w - p->potential;
        relative[k] = force > 0 ? error_is / force : 0;
    }
    qsort(relative, w->samples, sizeof *relative, by_value);
    a->bodies = w->samples;
    a->rms = forces > 0 ? sqrt(is / forces) : sqrt(is);
    a->rms_alone = forces > 0 ? sqrt(alone / forces) : 0;
    a->pulls = forces > 0 ? sqrt(pulls / forces) : 0;
    a->energy = potential < 0 ? fabs(off / potential) : fabs(off);
    if (w->samples) {
        a->median = relative[w->samples / 2];
        a->most_of_99 = relative[(w->samples - 1) * 99 / 100];
        a->most = relative[w->samples - 1];
    }
    free(relative);
    return GB_OK;
}

/* Groups open every cell that one of their bodies would: they are as near as each by itself. */
static gb_status judge_accuracy(const accuracy *a, gb_error *error)
{
    const double most = 1.5 * a->rms_alone + 1e-5 * a->pulls;
    if (!(a->rms <= most))
        return gb_fail(error, GB_WRONG,
                       "the forces on %" PRIu64 " bodies are %.3g off those of all pairs (rms, of "
                       "the forces'); by a walk of each body they are %.3g off",
                       a->bodies, a->rms, a->rms_alone);
    if (!(a->energy <= most + 3e-5 + a->rms_alone))
        return gb_fail(error, GB_WRONG,
                       "the potentials of %" PRIu64 " bodies are %.3g off those of all pairs",
                       a->bodies, a->energy);
    return GB_OK;
}

/* ---- all together ---------------------------------------------------------------------------- */

static void set_up(const nb_problem *p, const nb_view *view, nb_judged *t)
{
    t->bodies = static_cast<const float4 *>(p->tree->bodies);
    t->n = p->shape.bodies.n;
    t->cells = view->tree.cells;
    t->box = p->tree->box;
    t->eps2 = p->eps2;
    t->by_theta = nb_by_theta(&p->shape);
    t->theta2 = (float)(p->shape.theta * p->shape.theta);
    t->slot = view->tree.slot;
    t->next = view->tree.next;
    t->order = view->tree.order;
    t->first = view->tree.first;
    t->rule = view->rule;
    t->sums = view->sums;
    t->force = view->force;
}

static gb_status judge(gb_job *job, workspace *w)
{
    nb_problem *p = nb_problem_of(job);
    gb_error *error = &job->error;
    nb_view view = {};
    gb_status status = static_cast<const nb_state *>(job->state)->view(job, &view);
    if (status == GB_OK && view.has_tree) status = oc_judge(p->tree, &view.tree, NULL, error);
    if (status != GB_OK || p->shape.bodies.n == 0) return status;
    set_up(p, &view, &w->of);
    if (view.has_tree && nb_needs(&p->shape, NB_SUMS))
        status = check_sums(&w->of, job->device, error);
    if (status != GB_OK || !nb_needs(&p->shape, NB_FORCE)) return status;
    if (view.has_tree) status = check_forces(&w->of, job->device, error);
    if (status == GB_OK) status = look(w, view.has_tree, p->tree->seed, error);
    return status == GB_OK ? measure(w, error) : status;
}

gb_status nb_check(gb_job *job, gb_stream stream)
{
    workspace w = {};
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    gb_status status = judge(job, &w);
    if (status == GB_OK) status = judge_accuracy(&w.found, &job->error);
    free_workspace(&w);
    return status;
}

static gb_status write_error(gb_job *job, FILE *rows)
{
    workspace w = {};
    const accuracy *a = &w.found;
    gb_status status = GB_OK;
    if (!nb_needs(&nb_problem_of(job)->shape, NB_FORCE))
        status = gb_fail(&job->error, GB_UNSUPPORTED, "there are no forces: stage force or step");
    if (status == GB_OK) status = judge(job, &w);
    if (status == GB_OK)
        fprintf(rows, "%" PRIu64 ",%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n", a->bodies, a->rms,
                a->rms_alone, a->median, a->most_of_99, a->most, a->energy);
    free_workspace(&w);
    return status;
}

const gb_dump nb_dumps[] = {
    {"error",
     "how far forces are from those of all pairs, of some bodies: rms of the forces', the same of "
     "a walk by each body for itself, and of each the median, what 99 of 100 are within, the most; "
     "and how far the sum of their potentials is",
     "bodies,rms,rms_alone,median,most_of_99,most,energy", write_error},
    {NULL, NULL, NULL, NULL},
};
