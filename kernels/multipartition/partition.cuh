/* The passes of each method and their memory, for one type of keys and payload; partition_*.cu make
 * them for all types. */
#ifndef GB_MULTIPARTITION_PARTITION_CUH
#define GB_MULTIPARTITION_PARTITION_CUH

#include "common/cuda/grid.cuh"
#include "common/cuda/scan.cuh"
#include "kernels/multipartition/boundaries.cuh"
#include "kernels/multipartition/partition_types.cuh"
#include "kernels/multipartition/pass.cuh"
#include "kernels/multipartition/segments.cuh"

enum {
    MP_NOTES_LEAST = 4096,
    MP_SMALL = 4 << 20 /* elements: the smaller the input, the more of it may be foreseen wrongly */
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* Scratch is handed out piece by piece, in the same order whether it is there or only measured. */
typedef struct mp_room_left {
    unsigned char *memory; /* NULL: only measured */
    uint64_t used;
} mp_room_left;

template <class T> static T *take(mp_room_left *room, uint64_t count)
{
    T *at = room->memory ? reinterpret_cast<T *>(room->memory + room->used) : NULL;
    room->used += (count * sizeof(T) + 255) / 256 * 256;
    return at;
}

template <class Key, int WORDS>
static mp_elements<Key, WORDS> take_elements(mp_room_left *room, uint64_t count)
{
    mp_elements<Key, WORDS> elements;
    elements.keys = take<Key>(room, count);
    elements.payload =
        WORDS ? take<typename mp_elements<Key, WORDS>::payload_type>(room, count) : NULL;
    return elements;
}

/* What all passes of a partition work on. */
template <class Key, int WORDS> struct mp_context {
    const gb_device *device;
    uint64_t n;
    mp_room_left room;
    cudaStream_t stream;
    gb_error *error;
    bool measuring() const { return room.memory == NULL; }
    uint64_t sms() const { return device->sms > 0 ? (uint64_t)device->sms : 1; }
};

template <class Kernel> static cudaError_t allow_shared(Kernel kernel, size_t bytes)
{
    if (bytes <= 48 * 1024) return cudaSuccess;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

/* Copies of a block's counters, a power of two: as many as fit into `bytes`. */
static inline unsigned copies_for(unsigned digits, size_t bytes)
{
    unsigned copies = 32;
    while (copies > 1 && (size_t)digits * copies * 4 > bytes)
        copies /= 2;
    return copies;
}

static inline uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* ---- a stable pass --------------------------------------------------------------------------- */

/* digit_begins: where the digits begin, digits + 1, may be NULL; only_if as in mp_parts. Where it
 * is not 0 the same scratch can be used that others have used before. */
template <class Key, int WORDS>
static gb_status pass_ordered(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                              const mp_elements<Key, WORDS> &out, const mp_digit &digit,
                              uint64_t *digit_begins, unsigned *ticket, const unsigned *only_if)
{
    mp_launch shape;
    mp_ordered_kernel<Key, WORDS> kernel;
    if (!mp_choose_ordered<Key, WORDS>(c->device, digit.digits, &shape, &kernel))
        return gb_fail(c->error, GB_UNSUPPORTED, "%u digits do not fit a pass", digit.digits);
    const uint64_t tile = (uint64_t)shape.threads * shape.items;
    uint64_t parts = c->sms() * shape.per_sm;
    if (parts > ceil_div(c->n, tile)) parts = ceil_div(c->n, tile);
    if (parts < 1) parts = 1;
    mp_parts p = {};
    p.parts = (unsigned)parts;
    p.part_keys = (ceil_div(c->n, parts) + 127) & ~(uint64_t)127;
    p.counts = take<unsigned>(&c->room, parts * digit.digits);
    p.before = take<uint64_t>(&c->room, parts * digit.digits);
    p.totals = take<uint64_t>(&c->room, digit.digits);
    p.digit_begins = take<uint64_t>(&c->room, digit.digits + 1);
    p.offsets = digit_begins;
    p.ticket = ticket;
    p.only_if = only_if;
    if (c->measuring()) return GB_OK;

    const unsigned copies = copies_for(digit.digits, mp_shared_budget(c->device, 2));
    const size_t bytes = (size_t)digit.digits * copies * 4;
    auto count = mp_count_parts<Key>;
    GB_TRY(allow_shared(count, bytes), c->error);
    GB_TRY(launch(count, dim3(p.parts), dim3(MP_PARTS_THREADS), bytes, c->stream,
                  mp_elements<Key, 0>{in.keys, NULL}, c->n, digit, copies, p),
           c->error);
    GB_TRY(launch(mp_scan_parts, dim3(digit.digits), dim3(MP_PARTS_SCAN_THREADS), 0, c->stream, p,
                  digit.digits),
           c->error);
    GB_TRY(allow_shared(kernel, shape.shared), c->error);
    GB_TRY(launch(kernel, dim3(p.parts), dim3(shape.threads), shape.shared, c->stream, in, out,
                  c->n, digit, shape.cut, p),
           c->error);
    return GB_OK;
}

/* ---- an unstable pass ------------------------------------------------------------------------ */

/* aside: room for `aside_room` elements while the pass runs. */
template <class Key, int WORDS>
static gb_status pass_unordered(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                                const mp_elements<Key, WORDS> &out,
                                const mp_elements<Key, WORDS> &aside, uint64_t aside_room,
                                const mp_digit &digit, uint64_t *digit_begins)
{
    mp_launch shape;
    mp_unordered_kernel<Key, WORDS> kernel;
    if (!mp_choose_unordered<Key, WORDS>(c->device, digit.digits, c->n, &shape, &kernel))
        return gb_fail(c->error, GB_UNSUPPORTED, "%u digits do not fit a pass", digit.digits);
    const uint64_t tile = (uint64_t)shape.threads * shape.items;
    uint64_t blocks = c->sms() * shape.per_sm;
    if (blocks > ceil_div(c->n, tile)) blocks = ceil_div(c->n, tile);

    const uint64_t digits = digit.digits, at_start = c->room.used;
    /* from here on all is 0 at the start */
    unsigned *parts_ticket = take<unsigned>(&c->room, 1);
    mp_sample sample = {};
    sample.ticket = take<unsigned>(&c->room, 1);
    sample.counts = take<unsigned>(&c->room, digits);
    mp_regions regions = {};
    regions.aside = take<unsigned long long>(&c->room, 2);
    regions.failed = take<unsigned>(&c->room, 1);
    regions.left = take<unsigned>(&c->room, digits);
    regions.aside_of = take<uint64_t>(&c->room, digits);
    const uint64_t cleared = c->room.used - at_start;
    regions.written_to = take<unsigned long long>(&c->room, digits);
    regions.next = take<unsigned long long>(&c->room, mp_cursor_at(digits));
    sample.begins = take<uint64_t>(&c->room, digits + 1);
    mp_mending mending = {};
    mending.truth = take<mp_truth>(&c->room, digits + 1);
    regions.notes_room = (unsigned)(aside_room / 64 + MP_NOTES_LEAST);
    regions.notes = take<mp_note>(&c->room, regions.notes_room);
    regions.left_room = (unsigned)(blocks * (MP_SECTOR - 1));
    const mp_elements<Key, WORDS> left_over =
        take_elements<Key, WORDS>(&c->room, digits * regions.left_room);

    regions.begins = sample.begins;
    regions.two_ended = digits == 2;
    regions.aside_room = aside_room;
    sample.stretches = regions.two_ended ? 0 : c->n / GB_WARP / MP_SAMPLE_STRETCH;
    mending.digits = digit.digits;
    mending.n = c->n;
    mending.offsets = digit_begins;

    if (!c->measuring()) {
        GB_TRY(cudaMemsetAsync(parts_ticket, 0, cleared, c->stream), c->error);
        const unsigned copies = copies_for(digit.digits, mp_shared_budget(c->device, 2));
        const size_t bytes = (size_t)digit.digits * copies * 4;
        uint64_t samplers =
            ceil_div(sample.stretches, MP_SAMPLE_THREADS / GB_WARP * MP_SAMPLE_LINES);
        if (samplers > 2 * c->sms()) samplers = 2 * c->sms();
        if (samplers < 1) samplers = 1;
        auto take_sample = mp_take_sample<Key>;
        GB_TRY(allow_shared(take_sample, bytes), c->error);
        GB_TRY(launch(take_sample, dim3((unsigned)samplers), dim3(MP_SAMPLE_THREADS), bytes,
                      c->stream, mp_elements<Key, 0>{in.keys, NULL}, c->n, digit, copies, sample,
                      regions),
               c->error);
        GB_TRY(allow_shared(kernel, shape.shared), c->error);
        GB_TRY(launch(kernel, dim3((unsigned)blocks), dim3(shape.threads), shape.shared, c->stream,
                      in, out, aside, left_over, c->n, digit, shape.cut, regions),
               c->error);
        GB_TRY(
            launch(mp_plan_mending, dim3(1), dim3(MP_PLAN_THREADS), 0, c->stream, mending, regions),
            c->error);
        const dim3 grid = dim3((unsigned)(4 * c->sms()));
        auto put = mp_put_aside<Key, WORDS>;
        auto take_misplaced = mp_take_misplaced<Key, WORDS>;
        GB_TRY(launch(take_misplaced, grid, dim3(MP_MEND_THREADS), 0, c->stream, out, aside,
                      mending, regions),
               c->error);
        GB_TRY(launch(put, grid, dim3(MP_MEND_THREADS), 0, c->stream, out, aside, left_over,
                      mending, regions),
               c->error);
    }
    /* what cannot be put right is done anew; two ends always can */
    if (regions.two_ended) return GB_OK;
    return pass_ordered<Key, WORDS>(c, in, out, digit, digit_begins, parts_ticket, regions.failed);
}

/* An unstable pass within the segments that a former one has made, into exact regions. begins: of
 * all bins, which it finds. */
template <class Key, int WORDS>
static gb_status pass_segments(mp_context<Key, WORDS> *c, const mp_elements<Key, WORDS> &in,
                               const mp_elements<Key, WORDS> &out, const uint64_t *segments,
                               unsigned segment_count, const mp_digit &digit, uint64_t bins,
                               uint64_t *offsets)
{
    mp_launch shape;
    mp_unordered_kernel<Key, WORDS> kernel;
    if (!mp_choose_unordered<Key, WORDS>(c->device, digit.digits, UINT64_MAX, &shape, &kernel))
        return gb_fail(c->error, GB_UNSUPPORTED, "%u digits do not fit a pass", digit.digits);
    const uint64_t tile = (uint64_t)shape.threads * shape.items;
    uint64_t blocks = c->sms() * shape.per_sm;
    if (blocks > ceil_div(c->n, tile)) blocks = ceil_div(c->n, tile);
    const uint64_t all = (uint64_t)segment_count * digit.digits;
    mp_regions regions = {};
    regions.segments = segments;
    regions.segment_count = segment_count;
    regions.exact = true;
    const uint64_t at_start = c->room.used;
    unsigned long long *begins = take<unsigned long long>(&c->room, all + 1);
    regions.left = take<unsigned>(&c->room, all);
    const uint64_t cleared = c->room.used - at_start;
    regions.next = take<unsigned long long>(&c->room, mp_cursor_at(all));
    void *scan = take<unsigned char>(&c->room, gb_scan_scratch(all + 1));
    regions.begins = reinterpret_cast<uint64_t *>(begins);
    if (c->measuring()) return GB_OK;

    GB_TRY(cudaMemsetAsync(begins, 0, cleared, c->stream), c->error);
    const unsigned copies = copies_for(digit.digits, mp_shared_budget(c->device, 2));
    const size_t bytes = (size_t)digit.digits * copies * 4;
    auto count = mp_count_segments<Key>;
    GB_TRY(allow_shared(count, bytes), c->error);
    GB_TRY(launch(count, dim3((unsigned)(2 * c->sms())), dim3(MP_PARTS_THREADS), bytes, c->stream,
                  mp_elements<Key, 0>{in.keys, NULL}, c->n, digit, copies, segments, segment_count,
                  begins),
           c->error);
    GB_TRY(gb_scan_exclusive(begins, all + 1, scan, c->stream), c->error);
    GB_TRY(launch(mp_open_regions, gb_grid(c->device, all + 1), dim3(GB_GRID_THREADS), 0, c->stream,
                  regions, all, bins, offsets),
           c->error);
    GB_TRY(allow_shared(kernel, shape.shared), c->error);
    const mp_elements<Key, WORDS> none = {NULL, NULL};
    GB_TRY(launch(kernel, dim3((unsigned)blocks), dim3(shape.threads), shape.shared, c->stream, in,
                  out, none, none, c->n, digit, shape.cut, regions),
           c->error);
    return GB_OK;
}

/* ---- methods --------------------------------------------------------------------------------- */

/* The lower digit's bits where two passes share the work. */
static inline unsigned lower_bits(uint32_t bins)
{
    unsigned bits = 0;
    while ((bins - 1) >> bits)
        bits++;
    return bits / 2;
}

static inline mp_digit digit_of(const mp_request *r, unsigned shift, unsigned bits)
{
    const unsigned mask = bits < 32 ? (1u << bits) - 1 : ~0u;
    unsigned digits = (r->bin.bins - 1) >> shift;
    if (digits > mask) digits = mask;
    return mp_digit{r->bin, r->function, shift, mask, digits + 1};
}

template <class Key, int WORDS>
static gb_status mp_partition_with(mp_method method, const mp_request *r, mp_context<Key, WORDS> *c)
{
    typedef typename mp_elements<Key, WORDS>::payload_type payload_type;
    /* inputs are never written */
    const mp_elements<Key, WORDS> in = {(Key *)r->keys_in, (payload_type *)r->payload_in};
    const mp_elements<Key, WORDS> out = {(Key *)r->keys_out, (payload_type *)r->payload_out};
    const mp_digit whole = digit_of(r, 0, 32);
    const unsigned low_bits = lower_bits(r->bin.bins);
    const mp_digit low = digit_of(r, 0, low_bits), high = digit_of(r, low_bits, 32);
    switch (method) {
    case MP_UNSTABLE: {
        const uint64_t aside_room = (r->n < MP_SMALL ? r->n : r->n / 4) + MP_MOST_TILE;
        const mp_elements<Key, WORDS> aside = take_elements<Key, WORDS>(&c->room, aside_room);
        return pass_unordered<Key, WORDS>(c, in, out, aside, aside_room, whole, r->offsets);
    }
    case MP_STABLE: {
        unsigned *ticket = take<unsigned>(&c->room, 1);
        if (!c->measuring()) GB_TRY(cudaMemsetAsync(ticket, 0, 4, c->stream), c->error);
        return pass_ordered<Key, WORDS>(c, in, out, whole, r->offsets, ticket, NULL);
    }
    case MP_UNSTABLE_TWO_PASS: {
        const mp_elements<Key, WORDS> between = take_elements<Key, WORDS>(&c->room, r->n);
        uint64_t *segments = take<uint64_t>(&c->room, high.digits + 1);
        const uint64_t used = c->room.used;
        gb_status status = pass_unordered<Key, WORDS>(c, in, between, out, r->n, high, segments);
        if (status != GB_OK) return status;
        const uint64_t first = c->room.used; /* the second pass has the same room */
        c->room.used = used;
        status = pass_segments<Key, WORDS>(c, between, out, segments, high.digits, low, r->bin.bins,
                                           r->offsets);
        if (c->room.used < first) c->room.used = first;
        return status;
    }
    case MP_STABLE_TWO_PASS: {
        const mp_elements<Key, WORDS> between = take_elements<Key, WORDS>(&c->room, r->n);
        unsigned *ticket = take<unsigned>(&c->room, 1);
        if (!c->measuring()) GB_TRY(cudaMemsetAsync(ticket, 0, 4, c->stream), c->error);
        const uint64_t used = c->room.used;
        gb_status status = pass_ordered<Key, WORDS>(c, in, between, low, NULL, ticket, NULL);
        if (status != GB_OK) return status;
        const uint64_t first = c->room.used;
        c->room.used = used;
        status = pass_ordered<Key, WORDS>(c, between, out, high, NULL, ticket, NULL);
        if (c->room.used < first) c->room.used = first;
        if (status != GB_OK || c->measuring()) return status;
        GB_TRY(launch(mp_find_digit_bounds<Key>,
                      dim3((unsigned)ceil_div((uint64_t)r->bin.bins + 1,
                                              MP_BOUNDARY_THREADS / GB_WARP)),
                      dim3(MP_BOUNDARY_THREADS), 0, c->stream, out.keys, c->n, whole, r->offsets),
               c->error);
        return GB_OK;
    }
    }
    return GB_CRASHED;
}

template <class Key, int WORDS>
static gb_status mp_partition_typed(mp_method method, const mp_request *request,
                                    const gb_device *device, void *scratch, cudaStream_t stream,
                                    uint64_t *used, gb_error *error)
{
    mp_context<Key, WORDS> context = {
        device, request->n, {(unsigned char *)scratch, 0}, stream, error};
    gb_status status = mp_partition_with(method, request, &context);
    *used = context.room.used;
    return status;
}

/* Defines one of them. */
#define MP_PARTITION_OF(name, key, words)                                                     \
    gb_status name(mp_method method, const mp_request *request, const gb_device *device,      \
                   void *scratch, cudaStream_t stream, uint64_t *used, gb_error *error)       \
    {                                                                                         \
        return mp_partition_typed<key, words>(method, request, device, scratch, stream, used, \
                                              error);                                         \
    }

#endif
