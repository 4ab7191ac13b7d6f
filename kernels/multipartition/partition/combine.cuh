/* Write-combining buffers: what a block has gathered of each digit, in shared memory, so that it
 * leaves as whole aligned groups (32 to 128 bytes of keys) and device memory sees no store of
 * single keys.
 *
 * A digit's buffer is as large as its share of a tile makes likely. Its word says where the next
 * key goes and where the buffer ends: one atomic addition is all that a key costs, and a tile of
 * any distribution that was foreseen fits. Of keys that do not fit only the digit's count is kept:
 * they are written straight to their places. Between tiles a digit has less than a group left.
 *
 * The paper's buffers (buffer_per_warp.cu) hold 32 keys of every bin; keys wait for them. */
#ifndef GB_MULTIPARTITION_COMBINE_CUH
#define GB_MULTIPARTITION_COMBINE_CUH

#include "kernels/multipartition/elements.cuh"
#include "kernels/multipartition/partition/types.cuh"

/* 4-byte keys in 32 bytes: what a write begins at, and a multiple of which it writes. Regions begin
 * at whole lines of 128 bytes where they can, for groups are parts of lines then. */
enum { MP_SECTOR = 8, MP_LINE = 32 };

/* ---- buffers --------------------------------------------------------------------------------- */

/* How a block's shared memory is cut; the host chooses. */
typedef struct mp_cut {
    unsigned slots;     /* elements in all buffers together, a multiple of the group */
    unsigned group_log; /* log2 of the elements that leave together: 3 to 5 */
    unsigned by_team;   /* elements of a digit that a few lanes write; what is more a warp does */
    unsigned spare;     /* slots of a buffer beside what a tile brings: two groups, or 24 */
    float spread;       /* standard deviations that a buffer has room for */
} mp_cut;

/* A buffer's word: the next slot in the lower half, the buffer's end in the upper one. Slots and a
 * tile together are fewer than 2^16, so that counting does not carry over. */
__device__ __forceinline__ unsigned mp_word(unsigned next, unsigned end)
{
    return end << 16 | next;
}
__device__ __forceinline__ unsigned mp_word_next(unsigned word)
{
    return word & 0xffffu;
}
__device__ __forceinline__ unsigned mp_word_end(unsigned word)
{
    return word >> 16;
}

/* Room for a digit that has `count` of `total` elements, in whole groups. The sum over all digits
 * is at most tile + digits cut.spare + spread sqrt(digits tile): the square roots' is largest where
 * all are alike. */
enum { MP_LEAST_MOVED = 16 }; /* elements of a digit that may be left after a tile */
__device__ __forceinline__ unsigned mp_room(const mp_cut &cut, unsigned tile, double count,
                                            double total)
{
    const unsigned group = 1u << cut.group_log;
    const float mean = (float)(total > 0 ? tile * (count / total) : 0);
    const unsigned room = cut.spare - 1 + (unsigned)(mean + cut.spread * sqrtf(mean));
    return room & ~(group - 1);
}

/* What is written of a digit: slots [from, to) go to base + slot of the output. The rest, up to
 * next, moves to the buffer's start. Of payload the base may be another one. */
template <int WORDS> struct mp_flush {
    unsigned start, from, to, next;
    uint64_t base, payload_base;
};
template <> struct mp_flush<0> {
    unsigned start, from, to, next;
    uint64_t base;
};

/* Copies four slots, or those of them that lie in [from, to). PARTIAL: that may not be all. */
template <bool PARTIAL, class T>
__device__ __forceinline__ void mp_write_four(T *out, uint64_t base, const T *buffer, unsigned slot,
                                              unsigned from, unsigned to)
{
    if (!PARTIAL || (slot >= from && slot + 4 <= to)) {
        mp_copy_four(out + base + slot, buffer + slot);
    } else {
        for (unsigned s = slot; s < slot + 4; s++)
            if (s >= from && s < to) out[base + s] = buffer[s];
    }
}

/* The digit that a lane looks after, of a warp that looks after so many. TURNS: warps take turns,
 * so that neighbours, which often have much together, are different warps'; and words of a warp's
 * digits are in different banks. Where not all lanes write what a digit has much of (UNEVEN,
 * below), a warp with one long digit is no faster than one with many, and nothing is gained but
 * where each lane looks after a digit. */
template <bool TURNS, int WARPS> __device__ __forceinline__ unsigned mp_owned(unsigned per_warp)
{
    const unsigned warp = threadIdx.x / GB_WARP, lane = gb_lane();
    if (!TURNS) return warp * per_warp + lane;
    return lane * WARPS + (warp + lane * WARPS / GB_WARP) % WARPS;
}

