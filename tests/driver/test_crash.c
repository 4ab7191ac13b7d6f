/* gpubench run dies, or a call of it fails, at every single moment at which it touches its files:
 * nothing that was measured is lost, nothing is there twice or torn, and --resume completes. */
/* test: thorough unsanitized 19 */
#include "tests/driver/crash_fixture.h"

#include <errno.h>

/* Two points, two variants: one of them never works. */
enum { ROWS = 4, OK_ROWS = 2 };
static char worker[4200];
static const char *const fresh[] = {"c.json", "--worker", worker, "--out", "res/deep", NULL};
static const char *const resume[] = {"c.json",   "--worker", worker, "--out",
                                     "res/deep", "--resume", NULL};
static const char *const retry[] = {"c.json",   "--worker", worker,    "--out",
                                    "res/deep", "--resume", "--retry", NULL};
static const crash no_crash = {0};

static int prepare(void **state)
{
    if (crash_setup(state) != 0) return -1;
    snprintf(worker, sizeof worker, "'%s/fake_worker'", tests_folder);
    write_text("c.json",
               "{\"schema\":1,\"name\":\"c\",\"primitive\":\"fake\",\"variants\":[\"good\","
               "\"never-open\"],\"axes\":{\"n\":[1000,2000]},\"measure\":{\"samples\":3,"
               "\"warmup\":0}}");
    return 0;
}

static int run(const crash *c, const char *const *arguments)
{
    return end_gpubench(start_gpubench(c, arguments));
}

/* ---- what a folder looks like before ----------------------------------------------------- */

static void start_empty(void)
{
    remove_tree("res");
}

/* A finished run; the failed rows of an earlier attempt are kept as well. Made once, then copied.
 */
static void start_finished(void)
{
    static const char *const endings[] = {"csv", "samples.csv", "retried.csv", "meta.json"};
    remove_tree("res");
    if (access("finished", F_OK) != 0) {
        int status = run(&no_crash, fresh);
        BAD_IF(!ended_with(status, 1), "preparing ended with %#x", status);
        status = run(&no_crash, retry);
        BAD_IF(!ended_with(status, 1), "preparing ended with %#x", status);
        assert_int_equal(rename("res/deep", "finished"), 0);
    } else {
        assert_int_equal(mkdir("res", 0777), 0);
    }
    assert_int_equal(mkdir("res/deep", 0777), 0);
    for (int i = 0; i < 4; i++) {
        char from[64], to[64];
        snprintf(from, sizeof from, "finished/c.%s", endings[i]);
        snprintf(to, sizeof to, "res/deep/c.%s", endings[i]);
        char *text = read_text(from);
        write_text(to, text);
        free(text);
    }
}

static void append_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A run that was killed: samples without their row, torn ends everywhere, something half
 * written beside. */
static void start_torn(void)
{
    start_finished();
    static char text[65536];
    char *samples = read_text("res/deep/c.samples.csv");
    snprintf(text, sizeof text,
             "run_id,point,variant,cache,index,time_s\nrun-0,n=7;shape=round,good,warm,0,0.1%s",
             strchr(samples, '\n'));
    free(samples);
    write_text("res/deep/c.samples.csv", text);
    append_text("res/deep/c.samples.csv", "run-0,n=1;shape=round,good,warm,0,0.1\nrun-0,n=1;sh");
    append_text("res/deep/c.csv", "1,run-0,c,fa");
    append_text("res/deep/c.retried.csv", "1,run-0,c,fa");
    append_text("res/deep/c.meta.json.new", "{");
    append_text("res/deep/c.lock", "pid 1 on nowhere");
}

/* ---- what it looks like after ------------------------------------------------------------ */

