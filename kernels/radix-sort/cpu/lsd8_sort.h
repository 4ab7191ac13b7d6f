/* The passes of variant cpu-lsd8 for one kind of element (kinds.h). */

static inline void RS_OF(lsd8)(lsd8_state *me)
{
    const rs_cpu_ends *ends = &me->ends;
    const rs_digits digits = rs_digits_of(ends->low, ends->high);
    unsigned active[RS_MOST_DIGITS], count = 0;
    RS_OF(count_digits)(ends, NULL, me->n, &digits, me->counts);
    const RS_ELEMENT first = RS_OF(load)(ends, 0);
    for (unsigned p = 0; p < digits.passes; p++) {
        const uint32_t digit =
            RS_OF(digit)(first, rs_digit_shift(&digits, p), rs_digit_mask_of(&digits, p));
        if (me->counts[p * RS_DIGIT_BINS + digit] < me->n) active[count++] = p;
    }
    if (count == 0) { /* all keys are equal */
        memcpy(ends->keys_out, ends->keys_in, me->n * sizeof(RS_KEY));
        if (RS_PAIRED) memcpy(ends->payload_out, ends->payload_in, me->n * sizeof(uint32_t));
        return;
    }
    /* From the input to and fro between the arrays, so that the last pass but one ends in a. Keys
     * alone: b is the output. */
    RS_ELEMENT *a = me->a, *b = me->b, *from = NULL;
    for (unsigned k = 0; k < count; k++) {
        uint64_t *counts = me->counts + (size_t)active[k] * RS_DIGIT_BINS;
        const unsigned left = count - 1 - k;
        RS_OF(scatter)
        s = {.ends = ends,
             .from = from,
             .to = left == 0  ? NULL
                   : left % 2 ? a
                              : b,
             .shift = rs_digit_shift(&digits, active[k]),
             .mask = rs_digit_mask_of(&digits, active[k]),
             .place = counts,
             .start = me->start,
             .lines = me->lines};
        rs_scan_counts(counts, RS_DIGIT_BINS, 0);
        memcpy(me->start, counts, RS_DIGIT_BINS * sizeof *counts);
        RS_OF(scatter_elements)(&s, 0, me->n);
        from = s.to;
    }
}