/* A warp looks after per_warp digits, each by a lane, which says here what is to be written of it:
 * a group by 2 to 8 lanes. All lanes of the warp call it. PARTIAL: from or to may lie within four
 * slots that begin at a multiple of four. UNEVEN: some digits may have much more than most, and all
 * lanes write what those have beyond cut.by_team; it costs all others 2 to 5 %. */
template <bool PARTIAL, bool UNEVEN, class Key, int WORDS>
__device__ __forceinline__ void
mp_write_groups(const mp_elements<Key, WORDS> &out, const mp_elements<Key, WORDS> &buffers,
                const mp_cut &cut, unsigned per_warp, const mp_flush<WORDS> &mine)
{
    const unsigned group_log = cut.group_log, group = 1u << group_log, lanes_log = group_log - 2,
                   lane = gb_lane();
    const unsigned team = lane >> lanes_log, within = 4 * (lane & ((1u << lanes_log) - 1));
    const unsigned range = mine.to << 16 | mine.from, rest = mine.next << 16 | mine.start;
    for (unsigned first = 0; first < per_warp; first += GB_WARP >> lanes_log) {
        const unsigned j = first + team;
        const unsigned theirs = __shfl_sync(GB_FULL_MASK, range, j);
        const unsigned left = __shfl_sync(GB_FULL_MASK, rest, j);
        const uint64_t base = __shfl_sync(GB_FULL_MASK, mine.base, j);
        const unsigned from = theirs & 0xffffu, to = j < per_warp ? theirs >> 16 : 0;
        const unsigned first_slot = (PARTIAL ? from & ~(group - 1) : from) + within;
        const unsigned stop = first_slot - within + cut.by_team;
        const unsigned last = !UNEVEN || to < stop ? to : stop;
        for (unsigned slot = first_slot; slot < last; slot += group)
            mp_write_four<PARTIAL>(out.keys, base, buffers.keys, slot, from, to);
        if constexpr (WORDS > 0) {
            const uint64_t payload_base = __shfl_sync(GB_FULL_MASK, mine.payload_base, j);
            for (unsigned slot = first_slot; slot < last; slot += group)
                mp_write_four<PARTIAL>(out.payload, payload_base, buffers.payload, slot, from, to);
        }
        /* the first of the rest takes the place of what has left; a group, or less, but for the
         * smallest groups, where a region is full: then up to 15 wait for the end */
        const unsigned start = left & 0xffffu, next = to > from ? left >> 16 : 0;
        for (unsigned at = within; at < within + MP_LEAST_MOVED; at += group) {
            const bool moves = to + at < next;
            __align__(16) Key key[4];
            __align__(16) typename mp_elements<Key, WORDS>::payload_type payload[4];
            if (moves) {
                mp_copy_four(key, buffers.keys + to + at);
                if constexpr (WORDS > 0) mp_copy_four(payload, buffers.payload + to + at);
            }
            __syncwarp();
            if (moves) {
                mp_copy_four(buffers.keys + start + at, key);
                if constexpr (WORDS > 0) mp_copy_four(buffers.payload + start + at, payload);
            }
        }
    }
    if (!UNEVEN) return;
    /* digits with more than that, one after the other. What was left of them has moved, to slots
     * that have been written. */
    const unsigned begin = (PARTIAL ? mine.from & ~(group - 1) : mine.from) + cut.by_team;
    for (unsigned longer = __ballot_sync(GB_FULL_MASK, mine.to > begin); longer;
         longer &= longer - 1) {
        const unsigned j = __ffs(longer) - 1;
        const unsigned theirs = __shfl_sync(GB_FULL_MASK, range, j);
        const uint64_t base = __shfl_sync(GB_FULL_MASK, mine.base, j);
        const unsigned from = theirs & 0xffffu, to = theirs >> 16;
        const unsigned first_slot = __shfl_sync(GB_FULL_MASK, begin, j) + 4 * lane;
        for (unsigned slot = first_slot; slot < to; slot += 4 * GB_WARP)
            mp_write_four<PARTIAL>(out.keys, base, buffers.keys, slot, from, to);
        if constexpr (WORDS > 0) {
            const uint64_t payload_base = __shfl_sync(GB_FULL_MASK, mine.payload_base, j);
            for (unsigned slot = first_slot; slot < to; slot += 4 * GB_WARP)
                mp_write_four<PARTIAL>(out.payload, payload_base, buffers.payload, slot, from, to);
        }
    }
}

