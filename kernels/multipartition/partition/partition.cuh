/* The methods, each one or two passes, for one type of keys and payload; partition_*.cu make them
 * for all types. */
#ifndef GB_MULTIPARTITION_PARTITION_CUH
#define GB_MULTIPARTITION_PARTITION_CUH

#include "kernels/multipartition/boundaries.cuh"
#include "kernels/multipartition/partition/in_order.cuh"
#include "kernels/multipartition/partition/limits.cuh"
#include "kernels/multipartition/partition/passes_stable.cuh"
#include "kernels/multipartition/partition/types.cuh"

/* The digit that is all of a request's bin. */
static inline mp_digit whole_digit(const mp_request *r)
{
    return mp_digit{mp_make_bin_data(r->function, r->bins, r->key_bytes, r->limits), r->function, 0,
                    ~0u, r->bins};
}

/* The same of one with limits. */
static inline mp_limits_digit whole_limits(const mp_request *r)
{
    return mp_limits_digit{mp_make_bin_data(r->function, r->bins, r->key_bytes, r->limits), 0, ~0u,
                           r->bins, mp_search{}};
}

/* So many bits of it, from `shift` on. */
template <class Digit>
static inline Digit digit_of(const Digit &whole, unsigned shift, unsigned bits)
{
    Digit digit = whole;
    digit.shift = shift;
    digit.mask = bits < 32 ? (1u << bits) - 1 : ~0u;
    digit.digits = (whole.digits - 1) >> shift;
    if (digit.digits > digit.mask) digit.digits = digit.mask;
    digit.digits++;
    return digit;
}

/* The whole bin's function, as boundaries.cuh takes it. */
static inline mp_bin_any function_of(const mp_digit &whole)
{
    return mp_bin_any{whole.bin, whole.function};
}
static inline mp_bin_of<MP_SPLITTERS> function_of(const mp_limits_digit &whole)
{
    return mp_bin_of<MP_SPLITTERS>{whole.bin};
}

/* Queues so many passes, queue(0) first, that have the same room for their tables: each takes from
 * the same place on. */
template <class Key, int WORDS, class Queue>
static gb_status in_the_same_room(mp_context<Key, WORDS> *c, unsigned passes, Queue queue)
{
    const uint64_t from = c->used;
    uint64_t most = from;
    for (unsigned pass = 0; pass < passes; pass++) {
        c->used = from;
        const gb_status status = queue(pass);
        if (status != GB_OK) return status;
        if (c->used > most) most = c->used;
    }
    c->used = most;
    return GB_OK;
}

/* Whether a sample foresees the regions of uniform keys well enough. Where a region begins is known
 * to 4 sqrt(n q (1 - q)), q the share before it, so that in all 4 sqrt(2 / pi) pi / 8 = 1.26
 * sqrt(n) elements of each bin are not where they belong; some times there are twice as many, and
 * where they are a quarter of all there is no room to put them right. A small input has room for
 * all. */
static inline bool mp_can_foresee(uint64_t n, uint32_t bins)
{
    return bins <= 2 || n < MP_SMALL || 1.26 * bins * sqrt((double)n) <= (double)n / 10;
}

/* By the upper bits, then within those by the lower ones; in one pass where neighbours share bins
 * (runs.cuh). All bins are counted at once where a block has room for that; else the upper digits
 * are foreseen, and the lower ones counted in between. tiles: both passes by tiles that are sorted
 * in shared memory, which do not look for runs and count what they do not know. */
