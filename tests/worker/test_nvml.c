/* What the worker makes of NVML's answers, of its refusals, and of its absence. */
#include "common/worker/nvml.h"
#include "tests/worker/nvml/fake_nvml.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct fake_nvml *fake;
static const char bus_id[] = "0000:1b:00.0";

static int find_fake(void **state)
{
    (void)state;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    fake = library ? dlsym(library, "fake_nvml") : NULL;
    return fake ? 0 : -1;
}

static int reset_fake(void **state)
{
    (void)state;
    *fake = (struct fake_nvml){.driver = "580.159.04", .bus_id = bus_id};
    return 0;
}

static gb_nvml *open_fake(void)
{
    gb_error error = {GB_OK, ""};
    gb_nvml *nvml = gb_nvml_open(&error);
    if (!nvml) fail_msg("%s", error.text);
    return nvml;
}

static void test_driver_version(void **state)
{
    (void)state;
    char text[64], small[4];
    gb_nvml *nvml = open_fake();
    assert_true(gb_nvml_driver_version(nvml, text, sizeof text));
    assert_string_equal(text, "580.159.04");
    assert_false(gb_nvml_driver_version(nvml, small, sizeof small));
    fake->driver = "";
    assert_false(gb_nvml_driver_version(nvml, text, sizeof text));
    gb_nvml_close(nvml);
    assert_int_equal(fake->opened, 1);
    assert_int_equal(fake->closed, 1);
}

static void test_numbers(void **state)
{
    (void)state;
    double sm, mem;
    gb_telemetry telemetry;
    gb_nvml *nvml = open_fake();
    gb_nvml_max_clocks(nvml, bus_id, &sm, &mem);
    assert_true(sm == 1980 && mem == 3202);
    gb_nvml_telemetry(nvml, bus_id, &telemetry);
    assert_true(telemetry.sm_clock_mhz == 1305 && telemetry.mem_clock_mhz == 3201);
    assert_true(telemetry.temperature_c == 47 && telemetry.power_w == 312.5);
    assert_true(telemetry.throttle_known);
    assert_int_equal(telemetry.throttle_count, 0);
    gb_nvml_close(nvml);
}

/* Each bit of NVML's mask and its word; idling (1) and clocks set by a person (2, 0x100) are none.
 */
static void test_throttle_reasons(void **state)
{
    (void)state;
    static const struct {
        unsigned long long bits;
        const char *words[3];
    } table[] = {{0x1, {NULL}},
                 {0x2, {NULL}},
                 {0x100, {NULL}},
                 {0x4, {"power-cap"}},
                 {0x8, {"hw-slowdown"}},
                 {0x10, {"sync-boost"}},
                 {0x20, {"thermal-slowdown"}},
                 {0x40, {"hw-thermal-slowdown"}},
                 {0x80, {"hw-power-brake"}},
                 {0x25, {"power-cap", "thermal-slowdown"}}};
    gb_telemetry telemetry;
    gb_nvml *nvml = open_fake();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        fake->reasons = table[i].bits;
        gb_nvml_telemetry(nvml, bus_id, &telemetry);
        size_t words = 0;
        for (; table[i].words[words]; words++) {
            assert_true(words < telemetry.throttle_count);
            assert_string_equal(telemetry.throttle[words], table[i].words[words]);
        }
        assert_int_equal(telemetry.throttle_count, words);
    }
    fake->reasons = ~0ull; /* there is room for all of them */
    gb_nvml_telemetry(nvml, bus_id, &telemetry);
    assert_true(telemetry.throttle_count <= GB_MAX_THROTTLE);
    gb_nvml_close(nvml);
}

/* What the GPU does not say is unknown, and never 0. */
static void test_refusals(void **state)
{
    (void)state;
    for (int stranger = 0; stranger < 2; stranger++) {
        double sm = 7, mem = 7;
        gb_telemetry telemetry;
        gb_nvml *nvml = open_fake();
        fake->refuses = !stranger;
        const char *id = stranger ? "0000:99:00.0" : bus_id;
        gb_nvml_max_clocks(nvml, id, &sm, &mem);
        assert_true(sm < 0 && mem < 0);
        gb_nvml_telemetry(nvml, id, &telemetry);
        assert_true(telemetry.sm_clock_mhz < 0 && telemetry.mem_clock_mhz < 0);
        assert_true(telemetry.temperature_c < 0 && telemetry.power_w < 0);
        assert_false(telemetry.throttle_known);
        assert_int_equal(telemetry.throttle_count, 0);
        gb_nvml_close(nvml);
    }
}

static void test_does_not_start(void **state)
{
    (void)state;
    gb_error error = {GB_OK, ""};
    fake->init_code = 9;
    assert_null(gb_nvml_open(&error));
    assert_int_equal(error.status, GB_UNSUPPORTED);
    assert_non_null(strstr(error.text, "Driver Not Loaded"));
    gb_nvml_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_driver_version, reset_fake),
        cmocka_unit_test_setup(test_numbers, reset_fake),
        cmocka_unit_test_setup(test_throttle_reasons, reset_fake),
        cmocka_unit_test_setup(test_refusals, reset_fake),
        cmocka_unit_test_setup(test_does_not_start, reset_fake),
    };
    return cmocka_run_group_tests(tests, find_fake, NULL);
}
