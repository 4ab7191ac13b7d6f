/* What method auto takes: the one that a table lets expect to be the fastest, of those that can do
 * it. */
#include "tests/harness/device.cuh"

#include "kernels/multipartition/partition/partition.h"

static gb_device h200()
{
    gb_device device = {};
    device.arch = 900;
    device.sms = 132;
    device.shared_per_sm = 228 << 10;
    device.shared_optin = 227 << 10;
    return device;
}

static mp_tuned point(uint64_t n, uint32_t bins, mp_method fastest, mp_keys keys = MP_KEYS_ANY)
{
    mp_tuned t = {"a GPU", 900, 132, 4, 0, keys, n, bins, {0}, 0, 0};
    for (int m = MP_AUTO + 1; m < MP_METHODS; m++)
        t.seconds[m] = m == fastest ? 1 : 2 + m;
    return t;
}

static mp_request request(uint64_t n, uint32_t bins)
{
    mp_request r = {};
    r.n = n;
    r.bins = bins;
    r.key_bytes = 4;
    return r;
}

template <size_t COUNT> static mp_method chosen(const mp_tuned (&table)[COUNT], const mp_request &r)
{
    const gb_device device = h200();
    return mp_choose_from(table, COUNT, &r, &device, NULL);
}

static void the_nearest_n_and_bins_decide(void **state)
{
    (void)state;
    const mp_tuned table[] = {
        point(1 << 20, 16, MP_UNSTABLE_RESIDENT), point(1 << 25, 16, MP_UNSTABLE_COUNTED),
        point(1 << 25, 4096, MP_UNSTABLE_TWO_PASS), point(1 << 28, 16, MP_UNSTABLE)};
    assert_int_equal(chosen(table, request(100000, 16)), MP_UNSTABLE_RESIDENT);
    assert_int_equal(chosen(table, request(40000000, 20)), MP_UNSTABLE_COUNTED);
    assert_int_equal(chosen(table, request(40000000, 3000)), MP_UNSTABLE_TWO_PASS);
    assert_int_equal(chosen(table, request(1 << 30, 2)), MP_UNSTABLE);
}

static void what_is_known_of_the_keys_comes_before_sizes(void **state)
{
    (void)state;
    const mp_tuned table[] = {point(1 << 25, 256, MP_UNSTABLE),
                              point(1 << 20, 16, MP_STABLE, MP_KEYS_SORTED)};
    mp_request r = request(1 << 25, 256);
    assert_int_equal(chosen(table, r), MP_UNSTABLE);
    r.keys = MP_KEYS_SORTED;
    assert_int_equal(chosen(table, r), MP_STABLE);
    r.keys = MP_KEYS_SKEWED; /* was not measured: as if nothing were known */
    assert_int_equal(chosen(table, r), MP_UNSTABLE);
}

static void few_values_are_skewed_where_they_were_not_measured(void **state)
{
    (void)state;
    mp_tuned table[] = {point(1 << 25, 256, MP_UNSTABLE),
                        point(1 << 20, 16, MP_STABLE, MP_KEYS_SKEWED),
                        point(1 << 24, 64, MP_UNSTABLE_COUNTED, MP_KEYS_SORTED)};
    mp_request r = request(1 << 25, 256);
    r.keys = MP_KEYS_FEW;
    assert_int_equal(chosen(table, r), MP_STABLE);
    table[2].keys = MP_KEYS_FEW;
    assert_int_equal(chosen(table, r), MP_UNSTABLE_COUNTED);
}

static void the_device_and_the_element_come_before_sizes(void **state)
{
    (void)state;
    mp_tuned table[] = {point(1 << 25, 256, MP_UNSTABLE), point(1 << 20, 16, MP_STABLE)};
    table[0].arch = 350;
    assert_int_equal(chosen(table, request(1 << 25, 256)), MP_STABLE);
    table[0].arch = 900;
    table[1].payload_bytes = 16;
    mp_request r = request(1 << 25, 256);
    assert_int_equal(chosen(table, r), MP_UNSTABLE);
    r.payload_bytes = 8;
    assert_int_equal(chosen(table, r), MP_STABLE);
}

static void stable_requests_get_stable_methods(void **state)
{
    (void)state;
    const mp_tuned table[] = {point(1 << 25, 256, MP_UNSTABLE)};
    mp_request r = request(1 << 25, 256);
    r.stable = 1;
    assert_int_equal(chosen(table, r), MP_STABLE);
    r.bins = 5000; /* more than one pass can tell apart */
    assert_int_equal(chosen(table, r), MP_STABLE_TWO_PASS);
}

static void what_the_device_refuses_is_not_taken(void **state)
{
    (void)state;
    const mp_tuned table[] = {point(1 << 21, 256, MP_UNSTABLE_RESIDENT)};
    assert_int_equal(chosen(table, request(1 << 20, 256)), MP_UNSTABLE_RESIDENT);
    assert_int_equal(chosen(table, request(1 << 23, 256)), MP_UNSTABLE);
    assert_int_equal(chosen(table, request(1 << 23, 1 << 20)), MP_UNSTABLE_TWO_PASS);
}