template <class Key, int WORDS, class Digit>
static gb_status
unstable_two_pass(mp_context<Key, WORDS> *c, const mp_request *r, const mp_elements<Key, WORDS> &in,
                  const mp_elements<Key, WORDS> &out, const Digit &whole, bool tiles)
{
    const unsigned low_bits = bits_of(r->bins, 0) / 2;
    Digit low = digit_of(whole, 0, low_bits), high = digit_of(whole, low_bits, 32);
    prepare_upper(c, whole, &high);
    prepare_within(c, whole, &low, high.digits);
    const mp_elements<Key, WORDS> between = c->take_elements(r->n);
    const unsigned all = high.digits << low_bits;
    const mp_runs<Key, WORDS, Digit> runs = {in, whole};
    if (can_count(c, all)) {
        mp_opened opened;
        Digit bins = whole;
        prepare_whole(c, &bins, false);
        gb_status status =
            count_bins(c, in, bins, all, high.digits, low_bits, r->offsets, NULL, tiles, &opened);
        if (status == GB_OK) status = pass_exact(c, in, between, high, opened.upper);
        return status == GB_OK ? pass_exact(c, between, out, low, opened.bins, runs) : status;
    }
    uint64_t *segments = c->template take<uint64_t>((uint64_t)high.digits + 1);
    const uint64_t cleared = c->used;
    unsigned *failed = tiles ? NULL : c->take_failed(); /* the second pass leaves it as it is */
    return in_the_same_room(c, 2, [&](unsigned pass) {
        if (pass == 1)
            return pass_segments(c, between, out, segments, high.digits, low, r->bins, r->offsets,
                                 failed, runs, tiles);
        if (tiles) return pass_counted(c, in, between, high, segments, failed, true);
        return pass_foreseen_or_counted(c, in, between, out, r->n, high, segments, failed, cleared,
                                        mp_beside{MP_IN_RUNS, false, 0, NULL});
    });
}

/* The same without a look at the keys before: the upper digits are foreseen, and all bins counted
 * in passing by the first of both passes. What a sample cannot foresee, and input that consists of
 * runs, is counted and done as above. */
template <class Key, int WORDS, class Digit>
static gb_status unstable_sampled_two_pass(mp_context<Key, WORDS> *c, const mp_request *r,
                                           const mp_elements<Key, WORDS> &in,
                                           const mp_elements<Key, WORDS> &out, const Digit &whole)
{
    const unsigned low_bits = bits_of(r->bins, 0) / 2;
    Digit bins = whole, low = digit_of(whole, 0, low_bits);
    prepare_whole(c, &bins, true);
    const Digit high = digit_of(bins, low_bits, 32);
    prepare_within(c, whole, &low, high.digits);
    const unsigned all = high.digits << low_bits;
    if (!can_count(c, all))
        return gb_fail(c->error, GB_UNSUPPORTED,
                       "%u bins cannot be counted in passing: unstable-two-pass foresees the upper "
                       "digits, too",
                       r->bins);
    const mp_elements<Key, WORDS> between = c->take_elements(r->n);
    const uint64_t cleared = c->used;
    unsigned *failed = c->take_failed();
    mp_beside beside = {MP_UNCOUNTED, false, all, NULL};
    mp_opened opened;
    gb_status status =
        pass_foreseen(c, in, between, out, r->n, high, (uint64_t *)NULL, failed, cleared, &beside);
    if (status == GB_OK)
        status =
            count_bins(c, in, bins, all, high.digits, low_bits, r->offsets, failed, false, &opened);
    if (status == GB_OK) status = pass_exact(c, in, between, high, opened.upper);
    if (status != GB_OK) return status;
    mp_counted seen = opened.counts;
    seen.counts = beside.seen;
    c->start_next(mp_open_seen, 1, MP_COUNT_BINS_THREADS, 0, seen, failed);
    opened.bins.only_if = NULL;
    return pass_exact(c, between, out, low, opened.bins, mp_runs<Key, WORDS, Digit>{in, whole});
}

/* By the lowest bits first, the uppermost last, in so many passes; none of them does anything where
 * bins ascend already, if the keys are said to be sorted. */
