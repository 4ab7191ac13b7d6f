/* For tests of the worker's service: a primitive made for the purpose, whose variants are right,
 * wrong, broken and unlucky and which notes every call in a trace; and how to ask the service. */
#ifndef GB_TESTS_WORKER_WORKER_FIXTURE_H
#define GB_TESTS_WORKER_WORKER_FIXTURE_H

#include "common/worker/service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* ---- the primitive --------------------------------------------------------------------------- */

struct gb_problem {
    int output; /* what run writes: 42 is right */
};

static char trace[4096]; /* one letter a call */
static int problems;     /* alive */
static int scratches;    /* alive */
static uint64_t seed_seen;
static int arch_seen;

static void note(const char *what)
{
    if (strlen(trace) + strlen(what) < sizeof trace) strcat(trace, what);
}

static gb_status problem_open(const gb_params *params, uint64_t seed, const gb_device *device,
                              gb_problem **out, gb_error *error)
{
    assert_string_equal(device->backend, "simt");
    *out = NULL;
    note("o");
    if (params->value[0].size == 666) return gb_fail(error, GB_OUT_OF_MEMORY, "666 is too much");
    seed_seen = seed;
    arch_seen = device->arch;
    *out = calloc(1, sizeof **out);
    problems++;
    return GB_OK;
}

static void problem_close(gb_problem *problem)
{
    note("c");
    problems--;
    free(problem);
}

static gb_status upload(gb_job *job, gb_stream stream)
{
    (void)job;
    assert_non_null(stream);
    note("u");
    return GB_OK;
}

static gb_status download(gb_job *job, gb_stream stream)
{
    (void)job;
    (void)stream;
    note("d");
    return GB_OK;
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    (void)stream;
    note("p");
    job->problem->output = -1;
    return GB_OK;
}

static gb_status check(gb_job *job, gb_stream stream)
{
    (void)stream;
    note("k");
    int output = job->problem->output;
    if (output == 42) return GB_OK;
    return gb_fail(&job->error, GB_WRONG, "output is %d, not 42", output);
}

static const char *invalid(const gb_params *params)
{
    return params->value[0].size == 13 ? gb_reason("13 is never valid") : NULL;
}

static const char *mistake(const gb_params *params)
{
    const char *argument = strchr(params->value[1].text, ':');
    if (!argument || strspn(argument + 1, "0123456789") == strlen(argument + 1)) return NULL;
    return gb_reason("'%s' is no number", argument + 1);
}

static gb_work work(const gb_params *params)
{
    uint64_t n = params->value[0].size;
    return (gb_work){.items = n, .bytes = 2 * n, .flops = 3 * n, .footprint = 4 * n};
}

static gb_status prepare(gb_job *job)
{
    note("P");
    job->state = malloc(1);
    scratches++;
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    note("C");
    if (job->state) scratches--;
    free(job->state);
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    (void)job;
    (void)stream;
    note("r");
    return GB_OK;
}

static gb_status run_right(gb_job *job, gb_stream stream)
{
    (void)stream;
    note("R");
    job->problem->output = 42;
    return GB_OK;
}

static gb_status run_nothing(gb_job *job, gb_stream stream)
{
    (void)job;
    (void)stream;
    return GB_OK;
}

/* A point's data take 100 bytes, and prepare asks for n more, twice. */
static gb_status prepare_counted(gb_job *job)
{
    gb_status status = gb_job_charge(job, 100, "the point");
    if (status == GB_OK) status = gb_job_charge(job, job->params->value[0].size, "the first");
    if (status == GB_OK) gb_job_discharge(job, job->params->value[0].size);
    if (status == GB_OK) status = gb_job_charge(job, job->params->value[0].size, "the second");
    return status;
}

static gb_status run_crash(gb_job *job, gb_stream stream)
{
    (void)stream;
    return gb_fail(&job->error, GB_CRASHED, "an illegal memory access was encountered");
}

static gb_status run_hungry(gb_job *job, gb_stream stream)
{
    (void)stream;
    return gb_fail(&job->error, GB_OUT_OF_MEMORY, "the heap is full");
}

static gb_status prepare_hungry(gb_job *job)
{
    return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no scratch");
}

/* Three instances: the first slower than the second, which the third cannot even be: it has no
 * room. With n = 7 none has any. */
static const char *instance(const gb_params *params, unsigned i)
{
    (void)params;
    static const char *const names[] = {"slow", "quick", "large"};
    return i < 3 ? names[i] : NULL;
}

static gb_status prepare_instance(gb_job *job)
{
    static const char *const notes[] = {"0", "1", "2"};
    note(notes[job->instance]);
    gb_status status = gb_job_charge(job, 100, "an instance");
    if (status != GB_OK) return status;
    if (job->instance == 2 || job->params->value[0].size == 7)
        return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no room for %s", job->instance_name);
    return prepare(job);
}

static gb_status run_instance(gb_job *job, gb_stream stream)
{
    const struct timespec longer = {.tv_nsec = job->instance == 0 ? 3000000 : 1000};
    nanosleep(&longer, NULL);
    return run_right(job, stream);
}

