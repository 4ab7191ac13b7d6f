/* The passes of a partition, for one type of keys and payload: each takes its tables from the
 * scratch and queues its kernels. */
#ifndef GB_MULTIPARTITION_PASSES_CUH
#define GB_MULTIPARTITION_PASSES_CUH

#include "common/cuda/scan.cuh"
#include "kernels/multipartition/ahead.cuh"
#include "kernels/multipartition/pass.cuh"
#include "kernels/multipartition/room.cuh"
#include "kernels/multipartition/segments.cuh"

enum {
    MP_NOTES_LEAST = 4096,
    MP_SMALL = 4 << 20 /* elements: the smaller the input, the more of it may be foreseen wrongly */
};

/* How a pass over all of the input is launched. */
template <class Key, int WORDS>
static uint64_t blocks_for(const mp_context<Key, WORDS> *c, const mp_launch &shape)
{
    const uint64_t most = c->sms() * shape.per_sm;
    const uint64_t tiles = mp_ceil_div(c->n, (uint64_t)shape.threads * shape.items);
    return tiles < most ? tiles : most;
}

/* The same where blocks take tiles in turns: an odd number, so that what comes again after a power
 * of two tiles does not fall to the same blocks every time. */
template <class Key, int WORDS>
static uint64_t odd_blocks_for(const mp_context<Key, WORDS> *c, const mp_launch &shape)
{
    const uint64_t blocks = blocks_for(c, shape);
    return blocks > 16 ? (blocks - 1) | 1 : blocks;
}

template <class Key, int WORDS>
static gb_status too_many(const mp_context<Key, WORDS> *c, const mp_digit &digit)
{
    return gb_fail(c->error, GB_UNSUPPORTED, "%u digits do not fit a pass", digit.digits);
}

/* How a block counts so many digits. */
typedef struct mp_counters {
    unsigned copies;
    size_t shared;
} mp_counters;

