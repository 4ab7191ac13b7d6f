/* What the out-of-core sort has in memory: out_of_core_memory.cu makes it, out_of_core.cu runs it.
 */
#ifndef GB_RADIX_SORT_OUT_OF_CORE_CUH
#define GB_RADIX_SORT_OUT_OF_CORE_CUH

#include "kernels/radix-sort/onesweep.h"
#include "kernels/radix-sort/packed.cuh"
#include "kernels/radix-sort/unpackers.h"

/* Elements of a slice: what is sent back at once, packed or as it is, and unpacked by one thread.
 */
enum { RS_OOC_SLICE = 16 * RS_GROUP };
/* Chunks or pieces on the device: one comes in, one is sorted, one goes out. */
enum { RS_OOC_SLOTS = 3 };

/* The sizes that follow from a point and from the memory that it may use. */
typedef struct rs_ooc_plan {
    uint64_t n, capacity; /* elements: all, and of a chunk or piece */
    uint64_t chunks;      /* sorted runs; pieces of the output are as many */
    bool packed;
    uint64_t slices;           /* of the output */
    unsigned seats;            /* slices that wait to be unpacked, at most */
    uint64_t seat_words;       /* of a slice's records */
    uint64_t segments, groups; /* room for them in a slot */
    uint64_t run_records;      /* from one run to the next: whole sheets */
} rs_ooc_plan;

/* A chunk or piece on the device. Used in turn: coming in waits for `out_done` of what was here
 * before, sorting for `in_done`, going out for `run_done`. */
typedef struct rs_ooc_slot {
    void *keys;
    uint32_t *payload;
    /* packed alone; the upper halves of a run are where its keys were */
    uint32_t *records, *wide_groups;
    rs_segment *segments;
    /* page-locked */
    uint32_t *host_wide_groups;
    rs_segment *host_segments;
    cudaEvent_t in_done, run_done, out_done;
} rs_ooc_slot;

typedef struct rs_ooc {
    gb_problem *problem;
    rs_shape shape;
    rs_ooc_plan plan;
    void *device; /* one allocation, of which all of the device's parts are */
    void *other_keys, *scratch;
    uint32_t *other_payload;
    rs_ooc_slot slots[RS_OOC_SLOTS];
    cudaStream_t in, compute, out;
    cudaEvent_t begun;
    uint32_t *numbers; /* on the device: 1, 2, ... plan.slices */
    /* page-locked: the runs, and the slices that wait to be unpacked */
    uint32_t *run_records, *run_wide, *run_wide_groups, *run_payload;
    void *run_keys;
    uint32_t *ring, *arrived; /* slices, and the number of each that is there: one a seat */
    rs_unpackers *unpackers;
    /* the host's */
    rs_run *runs;
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

static inline rs_ooc_slot *rs_ooc_slot_of(rs_ooc *o, uint64_t i)
{
    return &o->slots[i % RS_OOC_SLOTS];
}

/* Element `at` of an array of keys. */
static inline void *rs_ooc_key(const rs_ooc *o, void *keys, uint64_t at)
{
    return static_cast<char *>(keys) + at * rs_key_bytes(o->shape.type);
}

/* out_of_core_in.cu: queue what brings chunk or piece i into its slot, which waits for the way out
 * of what was there. Pieces are asked for in their order. */
gb_status rs_ooc_chunk_in(rs_ooc *o, uint64_t i, gb_error *error);
gb_status rs_ooc_piece_in(rs_ooc *o, uint64_t i, gb_error *error);

#endif
