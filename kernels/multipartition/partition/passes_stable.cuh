/* The passes of a stable partition, for one type of keys and payload: each takes its tables from
 * the scratch and queues its kernels. */
#ifndef GB_MULTIPARTITION_PASSES_STABLE_CUH
#define GB_MULTIPARTITION_PASSES_STABLE_CUH

#include "kernels/multipartition/partition/ahead.cuh"
#include "kernels/multipartition/partition/passes.cuh"
#include "kernels/multipartition/partition/resident_in_order.cuh"

/* ---- a stable pass --------------------------------------------------------------------------- */

/* How a tile's elements are put in order. */
typedef enum mp_order { MP_BY_VOTES, MP_IN_TURN, MP_BY_TILES } mp_order;

/* How a stable pass goes about it, and its words in device memory, 0 at the start. */
typedef struct mp_stable_way {
    mp_order order;
    unsigned *ticket;
    unsigned *failed;        /* MP_IN_TURN: MP_FAILED, MP_CROWDED */
    const unsigned *only_if; /* without which (0) nothing is done; or NULL */
} mp_stable_way;

/* How many parts of the input there are for each block. Of skewed keys that a former pass has
 * grouped some: one in which a digit has much is soon over then, and buffers are cut for what is
 * there. But to begin a part costs time, so that small inputs have as many as blocks. */
template <class Key, int WORDS>
static unsigned parts_of_block(const mp_context<Key, WORDS> *c, uint64_t blocks, bool grouped)
{
    enum { MOST = 8, LEAST_KEYS = 1 << 16 };
    const uint64_t parts = c->n / (blocks * LEAST_KEYS);
    if (!c->skewed() || !grouped || parts < 1) return 1;
    return parts < MOST ? (unsigned)parts : (unsigned)MOST;
}

/* A stable pass: its tables, and the kernels that it takes. */
template <class Key, int WORDS, class Digit> struct mp_stable_pass {
    Digit digit;
    mp_parts parts;
    unsigned *failed;          /* if slots are drawn in turn; else NULL */
    mp_launch by_votes, drawn; /* where keys draw in turn, votes do what that cannot; or tiles */
    mp_ordered_kernel<Key, WORDS, Digit> voting;
    mp_in_turn_kernel<Key, WORDS, Digit> drawing;
    mp_tiles_in_order_kernel<Key, WORDS, Digit> by_tiles;
};

/* The kernels, and the input's parts; grouped: by a former pass. PIECES: parts are pieces. */
template <bool PIECES, class Key, int WORDS, class Digit>
static gb_status choose_stable(mp_context<Key, WORDS> *c, const Digit &digit,
                               const mp_stable_way &way, bool grouped,
                               mp_stable_pass<Key, WORDS, Digit> *pass)
{
    *pass = mp_stable_pass<Key, WORDS, Digit>{};
    const bool crowd = grouped && c->skewed();
    const bool in_turn =
        way.order == MP_IN_TURN && !(crowd && mp_votes_suit_crowds<Key, WORDS>(digit.digits));
    pass->digit = digit;
    pass->failed = in_turn ? way.failed : NULL;
    const mp_need need = need_of(c->device, digit);
    if (way.order == MP_BY_TILES) {
        if (!mp_choose_tiles<PIECES, Key, WORDS, Digit>(c->device, need, &pass->drawn,
                                                        &pass->by_tiles))
            return too_many(c, digit);
    } else if (!mp_choose_ordered<PIECES>(c->device, need, c->n, crowd, &pass->by_votes,
                                          &pass->voting)) {
        return too_many(c, digit);
    } else {
        pass->drawn = pass->by_votes;
    }
    if (in_turn && !mp_choose_in_turn<PIECES>(c->device, need, c->keys != MP_KEYS_ANY, &pass->drawn,
                                              &pass->drawing))
        return too_many(c, digit);
    const uint64_t most = blocks_for(c, pass->drawn), blocks = most ? most : 1;
    pass->parts.parts = (unsigned)(blocks * parts_of_block(c, blocks, grouped));
    pass->parts.ticket = way.ticket;
    pass->parts.only_if = way.only_if;
    pass->parts.crowded = pass->failed;
    return GB_OK;
}

/* digit_begins: where the digits begin, digits + 1, or NULL. */
template <class Key, int WORDS>
static void take_tables(mp_context<Key, WORDS> *c, unsigned digits, uint64_t *digit_begins,
                        mp_parts *parts)
{
    parts->part_keys = mp_part_keys(c->n, parts->parts);
    parts->counts = c->template take<unsigned>((uint64_t)parts->parts * digits);
    parts->before = c->template take<uint64_t>((uint64_t)parts->parts * digits);
    parts->digit_begins =
        digit_begins ? digit_begins : c->template take<uint64_t>((uint64_t)digits + 1);
}

template <class Key, int WORDS, class Digit>
static void count_stable(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                         const mp_stable_pass<Key, WORDS, Digit> &pass)
{
    const mp_counters<Digit> counters = counters_for(c->device, pass.digit, pass.digit.digits);
    c->start_next(mp_count_parts<Key, Digit>, pass.parts.parts, MP_PARTS_THREADS, counters.shared,
                  in.without_payload(), c->n, counters.digit, counters.copies, pass.parts);
}

