/* Where a run took place. */
#include "bench/record/host.h"

#include "bench/util/capture.h"
#include "common/text/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char **environ;

static const double git_limit_s = 5;

/* ---- the host ------------------------------------------------------------------------------- */

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
    if (gb_file_find_line("/etc/os-release", "PRETTY_NAME", '=', text, sizeof text))
        cJSON_AddStringToObject(host, "os", text);
    if (!gb_anonymous() && uname(&names) == 0) {
        cJSON_AddStringToObject(host, "name", names.nodename);
        snprintf(text, sizeof text, "%.60s %.100s %.60s", names.sysname, names.release,
                 names.machine);
        cJSON_AddStringToObject(host, "kernel", text);
    }
    if (gb_file_find_line("/proc/cpuinfo", "model name", ':', text, sizeof text))
        cJSON_AddStringToObject(host, "cpu", text);
    long cores = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES);
    if (cores > 0) cJSON_AddNumberToObject(host, "cores", (double)cores);
    if (pages > 0)
        cJSON_AddNumberToObject(host, "memory_bytes",
                                (double)pages * (double)sysconf(_SC_PAGESIZE));
    return host;
}

/* ---- git ------------------------------------------------------------------------------------ */

/* A bundle is no repository, but its VERSION says what it was built from: "commit HASH clean". */
static cJSON *bundled_git(const char *folder)
{
    char path[4096], line[256], state[16] = "";
    snprintf(path, sizeof path, "%s/VERSION", folder);
    if (!gb_file_find_line(path, "commit ", ' ', line, sizeof line)) return NULL;
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

/* Runs git in a folder; *text as of gb_capture. */
static bool git(const char *folder, const char *const *words, char **text)
{
    enum { MOST_WORDS = 8, MOST_BYTES = 1 << 16 };
    const char *argv[MOST_WORDS] = {"git", "-C", folder};
    for (size_t i = 3; i + 1 < MOST_WORDS && *words; i++)
        argv[i] = *words++;
    return gb_capture((char *const *)argv, git_limit_s, MOST_BYTES, text);
}

/* Whether git has nothing against it. */
static bool git_agrees(const char *folder, const char *const *words)
{
    char *text;
    const bool agrees = git(folder, words, &text);
    free(text);
    return agrees;
}

/* commit and dirty of the repository that a folder lies in; NULL: it lies in none. */
static cJSON *state_of(const char *folder)
{
    static const char *const head[] = {"rev-parse", "HEAD", NULL};
    static const char *const status[] = {"status", "--porcelain", "--untracked-files=no", NULL};
    char *commit, *changes;
    cJSON *state = NULL;
    if (git(folder, head, &commit)) {
        state = cJSON_CreateObject();
        commit[strcspn(commit, "\n")] = 0;
        cJSON_AddStringToObject(state, "commit", commit);
        /* Of a list that is longer than is read git may end unhappily: there are changes. */
        const bool known = git(folder, status, &changes);
        if (known || *changes) cJSON_AddBoolToObject(state, "dirty", *changes != 0);
        free(changes);
    }
    free(commit);
    return state;
}

cJSON *gb_git_json(void)
{
    static const char *const ours[] = {"cat-file", "-e", "HEAD:bench/measure/runner.c", NULL};
    char folder[2048];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    char *slash = length > 0 ? memrchr(folder, '/', (size_t)length) : NULL;
    if (!slash) return NULL;
    *slash = 0;
    cJSON *bundled = bundled_git(folder);
    if (bundled) return bundled;
    /* A program that was installed may lie in a repository of something else. */
    return git_agrees(folder, ours) ? state_of(folder) : NULL;
}

cJSON *gb_git_of_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    cJSON *state = folder ? state_of(folder) : NULL;
    free(folder);
    return state;
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
