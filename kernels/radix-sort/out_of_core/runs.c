/* Reading, cutting and unpacking sorted runs in host memory. */
#include "kernels/radix-sort/out_of_core/runs.h"

#include <math.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Evenly spread, n keys have gaps of 2^32 / n on average, of which one in exp(x) is more than x
 * times as long. Such that one is too long in at most one of 100 groups: */
unsigned rs_gap_bits(uint64_t keys)
{
    const double longest = log(100.0 * RS_GROUP) * 4294967296.0 / (double)keys;
    unsigned bits = 1;
    while (bits < RS_MOST_BITS && (double)(1u << bits) < longest)
        bits++;
    return bits;
}

unsigned rs_next_gap_bits(const rs_run *run)
{
    const uint64_t groups = rs_groups(run->count);
    uint64_t wide = 0;
    for (uint64_t g = 0; g < groups; g++)
        wide += run->wide_groups[g] != 0;
    if (wide * 8 < groups) return run->bits;
    const unsigned bits = run->bits + (wide * 4 > groups * 3 ? 4 : 2);
    return bits < RS_MOST_BITS ? bits : (unsigned)RS_MOST_BITS;
}

/* ---- a field --------------------------------------------------------------------------------- */

/* The sum of the gaps of the keys in `mask`, as far as so many planes have them. */
static uint32_t sum_gaps(const uint32_t *planes, unsigned count, uint64_t mask)
{
    uint32_t sum = 0;
    for (unsigned j = 0; j < count; j++) {
        const uint32_t *plane = planes + j * RS_PLANE_WORDS;
        const uint64_t ones = ((uint64_t)plane[1] << 32 | plane[0]) & mask;
        sum += (uint32_t)__builtin_popcountll(ones) << j;
    }
    return sum;
}

