/* The variants multisplit-block and multisplit (the authors' choice by the number of bins). */
#include "kernels/multipartition/multisplit/block.cuh"

#include <stdio.h>

gb_status ms_block_prepare(gb_job *job)
{
    ms_matrix *matrix = mp_new_state<ms_matrix>(job);
    if (!matrix) return GB_OUT_OF_MEMORY;
    return ms_matrix_open(matrix, job->problem->shape.n, job->problem->shape.bins, MS_TILE,
                          &job->error);
}

gb_status ms_block_run(gb_job *job, gb_stream opaque)
{
    cudaStream_t stream = gb_cuda_stream(opaque);
    gb_problem *problem = job->problem;
    if (mp_nothing_to_do(problem, stream)) return GB_OK;
    const ms_arrays arrays = {problem->keys_in, problem->payload_in, problem->keys_out,
                              problem->payload_out, (unsigned long long *)problem->offsets};
    return mp_with_types(problem, [&](auto function, auto position) {
        return ms_block_pass(&arrays, problem->shape.n, static_cast<ms_matrix *>(job->state),
                             function, position, stream, &job->error);
    });
}

static const char *block_unsupported(const gb_params *params, const gb_device *)
{
    if (mp_shape_of(params).bins <= MS_BLOCK_BINS) return mp_narrow_only(params);
    return gb_reason("at most %d bins: a lane counts eight", MS_BLOCK_BINS);
}

extern "C" const gb_variant mp_multisplit_block = {
    "multisplit-block",
    "block-level multisplit: ballots, eight bins a lane, reordering within a block",
    "Ashkiani et al. 2017",
    GB_STABLE,
    block_unsupported,
    ms_block_prepare,
    NULL,
    ms_block_run,
    ms_matrix_cleanup,
    "it is written from the authors' description, not from their code: tiles, launch and the scan "
    "between both local steps are ours",
    NULL,
};

static bool by_warp(const gb_job *job)
{
    return job->problem->shape.bins <= MS_WARP_BINS;
}

static gb_status prepare(gb_job *job)
{
    const gb_variant *chosen = by_warp(job) ? &mp_multisplit_warp : &mp_multisplit_block;
    snprintf(job->instance_name, sizeof job->instance_name, "%s", chosen->name);
    return chosen->prepare(job);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    return by_warp(job) ? ms_warp_run(job, stream) : ms_block_run(job, stream);
}

static const char *unsupported(const gb_params *params, const gb_device *)
{
    const char *limit = ms_table_limit(mp_shape_of(params).bins);
    return limit ? limit : mp_narrow_only(params);
}

extern "C" const gb_variant mp_multisplit = {
    "multisplit",
    "the authors' choice: warp-level up to 32 bins, block-level up to 256, powers of two",
    "Ashkiani et al. 2017; limits as in Multipartition, table 1",
    GB_STABLE,
    unsupported,
    prepare,
    NULL,
    run,
    ms_matrix_cleanup,
    "it is multisplit-warp or multisplit-block, and departs as they do; no reduced-bit sort, for "
    "Multipartition's table grants multisplit powers of two up to 256",
    NULL,
};
