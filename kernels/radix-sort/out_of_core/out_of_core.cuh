/* What the out-of-core sort has in memory: memory.cu makes it, out_of_core.cu runs it.
 */
#ifndef GB_RADIX_SORT_OUT_OF_CORE_CUH
#define GB_RADIX_SORT_OUT_OF_CORE_CUH

#include "kernels/radix-sort/onesweep/onesweep.h"
#include "kernels/radix-sort/out_of_core/packed.cuh"
#include "kernels/radix-sort/out_of_core/unpackers.h"

/* Elements of a slice: what is sent back at once, packed or as it is, and unpacked by one thread.
 */
enum { RS_OOC_SLICE = 32 * RS_GROUP };
/* Areas on the device that chunks and pieces, called items, take by turns on their way in; and as
 * many on their way out. */
enum { RS_OOC_AREAS = 2 };

/* The sizes that follow from a point and from the memory that it may use. */
typedef struct rs_ooc_plan {
    uint64_t n, capacity; /* elements: all, and of a chunk or piece */
    uint64_t chunks;      /* sorted runs; pieces of the output are as many */
    bool packed;
    uint64_t slices;                    /* of the output */
    unsigned seats;                     /* slices that wait to be unpacked, at most */
    uint64_t seat_words;                /* of a slice's records */
    uint64_t segments, groups, records; /* room for a piece's, a run's, a piece's */
    uint64_t sheet;     /* records: a piece's stretches begin at multiples of them */
    uint64_t run_words; /* room for a run's records and all their upper planes */
} rs_ooc_plan;

/* Copies to the device that are queued together. */
typedef struct rs_ooc_copies {
    const void **from;
    void **to;
    size_t *bytes;
    unsigned count;
} rs_ooc_copies;

/* An item as it came in. What a piece is when it is sorted takes the place of what it came as. */
typedef struct rs_ooc_in {
    void *keys;
    uint32_t *payload;
    uint32_t *words;                      /* of a packed piece's segments, where the keys are */
    rs_segment *segments, *host_segments; /* the latter page-locked */
    unsigned segment_count;               /* of the piece that is here */
    uint64_t record_count;
    rs_ooc_copies copies;
    cudaEvent_t done;
} rs_ooc_in;

/* An item on its way out. */
typedef struct rs_ooc_out {
    void *keys; /* if nothing is packed */
    uint32_t *payload;
    uint32_t *words, *wide_groups; /* a run's records and upper planes, or slices' records */
    uint32_t *host_wide_groups;    /* page-locked */
    bool as_they_are;              /* keys of this item have left from where they came in */
    cudaEvent_t sorted, done;
} rs_ooc_out;

typedef struct rs_ooc {
    gb_problem *problem;
    rs_shape shape;
    rs_ooc_plan plan;
    void *device; /* one allocation, of which all of the device's parts are */
    rs_ooc_in ins[RS_OOC_AREAS];
    rs_ooc_out outs[RS_OOC_AREAS];
    uint32_t *loose; /* keys that are not packed yet, or no more; where any are packed */
    void *scratch;
    cudaStream_t in, compute, out;
    cudaEvent_t begun;
    uint32_t *numbers; /* on the device: 1, 2, ... plan.slices */
    /* page-locked: the runs, and the slices that wait to be unpacked */
    uint32_t *run_words, *run_wide_groups, *run_payload;
    void *run_keys;
    uint32_t *ring, *arrived; /* slices, and the number of each that is there: one a seat */
    rs_unpackers *unpackers;
    /* the host's */
    rs_run *runs;
    unsigned gap_bits; /* of the next run, at least */
    rs_cut cut;
    uint64_t *before, *scratch_words;
} rs_ooc;

gb_status rs_ooc_prepare(gb_job *job);
void rs_ooc_cleanup(gb_job *job);

static inline uint32_t *rs_ooc_seat(const rs_ooc *o, unsigned seat)
{
    return o->ring + seat * o->plan.seat_words;
}

static inline uint64_t rs_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Elements of chunk or piece i. */
static inline uint64_t rs_ooc_count(const rs_ooc *o, uint64_t i)
{
    return rs_least(o->plan.capacity, o->plan.n - i * o->plan.capacity);
}

/* Where the upper planes of item i's run are, in words from its first record; its bits say how long
 * a record is. */
static inline uint64_t rs_ooc_wide_at(const rs_ooc *o, unsigned bits)
{
    return rs_records(o->plan.capacity) * rs_run_words(bits);
}

/* Element `at` of an array of keys. */
static inline void *rs_ooc_key(const rs_ooc *o, void *keys, uint64_t at)
{
    return static_cast<char *>(keys) + at * rs_key_bytes(o->shape.type);
}

/* in.cu: moves the cut through the runs on by piece i, on the host alone; pieces in their order. */
void rs_ooc_cut_piece(rs_ooc *o, uint64_t i);
/* in.cu: queue what brings chunk i, or the piece that was cut last, into its area. Item i - 2 has
 * been queued to leave. */
gb_status rs_ooc_chunk_in(rs_ooc *o, uint64_t i, gb_error *error);
gb_status rs_ooc_piece_in(rs_ooc *o, uint64_t i, gb_error *error);

#endif
