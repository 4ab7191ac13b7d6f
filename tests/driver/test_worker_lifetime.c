/* How workers begin and end: what they inherit, what goes with them, who is to blame. */
/* test: fast 5 */
#include "bench/util/clock.h"
#include "tests/driver/worker_process_fixture.h"

#include <signal.h>

static void test_cannot_start(void **state)
{
    (void)state;
    gb_error error = {GB_OK, ""};
    assert_null(gb_worker_start("/nonexistent/worker --x", &error));
    assert_says(error.text, "/nonexistent/worker");
    assert_says(error.text, "No such file");
    char path[] = "/tmp/test_start_XXXXXX";
    int fd = mkstemp(path); /* mode 0600: nothing to execute */
    assert_true(fd >= 0);
    assert_null(gb_worker_start(path, &error));
    assert_says(error.text, "ermission denied");
    close(fd);
    unlink(path);
}

/* A worker that closed its stdin must not kill the driver by SIGPIPE. */
static void test_broken_pipe(void **state)
{
    (void)state;
    gb_worker *worker = start("sh -c 'exec <&-; sleep 0.3; exit 5'");
    gb_error error = {GB_OK, ""};
    settle();
    assert_null(ask(worker, "{\"cmd\":\"describe\"}", 5, &error));
    assert_int_equal(error.status, GB_CRASHED);
    assert_says(error.text, "exit status 5");
    gb_worker_stop(worker);
}

/* Killing takes the worker's own children along, and no pipe leaks into other workers. */
static void test_whole_group_dies(void **state)
{
    (void)state;
    char path[] = "/tmp/test_group_XXXXXX", command[256];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    snprintf(command, sizeof command,
             "sh -c '(trap \"\" TERM; exec sleep 300) & echo $! > %s; wait'", path);
    gb_worker *worker = start(command), *second = start("sleep 60");
    settle();
    gb_worker_kill(worker);
    assert_false(gb_worker_alive(worker));
    char text[32] = "";
    assert_true(read(fd, text, sizeof text - 1) > 0);
    pid_t child = (pid_t)atol(text);
    assert_true(child > 1);
    pid_t parent;
    char state_then = 'R'; /* a zombie that init has not reaped is dead, too */
    for (int i = 0; i < 3000 && state_then && state_then != 'Z'; i++) {
        usleep(20000);
        state_then = state_of(child, &parent);
    }
    if (state_then && state_then != 'Z') fail_msg("the worker's child %ld lives on", (long)child);
    gb_worker_kill(second);
    gb_worker_stop(worker);
    gb_worker_stop(second);
    close(fd);
    unlink(path);
}

/* A worker gets its three pipes and nothing else that the driver opened. What this test inherited
 * itself without close-on-exec is counted first. */
static void test_no_leaked_files(void **state)
{
    (void)state;
    char expected[64] = "log ends: ";
    FILE *plain = popen("set -- /proc/$$/fd/*; echo $#", "r");
    assert_non_null(plain);
    assert_non_null(fgets(expected + 10, 20, plain));
    pclose(plain);
    expected[strcspn(expected, "\n")] = 0;
    gb_worker *first = start("sleep 60");
    gb_worker *worker = start("sh -c 'read x; set -- /proc/$$/fd/*; echo $# >&2; exit 9'");
    gb_error error = {GB_OK, ""};
    assert_null(ask(worker, "{\"cmd\":\"describe\"}", 5, &error));
    assert_string_equal(strstr(error.text, "log ends: "), expected);
    gb_worker_stop(worker);
    gb_worker_kill(first);
    gb_worker_stop(first);
}

/* A Ctrl-C on the terminal goes to the driver's group: the worker must not be in it. */
static void test_own_session(void **state)
{
    (void)state;
    gb_worker *worker = start("sh -c 'read x; ps -o sid= -p $$ >&2; echo $$ >&2; exit 1'");
    gb_error error = {GB_OK, ""};
    assert_null(ask(worker, "{\"cmd\":\"describe\"}", 5, &error));
    const char *log = strstr(error.text, "log ends: ");
    assert_non_null(log);
    long session = 0, pid = 0;
    if (sscanf(log, "log ends: %ld | %ld", &session, &pid) != 2) skip(); /* no ps here */
    assert_int_equal(session, pid);
    gb_worker_stop(worker);
}

