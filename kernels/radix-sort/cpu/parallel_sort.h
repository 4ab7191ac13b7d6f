/* Variant cpu-parallel for one kind of element (kinds.h); parallel.c tells the plan. */

/* ---- inside a thread's scratch --------------------------------------------------------------- */

/* The bits [low, high) of an element. */
static inline RS_ELEMENT RS_OF(field)(RS_ELEMENT element, unsigned low, unsigned high)
{
    const unsigned above = 8 * (unsigned)sizeof element - high;
    return (RS_ELEMENT)(element << above) >> (above + low);
}

static inline void RS_OF(insertion)(RS_ELEMENT *elements, uint64_t count, unsigned low,
                                    unsigned high)
{
    for (uint64_t i = 1; i < count; i++) {
        const RS_ELEMENT element = elements[i], field = RS_OF(field)(element, low, high);
        uint64_t at = i;
        for (; at > 0 && RS_OF(field)(elements[at - 1], low, high) > field; at--)
            elements[at] = elements[at - 1];
        elements[at] = element;
    }
}

/* Passes from the least significant digit: `from` to a, a to b, b to a, ...; b may be from. Returns
 * where the sorted elements are: from itself where all are equal. */
static inline RS_ELEMENT *RS_OF(lsd)(lane *me, RS_ELEMENT *from, RS_ELEMENT *a, RS_ELEMENT *b,
                                     uint64_t count, unsigned high)
{
    const rs_cpu_ends *ends = &me->all->ends;
    const rs_digits digits = rs_digits_of(ends->low, high);
    RS_OF(count_digits)(ends, from, count, &digits, me->counts);
    for (unsigned p = 0; p < digits.passes; p++) {
        uint64_t *counts = me->counts + (size_t)p * RS_DIGIT_BINS;
        RS_OF(scatter)
        s = {.ends = ends,
             .from = from,
             .to = a,
             .shift = rs_digit_shift(&digits, p),
             .mask = rs_digit_mask_of(&digits, p),
             .place = counts};
        if (counts[RS_OF(digit)(from[0], s.shift, s.mask)] == count) continue;
        rs_scan_counts(counts, s.mask + 1, 0);
        RS_OF(scatter_elements)(&s, 0, count);
        from = a;
        a = b;
        b = from;
    }
    return from;
}

/* One pass on the most significant digit below high, from[0, count) to to[0, count): the bins'
 * bounds, and where the digit begins. False if all elements share the digit: nothing was moved. */
static inline bool RS_OF(part)(lane *me, const RS_ELEMENT *from, RS_ELEMENT *to, uint64_t count,
                               unsigned high, uint64_t bounds[RS_DIGIT_BINS + 1], unsigned *shift,
                               RS_ELEMENT *lines)
{
    const rs_cpu_ends *ends = &me->all->ends;
    const unsigned bits = high - ends->low;
    *shift = bits > RS_DIGIT_BITS ? high - RS_DIGIT_BITS : ends->low;
    const uint32_t mask = rs_digit_mask(high - *shift);
    memset(bounds, 0, (RS_DIGIT_BINS + 1) * sizeof *bounds);
    RS_OF(count_digit)(ends, from, 0, count, *shift, mask, bounds);
    if (bounds[RS_OF(digit)(from[0], *shift, mask)] == count) return false;
    rs_scan_counts(bounds, RS_DIGIT_BINS + 1, 0);
    memcpy(me->bins.place, bounds, RS_DIGIT_BINS * sizeof *bounds);
    RS_OF(scatter)
    s = {.ends = ends,
         .from = from,
         .to = to,
         .shift = *shift,
         .mask = mask,
         .place = me->bins.place,
         .start = bounds,
         .lines = lines};
    RS_OF(scatter_elements)(&s, 0, count);
    return true;
}

/* Sorts x[0, count) in place with the help of y[0, count): few digits from the bottom, many from
 * the top until little is left. */
