/* Variants that build from scratch, whatever was there before: those of kernels/octree. */
#include "kernels/octree-update/types.cuh"

#include <stdlib.h>

typedef struct scratch {
    ou_state state;
    gb_job build;
} scratch;

static const gb_variant *builder_of(const gb_variant *variant)
{
    return variant == &ou_morton                 ? &oc_morton
           : variant == &ou_octreebuild_lf_tuned ? &oc_octreebuild_lf_tuned
                                                 : &oc_burtscher_pingali_tuned;
}

/* The reason of the build itself. */
static const char *unsupported_of(const gb_variant *build, const gb_params *params,
                                  const gb_device *device)
{
    const gb_params tree = ou_tree_params(params);
    return build->unsupported(&tree, device);
}
static const char *not_by_sort(const gb_params *params, const gb_device *device)
{
    return unsupported_of(&oc_morton, params, device);
}
static const char *not_by_insertion(const gb_params *params, const gb_device *device)
{
    return unsupported_of(&oc_octreebuild_lf_tuned, params, device);
}

/* Hands a job's failure on. */
static gb_status of_build(gb_job *job, gb_status status)
{
    if (status != GB_OK) job->error = static_cast<const scratch *>(job->state)->build.error;
    return status;
}

static gb_status view(gb_job *job, oc_view *view)
{
    gb_job *build = &static_cast<scratch *>(job->state)->build;
    return of_build(job, static_cast<const oc_state *>(build->state)->view(build, view));
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    gb_job *build = &static_cast<scratch *>(job->state)->build;
    return of_build(job, oc_poison(build, stream));
}

static gb_status prepare(gb_job *job)
{
    scratch *s = (scratch *)calloc(1, sizeof *s);
    if (!s) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a build");
    s->state.view = view;
    s->state.poison = poison;
    s->build = *job;
    s->build.variant = builder_of(job->variant);
    s->build.problem = ou_problem_of(job)->tree;
    s->build.state = NULL;
    job->state = s;
    return of_build(job, s->build.variant->prepare(&s->build));
}

static gb_status run(gb_job *job, gb_stream stream)
{
    gb_job *build = &static_cast<scratch *>(job->state)->build;
    return of_build(job, build->variant->run(build, stream));
}

static void cleanup(gb_job *job)
{
    scratch *s = static_cast<scratch *>(job->state);
    if (!s) return;
    if (s->build.state) s->build.variant->cleanup(&s->build);
    free(s);
    job->state = NULL;
}

extern "C" {
const gb_variant ou_morton = {
    "morton", "from scratch, by a sort", "gpubench", 0, not_by_sort, prepare, NULL, run, cleanup,
};
const gb_variant ou_octreebuild_lf_tuned = {
    "octreebuild-lf-tuned",
    "from scratch, by insertion without locks",
    "gpubench, after OctreeBuild-LF",
    0,
    not_by_insertion,
    prepare,
    NULL,
    run,
    cleanup,
    "tuned: kernels/octree",
    NULL,
};
const gb_variant ou_burtscher_pingali_tuned = {
    "burtscher-pingali-tuned",
    "from scratch, by insertion with locks",
    "gpubench, after Burtscher and Pingali 2011",
    0,
    not_by_insertion,
    prepare,
    NULL,
    run,
    cleanup,
    "tuned: kernels/octree",
    NULL,
};
}
