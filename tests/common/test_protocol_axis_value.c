/* Values of axes: what is taken, and the words for what is not. */
#include "common/protocol/axis_value.h"
#include "common/text/kept.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"plain", "distinct:", NULL};
static const gb_axis_range kind = {.type = GB_AXIS_NAME, .names = names};
static const gb_axis_range many = {.type = GB_AXIS_SIZE, .min = 1, .max = 1048576};
static const gb_axis_range few = {.type = GB_AXIS_SIZE, .min = 1, .max = 8};

static void takes(const gb_axis_range *range, const char *text, const char *written, uint64_t size)
{
    gb_value value;
    gb_value_mistake mistake;
    if (!gb_axis_value_parse(range, text, &value, &mistake))
        fail_msg("\"%s\" is refused: %s", text, mistake.allowed);
    assert_string_equal(value.text, written);
    assert_int_equal(value.size, size);
}

static void refuses(const gb_axis_range *range, const char *text, bool no_name, const char *says)
{
    gb_value value;
    gb_value_mistake mistake;
    if (gb_axis_value_parse(range, text, &value, &mistake)) fail_msg("\"%s\" is taken", text);
    assert_int_equal(mistake.no_name, no_name);
    assert_string_equal(mistake.allowed, says);
    assert_false(gb_axis_value_parse(range, text, &value, NULL));
}

static void sizes(void **state)
{
    (void)state;
    takes(&many, "1", "1", 1);
    takes(&many, "16Ki", "16384", 16384);
    takes(&many, "0007", "7", 7);
    takes(&many, "1Mi", "1048576", 1048576);
    static const char range[] = "a whole number from 1 to 1048576 is allowed, e.g. 4096 or 4Ki";
    refuses(&many, "0", false, range);
    refuses(&many, "1048577", false, range);
    refuses(&few, "9", false, "a whole number from 1 to 8 is allowed");
    gb_value value;
    gb_value_mistake mistake;
    assert_false(gb_axis_value_parse(&few, "4x", &value, &mistake));
    assert_non_null(strstr(mistake.allowed, "from 1 to 8 is allowed (the suffixes are k, M, G"));
}

static void texts_are_names(void **state)
{
    (void)state;
    takes(&kind, "plain", "plain", 0);
    takes(&kind, "distinct:16", "distinct:16", 0);
    takes(&kind, "distinct:16:0.5", "distinct:16:0.5", 0);
    static const char *const none[] = {"", "Plain", "plain:1", "distinct", "distinct:", "plai"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        refuses(&kind, none[i], true, "allowed: plain, distinct:...");
}

/* An argument may be a path: all that can be printed, as long as paths may be. */
static void arguments_are_printable(void **state)
{
    (void)state;
    static const char *const good[] = {"distinct:a b",    "distinct:a,b",       "distinct:\"a\"",
                                       "distinct:'a",     "distinct:\xc3\xa4",  "distinct:a;b|c",
                                       "distinct: a\\b ", "distinct:$(x) `y` ="};
    static const char *const bad[] = {"distinct:a\n", "distinct:\t", "distinct:\x7f",
                                      "distinct:\x1b[2J", "distinct:\xff", "distinct:\xc2\x9b",
                                      "distinct:a\rb",
                                      /* NOLINTNEXTLINE(misc-misleading-bidirectional) */
                                      "distinct:\xe2\x80\xae"};
    static const char allowed[] = "what follows the colon is at most 4150 bytes of UTF-8 without "
                                  "control characters";
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        takes(&kind, good[i], good[i], 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses(&kind, bad[i], false, allowed);
    char text[GB_MAX_VALUE + 1] = "distinct:";
    memset(text + 9, '1', sizeof text - 10);
    text[GB_MAX_VALUE] = '\0';
    refuses(&kind, text, false, allowed);
    text[GB_MAX_VALUE - 1] = '\0';
    takes(&kind, text, text, 0);
}

/* Equal texts are one, however many there are. */
static void texts_are_kept_once(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    static const char *first[MANY];
    char text[24];
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < MANY; i++) {
            snprintf(text, sizeof text, "text %d", i);
            const char *kept = gb_text_kept(text);
            assert_string_equal(kept, text);
            if (pass) assert_ptr_equal(kept, first[i]);
            first[i] = kept;
        }
    }
    gb_text_forget();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(texts_are_names),
        cmocka_unit_test(arguments_are_printable),
        cmocka_unit_test(texts_are_kept_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