static void RS_OF(sort_small)(lane *me, RS_ELEMENT *x, RS_ELEMENT *y, uint64_t count, unsigned high)
{
    const unsigned low = me->all->ends.low;
    uint64_t bounds[RS_DIGIT_BINS + 1];
    unsigned shift = high;
    while (count > INSERTION_AT_MOST && !from_the_bottom(count, high - low)) {
        if (RS_OF(part)(me, x, y, count, high, bounds, &shift, NULL)) break;
        high = shift;
    }
    if (count <= INSERTION_AT_MOST) {
        RS_OF(insertion)(x, count, low, high);
    } else if (from_the_bottom(count, high - low)) {
        if (high > low && RS_OF(lsd)(me, x, y, x, count, high) == y)
            memcpy(x, y, count * sizeof *x);
    } else {
        for (unsigned bin = 0; bin < RS_DIGIT_BINS; bin++) {
            /* filled by the part that ended the loop: NOLINTNEXTLINE(clang-analyzer-core*) */
            const uint64_t from = bounds[bin], size = bounds[bin + 1] - from;
            if (size > 1) RS_OF(sort_small)(me, y + from, x + from, size, shift);
        }
        memcpy(x, y, count * sizeof *x);
    }
}

/* ---- one thread's bucket --------------------------------------------------------------------- */

/* Sorts data[begin, end), that agrees above the bit high, into the output: by the bits below. other
 * is another array for the same places. */
static void RS_OF(sort_bucket)(lane *me, RS_ELEMENT *data, RS_ELEMENT *other, uint64_t begin,
                               uint64_t end, unsigned high)
{
    const shared *all = me->all;
    const unsigned low = all->ends.low;
    const uint64_t count = end - begin;
    RS_ELEMENT *from = data + begin, *p = me->scratch, *q = p + all->most_local;
    if (count <= all->most_local) {
        const bool few = from_the_bottom(count, high - low) && count > INSERTION_AT_MOST;
        if (high > low && few) {
            from = RS_OF(lsd)(me, from, p, q, count, high);
        } else if (high > low) {
            memcpy(p, from, count * sizeof *p);
            RS_OF(sort_small)(me, p, q, count, high);
            from = p;
        }
        RS_OF(emit)(&all->ends, from, begin, count, all->around_cache);
        return;
    }
    uint64_t bounds[RS_DIGIT_BINS + 1] = {0};
    unsigned shift = high;
    while (high > low && !RS_OF(part)(me, from, other + begin, count, high, bounds, &shift, NULL))
        high = shift;
    if (high == low) {
        RS_OF(emit)(&all->ends, from, begin, count, all->around_cache);
        return;
    }
    for (unsigned bin = 0; bin < RS_DIGIT_BINS; bin++)
        if (bounds[bin + 1] > bounds[bin]) RS_OF(sort_bucket)
    (me, other, data, begin + bounds[bin], begin + bounds[bin + 1], shift);
}

/* ---- all threads ----------------------------------------------------------------------------- */

static inline RS_ELEMENT *RS_OF(array)(const shared *all, array which)
{
    return which == INPUT ? NULL : which == ARRAY_A ? all->a : all->b;
}

/* The whole range to the output: its elements are equal. */
static inline void RS_OF(emit_range)(const lane *me, const range *r)
{
    const shared *all = me->all;
    const uint64_t count = r->end - r->begin;
    const uint64_t begin = r->begin + gb_pool_share(count, me->thread, all->threads);
    const uint64_t end = r->begin + gb_pool_share(count, me->thread + 1, all->threads);
    if (r->where != INPUT) {
        RS_OF(emit)
        (&all->ends, RS_OF(array)(all, r->where) + begin, begin, end - begin, all->around_cache);
        return;
    }
    for (uint64_t i = begin; i < end; i++)
        RS_OF(store)(&all->ends, i, RS_OF(load)(&all->ends, i));
}

