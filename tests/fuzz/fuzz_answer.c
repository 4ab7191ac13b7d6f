/* A worker's answers about jobs: what is believed are numbers that can be, what is refused has a
 * reason that can be printed. The first byte chooses the request. */
#include "bench/util/clock.h"
#include "tests/fuzz/fuzz.h"

#include "bench/worker/job.h"
#include "common/text/json.h"

#include <math.h>

enum { COUNT = 5 };

static const char *answer_text;
static size_t answer_size;
static bool killed;

/* In place of the worker's process. */
cJSON *gb_worker_ask(gb_worker *worker, const cJSON *request, double limit_s, gb_error *error)
{
    (void)worker;
    (void)limit_s;
    REQUIRE(cJSON_IsObject(request));
    const char *at, *why;
    cJSON *answer = gb_json_parse(answer_text, answer_size, &at, &why);
    if (cJSON_IsObject(answer)) return answer;
    cJSON_Delete(answer);
    gb_fail(error, GB_CRASHED, "the answer is no JSON object");
    return NULL;
}

void gb_worker_kill(gb_worker *worker)
{
    (void)worker;
    killed = true;
}

/* Every request takes a hundred seconds, for no part of it may take longer. */
double gb_now(void)
{
    static double now;
    return now += 100;
}

static bool sane(double value)
{
    return isfinite(value) && value >= 0;
}

static gb_status ask_works(gb_link *link, gb_error *error)
{
    gb_params points[COUNT];
    gb_work work[COUNT];
    char *reasons[COUNT];
    size_t mistaken;
    memset(points, 0, sizeof points);
    gb_status status = gb_job_work(link, points, COUNT, 1, work, reasons, &mistaken, error);
    REQUIRE(status != GB_OK || mistaken == SIZE_MAX || (mistaken < COUNT && reasons[mistaken]));
    for (int i = 0; i < COUNT; i++) {
        if (reasons[i]) REQUIRE(!gb_text_unprintable(reasons[i]));
        free(reasons[i]);
    }
    return status;
}

static gb_status ask_samples(gb_link *link, gb_error *error)
{
    double times[COUNT];
    gb_status status = gb_job_sample(link, 1, COUNT, 1, times, NULL, error);
    for (int i = 0; status == GB_OK && i < COUNT; i++)
        REQUIRE(sane(times[i]));
    return status;
}

static gb_status ask_telemetry(gb_link *link, gb_error *error)
{
    gb_reading reading;
    gb_status status = gb_job_telemetry(link, 1, &reading, error);
    REQUIRE(!gb_text_unprintable(reading.throttle));
    REQUIRE(isfinite(reading.sm_clock_mhz) && isfinite(reading.power_w));
    return status;
}

static gb_status ask_open(gb_link *link, gb_error *error)
{
    gb_params point;
    gb_work work;
    unsigned job;
    memset(&point, 0, sizeof point);
    const gb_job_request request = {.variant = "cpu", .params = &point, .seed = UINT64_MAX};
    gb_status status = gb_job_open(link, &request, 1, &job, &work, NULL, error);
    REQUIRE(work.items <= (UINT64_C(1) << 53) && work.bytes <= (UINT64_C(1) << 53));
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    char *text = fuzz_text(data + 1, size - 1);
    answer_text = text;
    answer_size = size - 1;
    killed = false;
    gb_session session = {0};
    gb_link link = {.session = &session, .primitive = &fuzz_catalogue()->primitives[0]};
    gb_error error = {GB_OK, ""};
    gb_status status;
    double sample_s = 0;
    switch (data[0] % 6) {
    case 0:
        status = ask_works(&link, &error);
        break;
    case 1:
        status = ask_samples(&link, &error);
        break;
    case 2:
        status = ask_telemetry(&link, &error);
        break;
    case 3:
        status = ask_open(&link, &error);
        break;
    case 4:
        status = gb_job_verify(&link, 1, 1, &sample_s, NULL, &error);
        break;
    default:
        status = gb_job_close(&link, 1, 1, &error);
    }
    REQUIRE(sane(link.busy_s) && sane(sample_s));
    REQUIRE(status == error.status);
    if (status != GB_OK) require_message(&error, "");
    if (killed) REQUIRE(status != GB_OK);
    free(text);
    return 0;
}
