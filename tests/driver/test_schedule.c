/* Schedules as text and back, what is refused, and what an exploration draws. */
#include "bench/check/explore.h"
#include "common/protocol/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_round_trip(void **state)
{
    (void)state;
    const gb_schedule_space space = {.seed = 3, .hooks = true, .unfair = true};
    for (uint64_t i = 1; i <= 200; i++) {
        gb_schedule drawn = gb_schedule_draw(&space, i), read;
        char text[GB_SCHEDULE_TEXT], again[GB_SCHEDULE_TEXT];
        gb_error error;
        gb_schedule_format(&drawn, text);
        if (!gb_schedule_parse(text, &read, &error)) fail_msg("%s: %s", text, error.text);
        assert_string_equal(gb_schedule_format(&read, again), text);
        assert_int_equal(read.seed, drawn.seed);
    }
}

static void test_defaults(void **state)
{
    (void)state;
    gb_schedule read;
    gb_error error;
    assert_true(gb_schedule_parse("policy=unfair,seed=18446744073709551615", &read, &error));
    assert_int_equal(read.policy, GB_POLICY_UNFAIR);
    assert_true(read.seed == UINT64_MAX);
    assert_int_equal(read.resident, 1);
    assert_int_equal(read.preempt_atomic, 0);
    assert_false(gb_schedule_needs_hooks(&read));
}

static void test_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } mistakes[] = {
        {"", "is not KEY=VALUE"},
        {"seed=1", "it needs a policy"},
        {"policy=fair", "none of round-robin, random, unfair, priority"},
        {"policy=random,seed=", "seed '' is not a number"},
        {"policy=random,seed=18446744073709551616", "is not a number from 0"},
        {"policy=random,seed=-1", "is not a number"},
        {"policy=random,atomic=1025", "from 0 to 1024"},
        {"policy=random,weak=1025", "from 0 to 1024"},
        {"policy=random,resident=0", "from 1 to 64"},
        {"policy=random,resident=65", "from 1 to 64"},
        {"policy=random,residents=2", "'residents' is none of policy, seed"},
        {"policy=random,", "is not KEY=VALUE"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        gb_schedule read;
        gb_error error = {GB_OK, ""};
        assert_false(gb_schedule_parse(mistakes[i].text, &read, &error));
        if (!strstr(error.text, mistakes[i].message))
            fail_msg("\"%s\": \"%s\" lacks \"%s\"", mistakes[i].text, error.text,
                     mistakes[i].message);
    }
    char longer[GB_SCHEDULE_TEXT + 1];
    gb_schedule read;
    gb_error error;
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    assert_false(gb_schedule_parse(longer, &read, &error));
    assert_non_null(strstr(error.text, "characters"));
}

/* The first few schedules have every policy with every number of resident blocks. */
static void test_drawn(void **state)
{
    (void)state;
    gb_schedule_space space = {.seed = 1};
    unsigned seen[GB_POLICY_COUNT][5] = {{0}};
    for (uint64_t i = 1; i <= 6; i++) {
        const gb_schedule drawn = gb_schedule_draw(&space, i);
        assert_in_range(drawn.resident, 1, 4);
        assert_false(gb_schedule_needs_hooks(&drawn));
        seen[drawn.policy][drawn.resident]++;
    }
    const unsigned residents[] = {1, 2, 4};
    for (int r = 0; r < 3; r++) {
        assert_int_equal(seen[GB_POLICY_RANDOM][residents[r]], 1);
        assert_int_equal(seen[GB_POLICY_PRIORITY][residents[r]], 1);
    }
    assert_int_equal(seen[GB_POLICY_UNFAIR][1], 0);

    space = (gb_schedule_space){.seed = 1, .has_policy = true, .policy = GB_POLICY_UNFAIR};
    for (uint64_t i = 1; i <= 20; i++)
        assert_int_equal(gb_schedule_draw(&space, i).policy, GB_POLICY_UNFAIR);
}

static void test_depends_on_both(void **state)
{
    (void)state;
    const gb_schedule_space one = {.seed = 1}, two = {.seed = 2};
    char a[GB_SCHEDULE_TEXT], b[GB_SCHEDULE_TEXT];
    gb_schedule drawn = gb_schedule_draw(&one, 9), again = gb_schedule_draw(&one, 9);
    assert_string_equal(gb_schedule_format(&drawn, a), gb_schedule_format(&again, b));
    assert_true(drawn.seed != gb_schedule_draw(&two, 9).seed);
    assert_true(drawn.seed != gb_schedule_draw(&one, 15).seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),      cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_mistakes),        cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_depends_on_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
