/* What `gpubench info` makes of times that are known: the timer's error, the A/A spread, and what
 * it says when a worker cannot answer. */
/* test: fast alone 3 */
#include "tests/driver/fixture.h"

#include "bench/measure/instrument.h"

#include <math.h>
#include <unistd.h>

#define assert_near(found, expected)                                                               \
    do {                                                                                           \
        double found_ = (found), expected_ = (expected);                                           \
        if (!(fabs(found_ - expected_) <= 1e-9 * (1 + fabs(expected_))))                           \
            fail_msg("%s:%d: found %.12g, expected %.12g", __FILE__, __LINE__, found_, expected_); \
    } while (0)

/* The path of a program beside this one. */
static char fake[4096];

static int set_up(void **state)
{
    (void)state;
    ssize_t length = readlink("/proc/self/exe", fake, sizeof fake - 32);
    if (length <= 0) return -1;
    fake[length] = '\0';
    strcpy(strrchr(fake, '/'), "/fake_null");
    return access(fake, X_OK);
}

static gb_instrument measured(const char *matter)
{
    gb_session session;
    gb_error error;
    gb_instrument instrument;
    char command[4200];
    snprintf(command, sizeof command, "'%s' %s", fake, matter);
    if (!gb_session_open(&session, &(gb_wish){.device = NULL, .worker = command}, &error))
        fail_msg("%s: %s", matter, error.text);
    gb_instrument_measure(&session, &instrument);
    gb_session_close(&session);
    return instrument;
}

/* ---- computations ---------------------------------------------------------------------------- */

static void timer_error(void **state)
{
    (void)state;
    gb_timer_check check = gb_timer_check_of(50e-6, 52.6e-6, 2.5e-6, 2e-6);
    assert_near(check.asked_s, 50e-6);
    assert_near(check.raw_s, 52.6e-6);
    assert_near(check.less_empty_s * 1e6, 50.6);
    assert_near(check.less_zero_s * 1e6, 50.1);
    assert_near(check.error, 0.002);
    check = gb_timer_check_of(1e-3, 0.99e-3, 0, 0);
    assert_near(check.error, -0.01);
    assert_near(check.less_empty_s, 0);
}

