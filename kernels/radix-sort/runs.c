/* Reading, cutting and unpacking sorted runs in host memory. */
#include "kernels/radix-sort/runs.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

uint64_t rs_run_field(const rs_shape *shape, const rs_run *run, uint64_t i)
{
    if (run->keys) return rs_field(shape, rs_load_key(shape->type, run->keys, i));
    const uint64_t record = i / RS_RECORD;
    const unsigned word = (unsigned)(i % RS_RECORD / 2), shift = i % 2 ? 16 : 0;
    const uint32_t *words = run->records + record * RS_RECORD_WORDS;
    uint32_t field = words[0] + (words[1 + word] >> shift & 0xFFFFu);
    if (run->wide_groups[i / RS_GROUP])
        field += (run->wide[record * RS_WIDE_WORDS + word] >> shift & 0xFFFFu) << 16;
    return field;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

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
     * old cut counted as such). Run r reaches it in [at[r], high[r]]. */
    const unsigned bits = shape->end_bit - shape->begin_bit;
    uint64_t *high = scratch, *guess = scratch + count;
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
        uint64_t sum = 0;
        for (unsigned r = 0; r < count; r++) {
            guess[r] = first_from(shape, &runs[r], cut->at[r], high[r], value);
            sum += guess[r];
        }
        memcpy(sum <= rank ? cut->at : high, guess, count * sizeof *guess);
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
        unpack_record(&u, records + r * RS_RECORD_WORDS, keys + r * RS_RECORD);
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
        unpack_some(shape, records + r * RS_RECORD_WORDS,
                    left < RS_RECORD ? (unsigned)left : RS_RECORD, keys + r * RS_RECORD);
    }
}
