/* Keys packed into runs and slices, read and unpacked again, and cuts through sorted runs, packed
 * or as they are. */
/* test: fast 2 */
#include "tests/kernels/radix-sort/radix_sort_packed.cuh"

#include <math.h>

/* ---- packing --------------------------------------------------------------------------------- */

/* Whether a gap of group g, other than to the first key of a record, is not below `limit`. */
static bool has_gap(const rs_shape *shape, const packed *p, uint64_t g, uint64_t limit)
{
    for (uint64_t i = g * RS_GROUP + 1; i < p->run.count && i < (g + 1) * RS_GROUP; i++)
        if (i % RS_RECORD != 0 &&
            rs_field(shape, p->keys[i]) - rs_field(shape, p->keys[i - 1]) >= limit)
            return true;
    return false;
}

static void assert_run(const rs_shape *shape, const packed *p)
{
    const uint64_t count = p->run.count, limit = (uint64_t)1 << p->run.bits;
    const uint64_t stride = count > 2000 ? 7 : 1;
    for (uint64_t g = 0; g < rs_groups(count); g++)
        assert_int_equal(p->to.wide_groups[g], has_gap(shape, p, g, limit));
    for (uint64_t i = 0; i < count; i += stride)
        assert_true(rs_run_field(shape, &p->run, i) == rs_field(shape, p->keys[i]));
    /* behind the last key there are no gaps */
    assert_true(rs_run_field(shape, &p->run, rs_records(count) * RS_RECORD - 1) ==
                rs_field(shape, p->keys[count - 1]));
}

static const uint64_t counts[] = {1, 2, 32, 33, 63, 64, 65, 1000, 2 * RS_GROUP + 77};

/* Gaps that are 0, as large as bits allow, one larger, and far larger in some groups. */
static void runs_are_packed(void **)
{
    static const unsigned some_bits[] = {1, 2, 13, 16, RS_MOST_BITS};
    const rs_type types[] = {RS_U32, RS_I32, RS_F32};
    unsigned t = 0;
    for (unsigned bits : some_bits) {
        const uint32_t limit = 1u << bits;
        const uint32_t larges[] = {0, limit - 1, limit, limit - 1};
        for (unsigned kind = 0; kind < 4; kind++, t++) {
            const rs_shape shape = shape_of(types[t % 3], t % 2);
            const uint32_t least = kind == 0 ? 1 : limit < 20 ? limit : 20;
            /* sparse keys have gaps of more than 16 bits, and all of them 32 to spread over */
            const uint64_t sparse = kind == 3 && bits <= 16 ? RS_GROUP + 100 : UINT64_MAX;
            for (uint64_t count : counts) {
                uint32_t *keys = make_keys(&shape, count, least, larges[kind], sparse);
                packed p = pack(&shape, keys, count, A_RUN, bits);
                assert_run(&shape, &p);
                assert_int_equal(p.to.wide_groups[0], kind == 2 && count > 32);
                free_packed(&p);
            }
        }
    }
}

static void slices_are_packed(void **)
{
    for (unsigned t = 0; t < 6; t++) {
        const rs_type types[] = {RS_U32, RS_I32, RS_F32};
        const rs_shape shape = shape_of(types[t % 3], t / 3);
        for (uint64_t count : counts) {
            uint32_t *keys = make_keys(&shape, count, 900, 900, RS_GROUP + 100);
            uint32_t *unpacked = room<uint32_t>(count + 1);
            packed p = pack(&shape, keys, count, AS_SLICES, 1);
            const uint64_t narrow = count < RS_GROUP ? count : (uint64_t)RS_GROUP;
            for (uint64_t g = 0; g < rs_groups(count); g++)
                assert_int_equal(p.to.wide_groups[g], g > 0);
            for (unsigned shift = 0; shift < 2; shift++) {
                memset(unpacked, 0xCB, (count + 1) * 4);
                rs_unpack(&shape, p.to.records, narrow, unpacked + shift);
                assert_memory_equal(unpacked + shift, keys, narrow * 4);
            }
            cudaFree(unpacked);
            free_packed(&p);
        }
    }
}

/* One in a hundred groups of evenly spread keys has a gap that the bits do not hold, at most, and
 * with one bit less there were more. */
static void bits_are_what_even_keys_need(void **)
{
    static const uint64_t some[] = {1, 64, 1 << 20, 1 << 21, 10485760, 1 << 26, UINT32_MAX};
    for (uint64_t keys : some) {
        const unsigned bits = rs_gap_bits(keys);
        const double mean = 4294967296.0 / (double)keys;
        assert_true(bits >= 1 && bits <= RS_MOST_BITS);
        assert_true(keys < 1 << 20 || RS_GROUP * exp(-(double)(1u << bits) / mean) <= 0.01);
        assert_true(bits == 1 || RS_GROUP * exp(-(double)(1u << (bits - 1)) / mean) > 0.01);
    }
    assert_int_equal(rs_gap_bits(10485760), 13);
}