static void spread_of_pairs(void **state)
{
    (void)state;
    static const double means[] = {1, 1, 3, 0}, others[] = {1, 3, 1, 0};
    gb_spread spread = {0};
    gb_spread_of(means, others, 1, &spread);
    assert_near(spread.median, 0);
    assert_near(spread.worst, 0);
    assert_int_equal(spread.repetitions, 1);
    gb_spread_of(means, others, 2, &spread); /* 0 and 2 / 2 */
    assert_near(spread.median, 0.5);
    assert_near(spread.worst, 1);
    gb_spread_of(means, others, 3, &spread); /* whichever is larger */
    assert_near(spread.median, 1);
    gb_spread_of(means, others, 4, &spread); /* a time of 0 is no division */
    assert_near(spread.median, 0.5);
    assert_near(spread.worst, 1);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void measures_the_instrument(void **state)
{
    (void)state;
    gb_instrument i = measured("plain");
    assert_string_equal(i.reason, "");
    assert_false(i.cpu_times);
    assert_near(i.probes[GB_PROBE_NOTHING].median_s * 1e6, 1);
    assert_near(i.probes[GB_PROBE_EMPTY].median_s * 1e6, 2);
    assert_near(i.probes[GB_PROBE_WAITS].median_s * 1e6, 8);
    assert_near(i.probes[GB_PROBE_HOST].median_s * 1e6, 3);
    static const double asked_us[] = {50, 1000, 1000}, zero_us[] = {2.5, 2.5, 12};
    for (int k = 0; k < GB_TIMER_CHECKS; k++) {
        double stretch = k == 2 ? 1.001 : 1;
        assert_string_equal(i.timer[k].reason, "");
        assert_near(i.timer[k].asked_s * 1e6, asked_us[k]);
        assert_near(i.timer[k].raw_s * 1e6, asked_us[k] * stretch + zero_us[k]);
        assert_near(i.timer[k].less_empty_s * 1e6, asked_us[k] * stretch + zero_us[k] - 2);
        assert_near(i.timer[k].less_zero_s * 1e6, asked_us[k] * stretch);
        assert_near(i.timer[k].error, stretch - 1);
        assert_int_equal(i.timer[k].host_clock, k == 2);
    }
}

/* The r-th pair lies 0.1 r % apart: one job asked twice would lie 0 apart. */
static void spread_of_two_jobs(void **state)
{
    (void)state;
    gb_spread spread = measured("plain").spread;
    assert_string_equal(spread.reason, "");
    assert_string_equal(spread.variant, "copy");
    assert_int_equal(spread.bytes, 64 << 20);
    assert_in_range(spread.repetitions, 3, 20);
    unsigned n = spread.repetitions;
    const unsigned middle[2] = {(n + 1) / 2, n / 2 + 1};
    double apart = 0;
    for (int k = 0; k < 2; k++)
        apart += 1e-3 * middle[k] / (1 + 0.5e-3 * middle[k]) / 2;
    assert_near(spread.median, apart);
    assert_near(spread.worst, 1e-3 * n / (1 + 0.5e-3 * n));
}

/* Every copy takes 0.1 % longer than the one before. The jobs lie apart by 0.2 % in turns of two,
 * by 0.4 % if the first request of one is held up, by 2 % if all of its requests are and
 * get smaller, by 5 % one after the other. */
static void jobs_take_turns(void **state)
{
    (void)state;
    gb_spread spread = measured("drift").spread;
    assert_string_equal(spread.reason, "");
    assert_true(spread.worst > 0);
    assert_true(spread.worst < 0.01);
}

/* ---- what cannot be measured ----------------------------------------------------------------- */

static void old_worker(void **state)
{
    (void)state;
    gb_session session;
    gb_error error;
    gb_instrument instrument;
    char here[4096], command[4200];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(command, sizeof command, "'%s/tests/fixtures/worker.sh'", here);
    assert_true(gb_session_open(&session, &(gb_wish){.device = NULL, .worker = command}, &error));
    gb_instrument_measure(&session, &instrument);
    assert_says(instrument.reason, "no primitive null", "an older worker");
    /* it was not asked what it does not know */
    assert_true(gb_worker_alive(session.worker));
    gb_session_close(&session);
}

static void variants_missing(void **state)
{
    (void)state;
    gb_instrument i = measured("few");
    assert_string_equal(i.reason, "");
    assert_near(i.probes[GB_PROBE_EMPTY].median_s * 1e6, 2);
    for (int k = 0; k < GB_TIMER_CHECKS; k++)
        assert_says(i.timer[k].reason, "has no variant spin", "few");
    assert_string_equal(i.spread.reason, "");
}

static void wrong_spin(void **state)
{
    (void)state;
    gb_instrument i = measured("wrong");
    assert_says(i.timer[0].reason, "before its samples: the spin was too short", "wrong");
    assert_says(i.timer[1].reason, "too short", "wrong");
    assert_string_equal(i.timer[2].reason, "");
}

static void no_spread(void **state)
{
    (void)state;
    gb_instrument i = measured("full");
    assert_says(i.spread.reason, "no room for a copy", "full");
    assert_near(i.timer[0].error, 0);
    i = measured("dies");
    assert_says(i.spread.reason, "signal 6", "dies");
    assert_near(i.timer[0].error, 0);
    i = measured("dies-early");
    assert_says(i.probes[GB_PROBE_EMPTY].reason, "signal 6", "dies-early");
    for (int k = 0; k < GB_TIMER_CHECKS; k++)
        assert_says(i.timer[k].reason, "signal 6", "dies-early");
    assert_says(i.spread.reason, "not running any more", "dies-early");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timer_error),
        cmocka_unit_test(spread_of_pairs),
        cmocka_unit_test(measures_the_instrument),
        cmocka_unit_test(spread_of_two_jobs),
        cmocka_unit_test(jobs_take_turns),
        cmocka_unit_test(old_worker),
        cmocka_unit_test(variants_missing),
        cmocka_unit_test(wrong_spin),
        cmocka_unit_test(no_spread),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
