/* The passes of a partition that do not keep the order, for one type of keys and payload: each
 * takes its tables from the scratch and queues its kernels. The stable ones are in
 * passes_stable.cuh. */
#ifndef GB_MULTIPARTITION_PASSES_CUH
#define GB_MULTIPARTITION_PASSES_CUH

#include "common/cuda/scan.cuh"
#include "kernels/multipartition/partition/pass.cuh"
#include "kernels/multipartition/partition/room.cuh"
#include "kernels/multipartition/partition/segments.cuh"

enum {
    MP_NOTES_LEAST = 4096,
    MP_SMALL = 4 << 20 /* elements: the smaller the input, the more of it may be foreseen wrongly */
};

/* Bits of a bin from `shift` on. */
static inline unsigned bits_of(uint32_t bins, unsigned shift)
{
    unsigned bits = 0;
    while ((bins - 1) >> shift >> bits)
        bits++;
    return bits;
}

/* How a pass over all of the input is launched; where segments are much smaller than tiles, each
 * has a block, or nearly: blocks' parts do not begin with them. */
template <class Key, int WORDS>
static uint64_t blocks_for(const mp_context<Key, WORDS> *c, const mp_launch &shape,
                           uint64_t segments = 0)
{
    const uint64_t most = c->sms() * shape.per_sm;
    const uint64_t tiles = mp_ceil_div(c->n, (uint64_t)shape.threads * shape.items);
    const uint64_t wanted = 2 * tiles < segments ? tiles + segments : tiles;
    return wanted < most ? wanted : most;
}

/* The same where blocks take tiles in turns: an odd number, so that what comes again after a power
 * of two tiles does not fall to the same blocks every time. */
template <class Key, int WORDS>
static uint64_t odd_blocks_for(const mp_context<Key, WORDS> *c, const mp_launch &shape,
                               uint64_t segments = 0)
{
    const uint64_t blocks = blocks_for(c, shape, segments);
    return blocks > 16 ? (blocks - 1) | 1 : blocks;
}

template <class Key, int WORDS, class Digit>
static gb_status too_many(const mp_context<Key, WORDS> *c, const Digit &digit)
{
    return gb_fail(c->error, GB_UNSUPPORTED, "%u digits do not fit a pass", digit.digits);
}

/* How a block counts so many digits. */
template <class Digit> struct mp_counters {
    Digit digit; /* with a copy of its table, if there is room */
    unsigned copies;
    size_t shared;
};

/* digits: that are counted, by `digit`, and so many more bytes behind the counters. */
template <class Digit>
static mp_counters<Digit> counters_for(const gb_device *device, const Digit &digit, uint64_t digits,
                                       size_t more = 0)
{
    const size_t least = (size_t)digits * sizeof(unsigned) + more, bytes = mp_copy_bytes(digit);
    const size_t table = least + bytes <= mp_shared_budget(device, 1) ? bytes : 0;
    const size_t budget = mp_shared_budget(device, 2);
    const unsigned copies = mp_copies_for(digits, budget > table ? budget - table : 0);
    const size_t shared = (size_t)digits * copies * sizeof(unsigned) + more;
    return {mp_copied(digit, table > 0, shared), copies, shared + table};
}

/* What a pass needs that moves elements. A table is not copied that would take too much of their
 * room. */
template <class Digit>
static mp_need need_of(const gb_device *device, const Digit &digit, unsigned counters = 0)
{
    const size_t bytes = mp_copy_bytes(digit);
    return mp_need{digit.digits, bytes <= mp_shared_budget(device, 1) / 2 ? bytes : 0, counters};
}

/* ---- exact regions --------------------------------------------------------------------------- */

/* Into exact regions that are open already: begins, next and left of `regions`, and the segments if
 * there are any. Ragged ones: by tiles that are sorted in shared memory. runs: for the last pass,
 * whose regions are the bins', where runs may be found. */
