/* The worker's service: what it answers, what it refuses and why, and in which order it calls a
 * primitive and its variants. */
#include "tests/worker/worker_fixture.h"

#include "common/cuda/set.h"
#include "common/worker/host_cache.h"

static void malformed_lines(void **state)
{
    (void)state;
    assert_refused(ask("hello"), "protocol", "not JSON");
    assert_refused(ask("{\"cmd\":\"describe\"} x"), "protocol", "not JSON");
    assert_refused(ask(""), "protocol", "empty");
    assert_refused(ask("[]"), "protocol", "JSON object");
    assert_refused(ask("{}"), "protocol", "cmd");
    assert_refused(
        ask("{\"cmd\":\"dance\"}"), "protocol",
        "unknown cmd \"dance\"; known: describe, provide, team, select, links, work, open, verify, "
        "sample, dump, profile, telemetry, close, tuning, schedule, quit");
    assert_refused(ask("{\"cmd\":\"provide\"}"), "protocol", "not \"\"");
    assert_refused(ask("{\"cmd\":\"provide\",\"primitive\":{\"primitive\":\"p\"}}"), "protocol",
                   "is made from a config, not \"p\"");
    cJSON *answer = gb_service_answer(&service, "{}\0{}", 5);
    assert_refused(answer, "protocol", "NUL");
    cJSON_Delete(answer);
    assert_true(is_ok(ask("{\"cmd\":\"describe\"}")));
}

static void describe(void **state)
{
    (void)state;
    const cJSON *answer = ask("{\"cmd\":\"describe\"}");
    assert_string_equal(text(answer, "cmd"), "describe");
    assert_string_equal(text(answer, "backend"), "simt");
    const cJSON *device = cJSON_GetArrayItem(cJSON_GetObjectItem(answer, "devices"), 0);
    assert_string_equal(text(device, "slug"), "simt");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(device, "usable")));
    assert_true(number(device, "memory_bytes") > 0);
    const cJSON *primitives = cJSON_GetObjectItem(answer, "primitives");
    assert_int_equal(cJSON_GetArraySize(primitives), 2);
    const cJSON *primitive = cJSON_GetArrayItem(primitives, 0);
    const cJSON *variant = cJSON_GetArrayItem(cJSON_GetObjectItem(primitive, "variants"), 0);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(variant, "stable")));
    const cJSON *axis = cJSON_GetArrayItem(cJSON_GetObjectItem(primitive, "axes"), 0);
    assert_string_equal(text(axis, "type"), "size");
    assert_string_equal(text(axis, "max"), "1000");
}

static void tables_are_handed_over(void **state)
{
    (void)state;
    const cJSON *primitives = cJSON_GetObjectItem(ask("{\"cmd\":\"describe\"}"), "primitives");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetArrayItem(primitives, 0), "tunes")));
    assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(primitives, 1), "tunes"));
    const cJSON *answer = ask("{\"cmd\":\"tuning\",\"primitive\":\"p\"}");
    assert_true(is_ok(answer));
    assert_string_equal(text(answer, "by"), "what is compiled in at 0");
    answer = ask("{\"cmd\":\"tuning\",\"primitive\":\"p\",\"table\":\"good, a\\n\","
                 "\"copy_bytes_per_s\":3e3}");
    assert_true(is_ok(answer));
    assert_string_equal(text(answer, "by"), "good, a\n at 3000");
    assert_refused(ask("{\"cmd\":\"tuning\",\"primitive\":\"p\",\"table\":\"bad\"}"), "wrong",
                   "the table: is not good");
    assert_refused(ask("{\"cmd\":\"tuning\",\"primitive\":\"p\",\"table\":7}"), "protocol",
                   "\"table\" must be the text of a result file");
    assert_refused(ask("{\"cmd\":\"tuning\",\"primitive\":\"p\",\"copy_bytes_per_s\":0}"),
                   "protocol", "a number above 0");
    assert_refused(ask("{\"cmd\":\"tuning\",\"primitive\":\"q\"}"), "protocol", "q");
    assert_refused(ask("{\"cmd\":\"tuning\",\"primitive\":\"resident\"}"), "unsupported",
                   "no variant of resident chooses by measurements");
    assert_true(is_ok(open_job(1, "p", "right", "10", "warm", "device")));
    assert_refused(ask("{\"cmd\":\"tuning\",\"primitive\":\"p\"}"), "protocol",
                   "close all jobs before another table");
    assert_true(is_ok(ask("{\"cmd\":\"close\",\"job\":1}")));
}

