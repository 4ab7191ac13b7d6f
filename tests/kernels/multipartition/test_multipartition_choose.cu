/* What method auto takes: the fastest at the nearest measured point, of those that can do it. */
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
    mp_tuned t = {"a GPU", 900, 132, 4, 0, keys, n, bins, {0}};
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
        cmocka_unit_test(the_device_and_the_element_come_before_sizes),
        cmocka_unit_test(stable_requests_get_stable_methods),
        cmocka_unit_test(what_the_device_refuses_is_not_taken),
        cmocka_unit_test(where_no_method_can_one_says_why),
        cmocka_unit_test(without_measurements_there_is_a_choice_too),
        cmocka_unit_test(the_table_is_of_gpus_that_were_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
