/* Hybrid where the keys are spread unevenly: places that ascend with the images, the lowest image
 * of every bucket, buckets of like sizes whatever the keys' distribution, and that sorts are right
 * where the places are wrong, as where the tiles that are counted are unlike the others. */
/* test: thorough turns 15 */
#include "tests/kernels/radix-sort/radix_sort_hybrid.cuh"

enum { KEYS = 120003, BITS = 8, TABLES = 40 };

/* ---- places ---------------------------------------------------------------------------------- */

/* Places of cells, of which many may be empty, as hy_make_places makes them. */
static void make_places(unsigned *places, uint64_t seed)
{
    static unsigned counts[HY_CELLS];
    uint64_t total = 0, before = 0;
    for (unsigned c = 0; c < HY_CELLS; c++) {
        counts[c] = draw(seed, c, 1 + seed % 9) ? 0 : (unsigned)draw(seed + 1, c, 1 << seed % 20);
        if (seed % 5 == 0 && c != seed * 37 % HY_CELLS) counts[c] = 0;
        total += counts[c];
    }
    for (unsigned c = 0; c < HY_CELLS; c++) {
        places[c] = (unsigned)(before * ~0u / (total ? total : 1));
        before += counts[c];
    }
    places[HY_CELLS] = ~0u;
}

static void places_ascend(void **)
{
    static unsigned places[HY_CELLS + 1];
    for (uint64_t seed = 1; seed <= TABLES; seed++) {
        make_places(places, seed);
        unsigned image = 0, last = 0;
        for (unsigned i = 0; i < 20000; i++) {
            const unsigned place = hy_place(places, image);
            if (place < last) fail_msg("table %u: the place of %x", (unsigned)seed, image);
            last = place;
            const uint64_t next = image + draw(seed + 2, i, 1 << 19);
            image = next > UINT32_MAX ? UINT32_MAX : (unsigned)next;
        }
        assert_int_equal(image, UINT32_MAX);
    }
}

/* Of every bucket: its lowest image has its place or a later one, and the image before has not. */
static void lowest_images(void **)
{
    static unsigned places[HY_CELLS + 1];
    for (uint64_t seed = 1; seed <= TABLES; seed++) {
        make_places(places, seed);
        for (unsigned b = 0; b < 1000; b++) {
            const unsigned place = b ? (unsigned)draw(seed + 3, b, ~0u) : 0;
            const unsigned low = hy_lowest(places, place);
            if (hy_place(places, low) < place || (low && hy_place(places, low - 1) >= place))
                fail_msg("table %u, place %x: %x is not the lowest image", (unsigned)seed, place,
                         low);
        }
    }
}

/* The counters of a bucket ascend from the first to the last. */
static void counters_of_a_range(void **)
{
    enum { COUNTER_BITS = 12, LAST = (1 << COUNTER_BITS) - 1 };
    for (unsigned i = 0; i < 400; i++) {
        const unsigned width = 1 + (unsigned)draw(30, i, (uint64_t)1 << (1 + i % 32));
        unsigned lows[2] = {(unsigned)draw(31, i, (uint64_t)1 << 32), 0};
        lows[1] = lows[0] + width;
        const hy_cells cells = {NULL, NULL, lows};
        const hy_in_range<COUNTER_BITS> counter(cells, 0);
        assert_int_equal(counter(lows[0]), 0);
        unsigned last = 0;
        for (unsigned k = 0; k < 1000; k++) {
            const unsigned key = lows[0] + (unsigned)((uint64_t)(width - 1) * k / 999);
            if (counter(key) < last || counter(key) > LAST)
                fail_msg("width %x, key %x: counter %u", width, key - lows[0], counter(key));
            last = counter(key);
        }
        if (width > 4 << COUNTER_BITS) assert_in_range(last, LAST - 2, LAST);
    }
}

/* ---- sorts ----------------------------------------------------------------------------------- */

