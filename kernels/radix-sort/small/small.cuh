/* A stable sort in one kernel, of what the multiprocessors hold: blocks keep their parts on the
 * chip (block.cuh) and meet to exchange them.
 *
 * From the top: every block counts its part by the highest digit, publishes 256 counts, and when
 * all have met, learns from all counts where its runs begin. What begins in a block's share of the
 * output is that block's: whole runs of digits. So one exchange is enough, and the rest is sorted
 * on the chip by the highest bits in which a block's keys differ, and few keys that those do not
 * tell apart by comparing them; where there are many, by all bits. Digits that all keys share are
 * left out. Where a block would get much more than the others, the digits are taken from the lowest
 * on instead, an exchange each, which depends on no distribution. All blocks decide alike, from the
 * same counts.
 *
 * A distribution by the top digit, then sorts on the chip: Merrill and Grimshaw 2011, "High
 * performance and scalable radix sorting", and Stehle and Jacobsen 2017, "A memory bandwidth
 * efficient hybrid radix sort on GPUs"; here both in one kernel, and stable. */
#ifndef GB_RADIX_SORT_SMALL_CUH
#define GB_RADIX_SORT_SMALL_CUH

#include "common/cuda/cluster.cuh"
#include "kernels/radix-sort/small/block.cuh"

enum {
    SM_MOST_BLOCKS = 256,
    SM_LOOK = 9, /* counts that a thread asks for at a time: those of 144 blocks in two rounds */
    SM_TELLING = 16, /* of a block's keys the highest bits that differ, by which they are sorted */
    SM_MOST_MISMATCH = 3, /* times the part that a block gets at most from the top */
};

/* Device memory, 0 at the start and at the end. */
typedef struct sm_meeting {
    unsigned arrived, apart[31]; /* blocks of a grid, at all meetings */
    unsigned left;
    gb_cluster_room room;
} sm_meeting;

template <class Key> struct sm_sort_of {
    const Key *keys_in;
    const uint32_t *payload_in;
    Key *keys_out;
    uint32_t *payload_out;
    unsigned n, part; /* a block has `part` elements, the last one what is left: 1 at least */
    Key flip, flip_negative; /* bits by which images differ from keys (rs_digit) */
    Key minus_zero;          /* its image, of floats */
    unsigned begin_bit, end_bit;
    const unsigned *only_if; /* a word without which (0) nothing is done; or NULL */
    sm_meeting *meeting;
    unsigned *counts; /* 2 x blocks x SM_WORDS; of a cluster: unused */

    /* A key's image and back, without branches, of which every key would have copies. */
    __device__ __forceinline__ Key encode(Key key) const { return flip_if_negative(key) ^ flip; }
    __device__ __forceinline__ Key decode(Key image) const
    {
        return flip_if_negative(image ^ flip);
    }

  private:
    __device__ __forceinline__ Key flip_if_negative(Key key) const
    {
        return key ^ (flip_negative & ((Key)0 - (key >> (8 * sizeof(Key) - 1))));
    }
};

/* ---- how blocks meet ------------------------------------------------------------------------- */

/* A team is all blocks of a launch. All threads of a block call each of its functions, but for
 * counts_of, give and what reads what was given.
 *
 *   arrive, wait   what the block has written until it arrives is there for all that have waited
 *   publish        counts of the block, of two digits those of thread w < SM_WORDS, for the next
 *                  meeting; they have other room the next time, so that no meeting waits for
 * readers counts_of      those of a block, after that meeting give           an element to a place
 * in the output, which after the next meeting is with the block `owner`, whose share begins at
 * `from` given          of what lies in the block's share, which begins at `begin` leave at the end
 */

