/* A block's elements on the chip: keys in registers, payloads in shared memory, put in order by one
 * digit after the other. Ranks are ballots within a warp and counts of warps (as in
 * onesweep/tile.cuh; Ashkiani et al. 2017, "GPU multisplit"). */
#ifndef GB_RADIX_SORT_SMALL_BLOCK_CUH
#define GB_RADIX_SORT_SMALL_BLOCK_CUH

#include "common/cuda/warp.cuh"
#include "kernels/radix-sort/halves.cuh"

enum {
    SM_BITS = 8, /* of a digit */
    SM_DIGITS = 1 << SM_BITS,
    SM_WORDS = SM_DIGITS / 2, /* counts of two digits share a word */
    SM_MOST_THREADS = 1024,
    SM_GROUP_WARPS = SM_WORDS / GB_WARP, /* a group of so many warps has a thread for each word */
    SM_MOST_ALIKE = 8,                   /* elements that one thread puts in order */
    SM_TOO_LONG = 0x7fffffff,
};

/* Images that are equal though their bits differ: a float's -0 is ordered as +0 is (rs_order).
 * Integers have none such. */
template <class Key, bool FLOAT> struct sm_zeros {
    Key minus, plus;
    __device__ __forceinline__ Key ordered(Key image) const
    {
        return FLOAT && image == minus ? plus : image;
    }
};

/* The bits [begin, end) of the image, as a number. */
template <class Key, bool FLOAT> struct sm_field {
    unsigned above, below; /* bits */
    sm_zeros<Key, FLOAT> zeros;

    __device__ __forceinline__ sm_field(unsigned begin, unsigned end,
                                        const sm_zeros<Key, FLOAT> &equal)
        : above(8 * (unsigned)sizeof(Key) - end), below(begin), zeros(equal)
    {
    }
    __device__ __forceinline__ Key operator()(Key image) const
    {
        return (Key)(zeros.ordered(image) << above) >> (above + below);
    }
};

/* Up to 8 bits of the image. */
template <class Key, bool FLOAT> struct sm_digit {
    unsigned at, mask;
    sm_zeros<Key, FLOAT> zeros;

    /* The digit that begins with bit `from` and ends before bit `end`, or earlier. */
    __device__ __forceinline__ sm_digit(unsigned from, unsigned end,
                                        const sm_zeros<Key, FLOAT> &equal)
        : zeros(equal)
    {
        at = from;
        mask = (1u << (end - from < SM_BITS ? end - from : (unsigned)SM_BITS)) - 1;
    }
    __device__ __forceinline__ unsigned operator()(Key key) const
    {
        return (unsigned)(zeros.ordered(key) >> at) & mask;
    }
};

/* How many elements of the block have each digit, and where they begin in it: of thread w <
 * SM_WORDS, those of the digits 2 w (low half) and 2 w + 1. */
typedef struct sm_sums {
    unsigned counts, starts;
    bool constant; /* all elements of the block have the same digit */
} sm_sums;

