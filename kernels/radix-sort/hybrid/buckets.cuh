/* The last stage of hybrid: every bucket in shared memory, on its way from its pages to the output.
 */
#ifndef GB_RADIX_SORT_HYBRID_BUCKETS_CUH
#define GB_RADIX_SORT_HYBRID_BUCKETS_CUH

#include "kernels/radix-sort/hybrid/hybrid.cuh"

/* Orders two elements. */
template <class Kind>
static __device__ __forceinline__ void hy_order(typename Kind::element &a,
                                                typename Kind::element &b)
{
    Kind::order(a, b);
}

/* One step of Batcher's merge sort (Knuth, TAOCP 3, 5.3.4, algorithm M) of N elements: of runs of P
 * that are in order, elements K apart. What lies behind N would be larger than all. */
template <class Kind, int P, int K, int N>
static __device__ __forceinline__ void hy_compare(typename Kind::element (&k)[N])
{
#pragma unroll
    for (int i = 0; i + K < N; i++)
        if (i >= K % P && (i - K % P) / K % 2 == 0 && i / (2 * P) == (i + K) / (2 * P))
            hy_order<Kind>(k[i], k[i + K]);
}

/* Merges runs of P that are in order to runs of 2 P. */
template <class Kind, int P, int N, int K = P>
static __device__ __forceinline__ void hy_merge(typename Kind::element (&k)[N])
{
    hy_compare<Kind, P, K>(k);
    if constexpr (K > 1) hy_merge<Kind, P, N, K / 2>(k);
}

/* Orders N elements: 19 comparisons for 8, 63 for 16. */
template <class Kind, int N, int P = 1>
static __device__ __forceinline__ void hy_order_all(typename Kind::element (&k)[N])
{
    hy_merge<Kind, P>(k);
    if constexpr (2 * P < N) hy_order_all<Kind, N, 2 * P>(k);
}

/* How THREADS threads read a bucket's pages, all at once. */
template <class Kind, int THREADS_> struct hy_pages_of_bucket {
    typedef typename Kind::element element;
    typedef gb_keys_of_16_bytes<element> vector;
    enum {
        THREADS = THREADS_,
        VECTOR = gb_page_vector<element>,
        ITEMS = HY_ROW_KEYS / THREADS, /* of a thread */
        ROUNDS = ITEMS / VECTOR        /* loads of 16 bytes */
    };
    static_assert(ITEMS <= 32, "a bit each");

    /* Calls go(r, where the thread's vector r lies, or NULL where nothing does); bit i of what it
     * returns says whether element i is one. */
    template <class Go>
    static __device__ __forceinline__ unsigned each_page(const hy_sort &sort, unsigned bucket,
                                                         Go &&go)
    {
        const unsigned row = sort.row_lengths[bucket], within_mask = (1u << sort.page_shift) - 1;
        const element *pages = static_cast<const element *>(sort.pages2);
        const unsigned *words = sort.rows + bucket * sort.width;
        /* a warp's vectors lie in one page: its lanes know the words of 32 pages, and of 32 more */
        static_assert(GB_WARP * VECTOR <= 128, "a page has 128 elements or more");
        const unsigned lane = gb_lane();
        const unsigned first = lane < row ? words[lane] : 0;
        const unsigned second = lane + GB_WARP < row ? words[lane + GB_WARP] : 0;
        unsigned valid = 0;
#pragma unroll
        for (int r = 0; r < ROUNDS; r++) {
            const unsigned e = VECTOR * (threadIdx.x + r * THREADS), p = e >> sort.page_shift;
            const unsigned word =
                __shfl_sync(GB_FULL_MASK, p < GB_WARP ? first : second, p % GB_WARP);
            const unsigned within = e & within_mask, filled = p < row ? (word & 255) + 1 : 0;
            if (within < filled) {
                go(r, reinterpret_cast<const vector *>(
                          pages + ((size_t)(word >> 8) << sort.page_shift) + within));
                const unsigned keys = filled - within;
                valid |= (keys >= VECTOR ? (1u << VECTOR) - 1 : (1u << keys) - 1) << (VECTOR * r);
            } else {
                go(r, (const vector *)NULL);
            }
        }
        return valid;
    }
    /* The thread's elements of all pages of the bucket. */
    static __device__ __forceinline__ unsigned load(const hy_sort &sort, unsigned bucket,
                                                    element (&key)[ITEMS])
    {
        return each_page(sort, bucket, [&](int r, const vector *from) {
            vector some = {};
            if (from) some = hy_load_once(from);
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                key[VECTOR * r + v] = some.key[v];
        });
    }

    /* Starts copying them to shared memory, each to its number: element v of the thread's vector r
     * has VECTOR * (thread + r * THREADS) + v. */
    static __device__ __forceinline__ unsigned copy(const hy_sort &sort, unsigned bucket,
                                                    element *to)
    {
        return each_page(sort, bucket, [&](int r, const vector *from) {
            if (from) gb_copy_async_16(to + VECTOR * (threadIdx.x + r * THREADS), from);
        });
    }

    /* Calls go(i, whether it is there) for the thread's elements, vector by vector: nearly all are
     * whole or empty. */
    template <class Go> static __device__ __forceinline__ void each_vector(unsigned valid, Go &&go)
    {
        const unsigned whole = (1u << VECTOR) - 1;
#pragma unroll
        for (int r = 0; r < ROUNDS; r++) {
            const unsigned some = valid >> r * VECTOR & whole;
            if (some == whole) {
#pragma unroll
                for (int v = 0; v < VECTOR; v++)
                    go(r * VECTOR + v, true);
            } else if (some) {
#pragma unroll
                for (int v = 0; v < VECTOR; v++)
                    go(r * VECTOR + v, some >> v & 1);
            }
        }
    }
};