/* An image of one of some uneven distributions. */
static unsigned uneven(unsigned spread, uint64_t seed, unsigned i)
{
    const unsigned word = (unsigned)draw(seed, i, (uint64_t)1 << 32);
    const unsigned other = (unsigned)draw(seed + 1, i, (uint64_t)1 << 32);
    switch (spread) {
    case 0: /* in a narrow range, which begins in a cell and ends in another one */
        return 0x6789abcdu + word % 0x01654321u;
    case 1: /* every octave of eight is as likely as any other */
        return word >> 1 >> other % 8;
    case 2: /* at both ends */
        return other % 2 ? word >> 9 : ~(word >> 9);
    case 3: /* most in one cell, some everywhere */
        return other % 16 ? 0x12300000u | word >> 12 : word;
    case 5: /* those that share their upper bits, and do not fill a cell */
        return 0x12300000u + word % 700000;
    case 4: /* the product of two */
        return (unsigned)((uint64_t)word * other >> 32);
    default: /* floats between 0 and 1 */
        return 0x3f800000u - 0x00800000u * (unsigned)__builtin_ctz(other | 1 << 20) - (word >> 9);
    }
}

enum { SPREADS = 7 };

/* Keys whose tops are such images. */
template <class Key>
static Key *uneven_keys(const plan *p, unsigned spread, unsigned n, uint64_t seed)
{
    Key *keys = (Key *)malloc(n * sizeof *keys);
    assert_non_null(keys);
    for (unsigned i = 0; i < n; i++) {
        const uint64_t top = uneven(spread, seed, i);
        const uint64_t image = top << 32 | draw(seed + 2, i, (uint64_t)1 << 32);
        keys[i] = hy_decode(p->sort.codec, (Key)(image >> (64 - 8 * sizeof *keys)));
    }
    return keys;
}

/* The largest bucket that the sort left. */
static unsigned largest_bucket(const plan *p)
{
    const unsigned buckets = 1u << (p->sort.bits1 + p->sort.bits2);
    unsigned *begins = (unsigned *)malloc(buckets * sizeof *begins), most = 0;
    assert_non_null(begins);
    assert_int_equal(
        cudaMemcpy(begins, p->sort.begins, buckets * sizeof *begins, cudaMemcpyDeviceToHost), 0);
    for (unsigned b = 0; b < buckets; b++) {
        const unsigned count = (b + 1 < buckets ? begins[b + 1] : p->sort.n) - begins[b];
        if (count > most) most = count;
    }
    free(begins);
    return most;
}

/* Buckets hold at most half as many more keys as on average: their tiles hold some hundreds. */
template <class Key> static void sort_uneven(unsigned kind, unsigned i)
{
    const gb_params params = point(KEYS + i, "uniform", type_of(kind, i), payload_of(kind),
                                   i / 3 % 2, 0, 8 * sizeof(Key));
    gb_job job = open_point(&params, i);
    const plan p = open_plan(&job, BITS);
    Key *keys = uneven_keys<Key>(&p, i % SPREADS, KEYS + i, 100 + i);
    sort_keys(&job, &p, keys);
    if (verdict_of(&p) != PLACED || largest_bucket(&p) > (KEYS >> BITS) * 3 / 2)
        fail_msg("spread %u, kind %u: the verdict is %x, the largest bucket %u", i % SPREADS, kind,
                 verdict_of(&p), largest_bucket(&p));
    free(keys);
    close_plan(&p);
    rs_close(job.problem);
}

static void all_distributions(void **)
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned i = 0; i < (kind ? 1 : 2) * SPREADS; i++)
            if (kind % 2)
                sort_uneven<unsigned long long>(kind, i);
            else
                sort_uneven<unsigned>(kind, i);
}

/* The tiles that are counted have other keys than those that are not: the places are wrong, and
 * onesweep sorts what does not fit the buckets. */
