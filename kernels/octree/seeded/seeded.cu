/* Variant seeded: the tree of few bodies, of what lies in each slot of a sample's tree. */
#include "kernels/octree/seeded/seeded.h"

#include "kernels/octree/seeded/seeded.cuh"

/* Measured (README.md). */
enum { FEW = 4096, SOME = 80000, THIN_YIELDS_FROM = 48000 };

/* Lays the build out in the scratch memory, and tells how many words of it that takes; scratch may
 * be NULL. */
static uint64_t lay_out(os_build *b, uint32_t *scratch, uint64_t n)
{
    b->seeds = n <= FEW ? 256 : n <= SOME ? 512 : OS_MOST_SEEDS;
    b->thin_yields = n >= THIN_YIELDS_FROM;
    const uint64_t cells = os_cells(b->seeds), slots = cells * OC_SLOTS,
                   count = sizeof *b->words / 4 + cells, crowded = count + slots * OS_APART,
                   body = crowded + slots, late = body + slots * OS_ROOM;
    if (scratch) {
        b->words = reinterpret_cast<os_words *>(scratch);
        b->depth = scratch + sizeof *b->words / 4;
        b->count = scratch + count;
        b->crowded = scratch + crowded;
        b->body = scratch + body;
        b->late = scratch + late;
        b->tree.only = b->late;
        b->tree.all_if = &b->words->yields;
    }
    return late + (n + 31) / 32;
}

static gb_status launches(gb_job *job, const oc_insert *given, dim3 grid, cudaStream_t stream)
{
    os_build b = {};
    b.tree = *given;
    (void)lay_out(&b, given->scratch, given->n);
    const unsigned sms = job->device->sms > 0 ? (unsigned)job->device->sms : 1;
    const oc_insert_plan late = oc_warp_plan<false, true>();
    const dim3 fill = gb_grid(job->device, given->n);
    void (*sow)(os_build) = b.seeds == 256   ? os_sow<256>
                            : b.seeds == 512 ? os_sow<512>
                                             : os_sow<OS_MOST_SEEDS>;
    GB_TRY(launch(sow, dim3(1 + OS_CLEAR_BLOCKS), dim3(b.seeds), 0, stream, b), &job->error);
    GB_TRY(launch_next(os_fill, fill, dim3(OS_FILL_THREADS), 0, stream, b), &job->error);
    GB_TRY(launch_next(os_grow, dim3(sms * OS_GROW_BLOCKS), dim3(OS_GROW_THREADS), 0, stream, b),
           &job->error);
    GB_TRY(launch_next(late.kernel, grid, dim3(late.threads), 0, stream, b.tree), &job->error);
    return GB_OK;
}

static gb_status prepare(gb_job *job)
{
    oc_insert_plan plan = oc_warp_plan<false, true>();
    plan.launches = launches;
    os_build b = {};
    plan.scratch = lay_out(&b, NULL, job->problem->shape.n) * 4;
    return oc_insert_prepare(job, plan);
}

gb_status oc_seeded_yielded(gb_job *job, bool *yielded)
{
    const os_words *words = reinterpret_cast<const os_words *>(oc_insert_of(job)->scratch);
    unsigned yields = 0;
    GB_TRY(cudaMemcpy(&yields, &words->yields, sizeof yields, cudaMemcpyDeviceToHost), &job->error);
    *yielded = yields != 0;
    return GB_OK;
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    if (params->value[OC_N].size > OC_SEEDED_MOST)
        return "it is for few bodies: n must be 262144 or less; morton and auto take more";
    const char *reason = oc_one_body(params, device);
    return reason ? reason : oc_full_grid(params, device);
}

extern "C" const gb_variant oc_seeded = {
    "seeded",
    "few bodies: a block makes the tree of a sample, others what hangs in each of its slots",
    "gpubench",
    0,
    unsupported,
    prepare,
    NULL,
    oc_insert_run,
    oc_insert_cleanup,
};
