/* A worker for tests that misbehaves on request: the variant's name says how, and at what. "good"
 * answers as a worker should; "die-sample" dies of its first request for samples, and so on. What
 * is not in the list below is said by the code: it is short. */
#include "common/protocol.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const variants[] = {
    "good",         "other",           "slow",        "hang-open",        "hang-sample",
    "hang-verify",  "die-open",        "die-sample",  "die-verify",       "die-close",
    "exit-sample",  "garbage-sample",  "echo-sample", "job-sample",       "long-sample",
    "flood-sample", "negative-sample", "few-sample",  "huge-sample",      "null-sample",
    "fatal-sample", "wrong-before",    "wrong-after", "unsupported-open", "full-open",
    "never-open",   "lonely-open",     "talk-sample", "protocol-sample",  "noisy",
    "drifting",     "throttled",       "stop-sample", "stepping",         "sticky",
    "zero"};
enum { VARIANT_COUNT = sizeof variants / sizeof *variants, MOST_JOBS = 64 };

typedef struct job {
    double id;
    char what[32], when[32]; /* "die", "sample" */
    unsigned verified, sampled;
    unsigned long n;
} job;

static job jobs[MOST_JOBS];
static unsigned job_count;

static void describe(cJSON *answer)
{
    cJSON_AddNumberToObject(answer, "protocol", GB_PROTOCOL_VERSION);
    cJSON_AddStringToObject(answer, "backend", "fake");
    cJSON_AddStringToObject(answer, "toolkit", "none");
    cJSON_AddStringToObject(answer, "driver", "none");
    cJSON_AddStringToObject(answer, "compiler", "none");
    cJSON_AddStringToObject(answer, "flags", "");
    cJSON_AddItemToObject(answer, "architectures", cJSON_CreateIntArray((int[]){900}, 1));
    cJSON_AddItemToObject(
        answer, "devices",
        cJSON_Parse("[{\"index\":0,\"name\":\"Fake Device\",\"slug\":\"fake-device\",\"uuid\":"
                    "\"FAKE-1\",\"arch\":900,\"sms\":1,\"memory_bytes\":1000000000,\"l2_bytes\":"
                    "4096,\"shared_per_block_bytes\":49152,\"shared_optin_bytes\":49152,"
                    "\"sm_clock_max_mhz\":1000,\"mem_clock_max_mhz\":1000,\"usable\":true}]"));
    cJSON *primitives = cJSON_Parse(
        "[{\"name\":\"fake\",\"title\":\"Fake\",\"unit\":\"things\",\"axes\":[{\"name\":\"n\","
        "\"type\":\"size\",\"help\":\"how many\",\"default\":\"1000\",\"min\":\"0\",\"max\":"
        "\"1000000000\",\"nasty\":[\"0\",\"1\",\"33\"]},{\"name\":\"shape\",\"type\":\"name\","
        "\"help\":\"which\",\"default\":\"round\",\"names\":[\"round\",\"flat\"],\"nasty\":["
        "\"round\",\"flat\"]}],\"variants\":[]}]");
    cJSON *list = cJSON_GetObjectItem(cJSON_GetArrayItem(primitives, 0), "variants");
    for (int i = 0; i < VARIANT_COUNT; i++) {
        cJSON *variant = cJSON_CreateObject();
        cJSON_AddStringToObject(variant, "name", variants[i]);
        cJSON_AddStringToObject(variant, "summary", "a fake");
        cJSON_AddStringToObject(variant, "origin", "gpubench");
        cJSON_AddBoolToObject(variant, "stable", 0);
        cJSON_AddBoolToObject(variant, "host", 0);
        cJSON_AddBoolToObject(variant, "cuda_only", 0);
        cJSON_AddItemToArray(list, variant);
    }
    cJSON_AddItemToObject(answer, "primitives", primitives);
}

static void refuse(cJSON *answer, const char *status, const char *reason)
{
    cJSON_DeleteItemFromObject(answer, "ok");
    cJSON_AddBoolToObject(answer, "ok", 0);
    cJSON_AddStringToObject(answer, "status", status);
    cJSON_AddStringToObject(answer, "reason", reason);
}

static void send_line(const char *line)
{
    printf("%s\n", line);
    fflush(stdout);
}