static void params_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *params, *reason;
    } cases[] = {
        {"{\"n\":\"1\"}", "params.kind is missing"},
        {"{\"n\":\"1001\",\"kind\":\"plain\"}", "0 to 1000"},
        {"{\"n\":\"-1\",\"kind\":\"plain\"}", "params.n"},
        {"{\"n\":1,\"kind\":\"plain\"}", "must be a string"},
        {"{\"n\":\"1\",\"kind\":\"odd\"}", "plain, distinct:..."},
        {"{\"n\":\"1\",\"kind\":\"distinct:\"}", "plain, distinct:..."},
        {"{\"n\":\"1\",\"kind\":\"distinct:\\t\"}", "without control characters"},
        {"{\"n\":\"1\",\"kind\":\"plain\",\"x\":\"1\"}", "params.x is no axis"},
        {"{\"n\":\"1\",\"n\":\"1\",\"kind\":\"plain\"}", "given twice"},
        {"[]", "must be an object"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(
            ask("{\"cmd\":\"work\",\"primitive\":\"p\",\"points\":[%s]}", cases[i].params),
            "protocol", cases[i].reason);
    }
    assert_true(is_ok(ask("{\"cmd\":\"work\",\"primitive\":\"p\",\"points\":"
                          "[{\"n\":\"1k\",\"kind\":\"distinct:7\"}]}")));
}

static void work_of_points(void **state)
{
    (void)state;
    const cJSON *answer = ask("{\"cmd\":\"work\",\"primitive\":\"p\",\"points\":[{\"n\":\"10\","
                              "\"kind\":\"plain\"},{\"n\":\"13\",\"kind\":\"plain\"},"
                              "{\"n\":\"13\",\"kind\":\"distinct:x, y\"}]}");
    const cJSON *list = cJSON_GetObjectItem(answer, "work");
    char *printed = cJSON_PrintUnformatted(list);
    assert_string_equal(
        printed, "[[10,20,30,40],\"13 is never valid\",{\"mistake\":\"'x, y' is no number\"}]");
    cJSON_free(printed);
}

static void verify_in_order(void **state)
{
    (void)state;
    const cJSON *answer = open_job(1, "p", "right", "10", "warm", "device");
    assert_true(is_ok(answer));
    assert_true(number(answer, "flops") == 30);
    assert_string_equal(trace, "oP");
    trace[0] = '\0';
    answer = ask("{\"cmd\":\"verify\",\"job\":1}");
    assert_string_equal(text(answer, "verdict"), "ok");
    assert_true(number(answer, "busy_s") >= 0);
    assert_string_equal(trace, "prRk");
    trace[0] = '\0';
    answer = ask("{\"cmd\":\"sample\",\"job\":1,\"count\":3}");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(answer, "times_s")), 3);
    /* the checker has used the caches: one run that is not timed comes first */
    assert_string_equal(trace, "rRrRrRrR");
    trace[0] = '\0';
    assert_true(is_ok(ask("{\"cmd\":\"close\",\"job\":1}")));
    assert_string_equal(trace, "Cc");
    assert_refused(ask("{\"cmd\":\"sample\",\"job\":1,\"count\":1}"), "protocol", "no job 1");
}

/* All instances of a variant are tried on the job's data and the fastest is what runs; what did not
 * run is told, and nothing of those tried is left. */
static void the_fastest_instance(void **state)
{
    (void)state;
    const cJSON *answer = open_job(1, "p", "instances", "10", "warm", "device");
    assert_true(is_ok(answer));
    assert_string_equal(text(answer, "instance"), "quick");
    const cJSON *tried = cJSON_GetObjectItem(answer, "instances");
    assert_int_equal(cJSON_GetArraySize(tried), 3);
    const cJSON *slow = cJSON_GetArrayItem(tried, 0), *quick = cJSON_GetArrayItem(tried, 1),
                *large = cJSON_GetArrayItem(tried, 2);
    assert_string_equal(text(slow, "name"), "slow");
    assert_true(number(slow, "median_s") >= 3e-3);
    assert_true(number(quick, "median_s") < number(slow, "median_s"));
    assert_null(cJSON_GetObjectItem(large, "median_s"));
    assert_non_null(strstr(text(large, "reason"), "no room for large"));
    /* prepared, sampled and cleaned up one after the other, the second once more in the end */
    assert_true(strncmp(trace, "o0P", 3) == 0);
    assert_string_equal(trace + strlen(trace) - 5, "C2C1P");
    assert_int_equal(scratches, 1);
    assert_true(service.jobs->job.memory_used == 100);
    assert_true(is_ok(ask("{\"cmd\":\"verify\",\"job\":1}")));
    ask("{\"cmd\":\"close\",\"job\":1}");
    assert_int_equal(scratches, 0);
    assert_refused(open_job(1, "p", "instances", "7", "warm", "device"), "out_of_memory",
                   "no room for slow");
    /* one that chooses by itself, one that has nothing to say */
    answer = open_job(1, "p", "chooser", "10", "warm", "device");
    assert_string_equal(text(answer, "instance"), "right");
    assert_null(cJSON_GetObjectItem(answer, "instances"));
    answer = open_job(2, "p", "right", "10", "warm", "device");
    assert_null(cJSON_GetObjectItem(answer, "instance"));
    ask("{\"cmd\":\"close\",\"job\":1}");
    ask("{\"cmd\":\"close\",\"job\":2}");
}