/* Once it is known where the parts' elements go. Where keys would draw in turn, votes do it where a
 * digit has a crowd, or anew should drawing fail. */
template <class Key, int WORDS, class Digit>
static gb_status move_stable(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                             const mp_elements<Key, WORDS> &out,
                             const mp_stable_pass<Key, WORDS, Digit> &pass)
{
    mp_parts p = pass.parts;
    if (pass.by_tiles) {
        c->start(pass.by_tiles, p.parts, pass.drawn.threads, pass.drawn.shared, in, out, c->n,
                 mp_launched(pass.digit, pass.drawn), p);
        return c->status;
    }
    if (pass.drawing) {
        c->start(pass.drawing, p.parts, pass.drawn.threads, pass.drawn.shared, in, out, c->n,
                 mp_launched(pass.digit, pass.drawn), pass.drawn.cut, p, pass.failed);
        p.only_if = pass.failed;
    }
    c->start(pass.voting, p.parts, pass.by_votes.threads, pass.by_votes.shared, in, out, c->n,
             mp_launched(pass.digit, pass.by_votes), pass.by_votes.cut, p);
    return c->status;
}

template <class Key, int WORDS, class Digit>
static gb_status pass_ordered(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                              const mp_elements<Key, WORDS> &out, const Digit &digit,
                              uint64_t *digit_begins, const mp_stable_way &way, bool grouped)
{
    mp_stable_pass<Key, WORDS, Digit> pass;
    const gb_status status = choose_stable<false>(c, digit, way, grouped, &pass);
    if (status != GB_OK) return status;
    take_tables(c, digit.digits, digit_begins, &pass.parts);
    count_stable(c, in, pass);
    c->start_next(mp_scan_parts<MP_PARTS_SCAN_THREADS>, digit.digits, MP_PARTS_SCAN_THREADS, 0,
                  pass.parts, digit.digits);
    return move_stable(c, in, out, pass);
}

/* ---- two stable passes, counted at once ------------------------------------------------------ */

/* How many parts share a table of both digits, so that it is not dear beside the second look at the
 * keys that it saves; 0: none does. */
static inline unsigned mp_parts_together(const gb_device *device, uint64_t n, unsigned parts,
                                         unsigned lows, unsigned highs)
{
    enum { MOST = 2, KEYS = 15 }; /* for a word of a table */
    const uint64_t both = (uint64_t)lows * highs;
    if (both * sizeof(unsigned) > mp_shared_budget(device, 2)) return 0;
    if (highs > MP_STRIPS_THREADS) return 0;
    for (unsigned each = 1; each <= MOST; each *= 2)
        if (mp_ceil_div(parts, each) * both <= n / KEYS) return each;
    return 0;
}

/* The kernels before both moves: counts, and from those where strips and bins begin. */
template <class Key, int WORDS, class Digit>
static void count_both(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                       const mp_both_digits<Digit> &both, const mp_parts &parts,
                       const mp_strips &strips, const mp_second &second)
{
    const unsigned all = both.low_digits * both.high_digits;
    const mp_counters<Digit> counters =
        counters_for(c->device, both.whole, all, both.low_digits * sizeof(unsigned));
    mp_both_digits<Digit> counted = both;
    counted.whole = counters.digit;
    const uint64_t most = 2 * c->sms();
    c->start_next(mp_count_ahead<Key, Digit>, strips.stretches < most ? strips.stretches : most,
                  MP_PARTS_THREADS, counters.shared, in.without_payload(), c->n, counted,
                  counters.copies, parts, strips);
    c->start_next(mp_scan_strips<MP_STRIPS_THREADS>, both.low_digits, MP_STRIPS_THREADS, 0, c->n,
                  parts, strips, second);
}

/* The first pass over skewed keys, in which heavy bins go to their places. false: there is none. */
template <class Key, int WORDS, class Digit>
static bool choose_heavy(mp_context<Key, WORDS> *c, const mp_both_digits<Digit> &both,
                         const mp_stable_pass<Key, WORDS, Digit> &light,
                         mp_stable_pass<Key, WORDS, mp_heavy_digit<Digit>> *pass)
{
    *pass = mp_stable_pass<Key, WORDS, mp_heavy_digit<Digit>>{};
    pass->parts = light.parts;
    pass->failed = light.failed;
    pass->digit.both = both;
    pass->digit.digits = both.low_digits + MP_MOST_HEAVY;
    const mp_need need = need_of(c->device, pass->digit);
    if (!c->skewed() || c->n == 0 || light.by_tiles ||
        !mp_choose_heavy_ordered(c->device, need, &pass->by_votes, &pass->voting))
        return false;
    pass->drawn = pass->by_votes;
    if (light.drawing && !mp_choose_heavy_in_turn(c->device, need, &pass->drawn, &pass->drawing))
        return false;
    pass->parts.parts = (unsigned)blocks_for(c, pass->drawn);
    return mp_parts_together(c->device, c->n, pass->parts.parts, both.low_digits,
                             both.high_digits) == 1;
}

