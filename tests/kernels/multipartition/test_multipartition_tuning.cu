/* A table of this device as the worker and the library take it: what is one, what is none, and what
 * goes on counting then. */
#include "tests/harness/device.cuh"

#include "common/protocol/columns.h"
#include "common/protocol/tuning.h"
#include "kernels/multipartition/partition/tuning.h"

#include <stdlib.h>
#include <string.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

static gb_device this_device()
{
    gb_device device = {};
    snprintf(device.name, sizeof device.name, "Some GPU");
    device.arch = 900;
    device.sms = 132;
    device.shared_per_sm = 228 << 10;
    device.shared_optin = 227 << 10;
    return device;
}

static mp_request usual()
{
    mp_request r = {};
    r.n = 1 << 25;
    r.bins = 256;
    r.key_bytes = 4;
    return r;
}

static std::string header()
{
    static const char *const axes[] = {"n", "bins", "dist", "function", "payload", "type"};
    size_t size;
    char *text = gb_columns_header(axes, 6, &size);
    std::string line(text, size);
    free(text);
    return line;
}

/* A row of 2^25 keys in 256 bins, by the header's columns. */
static std::string row(const char *variant, const char *seconds, const char *device = "Some GPU",
                       const char *dist = "uniform", const char *under = "",
                       const char *status = "ok")
{
    return std::string("1,20260101T000000Z-abcdef,multipartition-tuning,multipartition,") +
           variant + ",," + under + ",cuda," + device + ",33554432,256," + dist +
           ",range,none,u32,cold,device," + status + ",,10,keys,33554432," + seconds + "," +
           seconds + "," + seconds + "," + seconds + "," + seconds + "," + seconds +
           ",0,1e9,1e9,1e9,bandwidth,1e12,0.1,1980,3201,35,111,,1," + "2026-01-01T00:00:00Z\n";
}

static gb_status take(const std::string &text, gb_error *error, unsigned *points = NULL)
{
    const gb_device device = this_device();
    return mp_tuning_take(text.data(), text.size(), "FILE", &device, points, error);
}

static mp_method taken_now(void)
{
    const gb_device device = this_device();
    const mp_request r = usual();
    return mp_choose(&r, &device, NULL);
}

static void refused(const std::string &text, const char *words)
{
    gb_error error = {};
    assert_int_equal(take(text, &error), GB_WRONG);
    if (!strstr(error.text, words)) fail_msg("'%s' is not in '%s'", words, error.text);
}

static int drop(void **state)
{
    (void)state;
    mp_tuning_drop();
    return 0;
}

static void what_was_measured_here_counts_first(void **state)
{
    (void)state;
    gb_error error;
    unsigned points = 0;
    const mp_method before = taken_now();
    assert_int_not_equal(before, MP_STABLE_TWO_PASS);
    assert_int_equal(take(header() + row("unstable", "2e-4") + row("stable-two-pass", "1e-4") +
                              row("unstable", "1e-4", "Some GPU", "zipf") +
                              row("multisplit", "1e-9"),
                          &error, &points),
                     GB_OK);
    assert_int_equal(points, 2);
    assert_int_equal(taken_now(), MP_STABLE_TWO_PASS);
    /* what was not measured here goes by the tables that are compiled in */
    const gb_device device = this_device();
    mp_request wide = usual();
    wide.key_bytes = wide.payload_bytes = 8;
    const mp_tuned *nearest;
    (void)mp_choose(&wide, &device, &nearest);
    assert_string_equal(nearest->gpu, "NVIDIA H100 80GB HBM3");
    mp_tuning_drop();
    assert_int_equal(taken_now(), before);
}

