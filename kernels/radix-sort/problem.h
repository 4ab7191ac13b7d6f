/* What problem.cu, check.cu and the tests share: the checker's memory, slices of a point's data. */
#ifndef GB_RADIX_SORT_PROBLEM_H
#define GB_RADIX_SORT_PROBLEM_H

#include "kernels/radix-sort/keys.h"

/* Up to this many keys the output is also compared with the CPU oracle's, element by element. */
enum { RS_EXACT_LIMIT = 1 << 17 };
/* Data in host memory are made and judged in slices of so many elements. */
enum { RS_SLICE = 1 << 23 };

/* What the kernels of the checker write. */
typedef struct rs_findings {
    rs_hash sum;
    uint64_t misplaced; /* the smallest index of an element that belongs before its predecessor */
    uint64_t unstable;  /* ... that equals its predecessor but came before it in the input */
} rs_findings;

typedef struct rs_checker {
    rs_hash truth;         /* of the input, from the generator alone */
    rs_findings *findings; /* device: one */
    void *slice_keys; /* device: RS_SLICE elements, or n if there are fewer; made when needed */
    uint32_t *slice_payload;
} rs_checker;

#ifdef __cplusplus
extern "C" {
#endif

/* Writes elements [begin, begin + count) of the input to device memory; payload may be NULL. */
gb_status rs_generate(const struct gb_problem *problem, uint64_t begin, uint64_t count, void *keys,
                      uint32_t *payload, gb_error *error);
/* Makes slice_keys and, where elements have one, slice_payload. */
gb_status rs_make_slices(struct gb_problem *problem, gb_error *error);
/* Fingerprints the input as the generator defines it; up to RS_EXACT_LIMIT elements the CPU must
 * agree. */
gb_status rs_checker_open(struct gb_problem *problem, gb_error *error);
void rs_checker_close(struct gb_problem *problem);

/* Whether the job leaves its output in host memory. */
bool rs_output_on_host(const gb_job *job);

#ifdef __cplusplus
}
#endif
#endif