/* A warm job runs once untimed when its turn comes after another's, and only then. */
static void turns_of_warm_jobs(void **state)
{
    (void)state;
    open_job(1, "p", "right", "10", "warm", "device");
    open_job(2, "p", "right", "10", "warm", "device");
    ask("{\"cmd\":\"sample\",\"job\":1,\"count\":1}");
    trace[0] = '\0';
    ask("{\"cmd\":\"sample\",\"job\":1,\"count\":2}");
    assert_string_equal(trace, "rRrR");
    ask("{\"cmd\":\"sample\",\"job\":2,\"count\":1}");
    trace[0] = '\0';
    ask("{\"cmd\":\"sample\",\"job\":1,\"count\":2}");
    assert_string_equal(trace, "rRrRrR");
    ask("{\"cmd\":\"close\",\"job\":1}");
    ask("{\"cmd\":\"close\",\"job\":2}");
}

/* Opens a variant of p as job 1, verifies it, in run_s seconds for all that the worker knows, takes
 * a sample and closes it. Returns what ran for the sample. */
static const char *ran_for_a_sample(const char *variant, double run_s)
{
    static char ran[sizeof trace];
    assert_true(is_ok(open_job(1, "p", variant, "10", "warm", "device")));
    assert_true(is_ok(ask("{\"cmd\":\"verify\",\"job\":1}")));
    assert_true(service.jobs->run_s > 0);
    service.jobs->run_s = run_s;
    trace[0] = '\0';
    assert_true(is_ok(ask("{\"cmd\":\"sample\",\"job\":1,\"count\":1}")));
    memcpy(ran, trace, sizeof ran);
    ask("{\"cmd\":\"close\",\"job\":1}");
    return ran;
}

/* On the CPU that run is left out where a warm cache would not show. */
static void turns_of_long_runs_on_the_cpu(void **state)
{
    (void)state;
    const uint64_t cache = gb_host_cache_bytes();
    const double most_s = 100 * (double)cache / 10e9;
    assert_true(gb_host_cache_helps(4 * cache, 0.99 * most_s));
    assert_false(gb_host_cache_helps(4 * cache + 1, 0.99 * most_s));
    assert_false(gb_host_cache_helps(cache, 1.01 * most_s));
    assert_true(gb_host_cache_helps(cache / 4, 0.49 * most_s));
    assert_false(gb_host_cache_helps(cache / 4, 0.51 * most_s));
    assert_string_equal(ran_for_a_sample("host", 1e-9), "RR");
    assert_string_equal(ran_for_a_sample("host", 1.01 * most_s), "R");
    assert_string_equal(ran_for_a_sample("right", 1.01 * most_s), "rRrR"); /* on the GPU never */
}

/* Whether the run of a verification that is asked for a sample comes with its time. */
static bool tells_time(const char *variant, uint64_t footprint, const char *cache)
{
    assert_true(is_ok(open_job(1, "p", variant, "10", cache, "device")));
    service.jobs->footprint = footprint;
    trace[0] = '\0';
    assert_null(cJSON_GetObjectItem(ask("{\"cmd\":\"verify\",\"job\":1}"), "time_s"));
    const bool resets = strcmp(trace, "prRk") == 0;
    assert_true(resets || strcmp(trace, "pRk") == 0);
    trace[0] = '\0';
    const cJSON *answer = ask("{\"cmd\":\"verify\",\"job\":1,\"sample\":true}");
    assert_string_equal(text(answer, "verdict"), "ok");
    const cJSON *time = cJSON_GetObjectItem(answer, "time_s");
    assert_true(!time || time->valuedouble > 0);
    assert_string_equal(trace, resets ? "prRk" : "pRk"); /* and there is no further run */
    const bool tells = time != NULL;
    ask("{\"cmd\":\"close\",\"job\":1}");
    return tells;
}

/* On the CPU what is verified is a sample as well, unless it lacks warm caches that would show. */
static void verified_runs_that_are_samples(void **state)
{
    (void)state;
    const uint64_t cache = gb_host_cache_bytes();
    assert_true(tells_time("host", 4 * cache + 1, "warm"));
    assert_false(tells_time("host", cache, "warm"));
    assert_true(tells_time("host", cache, "cold"));
    assert_false(tells_time("right", 4 * cache + 1, "warm"));
}

/* Where the input is carried in anew, and is many times what the cache holds, nothing of the last
 * run is left that a warm one would find. */
