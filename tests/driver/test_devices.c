/* Sessions with a worker: opened by what names a device, restarted after a death, with stand-ins
 * for workers. */
/* test: fast 3 */
#include "tests/driver/fixture.h"

#include "bench/worker/devices.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/gpubench-devices-XXXXXX";
static char stand_in[4200];

static int set_up(void **state)
{
    (void)state;
    char here[4096];
    if (!getcwd(here, sizeof here) || !mkdtemp(folder)) return -1;
    snprintf(stand_in, sizeof stand_in, "%s/tests/fixtures/worker.sh", here);
    return access(stand_in, X_OK);
}

static int tear_down(void **state)
{
    (void)state;
    static const char *const names[] = {"worker", "gpubench-cuda", "gpubench-cuda11"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

/* A command for a worker of this name that edits the description as the sed expression says. */
static const char *worker_named(const char *name, const char *expression)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\nexec '%s' '%s'\n", stand_in, expression);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}

static const char *worker_that(const char *expression)
{
    return worker_named("worker", expression);
}

static cJSON *ask_nonsense(gb_session *session, gb_error *error)
{
    cJSON *request = cJSON_Parse("{\"cmd\":\"nonsense\"}");
    cJSON *answer = gb_worker_ask(session->worker, request, 20, error);
    cJSON_Delete(request);
    return answer;
}

static void opens(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        const char *says; /* NULL: opens */
    } cases[] = {
        {NULL, NULL},
        {"auto", NULL},
        {"simt", NULL},
        {"0", NULL},
        {"simt-0", NULL},
        {"1", "worker: device 1 (broken) is not usable: compiled for 900 only"},
        {"00", "no usable device \"00\": worker has simt 0 (simt on 2 cores, simt-0), simt 1"},
        {"cuda", "no usable device \"cuda\""},
        {"", "no usable device \"\""},
    };
    const char *command = worker_that("");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_session session;
        gb_error error = {.text = ""};
        bool opened = gb_session_open(
            &session, &(gb_wish){.device = cases[i].spec, .worker = command}, &error);
        if (opened != !cases[i].says)
            fail_msg("%s: %s", cases[i].spec, opened ? "opened" : error.text);
        if (!opened) {
            assert_says(error.text, cases[i].says, cases[i].spec);
            continue;
        }
        assert_string_equal(session.device->name, "simt on 2 cores");
        assert_string_equal(session.command, command);
        assert_true(session.copy_bytes_per_s == 4.2e12);
        assert_true(gb_worker_alive(session.worker));
        gb_session_close(&session);
        assert_null(session.worker);
    }
}

static void restarts(void **state)
{
    (void)state;
    gb_session session;
    gb_error error;
    assert_true(
        gb_session_open(&session, &(gb_wish){.device = NULL, .worker = worker_that("")}, &error));
    const gb_catalogue *catalogue = session.catalogue;
    assert_null(ask_nonsense(&session, &error));
    assert_false(gb_worker_alive(session.worker));
    assert_true(gb_session_restart(&session, &error));
    assert_true(gb_worker_alive(session.worker));
    /* what configs and results point into has stayed */
    assert_ptr_equal(session.catalogue, catalogue);
    assert_string_equal(session.device->uuid, "simt-0");

    assert_null(ask_nonsense(&session, &error));
    worker_that("s/simt-0/simt-9/");
    assert_false(gb_session_restart(&session, &error));
    assert_says(error.text, "device simt on 2 cores is gone after a restart", "restart");
    assert_null(session.worker);
    /* a session without a worker can be tried again and closed */
    worker_that("");
    assert_true(gb_session_restart(&session, &error));
    gb_session_close(&session);
}

/* A job that wants a worker of its own gets one, and so does the next. */
static void knows_when_a_worker_is_used(void **state)
{
    (void)state;
    gb_session session;
    gb_error error;
    assert_true(
        gb_session_open(&session, &(gb_wish){.device = NULL, .worker = worker_that("")}, &error));
    assert_false(gb_session_too_used(&session, true));
    gb_session_use(&session, false);
    assert_false(gb_session_too_used(&session, false));
    assert_true(gb_session_too_used(&session, true));
    assert_true(gb_session_restart(&session, &error));
    assert_false(gb_session_too_used(&session, true));
    gb_session_use(&session, true);
    assert_true(gb_session_too_used(&session, false));
    assert_true(gb_session_restart(&session, &error));
    assert_false(gb_session_too_used(&session, false));
    gb_session_close(&session);
}

static void refuses_bad_workers(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *says;
    } cases[] = {
        {"s/\"ok\": true/\"ok\": false, \"reason\": \"not today\"/", "worker: not today"},
        {"s/\"protocol\": 2,//", "protocol: missing"},
        {"s/.*/nonsense/", "nonsense"},
        {"s/\"devices\": .*\"primitives\"/\"devices\": [], \"primitives\"/", "it has no device"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_session session;
        gb_error error = {.text = ""};
        if (gb_session_open(&session,
                            &(gb_wish){.device = NULL, .worker = worker_that(cases[i].expression)},
                            &error))
            fail_msg("%s was opened", cases[i].expression);
        assert_says(error.text, cases[i].says, cases[i].expression);
    }
}

/* A Hopper and a Kepler: the worker of CUDA 13 has code for the first alone; that of CUDA 11.8 has
 * code for the Kepler, PTX for the Hopper, and the devices in the other order. */
