/* The words for cache and scope: what is written is read again, nothing else is. */
#include "common/protocol/conditions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void what_is_written_is_read(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        bool cold = !c;
        assert_true(gb_cache_parse(gb_cache_name(c), &cold));
        assert_int_equal(cold, c);
    }
    for (gb_scope s = GB_SCOPE_DEVICE; s <= GB_SCOPE_HOST_TO_HOST; s++) {
        gb_scope scope = GB_SCOPE_DEVICE;
        assert_true(gb_scope_parse(gb_scope_name(s), &scope));
        assert_int_equal(scope, s);
    }
}

static void they_are_the_words_of_the_files(void **state)
{
    (void)state;
    assert_string_equal(gb_cache_name(false), "warm");
    assert_string_equal(gb_cache_name(true), "cold");
    assert_string_equal(gb_scope_name(GB_SCOPE_DEVICE), "device");
    assert_string_equal(gb_scope_name(GB_SCOPE_HOST_TO_HOST), "host-to-host");
}

static void other_words_are_none(void **state)
{
    (void)state;
    static const char *const others[] = {NULL,  "",       "Warm", "warm ",
                                         "col", "colder", "host", "device2"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        bool cold = true;
        gb_scope scope = GB_SCOPE_HOST_TO_HOST;
        assert_false(gb_cache_parse(others[i], &cold));
        assert_false(gb_scope_parse(others[i], &scope));
        assert_true(cold && scope == GB_SCOPE_HOST_TO_HOST);
    }
    assert_true(gb_cache_parse("cold", NULL) && gb_scope_parse("device", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(they_are_the_words_of_the_files),
        cmocka_unit_test(other_words_are_none),
    };
    return cmocka_run_group_tests_name("conditions", tests, NULL, NULL);
}