uint64_t rs_run_field(const rs_shape *shape, const rs_run *run, uint64_t i)
{
    if (run->keys) return rs_field(shape, rs_load_key(shape->type, run->keys, i));
    const uint64_t record = i / RS_RECORD, up_to = ((uint64_t)2 << i % RS_RECORD) - 1;
    const uint32_t *words = run->records + record * rs_run_words(run->bits);
    uint32_t field = words[0] + sum_gaps(words + 1, run->bits, up_to);
    if (run->wide_groups[i / RS_GROUP])
        field +=
            sum_gaps(run->wide + record * rs_wide_words(run->bits), RS_PLANES - run->bits, up_to)
            << run->bits;
    return field;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* A cut that is looked for. Run r reaches it in [at[r], high[r]]. */
typedef struct search {
    const rs_shape *shape;
    const rs_run *runs;
    unsigned count;
    uint64_t *at, *high, *guess, *end; /* one a run each */
} search;

/* What is looked at before single keys: records by their first fields, or else keys themselves. */
static uint64_t unit_of(const rs_run *run)
{
    return run->keys ? 1 : RS_RECORD;
}

static uint64_t first_field_of(const rs_shape *shape, const rs_run *run, uint64_t unit)
{
    if (run->keys) return rs_field(shape, rs_load_key(shape->type, run->keys, unit));
    return run->records[unit * rs_run_words(run->bits)];
}

/* guess[r] becomes the last unit of run r with keys [at[r], high[r]) whose first field is below
 * value, or the first unit of them. Every run takes a step of its bisection before any takes the
 * next one: each step is a miss of the cache, and those of different runs need not wait for one
 * another. */
static void find_units(const search *s, uint64_t value)
{
    bool is_found = false;
    for (unsigned r = 0; r < s->count; r++) {
        const uint64_t unit = unit_of(&s->runs[r]);
        s->guess[r] = s->at[r] / unit;
        s->end[r] = (s->high[r] + unit - 1) / unit;
    }
    while (!is_found) {
        is_found = true;
        for (unsigned r = 0; r < s->count; r++) {
            const uint64_t first = s->guess[r], end = s->end[r], middle = first + (end - first) / 2;
            if (end <= first + 1) continue;
            is_found = false;
            if (first_field_of(s->shape, &s->runs[r], middle) < value)
                s->guess[r] = middle;
            else
                s->end[r] = middle;
        }
    }
}

/* The first index in [low, high) whose field is not below value, or high. */
static uint64_t first_from(const rs_shape *shape, const rs_run *run, uint64_t low, uint64_t high,
                           uint64_t value)
{
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (rs_run_field(shape, run, middle) < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* guess[r] becomes the first index in [at[r], high[r]) whose field is not below value, or high[r].
 * Returns their sum. */
static uint64_t guess_all(const search *s, uint64_t value)
{
    uint64_t sum = 0;
    find_units(s, value);
    for (unsigned r = 0; r < s->count; r++) {
        const uint64_t begin = s->guess[r] * unit_of(&s->runs[r]);
        const uint64_t end = begin + unit_of(&s->runs[r]);
        s->guess[r] = first_from(s->shape, &s->runs[r], begin > s->at[r] ? begin : s->at[r],
                                 end < s->high[r] ? end : s->high[r], value);
        sum += s->guess[r];
    }
    return sum;
}

/* A rank on the other side of `rank` than the nearer of its bounds, and not much farther away:
 * after a good guess both bounds are near. */
static uint64_t beyond(uint64_t rank, uint64_t below, uint64_t above)
{
    const uint64_t down = rank - below, up = above - rank;
    if (down < up) return down < up / 4 ? rank + 2 * down + 1 : rank;
    return up < down / 4 ? rank - 2 * up - 1 : rank;
}

/* The field of a key between the bounds: of the run that has most of them, where of its keys the
 * share is below that is below `aim` of all. */
static uint64_t field_near(const search *s, uint64_t aim, uint64_t below, uint64_t above)
{
    unsigned most = 0;
    for (unsigned r = 1; r < s->count; r++)
        if (s->high[r] - s->at[r] > s->high[most] - s->at[most]) most = r;
    const uint64_t keys = s->high[most] - s->at[most];
    const double part = (double)(aim - below) / (double)(above - below);
    uint64_t index = (uint64_t)(part * (double)keys);
    if (index >= keys) index = keys - 1;
    return rs_run_field(s->shape, &s->runs[most], s->at[most] + index);
}

/* The guess is a bound: of what lies before the cut, or behind it. Returns `sum`. */
static uint64_t accept(const search *s, uint64_t *bound, uint64_t sum)
{
    memcpy(bound, s->guess, s->count * sizeof *s->guess);
    return sum;
}

void rs_cut_advance(const rs_shape *shape, const rs_run *runs, unsigned count, uint64_t rank,
                    rs_cut *cut, uint64_t *scratch)
{
    /* What is looked for is the field of the key with that rank, among the keys between bounds.
     * A field of theirs is tried, as keys are spread and not as numbers are: where many are equal,
     * theirs is met soon, and it is the one as soon as `rank` is among its equals. */
    uint64_t *high = scratch;
    const search s = {shape, runs, count, cut->at, high, scratch + count, scratch + 2 * count};
    uint64_t below = cut->rank, above = 0;
    for (unsigned r = 0; r < count; r++) {
        high[r] = runs[r].count;
        above += high[r];
    }
    for (unsigned step = 0; below < rank && rank < above; step++) {
        /* in the middle: the most keys of a run are half as many, whatever the others are like */
        const uint64_t aim = step % 4 == 3   ? below + (above - below) / 2
                             : step % 2 == 1 ? beyond(rank, below, above)
                                             : rank;
        const uint64_t field = field_near(&s, aim, below, above);
        const uint64_t smaller = guess_all(&s, field);
        if (smaller > rank) {
            above = accept(&s, high, smaller);
            continue;
        }
        below = accept(&s, cut->at, smaller);
        if (field == UINT64_MAX) break; /* none is larger */
        const uint64_t not_larger = guess_all(&s, field + 1);
        if (not_larger > rank) {
            (void)accept(&s, high, not_larger);
            break;
        }
        below = accept(&s, cut->at, not_larger);
    }
    /* All between the bounds are equal, or wanted: those of the first runs come first. */
    for (unsigned r = 0; r < count && below < rank; r++) {
        uint64_t equal = high[r] - cut->at[r], wanted = rank - below;
        uint64_t taken = equal < wanted ? equal : wanted;
        cut->at[r] += taken;
        below += taken;
    }
    cut->rank = rank;
}

/* ---- unpacking ------------------------------------------------------------------------------- */

static void unpack_some(const rs_shape *shape, const uint32_t *record, unsigned count,
                        uint32_t *keys)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t field = record[0] + (record[1 + i / 2] >> (i % 2 ? 16 : 0) & 0xFFFFu);
        keys[i] = rs_key_of_image32(shape->type, shape->descending ? ~field : field);
    }
}

#if defined(__SSE2__)

/* From fields to keys is an exclusive or with `flip`, and for f32 one that depends on the sign. */
typedef struct unpacker {
    __m128i flip, sign;
    bool is_float;
} unpacker;

static unpacker unpacker_of(const rs_shape *shape)
{
    int flip = shape->descending ? -1 : 0;
    if (shape->type == RS_I32) flip ^= INT32_MIN;
    return (unpacker){.flip = _mm_set1_epi32(flip),
                      .sign = _mm_set1_epi32(INT32_MIN),
                      .is_float = shape->type == RS_F32};
}

static inline __m128i key_of(const unpacker *u, __m128i field)
{
    __m128i image = _mm_xor_si128(field, u->flip);
    if (!u->is_float) return image;
    /* the sign bit set: it is cleared; else all bits are flipped */
    __m128i positive = _mm_srai_epi32(image, 31);
    __m128i mask = _mm_or_si128(u->sign, _mm_xor_si128(positive, _mm_set1_epi32(-1)));
    return _mm_xor_si128(image, mask);
}

/* A whole record, written around the cache: what is unpacked is not read again here. keys is
 * aligned to 16 bytes. */
static inline void unpack_record(const unpacker *u, const uint32_t *record, uint32_t *keys)
{
    const __m128i base = _mm_set1_epi32((int)record[0]), zero = _mm_setzero_si128();
    const __m128i *halves = (const __m128i *)(const void *)(record + 1);
    __m128i *to = (__m128i *)(void *)keys;
    for (int i = 0; i < RS_RECORD / 8; i++) {
        const __m128i eight = _mm_loadu_si128(halves + i);
        const __m128i low = _mm_add_epi32(base, _mm_unpacklo_epi16(eight, zero));
        const __m128i up = _mm_add_epi32(base, _mm_unpackhi_epi16(eight, zero));
        _mm_stream_si128(to + 2 * i, key_of(u, low));
        _mm_stream_si128(to + 2 * i + 1, key_of(u, up));
    }
}

static uint64_t unpack_whole(const rs_shape *shape, const uint32_t *records, uint64_t count,
                             uint32_t *keys)
{
    if ((uintptr_t)keys % 16 != 0) return 0;
    const unpacker u = unpacker_of(shape);
    for (uint64_t r = 0; r < count / RS_RECORD; r++)
        unpack_record(&u, records + r * RS_SLICE_WORDS, keys + r * RS_RECORD);
    _mm_sfence();
    return count / RS_RECORD;
}

#else

static uint64_t unpack_whole(const rs_shape *shape, const uint32_t *records, uint64_t count,
                             uint32_t *keys)
{
    (void)shape, (void)records, (void)count, (void)keys;
    return 0;
}

#endif

void rs_unpack(const rs_shape *shape, const uint32_t *records, uint64_t count, uint32_t *keys)
{
    for (uint64_t r = unpack_whole(shape, records, count, keys); r < rs_records(count); r++) {
        const uint64_t left = count - r * RS_RECORD;
        unpack_some(shape, records + r * RS_SLICE_WORDS,
                    left < RS_RECORD ? (unsigned)left : RS_RECORD, keys + r * RS_RECORD);
    }
}
