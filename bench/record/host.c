/* Where a run took place. */
#include "bench/record/host.h"

#include "bench/util/child.h"
#include "bench/util/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char **environ;

static const double git_limit_s = 5;

/* ---- the host ------------------------------------------------------------------------------- */

/* The rest of the first line of a file that begins with key, after separator, without quotes. */
static bool find_line(const char *path, const char *key, char separator, char *text,
                      size_t capacity)
{
    char line[512];
    bool found = false;
    FILE *file = fopen(path, "re");
    while (file && !found && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key)) != 0) continue;
        char *at = strchr(line, separator);
        if (!at) continue;
        at += 1 + strspn(at + 1, " \t\"");
        at[strcspn(at, "\"\n")] = 0;
        snprintf(text, capacity, "%s", at);
        found = true;
    }
    if (file) fclose(file);
    return found;
}

bool gb_anonymous(void)
{
    const char *asked = getenv("GPUBENCH_ANONYMOUS");
    return asked && *asked;
}

cJSON *gb_host_json(void)
{
    cJSON *host = cJSON_CreateObject();
    struct utsname names;
    char text[256];
    if (find_line("/etc/os-release", "PRETTY_NAME", '=', text, sizeof text))
        cJSON_AddStringToObject(host, "os", text);
    if (!gb_anonymous() && uname(&names) == 0) {
        cJSON_AddStringToObject(host, "name", names.nodename);
        snprintf(text, sizeof text, "%.60s %.100s %.60s", names.sysname, names.release,
                 names.machine);
        cJSON_AddStringToObject(host, "kernel", text);
    }
    if (find_line("/proc/cpuinfo", "model name", ':', text, sizeof text))
        cJSON_AddStringToObject(host, "cpu", text);
    long cores = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES);
    if (cores > 0) cJSON_AddNumberToObject(host, "cores", (double)cores);
    if (pages > 0)
        cJSON_AddNumberToObject(host, "memory_bytes",
                                (double)pages * (double)sysconf(_SC_PAGESIZE));
    return host;
}

/* ---- git ------------------------------------------------------------------------------------ */

/* Runs a command and reads what it prints, up to capacity - 1 bytes. False if it cannot be started,
 * fails or takes too long. */
static bool capture(char *const argv[], char *text, size_t capacity)
{
    gb_child child;
    gb_error error;
    char words[128];
    size_t used = 0;
    if (!gb_child_start(&child, argv, &error)) return false;
    double deadline = gb_now() + git_limit_s;
    while (gb_now() < deadline) {
        struct pollfd wait = {child.out, POLLIN, 0};
        if (poll(&wait, 1, 100) <= 0) continue;
        ssize_t got = read(child.out, text + used, capacity - 1 - used);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (got <= 0) break; /* the end, or no room for more: more is not needed */
        used += (size_t)got;
    }
    text[used] = 0;
    return gb_child_end(&child, 0.5, words, sizeof words);
}

/* A bundle is no repository, but its VERSION says what it was built from: "commit HASH clean". */
static cJSON *bundled_git(const char *folder)
{
    char path[4096], line[256], state[16] = "";
    snprintf(path, sizeof path, "%s/VERSION", folder);
    if (!find_line(path, "commit ", ' ', line, sizeof line)) return NULL;
    char *blank = strchr(line, ' ');
    if (blank) {
        snprintf(state, sizeof state, "%s", blank + 1);
        *blank = 0;
    }
    cJSON *git = cJSON_CreateObject();
    cJSON_AddStringToObject(git, "commit", line);
    if (*state) cJSON_AddBoolToObject(git, "dirty", strcmp(state, "clean") != 0);
    return git;
}

cJSON *gb_git_json(void)
{
    char folder[2048], commit[128], changes[4096];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    char *slash = length > 0 ? memrchr(folder, '/', (size_t)length) : NULL;
    if (!slash) return NULL;
    *slash = 0;
    cJSON *bundled = bundled_git(folder);
    if (bundled) return bundled;
    /* A program that was installed may lie in a repository of something else. */
    char *const ours[] = {"git", "-C", folder, "cat-file", "-e", "HEAD:bench/measure/runner.c",
                          NULL};
    char *const head[] = {"git", "-C", folder, "rev-parse", "HEAD", NULL};
    char *const status[] = {"git", "-C", folder, "status", "--porcelain", "--untracked-files=no",
                            NULL};
    if (!capture(ours, changes, sizeof changes) || !capture(head, commit, sizeof commit))
        return NULL;
    commit[strcspn(commit, "\n")] = 0;
    cJSON *git = cJSON_CreateObject();
    cJSON_AddStringToObject(git, "commit", commit);
    /* Should the list be longer than the buffer, git may end unhappily: there are changes. */
    bool known = capture(status, changes, sizeof changes);
    if (known || *changes) cJSON_AddBoolToObject(git, "dirty", *changes != 0);
    return git;
}

/* ---- the environment ------------------------------------------------------------------------ */

static bool allowed(const char *variable)
{
    static const char *const beginnings[] = {
        "CUDA_VISIBLE_DEVICES=", "CUDA_DEVICE_ORDER=", "CUDA_CACHE_DISABLE=", "SIMT_", "GPUBENCH_"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        if (strncmp(variable, beginnings[i], strlen(beginnings[i])) == 0) return true;
    }
    return false;
}

cJSON *gb_environment_json(void)
{
    cJSON *object = cJSON_CreateObject();
    for (char **variable = environ; *variable; variable++) {
        const char *equals = strchr(*variable, '=');
        char name[128];
        if (!equals || !allowed(*variable) || (size_t)(equals - *variable) >= sizeof name) continue;
        memcpy(name, *variable, (size_t)(equals - *variable));
        name[equals - *variable] = 0;
        cJSON_AddStringToObject(object, name, equals + 1);
    }
    return object;
}
