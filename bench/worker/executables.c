/* Worker executables: the places where they lie, one folder after the other. */
#include "bench/worker/executables.h"

#include "common/protocol/under.h"
#include "common/text/limits.h"
#include "common/text/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names ---------------------------------------------------------------------------------- */

static const struct {
    const char *begins;
    gb_kind kind;
} kinds[] = {{"gpubench-cuda", GB_KIND_CUDA},
             {"gpubench-simt", GB_KIND_SIMT},
             {"gpubench-opencl", GB_KIND_OPENCL},
             {"gpubench-python", GB_KIND_PYTHON},
             {"gpubench-host", GB_KIND_HOST}};

static gb_kind kind_of(const char *name)
{
    if (gb_text_ends(name, "-hooks") || gb_text_ends(name, "-tsan")) return GB_KIND_OTHER;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(name, kinds[i].begins, strlen(kinds[i].begins)) == 0) return kinds[i].kind;
    return GB_KIND_OTHER;
}

static int is_worker(const struct dirent *entry)
{
    return kind_of(entry->d_name) != GB_KIND_OTHER;
}

/* "sm_35" of gpubench-cuda11-sm_35; "" of others. */
static const char *code_of(const char *name)
{
    const char *dash = strrchr(name, '-');
    const bool has = dash && kind_of(name) == GB_KIND_CUDA && gb_under_is_code(dash + 1);
    return has ? dash + 1 : "";
}

static int has_code(const struct dirent *entry)
{
    return *code_of(entry->d_name) != '\0';
}

static int by_kind(const struct dirent **a, const struct dirent **b)
{
    const int x = (int)kind_of((*a)->d_name), y = (int)kind_of((*b)->d_name);
    return x != y ? x - y : strcmp((*a)->d_name, (*b)->d_name);
}

/* The path as a command: gb_worker_start splits at blanks. NULL if no quoting can express it. */
static char *as_command(const char *path)
{
    const char *quote = "";
    if (strpbrk(path, " \t\"")) quote = "'";
    if (strchr(path, '\'')) quote = "\"";
    if (*quote && strchr(path, *quote)) return NULL;
    size_t size = strlen(path) + 3;
    char *command = malloc(size);
    if (!command) gb_memory_gone("gpubench", size);
    snprintf(command, size, "%s%s%s", quote, path, quote);
    return command;
}

static bool is_executable_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

bool gb_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool gb_is_folder_path(const char *operand)
{
    const bool path =
        strchr(operand, '/') || strcmp(operand, ".") == 0 || strcmp(operand, "..") == 0;
    return path && gb_is_folder(operand);
}

/* The path in a command that is nothing else; NULL of one with arguments. */
static const char *path_in(const char *command, size_t *length)
{
    const bool quoted = *command == '\'' || *command == '"';
    *length = strlen(command);
    if (!quoted) return strpbrk(command, " \t") ? NULL : command;
    if (*length < 2 || strchr(command + 1, *command) != command + *length - 1) return NULL;
    *length -= 2;
    return command + 1;
}

const char *gb_worker_short_name(const char *command, char *text, size_t capacity)
{
    size_t length;
    const char *path = path_in(command, &length), *begin = path ? path : command;
    for (size_t i = 0; path && i < length; i++)
        if (path[i] == '/') begin = path + i + 1;
    const size_t rest = path ? (size_t)(path + length - begin) : length;
    snprintf(text, capacity, "%.*s", (int)rest, begin);
    return text;
}

const char *gb_worker_folder_of(const char *command, char *text, size_t capacity)
{
    size_t length;
    const char *path = path_in(command, &length);
    snprintf(text, capacity, "%.*s", (int)length, path ? path : "");
    char *slash = strrchr(text, '/');
    if (slash)
        slash[slash == text] = '\0';
    else
        *text = '\0';
    return text;
}

gb_kind gb_worker_kind(const char *command)
{
    char name[256];
    return kind_of(gb_worker_short_name(command, name, sizeof name));
}

/* ---- places --------------------------------------------------------------------------------- */