static void test_interrupt_abandons(void **state)
{
    (void)state;
    gb_worker *worker = start("sleep 60");
    gb_error error = {GB_OK, ""};
    gb_interrupted = SIGINT;
    double begun = gb_now();
    assert_null(ask(worker, "{\"cmd\":\"describe\"}", 60, &error));
    gb_interrupted = 0;
    assert_true(gb_now() - begun < 5);
    assert_says(error.text, "interrupted");
    gb_worker_stop(worker);
}

static void interrupt(int number)
{
    (void)number;
    gb_interrupted = SIGTERM;
}

/* A batch system ends a job: SIGTERM to the worker first, a moment later to the driver. */
static void test_end_of_job(void **state)
{
    (void)state;
    gb_worker *worker = start("sh -c 'read x; kill -TERM $$'");
    gb_error error = {GB_OK, ""};
    signal(SIGALRM, interrupt);
    ualarm(200000, 0);
    assert_null(ask(worker, "{\"cmd\":\"describe\"}", 5, &error));
    assert_int_equal(gb_interrupted, SIGTERM);
    gb_interrupted = 0;
    signal(SIGALRM, SIG_DFL);
    gb_worker_stop(worker);

    worker = start("sh -c 'read x; kill -TERM $$'"); /* somebody ended the worker alone */
    double begun = gb_now();
    assert_null(ask(worker, "{\"cmd\":\"describe\"}", 5, &error));
    assert_true(gb_now() - begun < 3);
    assert_says(error.text, "signal 15");
    gb_worker_stop(worker);
}

/* Until this process's child is stopped; a minute at most. */
static void await_stop(void)
{
    char state = 0;
    for (int i = 0; i < 6000 && state != 'T'; i++) {
        DIR *processes = opendir("/proc");
        next_child(processes, getpid(), &state);
        if (processes) closedir(processes);
        usleep(10000);
    }
}

/* A worker that says in a file that it heard the request to end: what the driver says of it. */
static gb_error asked_to_end(const char *stop, void (*wait)(void))
{
    char path[] = "/tmp/test_asked_XXXXXX", command[240], said[16] = "";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    snprintf(command, sizeof command,
             "sh -c 'trap \"sleep 0.3; echo asked >%s; exit 0\" TERM; %s while :; do sleep 0.05; "
             "done'",
             path, stop);
    gb_worker *worker = start(command);
    gb_error error = {GB_OK, ""};
    wait(); /* its trap is set */
    assert_null(ask(worker, "{\"cmd\":\"describe\"}", 0.5, &error));
    assert_true(read(fd, said, sizeof said - 1) > 0);
    assert_string_equal(said, "asked\n");
    close(fd);
    unlink(path);
    gb_worker_stop(worker);
    return error;
}

/* srun has to end its job elsewhere: it is given the time. */
static void test_asked_to_end(void **state)
{
    (void)state;
    gb_error error = asked_to_end("", settle);
    assert_says(error.text, "within 0.5 s (worker killed)");
}

/* Who is stopped is told from who is slow, and hears all the same that it is to end. */
static void test_stopped(void **state)
{
    (void)state;
    gb_error error = asked_to_end("kill -STOP $$;", await_stop);
    assert_int_equal(error.status, GB_TIMEOUT);
    assert_says(error.text, "within 0.5 s: somebody has stopped it (SIGSTOP) (worker killed)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cannot_start),     cmocka_unit_test(test_broken_pipe),
        cmocka_unit_test(test_whole_group_dies), cmocka_unit_test(test_no_leaked_files),
        cmocka_unit_test(test_own_session),      cmocka_unit_test(test_interrupt_abandons),
        cmocka_unit_test(test_end_of_job),       cmocka_unit_test(test_asked_to_end),
        cmocka_unit_test(test_stopped),          cmocka_unit_test(test_no_zombies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
