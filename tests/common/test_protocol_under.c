/* Conditions of a device as texts: what is written is read again, nothing else is. */
#include "common/protocol/under.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    gb_under under;
    const char *text, *words, *folder;
} known[] = {
    {{.code = ""}, "", "", ""},
    {{.code = "sm_35"}, "code=sm_35", "code of sm_35", "code-sm_35"},
    {{.multiprocessors = 64}, "multiprocessors=64", "64 multiprocessors", "multiprocessors-64"},
    {{.multiprocessors = 1}, "multiprocessors=1", "1 multiprocessor", "multiprocessors-1"},
    {{.shared_kib = 99}, "shared-kib=99", "99 KiB of shared memory a block", "shared-kib-99"},
    {{.multiprocessors = 8, .shared_kib = 64},
     "multiprocessors=8;shared-kib=64",
     "8 multiprocessors, 64 KiB of shared memory a block",
     "multiprocessors-8-and-shared-kib-64"},
    {{.gpus = 2}, "gpus=2", "2 GPUs", "gpus-2"},
    {{.gpus = 1, .ranks = 2}, "gpus=1;ranks=2", "1 GPU, 2 ranks", "gpus-1-and-ranks-2"},
    {{.code = "sm_80", .gpus = 4},
     "code=sm_80;gpus=4",
     "code of sm_80, 4 GPUs",
     "code-sm_80-and-gpus-4"},
    {{.code = "sm_90a", .multiprocessors = 132},
     "code=sm_90a;multiprocessors=132",
     "code of sm_90a, 132 multiprocessors",
     "code-sm_90a-and-multiprocessors-132"},
};
enum { KNOWN = sizeof known / sizeof *known };

static void what_is_written_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < KNOWN; i++) {
        char text[GB_UNDER_TEXT];
        gb_under under;
        assert_string_equal(gb_under_format(&known[i].under, text), known[i].text);
        assert_true(gb_under_parse(text, &under));
        for (size_t k = 0; k < KNOWN; k++)
            assert_int_equal(gb_under_same(&under, &known[k].under), i == k);
        assert_int_equal(gb_under_none(&under), i == 0);
        assert_int_equal(gb_under_whole(&under),
                         !*under.code && !under.multiprocessors && !under.shared_kib);
        assert_string_equal(gb_under_words(&under, text), known[i].words);
        assert_string_equal(gb_under_folder(&under, text), known[i].folder);
    }
}

static void longest(void **state)
{
    (void)state;
    char text[GB_UNDER_TEXT];
    const gb_under under = {"sm_12345678901a", 999999999, 999999999, 999999999, 999999999};
    gb_under again;
    assert_string_equal(gb_under_words(&under, text),
                        "code of sm_12345678901a, 999999999 multiprocessors, 999999999 KiB "
                        "of shared memory a block, 999999999 GPUs, 999999999 ranks");
    assert_true(gb_under_parse(gb_under_format(&under, text), &again));
    assert_true(gb_under_same(&under, &again));
}

static void other_texts_are_none(void **state)
{
    (void)state;
    static const char *const others[] = {"code",
                                         "code=",
                                         "code=35",
                                         "code=sm_",
                                         "code=sm_9aa",
                                         "code=sm_90A",
                                         "code=sm_35;",
                                         ";code=sm_35",
                                         "code=sm_35;code=sm_50",
                                         "multiprocessors=64;code=sm_35",
                                         "multiprocessors=0",
                                         "multiprocessors=08",
                                         "multiprocessors=-1",
                                         "multiprocessors=6 ",
                                         "multiprocessors=9999999999",
                                         "multiprocessors=64, clock=1",
                                         "gpus=2;multiprocessors=64",
                                         "ranks=2;gpus=1",
                                         "gpus=0",
                                         "power=300",
                                         "code=sm_1234567890123456",
                                         " "};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        gb_under under;
        if (gb_under_parse(others[i], &under)) fail_msg("'%s'", others[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(longest),
        cmocka_unit_test(other_texts_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
