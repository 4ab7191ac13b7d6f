/* The passes of a stable partition, for one type of keys and payload: each takes its tables from
 * the scratch and queues its kernels. */
#ifndef GB_MULTIPARTITION_PASSES_STABLE_CUH
#define GB_MULTIPARTITION_PASSES_STABLE_CUH

#include "kernels/multipartition/ahead.cuh"
#include "kernels/multipartition/passes.cuh"

/* ---- a stable pass --------------------------------------------------------------------------- */

/* How a stable pass goes about it, and its words in device memory, 0 at the start. */
typedef struct mp_stable_way {
    bool in_turn; /* slots are drawn in turn; else ranks are votes */
    unsigned *ticket;
    unsigned *failed;        /* if in_turn: MP_FAILED, MP_CROWDED */
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
    if (c->keys != MP_KEYS_SKEWED || !grouped || parts < 1) return 1;
    return parts < MOST ? (unsigned)parts : (unsigned)MOST;
}

/* A stable pass: its tables, and the kernels that it takes. */
template <class Key, int WORDS> struct mp_stable_pass {
    mp_digit digit;
    mp_parts parts;
    unsigned *failed;          /* if slots are drawn in turn; else NULL */
    mp_launch by_votes, drawn; /* where keys draw in turn, votes do what that cannot */
    mp_ordered_kernel<Key, WORDS> voting;
    mp_in_turn_kernel<Key, WORDS> drawing;
};

/* digit_begins: where the digits begin, digits + 1, may be NULL. grouped: by a former pass. */
template <class Key, int WORDS>
static gb_status open_stable(mp_context<Key, WORDS> *c, const mp_digit &digit,
                             uint64_t *digit_begins, const mp_stable_way &way, bool grouped,
                             mp_stable_pass<Key, WORDS> *pass)
{
    *pass = mp_stable_pass<Key, WORDS>{};
    const bool crowd = grouped && c->keys == MP_KEYS_SKEWED;
    const bool in_turn = way.in_turn && !(crowd && mp_votes_suit_crowds<Key, WORDS>(digit.digits));
    pass->digit = digit;
    pass->failed = in_turn ? way.failed : NULL;
    if (!mp_choose_ordered<Key, WORDS>(c->device, digit.digits, crowd, &pass->by_votes,
                                       &pass->voting))
        return too_many(c, digit);
    pass->drawn = pass->by_votes;
    if (in_turn && !mp_choose_in_turn<Key, WORDS>(c->device, digit.digits, c->keys != MP_KEYS_ANY,
                                                  &pass->drawn, &pass->drawing))
        return too_many(c, digit);
    const uint64_t most = blocks_for(c, pass->drawn), blocks = most ? most : 1;
    mp_parts &p = pass->parts;
    p.parts = (unsigned)(blocks * parts_of_block(c, blocks, grouped));
    p.part_keys = mp_part_keys(c->n, p.parts);
    p.counts = c->template take<unsigned>((uint64_t)p.parts * digit.digits);
    p.before = c->template take<uint64_t>((uint64_t)p.parts * digit.digits);
    p.digit_begins =
        digit_begins ? digit_begins : c->template take<uint64_t>((uint64_t)digit.digits + 1);
    p.ticket = way.ticket;
    p.only_if = way.only_if;
    p.crowded = pass->failed;
    return GB_OK;
}

template <class Key, int WORDS>
static void count_stable(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                         const mp_stable_pass<Key, WORDS> &pass)
{
    const mp_counters counters = counters_for(c->device, pass.digit.digits);
    c->start_next(mp_count_parts<Key>, pass.parts.parts, MP_PARTS_THREADS, counters.shared,
                  in.without_payload(), c->n, pass.digit, counters.copies, pass.parts);
}

/* Once parts are counted. Where keys would draw in turn, votes do it where a digit has a crowd, or
 * anew should drawing fail. */
template <class Key, int WORDS>
static gb_status move_stable(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                             const mp_elements<Key, WORDS> &out,
                             const mp_stable_pass<Key, WORDS> &pass)
{
    mp_parts p = pass.parts;
    c->start_next(mp_scan_parts<MP_PARTS_SCAN_THREADS>, pass.digit.digits, MP_PARTS_SCAN_THREADS, 0,
                  p, pass.digit.digits);
    if (pass.drawing) {
        c->start(pass.drawing, p.parts, pass.drawn.threads, pass.drawn.shared, in, out, c->n,
                 pass.digit, pass.drawn.cut, p, pass.failed);
        p.only_if = pass.failed;
    }
    c->start(pass.voting, p.parts, pass.by_votes.threads, pass.by_votes.shared, in, out, c->n,
             pass.digit, pass.by_votes.cut, p);
    return c->status;
}

