/* The variants lsd4 and lsd8: four or eight bits a pass, with the memory's traffic of three reads
 * or writes of a key. */
#include "kernels/radix-sort/lsd_digits.cuh"
#include "kernels/radix-sort/variants.h"

typedef struct digit_sort {
    rs_scratch scratch;
    rs_elements spare;
    uint64_t columns; /* tiles */
    void *cells;      /* digits x columns positions, row by row */
    void *scan;       /* gb_scan_scratch bytes */
} digit_sort;

static uint64_t tile_keys(const rs_shape *shape)
{
    return LSD_TILE_BYTES / rs_key_bytes(shape->type);
}

template <int BITS> static gb_status prepare(gb_job *job)
{
    gb_status status = rs_problem_device(job);
    if (status != GB_OK) return status;
    const rs_shape *shape = &job->problem->shape;
    digit_sort *sort = (digit_sort *)calloc(1, sizeof *sort);
    job->state = sort;
    if (!sort) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    sort->columns = (shape->n + tile_keys(shape) - 1) / tile_keys(shape);
    const uint64_t cell_count = sort->columns << BITS;
    const rs_spare_layout spare = rs_lay_out_spare(&sort->scratch, shape, rs_passes(shape, BITS));
    const uint64_t cells = rs_lay_out(&sort->scratch, cell_count * rs_position_bytes(shape->n));
    const uint64_t scan = rs_lay_out(&sort->scratch, gb_scan_scratch(cell_count));
    status = rs_scratch_open(job, &sort->scratch);
    if (status != GB_OK) return status;
    sort->spare = rs_spare_of(&sort->scratch, shape, spare);
    sort->cells = sort->scratch.memory + cells;
    sort->scan = sort->scratch.memory + scan;
    return GB_OK;
}

/* Queues one pass. */
template <int BITS, class Key, class Position>
static gb_status pass(gb_job *job, rs_digit<Key> digit, const rs_elements *source,
                      const rs_elements *target, cudaStream_t stream)
{
    const digit_sort *sort = static_cast<const digit_sort *>(job->state);
    const uint64_t n = job->problem->shape.n;
    const dim3 grid((unsigned)sort->columns), block(LSD_THREADS);
    const Key *keys = static_cast<const Key *>(source->keys);
    Position *cells = static_cast<Position *>(sort->cells);
    auto scatter = source->payload ? lsd_scatter<Key, Position, BITS, true>
                                   : lsd_scatter<Key, Position, BITS, false>;
    GB_TRY(launch(lsd_count<Key, Position, BITS>, grid, block, 0, stream, keys, n, digit,
                  sort->columns, cells),
           &job->error);
    GB_TRY(gb_scan_exclusive(cells, sort->columns * (digit.mask + 1), sort->scan, stream),
           &job->error);
    GB_TRY(launch(scatter, grid, block, 0, stream, keys, source->payload, n, digit, sort->columns,
                  cells, static_cast<Key *>(target->keys), target->payload),
           &job->error);
    return GB_OK;
}

template <int BITS> static gb_status run(gb_job *job, gb_stream stream)
{
    const digit_sort *sort = static_cast<const digit_sort *>(job->state);
    const gb_problem *p = job->problem;
    const unsigned passes = rs_passes(&p->shape, BITS);
    gb_status status = GB_OK;
    if (p->shape.n == 0) return GB_OK;
    for (unsigned i = 0; status == GB_OK && i < passes; i++) {
        const rs_elements source = rs_pass_source(p, &sort->spare, i, passes);
        const rs_elements target = rs_pass_target(p, &sort->spare, i, passes);
        status = rs_with_types(&p->shape, [&](auto key, auto position) {
            typedef decltype(key) Key;
            return pass<BITS, Key, decltype(position)>(job, rs_digit_of<Key>(&p->shape, i, BITS),
                                                       &source, &target, gb_cuda_stream(stream));
        });
    }
    return status;
}

static void cleanup(gb_job *job)
{
    digit_sort *sort = static_cast<digit_sort *>(job->state);
    if (!sort) return;
    (void)cudaFree(sort->scratch.memory);
    free(sort);
    job->state = NULL;
}

extern "C" const gb_variant rs_lsd4 = {
    "lsd4",
    "four bits a pass: histograms of tiles, scan, reordering within a block",
    "gpubench, after Ashkiani et al. 2017",
    GB_STABLE,
    NULL,
    prepare<4>,
    NULL,
    run<4>,
    cleanup,
};

extern "C" const gb_variant rs_lsd8 = {
    "lsd8",
    "eight bits a pass, otherwise as lsd4",
    "gpubench, after Ashkiani et al. 2017",
    GB_STABLE,
    NULL,
    prepare<8>,
    NULL,
    run<8>,
    cleanup,
};