static void what_is_no_table_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    gb_error error;
    const std::string good = header() + row("unstable", "2e-4") + row("stable-two-pass", "1e-4");
    assert_int_equal(take(good, &error), GB_OK);
    refused("", "FILE");
    refused("hello\n", "FILE: no row of it is of a method that auto could take");
    refused(header(), "no row");
    refused(header() + row("auto", "1e-4"), "no row");
    refused(header() + row("unstable", "1e-4", "Some GPU", "uniform", "", "unsupported"), "no row");
    refused(header() + row("unstable", "1e-4", "Another GPU"),
            "is of Another GPU, and this is Some GPU");
    refused(header() + row("unstable", "1e-4", "Some GPU", "uniform", "multiprocessors=64"),
            "is of Some GPU, multiprocessors=64, and this is Some GPU");
    refused(header() + row("unstable", "-1e-4"), "FILE");
    refused(header() + row("unstable", "fast"), "FILE");
    refused(header() + row("unstable", "1e-4") + "1,2026", "torn");
    refused(good.substr(0, good.size() - 9), "torn");
    refused(header() + "2" + row("unstable", "1e-4").substr(1), "schema");
    assert_int_equal(taken_now(), MP_STABLE_TWO_PASS);
}

static void what_it_goes_by_is_said(void **state)
{
    (void)state;
    gb_error error;
    char by[GB_MAX_TEXT];
    gb_device device = this_device();
    assert_int_equal(mp_tune(NULL, 0, &device, by, &error), GB_OK);
    assert_string_equal(by, "rule: from NVIDIA H100 80GB HBM3 by multiprocessors and bandwidth");
    const std::string table = header() + row("unstable", "2e-4");
    assert_int_equal(mp_tune(table.data(), table.size(), &device, by, &error), GB_OK);
    assert_string_equal(by, "measured here: 1 point; else rule: from NVIDIA H100 80GB HBM3 by "
                            "multiprocessors and bandwidth");
    snprintf(device.name, sizeof device.name, "NVIDIA H200");
    assert_int_equal(mp_tune(table.data(), table.size(), &device, by, &error), GB_WRONG);
    assert_int_equal(mp_tune(NULL, 0, &device, by, &error), GB_OK);
    assert_string_equal(by, "compiled in: NVIDIA H200");
}

/* Who chooses meanwhile goes by one table or the other. */
static void tables_may_change_while_others_choose(void **state)
{
    (void)state;
    const std::string one = header() + row("unstable", "2e-4") + row("stable-two-pass", "1e-4"),
                      other = header() + row("unstable", "1e-4") + row("stable-two-pass", "2e-4");
    gb_error error;
    assert_int_equal(take(one, &error), GB_OK);
    unsigned wrong = 0;
    std::thread chooser([&] {
        for (int i = 0; i < 2000; i++) {
            const mp_method method = taken_now();
            wrong += method != MP_STABLE_TWO_PASS && method != MP_UNSTABLE;
        }
    });
    for (int i = 0; i < 100; i++)
        assert_int_equal(take(i % 2 ? one : other, &error), GB_OK);
    chooser.join();
    assert_int_equal(wrong, 0);
}

/* ---- the file, as the library finds it --------------------------------------------------------
 */

static std::string scratch;

static void put(const std::string &path, const std::string &text)
{
    FILE *file = fopen(path.c_str(), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text.data(), 1, text.size(), file), text.size());
    assert_int_equal(fclose(file), 0);
}

static void path_is(const char *cache, const char *home, const char *expected)
{
    char path[256];
    gb_error error;
    cache ? setenv("XDG_CACHE_HOME", cache, 1) : unsetenv("XDG_CACHE_HOME");
    home ? setenv("HOME", home, 1) : unsetenv("HOME");
    const bool named = gb_tuning_path("GPU-12/../x", "multipartition", path, sizeof path, &error);
    if (expected) {
        assert_true(named);
        assert_string_equal(path, expected);
    } else {
        assert_false(named);
        assert_non_null(strstr(error.text, "neither XDG_CACHE_HOME nor HOME"));
    }
}