/* What a variant does that has its trouble here. True: go on and answer as if nothing were. */
static int trouble(const char *what, cJSON *answer)
{
    if (strcmp(what, "hang") == 0) pause();
    if (strcmp(what, "stop") == 0) raise(SIGINT);
    if (strcmp(what, "die") == 0) {
        fputs("about to die\n", stderr);
        raise(SIGSEGV);
    }
    if (strcmp(what, "exit") == 0) exit(3);
    if (strcmp(what, "garbage") == 0) send_line("Segmentation fault (core dumped)");
    if (strcmp(what, "talk") == 0) printf("%s\n", "{\"cmd\":\"hello\",\"ok\":true}");
    if (strcmp(what, "echo") == 0)
        cJSON_ReplaceItemInObject(answer, "cmd", cJSON_CreateString("describe"));
    if (strcmp(what, "job") == 0)
        cJSON_ReplaceItemInObject(answer, "job", cJSON_CreateNumber(123456));
    if (strcmp(what, "long") == 0) {
        for (long i = 0; i < 66L << 20; i++)
            putchar('x');
        send_line("");
    }
    if (strcmp(what, "flood") == 0) {
        for (int i = 0; i < 200000; i++)
            fputs("a line of a log that nobody asked for\n", stderr);
    }
    if (strcmp(what, "unsupported") == 0) refuse(answer, "unsupported", "fakes cannot do this");
    if (strcmp(what, "never") == 0) refuse(answer, "out_of_memory", "it never fits");
    if (strcmp(what, "full") == 0 && job_count > 1) refuse(answer, "out_of_memory", "no room now");
    if (strcmp(what, "protocol") == 0) refuse(answer, "protocol", "count must be odd");
    if (strcmp(what, "fatal") == 0) {
        refuse(answer, "crashed", "the device is lost");
        cJSON_AddBoolToObject(answer, "fatal", 1);
    }
    return cJSON_IsTrue(cJSON_GetObjectItem(answer, "ok"));
}

/* Some number from 0 to 1 that depends on i alone. */
static double noise(unsigned i)
{
    return fmod(fabs(sin(i * 12.9898) * 43758.5453), 1);
}

static void sample(job *at, unsigned count, cJSON *answer)
{
    cJSON *times = cJSON_AddArrayToObject(answer, "times_s");
    const char *what = at->what;
    if (strcmp(what, "few") == 0) count--;
    for (unsigned i = 0; i < count; i++) {
        unsigned k = at->sampled++;
        double time = 1e-3 + 1e-6 * noise(k);
        if (strcmp(what, "noisy") == 0) time = 1e-3 + 1e-3 * noise(k) * noise(k + 1);
        if (strcmp(what, "drifting") == 0) time += 1e-5 * k;
        if (strcmp(what, "stepping") == 0 && k >= 60) time *= 1.05;
        if (strcmp(what, "sticky") == 0) time += 2e-5 * noise(k / 10);
        if (strcmp(what, "zero") == 0) time = 0;
        if (strcmp(what, "negative") == 0 && i == 0) time = -time;
        if (strcmp(what, "slow") == 0) {
            nanosleep(&(struct timespec){0, 50000000}, NULL);
            time = 0.05;
        }
        if (strcmp(what, "huge") == 0)
            cJSON_AddItemToArray(times, cJSON_CreateRaw("1e999"));
        else if (strcmp(what, "null") == 0)
            cJSON_AddItemToArray(times, cJSON_CreateNull());
        else
            cJSON_AddItemToArray(times, cJSON_CreateNumber(time));
    }
}

static void work(const cJSON *request, cJSON *answer)
{
    cJSON *list = cJSON_AddArrayToObject(answer, "work");
    const cJSON *point;
    cJSON_ArrayForEach(point, cJSON_GetObjectItem(request, "points"))
    {
        double n = atof(cJSON_GetObjectItem(point, "n")->valuestring);
        if (n == 13)
            cJSON_AddItemToArray(list, cJSON_CreateString("13 brings bad luck"));
        else
            cJSON_AddItemToArray(list, cJSON_CreateDoubleArray((double[]){n, 8 * n, 0, 8 * n}, 4));
    }
}