bool gb_worker_folder(char *folder, size_t capacity)
{
    const char *given = getenv("GPUBENCH_WORKER_PATH");
    if (given && *given) return snprintf(folder, capacity, "%s", given) < (int)capacity;
    ssize_t length = readlink("/proc/self/exe", folder, capacity - 1);
    if (length <= 0 || (size_t)length >= capacity - 1) return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) *slash = '\0';
    return slash != NULL;
}

/* Whether two commands are the same file, found twice. */
static bool is_same_file(const char *a, const char *b)
{
    if (strcmp(a, b) == 0) return true;
    char x[256], y[256], here[GB_WORKER_FOLDER], there[GB_WORKER_FOLDER];
    if (strcmp(gb_worker_short_name(a, x, sizeof x), gb_worker_short_name(b, y, sizeof y)) != 0)
        return false;
    char *first = realpath(gb_worker_folder_of(a, here, sizeof here), NULL),
         *second = realpath(gb_worker_folder_of(b, there, sizeof there), NULL);
    const bool same = first && second && strcmp(first, second) == 0;
    free(first);
    free(second);
    return same;
}

/* Takes the command over, unless it is there already. */
static void add(gb_executables *found, char *command, gb_home home)
{
    if (!command) return;
    for (size_t i = 0; i < found->count; i++) {
        if (!is_same_file(found->list[i].command, command)) continue;
        free(command);
        return;
    }
    if (found->count == found->capacity) {
        found->capacity = 2 * found->capacity + 8;
        found->list = realloc(found->list, found->capacity * sizeof *found->list);
        if (!found->list) gb_memory_gone("gpubench", found->capacity * sizeof *found->list);
    }
    found->list[found->count++] = (gb_executable){command, gb_worker_kind(command), home};
}

static void add_folder(gb_executables *found, const char *folder, gb_home home)
{
    char path[GB_WORKER_FOLDER + 256 + 2];
    struct dirent **entries = NULL;
    int bare = (int)strlen(folder); /* without slashes behind it */
    while (bare > 1 && folder[bare - 1] == '/')
        bare--;
    int count = scandir(folder, &entries, is_worker, by_kind);
    if (count < 0 && errno == ENOMEM) gb_memory_gone("gpubench", sizeof **entries);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        const int length = snprintf(path, sizeof path, "%.*s/%s", bare, folder, name);
        if (length < (int)sizeof path && strcmp(code_of(name), found->code) == 0 &&
            is_executable_file(path))
            add(found, as_command(path), home);
        free(entries[i]);
    }
    free(entries);
}

static void add_beside_config(gb_executables *found, const char *config)
{
    const char *slash = strrchr(config, '/');
    char folder[GB_WORKER_FOLDER];
    const int length = slash ? (int)(slash - config) + (slash == config) : 1;
    if (snprintf(folder, sizeof folder, "%.*s", length, slash ? config : ".") < (int)sizeof folder)
        add_folder(found, folder, GB_HOME_CONFIG);
}

/* An entry of GPUBENCH_WORKERS. A program there may have any name. */
static bool add_listed(gb_executables *found, const char *entry, gb_error *error)
{
    if (gb_is_folder(entry)) {
        add_folder(found, entry, GB_HOME_LISTED);
    } else if (is_executable_file(entry)) {
        add(found, as_command(entry), GB_HOME_LISTED);
    } else {
        gb_fail(error, GB_WRONG,
                "GPUBENCH_WORKERS: %.300s: %s; it names folders that have workers, and workers, "
                "separated by colons",
                entry,
                access(entry, F_OK) != 0 ? strerror(errno) : "neither a folder nor a program");
        return false;
    }
    return true;
}

static bool add_all_listed(gb_executables *found, gb_error *error)
{
    const char *given = getenv("GPUBENCH_WORKERS"), *value = given ? given : "";
    char *entries = strdup(value), *save = NULL;
    if (!entries) gb_memory_gone("gpubench", strlen(value) + 1);
    bool good = true;
    for (char *entry = strtok_r(entries, ":", &save); entry && good;
         entry = strtok_r(NULL, ":", &save))
        good = add_listed(found, entry, error);
    free(entries);
    return good;
}