/* ---- hot digits ------------------------------------------------------------------------------ */

enum { MP_MOST_HOT = 32 };

/* Digits of which a tile has more than a warp's share, or much more than of most others, are
 * written by all warps together, lest one holds up the others. In shared memory; each is described
 * by the thread that looks after it, who knows its number among them. */
template <int WORDS> struct mp_hot {
    unsigned count;
    unsigned much; /* elements of a tile, of digits that have much more than most others */
    mp_flush<WORDS> flush[MP_MOST_HOT];
};

static const unsigned MP_COLD = 0xffffu; /* no number */

/* A digit's number among the hot ones, or MP_COLD, if it has `count` of `total` elements. All
 * threads of a block call it, with 0 for none; hot's numbers are 0 before. others: digits that one
 * with much would hold up, 0 for none; where a warp looks after few, that costs more than it gains,
 * and where all lanes of a warp write what a digit has (UNEVEN), none is held up.
 * Where those that have much have most of all together, others are few in tiles, too, and wait for
 * nobody: sorted input is of that kind. */
template <bool UNEVEN, int THREADS, int ITEMS, int WORDS>
__device__ __forceinline__ unsigned mp_heat(unsigned others, double count, double total,
                                            mp_hot<WORDS> *hot)
{
    const float TILE = THREADS * ITEMS, mean = total > 0 ? (float)(TILE * (count / total)) : 0;
    const bool much = !UNEVEN && others > THREADS / 2 && mean > TILE / (2 * MP_MOST_HOT) &&
                      mean > 4 * TILE / (float)others;
    if (much) atomicAdd(&hot->much, (unsigned)mean);
    __syncthreads();
    const float most = UNEVEN ? TILE / 8 : ITEMS * GB_WARP; /* that a warp writes alone */
    if (mean > most || (much && (float)hot->much < TILE / 2)) return atomicAdd(&hot->count, 1u);
    return MP_COLD;
}

/* Writes the hot digits and moves what is left of them, by all threads of a block. */
template <bool PARTIAL, int THREADS, class Key, int WORDS>
__device__ __forceinline__ void mp_write_hot(const mp_elements<Key, WORDS> &out,
                                             const mp_elements<Key, WORDS> &buffers,
                                             const mp_hot<WORDS> &hot)
{
    __syncthreads();
    for (unsigned h = 0; h < hot.count; h++) {
        const mp_flush<WORDS> &f = hot.flush[h];
        const unsigned from = f.from, to = f.to;
        for (unsigned slot = (from & ~3u) + 4 * threadIdx.x; slot < to; slot += 4 * THREADS) {
            mp_write_four<PARTIAL>(out.keys, f.base, buffers.keys, slot, from, to);
            if constexpr (WORDS > 0)
                mp_write_four<PARTIAL>(out.payload, f.payload_base, buffers.payload, slot, from,
                                       to);
        }
    }
    __syncthreads();
    for (unsigned h = threadIdx.x / GB_WARP; h < hot.count; h += THREADS / GB_WARP) {
        const mp_flush<WORDS> &f = hot.flush[h];
        const unsigned rest = f.to + gb_lane();
        const bool moves = f.to > f.from && rest < f.next;
        Key key = 0;
        typename mp_elements<Key, WORDS>::payload_type payload = {};
        if (moves) {
            key = buffers.keys[rest];
            if constexpr (WORDS > 0) payload = buffers.payload[rest];
        }
        __syncwarp();
        if (moves) {
            buffers.keys[f.start + gb_lane()] = key;
            if constexpr (WORDS > 0) buffers.payload[f.start + gb_lane()] = payload;
        }
    }
}

/* Writes what leaves of all digits. heat: of the lane's digit, or MP_COLD. All threads of the block
 * call it. */
template <bool PARTIAL, bool UNEVEN, int THREADS, class Key, int WORDS>
__device__ __forceinline__ void mp_write(const mp_elements<Key, WORDS> &out,
                                         const mp_elements<Key, WORDS> &buffers, const mp_cut &cut,
                                         unsigned per_warp, mp_hot<WORDS> *hot, unsigned heat,
                                         mp_flush<WORDS> flush)
{
    if (hot->count) {
        if (heat != MP_COLD) {
            hot->flush[heat] = flush;
            flush.to = flush.from;
        }
        mp_write_hot<PARTIAL, THREADS>(out, buffers, *hot);
    }
    mp_write_groups<PARTIAL, UNEVEN>(out, buffers, cut, per_warp, flush);
}

#endif