template <class Key, int WORDS>
static gb_status pass_ordered(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                              const mp_elements<Key, WORDS> &out, const mp_digit &digit,
                              uint64_t *digit_begins, const mp_stable_way &way, bool grouped)
{
    mp_stable_pass<Key, WORDS> pass;
    const gb_status status = open_stable(c, digit, digit_begins, way, grouped, &pass);
    if (status != GB_OK) return status;
    count_stable(c, in, pass);
    return move_stable(c, in, out, pass);
}

/* ---- two stable passes, counted at once ------------------------------------------------------ */

/* How many parts share a table of both digits, so that it is not dear beside the second look at the
 * keys that it saves; 0: none does. */
static inline unsigned mp_parts_together(const gb_device *device, uint64_t n, unsigned parts,
                                         const mp_digit &low, const mp_digit &high)
{
    enum { MOST = 2, KEYS = 15 }; /* for a word of a table */
    const uint64_t both = (uint64_t)low.digits * high.digits;
    if (both * sizeof(unsigned) > mp_shared_budget(device, 2)) return 0;
    if (high.digits > MP_STRIPS_THREADS) return 0;
    for (unsigned each = 1; each <= MOST; each *= 2)
        if (mp_ceil_div(parts, each) * both <= n / KEYS) return each;
    return 0;
}

/* The kernels between the moves: both digits' counts, and from those the second one's. */
template <class Key, int WORDS>
static void count_both(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                       const mp_both_digits &both, const mp_parts &parts, const mp_ahead &ahead)
{
    const unsigned all = both.low_digits * both.high_digits;
    const mp_counters counters = counters_for(c->device, all);
    const uint64_t most = 2 * c->sms();
    c->start_next(mp_count_ahead<Key>, ahead.stretches < most ? ahead.stretches : most,
                  MP_PARTS_THREADS, counters.shared + both.low_digits * sizeof(unsigned),
                  in.without_payload(), c->n, both, counters.copies, parts, ahead);
}

template <class Key, int WORDS>
static void count_second(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                         const mp_strips &strips, unsigned lows,
                         const mp_stable_pass<Key, WORDS> &pass)
{
    enum { COPIES_BYTES = 8192 }; /* most is not counted, but added up */
    const unsigned digits = pass.digit.digits, copies = mp_copies_for(digits, COPIES_BYTES);
    c->start_next(mp_count_strips<Key>, pass.parts.parts, MP_STRIPS_THREADS,
                  digits * copies * sizeof(unsigned), in.without_payload(), c->n, pass.digit,
                  copies, strips, lows, pass.parts);
}

/* By `low`, then by `high`, into `between` and out of it. *done: or else nothing was queued. */
template <class Key, int WORDS>
static gb_status passes_ahead(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                              const mp_elements<Key, WORDS> &between,
                              const mp_elements<Key, WORDS> &out, const mp_digit &whole,
                              const mp_digit &low, const mp_digit &high, const mp_stable_way *ways,
                              bool *done)
{
    const uint64_t from = c->used;
    mp_stable_pass<Key, WORDS> first, second;
    gb_status status = open_stable(c, low, NULL, ways[0], false, &first);
    if (status == GB_OK) status = open_stable(c, high, NULL, ways[1], true, &second);
    if (status != GB_OK) return status;
    mp_ahead ahead = {};
    ahead.each = mp_parts_together(c->device, c->n, first.parts.parts, low, high);
    *done = ahead.each > 0;
    if (!*done) {
        c->used = from;
        return GB_OK;
    }
    ahead.stretches = (unsigned)mp_ceil_div(first.parts.parts, ahead.each);
    ahead.counts = c->template take<unsigned>((uint64_t)ahead.stretches * low.digits * high.digits);
    count_both(c, in, mp_both_digits{whole, high.shift, low.digits, high.digits}, first.parts,
               ahead);
    status = move_stable(c, in, between, first);
    if (status != GB_OK) return status;
    count_second(c, between, mp_strips{first.parts, ahead}, low.digits, second);
    return move_stable(c, between, out, second);
}

#endif