static void turns_of_runs_that_carry_much(void **state)
{
    (void)state;
    static gb_device small;
    assert_true(is_ok(open_job(1, "p", "right", "10", "warm", "host-to-host")));
    assert_true(is_ok(ask("{\"cmd\":\"verify\",\"job\":1}")));
    small = *service.jobs->job.device;
    small.l2_bytes = service.jobs->footprint / 4;
    service.jobs->job.device = &small;
    trace[0] = '\0';
    ask("{\"cmd\":\"sample\",\"job\":1,\"count\":1}");
    assert_string_equal(trace, "ruRdruRd");
    assert_true(is_ok(ask("{\"cmd\":\"verify\",\"job\":1}")));
    small.l2_bytes--;
    trace[0] = '\0';
    ask("{\"cmd\":\"sample\",\"job\":1,\"count\":1}");
    assert_string_equal(trace, "ruRd");
    ask("{\"cmd\":\"close\",\"job\":1}");
}

static void unverified_job_runs_once_untimed(void **state)
{
    (void)state;
    open_job(1, "p", "right", "10", "cold", "device");
    trace[0] = '\0';
    const cJSON *answer = ask("{\"cmd\":\"sample\",\"job\":1,\"count\":1}");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(answer, "times_s")), 1);
    assert_string_equal(trace, "rRrR");
    assert_refused(ask("{\"cmd\":\"sample\",\"job\":1,\"count\":0}"), "protocol", "count");
    assert_refused(ask("{\"cmd\":\"sample\",\"job\":1,\"count\":1.5}"), "protocol", "count");
    assert_refused(ask("{\"cmd\":\"sample\",\"job\":1}"), "protocol", "count");
}

static void host_to_host(void **state)
{
    (void)state;
    assert_true(is_ok(open_job(1, "p", "right", "10", "warm", "host-to-host")));
    trace[0] = '\0';
    ask("{\"cmd\":\"verify\",\"job\":1}");
    assert_string_equal(trace, "pruRdk");
    assert_true(is_ok(open_job(2, "p", "host", "10", "warm", "host-to-host")));
    trace[0] = '\0';
    ask("{\"cmd\":\"verify\",\"job\":2}");
    assert_string_equal(trace, "pRk");
    assert_refused(open_job(3, "resident", "right", "10", "warm", "host-to-host"), "unsupported",
                   "host-to-host");
}

/* What a variant moves itself is not moved around it, and it has no other scope. */
static void own_transfers(void **state)
{
    (void)state;
    const cJSON *answer = ask("{\"cmd\":\"describe\"}");
    const cJSON *primitive = cJSON_GetArrayItem(cJSON_GetObjectItem(answer, "primitives"), 0);
    const cJSON *variant;
    cJSON_ArrayForEach(variant, cJSON_GetObjectItem(primitive, "variants"))
    {
        bool moves = cJSON_IsTrue(cJSON_GetObjectItem(variant, "own_transfers"));
        assert_int_equal(moves, strcmp(text(variant, "name"), "mover") == 0);
    }
    assert_refused(open_job(1, "p", "mover", "10", "warm", "device"), "unsupported",
                   "mover has its data in host memory and moves them itself: use scope "
                   "host-to-host");
    assert_string_equal(trace, "");
    assert_true(is_ok(open_job(1, "p", "mover", "10", "warm", "host-to-host")));
    trace[0] = '\0';
    assert_string_equal(text(ask("{\"cmd\":\"verify\",\"job\":1}"), "verdict"), "ok");
    assert_string_equal(trace, "pRk");
    assert_true(is_ok(ask("{\"cmd\":\"sample\",\"job\":1,\"count\":2}")));
}

/* Opens job 1, variant "counted", with so much device memory (JSON), and closes it again. */
static const cJSON *open_limited(const char *primitive, const char *n, const char *device_memory)
{
    ask("{\"cmd\":\"close\",\"job\":1}");
    return ask("{\"cmd\":\"open\",\"job\":1,\"primitive\":\"%s\",\"variant\":\"counted\","
               "\"params\":{\"n\":\"%s\",\"kind\":\"plain\"},\"seed\":1,\"cache\":\"warm\","
               "\"scope\":\"device\",\"device_memory\":%s}",
               primitive, n, device_memory);
}

static void device_memory_has_a_limit(void **state)
{
    (void)state;
    assert_true(is_ok(open_limited("p", "50", "150")));
    assert_true(service.jobs->job.memory_limit == 150 && service.jobs->job.memory_used == 150);
    assert_true(is_ok(open_limited("p", "50", "\"150\"")));
    assert_refused(open_limited("p", "51", "150"), "out_of_memory",
                   "the first: 51 bytes of device memory needed, 50 free: measure.device_memory "
                   "allows this job 150 bytes, of which it uses 100 already");
    assert_refused(open_limited("p", "1", "99"), "out_of_memory",
                   "the point: 100 bytes of device memory needed, 99 free");
    assert_true(is_ok(open_limited("p", "1", "\"18446744073709551615\"")));
    assert_refused(open_limited("resident", "1", "150"), "unsupported",
                   "resident does not count its device memory: leave out measure.device_memory");
    static const char *const mistakes[] = {"0",    "-1",     "1.5", "\"\"",
                                           "true", "\"1k\"", "[]",  "\"18446744073709551616\""};
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        assert_refused(open_limited("p", "1", mistakes[i]), "protocol",
                       "\"device_memory\" must be a whole number of bytes from 1 to 2^53");
    assert_true(is_ok(open_job(2, "p", "counted", "1000", "warm", "device")));
    assert_true(service.jobs->job.memory_limit == 0 && service.jobs->job.memory_used == 1100);
}