/* A bucket in shared memory. group_of: of an element's top, which counter counts it. */
template <class Kind, class Group> struct hy_bucket {
    typedef typename Kind::element element;
    typedef gb_keys_of_16_bytes<element> vector;
    enum {
        THREADS = hy_sizes<Kind>::REST_THREADS,
        VECTOR = gb_page_vector<element>,
        COUNTERS = 1 << HY_LOCAL_BITS,
        FOURS = COUNTERS / 4 / THREADS, /* of counters, of a thread */
        LINE = 128 / (int)sizeof(element)
    };
    static_assert(FOURS == 2 || FOURS == 4, "their sums have 16 bits of a word each");

    /* 16 spare bytes in 128, so that windows of eight do not meet in a bank. */
    static __device__ __host__ __forceinline__ unsigned slot(unsigned i)
    {
        return i + i / LINE * VECTOR;
    }
    static __host__ __forceinline__ size_t bytes()
    {
        return COUNTERS * 4 + slot(HY_LOCAL_KEYS + 32) * sizeof(element);
    }

    unsigned *counters;
    element *slots;
    Group group_of;

    __device__ __forceinline__ element in_order(unsigned i) const { return slots[slot(i)]; }

    __device__ __forceinline__ unsigned group(const element &e) const
    {
        return group_of(Kind::top(e));
    }

    __device__ __forceinline__ void clear() const
    {
#pragma unroll
        for (int i = 0; i < FOURS; i++)
            reinterpret_cast<uint4 *>(counters)[threadIdx.x + i * THREADS] = make_uint4(0, 0, 0, 0);
    }

    /* Counters become where their groups begin. A thread has four of each quarter, or half:
     * neighbours read neighbouring 16 bytes. */
    __device__ __forceinline__ void begins(unsigned long long *sums) const
    {
        uint4 *fours = reinterpret_cast<uint4 *>(counters);
        uint4 four[FOURS];
        unsigned long long sum = 0, all;
#pragma unroll
        for (int i = 0; i < FOURS; i++) {
            four[i] = fours[threadIdx.x + i * THREADS];
            sum += (unsigned long long)(four[i].x + four[i].y + four[i].z + four[i].w) << 16 * i;
        }
        unsigned long long before = gb_block_exclusive_sum_once<THREADS>(sum, sums, &all);
        unsigned base = 0;
#pragma unroll
        for (int i = 0; i < FOURS; i++) {
            uint4 begin;
            begin.x = base + (unsigned)(before >> 16 * i & 0xffffu);
            begin.y = begin.x + four[i].x;
            begin.z = begin.y + four[i].y;
            begin.w = begin.z + four[i].z;
            fours[threadIdx.x + i * THREADS] = begin;
            base += (unsigned)(all >> 16 * i & 0xffffu);
        }
    }

    /* Puts groups in order: every pair of neighbours lies in a window of one of two rounds, but for
     * those that the second one parts: they are looked at, and once each is nearly always enough.
     */
    __device__ __forceinline__ void order_groups(unsigned count) const
    {
        enum { VECTORS = 8 / VECTOR };
        bool parted, halves = false; /* whether all halves of windows are in order */
        do {
#pragma unroll
            for (unsigned shifted = 0; shifted <= 4; shifted += 4) {
                for (unsigned w = 8 * threadIdx.x + shifted; w < count; w += 8 * THREADS) {
                    element k[8];
#pragma unroll
                    for (int i = 0; i < VECTORS; i++)
                        *reinterpret_cast<vector *>(k + i * VECTOR) =
                            *reinterpret_cast<const vector *>(slots + slot(w + i * VECTOR));
                    if (shifted || halves)
                        hy_merge<Kind, 4>(k);
                    else
                        hy_order_all<Kind>(k);
#pragma unroll
                    for (int i = 0; i < VECTORS; i++)
                        *reinterpret_cast<vector *>(slots + slot(w + i * VECTOR)) =
                            *reinterpret_cast<const vector *>(k + i * VECTOR);
                }
                __syncthreads();
            }
            halves = true;
            parted = false;
            for (unsigned w = 8 * threadIdx.x + 4; w < count; w += 8 * THREADS)
                parted |= Kind::above(slots[slot(w - 1)], slots[slot(w)]);
        } while (__syncthreads_or(parted));
    }
};

