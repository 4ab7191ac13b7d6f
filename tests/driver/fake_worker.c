/* A worker for tests that misbehaves on request: the variant's name says how, and at what. "good"
 * answers as a worker should; "die-sample" dies of its first request for samples, and so on;
 * fake_worker_faults.c knows them all. Arguments make the worker itself misbehave. */
#include "tests/driver/fake_worker.h"

#include "common/protocol/protocol.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const variants[] = {"good",        "other",      "slow",         "noisy",
                                       "drifting",    "throttled",  "stepping",     "sticky",
                                       "hiccup",      "stuck",      "wrong-before", "wrong-after",
                                       "lonely-open", "leak-close", "told"};
/* With each of these, every fault is a variant, too. */
static const char *const requests[] = {"open", "verify", "sample", "close"};
enum {
    VARIANT_COUNT = sizeof variants / sizeof *variants,
    REQUEST_COUNT = sizeof requests / sizeof *requests,
    MOST_JOBS = 1024
};
static const double memory_bytes = 1e9;

static fake_job jobs[MOST_JOBS];
static unsigned job_count;
static fake_fault own; /* of this worker, whatever it runs */
static const char *primitive = "fake", *backend = "fake", *version, *code, *last_make;
static int device_count = 1;
static bool one_at_a_time; /* a list of devices is not understood */
static double crowded = 1; /* so many times as long samples take beside another worker with a job */
static int protocol = GB_PROTOCOL_VERSION;
static double free_bytes = memory_bytes;

static void add_variant(cJSON *list, const char *name)
{
    cJSON *variant = cJSON_CreateObject();
    cJSON_AddStringToObject(variant, "name", name);
    cJSON_AddStringToObject(variant, "summary", "a fake");
    cJSON_AddStringToObject(variant, "origin", "gpubench");
    cJSON_AddBoolToObject(variant, "stable", 0);
    cJSON_AddBoolToObject(variant, "host", strcmp(name, "host") == 0);
    cJSON_AddBoolToObject(variant, "cuda_only", 0);
    cJSON_AddItemToArray(list, variant);
}

/* All of one model, told apart by index and UUID: FAKE-1, FAKE-2. */
static cJSON *describe_device(int index)
{
    char uuid[32];
    cJSON *device =
        cJSON_Parse("{\"name\":\"Fake "
                    "Device\",\"slug\":\"fake-device\",\"arch\":900,\"sms\":1,\"memory_bytes\":"
                    "1000000000,\"l2_bytes\":4096,\"shared_per_block_bytes\":49152,\"shared_optin_"
                    "bytes\":49152,"
                    "\"sm_clock_max_mhz\":1000,\"mem_clock_max_mhz\":1000,\"usable\":true}");
    snprintf(uuid, sizeof uuid, "FAKE-%d", index + 1);
    cJSON_AddNumberToObject(device, "index", index);
    cJSON_AddStringToObject(device, "uuid", uuid);
    if (last_make && index == device_count - 1)
        cJSON_SetValuestring(cJSON_GetObjectItem(device, "name"), last_make);
    return device;
}

static void describe(cJSON *answer)
{
    cJSON_AddNumberToObject(answer, "protocol", protocol);
    if (version) cJSON_AddStringToObject(answer, "version", version);
    cJSON_AddStringToObject(answer, "backend", backend);
    cJSON_AddStringToObject(answer, "toolkit", "none");
    cJSON_AddStringToObject(answer, "driver", "none");
    cJSON_AddStringToObject(answer, "compiler", "none");
    cJSON_AddStringToObject(answer, "flags", "");
    const char *host = getenv("FAKE_HOST");
    if (host) cJSON_AddStringToObject(answer, "host", host);
    if (code) cJSON_AddStringToObject(answer, "code", code);
    cJSON_AddItemToObject(answer, "architectures",
                          cJSON_CreateIntArray((int[]){900}, code ? 0 : 1));
    cJSON *devices = cJSON_AddArrayToObject(answer, "devices");
    for (int i = 0; i < device_count; i++)
        cJSON_AddItemToArray(devices, describe_device(i));
    cJSON *primitives = cJSON_Parse(
        "[{\"name\":\"fake\",\"title\":\"Fake\",\"unit\":\"things\",\"axes\":[{\"name\":\"n\","
        "\"type\":\"size\",\"help\":\"how many\",\"default\":\"1000\",\"min\":\"0\",\"max\":"
        "\"1000000000\",\"nasty\":[\"0\",\"1\",\"33\"]},{\"name\":\"shape\",\"type\":\"name\","
        "\"help\":\"which\",\"default\":\"round\",\"names\":[\"round\",\"flat\"],\"nasty\":["
        "\"round\",\"flat\"]}],\"variants\":[]}]");
    cJSON *first = cJSON_GetArrayItem(primitives, 0);
    cJSON_SetValuestring(cJSON_GetObjectItem(first, "name"), primitive);
    cJSON *list = cJSON_GetObjectItem(first, "variants");
    for (int i = 0; i < VARIANT_COUNT; i++)
        add_variant(list, variants[i]);
    if (device_count > 1) add_variant(list, "host");
    for (const char *const *what = fake_faults; *what; what++) {
        for (int i = 0; i < REQUEST_COUNT; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s-%s", *what, requests[i]);
            add_variant(list, name);
        }
    }
    cJSON_AddItemToObject(answer, "primitives", primitives);
}

