/* The hybrid radix sort in its stages: which keys the sample sends to onesweep and which not, that
 * what misleads the sample is caught by the stages behind it, the largest bucket, the numbers of
 * bits that only large inputs have, and other orders of threads. */
/* test: long 14 */
#include "tests/kernels/radix-sort/radix_sort_hybrid.cuh"

enum { POINTS = 40, BUCKET_BITS = 8, LINE = GB_WARP };

/* ---- the sample ------------------------------------------------------------------------------ */

static void sample(const char *dist, unsigned type, uint64_t n, unsigned expected)
{
    const unsigned kind = type % KINDS;
    const unsigned bits = kind % 2 ? 64 : 32;
    const gb_params params = point(n, dist, type_of(kind, type), payload_of(kind), n % 2, 0, bits);
    stages_alone(&params, expected);
}

static void even_keys_pass_the_sample(void **)
{
    for (unsigned d = 0; d < 2 * KINDS; d++)
        sample("uniform", d, d % 3 ? 65536 + d : 150001, EVEN);
    sample("uniform", 0, 1048577, EVEN); /* 9 bits */
}

static void uneven_keys_go_by_places(void **)
{
    static const char *const dists[] = {"normal", "binomial"};
    for (unsigned d = 0; d < 2 * KINDS; d++)
        sample(dists[d / KINDS], d, d % 3 ? 65536 : 150001, PLACED);
}

static void common_values_are_refused(void **)
{
    for (unsigned d = 0; d < KINDS; d++)
        sample("zipf", d, d ? 65536 : 150001, REFUSED);
}

/* ---- what misleads it ------------------------------------------------------------------------ */

/* Which lines the sample looks at: hy_sample's choice. */
static void mark_lines(const hy_sort *sort, bool *seen)
{
    const unsigned stretch = sort->n / LINE / sort->lines;
    for (unsigned l = 0; l < sort->lines; l++)
        seen[l * stretch + (gb_scatter32(l ^ sort->salt) % stretch)] = true;
}

/* Uniform keys, but for `count` in one bucket, all in lines that the sample sees or all in others.
 * steep: these agree in all bits but the lowest 12, and descend. */
typedef struct crowd {
    unsigned bucket, count;
    bool seen, steep;
} crowd;

static void make_crowd(const crowd *c, const bool *seen, unsigned n, uint64_t seed, unsigned *keys)
{
    unsigned left = c->count;
    for (unsigned i = 0; i < n; i++) {
        unsigned key = (unsigned)draw(seed, i, (uint64_t)1 << 32);
        const bool is_seen = seen[i / LINE];
        if (is_seen == c->seen && left) {
            left--;
            key = c->steep ? 0x123000u | (left & 0xfff) : key >> BUCKET_BITS;
            key |= c->bucket << (32 - BUCKET_BITS);
        } else if (key >> (32 - BUCKET_BITS) == c->bucket) {
            key ^= 1u << (32 - BUCKET_BITS);
        }
        keys[i] = key;
    }
    assert_int_equal(left, 0);
}

static void sort_crowd(const crowd *c, uint64_t seed, unsigned expected)
{
    enum { KEYS = 200003 };
    const gb_params params = point(KEYS, "uniform", RS_U32, 0, 0, 0, 32);
    gb_job job = open_point(&params, seed);
    const plan p = open_plan(&job, BUCKET_BITS);
    bool *seen = (bool *)calloc(KEYS / LINE + 1, sizeof *seen);
    unsigned *keys = (unsigned *)malloc(KEYS * 4);
    assert_true(seen && keys);
    mark_lines(&p.sort, seen);
    make_crowd(c, seen, KEYS, seed, keys);
    sort_keys(&job, &p, keys);
    if (verdict_of(&p) != expected)
        fail_msg("%u keys in bucket %u%s: verdict %u, not %u", c->count, c->bucket,
                 c->seen ? ", which the sample sees" : "", verdict_of(&p), expected);
    free(seen);
    free(keys);
    close_plan(&p);
    rs_close(job.problem);
}

static void a_crowd_in_the_sample_is_placed(void **)
{
    const crowd c = {77, 2000, true, false};
    sort_crowd(&c, 1, PLACED);
}

static void a_crowd_beside_the_sample_is_caught(void **)
{
    const crowd much = {77, 20000, false, false}, first = {0, 7000, false, true};
    sort_crowd(&much, 2, HY_ROW_FULL);
    sort_crowd(&first, 3, HY_ROW_FULL);
}

static void the_largest_bucket(void **)
{
    const crowd fits = {255, HY_LOCAL_KEYS, false, false};
    const crowd larger = {255, HY_LOCAL_KEYS + 1, false, false};
    sort_crowd(&fits, 4, 0);
    sort_crowd(&larger, 5, HY_TOO_LARGE);
}

/* A bucket whose groups are no groups: windows have to carry every key through all of it. */
static void a_bucket_of_one_group(void **)
{
    const crowd steep = {128, 900, false, true};
    sort_crowd(&steep, 6, 0);
}