/* ---- racks ------------------------------------------------------------------------------------
 */

/* A bucket's elements in shared memory lie in racks: a few places for each of many groups, so that
 * an element draws its place and is there at once. A thread puts a group in order, in registers. */
enum {
    HY_RACK_ROOM = 24, /* of groups of 8 in the mean, 3 in a million have more */
    /* Words, or halves, from rack to rack: threads that read 16 bytes, or 8, of theirs at a time do
     * not meet in a bank. */
    HY_RACK_STRIDE = 28,
    HY_RACK_USUAL = 16 /* and one in 270 has more than these */
};

template <class Kind> struct hy_racks_of {
    typedef typename Kind::element element;
    enum { GROUPS = 1 << HY_RACK_BITS, ROOM = HY_RACK_ROOM, USUAL = HY_RACK_USUAL };
    unsigned *counters; /* of each group, where its next place is: bytes in the racks */
    unsigned shift;     /* of the bits of an element's top that name the group */
    unsigned bucket;

    /* Where the next place of an element's group is: STEP bytes behind the last. What finds none is
     * told by the counters later, and may lie anywhere in the racks until then. */
    template <unsigned STEP, unsigned BYTES>
    __device__ __forceinline__ unsigned draw(const element &e) const
    {
        const unsigned offset = Kind::top(e) >> (shift - 2) & (GROUPS - 1) * 4;
        const unsigned place = atomicAdd(
            reinterpret_cast<unsigned *>(reinterpret_cast<char *>(counters) + offset), STEP);
        return place < BYTES ? place : BYTES - 2;
    }
};

/* Said beside a block's elements: a group has more than its rack has places. */
enum { HY_NO_ROOM = 1 << 20 };

/* Two numbers of 16 bits in a word, each ordered by itself. */
struct hy_halves {
    typedef unsigned element;
    static __device__ __forceinline__ void order(unsigned &a, unsigned &b)
    {
        const unsigned low = gb_min_halves(a, b);
        b = gb_max_halves(a, b);
        a = low;
    }
};

/* Bare 32-bit keys: what bucket and group leave open are 15 bits at most, so that a word holds a
 * place of two neighbouring groups, and an instruction compares in both. */
