/* From a point's words to C types, and the lengths of its segments. */
#include "common/random.h"
#include "kernels/segmented-sort/segmented_sort.h"

#include <stdlib.h>
#include <string.h>

sg_shape sg_shape_of(const gb_params *params)
{
    static const char *const laws[] = {[SG_UNIFORM] = "uniform",
                                       [SG_POWER] = "power",
                                       [SG_CONSTANT] = "constant",
                                       [SG_BORDERS] = "borders"};
    gb_params sort;
    memset(&sort, 0, sizeof sort);
    sort.value[RS_N] = params->value[SG_N];
    sort.value[RS_DIST] = params->value[SG_DIST];
    sort.value[RS_TYPE] = params->value[SG_TYPE];
    sort.value[RS_PAYLOAD] = params->value[SG_PAYLOAD];
    sort.value[RS_ORDER] = params->value[SG_ORDER];
    sort.value[RS_BITS].text = "all";
    sg_shape shape = {
        .sort = rs_shape_of(&sort), .mean = params->value[SG_SEGMENTS].size, .law = SG_UNIFORM};
    for (int law = SG_UNIFORM; law <= SG_BORDERS; law++)
        if (strcmp(params->value[SG_LENGTHS].text, laws[law]) == 0) shape.law = (sg_law)law;
    return shape;
}

/* ---- lengths --------------------------------------------------------------------------------- */

/* Behind all streams that distributions use (common/distributions.h). */
enum { STREAM_LENGTHS = 1 << 16 };
enum { POWER_OCTAVES = 15, POWER_MEAN = 11 };

/* power: density ~ (length + m)^-2, m a POWER_MEANth of the mean (Lomax's distribution, exponent 2
 * of the density), octave by octave: length + m lies in [2^o m, 2^(o + 1) m) with probability
 * 2^-(o + 1), and the last of 15 octaves has what is left. The mean is m (0.75 * 16 - 1) = 11 m;
 * the largest length 2^15 m, 2979 means. Half of the segments are shorter than a 22nd of the mean
 * on average, and every octave has as many keys as any other. */
static uint64_t power_length(uint64_t mean, uint32_t first, uint32_t second)
{
    unsigned octave = 0;
    while (octave + 1 < POWER_OCTAVES && (first >> octave & 1))
        octave++;
    /* (length + m) / m - 1 in 2^-16 */
    const uint64_t times = ((((uint64_t)1 << 32) + second) >> (16 - octave)) - ((uint64_t)1 << 16);
    return mean * times / ((uint64_t)POWER_MEAN << 16);
}

/* borders: 0, or a power of two up to twice the mean, or one more or less: where kernels change. */
static uint64_t border_length(uint64_t mean, uint32_t first, uint32_t second)
{
    uint32_t powers = 1;
    while ((uint64_t)1 << powers <= 2 * mean)
        powers++;
    const uint64_t power = (uint64_t)1 << (uint32_t)(((uint64_t)first * powers) >> 32);
    return power - 1 + (second & 0xffff) * 3 / 0x10000;
}

/* uniform: 0 to twice the mean, equally likely. */
static uint64_t length_of(const sg_shape *shape, uint32_t first, uint32_t second)
{
    switch (shape->law) {
    case SG_POWER:
        return power_length(shape->mean, first, second);
    case SG_BORDERS:
        return border_length(shape->mean, first, second);
    case SG_CONSTANT:
        return shape->mean;
    default:
        return ((2 * shape->mean + 1) * (uint64_t)first) >> 32;
    }
}

/* Room for one more number. */
static bool make_room(uint32_t **offsets, size_t count, size_t *room)
{
    if (count < *room) return true;
    const size_t more = *room + *room / 2;
    uint32_t *larger = realloc(*offsets, more * sizeof **offsets);
    if (!larger) return false;
    *offsets = larger;
    *room = more;
    return true;
}

bool sg_make_offsets(const sg_shape *shape, uint64_t seed, uint32_t **offsets, uint32_t *segments)
{
    const uint64_t n = shape->sort.n;
    size_t room = (size_t)(n / shape->mean + n / shape->mean / 64) + 64;
    gb_random4 four = {{0, 0, 0, 0}};
    uint64_t at = 0, i = 0;
    *offsets = malloc(room * sizeof **offsets);
    if (!*offsets) return false;
    for ((*offsets)[0] = 0; at < n; (*offsets)[++i] = (uint32_t)at) {
        if (i % 2 == 0) four = gb_random(seed, STREAM_LENGTHS, i / 2);
        const uint64_t length =
            length_of(shape, four.word[2 * (i % 2)], four.word[2 * (i % 2) + 1]);
        at = n - at < length ? n : at + length;
        if (make_room(offsets, (size_t)i + 1, &room)) continue;
        free(*offsets);
        *offsets = NULL;
        return false;
    }
    *segments = (uint32_t)i;
    return true;
}