/* Blocks that meet in device memory, and exchange elements through the output. */
template <class Key, bool PAYLOAD, int KEYS> struct sm_grid {
    static const bool BY_OWNER = false; /* give needs to know the owner */
    static const int BYTES = 0;         /* of dynamic shared memory */
    const sm_sort_of<Key> &sort;
    const unsigned size, rank;
    unsigned meetings, turn; /* begun; which room counts have */

    __device__ __forceinline__ sm_grid(const sm_sort_of<Key> &of, unsigned char *)
        : sort(of), size(gridDim.x), rank(blockIdx.x), meetings(0), turn(0)
    {
    }
    __device__ __forceinline__ void arrive()
    {
        meetings++;
        __syncthreads();
        if (threadIdx.x == 0) gb_arrive(&sort.meeting->arrived);
    }
    __device__ __forceinline__ void wait() const
    {
        if (threadIdx.x == 0) gb_await(&sort.meeting->arrived, meetings * size);
        __syncthreads();
    }
    __device__ __forceinline__ void publish(unsigned counts)
    {
        turn ^= 1;
        if (threadIdx.x < SM_WORDS) line(rank)[threadIdx.x] = counts;
    }
    __device__ __forceinline__ unsigned counts_of(unsigned block, unsigned word) const
    {
        return __ldcg(line(block) + word);
    }
    __device__ __forceinline__ void give(unsigned place, unsigned, unsigned, Key key,
                                         uint32_t payload) const
    {
        sort.keys_out[place] = key;
        if (PAYLOAD) sort.payload_out[place] = payload;
    }
    __device__ __forceinline__ Key given(unsigned begin, unsigned place) const
    {
        return __ldcg(sort.keys_out + begin + place);
    }
    __device__ __forceinline__ uint32_t given_payload(unsigned begin, unsigned place) const
    {
        return __ldcg(sort.payload_out + begin + place);
    }
    __device__ __forceinline__ void leave() const
    {
        if (threadIdx.x || size == 1) return;
        if (atomicAdd(&sort.meeting->left, 1u) != size - 1) return;
        sort.meeting->arrived = 0;
        sort.meeting->left = 0;
    }

  private:
    __device__ __forceinline__ unsigned *line(unsigned block) const
    {
        return sort.counts + (turn * size + block) * SM_WORDS;
    }
};

/* Blocks of a cluster, which exchange counts and elements through their shared memory. */
template <class Key, bool PAYLOAD, int KEYS> struct sm_cluster {
    static const bool BY_OWNER = true;
    static const int BYTES = 2 * SM_WORDS * 4 + KEYS * ((int)sizeof(Key) + (PAYLOAD ? 4 : 0));
    gb_cluster cluster;
    const unsigned size, rank;
    unsigned turn;
    /* shared memory, beside what the block has in its own */
    unsigned *counts; /* 2 x SM_WORDS */
    Key *keys;
    uint32_t *payloads;

    __device__ __forceinline__ sm_cluster(const sm_sort_of<Key> &of, unsigned char *shared)
        : cluster(&of.meeting->room), size(cluster.size), rank(cluster.rank), turn(0)
    {
        counts = reinterpret_cast<unsigned *>(shared);
        keys = reinterpret_cast<Key *>(counts + 2 * SM_WORDS);
        payloads = reinterpret_cast<uint32_t *>(keys + KEYS);
    }
    __device__ __forceinline__ void arrive() { cluster.arrive(); }
    __device__ __forceinline__ void wait() const { cluster.wait(); }
    __device__ __forceinline__ void publish(unsigned own)
    {
        turn ^= 1;
        if (threadIdx.x < SM_WORDS) counts[turn * SM_WORDS + threadIdx.x] = own;
    }
    __device__ __forceinline__ unsigned counts_of(unsigned block, unsigned word) const
    {
        return *cluster.of_block(counts + turn * SM_WORDS + word, block);
    }
    __device__ __forceinline__ void give(unsigned place, unsigned owner, unsigned from, Key key,
                                         uint32_t payload) const
    {
        *cluster.of_block(keys + (place - from), owner) = key;
        if (PAYLOAD) *cluster.of_block(payloads + (place - from), owner) = payload;
    }
    __device__ __forceinline__ Key given(unsigned, unsigned place) const { return keys[place]; }
    __device__ __forceinline__ uint32_t given_payload(unsigned, unsigned place) const
    {
        return payloads[place];
    }
    __device__ __forceinline__ void leave() { cluster.leave(); }
};

/* ---- where the runs go ----------------------------------------------------------------------- */

/* What a block's threads share besides its elements. */
struct sm_desk {
    unsigned part[SM_MOST_THREADS]; /* of counts */
    unsigned sums[GB_WARP + 1];
    unsigned places[SM_DIGITS];      /* what a place in the output exceeds one in the block by */
    unsigned owners[SM_DIGITS];      /* the block to which a digit's run goes as a whole */
    unsigned first[SM_MOST_BLOCKS];  /* where what is the block's begins in the output */
    unsigned behind[SM_MOST_BLOCKS]; /* and ends; 0: it has nothing */
};

/* Before the meeting: the desk is made ready for find_places. */
__device__ __forceinline__ void sm_prepare(sm_desk &desk, const sm_sums &own, unsigned blocks)
{
    if (threadIdx.x < SM_WORDS) {
        desk.places[2 * threadIdx.x] = 0u - (own.starts & 0xffffu);
        desk.places[2 * threadIdx.x + 1] = 0u - (own.starts >> 16);
    }
    for (unsigned i = threadIdx.x; i < 4 * SM_WORDS; i += blockDim.x)
        desk.part[i] = 0;
    if (threadIdx.x < blocks) {
        desk.first[threadIdx.x] = ~0u;
        desk.behind[threadIdx.x] = 0;
    }
}

