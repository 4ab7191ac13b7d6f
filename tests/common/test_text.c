/* Text from outside: what is shown of it, and what may be a name. */
#include "common/text/error.h"
#include "common/text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void tames(void **state)
{
    (void)state;
    static const struct {
        const char *text, *tame;
    } cases[] = {
        {"", ""},
        {"plain, \"quoted\" \\ and `more`", "plain, \"quoted\" \\ and `more`"},
        {"\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x99\x82", "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x99\x82"},
        {"a\n  b\nc\r\nd\n", "a; b; c; d"}, /* never longer */
        {"\033[2J\033]0;title\a", "?[2J?]0;title?"},
        {"a\tb\bc\177", "a?b?c?"},
        {"\xC2\x9B"
         "2J",
         "?2J"},       /* CSI as one character (C1) */
        {"\x9B", "?"}, /* the same in Latin-1: no UTF-8 */
        /* NOLINTNEXTLINE(misc-misleading-bidirectional): that is what it is for */
        {"\xE2\x80\xAE"
         "cba",
         "?cba"},                     /* right-to-left override */
        {"\xE2\x80\xA8", "?"},        /* line separator */
        {"\xC0\xAF", "??"},           /* '/' in two bytes */
        {"\xED\xA0\x80", "???"},      /* a surrogate */
        {"\xF4\x90\x80\x80", "????"}, /* beyond U+10FFFF */
        {"cut \xE2\x82", "cut ??"},   /* a character cut off */
        {"\xFF\xFE", "??"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        strcpy(text, cases[i].text);
        gb_text_tame(text);
        assert_string_equal(text, cases[i].tame);
        assert_true(strlen(text) <= strlen(cases[i].text));
        assert_null(gb_text_unprintable(text));
        bool same = strcmp(text, cases[i].text) == 0;
        assert_int_equal(gb_text_unprintable(cases[i].text) == NULL, same);
    }
}

/* Every message is made by gb_fail, so what a worker or a file says reaches no terminal raw. */
static void messages_are_tame(void **state)
{
    (void)state;
    gb_error error;
    gb_fail(&error, GB_CRASHED, "the worker says %s", "\033[31mhello\nworld\x9B");
    assert_string_equal(error.text, "the worker says ?[31mhello;world?");
}

static void names(void **state)
{
    (void)state;
    char longest[102];
    memset(longest, 'a', sizeof longest);
    longest[100] = '\0';
    const char *const good[] = {"a", "multipartition", "x.y-z_0", "0", longest};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (gb_name_mistake(good[i])) fail_msg("%s: %s", good[i], gb_name_mistake(good[i]));
    longest[100] = 'a';
    longest[101] = '\0';
    const char *const bad[] = {"",         ".",     "..",  "../x", "/etc/x", "a/b",
                               ".hidden",  "-rf",   "a b", "a\nb", "a\\b",   "a:b",
                               "\xC3\xA4", "a\033", "~",   "a*",   "$(x)",   "`x`",
                               "a;b",      "a|b",   "a\"", "a'",   "<a",     longest};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!gb_name_mistake(bad[i])) fail_msg("\"%s\" was taken", bad[i]);
}

static void ends_and_items(void **state)
{
    (void)state;
    assert_true(gb_text_ends("a.csv", ".csv"));
    assert_true(gb_text_ends(".csv", ".csv"));
    assert_true(gb_text_ends("", ""));
    assert_false(gb_text_ends("csv", ".csv"));
    assert_false(gb_text_ends("a.csv.gz", ".csv"));
    assert_true(gb_text_lists("base;csl;comp", "comp"));
    assert_true(gb_text_lists("base", "base"));
    assert_false(gb_text_lists("base;csl", "cs"));
    assert_false(gb_text_lists("base;csl", "l"));
    assert_false(gb_text_lists("", "base"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tames),
        cmocka_unit_test(messages_are_tame),
        cmocka_unit_test(names),
        cmocka_unit_test(ends_and_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
