/* Bodies in curve order, sorted on all cores by the 72 bits of their places (sort.c). */
#ifndef GB_OCTREE_CPU_SORT_H
#define GB_OCTREE_CPU_SORT_H

#include "common/worker/cpu_pool.h"
#include "kernels/octree/octree.h"

#include <stdatomic.h>

/* A body and its code: 24 digits of 3 bits, from the root's on. */
typedef struct oc_coded {
    uint64_t high; /* the first 64 bits */
    uint32_t low;  /* the last 8 */
    uint32_t body;
} oc_coded;

enum { OC_CODE_BITS = 3 * OC_DEPTH };

/* The depth of the smallest cell that holds both, or OC_DEPTH: they coincide. */
static inline int oc_coded_common(const oc_coded *a, const oc_coded *b)
{
    if (a->high != b->high) return __builtin_clzll(a->high ^ b->high) / 3;
    return a->low != b->low ? (64 + __builtin_clz(a->low ^ b->low) - 24) / 3 : OC_DEPTH;
}

/* What a thread has for itself. */
typedef struct oc_sort_lane {
    gb_pool_bins bins;
    oc_coded *lines; /* of each bin those that wait for a whole line */
} oc_sort_lane;

/* Codes [begin, end), which agree in so many bits, in a (or b). */
typedef struct oc_sort_range {
    uint64_t begin, end; /* end == 0: no range */
    unsigned agreed;
    bool in_b;
} oc_sort_range;

typedef struct oc_sort {
    const oc_body *bodies;
    oc_box box;
    uint64_t n;
    oc_coded *a, *b; /* n each; the sorted codes end in b */
    gb_pool *pool;
    unsigned threads;
    oc_sort_lane *lanes;
    gb_pool_bins **bins;
    uint64_t *bounds;    /* of the buckets of the current range */
    uint64_t most_alone; /* codes that one thread sorts alone */
    oc_sort_range current, *waiting;
    size_t waiting_count;
    _Atomic uint32_t next; /* bucket to be taken */
} oc_sort;

/* Threads that n bodies keep busy. */
unsigned oc_sort_threads(uint64_t n);
/* Memory for n bodies and s->threads; false: there is none. oc_sort_close in any case. */
bool oc_sort_open(oc_sort *s, uint64_t n);
void oc_sort_close(oc_sort *s);
/* Inside work, by every thread: the bodies' codes, sorted, in s->b. Ends with a barrier. */
void oc_sort_run(oc_sort *s, unsigned thread);

#endif
