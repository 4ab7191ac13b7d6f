/* What tests of the driver's side of the pipe share: a worker of any command, and a request to it.
 */
#ifndef GB_TESTS_DRIVER_WORKER_PROCESS_FIXTURE_H
#define GB_TESTS_DRIVER_WORKER_PROCESS_FIXTURE_H

#include "bench/util/interrupt.h"
#include "bench/worker/process.h"
#include "tests/harness/children.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Fails unless text holds the fragment. */
static inline void assert_says(const char *text, const char *fragment)
{
    if (!strstr(text, fragment)) fail_msg("'%s' does not say '%s'", text, fragment);
}

static inline gb_worker *start(const char *command)
{
    gb_error error = {GB_OK, ""};
    gb_worker *worker = gb_worker_start(command, &error);
    if (!worker) fail_msg("%s: %s", command, error.text);
    return worker;
}

static inline cJSON *ask(gb_worker *worker, const char *request, double limit_s, gb_error *error)
{
    cJSON *json = cJSON_Parse(request);
    assert_non_null(json);
    cJSON *answer = gb_worker_ask(worker, json, limit_s, error);
    cJSON_Delete(json);
    return answer;
}

/* Last: nothing that was started before is still to be reaped. */
static inline void test_no_zombies(void **state)
{
    (void)state;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

#endif
