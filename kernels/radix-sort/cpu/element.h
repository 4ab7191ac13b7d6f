/* One kind of element (kinds.h, which includes this file once a kind): reading and writing it,
 * and moving elements into bins. */

/* Elements that a bin gathers before they are written: whole cache lines of what they become. */
enum { RS_OF(GROUP) = RS_PAIRED ? 16 : (int)(GB_LINE / sizeof(RS_ELEMENT)) };

static inline RS_ELEMENT RS_OF(load)(const rs_cpu_ends *ends, uint64_t i)
{
    const RS_KEY key = ((const RS_KEY *)ends->keys_in)[i];
    const RS_KEY sign = (RS_KEY)0 - (key >> (8 * sizeof key - 1));
    const RS_KEY image = key ^ (sign & (RS_KEY)ends->negative) ^ (RS_KEY)ends->flip;
#if RS_PAIRED
    return (RS_ELEMENT)image << RS_PAYLOAD_BITS | ends->payload_in[i];
#else
    return image;
#endif
}

static inline RS_KEY RS_OF(key_of)(const rs_cpu_ends *ends, RS_ELEMENT element)
{
    const RS_KEY image = (RS_KEY)(element >> (RS_PAIRED * RS_PAYLOAD_BITS));
    const RS_KEY flipped = image ^ (RS_KEY)ends->flip;
    const RS_KEY sign = (RS_KEY)0 - (flipped >> (8 * sizeof flipped - 1));
    return flipped ^ (sign & (RS_KEY)ends->negative);
}

static inline void RS_OF(store)(const rs_cpu_ends *ends, uint64_t i, RS_ELEMENT element)
{
    ((RS_KEY *)ends->keys_out)[i] = RS_OF(key_of)(ends, element);
#if RS_PAIRED
    ends->payload_out[i] = (uint32_t)element;
#endif
}

static inline uint32_t RS_OF(digit)(RS_ELEMENT element, unsigned shift, uint32_t mask)
{
    return (uint32_t)(element >> shift) & mask;
}

RS_INLINE void RS_OF(stream)(void *to, const void *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += GB_LINE)
        gb_stream_line((char *)to + at, (const char *)from + at);
}

/* A whole group to places [i, i + GROUP) of the output, around the cache. */
RS_INLINE void RS_OF(store_group)(const rs_cpu_ends *ends, uint64_t i, const RS_ELEMENT *group)
{
    _Alignas(GB_LINE) RS_KEY keys[RS_OF(GROUP)];
    for (int k = 0; k < RS_OF(GROUP); k++)
        keys[k] = RS_OF(key_of)(ends, group[k]);
    RS_OF(stream)((RS_KEY *)ends->keys_out + i, keys, sizeof keys);
#if RS_PAIRED
    _Alignas(GB_LINE) uint32_t payload[RS_OF(GROUP)];
    for (int k = 0; k < RS_OF(GROUP); k++)
        payload[k] = (uint32_t)group[k];
    RS_OF(stream)(ends->payload_out + i, payload, sizeof payload);
#endif
}

/* Elements [0, count) of `from` to places [at, at + count) of the output; around the cache if they
 * are many. from may be that part of the output itself. */
static inline void RS_OF(emit)(const rs_cpu_ends *ends, const RS_ELEMENT *from, uint64_t at,
                               uint64_t count, bool around_cache)
{
    uint64_t i = 0;
    if (around_cache) {
        while (i < count && ((uintptr_t)((RS_KEY *)ends->keys_out + at + i) & (GB_LINE - 1))) {
            RS_OF(store)(ends, at + i, from[i]);
            i++;
        }
        for (; i + (uint64_t)RS_OF(GROUP) <= count; i += (uint64_t)RS_OF(GROUP))
            RS_OF(store_group)(ends, at + i, from + i);
    }
    for (; i < count; i++)
        RS_OF(store)(ends, at + i, from[i]);
}

/* ---- into bins ------------------------------------------------------------------------------- */

/* Which bins elements go to, and where those lie. */
typedef struct RS_OF(scatter) {
    const rs_cpu_ends *ends;
    const RS_ELEMENT *from; /* NULL: the input itself */
    RS_ELEMENT *to;         /* NULL: the output itself */
    unsigned shift;
    uint32_t mask;
    uint64_t *place;       /* a bin's next place */
    const uint64_t *start; /* a bin's first place; needed with lines only */
    RS_ELEMENT *lines;     /* GROUP elements a bin: gather them there first; NULL: write at once */
} RS_OF(scatter);

/* The bin's elements [from, to) of one group out of its buffer. */
RS_INLINE void RS_OF(flush)(const rs_cpu_ends *ends, RS_ELEMENT *out, const RS_ELEMENT *lines,
                            uint64_t from, uint64_t to)
{
    const RS_ELEMENT *group = lines + from % RS_OF(GROUP);
    if (to - from == RS_OF(GROUP)) {
        if (out)
            RS_OF(stream)(out + from, group, RS_OF(GROUP) * sizeof *group);
        else
            RS_OF(store_group)(ends, from, group);
    } else if (out) {
        memcpy(out + from, group, (to - from) * sizeof *group);
    } else {
        for (uint64_t i = from; i < to; i++)
            RS_OF(store)(ends, i, group[i - from]);
    }
}

