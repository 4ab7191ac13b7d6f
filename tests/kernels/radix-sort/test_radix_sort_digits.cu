/* The radix sorts by digits, of 1, 4 and 8 bits: their digits against the field that keys are
 * ordered by, the buffers that passes alternate between, and whole sorts of random points, also
 * with the 64-bit positions that only more than 2^32 keys would need. */
/* test: long 8 */
#include "kernels/radix-sort/lsd_digits.cuh"
#include "kernels/radix-sort/paper/lsd1.cuh"
#include "tests/kernels/radix-sort/radix_sort_points.cuh"

enum { KEYS = 200, POINTS = 60, MOST_KEYS = 40000 };
static gb_variant variant;

/* ---- digits ---------------------------------------------------------------------------------- */

template <class Key> static void compare_digits(const rs_shape *shape, unsigned digit_bits)
{
    const unsigned bits = shape->end_bit - shape->begin_bit;
    for (uint64_t i = 0; i < KEYS; i++) {
        const Key key = (Key)draw(3, i, UINT64_MAX);
        uint64_t field = 0;
        for (unsigned pass = 0; pass < rs_passes(shape, digit_bits); pass++) {
            const rs_digit<Key> digit = rs_digit_of<Key>(shape, pass, digit_bits);
            assert_true(digit(key) <= digit.mask);
            assert_true(digit.mask < 1u << digit_bits);
            field |= (uint64_t)digit(key) << (pass * digit_bits);
        }
        assert_true(bits == 64 || field < (uint64_t)1 << bits);
        assert_true(field == rs_field(shape, key));
    }
}

static void digits_make_up_the_field(void **)
{
    for (uint64_t i = 0; i < 400; i++) {
        const unsigned type = (unsigned)i % RS_TYPES, order = (unsigned)i / RS_TYPES % 2;
        unsigned begin, end;
        draw_bits(i, type, &begin, &end);
        const gb_params params = point(1, "uniform", type, 0, order, begin, end);
        const rs_shape shape = rs_shape_of(&params);
        for (unsigned digit_bits = 1; digit_bits <= 8; digit_bits++) {
            if (rs_is_wide((rs_type)type))
                compare_digits<unsigned long long>(&shape, digit_bits);
            else
                compare_digits<uint32_t>(&shape, digit_bits);
        }
    }
}

/* ---- buffers --------------------------------------------------------------------------------- */

static void passes_end_in_the_output(void **)
{
    gb_problem problem;
    uint32_t in, out, other;
    const rs_elements spare = {&other, NULL};
    memset(&problem, 0, sizeof problem);
    problem.keys_in = &in;
    problem.keys_out = &out;
    for (unsigned passes = 1; passes <= 64; passes++) {
        const void *last = &in;
        for (unsigned i = 0; i < passes; i++) {
            const rs_elements source = rs_pass_source(&problem, &spare, i, passes);
            const rs_elements target = rs_pass_target(&problem, &spare, i, passes);
            assert_ptr_equal(source.keys, last);
            assert_ptr_not_equal(target.keys, source.keys);
            assert_ptr_not_equal(target.keys, &in);
            assert_true(passes > 1 || target.keys != &other); /* a single pass has no spare */
            last = target.keys;
        }
        assert_ptr_equal(last, &out);
    }
}

/* ---- sorts ----------------------------------------------------------------------------------- */

/* Sorts the point of job with positions of so many bytes, and has the checker judge it. */
static gb_status sort(gb_job *job, unsigned digit_bits, size_t position_bytes)
{
    gb_status status = digit_bits == 1 ? lsd1_open(job, position_bytes)
                                       : lsd_open(job, digit_bits, position_bytes);
    if (status == GB_OK) status = rs_poison(job, NULL);
    if (status == GB_OK)
        status = digit_bits == 1   ? lsd1_run(job, true, NULL)
                 : digit_bits == 4 ? lsd_run<4>(job, NULL)
                                   : lsd_run<8>(job, NULL);
    if (status == GB_OK) status = rs_check(job, NULL);
    if (digit_bits == 1)
        lsd1_close(job);
    else
        lsd_close(job);
    return status;
}

/* Random points, each by all three sorts. */
static void sort_points(size_t position_bytes)
{
    for (uint64_t i = 0; i < POINTS; i++) {
        const unsigned type = (unsigned)draw(4, i, RS_TYPES), payload = (unsigned)draw(5, i, 2);
        unsigned begin, end;
        const char *dist = draw_dist(i);
        draw_bits(1000 + i, type, &begin, &end);
        const uint64_t n = 1 + draw(7, i, 1 + (MOST_KEYS >> draw(8, i, 10)));
        const gb_params params = point(n, dist, type, payload, (unsigned)draw(9, i, 2), begin, end);
        gb_job job = open_job(&variant, &params, i);
        const unsigned digit_bits[] = {1, 4, 8};
        for (int k = 0; k < 3; k++)
            if (sort(&job, digit_bits[k], position_bytes) != GB_OK)
                fail_msg("point %d, %u bits a pass: %s: %s", (int)i, digit_bits[k],
                         name_of(&params), job.error.text);
        rs_close(job.problem);
    }
}

static void narrow_positions(void **)
{
    sort_points(4);
}

static void wide_positions(void **)
{
    sort_points(8);
}

int main(void)
{
    device.sms = 2;
    device.arch = 900;
    device.memory_bytes = (uint64_t)1 << 30;
    variant.name = "digits";
    variant.flags = GB_STABLE;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_make_up_the_field),
        cmocka_unit_test(passes_end_in_the_output),
        cmocka_unit_test(narrow_positions),
        cmocka_unit_test(wide_positions),
    };
    return cmocka_run_group_tests_name("radix sorts by digits", tests, NULL, NULL);
}