/* Judges every STEM.csv of the folder with its samples; the number of ok rows in all. */
static size_t judge_all(void)
{
    size_t all = 0, ok;
    DIR *list = opendir("res/deep");
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char stem[300];
        snprintf(stem, sizeof stem, "res/deep/%s", entry->d_name);
        char *end = strstr(stem, ".csv");
        if (!end || end[4] || strstr(stem, ".samples.csv") || strstr(stem, ".retried.csv"))
            continue;
        *end = 0;
        judge_pair(stem, false, &ok);
        all += ok;
    }
    if (list) closedir(list);
    return all;
}

/* The failed rows that were measured again: none twice. A torn end stays until more join them. */
static void judge_retried(size_t expected, bool strict)
{
    gb_csv *csv = sound_table("res/deep/c.retried.csv", strict);
    size_t rows = csv ? csv->row_count : 0;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < i; j++) {
            char a[2048], b[2048];
            row_name(csv, i, a);
            row_name(csv, j, b);
            BAD_IF(strcmp(a, b) == 0 && strcmp(csv->rows[i][1], csv->rows[j][1]) == 0,
                   "c.retried.csv has twice: %s", a);
        }
    }
    BAD_IF(rows < expected, "c.retried.csv has %zu rows", rows);
    gb_csv_free(csv);
}

/* Resumes, or runs without that, and fails unless that completes the plan and all that was ok
 * before is still there. */
static void complete(const char *const *arguments, size_t ok_before)
{
    size_t ok;
    int status = run(&no_crash, arguments);
    BAD_IF(!ended_with(status, 1), "going on ended with %#x", status);
    size_t rows = judge_pair("res/deep/c", true, &ok);
    BAD_IF(rows != ROWS || ok != OK_ROWS, "there are %zu rows, %zu of them ok", rows, ok);
    judge_meta("res/deep/c.meta.json", "complete");
    judge_leftovers("res/deep");
    size_t all = judge_all();
    if (arguments == fresh && ok_before) ok_before += OK_ROWS;
    BAD_IF(all < ok_before, "of %zu rows that were ok, %zu are left", ok_before, all);
}

/* ---- every moment ------------------------------------------------------------------------- */

typedef struct scenario {
    const char *name;
    void (*begin)(void);
    const char *const *arguments;
    size_t ok_before, retried_before;
    bool moves;  /* the old files move aside: for a while, rows and samples are apart */
    long fewest; /* moments there must be, or the shim has missed something */
} scenario;

static const scenario first = {"a first run", start_empty, fresh, 0, 0, false, 40};
static const scenario again = {"run over old results", start_finished, fresh, 2, 2, true, 45};
static const scenario taken_up = {"--resume --retry", start_torn, retry, 2, 2, false, 60};

/* How many moments there are. */
static long count_moments(const scenario *s)
{
    TRIAL("%s", s->name);
    s->begin();
    unlink("calls");
    run(&(crash){"res/", "0", 0, "calls"}, s->arguments);
    char *calls = read_text("calls");
    long count = 0;
    for (const char *at = calls; (at = strchr(at, '\n')); at++)
        count++;
    BAD_IF(count < s->fewest, "there are only %ld moments:\n%s", count, calls);
    free(calls);
    return count;
}

/* One moment after the other, until there is none any more; then on with how_on. */
static void kill_everywhere(const scenario *s, const char *how, const char *const *how_on)
{
    long at = 0;
    for (bool killed = true; killed;) {
        TRIAL("%s, %s, call %ld", s->name, how, ++at);
        s->begin();
        int status = run(&(crash){"res/", how, at, NULL}, s->arguments);
        killed = was_killed(status);
        BAD_IF(!killed && !ended_with(status, 1), "it ended with %#x", status);
        if (!s->moves) judge_all();
        judge_meta("res/deep/c.meta.json", NULL);
        complete(how_on, s->ok_before);
        if (!s->moves) judge_retried(s->retried_before, !killed);
    }
    BAD_IF(at < s->fewest, "there were only %ld moments", at);
    print_message("# %s, %s: %ld moments\n", s->name, how, at - 1);
}