template <class Kind> struct hy_racks : hy_racks_of<Kind> {
    typedef hy_racks_of<Kind> base;
    enum { THREADS = base::GROUPS / 2, STRIDE = HY_RACK_STRIDE };
    unsigned *racks; /* STRIDE words a thread; later the keys in order */

    static __host__ __forceinline__ size_t bytes()
    {
        return (base::GROUPS + THREADS * STRIDE) * sizeof(unsigned);
    }
    static __device__ __forceinline__ hy_racks make(const hy_sort &sort, unsigned bucket)
    {
        GB_DYNAMIC_SHARED();
        hy_racks in;
        in.counters = reinterpret_cast<unsigned *>(gb_shared_memory);
        in.racks = in.counters + base::GROUPS;
        in.shift = 32 - sort.bits1 - sort.bits2 - HY_RACK_BITS;
        in.bucket = bucket;
        return in;
    }
    __device__ __forceinline__ bool fits(const hy_sort &) const
    {
        return this->shift <= 16; /* in all but tests, which have fewer buckets */
    }
    /* Empty places are never below; those beyond what is usual are not looked at without need. */
    __device__ __forceinline__ void clear() const
    {
        const unsigned all = ~0u, mine = threadIdx.x * STRIDE * 4;
        reinterpret_cast<uint2 *>(this->counters)[threadIdx.x] = make_uint2(mine, mine + 2);
        uint4 *rack = reinterpret_cast<uint4 *>(racks + threadIdx.x * STRIDE);
#pragma unroll
        for (int i = 0; i < base::USUAL / 4; i++)
            rack[i] = make_uint4(all, all, all, all);
    }
    /* Takes the bucket's keys in. */
    __device__ __forceinline__ void take(const hy_sort &sort) const
    {
        typedef hy_pages_of_bucket<Kind, THREADS> pages_of;
        clear();
        unsigned key[pages_of::ITEMS];
        const unsigned valid = pages_of::load(sort, this->bucket, key);
        __syncthreads();
        pages_of::each_vector(valid, [&](int i, bool there) {
            if (!there) return;
            const unsigned place = this->template draw<4, THREADS * STRIDE * 4>(key[i]);
            *reinterpret_cast<unsigned short *>(reinterpret_cast<char *>(racks) + place) =
                (unsigned short)key[i];
        });
        __syncthreads();
    }
    template <int N>
    __device__ __forceinline__ void order(unsigned before, unsigned first, unsigned second) const
    {
        unsigned word[N];
        const unsigned *rack = racks + threadIdx.x * STRIDE;
#pragma unroll
        for (int i = 0; i < N; i += 4) {
            const uint4 four = *reinterpret_cast<const uint4 *>(rack + i);
            word[i] = four.x;
            word[i + 1] = four.y;
            word[i + 2] = four.z;
            word[i + 3] = four.w;
        }
#pragma unroll
        for (int i = base::USUAL; i < N; i++) {
            if ((unsigned)i >= first) word[i] |= 0xffffu;
            if ((unsigned)i >= second) word[i] |= 0xffff0000u;
        }
        hy_order_all<hy_halves>(word);
        __syncthreads();
        const unsigned open = (1u << this->shift) - 1;
        const unsigned named = ((this->bucket << HY_RACK_BITS) + 2 * threadIdx.x) << this->shift;
#pragma unroll
        for (int i = 0; i < N; i++) {
            if ((unsigned)i < first) racks[before + i] = named | (word[i] & open);
            if ((unsigned)i < second)
                racks[before + first + i] = (named + open + 1) | (word[i] >> 16 & open);
        }
    }
    /* All groups in order, one behind the other from racks[0] on. False: one has no room. */
    __device__ __forceinline__ bool order_all(unsigned *sums) const
    {
        uint2 count = reinterpret_cast<const uint2 *>(this->counters)[threadIdx.x];
        const unsigned mine = threadIdx.x * STRIDE * 4;
        count.x = (count.x - mine) / 4;
        count.y = (count.y - mine) / 4;
        const unsigned most = count.x > count.y ? count.x : count.y;
        const unsigned said = most > base::ROOM ? (unsigned)HY_NO_ROOM : 0;
        unsigned all;
        const unsigned before =
            gb_block_exclusive_sum_once<THREADS>((count.x + count.y) | said, sums, &all);
        if (all >= HY_NO_ROOM) return false;
        if (__any_sync(GB_FULL_MASK, most > base::USUAL))
            order<base::ROOM>(before, count.x, count.y);
        else
            order<base::USUAL>(before, count.x, count.y);
        __syncthreads();
        return true;
    }
    __device__ __forceinline__ unsigned in_order(unsigned i) const
    {
        return racks[i];
    }
};

struct hy_words {
    typedef unsigned element;
    static __device__ __forceinline__ void order(unsigned &a, unsigned &b)
    {
        const unsigned low = a < b ? a : b;
        b = a < b ? b : a;
        a = low;
    }
};

/* Larger elements stay where they came to, and racks hold their numbers: what is put in order are
 * words, the 16 bits of a key that follow the group's above the element's number. */
