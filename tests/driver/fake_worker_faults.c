/* What the fake worker does instead of answering, with its answer, and after it. */
#include "tests/driver/fake_worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Those that need no word here are explained by the code below. */
const char *const fake_faults[] = {
    /* never answer */
    "hang", "stubborn", "mute", "stop", "drown", "endless", "halfhang", "haunt",
    /* end */
    "die", "abort", "killed", "exit", "leave", "parent", "half", "after", "deaf",
    /* say something else */
    "garbage", "binary", "nul", "empty", "list", "deep", "values", "long", "talk", "chatter",
    "twice", "stale", "echo", "job", "unnumbered", "vague", "nan",
    /* refuse */
    "unsupported", "never", "full", "protocol", "splendid", "fatal",
    /* lie about times, verdicts, work */
    "negative", "infinity", "huge", "eon", "few", "many", "none", "zeros", "null", "text", "object",
    "maybe", "number", "missing", "items", "lettered", "minus", "fraction", "busy",
    /* are loud or slow, and answer well */
    "flood", "garbled", "lazy",
    /* spoil what others compute in the same worker */
    "spill", "brim", NULL};

/* This worker computes nothing right any more. */
static bool spilt;

static const char hello[] = "{\"cmd\":\"hello\",\"ok\":true}";

static void say(const char *line)
{
    printf("%s\n", line);
    fflush(stdout);
}

static void sleep_s(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    while (nanosleep(&left, &left) != 0) {
    }
}

static _Noreturn void hang(void)
{
    for (;;)
        pause();
}

static void repeat(const char *text, long times)
{
    for (long i = 0; i < times; i++)
        fputs(text, stdout);
}

/* Leaves a child behind that holds the pipes open. */
static void leave_child(void)
{
    if (fork() == 0) hang();
    raise(SIGKILL);
}

/* Leaves a child behind that outlives the worker's group and answers when the worker is dead, for
 * two seconds. */
static void haunt(const cJSON *answer)
{
    char *text = cJSON_PrintUnformatted(answer);
    pid_t worker = getpid();
    if (fork() != 0) hang();
    setsid();
    signal(SIGPIPE, SIG_IGN);
    while (getppid() == worker)
        sleep_s(0.05);
    for (int i = 0; i < 20 && text; i++) {
        sleep_s(0.1);
        say(text);
    }
    exit(0);
}

static bool never_answers(const char *what, const cJSON *answer)
{
    if (strcmp(what, "hang") == 0) hang();
    if (strcmp(what, "stop") == 0) raise(SIGINT);
    if (strcmp(what, "haunt") == 0) haunt(answer);
    if (strcmp(what, "stubborn") == 0) {
        for (int number = 1; number < 32; number++)
            signal(number, SIG_IGN);
        hang();
    }
    if (strcmp(what, "mute") == 0) {
        fclose(stdout);
        hang();
    }
    while (strcmp(what, "drown") == 0)
        fputs("a line of a log without an end\n", stderr);
    while (strcmp(what, "endless") == 0)
        repeat("xxxxxxxxxxxxxxxx", 4096);
    while (strcmp(what, "chatter") == 0)
        repeat("{}\n", 4096);
    return false;
}

static void dies(const char *what)
{
    if (strcmp(what, "die") == 0) {
        fputs("about to die\n", stderr);
        raise(SIGSEGV);
    }
    if (strcmp(what, "garbled") == 0) {
        fputs("\033[2J\033]0;title\007 caf\303\251 \377\376 end\n", stderr);
        exit(7);
    }
    if (strcmp(what, "abort") == 0) abort();
    if (strcmp(what, "killed") == 0) raise(SIGKILL);
    if (strcmp(what, "exit") == 0) exit(3);
    if (strcmp(what, "leave") == 0) exit(0);
    if (strcmp(what, "parent") == 0) leave_child();
}