/* from_input, to_output and combined are constants at every call. Combined: software
 * write-combining (Wassenberg, Sanders 2011, "Engineering a multi-core radix sort"), for scattered
 * stores would fetch and evict a line each. */
RS_INLINE void RS_OF(scatter_by)(const RS_OF(scatter) * s, uint64_t begin, uint64_t end,
                                 bool from_input, bool to_output, bool combined)
{
    enum { GROUP = RS_OF(GROUP) };
    const rs_cpu_ends ends = *s->ends;
    const RS_ELEMENT *from = s->from;
    RS_ELEMENT *to = to_output ? NULL : s->to, *lines = s->lines;
    uint64_t *places = s->place;
    const unsigned shift = s->shift;
    const uint32_t mask = s->mask;
    for (uint64_t i = begin; i < end; i++) {
        const RS_ELEMENT element = from_input ? RS_OF(load)(&ends, i) : from[i];
        const uint32_t bin = RS_OF(digit)(element, shift, mask);
        const uint64_t place = places[bin]++;
        if (combined) {
            RS_ELEMENT *mine = lines + (size_t)bin * GROUP;
            mine[place % GROUP] = element;
            if (place % GROUP != GROUP - 1) continue;
            const uint64_t first = place - (GROUP - 1), start = s->start[bin];
            RS_OF(flush)(&ends, to, mine, first < start ? start : first, place + 1);
        } else if (to_output) {
            RS_OF(store)(&ends, place, element);
        } else {
            to[place] = element;
        }
    }
    if (!combined) return;
    for (uint32_t bin = 0; bin <= mask; bin++) {
        const uint64_t next = places[bin], start = s->start[bin];
        const uint64_t first = next - next % GROUP < start ? start : next - next % GROUP;
        if (first < next) RS_OF(flush)(&ends, to, lines + (size_t)bin * GROUP, first, next);
    }
    gb_stream_end();
}

/* Elements [begin, end) into their bins, in their order. */
static inline void RS_OF(scatter_elements)(const RS_OF(scatter) * s, uint64_t begin, uint64_t end)
{
    if (s->from && s->to && s->lines)
        RS_OF(scatter_by)(s, begin, end, false, false, true);
    else if (s->from && s->to)
        RS_OF(scatter_by)(s, begin, end, false, false, false);
    else if (s->from && s->lines)
        RS_OF(scatter_by)(s, begin, end, false, true, true);
    else if (s->from)
        RS_OF(scatter_by)(s, begin, end, false, true, false);
    else if (s->to && s->lines)
        RS_OF(scatter_by)(s, begin, end, true, false, true);
    else if (s->to)
        RS_OF(scatter_by)(s, begin, end, true, false, false);
    else if (s->lines)
        RS_OF(scatter_by)(s, begin, end, true, true, true);
    else
        RS_OF(scatter_by)(s, begin, end, true, true, false);
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Adds elements [begin, end) of `from` (NULL: of the input) to the counters of one digit. */
static inline void RS_OF(count_digit)(const rs_cpu_ends *ends, const RS_ELEMENT *from,
                                      uint64_t begin, uint64_t end, unsigned shift, uint32_t mask,
                                      uint64_t *counts)
{
    const rs_cpu_ends local = *ends;
    for (uint64_t i = begin; i < end; i++)
        counts[RS_OF(digit)(from ? from[i] : RS_OF(load)(&local, i), shift, mask)]++;
}

/* passes is a constant at every call. */
RS_INLINE void RS_OF(count_digits_by)(const rs_cpu_ends *ends, const RS_ELEMENT *from,
                                      uint64_t count, const rs_digits *digits, unsigned passes,
                                      uint64_t *counts)
{
    const rs_cpu_ends local = *ends;
    const unsigned width = digits->width, low = digits->low;
    const uint32_t mask = rs_digit_mask(width), last = rs_digit_mask(digits->last_width);
    for (uint64_t i = 0; i < count; i++) {
        RS_ELEMENT rest = (from ? from[i] : RS_OF(load)(&local, i)) >> low;
        for (unsigned p = 0; p < passes; p++) {
            counts[p * RS_DIGIT_BINS + ((uint32_t)rest & (p == passes - 1 ? last : mask))]++;
            rest >>= width;
        }
    }
}

/* Counts all digits of `from` (NULL: of the input) in one read; RS_DIGIT_BINS counters a digit. */
static inline void RS_OF(count_digits)(const rs_cpu_ends *ends, const RS_ELEMENT *from,
                                       uint64_t count, const rs_digits *digits, uint64_t *counts)
{
    memset(counts, 0, (size_t)digits->passes * RS_DIGIT_BINS * sizeof *counts);
    switch (digits->passes) {
    case 1:
        RS_OF(count_digits_by)(ends, from, count, digits, 1, counts);
        return;
    case 2:
        RS_OF(count_digits_by)(ends, from, count, digits, 2, counts);
        return;
    case 3:
        RS_OF(count_digits_by)(ends, from, count, digits, 3, counts);
        return;
    case 4:
        RS_OF(count_digits_by)(ends, from, count, digits, 4, counts);
        return;
    case 8:
        RS_OF(count_digits_by)(ends, from, count, digits, 8, counts);
        return;
    default:
        RS_OF(count_digits_by)(ends, from, count, digits, digits->passes, counts);
        return;
    }
}