static inline mp_counters counters_for(const gb_device *device, uint64_t digits)
{
    mp_counters counters;
    counters.copies = mp_copies_for(digits, mp_shared_budget(device, 2));
    counters.shared = (size_t)digits * counters.copies * sizeof(unsigned);
    return counters;
}

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
    enum { MOST = 4, LEAST_KEYS = 1 << 17 };
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
    pass->digit = digit;
    pass->failed = way.failed;
    if (!mp_choose_ordered<Key, WORDS>(c->device, digit.digits, &pass->by_votes, &pass->voting))
        return too_many(c, digit);
    pass->drawn = pass->by_votes;
    if (way.in_turn &&
        !mp_choose_in_turn<Key, WORDS>(c->device, digit.digits, c->keys != MP_KEYS_ANY,
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
    p.crowded = way.failed;
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
                                         uint64_t both)
{
    enum { MOST = 4, KEYS = 15 }; /* for a word of a table */
    if (both * sizeof(unsigned) > mp_shared_budget(device, 2)) return 0;
    for (unsigned each = 1; each <= MOST; each *= 2)
        if (mp_ceil_div(parts, each) * both <= n / KEYS) return each;
    return 0;
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
    const mp_both_digits both = {whole, high.shift, low.digits, high.digits};
    const uint64_t all = (uint64_t)low.digits * high.digits;
    mp_ahead ahead = {};
    ahead.each = mp_parts_together(c->device, c->n, first.parts.parts, all);
    *done = ahead.each > 0;
    if (!*done) {
        c->used = from;
        return GB_OK;
    }
    ahead.stretches = (unsigned)mp_ceil_div(first.parts.parts, ahead.each);
    ahead.counts = c->template take<unsigned>(ahead.stretches * all);
    const mp_counters of_both = counters_for(c->device, all);
    const uint64_t most = 2 * c->sms();
    c->start_next(mp_count_ahead<Key>, ahead.stretches < most ? ahead.stretches : most,
                  MP_PARTS_THREADS, of_both.shared + low.digits * sizeof(unsigned),
                  in.without_payload(), c->n, both, of_both.copies, first.parts, ahead);
    move_stable(c, in, between, first);
    const mp_counters of_high = counters_for(c->device, high.digits);
    c->start_next(mp_count_strips<Key>, second.parts.parts, MP_PARTS_THREADS, of_high.shared,
                  between.without_payload(), c->n, high, of_high.copies,
                  mp_strips{first.parts, ahead}, low.digits, second.parts);
    return move_stable(c, between, out, second);
}

/* ---- exact regions --------------------------------------------------------------------------- */

/* Into exact regions that are open already: begins, next and left of `regions`, and the segments if
 * there are any. runs: for the last pass, whose regions are the bins', where runs may be found. */
template <class Key, int WORDS>
static gb_status pass_exact(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                            const mp_elements<Key, WORDS> &out, const mp_digit &digit,
                            const mp_regions &regions, const mp_runs<Key, WORDS> &runs = {})
{
    mp_launch shape;
    mp_unordered_kernel<Key, WORDS> kernel;
    const uint64_t stretch =
        regions.segments ? c->n / (c->sms() + regions.segment_count) : UINT64_MAX;
    if (!mp_choose_unordered<Key, WORDS>(c->device, digit.digits, UINT64_MAX, stretch,
                                         c->keys == MP_KEYS_SKEWED, &shape, &kernel))
        return too_many(c, digit);
    const mp_elements<Key, WORDS> none = {NULL, NULL};
    c->start(kernel, odd_blocks_for(c, shape), shape.threads, shape.shared, in, out, none, none,
             c->n, digit, shape.cut, regions, runs);
    return c->status;
}

/* What mp_count_bins opens: the bins' exact regions and, if upper_digits, those of the bins' bits
 * from `shift` on. */
typedef struct mp_opened {
    mp_regions bins, upper;
} mp_opened;

/* Whether all bins are counted at once: blocks have room to, and adding up what they have counted
 * does not take longer than the second look at the keys that it saves. */
template <class Key, int WORDS>
static bool can_count(const mp_context<Key, WORDS> *c, uint64_t bins)
{
    return bins * sizeof(unsigned) <= mp_shared_budget(c->device, 1) / 4;
}

/* only_if: a word in device memory without which (0) nothing is done, here and in the passes into
 * these regions; or NULL. */
template <class Key, int WORDS>
static gb_status count_bins(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                            const mp_digit &whole, unsigned counted, unsigned upper_digits,
                            unsigned shift, uint64_t *offsets, const unsigned *only_if,
                            mp_opened *opened)
{
    *opened = mp_opened{};
    mp_counted counts = {};
    counts.bins = whole.digits;
    counts.counted = counted;
    counts.shift = shift;
    counts.offsets = offsets;
    const uint64_t cleared = c->used;
    counts.ticket = c->template take<unsigned>(1);
    if (upper_digits) {
        counts.likeness = c->template take<mp_likeness>(1);
        counts.salt = c->salt;
        counts.in_runs = c->template take<unsigned>(1);
        opened->bins.failed = opened->upper.failed = counts.in_runs;
    }
    counts.begins = c->template take<unsigned long long>((uint64_t)counted + 1);
    opened->bins.left = c->template take<unsigned>(counted);
    if (upper_digits) opened->upper.left = c->template take<unsigned>(upper_digits);
    c->clear_from(cleared);
    counts.next = c->template take<unsigned long long>(mp_cursor_at((uint64_t)counted + 1));
    if (upper_digits) {
        counts.upper_begins = c->template take<uint64_t>((uint64_t)upper_digits + 1);
        counts.upper_next =
            c->template take<unsigned long long>(mp_cursor_at((uint64_t)upper_digits + 1));
    }
    opened->bins.exact = opened->upper.exact = true;
    opened->bins.only_if = opened->upper.only_if = counts.only_if = only_if;
    opened->bins.begins = reinterpret_cast<uint64_t *>(counts.begins);
    opened->bins.next = counts.next;
    opened->upper.begins = counts.upper_begins;
    opened->upper.next = counts.upper_next;
    opened->bins.segments = counts.upper_begins;
    opened->bins.segment_count = upper_digits;

    /* one block a multiprocessor, for what it has counted is added to what others have */
    const mp_counters counters = counters_for(c->device, whole.digits);
    const uint64_t tiles = mp_ceil_div(c->n, MP_COUNT_BINS_THREADS * MP_COUNT_BINS_ITEMS);
    const uint64_t blocks = tiles < c->sms() ? tiles : c->sms();
    c->start_next(upper_digits ? mp_count_bins<Key, true> : mp_count_bins<Key, false>, blocks,
                  MP_COUNT_BINS_THREADS, counters.shared, in.without_payload(), c->n, whole,
                  counters.copies, counts);
    return c->status;
}

/* Counted, then into the exact regions; only_if as in count_bins. */
template <class Key, int WORDS>
static gb_status pass_counted(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                              const mp_elements<Key, WORDS> &out, const mp_digit &digit,
                              uint64_t *digit_begins, const unsigned *only_if)
{
    mp_opened opened;
    const gb_status status =
        count_bins(c, in, digit, digit.digits, 0, 0, digit_begins, only_if, &opened);
    return status == GB_OK ? pass_exact(c, in, out, digit, opened.bins) : status;
}

/* ---- foreseen regions -------------------------------------------------------------------------
 */

/* Into foreseen regions. aside: room for `aside_room` elements while the pass runs. failed: taken
 * last, at `cleared`, to be cleared here with what follows. finds_runs: then nothing is moved. */
template <class Key, int WORDS>
static gb_status pass_foreseen(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                               const mp_elements<Key, WORDS> &out,
                               const mp_elements<Key, WORDS> &aside, uint64_t aside_room,
                               const mp_digit &digit, uint64_t *digit_begins, unsigned *failed,
                               uint64_t cleared, bool finds_runs)
{
    mp_launch shape;
    mp_unordered_kernel<Key, WORDS> kernel;
    if (!mp_choose_unordered<Key, WORDS>(c->device, digit.digits, c->n, UINT64_MAX, false, &shape,
                                         &kernel))
        return too_many(c, digit);
    const uint64_t digits = digit.digits, blocks = odd_blocks_for(c, shape);
    mp_sample sample = {};
    sample.ticket = c->template take<unsigned>(1);
    if (finds_runs) sample.likeness = c->template take<mp_likeness>(1);
    sample.counts = c->template take<unsigned>(digits);
    mp_regions regions = {};
    regions.aside = c->template take<unsigned long long>(2);
    regions.failed = failed;
    regions.left = c->template take<unsigned>(digits);
    regions.aside_of = c->template take<uint64_t>(digits);
    c->clear_from(cleared);
    regions.written_to = c->template take<unsigned long long>(digits);
    regions.next = c->template take<unsigned long long>(mp_cursor_at(digits));
    sample.begins = c->template take<uint64_t>(digits + 1);
    mp_mending mending = {};
    mending.truth = c->template take<mp_truth>(digits + 1);
    regions.notes_room = (unsigned)(aside_room / 64 + MP_NOTES_LEAST);
    regions.notes = c->template take<mp_note>(regions.notes_room);
    regions.left_room = (unsigned)(blocks * (MP_SECTOR - 1));
    const mp_elements<Key, WORDS> left_over = c->take_elements(digits * regions.left_room);

    regions.begins = sample.begins;
    regions.two_ended = digits == 2;
    regions.aside_room = aside_room;
    regions.aside_early = c->n < MP_SMALL ? aside_room : c->n / 256;
    sample.salt = c->salt;
    sample.stretches = regions.two_ended ? 0 : c->n / GB_WARP / MP_SAMPLE_STRETCH;
    mending.digits = digit.digits;
    mending.n = c->n;
    mending.offsets = digit_begins;

    const mp_counters counters = counters_for(c->device, digits);
    uint64_t samplers =
        mp_ceil_div(sample.stretches, MP_SAMPLE_THREADS / GB_WARP * MP_SAMPLE_LINES);
    if (samplers > 2 * c->sms()) samplers = 2 * c->sms();
    if (samplers < 1) samplers = 1;
    c->start_next(finds_runs ? mp_take_sample<Key, true> : mp_take_sample<Key, false>, samplers,
                  MP_SAMPLE_THREADS, counters.shared, in.without_payload(), c->n, digit,
                  counters.copies, sample, regions);
    c->start(kernel, blocks, shape.threads, shape.shared, in, out, aside, left_over, c->n, digit,
             shape.cut, regions, mp_runs<Key, WORDS>{});
    c->start_next(mp_plan_mending, 1, MP_PLAN_THREADS, 0, mending, regions);
    c->start_next(mp_take_misplaced<Key, WORDS>, 4 * c->sms(), MP_MEND_THREADS, 0, out, aside,
                  mending, regions);
    c->start_next(mp_put_aside<Key, WORDS>, 4 * c->sms(), MP_MEND_THREADS, 0, out, aside, left_over,
                  mending, regions);
    /* what cannot be put right is done anew; two ends always can */
    if (regions.two_ended) return c->status;
    return pass_counted(c, in, out, digit, digit_begins, regions.failed);
}

/* ---- between two passes -----------------------------------------------------------------------
 */

/* Within the segments that a former pass has made, if it has not found runs (failed). */
template <class Key, int WORDS>
static gb_status pass_segments(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                               const mp_elements<Key, WORDS> &out, const uint64_t *segments,
                               unsigned segment_count, const mp_digit &digit, uint64_t bins,
                               uint64_t *offsets, unsigned *failed, const mp_runs<Key, WORDS> &runs)
{
    const uint64_t all = (uint64_t)segment_count * digit.digits;
    mp_regions regions = {};
    regions.segments = segments;
    regions.segment_count = segment_count;
    regions.exact = true;
    regions.failed = failed;
    const uint64_t cleared = c->used;
    unsigned long long *begins = c->template take<unsigned long long>(all + 1);
    regions.left = c->template take<unsigned>(all);
    void *scan = c->template take<unsigned char>(gb_scan_scratch(all + 1));
    c->clear_from(cleared);
    regions.next = c->template take<unsigned long long>(mp_cursor_at(all));
    regions.begins = reinterpret_cast<uint64_t *>(begins);

    const mp_counters counters = counters_for(c->device, digit.digits);
    c->start_next(mp_count_segments<Key>, 2 * c->sms(), MP_PARTS_THREADS, counters.shared,
                  in.without_payload(), c->n, digit, counters.copies, segments, segment_count,
                  begins, failed, mp_runs<Key, 0>{runs.in.without_payload(), runs.whole});
    if (c->goes_on())
        c->note(gb_scan_exclusive_cleared(begins, all + 1, scan, c->stream), "a scan of counts");
    c->start_next(mp_open_regions, gb_grid(c->device, all + 1).x, GB_GRID_THREADS, 0, regions, all,
                  bins, offsets);
    return pass_exact(c, in, out, digit, regions, runs);
}

/* ---- on the chip ----------------------------------------------------------------------------- */

/* The most elements that a block holds at once beside the tables of its digits. */
template <class Key, int WORDS>
static uint64_t resident_part(const gb_device *device, uint64_t digits)
{
    const uint64_t fixed = 2048 + 2 * sizeof(unsigned) * digits;
    if (device->shared_optin <= fixed) return 0;
    uint64_t part = (device->shared_optin - fixed) / (sizeof(Key) + 4 * WORDS);
    if (part > MP_RESIDENT_THREADS * MP_RESIDENT_ITEMS)
        part = MP_RESIDENT_THREADS * MP_RESIDENT_ITEMS;
    return part / 128 * 128;
}

template <class Key, int WORDS>
static gb_status pass_resident(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                               const mp_elements<Key, WORDS> &out, const mp_digit &digit,
                               uint64_t *offsets)
{
    enum { LEAST = 2048 }; /* for fewer elements a block more is not worth the meeting */
    const uint64_t most = resident_part<Key, WORDS>(c->device, digit.digits);
    uint64_t part = mp_part_keys(c->n, c->sms());
    if (part < LEAST && most >= LEAST) part = LEAST;
    if (c->device->arch && c->device->arch < 600)
        return gb_fail(c->error, GB_UNSUPPORTED,
                       "its blocks wait for each other: Pascal and later");
    const unsigned long long all = c->n, fit = most * c->sms();
    if (part > most)
        return gb_fail(c->error, GB_UNSUPPORTED,
                       "%llu keys in %u bins are not on the chip at once: at most %llu", all,
                       digit.digits, fit);
    const uint64_t cleared = c->used;
    mp_meeting meeting;
    meeting.arrived = c->template take<unsigned>(1);
    meeting.counts = c->template take<unsigned>(digit.digits);
    c->clear_from(cleared);
    const size_t shared = part * (sizeof(Key) + 4 * WORDS) + 2 * sizeof(unsigned) * digit.digits;
    auto kernel = part <= 4 * MP_RESIDENT_THREADS   ? mp_move_resident<Key, WORDS, 4>
                  : part <= 8 * MP_RESIDENT_THREADS ? mp_move_resident<Key, WORDS, 8>
                                                    : mp_move_resident<Key, WORDS, 16>;
    c->start_together(kernel, mp_ceil_div(c->n, part), MP_RESIDENT_THREADS, shared, in, out, c->n,
                      (unsigned)part, digit, meeting, offsets);
    return c->status;
}

#endif