typedef enum sm_shares { SM_CONSTANT, SM_UNEVEN, SM_EVEN } sm_shares;

/* After it: where the block's runs go. top: and what each block's share is if it gets whole runs;
 * they are even if none gets more than `most`. */
template <int THREADS, class Team>
__device__ __forceinline__ sm_shares sm_find_places(sm_desk &desk, const Team &team, unsigned n,
                                                    unsigned part, bool top, unsigned most)
{
    const unsigned GROUPS = THREADS / SM_WORDS;
    const unsigned word = threadIdx.x % SM_WORDS, group = threadIdx.x / SM_WORDS;
    unsigned low = 0, high = 0, low_before = 0, high_before = 0;
    for (unsigned first = group; first < team.size; first += GROUPS * SM_LOOK) {
        unsigned counts[SM_LOOK];
#pragma unroll
        for (int k = 0; k < SM_LOOK; k++)
            counts[k] =
                first + k * GROUPS < team.size ? team.counts_of(first + k * GROUPS, word) : 0;
#pragma unroll
        for (int k = 0; k < SM_LOOK; k++) {
            low += counts[k] & 0xffffu;
            high += counts[k] >> 16;
            if (first + k * GROUPS >= team.rank) continue;
            low_before += counts[k] & 0xffffu;
            high_before += counts[k] >> 16;
        }
    }
    atomicAdd(&desk.part[word], low);
    atomicAdd(&desk.part[SM_WORDS + word], high);
    atomicAdd(&desk.part[2 * SM_WORDS + word], low_before);
    atomicAdd(&desk.part[3 * SM_WORDS + word], high_before);
    __syncthreads();
    const unsigned digit = threadIdx.x;
    const unsigned at = (digit & 1) * SM_WORDS + digit / 2 % SM_WORDS;
    const unsigned count = digit < SM_DIGITS ? desk.part[at] : 0;
    unsigned all;
    const unsigned begin = gb_block_exclusive_sum_once<THREADS>(count, desk.sums, &all);
    const unsigned owner = begin / part;
    if (digit < SM_DIGITS) {
        desk.places[digit] += begin + desk.part[2 * SM_WORDS + at];
        desk.owners[digit] = owner;
    }
    if (top && count) {
        atomicMin(&desk.first[owner], begin);
        atomicMax(&desk.behind[owner], begin + count);
    }
    if (__syncthreads_or(count == n)) return SM_CONSTANT;
    if (!top) return SM_UNEVEN;
    const bool too_many = count && desk.behind[owner] - desk.first[owner] > most;
    return __syncthreads_or(too_many) ? SM_UNEVEN : SM_EVEN;
}

/* The bits of a number without leading zeros. */
template <class Key> __device__ __forceinline__ unsigned sm_bits_of(Key number)
{
    return sizeof(Key) == 4 ? 32u - (unsigned)__clz((int)number)
                            : 64u - (unsigned)__clzll((long long)number);
}

/* ---- the sort -------------------------------------------------------------------------------- */

/* From the top; from the lowest digit on; on the chip, once the block has its share. */
typedef enum sm_phase { SM_TOP, SM_LOW, SM_CHIP } sm_phase;

/* Elements from where they are in the block to their places in the output: as keys if it is the
 * last time, else to their next block. */
template <class Block, class Team, class Sort>
__device__ __forceinline__ void
sm_hand_over(const Sort &sort, const Block &block, const Team &team, const sm_desk &desk,
             const typename Block::digit_type &digit_of,
             const typename Block::key_type (&key)[Block::EACH], bool whole_runs, bool last)
{
#pragma unroll
    for (int i = 0; i < Block::EACH; i++) {
        if (!block.has_row(i)) break;
        if (!block.has(i)) continue;
        const unsigned at = block.place_of(i);
        const unsigned digit = digit_of(key[i]);
        const unsigned place = desk.places[digit] + at;
        if (last) {
            block.put(sort, place, i, key[i]);
            continue;
        }
        unsigned owner = 0, from = 0;
        if (Team::BY_OWNER) {
            owner = whole_runs ? desk.owners[digit] : place / sort.part;
            from = whole_runs ? desk.first[owner] : owner * sort.part;
        }
        team.give(place, owner, from, key[i], block.payload_of(i));
    }
}

template <class Key, bool FLOAT, bool PAYLOAD, int THREADS, int ITEMS,
          template <class, bool, int> class Team>