static void the_cache_folder_is_where_the_environment_says(void **state)
{
    (void)state;
    path_is("/c", "/h", "/c/gpubench/tuning/1/GPU-12----x/multipartition-tuning.csv");
    path_is(NULL, "/h", "/h/.cache/gpubench/tuning/1/GPU-12----x/multipartition-tuning.csv");
    path_is("", "/h", "/h/.cache/gpubench/tuning/1/GPU-12----x/multipartition-tuning.csv");
    path_is("here", "/h", "/h/.cache/gpubench/tuning/1/GPU-12----x/multipartition-tuning.csv");
    path_is("here", "there", NULL);
    path_is(NULL, NULL, NULL);
    char small[16];
    gb_error error;
    setenv("XDG_CACHE_HOME", "/c", 1);
    assert_false(gb_tuning_path("d", "p", small, sizeof small, &error));
}

static void loads(const char *path, mp_status status, const char *words)
{
    assert_int_equal(mp_partition_load_tuning(path), status);
    if (status != MP_OK && !strstr(mp_partition_error(), words))
        fail_msg("'%s' is not in '%s'", words, mp_partition_error());
}

static void the_library_loads_it_only_when_it_is_asked_to(void **state)
{
    (void)state;
    cudaDeviceProp device;
    assert_int_equal(cudaGetDeviceProperties(&device, 0), cudaSuccess);
    const std::string name = device.name, table = header() + row("unstable", "2e-4", name.c_str()) +
                                                  row("stable-two-pass", "1e-4", name.c_str());
    setenv("XDG_CACHE_HOME", scratch.c_str(), 1);
    loads(NULL, MP_INVALID, "multipartition-tuning.csv");
    char path[4096];
    gb_error error;
    assert_true(gb_tuning_path("simt", NULL, path, sizeof path, &error));
    for (char *at = path + 1; *at; at++) /* the folders above it */
        if (*at == '/') {
            *at = 0;
            (void)mkdir(path, 0700);
            *at = '/';
        }
    assert_int_equal(mkdir(path, 0700), 0);
    put(std::string(path) + "/multipartition-tuning.csv", table);
    mp_request r = usual();
    r.n = (uint64_t)(1 << 25) * (uint64_t)device.multiProcessorCount / 132 + 1;
    mp_method method;
    const char *on;
    assert_int_equal(mp_partition_choose(&r, &method, &on), MP_OK);
    assert_string_equal(on, "NVIDIA H100 80GB HBM3");
    loads(NULL, MP_OK, "");
    r.n = 1 << 25;
    assert_int_equal(mp_partition_choose(&r, &method, &on), MP_OK);
    assert_string_equal(on, "this device");
    assert_int_equal(method, MP_STABLE_TWO_PASS);
    const std::string other = scratch + "/other.csv";
    put(other, header() + row("unstable", "1e-4", name.c_str()));
    loads(other.c_str(), MP_OK, "");
    assert_int_equal(mp_partition_choose(&r, &method, NULL), MP_OK);
    assert_int_equal(method, MP_UNSTABLE);
    put(other, "torn");
    loads(other.c_str(), MP_INVALID, "other.csv");
    loads((scratch + "/none.csv").c_str(), MP_INVALID, "none.csv");
    assert_int_equal(mp_partition_choose(&r, &method, NULL), MP_OK);
    assert_int_equal(method, MP_UNSTABLE);
}

int main(void)
{
    char folder[] = "/tmp/gpubench-tuning-XXXXXX";
    if (!mkdtemp(folder)) return 1;
    scratch = folder;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_was_measured_here_counts_first, drop),
        cmocka_unit_test_teardown(what_is_no_table_is_refused_and_changes_nothing, drop),
        cmocka_unit_test_teardown(what_it_goes_by_is_said, drop),
        cmocka_unit_test_teardown(tables_may_change_while_others_choose, drop),
        cmocka_unit_test(the_cache_folder_is_where_the_environment_says),
        cmocka_unit_test_teardown(the_library_loads_it_only_when_it_is_asked_to, drop),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    const std::string cleared = "rm -rf " + scratch;
    return system(cleared.c_str()) != 0 || failed;
}
