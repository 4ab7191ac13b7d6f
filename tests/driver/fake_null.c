/* A worker for the tests of `gpubench info`: it has the primitive `null` alone and answers with
 * times that are known, so that what info makes of them can be foretold. Its argument says what is
 * the matter with it: plain, drift, stretch, few, wrong, dies, dies-early, full. Job 10 is the
 * first of the A/A spread's, for nine come before. */
#include "common/protocol/protocol.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_JOBS = 1000, FIRST_PAIR = 10 };
static struct {
    char variant[32];
    double ns;
} jobs[MOST_JOBS];
static const char *matter = "plain";
static unsigned copies; /* samples of copies so far */

static bool is(const char *what)
{
    return strcmp(matter, what) == 0;
}

/* Seconds. */
static double time_of(unsigned job)
{
    const char *variant = jobs[job].variant;
    if (strcmp(variant, "nothing") == 0) return 1e-6;
    if (strcmp(variant, "empty") == 0) return 2e-6;
    if (strcmp(variant, "waits") == 0) return 8e-6;
    if (strcmp(variant, "host") == 0) return 3e-6;
    if (strcmp(variant, "spin") == 0)
        return 2.5e-6 + 1e-9 * jobs[job].ns * (is("stretch") ? 1.02 : 1);
    if (strcmp(variant, "spin-host-clock") == 0) return 12e-6 + 1.001e-9 * jobs[job].ns;
    if (is("drift")) return 1e-4 + 1e-7 * copies++;
    /* The second of the r-th pair takes 0.1 r % longer than the first. */
    unsigned at = job < FIRST_PAIR ? 0 : job - FIRST_PAIR;
    unsigned pair = at / 2 + 1;
    return 1e-4 * (1 + at % 2 * 1e-3 * pair);
}

static void describe(cJSON *answer)
{
    static const char *const variants[] = {"nothing", "empty",           "waits", "host",
                                           "spin",    "spin-host-clock", "copy"};
    cJSON *facts = cJSON_Parse(
        "{\"protocol\":0,\"backend\":\"fake\",\"toolkit\":\"none\",\"driver\":\"none\","
        "\"compiler\":\"none\",\"flags\":\"\",\"architectures\":[900],\"devices\":[{\"index\":0,"
        "\"name\":\"Fake\",\"slug\":\"fake\",\"uuid\":\"FAKE-1\",\"arch\":900,\"sms\":1,"
        "\"memory_bytes\":1000000000,\"l2_bytes\":4096,\"shared_per_block_bytes\":49152,"
        "\"shared_optin_bytes\":49152,\"usable\":true}],\"primitives\":[{\"name\":\"null\","
        "\"title\":\"Null\",\"unit\":\"runs\",\"axes\":[{\"name\":\"ns\",\"type\":\"size\","
        "\"help\":\"a\",\"default\":\"0\",\"min\":\"0\",\"max\":\"1000000000\",\"nasty\":[]},{"
        "\"name\":\"bytes\",\"type\":\"size\",\"help\":\"a\",\"default\":\"0\",\"min\":\"0\","
        "\"max\":\"1000000000\",\"nasty\":[]}],\"variants\":[]}]}");
    cJSON_SetNumberValue(cJSON_GetObjectItem(facts, "protocol"), GB_PROTOCOL_VERSION);
    cJSON *null = cJSON_GetArrayItem(cJSON_GetObjectItem(facts, "primitives"), 0);
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        if (is("few") && strncmp(variants[i], "spin", 4) == 0) continue;
        cJSON *variant = cJSON_CreateObject();
        cJSON_AddStringToObject(variant, "name", variants[i]);
        cJSON_AddStringToObject(variant, "summary", "a fake");
        cJSON_AddStringToObject(variant, "origin", "gpubench");
        cJSON_AddFalseToObject(variant, "stable");
        cJSON_AddFalseToObject(variant, "host");
        cJSON_AddFalseToObject(variant, "cuda_only");
        cJSON_AddItemToArray(cJSON_GetObjectItem(null, "variants"), variant);
    }
    while (facts->child) {
        cJSON *fact = cJSON_DetachItemViaPointer(facts, facts->child);
        cJSON_AddItemToObject(answer, fact->string, fact);
    }
    cJSON_Delete(facts);
}

