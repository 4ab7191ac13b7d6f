/* Who sorts what, worked out on the host from how many keys of each cell every rank has.
 *
 * Cells are ranges of keys that splitters bound: cell c holds the keys from its first to its last
 * one (ms_cell_first, ms_cell_last). A rank's run is the cells between two cuts, which lie between
 * cells, or within a cell of one value. Cuts give the ranks as much work as each other, which keys
 * that many have are little of, as far as runs have room. A run is sorted job by job: a few cells
 * that lie next to each other, or keys of one value, which are in order as they are. Every process
 * makes the same plan.
 *
 * Where keys are spread evenly, cells are as wide as each other, and jobs are aligned blocks of
 * 2^k of them: a job's keys share their upper bits, and the bits below are spread as evenly as
 * those of all keys, which is what a sort from the top is fast with. */
#ifndef GB_RADIX_SORT_MULTI_PLAN_H
#define GB_RADIX_SORT_MULTI_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Cells a rank of the run is cut into, at least: a cut is off its ideal place by half a cell or
 * less. */
enum { MS_CELLS_A_RANK = 32 };
/* Cells of all keys: a power of two. */
static inline unsigned ms_cells(unsigned size)
{
    unsigned cells = MS_CELLS_A_RANK;
    while (cells < size * MS_CELLS_A_RANK)
        cells *= 2;
    return cells;
}

typedef struct ms_job {
    unsigned cell, cells; /* the first, and how many: 1 of equal keys */
    bool equal;           /* keys of one value */
    uint64_t value;       /* the smallest that its cells can hold; equal: that of all */
    unsigned bits;        /* lower ones, at least 1: all above them its cells' keys share */
    uint64_t skip;        /* equal: of the cell's keys, so many belong to ranks before */
    uint64_t begin;       /* where in the rank's run */
    uint64_t count;       /* of elements, at least 1 */
    unsigned step;        /* when it is done: behind the ones before, with what travels then */
    bool travels;         /* keys of one value need not, if they have no payload */
} ms_job;

typedef struct ms_plan {
    unsigned size, cells; /* ranks; cells of all keys */
    /* What the plan is made from: of every rank where its cells begin, size * (cells + 1) numbers,
     * the first of a rank being 0 and the last its share; the cells' splitters, cells - 1 of them,
     * ascending; the largest key of the type. */
    uint64_t *offsets, *limits;
    uint64_t most_key;
    /* Of so many samples so many are of the value of another one. */
    uint64_t samples, alike;
    bool *in_order; /* size: whether a rank's share was in order */
    bool even;      /* all cells are as wide as each other */
    bool common;    /* else: many keys are of values that many have, and no cells of one value */
    /* The plan: of every rank its jobs, up to `most` of them, and the elements of its run; what
     * travels to it, one of its jobs a step. */
    unsigned most;
    ms_job *jobs;      /* size * most */
    unsigned *counts;  /* size: jobs of each rank */
    unsigned *travels; /* size * most: by step the job's number */
    unsigned *steps;   /* size: how many of them */
    uint64_t *length;  /* size */
    uint64_t *before;  /* cells + 1: keys of all ranks in the cells before each */
    uint64_t *begins;  /* size + 1: where runs should begin, among all keys */
} ms_plan;

/* NULL if there is no host memory. ms_plan_free takes NULL, too. */
ms_plan *ms_plan_new(unsigned size, unsigned cells);
void ms_plan_free(ms_plan *plan);

/* Elements of a job. The first of a run, `early` of them, have a half of target, a quarter and so
 * on, the smallest one first, so that they have arrived soon, but `least` where that is more; none
 * has more than `most`. Where values are common `common` is the target. Cells of one value of
 * `alone` elements or more are jobs by themselves, which cost a run `equal_cost` eighths of what it
 * costs to sort so many. */
typedef struct ms_sizes {
    uint64_t target, least, most, common, alone;
    unsigned early, equal_cost;
    bool equal_travel; /* elements of one value travel: they have payloads */
} ms_sizes;

/* Makes the plan; room: elements that a run may have at most. False if a cell is too large for that
 * or for a job: the splitters are bad. */
bool ms_plan_make(ms_plan *plan, const ms_sizes *sizes, uint64_t room);

/* Whether what stays of a job joins what arrives, in the ranks' order: sorts read one array where
 * values are common, and where keys are in order. */
bool ms_plan_joins(const ms_plan *plan, unsigned owner, const ms_job *job);

/* What a job takes of a rank's elements, which lie by cells: *count from *from on, and where they
 * go in the run of the job's owner: behind those of the ranks before, the owner's own behind all
 * others, unless they join them. */
void ms_plan_piece(const ms_plan *plan, const ms_job *job, unsigned owner, unsigned rank,
                   uint64_t *from, uint64_t *count, uint64_t *to);

#ifdef __cplusplus
}
#endif
#endif
