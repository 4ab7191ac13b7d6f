/* A small input in one kernel: every block keeps its part on the chip, and all blocks wait for each
 * other between counting and writing. Keys are read once and written once.
 *
 * In any order: keys draw slots, a block's counts are added to those of all, which says where its
 * keys of each digit go, and blocks meet once; nothing is launched but a clearing of counts and
 * this. In order: resident_in_order.cuh. */
#ifndef GB_MULTIPARTITION_RESIDENT_CUH
#define GB_MULTIPARTITION_RESIDENT_CUH

#include "common/cuda/meeting.cuh"
#include "kernels/multipartition/counts.cuh"
#include "kernels/multipartition/partition/draw.cuh"

enum { MP_RESIDENT_MOST = 16384 /* elements of a block */ };

/* Device memory, 0 at the start. */
typedef struct mp_meeting {
    unsigned *counts;  /* of each digit, in all blocks that have arrived */
    unsigned *arrived; /* blocks */
} mp_meeting;

/* Loads the thread's elements of [low, high), four neighbours each. low is a multiple of 4. */
template <int THREADS, int ITEMS, class Key>
__device__ __forceinline__ unsigned mp_load_part(const Key *keys, uint64_t low, uint64_t high,
                                                 Key (&key)[ITEMS])
{
    unsigned valid = 0;
#pragma unroll
    for (int j = 0; j < ITEMS / 4; j++) {
        const uint64_t at = low + 4 * (threadIdx.x + j * THREADS);
        if (at + 4 <= high) {
            mp_load_four(key + 4 * j, keys + at);
            valid |= 15u << 4 * j;
            continue;
        }
#pragma unroll
        for (int k = 0; k < 4; k++) {
            key[4 * j + k] = 0;
            if (at + k >= high) continue;
            key[4 * j + k] = keys[at + k];
            valid |= 1u << (4 * j + k);
        }
    }
    return valid;
}

/* Where digits begin, from how many elements all blocks have of each: words[d] of them becomes
 * unknown, and places[d], which is relative to the digit's beginning, the place of slot 0, if it
 * were of the digit; modulo 2^32. The first block writes offsets. By all threads; a barrier comes
 * before and behind. */
template <int THREADS>
__device__ __forceinline__ void mp_begin_digits(unsigned digits, unsigned *words, unsigned *places,
                                                uint64_t *offsets, uint64_t n)
{
    (void)mp_scan_each<THREADS>(
        digits, [&](unsigned d) { return words[d]; },
        [&](unsigned d, unsigned begin) {
            places[d] += begin;
            if (blockIdx.x == 0) offsets[d] = begin;
        });
    if (blockIdx.x == 0 && threadIdx.x == 0) offsets[digits] = n;
}

/* A part that is sorted by digit in shared memory goes to its places. */
template <int THREADS, class Key, int WORDS, class Digit>
__device__ __forceinline__ void mp_write_part(const mp_elements<Key, WORDS> &part, unsigned count,
                                              const Digit &digit, const unsigned *places,
                                              const mp_elements<Key, WORDS> &out)
{
    for (unsigned first = threadIdx.x; first < count; first += 4 * THREADS) {
        Key some[4];
        unsigned their[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            some[k] = first + k * THREADS < count ? part.keys[first + k * THREADS] : 0;
        mp_digits_of(digit, some, their);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const unsigned slot = first + k * THREADS;
            if (slot >= count) break;
            const unsigned place = places[their[k]] + slot;
            out.keys[place] = some[k];
            if constexpr (WORDS > 0) out.payload[place] = part.payload[slot];
        }
    }
}

/* Blocks have a part each (mp_part_keys), of at most THREADS x ITEMS elements, and are all on the
 * device together. Dynamic shared memory: `part` elements, two words a digit, and the copy of its
 * table, if it has one. */
template <class Key, int WORDS, int THREADS, int ITEMS, class Digit>
__global__ void __launch_bounds__(THREADS, 1)
    mp_move_resident(mp_elements<Key, WORDS> in, mp_elements<Key, WORDS> out, uint64_t n,
                     unsigned part, Digit digit, mp_meeting meeting, uint64_t *offsets)
{
    static_assert(THREADS * ITEMS <= MP_RESIDENT_MOST, "cut_resident");
    typedef typename mp_elements<Key, WORDS>::payload_type payload_type;
    GB_DYNAMIC_SHARED();
    payload_type *payload = reinterpret_cast<payload_type *>(gb_shared_memory);
    Key *keys = reinterpret_cast<Key *>(gb_shared_memory + (size_t)4 * WORDS * part);
    unsigned *words = reinterpret_cast<unsigned *>(keys + part); /* counts, then first slots */
    unsigned *places = words + digit.digits;                     /* mp_begin_digits */
    const uint64_t low = (uint64_t)blockIdx.x * part, high = low + part < n ? low + part : n;

    mp_prepare(digit);
    mp_clear_counters<THREADS>(words, 1, digit.digits);
    Key key[ITEMS];
    unsigned digits[ITEMS], rank[ITEMS];
    const unsigned valid = mp_load_part<THREADS>(in.keys, low, high, key);
    mp_digits_of(digit, key, digits);
    mp_draw(words, digits, valid, rank);
    __syncthreads();
    for (unsigned d = threadIdx.x; d < digit.digits; d += THREADS)
        places[d] = words[d] ? atomicAdd(&meeting.counts[d], words[d]) : 0;
    __syncthreads();
    if (threadIdx.x == 0) gb_arrive(meeting.arrived);
    /* while others arrive */
    (void)mp_scan_each<THREADS>(
        digit.digits, [&](unsigned d) { return words[d]; },
        [&](unsigned d, unsigned before) { words[d] = before; });
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        if (!(valid >> i & 1)) continue;
        const unsigned slot = words[digits[i]] + rank[i];
        keys[slot] = key[i];
        if constexpr (WORDS > 0) {
            const uint64_t at = low + 4 * (threadIdx.x + i / 4 * THREADS) + i % 4;
            payload[slot] = in.payload[at];
        }
    }
    if (threadIdx.x == 0) gb_await(meeting.arrived, gridDim.x);
    __syncthreads();

#pragma unroll 4
    for (unsigned d = threadIdx.x; d < digit.digits; d += THREADS) {
        const unsigned all = __ldcg(&meeting.counts[d]);
        places[d] -= words[d];
        words[d] = all;
    }
    __syncthreads();
    mp_begin_digits<THREADS>(digit.digits, words, places, offsets, n);
    __syncthreads();
    mp_write_part<THREADS>(mp_elements<Key, WORDS>{keys, payload}, (unsigned)(high - low), digit,
                           places, out);
}

#endif
