/* Hybrid where the keys have few different values: that these are counted, by the stages alone, up
 * to as many as the two tables are meant for and not one more; values that share a slot, that stand
 * for an empty one, that come once; what the sample takes for few and is not; other orders of
 * threads.
 */
/* test: thorough turns 18 */
#include "tests/kernels/radix-sort/radix_sort_hybrid.cuh"

enum { POINTS = 40, KEYS = 70001, BITS = 8 };

/* Which table counts: the one that the sample picks, or always the small one or the large one. */
typedef enum table { PICKED, SMALL, LARGE } table;

static const unsigned most[] = {0, hy_few_small::MOST, hy_few_large::MOST};

static unsigned *new_keys(unsigned n)
{
    unsigned *keys = (unsigned *)malloc(n * sizeof *keys);
    assert_non_null(keys);
    return keys;
}

/* Sorts keys, whatever becomes of them, and takes them. The type and order are by turns those there
 * are. */
static unsigned verdict_on(unsigned *keys, unsigned n, unsigned bits, unsigned turn, table by)
{
    const gb_params params = point(n, "uniform", of_32_bits[turn % 3], 0, turn / 3 % 2, 0, 32);
    gb_job job = open_point(&params, turn);
    plan p = open_plan(&job, bits);
    if (by == SMALL) p.sort.seen_few = ~0u;
    if (by == LARGE) p.sort.seen_few = 0, p.sort.seen_many = ~0u;
    sort_keys(&job, &p, keys);
    const unsigned verdict = verdict_of(&p);
    free(keys);
    close_plan(&p);
    rs_close(job.problem);
    return verdict;
}

/* ---- the way --------------------------------------------------------------------------------- */

static void few_values_are_counted(void **)
{
    static const char *const dists[] = {"constant",     "distinct:1",   "distinct:2",
                                        "distinct:7",   "distinct:100", "distinct:1000",
                                        "distinct:2500"};
    for (unsigned i = 0; i < 35; i++) {
        const unsigned begin = i % 4 ? i % 5 : 0, end = i % 4 && i % 3 < 2 ? 32 - i % 7 : 32;
        const gb_params params =
            point(65536 + i, dists[i % 7], of_32_bits[i % 3], 0, i / 3 % 2, begin, end);
        stages_alone(&params, COUNTED);
    }
}

/* The values agree in their upper bits, but differ. */
static void many_values_alike_are_sorted(void **)
{
    unsigned *keys = new_keys(KEYS);
    for (unsigned i = 0; i < KEYS; i++)
        keys[i] = 0x12300000u | (unsigned)draw(1, i, 1 << 20);
    assert_int_equal(verdict_on(keys, KEYS, BITS, 0, PICKED), PLACED);
    const gb_params params = point(KEYS, "binomial", RS_U32, 0, 0, 0, 32);
    stages_alone(&params, PLACED);
}

/* Two values for a long time, then all there are. */
static void many_values_at_the_end_are_sorted(void **)
{
    enum { MORE = 20 * KEYS };
    unsigned *keys = new_keys(MORE);
    for (unsigned i = 0; i < MORE; i++)
        keys[i] = i < MORE - 2000 ? i % 2 : i * 7;
    assert_int_equal(verdict_on(keys, MORE, BITS, 0, PICKED), TOO_MANY);
}

/* ---- how many -------------------------------------------------------------------------------- */

/* Values 1 to `values`, and 0 if asked for. For the large table, which is that of all blocks, the
 * first half of them comes in the first block's share alone, the second in the other's, so that
 * both see few. */
static unsigned verdict_on_values(unsigned values, bool zero, table by)
{
    unsigned *keys = new_keys(KEYS);
    for (unsigned i = 0; i < KEYS; i++) {
        const unsigned half = i / (4 * HY_THREADS) % 2, each = by == LARGE ? values / 2 : 0;
        const unsigned first = half ? each : 0, of = half || !each ? values - each : each;
        keys[i] = 1 + first + (unsigned)draw(2, i, of);
    }
    if (zero) keys[KEYS / 3] = 0;
    return verdict_on(keys, KEYS, 12, 0, by);
}

static void as_many_as_fit(void **)
{
    for (unsigned by = SMALL; by <= LARGE; by++) {
        assert_int_equal(verdict_on_values(most[by] - 1, false, (table)by), COUNTED);
        assert_int_equal(verdict_on_values(most[by] - 1, true, (table)by), COUNTED);
        assert_int_equal(verdict_on_values(most[by], false, (table)by), TOO_MANY);
        assert_int_equal(verdict_on_values(most[by], true, (table)by), TOO_MANY);
    }
}

/* As many as fit, and one that comes once, at each of some places: the last one, the last but some
 * that are not four, anywhere. */