template <class Kind> struct hy_racks_of_numbers : hy_racks_of<Kind> {
    typedef hy_racks_of<Kind> base;
    typedef typename Kind::element element;
    typedef hy_pages_of_bucket<Kind, base::GROUPS> pages_of;
    enum {
        THREADS = base::GROUPS,
        STRIDE = HY_RACK_STRIDE,
        VECTOR = pages_of::VECTOR,
        /* with those that pages lack: what lets so many blocks be there together */
        ELEMENTS = sizeof(element) == 8 ? 5376 : HY_LOCAL_KEYS
    };
    static_assert(ELEMENTS <= 1 << 16, "a number has half a word");
    unsigned short *racks; /* STRIDE a thread; later all numbers in order */
    element *elements;

    static __host__ __forceinline__ size_t bytes()
    {
        return base::GROUPS * (sizeof(unsigned) + STRIDE * sizeof(short)) +
               ELEMENTS * sizeof(element);
    }
    static __device__ __forceinline__ hy_racks_of_numbers make(const hy_sort &sort, unsigned bucket)
    {
        GB_DYNAMIC_SHARED();
        hy_racks_of_numbers in;
        in.elements = reinterpret_cast<element *>(gb_shared_memory);
        in.counters = reinterpret_cast<unsigned *>(in.elements + ELEMENTS);
        in.racks = reinterpret_cast<unsigned short *>(in.counters + base::GROUPS);
        in.shift = 32 - sort.bits1 - sort.bits2 - HY_RACK_BITS;
        in.bucket = bucket;
        return in;
    }
    __device__ __forceinline__ bool fits(const hy_sort &sort) const
    {
        return sort.row_lengths[this->bucket] << sort.page_shift <= ELEMENTS;
    }
    /* Takes the bucket's elements in. */
    __device__ __forceinline__ void take(const hy_sort &sort) const
    {
        this->counters[threadIdx.x] = threadIdx.x * STRIDE * 2;
        const unsigned valid = pages_of::copy(sort, this->bucket, elements);
        __syncthreads();
        gb_copy_async_wait();
        pages_of::each_vector(valid, [&](int i, bool there) {
            const unsigned number = VECTOR * (threadIdx.x + i / VECTOR * THREADS) + i % VECTOR;
            if (!there) return;
            const unsigned place = this->template draw<2, THREADS * STRIDE * 2>(elements[number]);
            *reinterpret_cast<unsigned short *>(reinterpret_cast<char *>(racks) + place) =
                (unsigned short)number;
        });
        __syncthreads();
    }
    /* The 16 bits of an element that follow the group's, above nothing. */
    __device__ __forceinline__ unsigned following(unsigned number) const
    {
        const element e = elements[number];
        return Kind::following(e, 32 - this->shift) & 0xffff0000u;
    }
    template <int N> __device__ __forceinline__ void order(unsigned before, unsigned count) const
    {
        unsigned word[N];
        const uint2 *rack = reinterpret_cast<const uint2 *>(racks + threadIdx.x * STRIDE);
#pragma unroll
        for (int i = 0; i < N; i += 4) {
            const uint2 four = rack[i / 4];
            word[i] = four.x & 0xffffu;
            word[i + 1] = four.x >> 16;
            word[i + 2] = four.y & 0xffffu;
            word[i + 3] = four.y >> 16;
        }
#pragma unroll
        for (int i = 0; i < N; i++)
            word[i] = (unsigned)i < count ? word[i] | following(word[i]) : ~0u;
        hy_order_all<hy_words>(word);
        bool alike = false;
#pragma unroll
        for (int i = 1; i < N; i++)
            alike |= (unsigned)i < count && (word[i] ^ word[i - 1]) <= 0xffffu;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < N; i++)
            if ((unsigned)i < count) racks[before + i] = (unsigned short)word[i];
        if (alike) insert(racks + before, count);
    }
    /* Puts a group in order whose words did not tell all: it nearly is. */
    __device__ __forceinline__ void insert(unsigned short *group, unsigned count) const
    {
        for (unsigned i = 1; i < count; i++) {
            const unsigned short number = group[i];
            const element e = elements[number];
            unsigned at = i;
            for (; at && Kind::above(elements[group[at - 1]], e); at--)
                group[at] = group[at - 1];
            group[at] = number;
        }
    }
    __device__ __forceinline__ bool order_all(unsigned *sums) const
    {
        const unsigned count = this->counters[threadIdx.x] / 2 - threadIdx.x * STRIDE;
        const unsigned said = count > base::ROOM ? (unsigned)HY_NO_ROOM : 0;
        unsigned all;
        const unsigned before = gb_block_exclusive_sum_once<THREADS>(count | said, sums, &all);
        if (all >= HY_NO_ROOM) return false;
        if (__any_sync(GB_FULL_MASK, count > base::USUAL))
            order<base::ROOM>(before, count);
        else
            order<base::USUAL>(before, count);
        __syncthreads();
        return true;
    }
    __device__ __forceinline__ element in_order(unsigned i) const
    {
        return elements[racks[i]];
    }
};

