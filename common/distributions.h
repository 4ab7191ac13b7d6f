/* The keys of every distribution, element by element: key i depends on (distribution, seed, i, n)
 * alone and on integer arithmetic alone, so that the CPU and the GPU make the same bits and a
 * checker can make any slice again. */
#ifndef GB_DISTRIBUTIONS_H
#define GB_DISTRIBUTIONS_H

#include "common/random.h"

#include <stdbool.h>

typedef enum gb_dist_kind {
    GB_DIST_UNIFORM,
    GB_DIST_BINOMIAL,
    GB_DIST_NORMAL,
    GB_DIST_ZIPF,
    GB_DIST_SORTED,
    GB_DIST_REVERSED,
    GB_DIST_CONSTANT,
    GB_DIST_DISTINCT
} gb_dist_kind;

/* A distribution made concrete for one input; passed to kernels by value. */
typedef struct gb_dist {
    gb_dist_kind kind;
    uint64_t seed;
    uint64_t n;
    uint64_t step;     /* GB_DIST_SORTED, GB_DIST_REVERSED: distance of neighbours, in 2^-32 */
    uint64_t distinct; /* GB_DIST_DISTINCT: how many values, 1 to 2^32 */
    uint32_t trials;   /* GB_DIST_BINOMIAL: N, 1 to GB_DIST_MOST_TRIALS */
    uint32_t chance;   /* GB_DIST_BINOMIAL: P in 2^-16, 1 to 65535 */
    uint32_t
        constant; /* GB_DIST_CONSTANT: the key; GB_DIST_ZIPF, GB_DIST_DISTINCT: salt of the hash */
} gb_dist;

/* Streams of the generator: one a purpose, so that none reuses another's words. */
enum {
    GB_STREAM_KEYS,
    GB_STREAM_MORE,
    GB_STREAM_LOW,
    GB_STREAM_SALT,
    GB_STREAM_LIMITS,
    GB_STREAM_LOW_HALF,
    GB_STREAM_LOW_LIMITS,
    GB_STREAM_TRIALS /* and as many behind it as trials need: the last one */
};

enum { GB_DIST_ZIPF_OCTAVES = 20, GB_DIST_CHANCE_BITS = 16, GB_DIST_MOST_TRIALS = 4096 };

#ifdef __cplusplus
extern "C" {
#endif

/* The distribution that text names ("zipf", "distinct:7", "binomial:15:0.3") over n keys. False,
 * with a sentence in why (at least 160 bytes; may be NULL), if it names none. */
bool gb_dist_of(const char *text, uint64_t seed, uint64_t n, gb_dist *dist, char *why);

/* The names of the distributions, as a config writes them, and values of them for gpubench check;
 * NULL-terminated: what an axis `dist` offers, and a line about it. */
extern const char gb_dist_help[];
extern const char *const gb_dist_names[];
extern const char *const gb_dist_nasty[];

#ifdef __cplusplus
}
#endif

/* A bijection of 32-bit words that scatters neighbours (a multiply-xorshift hash with the constants
 * that Wellons' hash-prospector search published as lowbias32): different ranks, different keys. */
GB_RANDOM_FN uint32_t gb_scatter32(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7FEB352Du;
    x ^= x >> 15;
    x *= 0x846CA68Bu;
    return x ^ (x >> 16);
}

GB_RANDOM_FN uint32_t gb_popcount(uint32_t x)
{
#if defined(__CUDA_ARCH__)
    return (uint32_t)__popc(x);
#else
    return (uint32_t)__builtin_popcount(x);
#endif
}

/* uniform: word i mod 4 of the generator's block i div 4, all 2^32 keys equally likely. */
GB_RANDOM_FN uint32_t gb_dist_key_uniform(const gb_dist *dist, uint64_t i)
{
    gb_random4 four = gb_random(dist->seed, GB_STREAM_KEYS, i >> 2);
    return four.word[i & 3];
}

/* The stream of a key's j-th block of words for its trials. */
GB_RANDOM_FN uint32_t gb_dist_trial_stream(uint32_t j)
{
    if (j < 2) return j == 0 ? GB_STREAM_KEYS : GB_STREAM_MORE;
    return GB_STREAM_TRIALS + j - 2;
}

/* How many of N trials succeed, each with probability P: bits of words, 32 trials a word. Such a
 * word is made of uniform ones, the binary digits of P from the last one on: where a digit is 1,
 * (1 + p) / 2 of the bits are set after it, else p / 2, with p of them before. */
GB_RANDOM_FN uint32_t gb_dist_successes(const gb_dist *dist, uint64_t i)
{
    gb_random4 four = {{0, 0, 0, 0}};
    uint32_t successes = 0, used = 0, last = 0;
    while (!(dist->chance >> last & 1))
        last++;
    for (uint32_t left = dist->trials; left;) {
        const uint32_t now = left % 32 ? left % 32 : 32;
        uint32_t word = 0;
        for (uint32_t digit = last; digit < GB_DIST_CHANCE_BITS; digit++) {
            if (used % 4 == 0) four = gb_random(dist->seed, gb_dist_trial_stream(used / 4), i);
            const uint32_t uniform = four.word[used++ % 4];
            word = dist->chance >> digit & 1 ? word | uniform : word & uniform;
        }
        successes += gb_popcount(word & (0xFFFFFFFFu >> (32 - now)));
        left -= now;
    }
    return successes;
}

/* binomial:N:P: Binomial(N, P) spread over all keys, each of its N + 1 values over as many keys as
 * any other, uniformly: floor((X + u) 2^32 / (N + 1)), u in [0, 1). binomial is binomial:255:0.5:
 * the top 8 bits are Binomial(255, 1/2), the low 24 bits uniform. */
