/* The driver's side of the pipe against workers that misbehave in every way known. */
#include "bench/interrupt.h"
#include "bench/worker_child.h"
#include "bench/worker_process.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char fake[4200];

/* Fails unless text holds the fragment. */
static void assert_says(const char *text, const char *fragment)
{
    if (!strstr(text, fragment)) fail_msg("'%s' does not say '%s'", text, fragment);
}

static gb_worker *start(const char *command)
{
    gb_error error = {GB_OK, ""};
    gb_worker *worker = gb_worker_start(command, &error);
    if (!worker) fail_msg("%s: %s", command, error.text);
    return worker;
}

static cJSON *ask(gb_worker *worker, const char *request, double limit_s, gb_error *error)
{
    cJSON *json = cJSON_Parse(request);
    assert_non_null(json);
    cJSON *answer = gb_worker_ask(worker, json, limit_s, error);
    cJSON_Delete(json);
    return answer;
}

static void test_good(void **state)
{
    (void)state;
    gb_worker *worker = start(fake);
    gb_error error = {GB_OK, ""};
    for (int i = 0; i < 100; i++) {
        cJSON *answer = ask(worker, "{\"cmd\":\"describe\"}", 10, &error);
        assert_non_null(answer);
        cJSON_Delete(answer);
    }
    assert_true(gb_worker_alive(worker));
    assert_int_equal(gb_worker_requests(worker), 100);
    assert_true(gb_worker_wait_s(worker) > 0);
    assert_string_equal(gb_worker_command(worker), fake);
    gb_worker_stop(worker);
    gb_worker_stop(NULL);
}

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

/* What a variant of the fake worker does at its first sample, and what the error has to say. */
static void test_misbehaviour(void **state)
{
    (void)state;
    static const struct {
        const char *variant;
        gb_status status;
        const char *says[2];
    } table[] = {
        {"hang-sample", GB_TIMEOUT, {"no answer to `sample` within 0.3 s", "killed"}},
        {"die-sample", GB_CRASHED, {"signal 11 (Segmentation fault)", "about to die"}},
        {"exit-sample", GB_CRASHED, {"ended at `sample`", "exit status 3"}},
        {"garbage-sample", GB_CRASHED, {"not a JSON object", "'Segmentation fault (core dumped)'"}},
        {"echo-sample", GB_CRASHED, {"another request", "\"cmd\":\"describe\""}},
        {"job-sample", GB_CRASHED, {"another job", "123456"}},
        {"talk-sample", GB_CRASHED, {"another request", "hello"}},
        {"long-sample", GB_CRASHED, {"longer than it can need", "0000000000"}}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        gb_worker *worker = start(fake);
        gb_error error = {GB_OK, ""};
        char open[256];
        snprintf(open, sizeof open,
                 "{\"cmd\":\"open\",\"job\":1,\"variant\":\"%s\",\"params\":{\"n\":\"5\"}}",
                 table[i].variant);
        cJSON *answer = ask(worker, open, 5, &error);
        assert_non_null(answer);
        cJSON_Delete(answer);
        double limit_s = table[i].status == GB_TIMEOUT ? 0.3 : 20;
        double begun = gb_now();
        answer = ask(worker, "{\"cmd\":\"sample\",\"job\":1,\"count\":1}", limit_s, &error);
        if (answer) fail_msg("%s was believed", table[i].variant);
        assert_int_equal(error.status, table[i].status);
        assert_says(error.text, table[i].says[0]);
        assert_says(error.text, table[i].says[1]);
        assert_false(gb_worker_alive(worker));
        assert_true(gb_now() - begun < 10);
        /* Afterwards every request fails at once. */
        assert_null(ask(worker, "{\"cmd\":\"quit\"}", 5, &error));
        gb_worker_stop(worker);
    }
}

static void test_flood_of_log(void **state)
{
    (void)state;
    gb_worker *worker = start(fake);
    gb_error error = {GB_OK, ""};
    cJSON_Delete(ask(worker,
                     "{\"cmd\":\"open\",\"job\":1,\"variant\":\"flood-sample\",\"params\":{\"n\":"
                     "\"5\"}}",
                     5, &error));
    cJSON *answer = ask(worker, "{\"cmd\":\"sample\",\"job\":1,\"count\":2}", 30, &error);
    if (!answer) fail_msg("%s", error.text);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(answer, "times_s")), 2);
    cJSON_Delete(answer);
    gb_worker_stop(worker);
}