__global__ void __launch_bounds__(THREADS, 1) sm_sort_kernel(sm_sort_of<Key> sort)
{
    typedef sm_block<Key, FLOAT, PAYLOAD, THREADS, ITEMS> block_of;
    typedef typename block_of::field_type field_of;
    GB_DYNAMIC_SHARED();
    __shared__ sm_desk desk;
    if (sort.only_if && !*sort.only_if) return;
    block_of block(gb_shared_memory);
    Team<Key, PAYLOAD, block_of::KEYS> team(sort, gb_shared_memory + block_of::BYTES);
    const unsigned most = sort.part > (unsigned)block_of::KEYS / SM_MOST_MISMATCH
                              ? (unsigned)block_of::KEYS
                              : sort.part * SM_MOST_MISMATCH;
    unsigned begin = team.rank * sort.part; /* of the block's share in the output */
    rs_halves<ITEMS> ranks;
    Key key[ITEMS];

    block.hold(sort.n - begin < sort.part ? sort.n - begin : sort.part);
    block.take(
        key, [&](unsigned place) { return sort.encode(sort.keys_in[begin + place]); },
        [&](unsigned place) { return sort.payload_in[begin + place]; });

    unsigned end_bit = sort.end_bit; /* those above agree in all keys */
    sm_phase phase = team.size == 1                        ? SM_CHIP
                     : end_bit - sort.begin_bit <= SM_BITS ? SM_LOW
                                                           : SM_TOP;
    unsigned at = phase == SM_TOP ? end_bit - SM_BITS : sort.begin_bit;
    bool written = false; /* the output */
    Key base = 0;         /* what the elements on the chip are less than the images */
    sm_zeros<Key, FLOAT> zeros = {sort.minus_zero, (Key)~sort.minus_zero};
    bool unsure = false; /* whether the digits that were left out change the order */
    const auto begin_on_chip = [&](Key some) {
        phase = SM_CHIP;
        const Key bits = block.differing(key, some, field_of(sort.begin_bit, end_bit, zeros));
        end_bit = sort.begin_bit + sm_bits_of(bits);
        unsure = end_bit - sort.begin_bit > SM_TELLING;
        at = unsure ? end_bit - SM_TELLING : sort.begin_bit;
    };
    if (phase == SM_CHIP) begin_on_chip(sort.encode(sort.keys_in[0]));
    while (at < end_bit) {
        const typename block_of::digit_type digit_of(at, end_bit, zeros);
        block.rank(key, digit_of, ranks);
        const sm_sums own = block.find_starts(digit_of, desk.part, desk.sums);
        if (phase != SM_CHIP) {
            team.publish(own.counts);
            sm_prepare(desk, own, team.size);
            team.arrive();
        }
        if (!own.constant) block.move(key, digit_of, ranks);
        if (phase == SM_CHIP) {
            at += SM_BITS;
            if (at < end_bit || !unsure) continue;
            unsure = false;
            if (!block.mend(key, field_of(sort.begin_bit, end_bit, zeros),
                            end_bit - SM_TELLING - sort.begin_bit))
                at = sort.begin_bit;
            continue;
        }
        team.wait();
        const bool top = phase == SM_TOP;
        const sm_shares shares = sm_find_places<THREADS>(desk, team, sort.n, sort.part, top, most);
        if (top && shares != SM_EVEN) {
            if (shares == SM_CONSTANT) end_bit = at;
            const bool few = end_bit - sort.begin_bit <= SM_BITS;
            phase = shares == SM_UNEVEN || few ? SM_LOW : SM_TOP;
            at = phase == SM_TOP ? end_bit - SM_BITS : sort.begin_bit;
            continue;
        }
        if (shares == SM_CONSTANT) {
            at += SM_BITS;
            continue;
        }
        written = !top && at + SM_BITS >= end_bit;
        sm_hand_over(sort, block, team, desk, digit_of, key, top, written);
        if (written) break;
        team.arrive();
        team.wait();
        if (top) {
            const unsigned behind = desk.behind[team.rank];
            begin = behind ? desk.first[team.rank] : 0;
            block.hold(behind - begin);
        }
        block.take(
            key, [&](unsigned place) { return team.given(begin, place); },
            [&](unsigned place) { return team.given_payload(begin, place); });
        if (!top) {
            at += SM_BITS;
            continue;
        }
        if (block.valid == 0) break;
        const Key some = team.given(begin, 0);
        unsigned first = digit_of(some);
        /* what lies past the end is ~0, which -0 must not become */
        if (FLOAT && (Key)(zeros.minus - ((Key)first << at)) == ~(Key)0) first--;
        const unsigned runs = digit_of(team.given(begin, block.valid - 1)) - first; /* less one */
        base = (Key)first << at;
        zeros = {(Key)(zeros.minus - base), (Key)(zeros.plus - base)};
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (block.has(i)) key[i] -= base;
        end_bit = at + sm_bits_of(runs);
        begin_on_chip(some - base);
    }
    __syncthreads(); /* payloads have moved */
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (!written && block.has(i)) block.put(sort, begin + block.place_of(i), i, key[i] + base);
    team.leave();
}

#endif