static void open_job(const cJSON *request, cJSON *answer)
{
    job *at = &jobs[job_count++];
    const char *name = cJSON_GetObjectItem(request, "variant")->valuestring;
    *at = (job){.id = cJSON_GetObjectItem(request, "job")->valuedouble};
    if (sscanf(name, "%31[^-]-%31s", at->what, at->when) < 1) exit(4);
    double n = atof(cJSON_GetObjectItem(cJSON_GetObjectItem(request, "params"), "n")->valuestring);
    cJSON_AddNumberToObject(answer, "items", n);
    cJSON_AddNumberToObject(answer, "bytes", 8 * n);
    cJSON_AddNumberToObject(answer, "flops", 0);
    cJSON_AddNumberToObject(answer, "footprint", 8 * n);
    /* "lonely" does not share: with it open, nobody else can be opened. */
    bool refused = strcmp(at->when, "open") == 0 && !trouble(at->what, answer);
    for (unsigned i = 0; !refused && i + 1 < job_count; i++) {
        if (strcmp(jobs[i].what, "lonely") != 0) continue;
        refuse(answer, "out_of_memory", "the lonely one takes it all");
        refused = true;
    }
    if (refused) job_count--;
}

static void telemetry(cJSON *answer)
{
    bool throttled = false;
    for (unsigned i = 0; i < job_count; i++)
        throttled |= strcmp(jobs[i].what, "throttled") == 0;
    cJSON_AddNumberToObject(answer, "sm_clock_mhz", 990);
    cJSON_AddNumberToObject(answer, "mem_clock_mhz", 880);
    cJSON_AddNumberToObject(answer, "temperature_c", 44);
    cJSON_AddNumberToObject(answer, "power_w", 123.5);
    cJSON *list = cJSON_AddArrayToObject(answer, "throttle");
    if (throttled) cJSON_AddItemToArray(list, cJSON_CreateString("power-cap"));
}

/* Answers a request about an open job. */
static void about_job(const char *cmd, const cJSON *request, cJSON *answer, job *at)
{
    if (strcmp(at->when, cmd) == 0 && !trouble(at->what, answer)) return;
    if (strcmp(cmd, "verify") == 0) {
        at->verified++;
        bool wrong = (strcmp(at->when, "before") == 0 && at->verified == 1) ||
                     (strcmp(at->when, "after") == 0 && at->verified == 2);
        cJSON_AddStringToObject(answer, "verdict", wrong ? "wrong" : "ok");
        if (wrong) cJSON_AddStringToObject(answer, "reason", "key 5 of bin 7 is in bin 8");
    } else if (strcmp(cmd, "sample") == 0) {
        sample(at, (unsigned)cJSON_GetObjectItem(request, "count")->valuedouble, answer);
    } else if (strcmp(cmd, "close") == 0) {
        *at = jobs[--job_count];
    }
}

static void answer_line(const char *line)
{
    cJSON *request = cJSON_Parse(line), *answer = cJSON_CreateObject();
    const char *cmd = cJSON_GetObjectItem(request, "cmd")->valuestring;
    const cJSON *id = cJSON_GetObjectItem(request, "job");
    cJSON_AddStringToObject(answer, "cmd", cmd);
    cJSON_AddBoolToObject(answer, "ok", 1);
    if (id) cJSON_AddNumberToObject(answer, "job", id->valuedouble);
    cJSON_AddNumberToObject(answer, "busy_s", 1e-4);
    if (strcmp(cmd, "quit") == 0) exit(0);
    if (strcmp(cmd, "describe") == 0) describe(answer);
    if (strcmp(cmd, "select") == 0)
        cJSON_AddItemToObject(answer, "ceilings", cJSON_Parse("{\"copy_bytes_per_s\":1e10}"));
    if (strcmp(cmd, "work") == 0) work(request, answer);
    if (strcmp(cmd, "telemetry") == 0) telemetry(answer);
    if (strcmp(cmd, "open") == 0) open_job(request, answer);
    for (unsigned i = 0; id && strcmp(cmd, "open") != 0 && i < job_count; i++) {
        if (jobs[i].id != id->valuedouble) continue;
        about_job(cmd, request, answer, &jobs[i]);
        break;
    }
    char *text = cJSON_PrintUnformatted(answer);
    send_line(text);
    bool fatal = cJSON_IsTrue(cJSON_GetObjectItem(answer, "fatal"));
    cJSON_free(text);
    cJSON_Delete(request);
    cJSON_Delete(answer);
    if (fatal) exit(1);
}

int main(void)
{
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0)
        answer_line(line);
    free(line);
    return 0;
}
