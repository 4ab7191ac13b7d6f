/* kill -9 of the driver or of its worker at random moments of a run on the simt device, fifty
 * times. The moments come from a seed, which is printed: CRASH_SEED=N tries it again. */
/* test: thorough unsanitized 18 */
#include "bench/util/clock.h"
#include "tests/driver/crash_fixture.h"
#include "tests/harness/children.h"

#include "common/random.h"

#include <time.h>

enum { KILLS = 50, MOST_RUNS = 200, ROWS = 8 };
static char worker[4200];
static uint64_t seed, drawn;
static double usual_s; /* how long an undisturbed run takes */
static bool done;      /* the last run came to its end with every row */

static const char *const fresh[] = {"m.json", "--worker", worker, "--out", "res", NULL};
static const char *const resume[] = {"m.json", "--worker", worker,    "--out",
                                     "res",    "--resume", "--retry", NULL};

static int prepare(void **state)
{
    if (crash_setup(state) != 0) return -1;
    const char *asked = getenv("CRASH_SEED");
    seed = asked ? strtoull(asked, NULL, 10) : (uint64_t)time(NULL) * 1000 + (uint64_t)getpid();
    snprintf(worker, sizeof worker, "'%s/../../gpubench-simt'", tests_folder);
    write_text(
        "m.json",
        "{\"schema\":1,\"name\":\"m\",\"primitive\":\"multipartition\",\"variants\":["
        "\"multipartition\",\"large\"],\"axes\":{\"n\":[100,300],\"bins\":[4,40]},\"measure\":"
        "{\"samples\":3,\"warmup\":0}}");
    return 0;
}

/* Evenly from 0 to 1. */
static double draw(void)
{
    return (double)(gb_mix64(gb_mix64(seed) + drawn++) >> 11) * 0x1p-53;
}

static void wait_s(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&left, &left) != 0) {
    }
}

/* The process whose parent it is; 0: there is none (yet, or any more). */
static pid_t child_of(pid_t parent)
{
    DIR *processes = opendir("/proc");
    char state;
    pid_t child = next_child(processes, parent, &state);
    if (processes) closedir(processes);
    return child;
}

/* Whether a row says that its worker was killed, and how many are not ok. */
static size_t failed_rows(bool *named)
{
    gb_csv *csv = sound_table("res/m.csv", true);
    size_t failed = 0;
    for (size_t i = 0; csv && i < csv->row_count; i++) {
        if (strcmp(gb_csv_field(csv, i, "status"), "ok") == 0) continue;
        failed++;
        *named = strcmp(gb_csv_field(csv, i, "status"), "crashed") == 0 &&
                 strstr(gb_csv_field(csv, i, "reason"), "signal 9") != NULL;
    }
    gb_csv_free(csv);
    return failed;
}

/* A run that came to its end by itself: everything is there and ok. */
static void judge_complete(void)
{
    size_t ok, rows = judge_pair("res/m", true, &ok);
    BAD_IF(rows != ROWS || ok != ROWS, "of %d rows, %zu are there and %zu ok", ROWS, rows, ok);
    judge_meta("res/m.meta.json", "complete");
    judge_leftovers("res");
    done = true;
}

/* What a kill may leave: whole rows with their samples, perhaps a torn end. */
static void judge_killed(size_t ok_before)
{
    size_t ok;
    judge_pair("res/m", false, &ok);
    BAD_IF(ok < ok_before, "%zu rows were ok, %zu are left", ok_before, ok);
    judge_meta("res/m.meta.json", NULL);
}

/* One run whose driver is killed. True if it was, false if it had ended before. */
static bool try_driver(const char *const *arguments)
{
    size_t ok_before = 0;
    if (arguments == resume) judge_pair("res/m", false, &ok_before);
    double delay_s = draw() * usual_s;
    pid_t pid = start_gpubench(&(crash){0}, arguments);
    wait_s(delay_s);
    kill(pid, SIGKILL);
    int status = end_gpubench(pid);
    if (was_killed(status)) {
        judge_killed(ok_before);
        return true;
    }
    BAD_IF(!ended_with(status, 0), "it ended with %#x", status);
    judge_complete();
    /* Longer than a run takes, now that the machine is less busy. */
    if (arguments == fresh) usual_s = delay_s;
    return false;
}

/* One run whose worker is killed: the run goes on, and one row at most says what happened. */
static bool try_worker(const char *const *arguments)
{
    bool named = false;
    double delay_s = draw() * usual_s;
    pid_t pid = start_gpubench(&(crash){0}, arguments), victim;
    wait_s(delay_s);
    victim = child_of(pid);
    if (victim) kill(victim, SIGKILL);
    int status = end_gpubench(pid);
    if (ended_with(status, 0)) {
        judge_complete(); /* it was not needed any more */
        return victim != 0;
    }
    BAD_IF(!victim, "it ended with %#x", status);
    BAD_IF(!strstr(said, "signal 9"), "it does not say what happened%s", "");
    if (ended_with(status, 3)) return true; /* before the device was known: nothing was run */
    BAD_IF(!ended_with(status, 1), "it ended with %#x", status);
    size_t ok, failed = failed_rows(&named);
    if (failed == 0) { /* while the plan was made */
        BAD_IF(!strstr(said, "--resume"), "it does not say how to go on%s", "");
        return true;
    }
    judge_pair("res/m", true, &ok);
    BAD_IF(failed != 1 || ok != ROWS - 1 || !named, "%zu rows failed, %zu are ok", failed, ok);
    judge_meta("res/m.meta.json", "complete");
    return true;
}

static void test_killed_at_random(void **state)
{
    (void)state;
    print_message("# CRASH_SEED=%llu\n", (unsigned long long)seed);
    TRIAL("undisturbed");
    double begun = gb_now();
    int status = end_gpubench(start_gpubench(&(crash){0}, fresh));
    usual_s = gb_now() - begun;
    BAD_IF(!ended_with(status, 0), "it ended with %#x", status);
    judge_complete();

    int kills = 0, runs = 0, complete = 0;
    while (kills < KILLS && runs++ < MOST_RUNS) {
        bool driver = draw() < 0.6;
        TRIAL("CRASH_SEED=%llu, run %d, kill of the %s", (unsigned long long)seed, runs,
              driver ? "driver" : "worker");
        const char *const *arguments = done ? fresh : resume;
        if (done) remove_tree("res");
        done = false;
        kills += driver ? try_driver(arguments) : try_worker(arguments);
        complete += done;
    }
    TRIAL("CRASH_SEED=%llu, at the end", (unsigned long long)seed);
    BAD_IF(kills < KILLS, "there were only %d kills in %d runs", kills, runs);
    status = end_gpubench(start_gpubench(&(crash){0}, resume));
    BAD_IF(!ended_with(status, 0), "it ended with %#x", status);
    judge_complete();
    print_message("# %d kills in %d runs, %d of which came to their end; one takes %.2f s\n", kills,
                  runs, complete, usual_s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_killed_at_random)};
    return cmocka_run_group_tests(tests, prepare, crash_teardown);
}
