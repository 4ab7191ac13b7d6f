/* GPU multisplit after Ashkiani, Davidson, Meyer and Owens, "GPU Multisplit: an extended study of a
 * parallel algorithm" (ACM TOPC 4(1), 2017), written from the paper's description.
 *
 * All versions have its three steps: a local one (prescan: each subproblem's histogram over the m
 * bins, by ballots), a global one (an exclusive scan over the m x L matrix of histograms, bin by
 * bin), and a local one (postscan: ranks inside the subproblem, reordering in shared memory, and
 * writes in runs of one bin). A subproblem is a warp's or a block's tile of the input. */
#ifndef GB_MULTIPARTITION_MULTISPLIT_CUH
#define GB_MULTIPARTITION_MULTISPLIT_CUH

#include "common/cuda/scan.cuh"
#include "kernels/multipartition/dispatch.cuh"

enum {
    MS_WARP_BINS = 32,   /* one bin a lane */
    MS_BLOCK_BINS = 256, /* eight bins a lane */
    MS_TABLE_BINS = 256  /* the most that the Multipartition paper's table grants multisplit */
};

/* The matrix of histograms and the scan's scratch, in one allocation. */
typedef struct ms_matrix {
    uint64_t columns; /* subproblems */
    void *cells;      /* bins x columns positions, row by row */
    void *scan;       /* gb_scan_scratch bytes */
} ms_matrix;

static inline size_t ms_cell_bytes(uint64_t n)
{
    return n <= UINT32_MAX ? 4 : 8;
}

static inline gb_status ms_matrix_open(ms_matrix *matrix, uint64_t n, uint32_t bins, uint64_t tile,
                                       gb_error *error)
{
    matrix->columns = mp_ceil_div(n ? n : 1, tile);
    const uint64_t cells = matrix->columns * bins;
    const size_t bytes = (cells * ms_cell_bytes(n) + 15) / 16 * 16;
    unsigned char *memory;
    GB_TRY(cudaMalloc((void **)&memory, bytes + gb_scan_scratch(cells)), error);
    matrix->cells = memory;
    matrix->scan = memory + bytes;
    return GB_OK;
}

static inline void ms_matrix_close(ms_matrix *matrix)
{
    if (matrix->cells) cudaFree(matrix->cells);
    matrix->cells = NULL;
}

/* The least b with 2^b >= bins. */
static inline unsigned ms_bits(uint64_t bins)
{
    unsigned bits = 0;
    while ((1ull << bits) < bins)
        bits++;
    return bits;
}

/* The table's limits, which the `multisplit` variant keeps. */
static inline const char *ms_table_limit(uint32_t bins)
{
    if ((bins & (bins - 1)) == 0 && bins <= MS_TABLE_BINS) return NULL;
    return gb_reason("multisplit as published handles powers of two up to %d bins", MS_TABLE_BINS);
}

gb_status ms_warp_prepare(gb_job *job);
gb_status ms_warp_run(gb_job *job, gb_stream stream);
gb_status ms_block_prepare(gb_job *job);
gb_status ms_block_run(gb_job *job, gb_stream stream);
/* The state of both is an ms_matrix made by calloc. */
void ms_matrix_cleanup(gb_job *job);

#endif