static void one_that_comes_once(void **)
{
    for (unsigned i = 0; i < 16; i++) {
        const table by = i % 2 ? LARGE : SMALL;
        const unsigned n = KEYS + i / 2;
        for (unsigned values = most[by] - 2; values < most[by]; values++) {
            unsigned *keys = new_keys(n);
            for (unsigned k = 0; k < n; k++)
                keys[k] = 100 + k % values;
            keys[i < 8 ? n - 1 - i / 2 : (unsigned)draw(3, i, n)] = 0xffffff00u;
            assert_int_equal(verdict_on(keys, n, 12, 0, by),
                             values == most[by] - 1 ? TOO_MANY : COUNTED);
        }
    }
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* A value whose hash says `home`, the i-th of many. */
template <class Size> static unsigned value_at_home(unsigned home, unsigned i)
{
    unsigned inverse = 1; /* of the multiplier, by Newton's method: digits double */
    for (int step = 0; step < 5; step++)
        inverse *= 2 - 0x9e3779b1u * inverse;
    const unsigned value = (home << (32 - Size::BITS) | (i + 1)) * inverse;
    assert_int_equal(hy_few_home<Size>(value), home);
    return value;
}

/* All of one home: the first slot, which only 0 may have; one next to it; the last one, behind
 * which the search begins anew. */
template <class Size> static void values_at_homes(table by)
{
    static const unsigned homes[] = {0, 1, Size::SLOTS - 1, 300};
    for (unsigned h = 0; h < 8; h++) {
        unsigned *keys = new_keys(KEYS);
        for (unsigned i = 0; i < KEYS; i++)
            keys[i] = value_at_home<Size>(homes[h / 2], (unsigned)draw(4, i, 1 + 15 * (h + 1)));
        if (h % 2) keys[KEYS - 1] = 0;
        assert_int_equal(verdict_on(keys, KEYS, BITS, h, by), COUNTED);
    }
}

static void values_of_one_home(void **)
{
    values_at_homes<hy_few_small>(SMALL);
    values_at_homes<hy_few_large>(LARGE);
}

/* 0 is what an empty slot holds. */
static void zero_and_no_zero(void **)
{
    for (unsigned turn = 0; turn < 6; turn++) {
        unsigned *keys = new_keys(KEYS);
        for (unsigned i = 0; i < KEYS; i++)
            keys[i] = 0;
        assert_int_equal(verdict_on(keys, KEYS, BITS, turn, (table)(turn % 3)), COUNTED);
        keys = new_keys(KEYS);
        for (unsigned i = 0; i < KEYS; i++)
            keys[i] = draw(5, i, 3) ? 0 : 1u << draw(6, i, 32);
        assert_int_equal(verdict_on(keys, KEYS, BITS, turn, (table)(turn % 3)), COUNTED);
        keys = new_keys(KEYS);
        for (unsigned i = 0; i < KEYS; i++)
            keys[i] = i + 1 < KEYS ? ~0u : 0;
        assert_int_equal(verdict_on(keys, KEYS, BITS, turn, (table)(turn % 3)), COUNTED);
    }
}

/* ---- anything -------------------------------------------------------------------------------- */

/* Random values, often as many as just fit, each as likely as the others or the first ones more
 * so. How many there are in fact decides what becomes of those that are counted. */
static void random_points(void **)
{
    unsigned counted = 0;
    for (uint64_t point = 0; point < POINTS; point++) {
        const unsigned n = GB_WARP + (unsigned)draw(7, point, 80000 >> draw(8, point, 6));
        const table by = draw(17, point, 3) ? SMALL : LARGE;
        const unsigned near = most[by] - 3 + (unsigned)draw(9, point, 6);
        const unsigned values = draw(10, point, 2) ? near : 1 + (unsigned)draw(11, point, near);
        const unsigned low = (unsigned)draw(12, point, 33 - hy_few_large::BITS);
        unsigned *keys = new_keys(n), others = 0;
        bool *seen = (bool *)calloc(values, sizeof *seen);
        assert_non_null(seen);
        for (unsigned i = 0; i < n; i++) {
            unsigned v = (unsigned)draw(1000 + point, i, values);
            if (point % 2) v = (unsigned)draw(2000 + point, i, v + 1);
            keys[i] = v << low;
            others += v && !seen[v];
            seen[v] = true;
        }
        device.sms = 1 + (int)draw(13, point, 4);
        const unsigned bits = 2 + (unsigned)draw(14, point, 8);
        const unsigned verdict = verdict_on(keys, n, bits, point % 6, by);
        if (verdict & COUNTED) {
            counted++;
            if (others < most[by])
                assert_int_equal(verdict, COUNTED);
            else
                assert_int_equal(verdict & FAILED, FAILED);
        }
        free(seen);
    }
    device.sms = 1;
    assert_in_range(counted, POINTS / 2, POINTS);
}

/* An attempt that fails where the keys are spread alike: the stages go on. */
static void the_stages_go_on(void **)
{
    for (unsigned turn = 0; turn < 6; turn++) {
        unsigned *keys = new_keys(KEYS);
        for (unsigned i = 0; i < KEYS; i++)
            keys[i] = (unsigned)draw(18, i, 1 << 13) << 19;
        const unsigned verdict = verdict_on(keys, KEYS, 10, turn, turn % 2 ? SMALL : LARGE);
        assert_int_equal(verdict, COUNTED | FAILED);
    }
}

static void other_schedules(void **)
{
    unsigned counted = 0;
    for (unsigned i = 0; i < 5 * GB_POLICY_COUNT; i++) {
        char dist[32];
        const unsigned most = i < GB_POLICY_COUNT ? 1000 : i % 2 ? 12 : 150;
        snprintf(dist, sizeof dist, "distinct:%u", 1 + (unsigned)draw(15, i, most));
        const gb_params params =
            point(5000 + (unsigned)draw(16, i, 20000), dist, of_32_bits[i % 3], 0, 0, 0, 32);
        if (sort_under_schedule(&params, i) == COUNTED) counted++;
    }
    assert_in_range(counted, 3 * GB_POLICY_COUNT, 5 * GB_POLICY_COUNT);
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    set_device();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_values_are_counted),
        cmocka_unit_test(many_values_alike_are_sorted),
        cmocka_unit_test(many_values_at_the_end_are_sorted),
        cmocka_unit_test(as_many_as_fit),
        cmocka_unit_test(one_that_comes_once),
        cmocka_unit_test(values_of_one_home),
        cmocka_unit_test(zero_and_no_zero),
        cmocka_unit_test(random_points),
        cmocka_unit_test(the_stages_go_on),
        cmocka_unit_test(other_schedules),
    };
    return cmocka_run_group_tests_name("the hybrid radix sort of few values", tests, NULL, NULL);
}
