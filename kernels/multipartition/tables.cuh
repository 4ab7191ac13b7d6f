/* Makes the tables by which limits are searched (search.cuh), before a partition's first pass. */
#ifndef GB_MULTIPARTITION_TABLES_CUH
#define GB_MULTIPARTITION_TABLES_CUH

#include "common/cuda/grid.cuh"
#include "kernels/multipartition/search.cuh"

/* Which limits tables are made of: table t of all limits from first + t x step on, each
 * 2^stride_log further; `count` of them, or as many as there are. */
typedef struct mp_tables {
    unsigned *memory; /* device memory: tables next to each other */
    unsigned words;   /* of each */
    unsigned tables, log;
    unsigned first, step, stride_log, count, limits;
} mp_tables;

static __device__ __forceinline__ unsigned mp_bits(uint64_t number)
{
    return 64 - (unsigned)__clzll((long long)number);
}

template <class Key>
static __device__ __forceinline__ mp_table_head mp_head_of(const mp_tables &t, unsigned table,
                                                           const Key *limits)
{
    enum { NARROW = 31 }; /* bits of a place between two limits */
    mp_table_head head = {};
    head.first = t.first + table * t.step;
    head.stride_log = (unsigned char)t.stride_log;
    const unsigned there =
        head.first < t.limits ? ((t.limits - head.first - 1) >> t.stride_log) + 1 : 0;
    head.count = there < t.count ? there : t.count;
    if (!head.count) return head; /* one cell, which is bin 0 */
    const uint64_t first = limits[head.first];
    const uint64_t last = mp_limit_at(head, limits, head.count - 1);
    const unsigned wide = mp_bits(last - first);
    if (sizeof(Key) == 8 && wide > NARROW) head.narrow = (unsigned char)(wide - NARROW);
    /* keys before the first limit are not to be in its place, nor, where places have lost bits,
     * those behind the last one: there is one place more at either end, if there are such keys */
    const uint64_t one = (uint64_t)1 << head.narrow;
    head.low = first > one ? first - one : 0;
    head.span = last - head.low;
    if (head.narrow) head.span = head.span < ~(uint64_t)0 - one ? head.span + one : ~(uint64_t)0;
    const unsigned bits = mp_bits(head.span >> head.narrow);
    head.shift = (unsigned char)(bits > t.log ? bits - t.log : 0);
    return head;
}

/* The first of the table's limits whose cell is `cell` or behind. */
template <class Key>
static __device__ __forceinline__ unsigned mp_first_in(const mp_table_head &head, const Key *limits,
                                                       unsigned cell)
{
    unsigned low = 0, high = head.count;
    while (low < high) {
        const unsigned middle = (low + high) >> 1;
        if (mp_place_of(head, mp_limit_at(head, limits, middle)) >> head.shift < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

template <class Key>
static __device__ __forceinline__ mp_cell mp_cell_of(const mp_table_head &head, const Key *limits,
                                                     unsigned cell)
{
    const unsigned before = mp_first_in(head, limits, cell);
    const unsigned end = mp_first_in(head, limits, cell + 1), all = end - before;
    if (all == 0) return mp_cell{before << head.shift, 0};
    const auto limit = [&](unsigned i) { return mp_limit_at(head, limits, i); };
    const auto low_bits = [&](unsigned i) {
        return mp_place_of(head, limit(i)) & ((1u << head.shift) - 1);
    };
    if (all == 1) return mp_cell{(end << head.shift) - low_bits(before), 0};
    /* the first limit alone, or the last one, and as many as there are of the other */
    const bool alone = limit(before + 1) == limit(end - 1);
    if (!alone && limit(before) != limit(end - 2))
        return mp_cell{
            1u << MP_OTHERS_LOG |
                (all < MP_MOST_OTHERS ? all : (unsigned)MP_MOST_OTHERS) << MP_BEFORE_BITS | before,
            0};
    const unsigned one = alone ? before : end - 1, more = alone ? end - 1 : before;
    return mp_cell{((before + 1) << head.shift) - low_bits(one),
                   (head.shift ? low_bits(more) << (32 - head.shift) : 0) | (all - 1)};
}

/* A thread a cell. */
template <class Key>
__global__ void __launch_bounds__(GB_GRID_THREADS) mp_make_tables(mp_tables t, mp_bin_data bin)
{
    const Key *limits = mp_limits_of(bin, Key());
    const uint64_t cells = (uint64_t)t.tables << t.log;
    for (uint64_t i = gb_first(); i < cells; i += gb_stride()) {
        const unsigned table = (unsigned)(i >> t.log), cell = (unsigned)i & ((1u << t.log) - 1);
        unsigned *memory = t.memory + (uint64_t)table * t.words;
        const mp_table_head head = mp_head_of(t, table, limits);
        reinterpret_cast<mp_cell *>(memory + MP_HEAD_WORDS)[cell] = mp_cell_of(head, limits, cell);
        if (cell == 0) *reinterpret_cast<mp_table_head *>(memory) = head;
    }
}

/* The logarithm of how many cells a table for so many digits has, if it is to have no more than so
 * many bytes: four times as many as digits, so that few cells have many limits, else at least twice
 * as many, which they have to be told apart (search.cuh). */
static inline unsigned mp_table_log(unsigned digits, size_t most)
{
    enum { LEAST = 9, WISHED = 2 };
    unsigned needed = 1;
    while (digits > 1u << (needed - 1))
        needed++;
    unsigned log = needed - 1 + WISHED < LEAST ? (unsigned)LEAST : needed - 1 + WISHED;
    while (log > needed && sizeof(unsigned) * mp_table_words(log) > most)
        log--;
    return log;
}

/* One table, of all limits between so many digits; most: as mp_table_log has it. */
static inline mp_tables mp_table_of_all(unsigned digits, size_t most)
{
    mp_tables tables = {};
    tables.tables = 1;
    tables.log = mp_table_log(digits, most);
    tables.words = mp_table_words(tables.log);
    tables.count = tables.limits = digits - 1;
    return tables;
}

#endif