static void points_are_shared(void **state)
{
    (void)state;
    open_job(1, "p", "lazy", "10", "warm", "device");
    open_job(2, "p", "host", "10", "warm", "device");
    assert_int_equal(problems, 1);
    open_job(3, "p", "host", "11", "warm", "device");
    assert_int_equal(problems, 2);
    assert_true(is_ok(ask("{\"cmd\":\"close\",\"job\":1}")));
    assert_int_equal(problems, 2);
    assert_string_equal(text(ask("{\"cmd\":\"verify\",\"job\":2}"), "verdict"), "ok");
    assert_true(is_ok(ask("{\"cmd\":\"close\",\"job\":2}")));
    assert_int_equal(problems, 1);
    assert_refused(open_job(3, "p", "host", "12", "warm", "device"), "protocol", "open already");
}

static void seeds(void **state)
{
    (void)state;
    static const char *const request =
        "{\"cmd\":\"open\",\"job\":%d,\"primitive\":\"p\",\"variant\":\"host\",\"params\":"
        "{\"n\":\"1\",\"kind\":\"plain\"},\"seed\":%s,\"cache\":\"warm\",\"scope\":\"device\"}";
    assert_true(is_ok(ask(request, 1, "7")));
    assert_true(is_ok(ask(request, 2, "\"18446744073709551615\"")));
    assert_true(seed_seen == UINT64_MAX);
    assert_int_equal(problems, 2);
    assert_refused(ask(request, 3, "\"18446744073709551616\""), "protocol", "seed");
    assert_refused(ask(request, 3, "-1"), "protocol", "seed");
    assert_refused(ask(request, 3, "1e300"), "protocol", "seed");
    assert_true(is_ok(ask(request, 3, "9007199254740992")));
    assert_refused(ask(request, 4, "9007199254740994"), "protocol", "2^53");
}

static void refusals(void **state)
{
    (void)state;
    assert_refused(open_job(1, "q", "right", "1", "warm", "device"), "protocol", "\"q\"");
    assert_refused(ask("{\"cmd\":\"open\",\"job\":1,\"primitive\":7}"), "protocol",
                   "the name of a primitive");
    assert_refused(ask("{\"cmd\":\"open\",\"job\":1,\"primitive\":\"p\",\"variant\":7}"),
                   "protocol", "the name of a variant");
    assert_refused(ask("{\"cmd\":\"open\",\"job\":0.5}"), "protocol", "a whole number");
    assert_refused(ask("{\"cmd\":\"verify\",\"job\":\"1\"}"), "protocol",
                   "the number of an open job");
    assert_refused(ask("{\"cmd\":\"work\",\"primitive\":\"p\",\"points\":7}"), "protocol",
                   "a list of params");
    assert_refused(open_job(1, "p", "left", "1", "warm", "device"), "protocol", "\"left\"");
    assert_refused(open_job(1, "p", "right", "1", "tepid", "device"), "protocol", "cache");
    assert_refused(open_job(1, "p", "right", "1", "warm", "cluster"), "protocol", "scope");
    assert_refused(open_job(1, "p", "right", "13", "warm", "device"), "unsupported", "13");
    assert_refused(open_job(1, "p", "never", "1", "warm", "device"), "unsupported", "not on simt");
    assert_string_equal(trace, "");
    assert_refused(open_job(1, "p", "right", "666", "warm", "device"), "out_of_memory", "666");
    assert_string_equal(trace, "o");
    assert_refused(open_job(1, "p", "unprepared", "1", "warm", "device"), "out_of_memory",
                   "no scratch");
    assert_string_equal(trace, "ooCc");
    assert_false(service.fatal);
    assert_true(is_ok(open_job(1, "p", "right", "1", "warm", "device")));
}

static void wrong_answers(void **state)
{
    (void)state;
    open_job(1, "p", "lazy", "10", "warm", "device");
    open_job(2, "p", "right", "10", "warm", "device");
    ask("{\"cmd\":\"verify\",\"job\":2}");
    const cJSON *answer = ask("{\"cmd\":\"verify\",\"job\":1}"); /* poison: not job 2's output */
    assert_true(is_ok(answer));
    assert_string_equal(text(answer, "verdict"), "wrong");
    assert_string_equal(text(answer, "reason"), "output is -1, not 42");
    assert_false(service.fatal);
}