template <class Key, bool FLOAT, bool PAYLOAD, int THREADS, int ITEMS> struct sm_block {
    typedef Key key_type;
    typedef sm_digit<Key, FLOAT> digit_type;
    typedef sm_field<Key, FLOAT> field_type;
    static const int EACH = ITEMS; /* elements a thread */
    static const int WARPS = THREADS / GB_WARP, GROUPS = WARPS / SM_GROUP_WARPS;
    static const int KEYS = THREADS * ITEMS;
    /* one spare slot in 32, so that runs whose lengths are multiples of 32 do not meet in a bank */
    static const int SLOTS = KEYS + KEYS / GB_WARP;
    static const int KEYS_BYTES = SLOTS * (int)sizeof(Key);
    static const int PAYLOAD_BYTES = PAYLOAD ? SLOTS * 4 : 0;
    static const int COUNTS_BYTES = WARPS * SM_WORDS * 4;
    static const unsigned LISTED = COUNTS_BYTES / 4 - 1;
    static const int BYTES = KEYS_BYTES + PAYLOAD_BYTES + COUNTS_BYTES;

    /* shared memory */
    Key *keys;
    uint32_t *payload;
    unsigned *counts; /* SM_WORDS a warp: of two digits; then where they begin in the block */
    unsigned valid;   /* elements of the block */
    /* of the thread's warp, whose elements are neighbours in rows of 32: the place of the first one
     * in the block, and how many there are */
    unsigned begin, own;

    __device__ __forceinline__ explicit sm_block(unsigned char *shared)
    {
        keys = reinterpret_cast<Key *>(shared);
        payload = reinterpret_cast<uint32_t *>(shared + KEYS_BYTES);
        counts = reinterpret_cast<unsigned *>(shared + KEYS_BYTES + PAYLOAD_BYTES);
    }
    /* The block has so many elements. All warps have as many rows, but for the last ones. */
    __device__ __forceinline__ void hold(unsigned elements)
    {
        const unsigned most = (elements + THREADS - 1) / THREADS * GB_WARP;
        valid = elements;
        begin = threadIdx.x / GB_WARP * most;
        own = begin >= valid ? 0 : valid - begin < most ? valid - begin : most;
    }
    static __device__ __forceinline__ unsigned slot(unsigned place)
    {
        return place + place / GB_WARP;
    }
    /* Whether the warp has a row i of elements; and the thread an element in it. */
    __device__ __forceinline__ bool has_row(int i) const { return (unsigned)i * GB_WARP < own; }
    __device__ __forceinline__ bool has(int i) const { return i * GB_WARP + gb_lane() < own; }
    /* Where in the block the thread's element i is. */
    __device__ __forceinline__ unsigned place_of(int i) const
    {
        return begin + i * GB_WARP + gb_lane();
    }
    /* Its slot: a warp begins with a multiple of 32. */
    __device__ __forceinline__ unsigned own_slot(int i) const
    {
        return slot(begin) + gb_lane() + i * (GB_WARP + 1);
    }
    __device__ __forceinline__ unsigned *warp_counts() const
    {
        return counts + threadIdx.x / GB_WARP * SM_WORDS;
    }

    /* Takes the elements up as load(place) and load_payload(place) give them. What lies past the
     * end is as large as can be: it ranks behind all others. */
    template <class Load, class Load_payload>
    __device__ __forceinline__ void take(Key (&key)[ITEMS], Load &&load,
                                         Load_payload &&load_payload)
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            key[i] = has(i) ? load(place_of(i)) : ~(Key)0;
        if constexpr (PAYLOAD) {
            enum { AT_ONCE = ITEMS < 8 ? ITEMS : 8 };
#pragma unroll
            for (int first = 0; first < ITEMS; first += AT_ONCE) {
                if (!has_row(first)) break;
                uint32_t some[AT_ONCE];
#pragma unroll
                for (int i = 0; i < AT_ONCE; i++)
                    some[i] = has(first + i) ? load_payload(place_of(first + i)) : 0;
#pragma unroll
                for (int i = 0; i < AT_ONCE; i++)
                    if (has_row(first + i)) payload[own_slot(first + i)] = some[i];
            }
        }
    }

    /* The bits of the field in which an element differs from `some` one of them; in every thread.
     */
    __device__ __forceinline__ Key differing(const Key (&key)[ITEMS], Key some,
                                             const field_type &field) const
    {
        Key bits = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (!has_row(i)) break;
            if (has(i)) bits |= field(key[i]) ^ field(some);
        }
        bits = or_of_warp(bits);
        if (gb_lane() == 0) keys[threadIdx.x / GB_WARP] = bits;
        __syncthreads();
        return or_of_warp(gb_lane() < (unsigned)WARPS ? keys[gb_lane()] : 0);
    }

    /* Elements in order but for the lowest bits of the field, of which `field` leaves out `low`,
     * are put in order: where one is larger than the next, those that agree in the bits above are
     * sorted by a thread. False, and nothing has changed, where that would take long. */
    __device__ __forceinline__ bool mend(Key (&key)[ITEMS], const field_type &field,
                                         unsigned low) const
    {
        unsigned *listed = counts, *list = counts + 1; /* of groups: their first, their length */
        bool too_long = false;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (!has_row(i)) break;
            keys[own_slot(i)] = key[i];
        }
        if (threadIdx.x == 0) *listed = 0;
        __syncthreads();