void fake_refuse(cJSON *answer, const char *status, const char *reason)
{
    cJSON_DeleteItemFromObject(answer, "ok");
    cJSON_AddBoolToObject(answer, "ok", 0);
    cJSON_AddStringToObject(answer, "status", status);
    cJSON_AddStringToObject(answer, "reason", reason);
}

/* Some number from 0 to 1 that depends on i alone. */
static double noise(unsigned i)
{
    return fmod(fabs(sin(i * 12.9898) * 43758.5453), 1);
}

/* Says in the file FAKE_STUCK, if there is to be one, that the seventh sample does not come, and
 * waits for the end. */
static void get_stuck(void)
{
    const char *path = getenv("FAKE_STUCK");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fclose(file);
    while (getchar() != EOF) {
    }
    exit(0);
}

/* Files in the folder FAKE_JOBS, one for each worker that has a job open. */
static void mark_jobs(bool open)
{
    char path[512];
    const char *folder = getenv("FAKE_JOBS");
    if (!folder) return;
    snprintf(path, sizeof path, "%s/%d", folder, (int)getpid());
    if (!open) {
        unlink(path);
        return;
    }
    FILE *file = fopen(path, "w");
    if (!file) exit(4);
    fclose(file);
}

static bool others_have_jobs(void)
{
    const char *folder = getenv("FAKE_JOBS");
    DIR *open = folder ? opendir(folder) : NULL;
    unsigned files = 0;
    for (struct dirent *entry; open && (entry = readdir(open));)
        files += *entry->d_name != '.';
    if (open) closedir(open);
    return files > 1;
}