static void failures_of_run(void **state)
{
    (void)state;
    open_job(1, "p", "hungry", "10", "warm", "device");
    assert_refused(ask("{\"cmd\":\"sample\",\"job\":1,\"count\":1}"), "out_of_memory",
                   "run of hungry: the heap is full");
    assert_refused(ask("{\"cmd\":\"verify\",\"job\":1}"), "out_of_memory", "the heap is full");
    assert_false(service.fatal);
    open_job(2, "p", "crash", "10", "warm", "device");
    const cJSON *answer = ask("{\"cmd\":\"verify\",\"job\":2}");
    assert_refused(answer, "crashed", "run of crash: an illegal memory access");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(answer, "fatal")));
    assert_true(service.fatal);
}

static void select_and_quit(void **state)
{
    (void)state;
    assert_refused(ask("{\"cmd\":\"select\",\"device\":99}"), "unsupported", "no device 99");
    assert_refused(ask("{\"cmd\":\"select\"}"), "protocol", "device");
    open_job(1, "p", "right", "10", "warm", "device");
    assert_refused(ask("{\"cmd\":\"select\",\"device\":0}"), "protocol", "close all jobs");
    ask("{\"cmd\":\"close\",\"job\":1}");
    const cJSON *answer = ask("{\"cmd\":\"select\",\"device\":0}");
    const cJSON *ceilings = cJSON_GetObjectItem(answer, "ceilings");
    assert_true(number(ceilings, "timer_s") > 0);
    assert_null(cJSON_GetObjectItem(ceilings, "copy_bytes_per_s"));
    assert_true(is_ok(ask("{\"cmd\":\"telemetry\"}")));
    assert_true(is_ok(ask("{\"cmd\":\"quit\"}")));
    assert_true(service.quit);
}

static int ptx; /* of the device; 0: it runs machine code */

gb_status __real_gb_backend_device_info(int index, gb_backend_device *device, gb_error *error);
gb_status __wrap_gb_backend_device_info(int index, gb_backend_device *device, gb_error *error);

gb_status __wrap_gb_backend_device_info(int index, gb_backend_device *device, gb_error *error)
{
    const gb_status status = __real_gb_backend_device_info(index, device, error);
    device->ptx = ptx;
    return status;
}

/* The generation that a primitive is told of, on a device with such code. */
static int arch_with(int code)
{
    ptx = code;
    assert_true(is_ok(ask("{\"cmd\":\"select\",\"device\":0}")));
    assert_true(is_ok(ask("{\"cmd\":\"schedule\"}")));
    assert_true(is_ok(open_job(1, "p", "right", "10", "warm", "device")));
    assert_true(is_ok(ask("{\"cmd\":\"close\",\"job\":1}")));
    return arch_seen;
}

/* A newer device runs no more than its code has; `describe` says what it is. */
static void variants_go_by_their_code(void **state)
{
    (void)state;
    const int own = arch_with(0);
    assert_int_equal(arch_with(350), 350);
    const cJSON *answer = ask("{\"cmd\":\"describe\"}");
    const cJSON *device = cJSON_GetArrayItem(cJSON_GetObjectItem(answer, "devices"), 0);
    assert_int_equal(number(device, "arch"), own);
    assert_int_equal(number(device, "ptx"), 350);
    assert_int_equal(arch_with(own + 100), own);
    assert_int_equal(arch_with(0), own);
}

static void needs_select(void **state)
{
    (void)state;
    gb_service_close(&service);
    assert_refused(open_job(1, "p", "right", "10", "warm", "device"), "protocol", "select");
    assert_refused(ask("{\"cmd\":\"telemetry\"}"), "protocol", "select");
    assert_refused(ask("{\"cmd\":\"schedule\"}"), "protocol", "select");
}

/* So many multiprocessors from then on, and none of it while a job is open that was told another.
 */
static void schedules(void **state)
{
    (void)state;
    const int sms = service.device.info.sms;
    assert_true(is_ok(ask("{\"cmd\":\"schedule\",\"schedule\":\"policy=random,resident=7\"}")));
    assert_int_equal(service.device.info.sms, 7);
    open_job(1, "p", "right", "10", "warm", "device");
    assert_true(is_ok(ask("{\"cmd\":\"schedule\",\"schedule\":\"policy=priority,resident=7\"}")));
    assert_string_equal(text(ask("{\"cmd\":\"verify\",\"job\":1}"), "verdict"), "ok");
    assert_refused(ask("{\"cmd\":\"schedule\",\"schedule\":\"policy=random,resident=2\"}"),
                   "protocol", "close all jobs");
    assert_refused(ask("{\"cmd\":\"schedule\"}"), "protocol", "close all jobs");
    assert_int_equal(service.device.info.sms, 7);
    ask("{\"cmd\":\"close\",\"job\":1}");
    assert_refused(ask("{\"cmd\":\"schedule\",\"schedule\":7}"), "protocol", "must be a text");
    assert_refused(ask("{\"cmd\":\"schedule\",\"schedule\":\"policy=fifo\"}"), "protocol",
                   "none of round-robin");
    assert_refused(ask("{\"cmd\":\"schedule\",\"schedule\":\"policy=random,plain=1\"}"),
                   "unsupported", "gpubench-simt-hooks");
    assert_true(is_ok(ask("{\"cmd\":\"schedule\"}")));
    assert_int_equal(service.device.info.sms, sms);
}

