/* Hybrid where the keys are in order already, or in the opposite one: that they are copied or
 * reversed by an attempt alone, at sizes around whole fours and tiles; that two neighbours in the
 * wrong order anywhere fail it, and that the keys are sorted then; other orders of threads. */
/* test: thorough turns 18 */
#include "tests/kernels/radix-sort/radix_sort_hybrid.cuh"

enum { POINTS = 60, BITS = 8 };

/* The images of n keys, ascending: evenly spread, or in the lower half and some of them equal. */
template <class Key> static Key *ascending(unsigned n, uint64_t seed, bool even)
{
    Key *images = (Key *)malloc((n + 1) * sizeof *images);
    assert_non_null(images);
    uint64_t image = 0;
    for (unsigned i = 0; i < n; i++) {
        images[i] = (Key)(image >> (64 - 8 * sizeof *images));
        const uint64_t step = UINT64_MAX / n;
        image += even ? step : draw(seed, i, 3) * (step / 4);
    }
    return images;
}

/* Keys of the job's point with those images, from the first to the last or from the last to the
 * first. */
template <class Key>
static Key *keys_of(const plan *p, const Key *images, unsigned n, bool descends)
{
    Key *keys = (Key *)malloc(n * sizeof *keys);
    assert_non_null(keys);
    for (unsigned i = 0; i < n; i++)
        keys[i] = hy_decode(p->sort.codec, images[descends ? n - 1 - i : i]);
    return keys;
}

/* Sorts n keys in order but for those at `swapped` and behind it, which change places. */
template <class Key>
static unsigned verdict_on_kind(unsigned kind, unsigned n, uint64_t seed, bool descends,
                                int64_t swapped)
{
    const gb_params params = point(n, "uniform", type_of(kind, seed), payload_of(kind),
                                   (unsigned)(seed / 3 % 2), 0, 8 * sizeof(Key));
    gb_job job = open_point(&params, seed);
    const plan p = open_plan(&job, BITS);
    Key *images = ascending<Key>(n, seed, seed % 2);
    Key *keys = keys_of(&p, images, n, descends);
    if (swapped >= 0) {
        const Key key = keys[swapped];
        keys[swapped] = keys[swapped + 1];
        keys[swapped + 1] = key;
        if (keys[swapped] == key) swapped = -1;
    }
    sort_keys(&job, &p, keys);
    unsigned verdict = verdict_of(&p);
    if (swapped < 0) verdict |= 1u << 31; /* no two are in the wrong order */
    free(images);
    free(keys);
    close_plan(&p);
    rs_close(job.problem);
    return verdict;
}

static unsigned verdict_on(unsigned kind, unsigned n, uint64_t seed, bool descends, int64_t swapped)
{
    return kind % 2 ? verdict_on_kind<unsigned long long>(kind, n, seed, descends, swapped)
                    : verdict_on_kind<unsigned>(kind, n, seed, descends, swapped);
}

static void assert_in_order(unsigned verdict)
{
    assert_int_equal(verdict, IN_ORDER | 1u << 31);
}

static void ordered_keys_are_copied(void **)
{
    static const char *const dists[] = {"sorted", "reversed"};
    for (unsigned d = 0; d < 4 * KINDS; d++) {
        const unsigned kind = d / 2 % KINDS;
        const gb_params params = point(d < 2 ? 262147 : 65536 + d, dists[d % 2], type_of(kind, d),
                                       payload_of(kind), d / 3 % 2, 0, kind % 2 ? 64 : 32);
        stages_alone(&params, IN_ORDER);
    }
}

/* Every rest behind the fours, either way; a warp and a tile more or less. */
static void sizes(void **)
{
    static const unsigned sizes[] = {32,   33,   34,   35,   63,    64,    127,   128,   129,
                                     2047, 2048, 2049, 2051, 16383, 16384, 16385, 16386, 40003};
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
            device.sms = 1 + (int)i % 3;
            assert_in_order(verdict_on(kind, sizes[i / 2], i, i % 2, -1));
        }
    device.sms = 1;
}

/* All keys of the sample are seen in lines, the last four of which are not: two in the wrong order
 * at every place of the last ones, and anywhere; of larger elements in two warps. */
static void two_in_the_wrong_order(void **)
{
    unsigned found = 0;
    for (unsigned i = 0; i < POINTS; i++) {
        const unsigned n = 30000 + i;
        const unsigned any = (unsigned)draw(21, i, n - GB_WARP) | (i % 6 < 2 ? GB_WARP - 1 : 0);
        const unsigned at = i < 24 ? n - 2 - i / 2 : i < 36 ? i / 2 : any;
        const unsigned verdict = verdict_on(i / 2 % 3 ? 0 : i % KINDS, n, i, i % 2, at);
        if (verdict >> 31) continue;
        found++;
        /* the sample has seen it, or the attempt */
        if ((verdict & IN_ORDER) && !(verdict & FAILED))
            fail_msg("%u keys, at %u: the verdict is %x", n, at, verdict);
    }
    assert_in_range(found, POINTS / 2, POINTS);
}

/* Lines that ascend, but not from one to the next: the sample is not misled. */
static void lines_alone(void **)
{
    enum { KEYS = 65536 };
    const gb_params params = point(KEYS, "uniform", RS_U32, 0, 0, 0, 32);
    gb_job job = open_point(&params, 1);
    const plan p = open_plan(&job, BITS);
    unsigned *keys = (unsigned *)malloc(KEYS * sizeof *keys);
    assert_non_null(keys);
    for (unsigned i = 0; i < KEYS; i++)
        keys[i] = (i % GB_WARP << 27) + (unsigned)draw(23, i, 1 << 27);
    sort_keys(&job, &p, keys);
    assert_int_equal(verdict_of(&p), EVEN);
    free(keys);
    close_plan(&p);
    rs_close(job.problem);
}

/* An attempt that fails at the end, of evenly spread keys: the stages go on. */
static void the_stages_go_on(void **)
{
    for (unsigned descends = 0; descends < 2; descends++)
        for (unsigned seed = 1; seed < 8; seed += 2) {
            const unsigned verdict = verdict_on(seed / 2 % KINDS, 65539, seed, descends, 65539 - 2);
            if (!(verdict >> 31)) assert_int_equal(verdict, IN_ORDER | FAILED);
        }
}

static void other_schedules(void **)
{
    for (unsigned i = 0; i < 3 * GB_POLICY_COUNT; i++) {
        const gb_params params =
            point(5000 + (unsigned)draw(22, i, 20000), i % 2 ? "sorted" : "reversed",
                  of_32_bits[i % 3], 0, i / 2 % 2, 0, 32);
        device.sms = 1 + (int)i % 2;
        assert_int_equal(sort_under_schedule(&params, i), IN_ORDER);
    }
    device.sms = 1;
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    set_device();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordered_keys_are_copied), cmocka_unit_test(sizes),
        cmocka_unit_test(two_in_the_wrong_order),  cmocka_unit_test(lines_alone),
        cmocka_unit_test(the_stages_go_on),        cmocka_unit_test(other_schedules),
    };
    return cmocka_run_group_tests_name("the hybrid radix sort of keys in order", tests, NULL, NULL);
}