static void sample(fake_job *at, unsigned count, cJSON *answer)
{
    const double longer = others_have_jobs() ? crowded : 1;
    cJSON *times = cJSON_AddArrayToObject(answer, "times_s");
    const char *what = at->fault.what;
    for (unsigned i = 0; i < count; i++) {
        unsigned k = at->sampled++;
        double time = 1e-6 + 1e-9 * noise(k);
        if (strcmp(what, "noisy") == 0) time = 1e-6 + 1e-6 * noise(k) * noise(k + 1);
        if (strcmp(what, "drifting") == 0) time += 1e-8 * k;
        if (strcmp(what, "stepping") == 0 && k >= 60) time *= 1.05;
        if (strcmp(what, "sticky") == 0) time += 2e-8 * noise(k / 10);
        if (strcmp(what, "hiccup") == 0 && k == 50) time *= 1.2;
        if (strcmp(what, "stuck") == 0) {
            if (k == 6) get_stuck();
            time = 1e-6 + 1e-9 * k;
        }
        if (strcmp(what, "slow") == 0) {
            nanosleep(&(struct timespec){0, 50000000}, NULL);
            time = 0.05;
        }
        cJSON_AddItemToArray(times, cJSON_CreateNumber(time * longer));
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

/* "told" tells which of two instances runs, another one in every worker, and what it launches. */
static void tell_instance(cJSON *answer)
{
    char name[64];
    snprintf(name, sizeof name, "instance of %d", (int)getpid());
    cJSON_AddStringToObject(answer, "instance", name);
    cJSON_AddItemToObject(
        answer, "instances",
        cJSON_Parse(
            "[{\"name\":\"this\",\"median_s\":1e-6},{\"name\":\"that\",\"reason\":\"no\"}]"));
}

static void tell_kernels(cJSON *answer)
{
    cJSON_AddItemToObject(
        answer, "kernels",
        cJSON_Parse("[{\"name\":\"sweep<int>\",\"launches\":2,\"threads\":384,\"registers\":74,"
                    "\"local_bytes\":0,\"shared_bytes\":16,\"blocks_per_sm\":2}]"));
    cJSON_AddNumberToObject(answer, "blocks", 2000);
}

static void open_job(const cJSON *request, cJSON *answer)
{
    fake_job *at = &jobs[job_count++];
    const char *name = cJSON_GetObjectItem(request, "variant")->valuestring;
    *at = (fake_job){.id = cJSON_GetObjectItem(request, "job")->valuedouble};
    if (sscanf(name, "%31[^-]-%31s", at->fault.what, at->fault.when) < 1) exit(4);
    double n = atof(cJSON_GetObjectItem(cJSON_GetObjectItem(request, "params"), "n")->valuestring);
    cJSON_AddNumberToObject(answer, "items", n);
    cJSON_AddNumberToObject(answer, "bytes", 8 * n);
    cJSON_AddNumberToObject(answer, "flops", 0);
    cJSON_AddNumberToObject(answer, "footprint", 8 * n);
    if (strcmp(name, "told") == 0) tell_instance(answer);
    bool refused =
        strcmp(at->fault.when, "open") == 0 && !fake_spoil(&at->fault, answer, job_count);
    /* "lonely" does not share: with it open, nobody else can be opened. What leaks, leaves little.
     */
    for (unsigned i = 0; !refused && i + 1 < job_count; i++) {
        if (strcmp(jobs[i].fault.what, "lonely") != 0) continue;
        fake_refuse(answer, "out_of_memory", "the lonely one takes it all");
        refused = true;
    }
    if (!refused && free_bytes < memory_bytes / 2) {
        fake_refuse(answer, "out_of_memory", "somebody took the memory");
        refused = true;
    }
    if (refused) job_count--;
    mark_jobs(job_count > 0);
}

static void telemetry(cJSON *answer)
{
    bool throttled = false;
    for (unsigned i = 0; i < job_count; i++)
        throttled |= strcmp(jobs[i].fault.what, "throttled") == 0;
    cJSON_AddNumberToObject(answer, "sm_clock_mhz", 990);
    cJSON_AddNumberToObject(answer, "mem_clock_mhz", 880);
    cJSON_AddNumberToObject(answer, "temperature_c", 44);
    cJSON_AddNumberToObject(answer, "power_w", 123.5);
    if (strcmp(own.what, "back") == 0) free_bytes += memory_bytes / 5; /* a part at a time */
    if (free_bytes > memory_bytes) free_bytes = memory_bytes;
    cJSON_AddNumberToObject(answer, "memory_free_bytes", free_bytes);
    cJSON *list = cJSON_AddArrayToObject(answer, "throttle");
    if (throttled) cJSON_AddItemToArray(list, cJSON_CreateString("power-cap"));
}

/* As a set of two would: the second way is slower. */
static void links(cJSON *answer)
{
    cJSON_AddItemToObject(
        answer, "links",
        cJSON_Parse(
            "{\"gpus\":2,\"nccl\":\"2.27.3\",\"pairs\":[{\"from\":0,\"to\":1,\"peer\":true,"
            "\"copy_bytes_per_s\":3.95e11,\"both_bytes_per_s\":7.1e11,\"copy_s\":2.5e-6,"
            "\"store_s\":9e-7,\"nccl\":[{\"bytes\":1048576,\"bytes_per_s\":5e10},{\"bytes\":"
            "16777216,\"bytes_per_s\":2e11},{\"bytes\":268435456}],\"nccl_s\":1.1e-5},"
            "{\"from\":1,\"to\":0,\"peer\":false,\"copy_bytes_per_s\":2.5e10}]}"));
}

/* Answers a request about an open job; false if its fault says all. */
static bool about_job(const char *cmd, const cJSON *request, cJSON *answer, fake_job *at)
{
    if (strcmp(at->fault.when, cmd) == 0 && !fake_spoil(&at->fault, answer, job_count))
        return false;
    if (strcmp(cmd, "verify") == 0) {
        at->verified++;
        bool wrong = (strcmp(at->fault.when, "before") == 0 && at->verified == 1) ||
                     (strcmp(at->fault.when, "after") == 0 && at->verified == 2);
        cJSON_AddStringToObject(answer, "verdict", wrong ? "wrong" : "ok");
        if (wrong) cJSON_AddStringToObject(answer, "reason", "key 5 of bin 7 is in bin 8");
        if (strcmp(at->fault.what, "told") == 0) tell_kernels(answer);
    } else if (strcmp(cmd, "sample") == 0) {
        sample(at, (unsigned)cJSON_GetObjectItem(request, "count")->valuedouble, answer);
    } else if (strcmp(cmd, "close") == 0) {
        if (strcmp(at->fault.what, "leak") == 0) free_bytes = 0.3 * memory_bytes;
        cJSON_AddNumberToObject(answer, "memory_free_bytes", free_bytes);
        *at = jobs[--job_count];
        mark_jobs(job_count > 0);
    }
    return true;
}

static void answer_line(const char *line)
{
    cJSON *request = cJSON_Parse(line), *answer = cJSON_CreateObject();
    const char *cmd = cJSON_GetObjectItem(request, "cmd")->valuestring;
    const cJSON *id = cJSON_GetObjectItem(request, "job");
    fake_fault fault = {"", ""};
    cJSON_AddStringToObject(answer, "cmd", cmd);
    cJSON_AddBoolToObject(answer, "ok", 1);
    cJSON_AddNumberToObject(answer, "seq", cJSON_GetObjectItem(request, "seq")->valuedouble);
    if (id) cJSON_AddNumberToObject(answer, "job", id->valuedouble);
    cJSON_AddNumberToObject(answer, "busy_s", 1e-5);
    bool well = true;
    if (strcmp(own.when, cmd) == 0) {
        fault = own;
        well = fake_spoil(&own, answer, job_count);
    }
    if (strcmp(cmd, "quit") == 0) exit(0);
    if (strcmp(cmd, "describe") == 0) describe(answer);
    if (strcmp(cmd, "select") == 0) {
        bool low = strcmp(own.what, "low") == 0 || strcmp(own.what, "back") == 0;
        if (low) free_bytes = 0.1 * memory_bytes;
        cJSON_AddItemToObject(answer, "ceilings",
                              cJSON_Parse("{\"copy_bytes_per_s\":1e10,\"blocks_per_s\":1e9}"));
        cJSON_AddNumberToObject(answer, "memory_free_bytes", free_bytes);
        const cJSON *devices = one_at_a_time ? NULL : cJSON_GetObjectItem(request, "devices");
        if (devices) cJSON_AddItemToObject(answer, "devices", cJSON_Duplicate(devices, 1));
    }
    if (strcmp(cmd, "links") == 0) links(answer);
    if (strcmp(cmd, "work") == 0) work(request, answer);
    if (strcmp(cmd, "telemetry") == 0) telemetry(answer);
    if (strcmp(cmd, "open") == 0) open_job(request, answer);
    for (unsigned i = 0; id && i < job_count; i++) {
        if (jobs[i].id != id->valuedouble) continue;
        if (strcmp(jobs[i].fault.when, cmd) == 0) fault = jobs[i].fault;
        if (strcmp(cmd, "open") != 0) well = about_job(cmd, request, answer, &jobs[i]);
        break;
    }
    if (well) fake_lie(&fault, answer);
    fake_send(&fault, cmd, answer);
    bool fatal = cJSON_IsTrue(cJSON_GetObjectItem(answer, "fatal"));
    cJSON_Delete(request);
    cJSON_Delete(answer);
    if (fatal) exit(1);
}

/* Counts the starts of workers in a file, this one included. */
static long count_start(const char *path)
{
    FILE *file = fopen(path, "a");
    if (!file) exit(4);
    putc('x', file);
    long count = ftell(file);
    fclose(file);
    return count;
}

/* What the worker says it is; false: the option says something else. */
static bool take_identity(const char *option, const char *value)
{
    if (strcmp(option, "--primitive") == 0)
        primitive = value;
    else if (strcmp(option, "--backend") == 0)
        backend = value;
    else if (strcmp(option, "--version") == 0)
        version = value;
    else if (strcmp(option, "--code") == 0)
        code = value;
    else if (strcmp(option, "--protocol") == 0)
        protocol = atoi(value);
    else if (strcmp(option, "--devices") == 0)
        device_count = atoi(value);
    else if (strcmp(option, "--last-make") == 0)
        last_make = value;
    else if (strcmp(option, "--one-at-a-time") == 0)
        one_at_a_time = atoi(value) != 0;
    else if (strcmp(option, "--crowded") == 0)
        crowded = atof(value);
    else
        return false;
    return true;
}

/* [--primitive NAME] [--backend NAME] [--version TEXT] [--code TEXT] [--protocol N]: what it says
 * it is.
 * [--devices N]: so many. [--last-make NAME]: the last of them is another one. [--one-at-a-time 1]:
 * several are not selected together, without a word. [--crowded FACTOR]: so many times as long
 * samples take while another worker has a job open, as the folder FAKE_JOBS shows.
 * [--from N FILE] [--to N] FAULT-REQUEST: a fault of the worker itself, in its Nth start and later,
 * and not after the other Nth. */
int main(int argc, char **argv)
{
    long start = 1, from = 1, to = 1000;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--from") == 0 && i + 2 < argc) {
            from = atol(argv[i + 1]);
            start = count_start(argv[i + 2]);
            i += 2;
        } else if (strcmp(argv[i], "--to") == 0 && i + 1 < argc) {
            to = atol(argv[++i]);
        } else if (i + 1 < argc && take_identity(argv[i], argv[i + 1])) {
            i++;
        } else if (start < from || start > to) {
            continue;
        } else if (sscanf(argv[i], "%31[^-]-%31s", own.what, own.when) != 2) {
            return 4;
        }
    }
    if (strcmp(own.when, "start") == 0) fake_spoil(&own, cJSON_CreateObject(), 0);
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0)
        answer_line(line);
    free(line);
    return 0;
}
