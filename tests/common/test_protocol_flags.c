/* The words of flags and statuses: there and back, and what is none of them. */
#include "common/protocol/flags.h"
#include "common/text/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void flags_there_and_back(void **state)
{
    (void)state;
    char text[GB_FLAGS_TEXT], all[GB_FLAGS_TEXT];
    for (unsigned set = 0; set < 1u << GB_FLAG_COUNT; set++)
        assert_int_equal(gb_flags_parse(gb_flags_format(set, text)), set);
    assert_string_equal(gb_flags_format(0, text), "");
    assert_string_equal(gb_flags_format(GB_FLAG_CACHE_RESIDENT | GB_FLAG_THROTTLED, text),
                        "throttled;cache-resident");
    assert_string_equal(gb_flags_format((1u << GB_FLAG_COUNT) - 1, all),
                        "throttled;unstable;outliers;drift;cache-resident;autocorrelated;redone;"
                        "ungated");
}

static void flags_of_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned flags;
    } cases[] = {
        {"", 0},
        {"redone;drift", GB_FLAG_REDONE | GB_FLAG_DRIFT},
        {"drift;drift", GB_FLAG_DRIFT},
        /* Of a newer version: the others still count. */
        {"drift;haunted", GB_FLAG_DRIFT},
        {"drifting", 0},
        {"undrift;unstable ", 0},
        {"autocorrelated-2", 0},
        {"drift,unstable", 0},
        {";;drift;", GB_FLAG_DRIFT},
        {"DRIFT", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (gb_flags_parse(cases[i].text) != cases[i].flags)
            fail_msg("\"%s\" is read as %u", cases[i].text, gb_flags_parse(cases[i].text));
}

static bool is_sentence(const char *text)
{
    const size_t length = strlen(text);
    return length > 20 && text[length - 1] == '.';
}

static void each_is_explained(void **state)
{
    (void)state;
    for (int i = 0; i < GB_FLAG_COUNT; i++)
        if (!is_sentence(gb_flag_words[i].meaning)) fail_msg("%s", gb_flag_words[i].name);
    for (unsigned i = GB_OK + 1; i < GB_STATUS_COUNT; i++) {
        if (!is_sentence(gb_status_meaning((gb_status)i)) || !*gb_status_cell((gb_status)i))
            fail_msg("%s", gb_status_name((gb_status)i));
    }
    assert_string_equal(gb_status_cell(GB_OK), "");
    assert_string_equal(gb_status_meaning(GB_OK), "");
}

static void statuses_there_and_back(void **state)
{
    (void)state;
    gb_status status;
    for (unsigned i = 0; i < GB_STATUS_COUNT; i++) {
        assert_true(gb_status_parse(gb_status_name((gb_status)i), &status));
        assert_int_equal(status, i);
    }
    assert_false(gb_status_parse("okay", &status));
    assert_false(gb_status_parse("", &status));
    assert_string_equal(gb_status_name(GB_STATUS_COUNT), "?");
    char text[128], narrow[10];
    assert_string_equal(gb_status_list(text, sizeof text),
                        "ok, unsupported, wrong, out_of_memory, timeout, crashed or no_input");
    assert_string_equal(gb_status_list(narrow, sizeof narrow), "ok, unsup");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_there_and_back),
        cmocka_unit_test(flags_of_texts),
        cmocka_unit_test(each_is_explained),
        cmocka_unit_test(statuses_there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
