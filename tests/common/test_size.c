/* Sizes: every suffix, every refusal with its reason, the borders of 64 bits, and the way back. */
#include "common/text/size.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void parses(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t size;
    } cases[] = {
        {"0", 0},
        {"7", 7},
        {"007", 7},
        {"4096", 4096},
        {"1k", 1000},
        {"32M", 32000000},
        {"2G", 2000000000},
        {"16Ki", 16384},
        {"3Mi", 3145728},
        {"4Gi", UINT64_C(4) << 30},
        {"0Gi", 0},
        {"18446744073709551615", UINT64_MAX},
        {"18446744073G", UINT64_C(18446744073000000000)},
        {"17179869183Gi", UINT64_C(17179869183) << 30},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t size = 1;
        const char *why = NULL;
        if (!gb_size_parse(cases[i].text, &size, &why))
            fail_msg("\"%s\" refused: %s", cases[i].text, why);
        assert_int_equal(size, cases[i].size);
    }
}

static void same(void **state)
{
    (void)state;
    assert_true(gb_size_same("32Ki", "32768"));
    assert_true(gb_size_same("007", "7"));
    assert_true(gb_size_same("warp", "warp"));
    assert_true(gb_size_same("", ""));
    assert_false(gb_size_same("32k", "32Ki"));
    assert_false(gb_size_same("warp", "0"));
    assert_false(gb_size_same("0", "warp"));
    assert_false(gb_size_same("warp", "block"));
}

static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "empty"},
        {"-4", "sign"},
        {"+4", "sign"},
        {" 4", "digit"},
        {"k", "digit"},
        {"0x10", "suffixes"},
        {"4 ", "suffixes"},
        {"4K", "suffixes"},
        {"4m", "suffixes"},
        {"4KiB", "suffixes"},
        {"1e6", "suffixes"},
        {"1.5M", "fraction"},
        {"1,5", "fraction"},
        {"18446744073709551616", "64 bits"},
        {"99999999999999999999999", "64 bits"},
        {"18446744074G", "64 bits"},
        {"17179869184Gi", "64 bits"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t size = 12345;
        const char *why = NULL;
        if (gb_size_parse(cases[i].text, &size, &why)) fail_msg("\"%s\" taken", cases[i].text);
        assert_int_equal(size, 12345);
        assert_non_null(why);
        if (!strstr(why, cases[i].why)) fail_msg("\"%s\": said \"%s\"", cases[i].text, why);
    }
    uint64_t size;
    assert_false(gb_size_parse("x", &size, NULL));
}

static void formats(void **state)
{
    (void)state;
    static const struct {
        uint64_t size;
        const char *text;
    } cases[] = {
        {0, "0"},
        {999, "999"},
        {1000, "1k"},
        {1024, "1Ki"},
        {4097, "4097"},
        {16384, "16Ki"},
        {32000000, "32M"},
        {1024000, "1024k"},
        {UINT64_C(1) << 40, "1024Gi"},
        {(UINT64_C(1) << 32) + 3, "4294967299"},
        {UINT64_MAX, "18446744073709551615"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[32];
        assert_string_equal(gb_size_format(cases[i].size, text, sizeof text), cases[i].text);
    }
}

static void round_trips(void **state)
{
    (void)state;
    uint64_t size = 1;
    for (unsigned i = 0; i < 10000; i++) {
        size = size * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t shifted = (size >> (i % 60)) << (i % 31), back = 0;
        char text[32];
        assert_true(gb_size_parse(gb_size_format(shifted, text, sizeof text), &back, NULL));
        assert_int_equal(back, shifted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses),  cmocka_unit_test(same),        cmocka_unit_test(refuses),
        cmocka_unit_test(formats), cmocka_unit_test(round_trips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