template <class Key, int WORDS, class Digit>
static gb_status pass_exact(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                            const mp_elements<Key, WORDS> &out, const Digit &digit,
                            const mp_regions &regions, const mp_runs<Key, WORDS, Digit> &runs = {})
{
    mp_launch shape;
    mp_unordered_kernel<Key, WORDS, Digit> kernel;
    mp_need need = need_of(c->device, digit);
    const mp_elements<Key, WORDS> none = {NULL, NULL};
    const uint64_t segments = regions.segments ? regions.segment_count : 0;
    /* segments have tables of their own, of which the block has to have a copy */
    if (segments) need.table = mp_copy_bytes(digit);
    if (regions.ragged) {
        mp_tiles_kernel<Key, WORDS, Digit> by_tiles;
        if (!mp_choose_tiles<false, Key, WORDS, Digit>(c->device, need, &shape, &by_tiles))
            return too_many(c, digit);
        c->start(by_tiles, odd_blocks_for(c, shape, segments), shape.threads, shape.shared, in, out,
                 none, c->n, mp_launched(digit, shape), regions);
        return c->status;
    }
    const uint64_t stretch = segments ? c->n / (c->sms() + segments) : UINT64_MAX;
    if (!mp_choose_unordered(c->device, need, UINT64_MAX, stretch, c->skewed(), &shape, &kernel))
        return too_many(c, digit);
    c->start(kernel, odd_blocks_for(c, shape, segments), shape.threads, shape.shared, in, out, none,
             none, c->n, mp_launched(digit, shape), shape.cut, regions, runs);
    return c->status;
}

/* What mp_count_bins opens: the bins' exact regions and, if upper_digits, those of the bins' bits
 * from `shift` on. counts: of all that, also for who has counted in another way (mp_open_seen). */
typedef struct mp_opened {
    mp_regions bins, upper;
    mp_counted counts;
} mp_opened;

/* Whether all bins are counted at once: blocks have room to, and adding up what they have counted
 * does not take longer than the second look at the keys that it saves. */
template <class Key, int WORDS>
static bool can_count(const mp_context<Key, WORDS> *c, uint64_t bins)
{
    return bins * sizeof(unsigned) <= mp_shared_budget(c->device, 1) / 4;
}

/* only_if: a word in device memory that mp_is_anew asks whether anything is to be done, here and in
 * the passes into these regions; or NULL. ragged: the passes are by tiles, which do not look for
 * runs. */
template <class Key, int WORDS, class Digit>
static gb_status count_bins(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                            const Digit &whole, unsigned counted, unsigned upper_digits,
                            unsigned shift, uint64_t *offsets, const unsigned *only_if, bool ragged,
                            mp_opened *opened)
{
    *opened = mp_opened{};
    const bool runs = upper_digits && !ragged;
    mp_counted &counts = opened->counts;
    counts.ragged = opened->bins.ragged = opened->upper.ragged = ragged;
    counts.bins = whole.digits;
    counts.counted = counted;
    counts.shift = shift;
    counts.offsets = offsets;
    const uint64_t cleared = c->used;
    counts.ticket = c->template take<unsigned>(1);
    if (runs) {
        counts.likeness = c->template take<mp_likeness>(1);
        counts.salt = c->salt;
        counts.in_runs = c->template take<unsigned>(1);
        opened->bins.failed = opened->upper.failed = counts.in_runs;
    }
    counts.begins = counts.counts = c->template take<unsigned long long>((uint64_t)counted + 1);
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
    const mp_counters<Digit> counters = counters_for(c->device, whole, whole.digits);
    const uint64_t tiles = mp_ceil_div(c->n, MP_COUNT_BINS_THREADS * MP_COUNT_BINS_ITEMS);
    const uint64_t blocks = tiles < c->sms() ? tiles : c->sms();
    c->start_next(runs ? mp_count_bins<Key, true, Digit> : mp_count_bins<Key, false, Digit>, blocks,
                  MP_COUNT_BINS_THREADS, counters.shared, in.without_payload(), c->n,
                  counters.digit, counters.copies, counts);
    return c->status;
}

/* Counted, then into the exact regions; only_if as in count_bins. */
template <class Key, int WORDS, class Digit>
static gb_status pass_counted(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                              const mp_elements<Key, WORDS> &out, const Digit &digit,
                              uint64_t *digit_begins, const unsigned *only_if, bool ragged = false)
{
    mp_opened opened;
    const gb_status status =
        count_bins(c, in, digit, digit.digits, 0, 0, digit_begins, only_if, ragged, &opened);
    return status == GB_OK ? pass_exact(c, in, out, digit, opened.bins) : status;
}

/* ---- foreseen regions -------------------------------------------------------------------------
 */