template <> struct hy_racks<hy_keys64> : hy_racks_of_numbers<hy_keys64> {
};
template <> struct hy_racks<hy_pairs32> : hy_racks_of_numbers<hy_pairs32> {
};
template <> struct hy_racks<hy_pairs64> : hy_racks_of_numbers<hy_pairs64> {
};

/* ---- the kernels ------------------------------------------------------------------------------
 */

/* Writes a bucket's elements in_order(i), i < count, to the output: a warp writes whole lines. */
template <class Kind, int THREADS, bool DECODE, class In>
static __device__ __forceinline__ void hy_write_some(const hy_sort &sort, unsigned begin,
                                                     unsigned count, const In &in)
{
    enum { AT_ONCE = 4 };
    typename Kind::key_type *out = static_cast<typename Kind::key_type *>(sort.keys_out) + begin;
    uint32_t *payload_out = Kind::PAYLOAD ? sort.payload_out + begin : NULL;
    const unsigned me = threadIdx.x, ahead = begin % GB_WARP;
    for (unsigned i = me < ahead ? me + THREADS - ahead : me - ahead; i < count;
         i += AT_ONCE * THREADS) {
        typename Kind::element e[AT_ONCE];
#pragma unroll
        for (int j = 0; j < AT_ONCE; j++)
            if (i + j * THREADS < count) e[j] = in.in_order(i + j * THREADS);
#pragma unroll
        for (int j = 0; j < AT_ONCE; j++) {
            if (i + j * THREADS >= count) continue;
            const typename Kind::key_type image = Kind::image(e[j]);
            out[i + j * THREADS] = DECODE ? hy_decode(sort.codec, image) : image;
            if (Kind::PAYLOAD) payload_out[i + j * THREADS] = Kind::payload(e[j]);
        }
    }
}

template <class Kind, int THREADS, class In>
static __device__ __forceinline__ void hy_write(const hy_sort &sort, unsigned begin, unsigned count,
                                                const In &in)
{
    if (sort.encode)
        hy_write_some<Kind, THREADS, true>(sort, begin, count, in);
    else
        hy_write_some<Kind, THREADS, false>(sort, begin, count, in);
}

/* A bucket of any keys: counted by what tells them apart next and moved to their groups, which are
 * tiny; then these are put in order. */
template <class Kind, class Group>
static __device__ __forceinline__ void hy_sort_by_count(const hy_sort &sort, unsigned bucket,
                                                        const Group &group, unsigned begin,
                                                        unsigned count, unsigned long long *sums)
{
    typedef hy_bucket<Kind, Group> bucket_of;
    typedef typename Kind::element element;
    enum { THREADS = bucket_of::THREADS };
    typedef hy_pages_of_bucket<Kind, THREADS> pages_of;
    enum { ITEMS = pages_of::ITEMS };
    GB_DYNAMIC_SHARED();
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    const bucket_of in = {counters, reinterpret_cast<element *>(counters + bucket_of::COUNTERS),
                          group};

    element key[ITEMS];
    const unsigned valid = pages_of::load(sort, bucket, key);
    in.clear();
    __syncthreads();

    /* 1. count and rank: two ranks a word */
    unsigned rank[ITEMS / 2] = {};
    pages_of::each_vector(valid, [&](int i, bool there) {
        unsigned place = 0;
        if (there) place = atomicAdd(&counters[in.group(key[i])], 1u);
        rank[i / 2] = i % 2 ? rank[i / 2] | place << 16 : place;
    });
    __syncthreads();
    in.begins(sums);
    __syncthreads();

    /* 2. to the groups, and behind the last, up to where windows reach, what is never below; groups
       are computed anew: kept, they would take a register a key */
    bucket_of again = in;
    again.group_of = group.again();
    pages_of::each_vector(valid, [&](int i, bool there) {
        const unsigned ranked = i % 2 ? rank[i / 2] >> 16 : rank[i / 2] & 0xffffu;
        if (there) in.slots[in.slot(counters[again.group(key[i])] + ranked)] = key[i];
    });
    for (unsigned i = count + threadIdx.x; i < (count + 7) / 8 * 8 + 8; i += THREADS)
        in.slots[in.slot(i)] = Kind::largest();
    __syncthreads();
    in.order_groups(count);
    hy_write<Kind, THREADS>(sort, begin, count, in);
}

