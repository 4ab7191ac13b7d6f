/* Sorted runs in host memory, as the out-of-core sort spills them: how they are packed, how a key
 * is read, where to cut them so that the pieces follow one another. And slices of the output: how
 * they are packed, and unpacked by the CPU.
 *
 * Packed are 32-bit keys that are sorted by all their bits, 64 to a record, whose word 0 is the
 * field (rs_field) of its first key. There are two kinds of records:
 *
 * - A run's are unpacked by the device, for which arithmetic is free: they are as short as can be.
 *   What each field exceeds the one before it by, its gap (0 for the first of a record), lies
 *   bit-sliced (O'Neil and Quass 1997, "Improved query performance with variant indexes"; gaps and
 *   other layouts of their bits: Lemire and Boytsov 2015, "Decoding billions of integers per second
 *   through vectorization"): plane j is bit j of all 64 gaps, two words, a bit a key. So field i is
 *   word 0 + sum over j of 2^j * (ones of plane j up to key i), which needs no other field: words
 *   counted by popcount, and no scan. A record has the planes that evenly spread keys need, their
 *   number being the run's `bits`: 13 for 10 million keys, so that a key takes 1.69 bytes on the
 *   bus instead of 4. The upper planes, the rest of 32, are kept apart and travel only for groups
 *   (1024 records) in which a gap needs them.
 * - A slice's are unpacked by the CPU with one addition a key: 33 words, half words of what each
 *   field exceeds word 0 by, 2.06 bytes a key. A slice that 16 bits do not hold travels as it is.
 */
#ifndef GB_RADIX_SORT_RUNS_H
#define GB_RADIX_SORT_RUNS_H

#include "kernels/radix-sort/keys.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RS_RECORD = 64,                     /* keys */
    RS_SLICE_WORDS = 1 + RS_RECORD / 2, /* of 32 bits: a slice's record */
    RS_PLANES = 32,                     /* bits of a gap */
    RS_PLANE_WORDS = RS_RECORD / 32,
    RS_MOST_BITS = 20,           /* planes of a run's record that are not upper ones, at most */
    RS_GROUP = 1024 * RS_RECORD, /* keys whose records need more, or do not */
    RS_GROUP_RECORDS = RS_GROUP / RS_RECORD,
    RS_ALL_WORDS = 1 + RS_PLANES * RS_PLANE_WORDS /* a run's record and its upper planes */
};

/* Words of a run's record, and of its upper planes: RS_ALL_WORDS together. */
GB_RANDOM_FN unsigned rs_run_words(unsigned bits)
{
    return 1 + bits * RS_PLANE_WORDS;
}
GB_RANDOM_FN unsigned rs_wide_words(unsigned bits)
{
    return (RS_PLANES - bits) * RS_PLANE_WORDS;
}
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
    return rs_key_bytes(shape->type) == 4 && shape->begin_bit == 0 && shape->end_bit == 32;
}

/* The bits of a gap, 1 to RS_MOST_BITS, for a run of so many keys. */
unsigned rs_gap_bits(uint64_t keys);

/* One sorted run. Of a packed one keys is NULL, of others records, wide and wide_groups are. */
typedef struct rs_run {
    uint64_t count;
    const void *keys;            /* as they are */
    const uint32_t *records;     /* rs_run_words(bits) a record */
    const uint32_t *wide;        /* rs_wide_words(bits) a record; valid in wide groups alone */
    const uint32_t *wide_groups; /* one a group, not 0: it needs the upper planes */
    unsigned bits;
} rs_run;

/* The field of key i. */
uint64_t rs_run_field(const rs_shape *shape, const rs_run *run, uint64_t i);

/* The bits of a gap for runs of keys such as these: as many as this one has, or, up to
 * RS_MOST_BITS, two more if every eighth of its groups needed more, and four more if three of four
 * did. */
unsigned rs_next_gap_bits(const rs_run *run);

/* A cut through all runs: at[r] keys of run r come before it. */
typedef struct rs_cut {
    uint64_t *at;  /* one a run */
    uint64_t rank; /* the sum of at */
} rs_cut;

enum { RS_CUT_WORDS = 3 /* of scratch for a cut, a run */ };

/* Moves a cut on to rank (not below cut->rank; at most all keys): what lies before it belongs
 * before what lies behind it, equal fields in the order of the runs and within them. The cut that
 * all begins with is zeros. scratch: RS_CUT_WORDS a run. Multiway selection, as a merge
 * on several processors divides its work (Varman et al. 1991, "Merging multiple lists on
 * hierarchical-memory multiprocessors"), with fields of keys as guesses, by interpolation among
 * the keys. */
void rs_cut_advance(const rs_shape *shape, const rs_run *runs, unsigned count, uint64_t rank,
                    rs_cut *cut, uint64_t *scratch);

/* Unpacks count keys of a slice into keys of the shape's type. */
void rs_unpack(const rs_shape *shape, const uint32_t *records, uint64_t count, uint32_t *keys);

#ifdef __cplusplus
}
#endif
#endif