/* The last lines of the log that fit, in order, end the message. */
static void test_last_words(void **state)
{
    (void)state;
    gb_worker *worker = start("sh -c 'read x; i=0; while [ $i -lt 40 ]; do echo line $i >&2; "
                              "i=$((i+1)); done; exit 7'");
    gb_error error = {GB_OK, ""};
    assert_null(ask(worker, "{\"cmd\":\"describe\"}", 5, &error));
    assert_says(error.text, "exit status 7");
    assert_says(error.text, "log ends: line 20 | line 21");
    assert_says(error.text, "| line 39");
    assert_int_equal(strlen(strstr(error.text, "| line 39")), 9);
    gb_worker_stop(worker);
}

static void test_answer_without_ok(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } table[] = {{"{\\\"cmd\\\":\\\"describe\\\"}", "lacks \"ok\""},
                 {"{\\\"cmd\\\":\\\"describe\\\",\\\"ok\\\":1}", "lacks \"ok\""},
                 {"{\\\"cmd\\\":\\\"describe\\\",\\\"ok\\\":NaN}", "not a JSON object"},
                 {"{\\\"cmd\\\":\\\"describe\\\",\\\"ok\\\":true} x", "not a JSON object"},
                 {"[1]", "not a JSON object"},
                 {"", "not a JSON object"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char command[256];
        snprintf(command, sizeof command, "sh -c 'read x; echo \"%s\"; read x'", table[i].line);
        gb_worker *worker = start(command);
        gb_error error = {GB_OK, ""};
        assert_null(ask(worker, "{\"cmd\":\"describe\"}", 5, &error));
        assert_int_equal(error.status, GB_CRASHED);
        assert_says(error.text, table[i].says);
        gb_worker_stop(worker);
    }
}

static void test_unasked_output(void **state)
{
    (void)state;
    gb_worker *worker = start("sh -c 'echo hello; read x'");
    gb_error error = {GB_OK, ""};
    usleep(100000);
    assert_null(ask(worker, "{\"cmd\":\"describe\"}", 5, &error));
    assert_says(error.text, "before anybody asked");
    assert_says(error.text, "hello");
    gb_worker_stop(worker);
}

/* A worker that closed its stdin must not kill the driver by SIGPIPE. */
static void test_broken_pipe(void **state)
{
    (void)state;
    gb_worker *worker = start("sh -c 'exec <&-; sleep 0.3; exit 5'");
    gb_error error = {GB_OK, ""};
    usleep(100000);
    assert_null(ask(worker, "{\"cmd\":\"describe\"}", 5, &error));
    assert_int_equal(error.status, GB_CRASHED);
    assert_says(error.text, "exit status 5");
    gb_worker_stop(worker);
}

/* A request larger than a pipe, to a worker that does not read, still times out. */
static void test_large_request(void **state)
{
    (void)state;
    gb_worker *worker = start("sleep 30");
    cJSON *request = cJSON_CreateObject();
    char *filler = calloc(1, 1 << 20);
    memset(filler, 'x', (1 << 20) - 1);
    cJSON_AddStringToObject(request, "cmd", "describe");
    cJSON_AddStringToObject(request, "filler", filler);
    gb_error error = {GB_OK, ""};
    assert_null(gb_worker_ask(worker, request, 0.3, &error));
    assert_int_equal(error.status, GB_TIMEOUT);
    cJSON_Delete(request);
    free(filler);
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
             "sh -c '(trap \"\" TERM; exec sleep 60) & echo $! > %s; wait'", path);
    gb_worker *worker = start(command), *second = start("sleep 60");
    usleep(200000);
    gb_worker_kill(worker);
    assert_false(gb_worker_alive(worker));
    char text[32] = "";
    assert_true(read(fd, text, sizeof text - 1) > 0);
    pid_t child = (pid_t)atol(text);
    assert_true(child > 1);
    for (int i = 0; i < 100 && kill(child, 0) == 0; i++)
        usleep(20000);
    char state_path[64], line[256] = "";
    snprintf(state_path, sizeof state_path, "/proc/%ld/stat", (long)child);
    FILE *file = fopen(state_path, "r"); /* a zombie that init has not reaped is dead, too */
    if (file && fgets(line, sizeof line, file) && !strstr(line, ") Z"))
        fail_msg("the worker's child %ld lives on", (long)child);
    if (file) fclose(file);
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