/* Where a bucket begins in the output, and how many elements it has; 0, too, where there is nothing
 * to do: all went another way, or the bucket is too large. All threads of a block call it. */
static __device__ __forceinline__ uint2 hy_bounds_of(const hy_sort &sort, unsigned bucket)
{
    const uint2 said = hy_said(sort);
    if (hy_is_done(said, HY_REFUSED | HY_ROW_FULL | HY_STRAY)) return make_uint2(0, 0);
    const unsigned buckets = 1u << (sort.bits1 + sort.bits2), begin = sort.begins[bucket];
    const unsigned count = (bucket + 1 < buckets ? sort.begins[bucket + 1] : sort.n) - begin;
    if (count <= HY_LOCAL_KEYS) return make_uint2(begin, count);
    if (threadIdx.x == 0) atomicOr(&sort.state->verdict, (unsigned)HY_TOO_LARGE);
    return make_uint2(begin, 0);
}

/* One block a bucket, in racks. A bucket of which a group finds no room goes on the list of the
 * rest. */
template <class Kind>
static __global__ void __launch_bounds__(hy_racks<Kind>::THREADS, hy_sizes<Kind>::LOCAL_BLOCKS)
    hy_local(hy_sort sort)
{
    __shared__ unsigned sums[GB_WARP + 1];
    const unsigned bucket = blockIdx.x;
    if (hy_said(sort).y & HY_BY_PLACE) return; /* hy_local_by_place */
    const uint2 bounds = hy_bounds_of(sort, bucket);
    if (bounds.y == 0) return;
    const auto in = hy_racks<Kind>::make(sort, bucket);
    bool room = in.fits(sort);
    if (room) {
        in.take(sort);
        room = in.order_all(sums);
    }
    if (!room) {
        if (threadIdx.x == 0) sort.rest[1 + atomicAdd(&sort.rest[0], 1u)] = bucket;
        return;
    }
    hy_write<Kind, hy_racks<Kind>::THREADS>(sort, bounds.x, bounds.y, in);
}

/* The buckets on the list. */
template <class Kind>
static __global__ void __launch_bounds__(hy_sizes<Kind>::REST_THREADS, hy_sizes<Kind>::REST_BLOCKS)
    hy_local_rest(hy_sort sort)
{
    __shared__ unsigned long long sums[GB_WARP + 1];
    const unsigned buckets = sort.rest[0];
    const hy_next_bits<HY_LOCAL_BITS> group(32 - sort.bits1 - sort.bits2);
    for (unsigned b = blockIdx.x; b < buckets; b += gridDim.x) {
        const unsigned bucket = sort.rest[1 + b];
        const uint2 bounds = hy_bounds_of(sort, bucket);
        hy_sort_by_count<Kind>(sort, bucket, group, bounds.x, bounds.y, sums);
        __syncthreads();
    }
}

/* All buckets, where they are ranges of places: what racks hold of a key tells it together with
 * bits that bucket and group stand for, of which there are none then. */
template <class Kind>
static __global__ void __launch_bounds__(hy_sizes<Kind>::REST_THREADS, hy_sizes<Kind>::REST_BLOCKS)
    hy_local_by_place(hy_sort sort)
{
    __shared__ unsigned long long sums[GB_WARP + 1];
    if (!(hy_said(sort).y & HY_BY_PLACE)) return;
    sort.codec = hy_codec_by_place<Kind>(sort, &sort.encode);
    const unsigned buckets = 1u << (sort.bits1 + sort.bits2);
    for (unsigned bucket = blockIdx.x; bucket < buckets; bucket += gridDim.x) {
        const uint2 bounds = hy_bounds_of(sort, bucket);
        if (bounds.y == 0) continue;
        hy_sort_by_count<Kind>(sort, bucket, hy_in_range<HY_LOCAL_BITS>(sort.cells, bucket),
                               bounds.x, bounds.y, sums);
        __syncthreads();
    }
}

#endif