/* Parts a range by its most significant digit that tells elements apart. False: there is none. */
static inline bool RS_OF(part_range)(lane *me, range *r)
{
    shared *all = me->all;
    const uint64_t count = r->end - r->begin;
    const uint64_t begin = r->begin + gb_pool_share(count, me->thread, all->threads);
    const uint64_t end = r->begin + gb_pool_share(count, me->thread + 1, all->threads);
    const RS_ELEMENT *from = RS_OF(array)(all, r->where);
    while (r->high > all->ends.low) {
        const unsigned width = width_for(all, count, r->high);
        const unsigned shift = r->high - width;
        const uint32_t mask = rs_digit_mask(width);
        memset(me->bins.place, 0, ((size_t)mask + 1) * sizeof *me->bins.place);
        RS_OF(count_digit)(&all->ends, from, begin, end, shift, mask, me->bins.place);
        gb_pool_places(all->pool, me->thread, all->bins, mask + 1, r->begin, all->bounds);
        r->high = shift;
        const RS_ELEMENT first = from ? from[r->begin] : RS_OF(load)(&all->ends, r->begin);
        const uint32_t digit = RS_OF(digit)(first, shift, mask);
        if (all->bounds[digit + 1] - all->bounds[digit] == count) continue;
        r->where = r->where == ARRAY_A ? ARRAY_B : ARRAY_A;
        r->bins = mask + 1;
        RS_OF(scatter)
        s = {.ends = &all->ends,
             .from = from,
             .to = RS_OF(array)(all, r->where),
             .shift = shift,
             .mask = mask,
             .place = me->bins.place,
             .start = me->bins.start,
             .lines = me->lines};
        RS_OF(scatter_elements)(&s, begin, end);
        return true;
    }
    return false;
}

static void RS_OF(sort_all)(void *context, unsigned thread)
{
    shared *all = context;
    lane *me = &all->lanes[thread];
    if (thread == 0) {
        all->waiting_count = 0;
        all->current = (range){.where = INPUT, .begin = 0, .end = all->n, .high = all->ends.high};
    }
    if (all->threads == 1 && all->n <= all->most_local) { /* little: nothing is parted */
        RS_ELEMENT *a = all->a;
        for (uint64_t i = 0; i < all->n; i++)
            a[i] = RS_OF(load)(&all->ends, i);
        if (all->n > 0) RS_OF(sort_bucket)(me, a, all->b, 0, all->n, all->ends.high);
        return;
    }
    gb_pool_barrier(all->pool);
    while (all->current.end > 0) {
        range mine = all->current;
        if (RS_OF(part_range)(me, &mine)) {
            if (thread == 0) atomic_store(&all->next, 0);
            gb_pool_barrier(all->pool);
            RS_ELEMENT *data = RS_OF(array)(all, mine.where);
            RS_ELEMENT *other = RS_OF(array)(all, mine.where == ARRAY_A ? ARRAY_B : ARRAY_A);
            bool large;
            if (thread == 0) set_aside_huge(all, &mine);
            for (uint32_t bin; (bin = next_bin(all, mine.bins, &large)) < mine.bins;) {
                const uint64_t begin = all->bounds[bin], end = all->bounds[bin + 1];
                if (end > begin && end - begin <= all->most_alone &&
                    (end - begin > all->most_local) == large)
                    RS_OF(sort_bucket)(me, data, other, begin, end, mine.high);
            }
        } else {
            RS_OF(emit_range)(me, &mine);
        }
        gb_stream_end();
        gb_pool_barrier(all->pool); /* nobody needs the current range or its bounds any longer */
        if (thread == 0)
            all->current =
                all->waiting_count ? all->waiting[--all->waiting_count] : (range){.end = 0};
        gb_pool_barrier(all->pool);
    }
    gb_pool_barrier(all->pool); /* all have seen the end before a next run begins */
}
