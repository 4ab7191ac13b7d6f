/* Sorted runs in host memory, as the out-of-core sort spills them: how they are packed, how a key
 * is read, where to cut them so that the pieces follow one another, how a piece is unpacked.
 *
 * Packed (32-bit keys that are sorted by all their bits): 64 keys are a record of 33 words. Word 0
 * is the field (rs_field) of the first key; the half words that follow are what each field exceeds
 * it by, as far as 16 bits hold that. Where they do not, the upper halves are 32 words more, in an
 * array of their own that is moved only for the groups (1024 records) that need it. The fields
 * ascend, so 2^16 records of a run at most exceed 16 bits, whatever the keys are: evenly spread
 * keys do not from 2^23 a run on. So a key takes 2.06 bytes on the bus instead of 4. */
#ifndef GB_RADIX_SORT_RUNS_H
#define GB_RADIX_SORT_RUNS_H

#include "kernels/radix-sort/keys.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RS_RECORD = 64,                      /* keys */
    RS_RECORD_WORDS = 1 + RS_RECORD / 2, /* of 32 bits */
    RS_WIDE_WORDS = RS_RECORD / 2,       /* the upper halves of a record */
    RS_GROUP = 1024 * RS_RECORD,         /* keys whose records need upper halves, or do not */
    RS_GROUP_RECORDS = RS_GROUP / RS_RECORD
};

GB_RANDOM_FN uint64_t rs_records(uint64_t keys)
{
    return (keys + RS_RECORD - 1) / RS_RECORD;
}
GB_RANDOM_FN uint64_t rs_groups(uint64_t keys)
{
    return (keys + RS_GROUP - 1) / RS_GROUP;
}

/* Whether keys of this shape can be packed. */
static inline bool rs_packs(const rs_shape *shape)
{
    return shape->type != RS_U64 && shape->begin_bit == 0 && shape->end_bit == 32;
}

/* One sorted run. Of a packed one keys is NULL, of others records, wide and wide_groups are. */
typedef struct rs_run {
    uint64_t count;
    const void *keys;            /* as they are */
    const uint32_t *records;     /* RS_RECORD_WORDS a record */
    const uint32_t *wide;        /* RS_WIDE_WORDS a record; valid in wide groups alone */
    const uint32_t *wide_groups; /* one a group, not 0: it needs the upper halves */
} rs_run;

/* The field of key i. */
uint64_t rs_run_field(const rs_shape *shape, const rs_run *run, uint64_t i);

/* A cut through all runs: at[r] keys of run r come before it. */
typedef struct rs_cut {
    uint64_t *at;         /* one a run */
    uint64_t rank, value; /* the sum of at; no field behind the cut is below value */
} rs_cut;

/* Moves a cut on to rank (not below cut->rank; at most all keys): what lies before it belongs
 * before what lies behind it, equal fields in the order of the runs and within them. The cut that
 * all begins with is zeros. scratch: 2 words a run. Multiway selection by bisection over fields, as
 * a merge on several processors divides its work (Varman et al. 1991, "Merging multiple lists on
 * hierarchical-memory multiprocessors"), with guesses by interpolation in between. */
void rs_cut_advance(const rs_shape *shape, const rs_run *runs, unsigned count, uint64_t rank,
                    rs_cut *cut, uint64_t *scratch);

/* Unpacks count keys, whose records all fit 16 bits, into keys of the shape's type. */
void rs_unpack(const rs_shape *shape, const uint32_t *records, uint64_t count, uint32_t *keys);

#ifdef __cplusplus
}
#endif
#endif