/* A part of the multiprocessors for all that asks how many there are, under schedules as well,
 * until the next select. */
static void limits(void **state)
{
    (void)state;
    const int all = service.device.info.sms;
    char beyond[96];
    snprintf(beyond, sizeof beyond, "cannot be cut to %d multiprocessors: of its %d these", all + 1,
             all);
    if (all < 2) skip(); /* tests/driver/under.sh has several wherever it runs */
    const cJSON *answer = ask("{\"cmd\":\"select\",\"device\":0,\"multiprocessors\":1}");
    assert_true(is_ok(answer));
    assert_true(number(answer, "multiprocessors") == 1.0);
    assert_int_equal(service.device.info.sms, 1);
    assert_true(is_ok(ask("{\"cmd\":\"schedule\",\"schedule\":\"policy=random,resident=7\"}")));
    assert_int_equal(service.device.info.sms, 7);
    assert_true(is_ok(ask("{\"cmd\":\"schedule\"}")));
    assert_int_equal(service.device.info.sms, 1);
    open_job(1, "p", "right", "10", "warm", "device");
    assert_string_equal(text(ask("{\"cmd\":\"verify\",\"job\":1}"), "verdict"), "ok");
    ask("{\"cmd\":\"close\",\"job\":1}");
    assert_refused(ask("{\"cmd\":\"select\",\"device\":0,\"multiprocessors\":0}"), "protocol",
                   "a number from 1 on");
    assert_int_equal(service.device.info.sms, 1);
    assert_refused(ask("{\"cmd\":\"select\",\"device\":0,\"multiprocessors\":%d}", all + 1),
                   "unsupported", beyond);
    assert_refused(open_job(1, "p", "right", "10", "warm", "device"), "protocol", "select");
    answer = ask("{\"cmd\":\"select\",\"device\":0}");
    assert_true(is_ok(answer));
    assert_null(cJSON_GetObjectItem(answer, "multiprocessors"));
    assert_int_equal(service.device.info.sms, all);
}

/* Blocks held to less shared memory, until the next select: the device says so. */
static void less_shared_memory(void **state)
{
    (void)state;
    assert_true(is_ok(ask("{\"cmd\":\"select\",\"device\":0}")));
    const unsigned all = (unsigned)(service.device.info.shared_optin >> 10);
    const cJSON *answer = ask("{\"cmd\":\"select\",\"device\":0,\"shared_kib\":64}");
    assert_true(is_ok(answer));
    assert_true(number(answer, "shared_kib") == 64.0);
    assert_int_equal(service.device.info.shared_optin, 64 << 10);
    assert_refused(ask("{\"cmd\":\"select\",\"device\":0,\"shared_kib\":%u}", all + 1),
                   "unsupported", "48 without asking for it");
    assert_refused(ask("{\"cmd\":\"select\",\"device\":0,\"shared_kib\":47}"), "unsupported",
                   "cannot be held to 47 KiB");
    assert_refused(ask("{\"cmd\":\"select\",\"device\":0,\"shared_kib\":0}"), "protocol",
                   "\"shared_kib\" must be a number from 1 on");
    assert_refused(ask("{\"cmd\":\"select\",\"device\":0,\"devices\":[0,1],\"shared_kib\":64}"),
                   "unsupported", "a part of the shared memory is that of one device");
    answer = ask("{\"cmd\":\"select\",\"device\":0}");
    assert_true(is_ok(answer));
    assert_null(cJSON_GetObjectItem(answer, "shared_kib"));
    assert_int_equal(service.device.info.shared_optin, all << 10);
}