template <class Key, int WORDS, class Digit>
static gb_status stable_passes(mp_context<Key, WORDS> *c, const mp_request *r,
                               const mp_elements<Key, WORDS> &in,
                               const mp_elements<Key, WORDS> &out, const Digit &whole,
                               unsigned passes, mp_order order)
{
    enum { MOST = 3, ORDER_BLOCKS = 8 };
    Digit bins = whole;
    prepare_whole(c, &bins, passes == 1);
    const auto digit_by = [&](unsigned shift, unsigned bits) {
        Digit digit = digit_of(bins, shift, bits);
        if (bits == 32) prepare_upper(c, whole, &digit);
        return digit;
    };
    const uint64_t cleared = c->used;
    mp_stable_way ways[MOST] = {};
    unsigned *ticket = c->template take<unsigned>(1), *disorder = NULL;
    for (unsigned pass = 0; order == MP_IN_TURN && pass < passes; pass++)
        ways[pass].failed = c->take_failed();
    if (passes > 1 && c->keys == MP_KEYS_SORTED) disorder = c->template take<unsigned>(1);
    c->clear_from(cleared);
    for (unsigned pass = 0; pass < passes; pass++) {
        ways[pass].order = order;
        ways[pass].ticket = ticket;
        ways[pass].only_if = disorder;
    }
    if (passes == 1) return pass_ordered(c, in, out, bins, r->offsets, ways[0], false);

    const uint64_t blocks = ORDER_BLOCKS * c->sms();
    if (disorder)
        c->start(mp_find_disorder<Key, Digit>, blocks, MP_ORDER_THREADS, 0, in.without_payload(),
                 c->n, whole, disorder);
    const mp_elements<Key, WORDS> between = c->take_elements(r->n);
    mp_elements<Key, WORDS> source = in;
    unsigned shift = 0;
    bool done = false;
    gb_status status = GB_OK;
    if (passes == 2) {
        const unsigned low_bits = bits_of(r->bins, 0) / 2;
        const Digit low = digit_by(0, low_bits), high = digit_by(low_bits, 32);
        const mp_both_digits<Digit> both = {bins, low_bits, low.digits, high.digits};
        status = passes_ahead(c, in, between, out, both, low, high, ways, r->offsets, &done);
    }
    if (status == GB_OK && !done)
        status = in_the_same_room(c, passes, [&](unsigned pass) {
            const unsigned left = passes - pass - 1;
            const unsigned bits = left ? bits_of(r->bins, shift) / (left + 1) : 32;
            const mp_elements<Key, WORDS> from = source, to = left % 2 ? between : out;
            const Digit digit = digit_by(shift, bits);
            source = to;
            shift += bits;
            return pass_ordered(c, from, to, digit, NULL, ways[pass], pass > 0);
        });
    if (status != GB_OK) return status;
    if (disorder)
        c->start(mp_copy_in_order<Key, WORDS>, blocks, MP_ORDER_THREADS, 0, in, out, c->n,
                 disorder);
    if (c->goes_on() && (disorder || !done)) /* or else they are known */
        c->note(mp_queue_boundaries(out.keys, c->n, function_of(whole), r->offsets, c->stream),
                "the bins' boundaries");
    return c->status;
}

/* The methods that leave the order within a bin open, and those that keep it: each its own, so that
 * a program that compiles one kind of them does not wait for the other. */
template <class Key, int WORDS, class Digit>
static gb_status mp_partition_unstable(const mp_request *r, mp_context<Key, WORDS> *c,
                                       const mp_elements<Key, WORDS> &in,
                                       const mp_elements<Key, WORDS> &out, const Digit &whole)
{
    const bool by_tiles = r->method == MP_UNSTABLE_TILES_TWO_PASS;
    if (r->method == MP_UNSTABLE_TWO_PASS || by_tiles)
        return unstable_two_pass(c, r, in, out, whole, by_tiles);
    if (r->method == MP_UNSTABLE_SAMPLED_TWO_PASS)
        return unstable_sampled_two_pass(c, r, in, out, whole);
    const bool tiles = r->method == MP_UNSTABLE_TILES, foreseeable = mp_can_foresee(r->n, r->bins);
    if (tiles && !foreseeable)
        return gb_fail(
            c->error, GB_UNSUPPORTED,
            "a sample of so few elements does not foresee %u bins: unstable-tiles-counted",
            r->bins);
    Digit bins = whole;
    prepare_whole(c, &bins, true);
    switch (r->method) {
    case MP_UNSTABLE:
    case MP_UNSTABLE_TILES:
        if (foreseeable) {
            const uint64_t aside_room = (r->n < MP_SMALL ? r->n : r->n / 4) + MP_MOST_TILE;
            const mp_elements<Key, WORDS> aside = c->take_elements(aside_room);
            const uint64_t cleared = c->used;
            unsigned *failed = c->take_failed();
            return pass_foreseen_or_counted(c, in, out, aside, aside_room, bins, r->offsets, failed,
                                            cleared, mp_beside{0, tiles, 0, NULL});
        }
        [[fallthrough]];
    case MP_UNSTABLE_COUNTED:
        return pass_counted(c, in, out, bins, r->offsets, (const unsigned *)NULL);
    case MP_UNSTABLE_TILES_COUNTED:
        return pass_counted(c, in, out, bins, r->offsets, (const unsigned *)NULL, true);
    case MP_UNSTABLE_RESIDENT:
        return pass_resident(c, in, out, bins, r->offsets);
    default: /* MP_AUTO: chosen before */
        return gb_fail(c->error, GB_CRASHED, "no method");
    }
}