static bool add_named(gb_executables *found, const char *named, gb_error *error)
{
    if (strlen(named) >= GB_WORKER_COMMAND) {
        gb_fail(error, GB_UNSUPPORTED, "--worker: more than %d bytes", GB_WORKER_COMMAND - 1);
        return false;
    }
    if (!gb_is_folder(named)) {
        char *command = strdup(named);
        if (!command) gb_memory_gone("gpubench", strlen(named) + 1);
        add(found, command, GB_HOME_NAMED);
        return true;
    }
    add_folder(found, named, GB_HOME_NAMED);
    if (found->count || *found->code) return true;
    gb_fail(error, GB_WRONG,
            "--worker %.300s: no worker (gpubench-cuda*, -simt*, -opencl*, -python*) is in this "
            "folder: `gpubench build` makes those of a primitive",
            named);
    return false;
}

bool gb_executables_find(gb_executables *found, const char *named, const char *config,
                         const char *code, gb_error *error)
{
    char folder[GB_WORKER_FOLDER];
    *found = (gb_executables){.code = code};
    if (named) return add_named(found, named, error);
    if (config) add_beside_config(found, config);
    if (gb_worker_folder(folder, sizeof folder)) add_folder(found, folder, GB_HOME_DRIVER);
    return add_all_listed(found, error);
}

void gb_executables_free(gb_executables *found)
{
    for (size_t i = 0; i < found->count; i++)
        free(found->list[i].command);
    free(found->list);
    *found = (gb_executables){0};
}

/* "-saxpy" of gpubench-cuda-saxpy; "" of gpubench-cuda11 */
static const char *own_part(const char *name)
{
    const char *dash = strchr(name, '-');
    dash = dash ? strchr(dash + 1, '-') : NULL;
    return dash ? dash : "";
}

char *gb_worker_hooks(const char *command, bool *older)
{
    char folder[GB_WORKER_FOLDER], name[256], usual[sizeof folder + sizeof name + 16];
    char hooks[sizeof usual + 8];
    struct stat a, b;
    if (!*gb_worker_folder_of(command, folder, sizeof folder)) return NULL;
    gb_worker_short_name(command, name, sizeof name);
    snprintf(usual, sizeof usual, "%s/gpubench-simt%s", folder, own_part(name));
    snprintf(hooks, sizeof hooks, "%s-hooks", usual);
    if (!is_executable_file(hooks)) return NULL;
    if (older) /* make builds the usual worker first */
        *older =
            stat(hooks, &a) == 0 && stat(usual, &b) == 0 && a.st_mtim.tv_sec < b.st_mtim.tv_sec;
    return as_command(hooks);
}

static int by_code(const struct dirent **a, const struct dirent **b)
{
    return strverscmp(code_of((*a)->d_name), code_of((*b)->d_name));
}

const char *gb_worker_codes(const char *folder, char *text, size_t capacity)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, has_code, by_code);
    if (count < 0 && errno == ENOMEM) gb_memory_gone("gpubench", sizeof **entries);
    size_t used = 0;
    *text = '\0';
    for (int i = 0; i < count; i++) {
        if (used < capacity)
            used += (size_t)snprintf(text + used, capacity - used, "%s%s", used ? ", " : "",
                                     code_of(entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    return text;
}

static bool refuse_no_code(const char *folder, const char *code, gb_error *error)
{
    char others[128];
    gb_worker_codes(folder, others, sizeof others);
    gb_fail(
        error, GB_UNSUPPORTED,
        "no worker with the code of %s in %.200s, where %s%s; `make old-code OLD_CODE=%s` builds "
        "gpubench-cuda*-%s",
        code, folder, *others ? "there is that of " : "there is none of old code", others,
        code + strlen("sm_"), code);
    return false;
}

bool gb_worker_refuse_none(const char *named, const char *code, gb_error *error)
{
    char folder[GB_WORKER_FOLDER] = "?";
    gb_worker_folder(folder, sizeof folder);
    if (*code) return refuse_no_code(named ? named : folder, code, error);
    gb_fail(error, GB_UNSUPPORTED,
            "no worker (gpubench-cuda*, gpubench-simt) in %.200s: build them with `make`, name "
            "their folder in GPUBENCH_WORKER_PATH, or name one with --worker",
            folder);
    return false;
}