static void where_no_method_can_one_says_why(void **state)
{
    (void)state;
    gb_device old = {};
    old.arch = 350;
    old.sms = 15;
    old.shared_per_sm = old.shared_optin = 48 << 10;
    mp_request r = request(1 << 20, 1 << 20);
    r.key_bytes = 8;
    r.payload_bytes = 16;
    r.method = mp_choose_from(mp_tuning, mp_tuning_count, &r, &old, NULL);
    assert_int_equal(r.method, MP_UNSTABLE_TWO_PASS);
    assert_string_equal(mp_refusal(&r, &old), "1024 digits do not fit a pass");
}

static void without_measurements_there_is_a_choice_too(void **state)
{
    (void)state;
    const mp_tuned none[1] = {};
    const gb_device device = h200();
    mp_request r = request(1 << 25, 256);
    const mp_tuned *nearest = none;
    assert_int_equal(mp_choose_from(none, 0, &r, &device, &nearest), MP_UNSTABLE);
    assert_null(nearest);
}

/* Two methods whose times cross between two points of a table: to that side of it that is nearer,
 * one is the faster. */
static void between_points_times_are_interpolated(void **state)
{
    (void)state;
    mp_tuned table[] = {point(1 << 20, 64, MP_UNSTABLE), point(1 << 20, 1024, MP_UNSTABLE_COUNTED),
                        point(1 << 24, 64, MP_UNSTABLE), point(1 << 24, 1024, MP_UNSTABLE_COUNTED)};
    for (mp_tuned &t : table)
        for (double &seconds : t.seconds)
            seconds = 0;
    /* from 64 to 1024 bins one grows fourfold, the other stays: at 256 both take 2 */
    for (int i = 0; i < 4; i++) {
        table[i].seconds[MP_UNSTABLE] = i % 2 ? 4 : 1;
        table[i].seconds[MP_UNSTABLE_COUNTED] = 2;
    }
    assert_int_equal(chosen(table, request(1 << 22, 250)), MP_UNSTABLE);
    assert_int_equal(chosen(table, request(1 << 22, 262)), MP_UNSTABLE_COUNTED);
    assert_int_equal(chosen(table, request(1 << 22, 500)), MP_UNSTABLE_COUNTED);
    double seconds[MP_METHODS];
    const gb_device device = h200();
    mp_request r = request(1 << 22, 256);
    assert_non_null(mp_expect(table, 4, &r, &device, seconds));
    assert_float_equal(seconds[MP_UNSTABLE], 2, 1e-9);
    assert_float_equal(seconds[MP_UNSTABLE_COUNTED], 2, 1e-9);
    assert_true(seconds[MP_STABLE] == 0); /* was not measured */
    /* the same along n */
    for (int i = 0; i < 4; i++)
        table[i].seconds[MP_UNSTABLE] = i >= 2 ? 4 : 1;
    assert_int_equal(chosen(table, request(4100000, 64)), MP_UNSTABLE);
    assert_int_equal(chosen(table, request(4300000, 64)), MP_UNSTABLE_COUNTED);
    /* beyond all points: the last one, and as much a key as there */
    r = request(1 << 26, 64);
    (void)mp_expect(table, 4, &r, &device, seconds);
    assert_float_equal(seconds[MP_UNSTABLE], 16, 1e-9);
}

/* A method that one of two points lacks keeps its distance to the fastest. */
static void a_method_measured_to_one_side_keeps_its_distance(void **state)
{
    (void)state;
    mp_tuned table[] = {point(1 << 20, 64, MP_UNSTABLE), point(1 << 20, 1024, MP_UNSTABLE)};
    for (mp_tuned &t : table)
        for (double &seconds : t.seconds)
            seconds = 0;
    table[0].seconds[MP_UNSTABLE] = 2;
    table[0].seconds[MP_UNSTABLE_COUNTED] = 3;
    table[1].seconds[MP_UNSTABLE] = 8;
    double seconds[MP_METHODS];
    const gb_device device = h200();
    const mp_request r = request(1 << 20, 256);
    (void)mp_expect(table, 2, &r, &device, seconds);
    assert_float_equal(seconds[MP_UNSTABLE], 4, 1e-9);
    assert_float_equal(seconds[MP_UNSTABLE_COUNTED], 6, 1e-9);
}

/* What decides is how much a multiprocessor has. */
static void another_number_of_multiprocessors_moves_the_crossover(void **state)
{
    (void)state;
    const mp_tuned table[] = {point(1 << 20, 256, MP_UNSTABLE_COUNTED),
                              point(1 << 26, 256, MP_UNSTABLE)};
    gb_device device = h200();
    mp_request r = request(1 << 22, 256);
    assert_int_equal(mp_choose_from(table, 2, &r, &device, NULL), MP_UNSTABLE_COUNTED);
    device.sms = 16;
    assert_int_equal(mp_choose_from(table, 2, &r, &device, NULL), MP_UNSTABLE);
    device.sms = 4 * 132;
    r.n = 1 << 24;
    assert_int_equal(mp_choose_from(table, 2, &r, &device, NULL), MP_UNSTABLE_COUNTED);
}