/* From an eighth of the groups on, and faster where most need more. */
static void bits_follow_the_runs_before(void **)
{
    uint32_t wide_groups[17] = {1, 0, 1};
    rs_run run = {17 * (uint64_t)RS_GROUP, NULL, NULL, NULL, wide_groups, 9};
    assert_int_equal(rs_next_gap_bits(&run), 9);
    wide_groups[16] = 1;
    assert_int_equal(rs_next_gap_bits(&run), 11);
    for (unsigned g = 3; g < 12; g++)
        wide_groups[g] = 1;
    assert_int_equal(rs_next_gap_bits(&run), 11); /* 12 of 17 */
    wide_groups[12] = 1;
    assert_int_equal(rs_next_gap_bits(&run), 13);
    run.bits = RS_MOST_BITS - 1;
    assert_int_equal(rs_next_gap_bits(&run), RS_MOST_BITS);
}

/* A stretch of a run, as a segment behind `before`, its records in sheets, copied into words. */
static rs_segment add_segment(const packed *p, uint64_t from, uint64_t count, uint64_t sheet,
                              rs_segment before, uint32_t *words)
{
    const unsigned width = rs_run_words(p->run.bits), wide = rs_wide_words(p->run.bits);
    const uint64_t first = from / RS_RECORD / sheet * sheet,
                   some = rs_records(from + count) - first;
    const bool is_wide = p->to.wide_groups[from / RS_GROUP] != 0;
    rs_segment segment = before;
    segment.skip = from - first * RS_RECORD;
    segment.count = count;
    segment.bits = p->run.bits;
    segment.wide_words = is_wide ? segment.words + some * width : 0;
    memcpy(words + segment.words, p->to.records + first * width, some * width * 4);
    if (is_wide) memcpy(words + segment.wide_words, p->to.wide + first * wide, some * wide * 4);
    return segment;
}

/* Segments that begin and end within records, of both kinds and of runs with different bits, from
 * one buffer. */
static void segments_are_unpacked(void **)
{
    static const struct {
        unsigned run;
        uint64_t from, count;
    } stretches[] = {{0, 3, 1},           {0, 64, 64},          {1, 191, 2},    {2, 31, 1},
                     {1, 650, 500},       {2, 96, 1},           {0, 95, 2},     {2, 0, 1},
                     {0, RS_GROUP, 1000}, {1, 300, 64},         {2, 1000, 700}, {0, 63, 130},
                     {1, 767, 65},        {2, RS_GROUP + 7, 90}};
    enum { STRETCHES = sizeof stretches / sizeof *stretches };
    const uint64_t count = RS_GROUP + 1000;
    const rs_shape shape = shape_of(RS_F32, true);
    packed runs[3] = {pack(&shape, make_keys(&shape, count, 900, 8191, RS_GROUP), count, A_RUN, 13),
                      pack(&shape, make_keys(&shape, count, 2, 1, RS_GROUP), count, A_RUN, 1),
                      pack(&shape, make_keys(&shape, count, 9, 65536, count), count, A_RUN, 16)};
    assert_int_equal(runs[0].to.wide_groups[0] + runs[1].to.wide_groups[0], 0);
    assert_int_equal(runs[2].to.wide_groups[0], 1);
    for (uint64_t sheet = 1; sheet <= 4; sheet *= 4) {
        rs_segment *segments = room<rs_segment>(STRETCHES);
        uint32_t *words = room<uint32_t>(150 * RS_ALL_WORDS), *keys = room<uint32_t>(count);
        rs_segment next = {};
        for (unsigned s = 0; s < STRETCHES; s++) {
            next = add_segment(&runs[stretches[s].run], stretches[s].from, stretches[s].count,
                               sheet, next, words);
            segments[s] = next;
            const uint64_t some = rs_records(next.skip + next.count);
            const uint64_t width =
                next.wide_words ? (unsigned)RS_ALL_WORDS : rs_run_words((unsigned)next.bits);
            next.record += some + 1; /* one that nobody asks for */
            next.words += some * width;
            next.place += next.count;
        }
        assert_true(next.words <= 150 * RS_ALL_WORDS);
        assert_int_equal(rs_launch_unpack(&device, &shape, segments, STRETCHES, next.record - 1,
                                          words, keys, NULL),
                         cudaSuccess);
        for (unsigned s = 0; s < STRETCHES; s++)
            assert_memory_equal(keys + segments[s].place,
                                runs[stretches[s].run].keys + stretches[s].from,
                                segments[s].count * 4);
        assert_int_equal(keys[next.place], 0xCBCBCBCBu); /* nothing behind the last one */
        cudaFree(segments);
        cudaFree(words);
        cudaFree(keys);
    }
    for (packed &run : runs)
        free_packed(&run);
}