static void open_job(const cJSON *request, unsigned job, cJSON *answer)
{
    const cJSON *params = cJSON_GetObjectItem(request, "params");
    if (job >= MOST_JOBS) exit(4);
    snprintf(jobs[job].variant, sizeof jobs[job].variant, "%s",
             cJSON_GetObjectItem(request, "variant")->valuestring);
    jobs[job].ns = strtod(cJSON_GetObjectItem(params, "ns")->valuestring, NULL);
    if (is("full") && strcmp(jobs[job].variant, "copy") == 0) {
        cJSON_ReplaceItemInObject(answer, "ok", cJSON_CreateFalse());
        cJSON_AddStringToObject(answer, "status", "out_of_memory");
        cJSON_AddStringToObject(answer, "reason", "no room for a copy");
    }
    cJSON_AddNumberToObject(answer, "items", 1);
}

/* A host that is busy elsewhere holds up one job of the first pair, but not its first requests. */
static void hold_up(unsigned job)
{
    static unsigned requests;
    if (!is("drift") || job != FIRST_PAIR + 1 || ++requests <= 2) return;
    nanosleep(&(struct timespec){0, 6000000}, NULL);
}

static void sample(const cJSON *request, unsigned job, cJSON *answer)
{
    hold_up(job);
    cJSON *times = cJSON_AddArrayToObject(answer, "times_s");
    double sum = 0;
    for (int i = 0; i < cJSON_GetObjectItem(request, "count")->valueint; i++) {
        double time = time_of(job);
        sum += time;
        cJSON_AddItemToArray(times, cJSON_CreateNumber(time));
    }
    /* Nobody would believe them if the request had not taken as long. */
    nanosleep(&(struct timespec){(time_t)sum, (long)(1e9 * (sum - (double)(time_t)sum))}, NULL);
}

static void answer_line(const char *line)
{
    cJSON *request = cJSON_Parse(line), *answer = cJSON_CreateObject();
    const char *cmd = cJSON_GetObjectItem(request, "cmd")->valuestring;
    const cJSON *id = cJSON_GetObjectItem(request, "job");
    unsigned job = id ? (unsigned)id->valueint : 0;
    cJSON_AddStringToObject(answer, "cmd", cmd);
    cJSON_AddTrueToObject(answer, "ok");
    cJSON_AddNumberToObject(answer, "seq", cJSON_GetObjectItem(request, "seq")->valuedouble);
    if (id) cJSON_AddNumberToObject(answer, "job", job);
    if (strcmp(cmd, "quit") == 0) exit(0);
    if (strcmp(cmd, "describe") == 0) describe(answer);
    if (strcmp(cmd, "select") == 0) cJSON_AddObjectToObject(answer, "ceilings");
    if (strcmp(cmd, "open") == 0) open_job(request, job, answer);
    if (strcmp(cmd, "sample") == 0) sample(request, job, answer);
    const char *deadly = is("dies") ? "copy" : is("dies-early") ? "spin" : "";
    if (strcmp(cmd, "sample") == 0 && strcmp(jobs[job].variant, deadly) == 0) abort();
    if (strcmp(cmd, "verify") == 0) {
        bool wrong = is("wrong") && strcmp(jobs[job].variant, "spin") == 0;
        cJSON_AddStringToObject(answer, "verdict", wrong ? "wrong" : "ok");
        if (wrong) cJSON_AddStringToObject(answer, "reason", "the spin was too short");
    }
    char *text = cJSON_PrintUnformatted(answer);
    printf("%s\n", text);
    fflush(stdout);
    cJSON_free(text);
    cJSON_Delete(request);
    cJSON_Delete(answer);
}

int main(int argc, char **argv)
{
    char *line = NULL;
    size_t capacity = 0;
    if (argc > 1) matter = argv[1];
    while (getline(&line, &capacity, stdin) > 0)
        answer_line(line);
    free(line);
    return 0;
}