/* The less bandwidth, the better the method that moves less; not where the L2 holds it all. */
static void less_bandwidth_is_for_who_moves_less(void **state)
{
    (void)state;
    mp_tuned t = point(1 << 25, 256, MP_UNSTABLE_COUNTED);
    for (double &seconds : t.seconds)
        seconds = 0;
    t.seconds[MP_UNSTABLE] = 140e-6;         /* 8.25 bytes a key */
    t.seconds[MP_UNSTABLE_COUNTED] = 135e-6; /* 12 */
    t.copy_bytes_per_s = 4.3e12;
    gb_device device = h200();
    mp_request r = request(1 << 25, 256);
    assert_int_equal(mp_choose_from(&t, 1, &r, &device, NULL), MP_UNSTABLE_COUNTED); /* unknown */
    device.copy_bytes_per_s = 4.3e12;
    assert_int_equal(mp_choose_from(&t, 1, &r, &device, NULL), MP_UNSTABLE_COUNTED);
    device.copy_bytes_per_s = 3.0e12;
    assert_int_equal(mp_choose_from(&t, 1, &r, &device, NULL), MP_UNSTABLE);
    t.l2_bytes = device.l2_bytes = (uint64_t)1 << 30;
    assert_int_equal(mp_choose_from(&t, 1, &r, &device, NULL), MP_UNSTABLE_COUNTED);
}

/* Of several GPUs' tables the one that is nearest counts, and each where it is measured. */
static void the_most_alike_gpu_counts(void **state)
{
    (void)state;
    mp_tuned table[] = {point(1 << 25, 256, MP_UNSTABLE), point(1 << 25, 256, MP_UNSTABLE_COUNTED),
                        point(1 << 25, 256, MP_STABLE)};
    table[0].gpu = "wide";
    table[0].copy_bytes_per_s = 4.3e12;
    table[1].gpu = "narrow";
    table[1].copy_bytes_per_s = 2e12;
    table[2].gpu = "old";
    table[2].arch = 700;
    table[2].copy_bytes_per_s = 3e12;
    gb_device device = h200();
    device.copy_bytes_per_s = 2.5e12;
    const mp_request r = request(1 << 25, 256);
    const mp_tuned *nearest;
    (void)mp_choose_from(table, 3, &r, &device, &nearest);
    assert_string_equal(nearest->gpu, "narrow");
    device.copy_bytes_per_s = 3.9e12;
    (void)mp_choose_from(table, 3, &r, &device, &nearest);
    assert_string_equal(nearest->gpu, "wide");
    device.arch = 750;
    (void)mp_choose_from(table, 3, &r, &device, &nearest);
    assert_string_equal(nearest->gpu, "old");
}

/* The table that the build has made of results/ is what auto looks at. */
static void the_table_is_of_gpus_that_were_measured(void **state)
{
    (void)state;
    assert_true(mp_tuning_count > 100);
    for (unsigned i = 0; i < mp_tuning_count; i++) {
        const mp_tuned *t = &mp_tuning[i];
        double least = 0;
        for (int m = MP_AUTO + 1; m < MP_METHODS; m++)
            if (t->seconds[m] > 0 && (least == 0 || t->seconds[m] < least)) least = t->seconds[m];
        assert_true(t->gpu && t->arch >= 350 && t->sms > 0 && least > 0);
        gb_device device = h200();
        device.arch = t->arch;
        device.sms = t->sms;
        device.copy_bytes_per_s = t->copy_bytes_per_s;
        device.l2_bytes = t->l2_bytes;
        mp_request r = request(t->n, t->bins);
        r.key_bytes = t->key_bytes;
        r.payload_bytes = t->payload_bytes;
        r.keys = t->keys;
        const mp_method method = mp_choose_from(mp_tuning, mp_tuning_count, &r, &device, NULL);
        assert_true(t->seconds[method] == least);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_n_and_bins_decide),
        cmocka_unit_test(what_is_known_of_the_keys_comes_before_sizes),
        cmocka_unit_test(few_values_are_skewed_where_they_were_not_measured),
        cmocka_unit_test(the_device_and_the_element_come_before_sizes),
        cmocka_unit_test(stable_requests_get_stable_methods),
        cmocka_unit_test(what_the_device_refuses_is_not_taken),
        cmocka_unit_test(where_no_method_can_one_says_why),
        cmocka_unit_test(without_measurements_there_is_a_choice_too),
        cmocka_unit_test(between_points_times_are_interpolated),
        cmocka_unit_test(a_method_measured_to_one_side_keeps_its_distance),
        cmocka_unit_test(another_number_of_multiprocessors_moves_the_crossover),
        cmocka_unit_test(less_bandwidth_is_for_who_moves_less),
        cmocka_unit_test(the_most_alike_gpu_counts),
        cmocka_unit_test(the_table_is_of_gpus_that_were_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