/* ---- cuts ------------------------------------------------------------------------------------ */

static void sort_keys(const rs_shape *shape, void *keys, uint64_t count)
{
    rs_shape part = *shape;
    part.n = count;
    void *scratch = malloc(count * 32 + 1);
    rs_oracle(&part, keys, NULL, scratch);
    free(scratch);
}

/* Everything before the cut belongs before everything behind it, in the order of the runs where
 * fields are equal. */
static void assert_cut(const rs_shape *shape, const rs_run *runs, unsigned count, const rs_cut *cut,
                       uint64_t rank)
{
    uint64_t sum = 0;
    for (unsigned r = 0; r < count; r++) {
        sum += cut->at[r];
        assert_true(cut->at[r] <= runs[r].count);
        if (cut->at[r] == 0) continue;
        const uint64_t last = rs_run_field(shape, &runs[r], cut->at[r] - 1);
        for (unsigned s = 0; s < count; s++) {
            if (cut->at[s] == runs[s].count) continue;
            const uint64_t next = rs_run_field(shape, &runs[s], cut->at[s]);
            assert_true(last < next || (last == next && r <= s));
        }
    }
    assert_true(sum == rank && cut->rank == rank);
}

enum { RUNS = 7, MOST_KEYS = 300 };

/* Sorted keys of run r in test t: all equal, of few kinds, close together, or anywhere. */
static rs_run draw_run(const rs_shape *shape, uint64_t t, unsigned r, uint64_t *keys)
{
    const uint64_t kinds[] = {1, 4, 500, UINT64_MAX, UINT64_MAX};
    const uint64_t apart = t % 5 == 2 ? 1 : 0x9E3779B97F4A7C15u;
    rs_run run = {};
    run.count = draw(2, t * RUNS + r, MOST_KEYS);
    run.keys = keys;
    for (uint64_t i = 0; i < run.count; i++)
        rs_store_key(shape->type, keys, i,
                     draw(3, (t * RUNS + r) * MOST_KEYS + i, kinds[t % 5]) * apart);
    sort_keys(shape, keys, run.count);
    return run;
}

static packed pack_run(const rs_shape *shape, const rs_run *run, unsigned bits)
{
    uint32_t *keys = room<uint32_t>(run->count);
    memcpy(keys, run->keys, run->count * 4);
    return pack(shape, keys, run->count, A_RUN, bits);
}

/* Cuts at ranks some keys apart, to the end. */
static void cut_all(const rs_shape *shape, const rs_run *runs, const rs_run *packed_runs,
                    unsigned count, uint64_t t)
{
    uint64_t at[RUNS] = {}, packed_at[RUNS] = {}, scratch[RS_CUT_WORDS * RUNS], all = 0;
    rs_cut cut = {at, 0}, packed_cut = {packed_at, 0};
    for (unsigned r = 0; r < count; r++)
        all += runs[r].count;
    for (uint64_t rank = 0, step = 0;; step++) {
        rs_cut_advance(shape, runs, count, rank, &cut, scratch);
        assert_cut(shape, runs, count, &cut, rank);
        if (packed_runs) {
            rs_cut_advance(shape, packed_runs, count, rank, &packed_cut, scratch);
            assert_memory_equal(packed_at, at, sizeof at);
        }
        if (rank == all) break;
        rank += draw(4, t * 1000 + step, 200);
        if (rank > all) rank = all;
    }
}

/* Packed, runs of 32-bit keys are cut at the same places. */
static void cuts_are_where_they_belong(void **)
{
    static uint64_t keys[RUNS][MOST_KEYS];
    for (uint64_t t = 0; t < 300; t++) {
        const rs_shape shape = shape_of(t % 3 == 0 ? RS_U64 : t % 3 == 1 ? RS_U32 : RS_F32, t % 2);
        const unsigned count = 1 + (unsigned)draw(1, t, RUNS);
        const bool is_packed = shape.type != RS_U64;
        rs_run runs[RUNS] = {}, packed_runs[RUNS] = {};
        packed packs[RUNS] = {};
        for (unsigned r = 0; r < count; r++) {
            runs[r] = draw_run(&shape, t, r, keys[r]);
            if (is_packed)
                packs[r] = pack_run(&shape, &runs[r], 1 + (unsigned)(t + r) % RS_MOST_BITS);
            packed_runs[r] = packs[r].run;
        }
        cut_all(&shape, runs, is_packed ? packed_runs : NULL, count, t);
        for (packed &p : packs)
            free_packed(&p);
    }
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_packed),
        cmocka_unit_test(slices_are_packed),
        cmocka_unit_test(bits_are_what_even_keys_need),
        cmocka_unit_test(bits_follow_the_runs_before),
        cmocka_unit_test(segments_are_unpacked),
        cmocka_unit_test(cuts_are_where_they_belong),
    };
    return cmocka_run_group_tests(tests, get_device, NULL);
}