static void places_that_mislead(void **)
{
    enum { TILE = 4 * HY_THREADS };
    unsigned left = 0;
    for (unsigned i = 0; i < 6; i++) {
        const gb_params params = point(KEYS, "uniform", RS_U32, 0, 0, 0, 32);
        gb_job job = open_point(&params, i);
        const plan p = open_plan(&job, BITS);
        unsigned *keys = uneven_keys<unsigned>(&p, 0, KEYS, i);
        for (unsigned k = 0; k < KEYS; k++) {
            const unsigned tile = k / TILE, t = tile / HY_CELL_SHARE;
            if (tile % HY_CELL_SHARE != gb_scatter32(t ^ p.sort.salt) % HY_CELL_SHARE)
                keys[k] = i % 2 ? keys[k] << 5 : ~keys[k] >> i;
        }
        sort_keys(&job, &p, keys);
        left += (verdict_of(&p) & (HY_ROW_FULL | HY_TOO_LARGE)) != 0;
        free(keys);
        close_plan(&p);
        rs_close(job.problem);
    }
    assert_in_range(left, 1, 6);
}

/* One key that does not share the upper bits of the others, where the sample does not see it. */
template <class Key> static void sort_stray(unsigned kind, unsigned i)
{
    const gb_params params =
        point(KEYS, "uniform", type_of(kind, i), payload_of(kind), 0, 0, 8 * sizeof(Key));
    gb_job job = open_point(&params, i);
    const plan p = open_plan(&job, BITS);
    Key *keys = uneven_keys<Key>(&p, 5, KEYS, i);
    /* lines behind the sample's stretches, whole tiles or not, and the last key of all */
    const unsigned at = i % 2 ? KEYS - 1 : KEYS / GB_WARP / p.sort.lines * p.sort.lines * GB_WARP;
    const uint64_t image = (uint64_t)(i < 3 ? 0x12200000u : 0x92300000u) << 32;
    keys[at] = hy_decode(p.sort.codec, (Key)(image >> (64 - 8 * sizeof *keys)));
    sort_keys(&job, &p, keys);
    assert_int_equal(verdict_of(&p), (unsigned)PLACED | (unsigned)HY_STRAY);
    free(keys);
    close_plan(&p);
    rs_close(job.problem);
}

static void a_stray(void **)
{
    for (unsigned i = 0; i < 6; i++)
        sort_stray<unsigned>(0, i);
    for (unsigned kind = 1; kind < KINDS; kind++)
        if (kind % 2)
            sort_stray<unsigned long long>(kind, kind);
        else
            sort_stray<unsigned>(kind, kind);
}

static void ranges_of_bits(void **)
{
    for (unsigned i = 0; i < 12; i++) {
        const unsigned end = i % 3 == 2 ? 32 : 32 - i % 4; /* floats by their upper bits */
        const gb_params params = point(65536 + i, i % 2 ? "normal" : "binomial", of_32_bits[i % 3],
                                       0, i / 2 % 2, i % 5, end);
        device.sms = 1 + (int)i % 3;
        const unsigned verdict = sort_with_bits(&params, i, 6 + i % 5);
        if (i % 4 == 0) assert_int_equal(verdict, PLACED);
    }
    device.sms = 1;
}

static void other_schedules(void **)
{
    unsigned placed = 0;
    for (unsigned i = 0; i < 3 * GB_POLICY_COUNT; i++) {
        const gb_params params =
            point(8000 + (unsigned)draw(32, i, 20000), i % 2 ? "normal" : "binomial",
                  type_of(i % KINDS, i / 2), payload_of(i % KINDS), i / 2 % 2, 0,
                  i % KINDS % 2 ? 64 : 32);
        device.sms = 1 + (int)i % 2;
        if (sort_under_schedule(&params, i) & PLACED) placed++;
    }
    device.sms = 1;
    assert_in_range(placed, GB_POLICY_COUNT, 3 * GB_POLICY_COUNT);
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    set_device();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_ascend),       cmocka_unit_test(lowest_images),
        cmocka_unit_test(counters_of_a_range), cmocka_unit_test(all_distributions),
        cmocka_unit_test(places_that_mislead), cmocka_unit_test(a_stray),
        cmocka_unit_test(ranges_of_bits),      cmocka_unit_test(other_schedules),
    };
    return cmocka_run_group_tests_name("the hybrid radix sort of uneven keys", tests, NULL, NULL);
}