/* Simulated devices that work together, until the next select; what passes between them. */
static void sets(void **state)
{
    (void)state;
    static const struct {
        const char *devices, *reason;
    } others[] = {{"7", "must be a list"},
                  {"[]", "must be a list"},
                  {"[1,0]", "the first of them"},
                  {"[0,-1]", "must be a list"},
                  {"[0,\"x\"]", "a list of 1 to 64"},
                  {"[0,0.5]", "must be a list"}};
    const cJSON *answer = ask("{\"cmd\":\"select\",\"device\":0,\"devices\":[0,1,1]}");
    assert_true(is_ok(answer));
    char *printed = cJSON_PrintUnformatted(cJSON_GetObjectItem(answer, "devices"));
    assert_string_equal(printed, "[0,1,1]");
    cJSON_free(printed);
    assert_int_equal(gb_set_now()->size, 3);
    assert_int_equal(gb_set_now()->device[1], 1);
    answer = cJSON_GetObjectItem(ask("{\"cmd\":\"links\"}"), "links");
    assert_true(number(answer, "gpus") == 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(answer, "pairs")), 6);
    const cJSON *farthest = cJSON_GetArrayItem(cJSON_GetObjectItem(answer, "pairs"), 5);
    assert_true(number(farthest, "from") == 2 && number(farthest, "to") == 1);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(farthest, "peer")));
    assert_null(cJSON_GetObjectItem(farthest, "copy_bytes_per_s"));
    assert_true(is_ok(open_job(1, "p", "right", "10", "warm", "device")));
    assert_refused(ask("{\"cmd\":\"links\"}"), "protocol", "close all jobs");
    ask("{\"cmd\":\"close\",\"job\":1}");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_refused(ask("{\"cmd\":\"select\",\"device\":0,\"devices\":%s}", others[i].devices),
                       "protocol", others[i].reason);
    assert_int_equal(gb_set_now()->size, 3); /* nothing was selected anew */
    assert_refused(ask("{\"cmd\":\"select\",\"device\":0,\"devices\":[0,1],\"multiprocessors\":1}"),
                   "unsupported", "is that of one device, and these are 2");
    assert_refused(ask("{\"cmd\":\"select\",\"device\":0,\"devices\":[0,64]}"), "unsupported",
                   "there is no device 64; there are 0 to ");
    assert_refused(ask("{\"cmd\":\"links\"}"), "protocol", "select a device first");
    answer = ask("{\"cmd\":\"select\",\"device\":0}");
    assert_true(is_ok(answer));
    assert_null(cJSON_GetObjectItem(answer, "devices"));
    assert_true(number(cJSON_GetObjectItem(ask("{\"cmd\":\"links\"}"), "links"), "gpus") > 3);
}

/* Of one process; tests/driver/team.sh has several. */
static void a_team_is_asked_for_as_it_should_be(void **state)
{
    (void)state;
    static const char *const sizes[] = {"7", "[]", "[1]", "[2,65]", "[2,\"x\"]"};
    static const char *const teams[] = {
        "7",
        "{}",
        "{\"rank\":0,\"size\":1,\"ids\":[]}",
        "{\"rank\":2,\"size\":2,\"ids\":[\"a\"]}",
        "{\"rank\":0,\"size\":3,\"ids\":[\"a\"]}",
        "{\"rank\":0,\"size\":2,\"ids\":[\"\"]}",
        "{\"rank\":0,\"size\":2,\"ids\":[\"/proc/1\"]}",
        "{\"rank\":0,\"size\":2,\"ids\":[3]}",
        "{\"rank\":0,\"size\":65,\"ids\":[\"a\"]}",
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_refused(ask("{\"cmd\":\"team\",\"sizes\":%s}", sizes[i]), "protocol",
                       "a list of 1 to 63 numbers of processes");
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++)
        assert_refused(ask("{\"cmd\":\"select\",\"device\":0,\"team\":%s}", teams[i]), "protocol",
                       "\"team\" must have");
    const cJSON *ids = cJSON_GetObjectItem(ask("{\"cmd\":\"team\",\"sizes\":[2,5]}"), "ids");
    assert_int_equal(cJSON_GetArraySize(ids), 2);
    assert_string_not_equal(cJSON_GetStringValue(cJSON_GetArrayItem(ids, 0)),
                            cJSON_GetStringValue(cJSON_GetArrayItem(ids, 1)));
    assert_refused(ask("{\"cmd\":\"select\",\"device\":0,\"multiprocessors\":1,"
                       "\"team\":{\"rank\":0,\"size\":2,\"ids\":[\"a\"]}}"),
                   "unsupported", "is that of one device, and these are 2");
    assert_refused(ask("{\"cmd\":\"select\",\"device\":0,\"ceilings\":false,"
                       "\"team\":{\"rank\":1,\"size\":2,\"ids\":[\"simt-0-0\"]}}"),
                   "crashed", "rank 0's process is not found");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(malformed_lines),
        TEST(a_team_is_asked_for_as_it_should_be),
        TEST(describe),
        TEST(tables_are_handed_over),
        TEST(params_are_checked),
        TEST(work_of_points),
        TEST(verify_in_order),
        TEST(the_fastest_instance),
        TEST(turns_of_warm_jobs),
        TEST(turns_of_long_runs_on_the_cpu),
        TEST(verified_runs_that_are_samples),
        TEST(turns_of_runs_that_carry_much),
        TEST(unverified_job_runs_once_untimed),
        TEST(host_to_host),
        TEST(own_transfers),
        TEST(device_memory_has_a_limit),
        TEST(points_are_shared),
        TEST(seeds),
        TEST(refusals),
        TEST(wrong_answers),
        TEST(failures_of_run),
        TEST(select_and_quit),
        TEST(variants_go_by_their_code),
        TEST(needs_select),
        TEST(schedules),
        TEST(limits),
        TEST(less_shared_memory),
        TEST(sets),
    };
    return cmocka_run_group_tests_name("worker service", tests, NULL, NULL);
}
