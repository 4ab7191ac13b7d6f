/* Variant cpu-qsort for one kind of element (kinds.h). */

static int RS_OF(compare)(const void *left, const void *right)
{
    const RS_ELEMENT a = *(const RS_ELEMENT *)left, b = *(const RS_ELEMENT *)right;
    return (a > b) - (a < b);
}

/* An element, turned so that the bits that count are its highest; by zero bits it stays. */
static inline RS_ELEMENT RS_OF(turn)(RS_ELEMENT element, unsigned bits)
{
    const unsigned width = 8 * sizeof(RS_ELEMENT);
    return bits % width ? element << bits % width | element >> (width - bits % width) : element;
}

static inline void RS_OF(sort)(const rs_cpu_ends *ends, uint64_t n, void *scratch)
{
    const unsigned width = 8 * sizeof(RS_ELEMENT), left = width - ends->high;
    RS_ELEMENT *elements = scratch;
    for (uint64_t i = 0; i < n; i++)
        elements[i] = RS_OF(turn)(RS_OF(load)(ends, i), left);
    qsort(elements, n, sizeof *elements, RS_OF(compare));
    for (uint64_t i = 0; i < n; i++)
        RS_OF(store)(ends, i, RS_OF(turn)(elements[i], width - left));
}