static void takes_the_worker_that_serves_best(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *worker, *uuid;
        int index; /* in that worker */
    } cases[] = {
        {"auto", "gpubench-cuda", "GPU-h", 0},    {"0", "gpubench-cuda", "GPU-h", 0},
        {"GPU-h", "gpubench-cuda", "GPU-h", 0},   {"1", "gpubench-cuda11", "GPU-k", 0},
        {"GPU-k", "gpubench-cuda11", "GPU-k", 0}, {"cuda", "gpubench-cuda", "GPU-h", 0},
    };
    worker_named("gpubench-cuda",
                 "s/\"simt\", \"toolkit\": \"simt\"/\"cuda\", \"toolkit\": \"13.0\"/; "
                 "s/\"simt-0\"/\"GPU-h\", \"code\": 900/; "
                 "s/\"slug\": \"broken\"/&, \"uuid\": \"GPU-k\"/");
    worker_named("gpubench-cuda11",
                 "s/\"simt\", \"toolkit\": \"simt\"/\"cuda\", \"toolkit\": \"11.8\"/; "
                 "s/\"index\": 0/\"index\": 7/; s/\"index\": 1/\"index\": 0/; "
                 "s/\"index\": 7/\"index\": 1/; s/\"simt-0\"/\"GPU-h\"/; "
                 "s/\"slug\": \"broken\"/&, \"uuid\": \"GPU-k\", \"code\": 350/; "
                 "s/\"usable\": false/\"usable\": true/");
    assert_int_equal(setenv("GPUBENCH_WORKER_PATH", folder, 1), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_session session;
        gb_error error = {.text = ""};
        char name[100];
        if (!gb_session_open(&session, &(gb_wish){.device = cases[i].spec, .worker = NULL}, &error))
            fail_msg("%s: %s", cases[i].spec, error.text);
        gb_worker_short_name(session.command, name, sizeof name);
        assert_string_equal(name, cases[i].worker);
        assert_string_equal(session.device->uuid, cases[i].uuid);
        assert_int_equal(session.device->index, cases[i].index);
        assert_true(gb_worker_alive(session.worker));
        gb_session_close(&session);
    }

    /* without the older one nothing serves the Kepler, and the reason says so */
    char path[64];
    snprintf(path, sizeof path, "%s/gpubench-cuda11", folder);
    assert_int_equal(unlink(path), 0);
    gb_session session;
    gb_error error = {.text = ""};
    assert_false(gb_session_open(&session, &(gb_wish){.device = "GPU-k", .worker = NULL}, &error));
    assert_says(error.text, "device 1 (broken) is not usable: compiled for 900 only", "GPU-k");
    assert_int_equal(unsetenv("GPUBENCH_WORKER_PATH"), 0);
}

/* Two of one make, as a worker lists them that comes up again with its devices the other way round.
 */
static void sets_are_found_again(void **state)
{
    (void)state;
    static const char twins[] =
        "s/\"simt\", \"toolkit\": \"simt\"/\"cuda\", \"toolkit\": \"13.0\"/; "
        "s/\"slug\": \"broken\"/&, \"uuid\": \"simt-1\"/; "
        "s/\"name\": \"broken\"/\"name\": \"simt on 2 cores\"/; "
        "s/\"usable\": false/\"usable\": true/; ";
    char turned[512];
    snprintf(turned, sizeof turned, "%s%s", twins,
             "s/\"index\": 0/\"index\": 7/; s/\"index\": 1/\"index\": 0/; "
             "s/\"index\": 7/\"index\": 1/");
    gb_session session;
    gb_error error = {.text = ""};
    const gb_wish wish = {.device = "0,simt-1", .worker = worker_that(twins)};
    /* the stand-in says nothing of several devices */
    assert_false(gb_session_open(&session, &wish, &error));
    assert_says(error.text, "this worker cannot use several devices together", "stand-in");
    assert_int_equal(setenv("WORKER_DEVICES", "[0,1]", 1), 0);
    if (!gb_session_open(&session, &wish, &error)) fail_msg("%s", error.text);
    assert_int_equal(session.set.size, 2);
    assert_ptr_equal(session.set.device[0], session.device);
    assert_string_equal(session.set.device[1]->uuid, "simt-1");
    assert_int_equal(session.under.gpus, 2);
    worker_that(turned);
    assert_false(gb_session_restart(&session, &error));
    assert_says(error.text, "has taken other devices than it was asked for", "[0,1] again");
    assert_int_equal(setenv("WORKER_DEVICES", "[1,0]", 1), 0);
    if (!gb_session_restart(&session, &error)) fail_msg("%s", error.text);
    gb_session_close(&session);
    assert_int_equal(unsetenv("WORKER_DEVICES"), 0);
}

static void shortens_names(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"/opt/gpubench/gpubench-cuda", "gpubench-cuda"},
        {"gpubench-cuda", "gpubench-cuda"},
        {"'/opt/gpu bench/gpubench-cuda'", "gpubench-cuda"},
        {"\"/opt/it's/gpubench-simt\"", "gpubench-simt"},
        {"ssh host /opt/gpubench-cuda", "ssh host /opt/gpubench-cuda"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[100];
        assert_string_equal(gb_worker_short_name(cases[i][0], text, sizeof text), cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens),
        cmocka_unit_test(restarts),
        cmocka_unit_test(knows_when_a_worker_is_used),
        cmocka_unit_test(refuses_bad_workers),
        cmocka_unit_test(takes_the_worker_that_serves_best),
        cmocka_unit_test(sets_are_found_again),
        cmocka_unit_test(shortens_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