static void test_killed_first_run(void **state)
{
    (void)state;
    kill_everywhere(&first, "kill", resume);
    kill_everywhere(&first, "after", resume);
}

static void test_killed_moving_aside(void **state)
{
    (void)state;
    kill_everywhere(&again, "kill", resume);
    kill_everywhere(&again, "kill", fresh);
}

static void test_killed_resuming(void **state)
{
    (void)state;
    kill_everywhere(&taken_up, "kill", retry);
    kill_everywhere(&taken_up, "after", resume);
}

/* A run that fails because of its disk says of which file, why, and how to go on. */
static void judge_message(int reason)
{
    BAD_IF(!strstr(said, strerror(reason)), "it does not say why: %s", strerror(reason));
    BAD_IF(!strstr(said, "gpubench run: res"), "it does not say which file, but %s", "this:");
}

/* Every call fails with the reason, one after the other; a reason that stays is told by "+". */
static void fail_everywhere(const scenario *s, int reason, bool stays)
{
    char what[16];
    long moments = count_moments(s), ended = 0;
    snprintf(what, sizeof what, "%d%s", reason, stays ? "+" : "");
    for (long at = 1; at <= moments; at++) {
        TRIAL("%s, %s%s, call %ld", s->name, strerror(reason), stays ? " from then on" : "", at);
        s->begin();
        int status = run(&(crash){"res/", what, at, NULL}, s->arguments);
        bool complained = strstr(said, "gpubench run: ") != NULL;
        BAD_IF(!ended_with(status, 1) && !ended_with(status, 2), "it ended with %#x", status);
        BAD_IF(ended_with(status, 2) && !complained, "it says %s", "nothing");
        if (complained) judge_message(reason);
        ended += complained;
        if (!s->moves) judge_all();
        judge_meta("res/deep/c.meta.json", NULL);
        complete(resume, s->ok_before);
        if (!s->moves) judge_retried(s->retried_before, false);
    }
    BAD_IF(ended < moments / 2, "of %ld moments, only %ld ended it", moments, ended);
    print_message("# %s, %s%s: %ld moments, %ld of them ended it\n", s->name, strerror(reason),
                  stays ? " from then on" : "", moments, ended);
}

static void test_disk_full(void **state)
{
    (void)state;
    fail_everywhere(&first, ENOSPC, true);
    fail_everywhere(&taken_up, ENOSPC, true);
}

static void test_disk_error(void **state)
{
    (void)state;
    fail_everywhere(&first, EIO, false);
    fail_everywhere(&again, EIO, false);
    fail_everywhere(&taken_up, EIO, false);
}

static void test_unwritable(void **state)
{
    (void)state;
    fail_everywhere(&first, EROFS, true);
    fail_everywhere(&first, EACCES, true);
}

/* The system may take less than it was given, or be interrupted; that alone is no failure. */
static void test_short_writes(void **state)
{
    (void)state;
    char interrupted[16];
    snprintf(interrupted, sizeof interrupted, "%d", EINTR);
    long moments = count_moments(&first);
    for (long at = 1; at <= 2 * moments; at++) {
        const char *what = at <= moments ? "short" : interrupted;
        TRIAL("a write, %s, call %ld", what, (at - 1) % moments + 1);
        start_empty();
        int status = run(&(crash){"res/", what, (at - 1) % moments + 1, NULL}, fresh);
        BAD_IF(!ended_with(status, 1) || strstr(said, "gpubench run: "), "it ended with %#x",
               status);
        complete(resume, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_killed_first_run), cmocka_unit_test(test_killed_moving_aside),
        cmocka_unit_test(test_killed_resuming),  cmocka_unit_test(test_disk_full),
        cmocka_unit_test(test_disk_error),       cmocka_unit_test(test_unwritable),
        cmocka_unit_test(test_short_writes),
    };
    return cmocka_run_group_tests(tests, prepare, crash_teardown);
}