/* srun has to end its job elsewhere: it is given the time. */
static void test_asked_to_end(void **state)
{
    (void)state;
    char path[] = "/tmp/test_asked_XXXXXX", command[200], said[16] = "";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    snprintf(
        command, sizeof command,
        "sh -c 'trap \"sleep 0.3; echo asked >%s; exit 0\" TERM; while :; do sleep 0.05; done'",
        path);
    gb_worker *worker = start(command);
    gb_error error = {GB_OK, ""};
    assert_null(ask(worker, "{\"cmd\":\"describe\"}", 0.5, &error));
    assert_says(error.text, "(worker killed)");
    assert_true(read(fd, said, sizeof said - 1) > 0);
    assert_string_equal(said, "asked\n");
    close(fd);
    unlink(path);
    gb_worker_stop(worker);
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

/* An answer given before is not taken for a later one, however alike the requests are. */
static void test_stale_answer(void **state)
{
    (void)state;
    gb_worker *worker = start(fake);
    gb_error error = {GB_OK, ""};
    static const char sample[] = "{\"cmd\":\"sample\",\"job\":1,\"count\":2}";
    cJSON_Delete(ask(worker,
                     "{\"cmd\":\"open\",\"job\":1,\"variant\":\"stale-sample\",\"params\":{\"n\":"
                     "\"5\"}}",
                     5, &error));
    cJSON *first = ask(worker, sample, 5, &error);
    assert_non_null(first);
    cJSON_Delete(first);
    assert_null(ask(worker, sample, 5, &error));
    assert_says(error.text, "is late or came twice");
    assert_int_equal(error.status, GB_CRASHED);
    assert_false(gb_worker_failed_idle(worker));
    gb_worker_stop(worker);
}

/* What happened before a request is not its fault, and it is told so. */
static void test_failed_idle(void **state)
{
    (void)state;
    static const struct {
        const char *command, *says;
    } table[] = {{"sh -c 'echo gone >&2; exit 4'", "ended before `describe` was asked"},
                 {"sh -c 'echo hello; sleep 60'", "was there before anybody asked"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        gb_worker *worker = start(table[i].command);
        gb_error error = {GB_OK, ""};
        usleep(300000);
        assert_null(ask(worker, "{\"cmd\":\"describe\"}", 5, &error));
        assert_says(error.text, table[i].says);
        assert_true(gb_worker_failed_idle(worker));
        gb_worker_stop(worker);
    }
}

/* Last: nothing that was started before is still to be reaped. */
static void test_no_zombies(void **state)
{
    (void)state;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static int find_fake(void **state)
{
    (void)state;
    ssize_t length = readlink("/proc/self/exe", fake, 4096);
    if (length <= 0) return -1;
    fake[length] = 0;
    strcpy(strrchr(fake, '/'), "/fake_worker");
    return access(fake, X_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_cannot_start),
        cmocka_unit_test(test_misbehaviour),
        cmocka_unit_test(test_flood_of_log),
        cmocka_unit_test(test_last_words),
        cmocka_unit_test(test_answer_without_ok),
        cmocka_unit_test(test_unasked_output),
        cmocka_unit_test(test_broken_pipe),
        cmocka_unit_test(test_large_request),
        cmocka_unit_test(test_whole_group_dies),
        cmocka_unit_test(test_no_leaked_files),
        cmocka_unit_test(test_interrupt_abandons),
        cmocka_unit_test(test_end_of_job),
        cmocka_unit_test(test_asked_to_end),
        cmocka_unit_test(test_own_session),
        cmocka_unit_test(test_stale_answer),
        cmocka_unit_test(test_failed_idle),
        cmocka_unit_test(test_no_zombies),
    };
    return cmocka_run_group_tests(tests, find_fake, NULL);
}