/* What a pass into foreseen regions does beside that. */
typedef struct mp_beside {
    unsigned in_runs;         /* what it says of runs, and moves nothing; 0: does not look */
    bool tiles;               /* tiles are sorted in shared memory */
    unsigned counted;         /* whole bins, of which the digit is the upper bits; 0: none */
    unsigned long long *seen; /* taken here: what there is of each */
} mp_beside;

/* Whether a sample is to decide by which of two kernels elements move: a launch in vain is nothing
 * beside as many as these, a multiprocessor. */
template <class Key, int WORDS> static bool crowds_are_unknown(const mp_context<Key, WORDS> *c)
{
    return c->keys == MP_KEYS_ANY && c->n / c->sms() > 1 << 18;
}

/* The kernel that moves elements into foreseen regions, of tiles or not; and another one for digits
 * with a crowd, if a sample is to decide. */
template <class Key, int WORDS, class Digit> struct mp_foreseen_way {
    mp_launch shape, of_crowds;
    mp_unordered_kernel<Key, WORDS, Digit> kernel, for_crowds;
    mp_tiles_kernel<Key, WORDS, Digit> by_tiles;
};

template <class Key, int WORDS, class Digit>
static gb_status choose_foreseen(mp_context<Key, WORDS> *c, const Digit &digit,
                                 const mp_beside &beside, mp_foreseen_way<Key, WORDS, Digit> *way)
{
    *way = mp_foreseen_way<Key, WORDS, Digit>{};
    const mp_need need = need_of(c->device, digit, beside.counted);
    if (beside.tiles)
        return mp_choose_tiles<false, Key, WORDS, Digit>(c->device, need, &way->shape,
                                                         &way->by_tiles)
                   ? GB_OK
                   : too_many(c, digit);
    if (beside.counted)
        return mp_choose_counting(c->device, need, &way->shape, &way->kernel)
                   ? GB_OK
                   : gb_fail(c->error, GB_UNSUPPORTED,
                             "%u bins cannot be counted beside the buffers of %u digits",
                             beside.counted, digit.digits);
    if (!mp_choose_unordered(c->device, need, c->n, UINT64_MAX, c->skewed(), &way->shape,
                             &way->kernel))
        return too_many(c, digit);
    if (digit.digits > 2 && crowds_are_unknown(c))
        mp_choose_unordered(c->device, need, c->n, UINT64_MAX, true, &way->of_crowds,
                            &way->for_crowds);
    if (way->for_crowds == way->kernel) way->for_crowds = NULL;
    return GB_OK;
}

/* Into foreseen regions, unless *failed says so afterwards. aside: room for `aside_room` elements
 * while the pass runs. failed: taken last, at `cleared`, to be cleared here with what follows. */
