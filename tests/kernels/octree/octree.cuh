/* What unit tests of octrees share: points, problems over bodies of their own, jobs, trees that can
 * be spoiled. */
#ifndef GB_TESTS_KERNELS_OCTREE_OCTREE_CUH
#define GB_TESTS_KERNELS_OCTREE_OCTREE_CUH

#include "common/text/kept.h"
#include "tests/harness/device.cuh"

#include "kernels/octree/bodies.h"
#include "kernels/octree/check.h"

#include <unistd.h>
#include <vector>

extern "C" const gb_primitive gb_primitive_octree;

/* For a group of tests to begin with: without shared memory, builds by buckets would not be met. */
static inline int get_octree_device(void **state)
{
    cudaDeviceProp properties;
    if (get_device(state) != 0 || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return -1;
    device.shared_optin = properties.sharedMemPerBlockOptin;
    return 0;
}

/* Number i of stream `what`, below `limit`. */
static inline unsigned draw(uint64_t what, uint64_t i, unsigned limit)
{
    return gb_random(what, 0, i).word[0] % limit;
}

static inline gb_params point(uint64_t n, const char *dist, unsigned leaf, unsigned pool = 200)
{
    gb_params params;
    memset(&params, 0, sizeof params);
    params.value[OC_N].size = n;
    params.value[OC_DIST].text = gb_text_kept(dist);
    params.value[OC_LEAF].size = leaf;
    params.value[OC_GRID].text = "full";
    params.value[OC_POOL].size = pool;
    return params;
}

static char bodies_file[64];

static inline void remove_bodies()
{
    (void)unlink(bodies_file);
}

/* A point over these bodies: x, y, z each, in a file that the next call overwrites and the end of
 * the test removes. */
static inline gb_params point_of(const std::vector<float> &xyz, unsigned leaf, unsigned pool = 200)
{
    char dist[80];
    static const bool removed = atexit(remove_bodies) == 0;
    assert_true(removed);
    snprintf(bodies_file, sizeof bodies_file, "/tmp/gpubench-octree-%d.f32", (int)getpid());
    FILE *file = fopen(bodies_file, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(xyz.data(), sizeof(float), xyz.size(), file), xyz.size());
    assert_int_equal(fclose(file), 0);
    snprintf(dist, sizeof dist, "file:%s", bodies_file);
    return point(xyz.size() / 3, dist, leaf, pool);
}

static inline gb_problem *open_problem(const gb_params *params, uint64_t seed)
{
    gb_error error;
    gb_problem *problem;
    if (oc_open(params, seed, &device, &problem, &error) != GB_OK)
        fail_msg("the bodies could not be made: %s", error.text);
    return problem;
}

/* A job that has run, over a problem. False: the variant cannot run the point. The caller ends it
 * with end_job and closes the problem. */
static inline bool build(gb_job *job, const gb_variant *variant, const gb_params *params,
                         gb_problem *problem)
{
    if (variant->unsupported && variant->unsupported(params, &device)) return false;
    memset(job, 0, sizeof *job);
    job->variant = variant;
    job->params = params;
    job->device = &device;
    job->problem = problem;
    gb_status status = variant->prepare(job);
    if (status == GB_OK) status = oc_poison(job, NULL);
    if (status == GB_OK && variant->reset) status = variant->reset(job, NULL);
    if (status == GB_OK) status = variant->run(job, NULL);
    if (status != GB_OK) fail_msg("%s: %s", variant->name, job->error.text);
    return true;
}

static inline void end_job(gb_job *job)
{
    if (job->variant->cleanup) job->variant->cleanup(job);
}

enum { SPARE = 64 };

/* A tree on the host whose words can be changed. */
typedef struct tree {
    std::vector<uint32_t> slot, next, order, first;
    oc_view view; /* as the variant gave it, but for the arrays */
} tree;

static inline std::vector<uint32_t> words_of(const uint32_t *array, uint64_t count, bool on_host)
{
    std::vector<uint32_t> words(array ? count + 1 : 0); /* data() of an empty one may be NULL */
    if (array)
        assert_int_equal(cudaMemcpy(words.data(), array, count * 4,
                                    on_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost),
                         cudaSuccess);
    return words;
}

/* What the variant builds, with room for SPARE cells more, which are empty. */
static inline tree tree_of(const gb_variant *variant, const gb_params *params, gb_problem *problem)
{
    gb_job job;
    tree t;
    const uint64_t n = problem->shape.n;
    assert_true(build(&job, variant, params, problem));
    assert_int_equal(static_cast<const oc_state *>(job.state)->view(&job, &t.view), GB_OK);
    t.slot = words_of(t.view.slot, t.view.cells * OC_SLOTS, t.view.on_host);
    t.slot.resize(t.view.cells * OC_SLOTS);
    t.slot.resize((t.view.cells + SPARE) * OC_SLOTS, OC_EMPTY);
    t.next = words_of(t.view.next, n, t.view.on_host);
    t.order = words_of(t.view.order, n, t.view.on_host);
    t.first = words_of(t.view.first, (n + 31) / 32, t.view.on_host);
    end_job(&job);
    return t;
}

/* The tree as a view on the host. */
static inline oc_view view_of(const tree &t)
{
    oc_view view = t.view;
    view.on_host = true;
    view.slot = t.slot.data();
    view.next = t.next.empty() ? NULL : t.next.data();
    view.order = t.order.empty() ? NULL : t.order.data();
    view.first = t.first.empty() ? NULL : t.first.data();
    return view;
}

#endif