/* ---- racks ----------------------------------------------------------------------------------- */

/* How many of those keys a rack has, and one or many more. */
static const unsigned in_rack[] = {0, 1, 15, 16, 17, 23, 24, 25, 26, 47, 120};
enum { IN_RACK = sizeof in_rack / sizeof *in_rack };

static unsigned rest_of(const plan *p)
{
    unsigned rest;
    assert_int_equal(cudaMemcpy(&rest, p->sort.rest, sizeof rest, cudaMemcpyDeviceToHost), 0);
    return rest;
}

/* The i-th of the images that one group of bucket b has so many of; the others are in other groups
 * or buckets. close: they differ in their last bits alone, if at all. */
static uint64_t crowded_image(unsigned b, unsigned i, unsigned group, bool close)
{
    const uint64_t low = draw(40 + b, i, 1 << 15), lower = draw(80 + b, i, (uint64_t)1 << 32);
    const uint64_t top = (uint64_t)b << 24 | group << 15 | (close ? 0x1234 : low);
    return top << 32 | (close ? 0xabcdef00u | (lower & 0x7f) : lower);
}

/* Buckets of which one group each has in_rack[] keys, the first, the last or any: those with more
 * than a rack has places go on the list, and no others. */
template <class Key> static void sort_racks(unsigned kind, bool close)
{
    enum { KEYS = 40009, BITS = 8, GROUPS = 1 << HY_RACK_BITS };
    const unsigned width = 8 * sizeof(Key);
    const gb_params params =
        point(KEYS, "uniform", type_of(kind, kind + close), payload_of(kind), 0, 0, width);
    gb_job job = open_point(&params, kind);
    const plan p = open_plan(&job, BITS);
    Key *keys = (Key *)malloc(KEYS * sizeof *keys);
    assert_non_null(keys);
    unsigned at = 0, full = 0, taken[256] = {};
    while (at < KEYS) {
        const uint64_t word = gb_random(41, 0, at).word[0] | (uint64_t)gb_random(42, 0, at).word[1]
                                                                 << 32;
        const unsigned b = (unsigned)(word >> 56), want = in_rack[b % IN_RACK];
        const unsigned group = b % 3 == 0 ? 0 : b % 3 == 1 ? GROUPS - 1 : b * 7 % GROUPS;
        uint64_t image = word;
        if (taken[b] < want)
            image = crowded_image(b, taken[b]++, group, close);
        else if ((word >> 47 & (GROUPS - 1)) == group)
            image ^= (uint64_t)1 << 49;
        keys[at++] = hy_decode(p.sort.codec, (Key)(image >> (64 - width)));
    }
    for (unsigned b = 0; b < 256; b++) {
        assert_int_equal(taken[b], in_rack[b % IN_RACK]);
        full += taken[b] > HY_RACK_ROOM;
    }
    sort_keys(&job, &p, keys);
    assert_int_equal(verdict_of(&p), EVEN);
    assert_int_equal(rest_of(&p), full);
    free(keys);
    close_plan(&p);
    rs_close(job.problem);
}

static void full_racks(void **)
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (kind % 2)
            sort_racks<unsigned long long>(kind, false);
        else
            sort_racks<unsigned>(kind, false);
}

/* What racks compare first is the same: 16 bits behind the group's. */
static void ties(void **)
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (kind % 2)
            sort_racks<unsigned long long>(kind, true);
        else
            sort_racks<unsigned>(kind, true);
}

/* ---- whole sorts ----------------------------------------------------------------------------- */

static gb_params draw_point(uint64_t i, uint64_t most)
{
    unsigned begin, end;
    const unsigned kind = draw(12, i, 2) ? 0 : 1 + (unsigned)draw(13, i, KINDS - 1);
    const unsigned type = type_of(kind, draw(4, i, 3));
    const uint64_t n = LINE + draw(7, i, 1 + (most >> draw(8, i, 6)));
    draw_bits(2000 + i, type, &begin, &end);
    if (rs_is_float((rs_type)type)) end = 8 * (unsigned)rs_key_bytes((rs_type)type); /* serves */
    return point(n, draw(5, i, 2) ? "uniform" : draw_dist(i), type, payload_of(kind),
                 (unsigned)draw(9, i, 2), begin, end);
}

static void random_points(void **)
{
    unsigned even = 0, placed = 0;
    for (uint64_t i = 0; i < POINTS; i++) {
        const gb_params params = draw_point(i, 80000);
        device.sms = 1 + (int)draw(10, i, 4);
        const unsigned verdict = sort_with_bits(&params, i, 2 + (unsigned)draw(11, i, 8));
        if (verdict == EVEN) even++;
        if (verdict == PLACED) placed++;
    }
    device.sms = 1;
    /* else one of these ways is hardly tried */
    assert_in_range(even, POINTS / 4, POINTS * 3 / 4);
    assert_in_range(placed, POINTS / 10, POINTS * 3 / 4);
}