template <class Key, int WORDS, class Digit>
static gb_status pass_foreseen(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                               const mp_elements<Key, WORDS> &out,
                               const mp_elements<Key, WORDS> &aside, uint64_t aside_room,
                               const Digit &digit, uint64_t *digit_begins, unsigned *failed,
                               uint64_t cleared, mp_beside *beside)
{
    mp_foreseen_way<Key, WORDS, Digit> way;
    const gb_status status = choose_foreseen(c, digit, *beside, &way);
    if (status != GB_OK) return status;
    const mp_launch &shape = way.shape, &of_crowds = way.of_crowds;
    const uint64_t digits = digit.digits;
    const uint64_t blocks = odd_blocks_for(c, shape);
    const uint64_t crowded_blocks = way.for_crowds ? odd_blocks_for(c, of_crowds) : 0;
    mp_sample sample = {};
    sample.ticket = c->template take<unsigned>(1);
    sample.in_runs = beside->in_runs;
    if (beside->in_runs) sample.likeness = c->template take<mp_likeness>(1);
    sample.counts = c->template take<unsigned>(digits);
    mp_regions regions = {};
    regions.aside = c->template take<unsigned long long>(2);
    regions.failed = failed;
    regions.left = c->template take<unsigned>(digits + 2);
    regions.crowd = c->template take<unsigned>(2);
    if (way.for_crowds) regions.crowded = c->template take<unsigned>(1);
    regions.aside_of = c->template take<uint64_t>(digits);
    if (beside->counted)
        beside->seen = regions.seen = c->template take<unsigned long long>(beside->counted);
    c->clear_from(cleared);
    regions.written_to = c->template take<unsigned long long>(digits);
    regions.next = c->template take<unsigned long long>(mp_cursor_at(digits));
    sample.begins = c->template take<uint64_t>(digits + 1);
    mp_mending mending = {};
    mending.truth = c->template take<mp_truth>(digits + 1);
    regions.notes_room = (unsigned)(aside_room / 64 + MP_NOTES_LEAST);
    regions.notes = c->template take<mp_note>(regions.notes_room);
    const uint64_t most_blocks = blocks > crowded_blocks ? blocks : crowded_blocks;
    regions.left_room = way.by_tiles ? 0 : (unsigned)(most_blocks * (MP_SECTOR - 1) * shape.spread);
    regions.twins = way.for_crowds ? of_crowds.twins : shape.twins;
    const mp_elements<Key, WORDS> left_over =
        c->take_elements((digits + 2 * regions.twins) * regions.left_room);

    regions.begins = sample.begins;
    regions.ragged = beside->tiles;
    regions.two_ended = digits == 2;
    regions.aside_room = aside_room;
    regions.aside_early = c->n < MP_SMALL ? aside_room : c->n / 256;
    sample.salt = c->salt;
    sample.stretches = regions.two_ended ? 0 : c->n / GB_WARP / MP_SAMPLE_STRETCH;
    mending.digits = digit.digits;
    mending.n = c->n;
    mending.offsets = digit_begins;

    const mp_counters<Digit> counters = counters_for(c->device, digit, digits);
    uint64_t samplers =
        mp_ceil_div(sample.stretches, MP_SAMPLE_THREADS / GB_WARP * MP_SAMPLE_LINES);
    if (samplers > 2 * c->sms()) samplers = 2 * c->sms();
    if (samplers < 1) samplers = 1;
    c->start_next(beside->in_runs ? mp_take_sample<Key, true, Digit>
                                  : mp_take_sample<Key, false, Digit>,
                  samplers, MP_SAMPLE_THREADS, counters.shared, in.without_payload(), c->n,
                  counters.digit, counters.copies, sample, regions);
    const mp_runs<Key, WORDS, Digit> no_runs = {};
    if (way.by_tiles)
        c->start(way.by_tiles, blocks, shape.threads, shape.shared, in, out, aside, c->n,
                 mp_launched(digit, shape), regions);
    else
        c->start(way.kernel, blocks, shape.threads, shape.shared, in, out, aside, left_over, c->n,
                 mp_launched(digit, shape), shape.cut, regions, no_runs);
    if (way.for_crowds)
        c->start(way.for_crowds, crowded_blocks, of_crowds.threads, of_crowds.shared, in, out,
                 aside, left_over, c->n, mp_launched(digit, of_crowds), of_crowds.cut, regions,
                 no_runs);
    c->start_next(mp_plan_mending, 1, MP_PLAN_THREADS, 0, mending, regions);
    c->start_next(mp_take_misplaced<Key, WORDS>, 4 * c->sms(), MP_MEND_THREADS, 0, out, aside,
                  mending, regions);
    c->start_next(mp_put_aside<Key, WORDS>, 4 * c->sms(), MP_MEND_THREADS, 0, out, aside, left_over,
                  mending, regions);
    return c->status;
}

/* The same, and what cannot be put right is done anew; two ends always can. */
template <class Key, int WORDS, class Digit>
static gb_status
pass_foreseen_or_counted(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                         const mp_elements<Key, WORDS> &out, const mp_elements<Key, WORDS> &aside,
                         uint64_t aside_room, const Digit &digit, uint64_t *digit_begins,
                         unsigned *failed, uint64_t cleared, mp_beside beside)
{
    const gb_status status =
        pass_foreseen(c, in, out, aside, aside_room, digit, digit_begins, failed, cleared, &beside);
    if (status != GB_OK || digit.digits == 2) return status;
    return pass_counted(c, in, out, digit, digit_begins, failed, beside.tiles);
}

/* ---- between two passes -----------------------------------------------------------------------
 */

/* Within the segments that a former pass has made, if it has not found runs (failed, or NULL).
 * ragged: by tiles. */