/* By `low`, then by `high`, into `between` and out of it; and the bins' offsets. *done: or else
 * nothing was queued. */
template <class Key, int WORDS, class Digit>
static gb_status passes_ahead(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                              const mp_elements<Key, WORDS> &between,
                              const mp_elements<Key, WORDS> &out, const mp_both_digits<Digit> &both,
                              const Digit &low, const Digit &high, const mp_stable_way *ways,
                              uint64_t *offsets, bool *done)
{
    mp_stable_pass<Key, WORDS, Digit> first, second;
    gb_status status = choose_stable<false>(c, low, ways[0], false, &first);
    if (status == GB_OK) status = choose_stable<true>(c, high, ways[1], true, &second);
    if (status != GB_OK) return status;
    mp_stable_pass<Key, WORDS, mp_heavy_digit<Digit>> heavy;
    const bool heavily = choose_heavy(c, both, first, &heavy);
    mp_parts *const parts = heavily ? &heavy.parts : &first.parts;
    mp_strips strips = {};
    strips.each = mp_parts_together(c->device, c->n, parts->parts, low.digits, high.digits);
    *done = strips.each > 0;
    if (!*done) return GB_OK;

    const uint64_t cleared = c->used;
    if (heavily) {
        strips.heavies = c->template take<unsigned>(1);
        c->clear_from(cleared);
        strips.heavy = c->template take<mp_heavy>(low.digits);
        parts->heavies = strips.heavies;
        parts->lows = low.digits;
    }
    take_tables(c, heavily ? heavy.digit.digits : low.digits, NULL, parts);
    strips.stretches = (unsigned)mp_ceil_div(parts->parts, strips.each);
    strips.lows = low.digits;
    strips.highs = high.digits;
    strips.bins = both.whole.digits;
    strips.counts =
        c->template take<unsigned>((uint64_t)strips.stretches * low.digits * high.digits);
    strips.low_begins = c->template take<uint64_t>((uint64_t)low.digits + 1);
    strips.before = parts->before;
    strips.parts = parts->parts;
    strips.bin_begins = offsets;
    strips.pieces_before = c->template take<unsigned>((uint64_t)low.digits + 1);
    heavy.digit.heavy = strips.heavy;
    heavy.digit.elsewhere =
        ((uint64_t)(uintptr_t)out.keys - (uint64_t)(uintptr_t)between.keys) / sizeof(Key);
    count_both(c, in, both, *parts, strips,
               mp_second{second.parts.parts, second.failed, heavy.digit.elsewhere});
    status = heavily ? move_stable(c, in, between, heavy) : move_stable(c, in, between, first);
    if (status != GB_OK) return status;
    second.parts.strips = strips;
    second.parts.parts += low.digits;
    return move_stable(c, between, out, second);
}

/* ---- on the chip ----------------------------------------------------------------------------- */

template <class Key, int WORDS, class Digit>
static gb_status
pass_resident_in_order(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                       const mp_elements<Key, WORDS> &out, const Digit &digit, uint64_t *offsets)
{
    const unsigned THREADS = MP_RESIDENT_ROW_THREADS;
    const size_t table = 2 * sizeof(unsigned) + THREADS / GB_WARP * sizeof(unsigned short);
    const uint64_t together = MP_RESIDENT_BLOCKS, most = c->sms() < together ? c->sms() : together;
    const mp_need need = need_of(c->device, digit);
    const unsigned bits = bits_of(digit.digits, 0);
    if (bits > MP_RESIDENT_BITS)
        return gb_fail(c->error, GB_UNSUPPORTED,
                       "%u bins are more than the %u that stable-resident ranks by: "
                       "stable-two-pass",
                       digit.digits, 1u << MP_RESIDENT_BITS);
    uint64_t part = 0;
    const gb_status status = cut_resident(c, need, table, most, &part);
    if (status != GB_OK) return status;
    const uint64_t blocks = mp_ceil_div(c->n, part), cleared = c->used;
    mp_rows rows;
    rows.barrier = c->template take<unsigned>(1);
    if (gb_grid_barrier::COUNTS) c->clear_from(cleared);
    rows.counts = c->template take<unsigned>(blocks * digit.digits);
    rows.totals = c->template take<unsigned>(digit.digits);
    const size_t shared = part * (sizeof(Key) + 4 * WORDS) + table * digit.digits;
    auto kernel = part <= 4 * THREADS    ? mp_move_resident_in_order<Key, WORDS, 4, Digit>
                  : part <= 16 * THREADS ? mp_move_resident_in_order<Key, WORDS, 16, Digit>
                                         : mp_move_resident_in_order<Key, WORDS, 32, Digit>;
    c->start_together(kernel, blocks, THREADS, shared + need.table, in, out, c->n, (unsigned)part,
                      bits, mp_copied(digit, need.table > 0, shared), rows, offsets);
    return c->status;
}

#endif