static void says_something_else(const char *what)
{
    if (strcmp(what, "garbage") == 0) say("Segmentation fault (core dumped)");
    if (strcmp(what, "talk") == 0) say(hello);
    if (strcmp(what, "empty") == 0) say("");
    if (strcmp(what, "list") == 0) say("[1,2,3]");
    if (strcmp(what, "binary") == 0) {
        for (unsigned i = 0, x = 1; i < 100000; i++, x = x * 1664525 + 1013904223)
            putchar((int)(x >> 24));
        say("");
    }
    if (strcmp(what, "deep") == 0) {
        repeat("[", 100000);
        say("");
    }
    if (strcmp(what, "values") == 0) {
        repeat("[0,0,0,0],", 500000);
        say("");
    }
    if (strcmp(what, "long") == 0) { /* 100 MB */
        for (int i = 0; i < 1000; i++)
            printf("%0100000d", 0);
        say("");
    }
}

bool fake_spoil(const fake_fault *fault, cJSON *answer, unsigned jobs)
{
    const char *what = fault->what;
    never_answers(what, answer);
    dies(what);
    says_something_else(what);
    if (strcmp(what, "flood") == 0) {
        for (int i = 0; i < 30000; i++)
            fputs("a line of a log that nobody asked for\n", stderr);
    }
    if (strcmp(what, "unsupported") == 0)
        fake_refuse(answer, "unsupported", "fakes cannot do this");
    if (strcmp(what, "never") == 0) fake_refuse(answer, "out_of_memory", "it never fits");
    if (strcmp(what, "full") == 0 && jobs > 1) fake_refuse(answer, "out_of_memory", "no room now");
    if (strcmp(what, "lazy") == 0) sleep_s(0.6);
    if (strcmp(what, "spill") == 0) spilt = true;
    if (strcmp(what, "brim") == 0 && jobs > 1) {
        spilt = true;
        fake_refuse(answer, "out_of_memory", "the heap is full");
    }
    if (strcmp(what, "protocol") == 0) fake_refuse(answer, "protocol", "count must be odd");
    if (strcmp(what, "splendid") == 0) fake_refuse(answer, "splendid", "all is well");
    if (strcmp(what, "fatal") == 0) {
        fake_refuse(answer, "crashed", "the device is lost");
        cJSON_AddBoolToObject(answer, "fatal", 1);
    }
    return cJSON_IsTrue(cJSON_GetObjectItem(answer, "ok"));
}

static void replace(cJSON *answer, const char *name, cJSON *value)
{
    cJSON_DeleteItemFromObject(answer, name);
    if (value) cJSON_AddItemToObject(answer, name, value);
}

static void lie_about_times(const char *what, cJSON *answer)
{
    cJSON *times = cJSON_GetObjectItem(answer, "times_s");
    if (!times) return;
    cJSON *first = NULL;
    if (strcmp(what, "negative") == 0) first = cJSON_CreateNumber(-1e-6);
    if (strcmp(what, "infinity") == 0) first = cJSON_CreateRaw("Infinity");
    if (strcmp(what, "nan") == 0) first = cJSON_CreateRaw("NaN");
    if (strcmp(what, "huge") == 0) first = cJSON_CreateRaw("1e999");
    if (strcmp(what, "eon") == 0) first = cJSON_CreateNumber(1e9);
    if (strcmp(what, "null") == 0) first = cJSON_CreateNull();
    if (strcmp(what, "text") == 0) first = cJSON_CreateString("1e-6");
    if (first) cJSON_ReplaceItemInArray(times, 0, first);
    if (strcmp(what, "few") == 0) cJSON_DeleteItemFromArray(times, 0);
    if (strcmp(what, "many") == 0) cJSON_AddItemToArray(times, cJSON_CreateNumber(1e-6));
    if (strcmp(what, "none") == 0) replace(answer, "times_s", cJSON_CreateArray());
    if (strcmp(what, "missing") == 0) replace(answer, "times_s", NULL);
    if (strcmp(what, "object") == 0) replace(answer, "times_s", cJSON_CreateObject());
    for (cJSON *time = times->child; strcmp(what, "zeros") == 0 && time; time = time->next)
        cJSON_SetNumberValue(time, 0);
}