template <class Key, int WORDS, class Digit>
static gb_status pass_segments(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                               const mp_elements<Key, WORDS> &out, const uint64_t *segments,
                               unsigned segment_count, const Digit &digit, uint64_t bins,
                               uint64_t *offsets, unsigned *failed,
                               const mp_runs<Key, WORDS, Digit> &runs, bool ragged = false)
{
    const uint64_t all = (uint64_t)segment_count * digit.digits;
    mp_regions regions = {};
    regions.segments = segments;
    regions.segment_count = segment_count;
    regions.exact = true;
    regions.ragged = ragged;
    regions.failed = failed;
    const uint64_t cleared = c->used;
    unsigned long long *begins = c->template take<unsigned long long>(all + 1);
    regions.left = c->template take<unsigned>(all);
    void *scan = c->template take<unsigned char>(gb_scan_scratch(all + 1));
    c->clear_from(cleared);
    regions.next = c->template take<unsigned long long>(mp_cursor_at(all));
    regions.begins = reinterpret_cast<uint64_t *>(begins);

    const mp_counters<Digit> counters = counters_for(c->device, digit, digit.digits);
    c->start_next(mp_count_segments<Key, Digit>, 2 * c->sms(), MP_PARTS_THREADS, counters.shared,
                  in.without_payload(), c->n, counters.digit, counters.copies, segments,
                  segment_count, begins, failed,
                  mp_runs<Key, 0, Digit>{runs.in.without_payload(), runs.whole});
    if (c->goes_on())
        c->note(gb_scan_exclusive_cleared(begins, all + 1, scan, c->stream), "a scan of counts");
    c->start_next(mp_open_regions, gb_grid(c->device, all + 1).x, GB_GRID_THREADS, 0, regions, all,
                  bins, offsets);
    return pass_exact(c, in, out, digit, regions, runs);
}

/* ---- on the chip ----------------------------------------------------------------------------- */

/* Cuts the input into parts that blocks hold at once, beside `table` bytes for each digit and a
 * copy of the digit's table; at most so many blocks. */
template <class Key, int WORDS>
static gb_status cut_resident(const mp_context<Key, WORDS> *c, const mp_need &need, size_t table,
                              uint64_t blocks, uint64_t *part)
{
    enum { LEAST = 2048 };  /* for fewer elements a block is not worth the meeting */
    enum { STATIC = 2048 }; /* bytes of the kernels' own */
    if (c->device->arch && c->device->arch < 600)
        return gb_fail(c->error, GB_UNSUPPORTED,
                       "its blocks wait for each other: Pascal and later");
    const uint64_t fixed = STATIC + table * need.digits + need.table;
    const uint64_t bytes = c->device->shared_optin > fixed ? c->device->shared_optin - fixed : 0;
    uint64_t most = bytes / (sizeof(Key) + 4 * WORDS);
    if (most > MP_RESIDENT_MOST) most = MP_RESIDENT_MOST;
    most = most / 128 * 128;
    *part = mp_part_keys(c->n, blocks);
    if (*part < LEAST && most >= LEAST) *part = LEAST;
    const unsigned long long all = c->n, fit = most * blocks;
    if (*part > most)
        return gb_fail(c->error, GB_UNSUPPORTED,
                       "%llu keys in %u bins are not on the chip at once: at most %llu", all,
                       need.digits, fit);
    return GB_OK;
}

template <class Key, int WORDS, class Digit>
static gb_status pass_resident(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                               const mp_elements<Key, WORDS> &out, const Digit &digit,
                               uint64_t *offsets)
{
    const mp_need need = need_of(c->device, digit);
    const size_t table = 2 * sizeof(unsigned);
    uint64_t part = 0;
    const gb_status status = cut_resident(c, need, table, c->sms(), &part);
    if (status != GB_OK) return status;
    const uint64_t cleared = c->used;
    mp_meeting meeting;
    meeting.arrived = c->template take<unsigned>(1);
    meeting.counts = c->template take<unsigned>(digit.digits);
    c->clear_from(cleared);
    const size_t shared = part * (sizeof(Key) + 4 * WORDS) + table * digit.digits;
    /* small blocks start sooner, large ones are sooner through with many digits */
    unsigned threads = 1024;
    auto kernel = mp_move_resident<Key, WORDS, 1024, 16, Digit>;
    if (part <= 8 * 1024) kernel = mp_move_resident<Key, WORDS, 1024, 8, Digit>;
    if (part <= 4 * 512 && digit.digits <= 512) {
        threads = 512;
        kernel = mp_move_resident<Key, WORDS, 512, 4, Digit>;
    }
    c->start_together(kernel, mp_ceil_div(c->n, part), threads, shared + need.table, in, out, c->n,
                      (unsigned)part, mp_copied(digit, need.table > 0, shared), meeting, offsets);
    return c->status;
}

#endif
