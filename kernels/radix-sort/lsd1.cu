/* The variants lsd1 and lsd1-unpadded: the OpenCL paper's sort, a bit a pass. */
#include "kernels/radix-sort/lsd1.cuh"
#include "kernels/radix-sort/variants.h"

typedef struct one_bit {
    rs_scratch scratch;
    rs_elements spare;
    uint64_t chunks;
    void *predicates; /* chunks * LSD1_CHUNK bytes */
    void *f;          /* as many positions */
    void *sums;       /* chunks + 1 positions */
} one_bit;

static gb_status prepare(gb_job *job)
{
    gb_status status = rs_problem_device(job);
    if (status != GB_OK) return status;
    const rs_shape *shape = &job->problem->shape;
    one_bit *sort = (one_bit *)calloc(1, sizeof *sort);
    job->state = sort;
    if (!sort) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    sort->chunks = (shape->n + LSD1_CHUNK - 1) / LSD1_CHUNK;
    const uint64_t padded = sort->chunks * LSD1_CHUNK;
    const size_t position = rs_position_bytes(shape->n);
    const rs_spare_layout spare = rs_lay_out_spare(&sort->scratch, shape, rs_passes(shape, 1));
    const uint64_t predicates = rs_lay_out(&sort->scratch, padded);
    const uint64_t f = rs_lay_out(&sort->scratch, padded * position);
    const uint64_t sums = rs_lay_out(&sort->scratch, (sort->chunks + 1) * position);
    status = rs_scratch_open(job, &sort->scratch);
    if (status != GB_OK) return status;
    sort->spare = rs_spare_of(&sort->scratch, shape, spare);
    sort->predicates = sort->scratch.memory + predicates;
    sort->f = sort->scratch.memory + f;
    sort->sums = sort->scratch.memory + sums;
    return GB_OK;
}

/* Queues one pass. */
template <class Key, class Position>
static gb_status pass(gb_job *job, rs_digit<Key> digit, const rs_elements *source,
                      const rs_elements *target, bool padded, cudaStream_t stream)
{
    const one_bit *sort = static_cast<const one_bit *>(job->state);
    const uint64_t n = job->problem->shape.n, chunks = sort->chunks;
    const dim3 block(LSD1_THREADS), grid((unsigned)chunks);
    const Key *keys = static_cast<const Key *>(source->keys);
    const uint4 *predicates = static_cast<const uint4 *>(sort->predicates);
    Position *sums = static_cast<Position *>(sort->sums);
    auto scan = padded ? lsd1_scan_chunks<Position, true> : lsd1_scan_chunks<Position, false>;
    auto scatter =
        source->payload ? lsd1_scatter<Key, Position, true> : lsd1_scatter<Key, Position, false>;

    GB_TRY(launch(lsd1_predicate<Key>, dim3((unsigned)(chunks * (LSD1_CHUNK / LSD1_KEYS))), block,
                  0, stream, keys, n, digit, static_cast<lsd1_four<uint8_t> *>(sort->predicates)),
           &job->error);
    GB_TRY(launch(lsd1_sum_chunks<Position>, grid, block, 0, stream, predicates, sums),
           &job->error);
    GB_TRY(
        launch(lsd1_scan_sums<Position>, dim3(1), dim3(LSD1_SUM_THREADS), 0, stream, sums, chunks),
        &job->error);
    GB_TRY(launch(scan, grid, block, 0, stream, predicates, sums,
                  static_cast<lsd1_four<Position> *>(sort->f)),
           &job->error);
    GB_TRY(launch(scatter, dim3((unsigned)((n + LSD1_SCATTER - 1) / LSD1_SCATTER)), block, 0,
                  stream, keys, source->payload, n, digit, static_cast<Position *>(sort->f),
                  sums + chunks, static_cast<Key *>(target->keys), target->payload),
           &job->error);
    return GB_OK;
}

static gb_status sort_by_bits(gb_job *job, gb_stream stream, bool padded)
{
    const one_bit *sort = static_cast<const one_bit *>(job->state);
    const gb_problem *p = job->problem;
    const unsigned passes = rs_passes(&p->shape, 1);
    gb_status status = GB_OK;
    if (p->shape.n == 0) return GB_OK;
    for (unsigned i = 0; status == GB_OK && i < passes; i++) {
        const rs_elements source = rs_pass_source(p, &sort->spare, i, passes);
        const rs_elements target = rs_pass_target(p, &sort->spare, i, passes);
        status = rs_with_types(&p->shape, [&](auto key, auto position) {
            typedef decltype(key) Key;
            return pass<Key, decltype(position)>(job, rs_digit_of<Key>(&p->shape, i, 1), &source,
                                                 &target, padded, gb_cuda_stream(stream));
        });
    }
    return status;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    return sort_by_bits(job, stream, true);
}

static gb_status run_unpadded(gb_job *job, gb_stream stream)
{
    return sort_by_bits(job, stream, false);
}

static void cleanup(gb_job *job)
{
    one_bit *sort = static_cast<one_bit *>(job->state);
    if (!sort) return;
    (void)cudaFree(sort->scratch.memory);
    free(sort);
    job->state = NULL;
}

extern "C" const gb_variant rs_lsd1 = {
    "lsd1",
    "a bit a pass: predicate, hierarchical scan, scatter",
    "the OpenCL radix sort paper",
    GB_STABLE,
    NULL,
    prepare,
    NULL,
    run,
    cleanup,
};

extern "C" const gb_variant rs_lsd1_unpadded = {
    "lsd1-unpadded",
    "lsd1 without padding against bank conflicts in the scan",
    "the OpenCL radix sort paper",
    GB_STABLE,
    NULL,
    prepare,
    NULL,
    run_unpadded,
    cleanup,
};