void fake_lie(const fake_fault *fault, cJSON *answer)
{
    static unsigned opened;
    const char *what = fault->what;
    lie_about_times(what, answer);
    if (strcmp(what, "echo") == 0) replace(answer, "cmd", cJSON_CreateString("describe"));
    if (strcmp(what, "job") == 0) replace(answer, "job", cJSON_CreateNumber(123456));
    if (strcmp(what, "unnumbered") == 0) replace(answer, "seq", NULL);
    if (strcmp(what, "vague") == 0) replace(answer, "ok", cJSON_CreateNumber(1));
    if (strcmp(what, "busy") == 0) replace(answer, "busy_s", cJSON_CreateNumber(1e9));
    if (cJSON_GetObjectItem(answer, "verdict")) {
        if (spilt) replace(answer, "verdict", cJSON_CreateString("wrong"));
        if (strcmp(what, "maybe") == 0) replace(answer, "verdict", cJSON_CreateString("maybe"));
        if (strcmp(what, "number") == 0) replace(answer, "verdict", cJSON_CreateNumber(1));
        if (strcmp(what, "missing") == 0) replace(answer, "verdict", NULL);
    }
    if (cJSON_GetObjectItem(answer, "items")) {
        if (strcmp(what, "items") == 0) replace(answer, "items", cJSON_CreateNumber(++opened));
        if (strcmp(what, "lettered") == 0) replace(answer, "items", cJSON_CreateString("many"));
        if (strcmp(what, "minus") == 0) replace(answer, "items", cJSON_CreateNumber(-1));
        if (strcmp(what, "fraction") == 0) replace(answer, "items", cJSON_CreateNumber(1.5));
    }
    cJSON *work = cJSON_GetObjectItem(answer, "work");
    if (strcmp(what, "few") == 0) cJSON_DeleteItemFromArray(work, 0);
    if (work && strcmp(what, "text") == 0) replace(answer, "work", cJSON_CreateString("much"));
    if (cJSON_GetObjectItem(answer, "power_w") && strcmp(what, "text") == 0)
        replace(answer, "power_w", cJSON_CreateString("much"));
}

void fake_send(const fake_fault *fault, const char *cmd, const cJSON *answer)
{
    /* What was answered last to each request, for "stale". */
    static struct {
        char cmd[32];
        char *text;
    } sent[16];
    const char *what = fault->what;
    char *text = cJSON_PrintUnformatted(answer), *old = NULL;
    unsigned at = 0;
    while (sent[at].text && strcmp(sent[at].cmd, cmd) != 0)
        at++;
    if (strcmp(what, "stale") == 0) old = sent[at].text;
    if (strcmp(what, "half") == 0 || strcmp(what, "halfhang") == 0) {
        printf("%.*s", (int)strlen(text) / 2, text);
        fflush(stdout);
        if (strcmp(what, "halfhang") == 0) hang();
        exit(5);
    }
    if (strcmp(what, "nul") == 0) {
        fwrite(text, 1, strlen(text), stdout);
        putchar(0);
        say("");
    } else if (strcmp(what, "twice") == 0) {
        printf("%s\n%s\n", text, text);
        fflush(stdout);
    } else {
        say(old ? old : text);
    }
    if (strcmp(what, "after") == 0) raise(SIGSEGV);
    if (strcmp(what, "deaf") == 0) {
        close(STDIN_FILENO);
        hang();
    }
    cJSON_free(sent[at].text);
    snprintf(sent[at].cmd, sizeof sent[at].cmd, "%s", cmd);
    sent[at].text = text;
}