template <class Key, int WORDS, class Digit>
static gb_status mp_partition_stable(const mp_request *r, mp_context<Key, WORDS> *c,
                                     const mp_elements<Key, WORDS> &in,
                                     const mp_elements<Key, WORDS> &out, const Digit &whole)
{
    switch (r->method) {
    case MP_STABLE:
        return stable_passes(c, r, in, out, whole, 1, MP_BY_VOTES);
    case MP_STABLE_TWO_PASS:
        return stable_passes(c, r, in, out, whole, 2, MP_BY_VOTES);
    case MP_STABLE_DRAWN:
        return stable_passes(c, r, in, out, whole, 1, MP_IN_TURN);
    case MP_STABLE_DRAWN_TWO_PASS:
        return stable_passes(c, r, in, out, whole, 2, MP_IN_TURN);
    case MP_STABLE_DRAWN_THREE_PASS:
        return stable_passes(c, r, in, out, whole, 3, MP_IN_TURN);
    case MP_STABLE_TILES:
        return stable_passes(c, r, in, out, whole, 1, MP_BY_TILES);
    case MP_STABLE_TILES_TWO_PASS:
        return stable_passes(c, r, in, out, whole, 2, MP_BY_TILES);
    case MP_STABLE_RESIDENT: {
        Digit bins = whole;
        prepare_whole(c, &bins, true);
        return pass_resident_in_order(c, in, out, bins, r->offsets);
    }
    default: /* MP_AUTO: chosen before */
        return gb_fail(c->error, GB_CRASHED, "no method");
    }
}

/* Which of both are compiled. */
enum { MP_UNSTABLE_METHODS = 1, MP_STABLE_METHODS = 2 };

/* Queued; or, without scratch, only measured. */
template <class Key, int WORDS, unsigned METHODS, class Digit>
static gb_status mp_partition_by(const mp_request *request, const Digit &whole,
                                 const gb_device *device, void *scratch, cudaStream_t stream,
                                 mp_scratch_map *map, gb_error *error)
{
    typedef typename mp_elements<Key, WORDS>::payload_type payload_type;
    mp_context<Key, WORDS> context = {
        device, request->n, (unsigned char *)scratch, 0, request->salt, request->keys, map, stream,
        GB_OK,  error};
    /* inputs are never written */
    const mp_elements<Key, WORDS> in = {(Key *)request->keys_in,
                                        (payload_type *)request->payload_in};
    const mp_elements<Key, WORDS> out = {(Key *)request->keys_out,
                                         (payload_type *)request->payload_out};
    *map = mp_scratch_map{};
    const bool stable = mp_is_stable(request->method);
    gb_status status = GB_OK;
    if constexpr ((METHODS & MP_STABLE_METHODS) != 0)
        if (stable) status = mp_partition_stable(request, &context, in, out, whole);
    if constexpr ((METHODS & MP_UNSTABLE_METHODS) != 0)
        if (!stable) status = mp_partition_unstable(request, &context, in, out, whole);
    if (!(METHODS & (stable ? MP_STABLE_METHODS : MP_UNSTABLE_METHODS)))
        status = gb_fail(error, GB_UNSUPPORTED, "a %s method is asked for here",
                         stable ? "not stable" : "stable");
    map->used = context.used;
    return status;
}

template <int BYTES> struct mp_key_of;
template <> struct mp_key_of<4> {
    typedef unsigned type;
};
template <> struct mp_key_of<8> {
    typedef uint64_t type;
};

/* Defines one of them, for keys and payloads of so many bytes. */
#define MP_PARTITION_OF(key_bytes, payload_bytes)                                               \
    gb_status mp_partition_k##key_bytes##_p##payload_bytes(                                     \
        const mp_request *request, const gb_device *device, void *scratch, cudaStream_t stream, \
        mp_scratch_map *map, gb_error *error)                                                   \
    {                                                                                           \
        constexpr auto METHODS = MP_UNSTABLE_METHODS | MP_STABLE_METHODS;                       \
        typedef mp_key_of<key_bytes>::type key_type;                                            \
        if (request->function == MP_SPLITTERS)                                                  \
            return mp_partition_by<key_type, payload_bytes / 4, METHODS>(                       \
                request, whole_limits(request), device, scratch, stream, map, error);           \
        return mp_partition_by<key_type, payload_bytes / 4, METHODS>(                           \
            request, whole_digit(request), device, scratch, stream, map, error);                \
    }

#endif