GB_RANDOM_FN uint32_t gb_dist_key_binomial(const gb_dist *dist, uint64_t i)
{
    gb_random4 low = gb_random(dist->seed, GB_STREAM_LOW, i >> 2);
    const uint64_t spread = (uint64_t)gb_dist_successes(dist, i) << 32 | low.word[i & 3];
    return (uint32_t)(spread / (dist->trials + 1));
}

/* normal: mean 2^31, standard deviation 2^29, as the sum of twelve uniform 16-bit numbers (standard
 * deviation 2^16; Irwin-Hall) times 2^13 with 13 uniform bits below it; what lies beyond 4 standard
 * deviations is clamped to the smallest or largest key. */
GB_RANDOM_FN uint32_t gb_dist_key_normal(const gb_dist *dist, uint64_t i)
{
    gb_random4 a = gb_random(dist->seed, GB_STREAM_KEYS, i);
    gb_random4 b = gb_random(dist->seed, GB_STREAM_MORE, i);
    int64_t sum = 0;
    for (int j = 0; j < 4; j++)
        sum += (a.word[j] & 0xFFFFu) + (a.word[j] >> 16);
    for (int j = 0; j < 2; j++)
        sum += (b.word[j] & 0xFFFFu) + (b.word[j] >> 16);
    int64_t mean = 12 * 65535 / 2;
    int64_t key = ((int64_t)1 << 31) + (sum - mean) * 8192 + (int64_t)(b.word[2] >> 19) - 4096;
    if (key < 0) return 0;
    if (key > 0xFFFFFFFFll) return 0xFFFFFFFFu;
    return (uint32_t)key;
}

/* zipf: rank r in 1 to 2^20 - 1 with probability close to 1 / r (exponent 1): an octave
 * [2^o, 2^(o+1)) is drawn uniformly from 20, then a rank uniformly inside it; the rank is hashed to
 * a key. The commonest key is every 20th. */
GB_RANDOM_FN uint32_t gb_dist_key_zipf(const gb_dist *dist, uint64_t i)
{
    gb_random4 four = gb_random(dist->seed, GB_STREAM_KEYS, i >> 1);
    uint32_t first = four.word[(i & 1) * 2], second = four.word[(i & 1) * 2 + 1];
    uint32_t octave = (uint32_t)(((uint64_t)first * GB_DIST_ZIPF_OCTAVES) >> 32);
    uint32_t rank = (1u << octave) + (uint32_t)(((uint64_t)second << octave) >> 32);
    return gb_scatter32(rank ^ dist->constant);
}

/* sorted: ascending and evenly spread, floor(i * floor((2^64 - 1) / n) / 2^32). */
GB_RANDOM_FN uint32_t gb_dist_key_sorted(const gb_dist *dist, uint64_t i)
{
    return (uint32_t)((i * dist->step) >> 32);
}

/* distinct:K: K different keys, equally likely, each the hash of a number below K. */
GB_RANDOM_FN uint32_t gb_dist_key_distinct(const gb_dist *dist, uint64_t i)
{
    gb_random4 four = gb_random(dist->seed, GB_STREAM_KEYS, i >> 2);
    uint32_t value = (uint32_t)((four.word[i & 3] * dist->distinct) >> 32);
    return gb_scatter32(value ^ dist->constant);
}

/* Key i, i < n. reversed is the largest key minus sorted; constant is one key drawn from the seed.
 */
GB_RANDOM_FN uint32_t gb_dist_key(const gb_dist *dist, uint64_t i)
{
    switch (dist->kind) {
    case GB_DIST_UNIFORM:
        return gb_dist_key_uniform(dist, i);
    case GB_DIST_BINOMIAL:
        return gb_dist_key_binomial(dist, i);
    case GB_DIST_NORMAL:
        return gb_dist_key_normal(dist, i);
    case GB_DIST_ZIPF:
        return gb_dist_key_zipf(dist, i);
    case GB_DIST_SORTED:
        return gb_dist_key_sorted(dist, i);
    case GB_DIST_REVERSED:
        return 0xFFFFFFFFu - gb_dist_key_sorted(dist, i);
    case GB_DIST_CONSTANT:
        return dist->constant;
    case GB_DIST_DISTINCT:
        return gb_dist_key_distinct(dist, i);
    }
    return 0;
}

/* Key i of 64 bits: the distribution's key i above 32 more bits, which continue it (sorted,
 * reversed), depend on it alone (zipf, constant, distinct: so that equal stays equal), or are words
 * of that stream. */
GB_RANDOM_FN uint64_t gb_dist_key64(const gb_dist *dist, uint32_t stream, uint64_t i)
{
    const uint32_t high = gb_dist_key(dist, i);
    uint32_t low = 0;
    switch (dist->kind) {
    case GB_DIST_SORTED:
        low = (uint32_t)(i * dist->step);
        break;
    case GB_DIST_REVERSED:
        low = ~(uint32_t)(i * dist->step);
        break;
    case GB_DIST_ZIPF:
    case GB_DIST_CONSTANT:
    case GB_DIST_DISTINCT:
        low = gb_scatter32(high);
        break;
    case GB_DIST_UNIFORM:
    case GB_DIST_BINOMIAL:
    case GB_DIST_NORMAL: {
        gb_random4 four = gb_random(dist->seed, stream, i >> 2);
        low = four.word[i & 3];
        break;
    }
    }
    return (uint64_t)high << 32 | low;
}

#endif
