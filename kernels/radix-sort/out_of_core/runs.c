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
    return run->bits + 2 < RS_MOST_BITS ? run->bits + 2 : (unsigned)RS_MOST_BITS;
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

/* A value in (low, high]: where the rank would be if the fields were spread evenly. */
static uint64_t interpolate(uint64_t low, uint64_t high, uint64_t rank_low, uint64_t rank_high,
                            uint64_t rank)
{
    double part = (double)(rank - rank_low) / (double)(rank_high - rank_low);
    double step = part * (double)(high - low);
    if (!(step < (double)(high - low))) return high;
    return low + (step >= 1 ? (uint64_t)step : 1);
}

/* A rank on the other side of `rank` than the nearer of its bounds, and not much farther away:
 * after a good guess both bounds are near. */
static uint64_t beyond(uint64_t rank, uint64_t below, uint64_t above)
{
    const uint64_t down = rank - below, up = above - rank;
    if (down < up) return down < up / 4 ? rank + 2 * down + 1 : rank;
    return up < down / 4 ? rank - 2 * up - 1 : rank;
}

void rs_cut_advance(const rs_shape *shape, const rs_run *runs, unsigned count, uint64_t rank,
                    rs_cut *cut, uint64_t *scratch)
{
    /* What is looked for is the greatest value that at most rank keys are below (those before the
     * old cut counted as such). */
    const unsigned bits = shape->end_bit - shape->begin_bit;
    uint64_t *high = scratch;
    const search s = {shape, runs, count, cut->at, high, scratch + count, scratch + 2 * count};
    uint64_t least = cut->value, most = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    uint64_t below = cut->rank, above = 0;
    for (unsigned r = 0; r < count; r++) {
        high[r] = runs[r].count;
        above += high[r];
    }
    for (unsigned step = 0; least < most && below < rank; step++) {
        uint64_t aim = step % 3 == 1 ? beyond(rank, below, above) : rank;
        uint64_t value = step % 3 == 2 ? least + (most - least) / 2 + 1
                                       : interpolate(least, most, below, above, aim);
        uint64_t sum = guess_all(&s, value);
        memcpy(sum <= rank ? cut->at : high, s.guess, count * sizeof *s.guess);
        if (sum <= rank) {
            least = value;
            below = sum;
        } else {
            most = value - 1;
            above = sum;
        }
    }
    /* Of the fields that equal the value, those of the first runs come first. */
    for (unsigned r = 0; r < count && below < rank; r++) {
        uint64_t equal = high[r] - cut->at[r], wanted = rank - below;
        uint64_t taken = equal < wanted ? equal : wanted;
        cut->at[r] += taken;
        below += taken;
    }
    cut->rank = rank;
    cut->value = least;
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