/* As many bins as there can be in both partitions, and pages of 256 keys. So many buckets are only
 * quick where nearly all are empty: the sample is made to see one line alone, whose keys differ. */
static void all_bins(void **)
{
    enum { KEYS = 60003, BINS = 256, BIN = 7 };
    const gb_params params = point(KEYS, "uniform", RS_U32, 0, 0, 0, 32);
    gb_job job = open_point(&params, 1);
    plan p = open_plan(&job, 16);
    unsigned *keys = (unsigned *)malloc(KEYS * 4);
    bool *seen = (bool *)calloc(KEYS / LINE + 1, sizeof *seen);
    assert_true(keys && seen);
    p.sort.lines = 1;
    mark_lines(&p.sort, seen);
    assert_int_equal(p.sort.page_shift, 8);
    for (unsigned i = 0; i < KEYS; i++) {
        const unsigned bin = (unsigned)draw(20, i, BINS), low = (unsigned)draw(21, i, 1 << 16);
        const unsigned bucket = i % 3 == 0   ? BIN * BINS + bin /* all bins of a segment */
                                : i % 3 == 1 ? bin * BINS + bin * 37 % BINS /* all segments */
                                             : (BIN + bin % 17) * BINS + bin % 17; /* whole pages */
        keys[i] = seen[i / LINE] ? i % LINE << 27 : bucket << 16 | low;
    }
    sort_keys(&job, &p, keys);
    assert_int_equal(verdict_of(&p), IN_ORDER | FAILED); /* one line that ascends */
    free(seen);
    free(keys);
    close_plan(&p);
    rs_close(job.problem);
}

/* Every kind, and wide payloads by their indexes, as the variant sorts them. */
static void all_types_and_payloads(void **)
{
    for (unsigned i = 0; i < RS_TYPES * 4; i++) {
        const unsigned type = i % RS_TYPES, width = 8 * (unsigned)rs_key_bytes((rs_type)type);
        const gb_params params = point(HY_LEAST + 7 * i, i % 5 ? "uniform" : "normal", type,
                                       i / RS_TYPES, i % 2, 0, width);
        gb_job job = open_point(&params, i);
        assert_true(serves(&job.problem->shape, &device));
        if (rs_hybrid.prepare(&job) != GB_OK || rs_hybrid.run(&job, NULL) != GB_OK ||
            rs_check(&job, NULL) != GB_OK)
            fail_msg("%s: %s", name_of(&params), job.error.text);
        rs_hybrid.cleanup(&job);
        rs_close(job.problem);
    }
}

/* The variant as it is, on a device of one multiprocessor: below and from HY_LEAST keys on, and
 * where few digits count. */
static void the_variant(void **)
{
    static const struct {
        uint64_t n;
        unsigned begin, end;
        bool in_stages;
    } cases[] = {
        {HY_LEAST - 1, 3, 29, false}, {HY_LEAST, 3, 29, true}, {HY_LEAST + 1, 3, 29, true},
        {HY_LEAST, 8, 24, false},     {HY_LEAST, 8, 32, true}, {HY_LEAST, 9, 25, false},
        {HY_LEAST, 5, 13, false},     {HY_LEAST, 9, 26, true},
    };
    for (const auto &c : cases) {
        const gb_params params = point(c.n, "uniform", RS_I32, 0, 1, c.begin, c.end);
        gb_job job = open_point(&params, c.n);
        assert_int_equal(serves(&job.problem->shape, &device), c.in_stages);
        if (rs_hybrid.prepare(&job) != GB_OK || rs_hybrid.run(&job, NULL) != GB_OK ||
            rs_check(&job, NULL) != GB_OK)
            fail_msg("%s: %s", name_of(&params), job.error.text);
        rs_hybrid.cleanup(&job);
        rs_close(job.problem);
    }
}

/* ---- orders of threads ----------------------------------------------------------------------- */

static void other_schedules(void **)
{
    for (unsigned i = 0; i < 2 * GB_POLICY_COUNT; i++) {
        const gb_params params = draw_point(3000 + i, 30000);
        sort_under_schedule(&params, i);
    }
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    set_device();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_keys_pass_the_sample),
        cmocka_unit_test(uneven_keys_go_by_places),
        cmocka_unit_test(common_values_are_refused),
        cmocka_unit_test(a_crowd_in_the_sample_is_placed),
        cmocka_unit_test(a_crowd_beside_the_sample_is_caught),
        cmocka_unit_test(the_largest_bucket),
        cmocka_unit_test(a_bucket_of_one_group),
        cmocka_unit_test(full_racks),
        cmocka_unit_test(ties),
        cmocka_unit_test(random_points),
        cmocka_unit_test(all_bins),
        cmocka_unit_test(all_types_and_payloads),
        cmocka_unit_test(the_variant),
        cmocka_unit_test(other_schedules),
    };
    return cmocka_run_group_tests_name("the hybrid radix sort", tests, NULL, NULL);
}