#pragma unroll 1
        for (unsigned i = gb_lane(); i < own; i += GB_WARP) {
            const unsigned place = begin + i;
            if (place == 0 || field(keys[slot(place - 1)]) <= field(keys[slot(place)])) continue;
            const unsigned group = group_of(place, field, low);
            if (group == 0) continue;
            const unsigned at = group == SM_TOO_LONG ? LISTED : atomicAdd(listed, 1u);
            if (at < LISTED) list[at] = group;
            too_long |= at >= LISTED;
        }
        if (__syncthreads_or(too_long)) return false;
        const unsigned groups = *listed;
        if (groups == 0) return true;
        for (unsigned i = threadIdx.x; i < groups; i += THREADS)
            sort_group(list[i] & 0xffffu, list[i] >> 16, field);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (!has_row(i)) break;
            key[i] = has(i) ? keys[own_slot(i)] : ~(Key)0;
        }
        return true;
    }

    /* The payload of the thread's element i, after a barrier. */
    __device__ __forceinline__ uint32_t payload_of(int i) const
    {
        return PAYLOAD ? payload[own_slot(i)] : 0;
    }
    /* The thread's element i to its place in the output. */
    template <class Sort>
    __device__ __forceinline__ void put(const Sort &sort, unsigned place, int i, Key image) const
    {
        sort.keys_out[place] = sort.decode(image);
        if (PAYLOAD) sort.payload_out[place] = payload_of(i);
    }

    /* Of each key the rank among the warp's with its digit; rows in order. */
    __device__ __forceinline__ void rank(const Key (&key)[ITEMS], const digit_type &digit_of,
                                         rs_halves<ITEMS> &ranks) const
    {
        unsigned *words = warp_counts();
        unsigned short *mine = reinterpret_cast<unsigned short *>(words);
#pragma unroll
        for (int w = 0; w < SM_WORDS; w += GB_WARP)
            words[w + gb_lane()] = 0;
        __syncwarp();
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (!has_row(i)) break;
            const unsigned digit = digit_of(key[i]);
            const unsigned peers = gb_peers<SM_BITS>(digit);
            const unsigned below = __popc(peers & gb_lanes_below());
            const unsigned before = mine[digit];
            __syncwarp();
            if (peers >> gb_lane() == 1) mine[digit] = (unsigned short)(before + below + 1);
            __syncwarp();
            ranks.set(i, before + below);
        }
    }

    /* Turns the counts of (warp, digit) to where they begin in the block. part: a word a
     * thread, which may be used again when it returns; sums: SM_WORDS / 32. */
    __device__ __forceinline__ sm_sums find_starts(const digit_type &digit_of, unsigned *part,
                                                   unsigned *sums) const
    {
        const unsigned word = threadIdx.x % SM_WORDS, group = threadIdx.x / SM_WORDS;
        const unsigned warp = threadIdx.x / GB_WARP;
        unsigned *mine = counts + group * SM_GROUP_WARPS * SM_WORDS + word;
        unsigned own[SM_GROUP_WARPS], sum = 0;
        __syncthreads();
#pragma unroll
        for (int w = 0; w < SM_GROUP_WARPS; w++) {
            own[w] = mine[w * SM_WORDS];
            sum += own[w];
        }
        part[threadIdx.x] = sum;
        __syncthreads();
        unsigned total = 0, before = 0;
#pragma unroll
        for (unsigned g = 0; g < (unsigned)GROUPS; g++) {
            const unsigned theirs = part[g * SM_WORDS + word];
            total += theirs;
            if (g < group) before += theirs;
        }
        const unsigned low = total & 0xffffu, high = total >> 16;
        const unsigned inclusive = gb_warp_inclusive_sum(low + high);
        if (group == 0 && gb_lane() == GB_WARP - 1) sums[warp] = inclusive;
        __syncthreads();
        unsigned start = inclusive - low - high;
#pragma unroll
        for (unsigned w = 0; w < SM_WORDS / GB_WARP; w++)
            if (w < warp % (SM_WORDS / GB_WARP)) start += sums[w];
        sm_sums found;
        found.starts = start | (start + low) << 16;
        unsigned running = found.starts + before;
#pragma unroll
        for (int w = 0; w < SM_GROUP_WARPS; w++) {
            mine[w * SM_WORDS] = running;
            running += own[w];
        }
        /* what lies past the end of the last row has the last digit */
        const unsigned past = (0u - valid) % GB_WARP;
        found.counts = total;
        if (word == digit_of.mask / 2) found.counts -= digit_of.mask & 1 ? past << 16 : past;
        found.constant =
            __syncthreads_or((found.counts & 0xffffu) == valid || found.counts >> 16 == valid);
        return found;
    }

    /* Puts the elements in order by a digit whose ranks and starts are known. A barrier has to come
     * before others' payloads are read. */
    __device__ __forceinline__ void move(Key (&key)[ITEMS], const digit_type &digit_of,
                                         rs_halves<ITEMS> ranks) const
    {
        const unsigned short *starts = reinterpret_cast<const unsigned short *>(warp_counts());
        uint32_t moved[PAYLOAD ? ITEMS : 1];
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (!has_row(i)) break;
            const unsigned place = starts[digit_of(key[i])] + ranks.get(i);
            keys[slot(place)] = key[i];
            ranks.replace(i, place);
        }
        if constexpr (PAYLOAD) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                if (!has_row(i)) break;
                moved[i] = payload[own_slot(i)];
            }
        }
        __syncthreads();
        if constexpr (PAYLOAD) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                if (!has_row(i)) break;
                payload[slot(ranks.get(i))] = moved[i];
            }
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (!has_row(i)) break;
            key[i] = keys[own_slot(i)];
        }
    }

  private:
    static __device__ __forceinline__ Key or_of_warp(Key bits)
    {
#pragma unroll
        for (int d = GB_WARP / 2; d; d >>= 1)
            bits |= __shfl_xor_sync(GB_FULL_MASK, bits, d);
        return bits;
    }

    /* The elements, in shared memory, that agree with the one at `place`, which is smaller than the
     * one before it, but for the lowest bits: the first's place, and in the high half how many they
     * are. 0 if another one before it is smaller than its own predecessor, too: its thread finds
     * them. */
    __device__ __forceinline__ unsigned group_of(unsigned place, const field_type &field,
                                                 unsigned low) const
    {
        const Key top = field(keys[slot(place)]) >> low;
        unsigned first = place - 1, behind = place + 1;
        Key next = field(keys[slot(first)]);
        while (first) {
            const Key one = field(keys[slot(first - 1)]);
            if (one >> low != top) break;
            if (one > next) return 0;
            if (behind - first >= SM_MOST_ALIKE) return SM_TOO_LONG;
            next = one;
            first--;
        }
        while (behind < valid && field(keys[slot(behind)]) >> low == top) {
            if (behind - first >= SM_MOST_ALIKE) return SM_TOO_LONG;
            behind++;
        }
        return first | (behind - first) << 16;
    }

    /* Sorts so many elements in shared memory, by insertion. */
    __device__ __forceinline__ void sort_group(unsigned first, unsigned length,
                                               const field_type &field) const
    {
#pragma unroll 1
        for (unsigned i = 1; i < length; i++) {
            unsigned to = first + i;
            const Key key = keys[slot(to)];
            const uint32_t with = PAYLOAD ? payload[slot(to)] : 0;
            for (; to > first && field(keys[slot(to - 1)]) > field(key); to--) {
                keys[slot(to)] = keys[slot(to - 1)];
                if (PAYLOAD) payload[slot(to)] = payload[slot(to - 1)];
            }
            keys[slot(to)] = key;
            if (PAYLOAD) payload[slot(to)] = with;
        }
    }
};

#endif