/* One that says by itself what it is. */
static gb_status prepare_chooser(gb_job *job)
{
    snprintf(job->instance_name, sizeof job->instance_name, "right");
    return GB_OK;
}

static const char *never(const gb_params *params, const gb_device *device)
{
    (void)params;
    return gb_reason("not on %s", device->backend);
}

#define VARIANT(...) (&(const gb_variant){.summary = "s", .origin = "test", __VA_ARGS__})

static const gb_variant *const variants[] = {
    VARIANT(.name = "right", .flags = GB_STABLE, .prepare = prepare, .reset = reset,
            .run = run_right, .cleanup = cleanup),
    VARIANT(.name = "host", .flags = GB_HOST, .run = run_right),
    VARIANT(.name = "lazy", .run = run_nothing),
    VARIANT(.name = "crash", .run = run_crash),
    VARIANT(.name = "hungry", .run = run_hungry),
    VARIANT(.name = "unprepared", .prepare = prepare_hungry, .run = run_right, .cleanup = cleanup),
    VARIANT(.name = "counted", .prepare = prepare_counted, .run = run_right),
    VARIANT(.name = "instances", .prepare = prepare_instance, .run = run_instance,
            .cleanup = cleanup, .instance = instance),
    VARIANT(.name = "chooser", .prepare = prepare_chooser, .run = run_right),
    VARIANT(.name = "mover", .flags = GB_OWN_TRANSFERS, .run = run_right),
    VARIANT(.name = "never", .unsupported = never, .run = run_right),
    NULL,
};

static const char *const no_names[] = {NULL};
static const char *const kinds[] = {"plain", "distinct:", NULL};

static const gb_axis axes[] = {
    {.name = "n",
     .type = GB_AXIS_SIZE,
     .help = "",
     .fallback = "1",
     .max = 1000,
     .nasty = no_names},
    {.name = "kind",
     .type = GB_AXIS_NAME,
     .help = "",
     .fallback = "plain",
     .names = kinds,
     .nasty = no_names},
};

#define FUNCTIONS                                                                                \
    .axes = axes, .axis_count = 2, .variants = variants, .invalid = invalid, .mistake = mistake, \
    .work = work, .open = problem_open, .close = problem_close, .poison = poison, .check = check

/* A table is one if it begins with "good". */
static gb_status tune(const char *table, size_t size, const gb_device *device, char by[GB_MAX_TEXT],
                      gb_error *error)
{
    if (table && (size < 4 || strncmp(table, "good", 4) != 0))
        return gb_fail(error, GB_WRONG, "the table: is not good");
    snprintf(by, GB_MAX_TEXT, "%.20s at %.0f", table ? table : "what is compiled in",
             device->copy_bytes_per_s);
    return GB_OK;
}

static const gb_primitive with_transfers = {.name = "p",
                                            .title = "P",
                                            .unit = "things",
                                            FUNCTIONS,
                                            .upload = upload,
                                            .download = download,
                                            .honours_memory_limit = true,
                                            .tune = tune};
static const gb_primitive without_transfers = {
    .name = "resident", .title = "R", .unit = "things", FUNCTIONS};

const gb_primitive *const gb_registry[] = {&with_transfers, &without_transfers, NULL};

/* ---- asking ---------------------------------------------------------------------------------- */

static gb_service service;
static cJSON *last;

static const cJSON *ask(const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    cJSON_Delete(last);
    last = gb_service_answer(&service, line, (size_t)length);
    assert_non_null(last);
    return last;
}

static bool is_ok(const cJSON *answer)
{
    return cJSON_IsTrue(cJSON_GetObjectItem(answer, "ok"));
}

static const char *text(const cJSON *answer, const char *name)
{
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItem(answer, name));
    return value ? value : "(absent)";
}

static double number(const cJSON *answer, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(answer, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* Opens job id on point (n, plain, seed 1). */
static const cJSON *open_job(int id, const char *primitive, const char *variant, const char *n,
                             const char *cache, const char *scope)
{
    return ask("{\"cmd\":\"open\",\"job\":%d,\"primitive\":\"%s\",\"variant\":\"%s\","
               "\"params\":{\"n\":\"%s\",\"kind\":\"plain\"},\"seed\":1,\"cache\":\"%s\","
               "\"scope\":\"%s\"}",
               id, primitive, variant, n, cache, scope);
}

static void assert_refused(const cJSON *answer, const char *status, const char *reason)
{
    assert_false(is_ok(answer));
    assert_string_equal(text(answer, "status"), status);
    if (!strstr(text(answer, "reason"), reason))
        fail_msg("\"%s\" lacks \"%s\"", text(answer, "reason"), reason);
}

static int start(void **state)
{
    (void)state;
    memset(&service, 0, sizeof service);
    trace[0] = '\0';
    problems = scratches = 0;
    return is_ok(ask("{\"cmd\":\"select\",\"device\":0}")) ? 0 : -1;
}

/* Every test must leave nothing behind, whatever it left open. */
static int stop(void **state)
{
    (void)state;
    gb_service_close(&service);
    cJSON_Delete(last);
    last = NULL;
    return problems == 0 && scratches == 0 ? 0 : -1;
}

#endif
