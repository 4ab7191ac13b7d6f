/* Kernels that move what is neither sorted nor partitioned: pieces from rank to rank, the elements
 * at the edges of a job, keys of one value. */
#ifndef GB_RADIX_SORT_MULTI_MOVES_CUH
#define GB_RADIX_SORT_MULTI_MOVES_CUH

#include "common/comm/ranks.h"
#include "common/cuda/grid.cuh"

/* What a rank sends to others; passed to the kernel by value. */
typedef struct ms_pieces {
    unsigned count;
    struct {
        const uint32_t *from;
        uint32_t *to;
        uint64_t words;         /* of 32 bits */
    } piece[2 * GB_MOST_RANKS]; /* keys and payloads for each rank */
} ms_pieces;

/* A piece, by all threads of the grid: 16 bytes at a time are written, and read where both ends lie
 * alike. */
__device__ static void ms_copy_piece(uint32_t *to, const uint32_t *from, uint64_t words)
{
    const uint64_t thread = gb_first(), threads = gb_stride();
    const uint64_t odd = (4 - reinterpret_cast<uintptr_t>(to) / 4 % 4) % 4;
    const uint64_t head = odd < words ? odd : words, quads = (words - head) / 4;
    uint4 *const out = reinterpret_cast<uint4 *>(to + head);
    const uint32_t *const in = from + head;
    if (thread < head) to[thread] = from[thread];
    if (reinterpret_cast<uintptr_t>(in) % 16 == 0) {
        const uint4 *const quad = reinterpret_cast<const uint4 *>(in);
        uint64_t q = thread;
        for (; q + 3 * threads < quads; q += 4 * threads) {
            uint4 x[4];
            for (int k = 0; k < 4; k++)
                x[k] = quad[q + k * threads];
            for (int k = 0; k < 4; k++)
                out[q + k * threads] = x[k];
        }
        for (; q < quads; q += threads)
            out[q] = quad[q];
    } else {
        for (uint64_t q = thread; q < quads; q += threads) {
            const uint32_t *const four = in + 4 * q;
            out[q] = uint4{four[0], four[1], four[2], four[3]};
        }
    }
    const uint64_t rest = head + 4 * quads;
    if (thread < words - rest) to[rest + thread] = from[rest + thread];
}

static __global__ void ms_push(ms_pieces pieces)
{
    for (unsigned k = 0; k < pieces.count; k++)
        ms_copy_piece(pieces.piece[k].to, pieces.piece[k].from, pieces.piece[k].words);
}

/* Up to 3 elements of a run that stand before a job, kept while it is sorted. */
template <class Key> struct ms_kept {
    Key keys[3];
    uint32_t payload[3];
};

/* What is sorted with a job, from 16 bytes on: `more` places before it, the elements that have
 * arrived, and `head` of those that lie apart: the first ones, so that the others begin at 16 bytes
 * again. Payloads are NULL without. */
template <class Key> struct ms_edges {
    unsigned more, head; /* up to 3 */
    uint64_t head_at;    /* counted from the first place */
    Key least;
    ms_kept<Key> *kept;
    Key *keys, *keys_out; /* of the first place */
    uint32_t *payload, *payload_out;
    const Key *apart_keys; /* of the first one that lies apart */
    const uint32_t *apart_payload;
};

/* In the places before a job come stand-ins: the smallest key that the job can have, and payload 0.
 * What the output has there is kept. One block of MS_EDGE_THREADS. */
enum { MS_EDGE_THREADS = 8 };
template <class Key> static __global__ void ms_make_edges(ms_edges<Key> e)
{
    const unsigned k = threadIdx.x % 4;
    if (threadIdx.x >= 4) {
        if (k >= e.head) return;
        e.keys[e.head_at + k] = e.apart_keys[k];
        if (e.payload) e.payload[e.head_at + k] = e.apart_payload[k];
        return;
    }
    if (k >= e.more) return;
    e.kept->keys[k] = e.keys_out[k];
    e.keys[k] = e.least;
    if (!e.payload) return;
    e.kept->payload[k] = e.payload_out[k];
    e.payload[k] = 0;
}

/* The stand-ins are among the first of the sorted elements, but keys as small as theirs may have
 * come before them: they go to the front, and what was kept takes their places. An element like
 * them does as well as one of them. Sorts put smaller payloads, or what came first, first: the
 * search ends where it begins. One thread. */
template <class Key>
static __global__ void ms_take_stand_ins(Key *keys_out, uint32_t *payload_out, uint64_t count,
                                         unsigned more, const ms_kept<Key> *kept)
{
    unsigned found = 0;
    for (uint64_t i = 0; payload_out && found < more && i < count; i++) {
        if (payload_out[i] != 0) continue;
        payload_out[i] = payload_out[found];
        found++;
    }
    for (unsigned k = 0; k < more; k++) {
        keys_out[k] = kept->keys[k];
        if (payload_out) payload_out[k] = kept->payload[k];
    }
}

/* Keys [begin, begin + count) get the value. */
template <class Key>
static __global__ void ms_fill(Key *keys, uint64_t begin, uint64_t count, Key value)
{
    for (uint64_t i = gb_first(); i < count; i += gb_stride())
        keys[begin + i] = value;
}

#endif
