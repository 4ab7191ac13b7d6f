/* The driver's side of the pipe against workers that misbehave in every way known. */
#include "bench/util/clock.h"
#include "tests/driver/worker_process_fixture.h"

static char fake[4200];

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
    settle();
    assert_null(ask(worker, "{\"cmd\":\"describe\"}", 5, &error));
    assert_says(error.text, "before anybody asked");
    assert_says(error.text, "hello");
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
        settle();
        assert_null(ask(worker, "{\"cmd\":\"describe\"}", 5, &error));
        assert_says(error.text, table[i].says);
        assert_true(gb_worker_failed_idle(worker));
        gb_worker_stop(worker);
    }
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
        cmocka_unit_test(test_misbehaviour),
        cmocka_unit_test(test_flood_of_log),
        cmocka_unit_test(test_last_words),
        cmocka_unit_test(test_answer_without_ok),
        cmocka_unit_test(test_unasked_output),
        cmocka_unit_test(test_large_request),
        cmocka_unit_test(test_stale_answer),
        cmocka_unit_test(test_failed_idle),
        cmocka_unit_test(test_no_zombies),
    };
    return cmocka_run_group_tests(tests, find_fake, NULL);
}
