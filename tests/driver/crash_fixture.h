/* What the tests that end gpubench at a bad moment share: starting it, with
 * tests/driver/crash_shim.c where they like, and judging the files that it left. */
#ifndef GB_TESTS_DRIVER_CRASH_FIXTURE_H
#define GB_TESTS_DRIVER_CRASH_FIXTURE_H

#include "bench/util/string_set.h"
#include "common/text/csv.h"
#include "tests/driver/fixture.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char tests_folder[4096]; /* where this program and its helpers are */
static char scratch[64];        /* a folder of this test */
static char trial[256];         /* what is being tried, for messages */
static char said[65536];        /* stdout and stderr of the last gpubench */

#define TRIAL(...) snprintf(trial, sizeof trial, __VA_ARGS__)
#define BAD(format, ...) \
    fail_msg("[%s] " format "\n--- gpubench said:\n%s", trial, __VA_ARGS__, said)
#define BAD_IF(wrong, format, ...)           \
    do {                                     \
        if (wrong) BAD(format, __VA_ARGS__); \
    } while (0)

static inline int crash_setup(void **state)
{
    (void)state;
    ssize_t length = readlink("/proc/self/exe", tests_folder, sizeof tests_folder - 1);
    if (length <= 0) return -1;
    tests_folder[length] = 0;
    *strrchr(tests_folder, '/') = 0;
    /* In memory where that is possible: every run waits for its disk many times. */
    bool memory = access("/dev/shm", W_OK) == 0;
    snprintf(scratch, sizeof scratch, "%s/test_crash_XXXXXX", memory ? "/dev/shm" : "/tmp");
    /* Without git on PATH, a start takes a tenth of the time. */
    return mkdtemp(scratch) && chdir(scratch) == 0 && setenv("PATH", "/nonexistent", 1) == 0 ? 0
                                                                                             : -1;
}

static inline void remove_tree(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char *inner = NULL;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            asprintf(&inner, "%s/%s", path, entry->d_name) > 0 && unlink(inner) != 0)
            remove_tree(inner);
        free(inner);
    }
    if (folder) closedir(folder);
    rmdir(path);
}

static inline int crash_teardown(void **state)
{
    (void)state;
    if (chdir("/") == 0) remove_tree(scratch);
    return 0;
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* All of a small file; "" if it is not there. The caller frees it. */
static inline char *read_text(const char *path)
{
    enum { MOST = 1 << 18 };
    char *text = calloc(1, MOST);
    FILE *file = fopen(path, "r");
    assert_non_null(text);
    if (file) assert_true(fread(text, 1, MOST, file) < MOST);
    if (file) fclose(file);
    return text;
}

/* What the shim is to do; {0}: nothing. */
typedef struct crash {
    const char *under, *what;
    long at;
    const char *log;
} crash;

/* Starts gpubench run with arguments (NULL at the end); its output goes to the file "out". */
static inline pid_t start_gpubench(const crash *c, const char *const *arguments)
{
    char program[4200], shim[4200], number[24];
    snprintf(program, sizeof program, "%s/../../gpubench", tests_folder);
    snprintf(shim, sizeof shim, "%s/crash_shim.so", tests_folder);
    snprintf(number, sizeof number, "%ld", c->at);
    pid_t pid = fork();
    if (pid != 0) return pid;
    int out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const char *argv[24] = {program, "run"};
    for (int i = 0; arguments[i]; i++)
        argv[i + 2] = arguments[i];
    if (c->what) {
        setenv("LD_PRELOAD", shim, 1);
        setenv("CRASH_PROGRAM", "gpubench", 1);
        setenv("CRASH_UNDER", c->under, 1);
        setenv("CRASH_DO", c->what, 1);
        setenv("CRASH_AT", number, 1);
        if (c->log) setenv("CRASH_LOG", c->log, 1);
    }
    dup2(out, 1);
    dup2(out, 2);
    execv(program, (char *const *)argv);
    _exit(127);
}

/* Waits for it; its wait status. Fills said. */
static inline int end_gpubench(pid_t pid)
{
    int status = -1;
    while (waitpid(pid, &status, 0) < 0) {
    }
    char *text = read_text("out");
    snprintf(said, sizeof said, "%s", text);
    free(text);
    return status;
}

static inline bool was_killed(int status)
{
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static inline bool ended_with(int status, int code)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

/* ---- judging files ----------------------------------------------------------------------- */

/* How many lines of samples in file begin with the text, numbered from 0 without a gap; -1: not
 * so. */
static inline long count_samples(const gb_csv *samples, const char *key)
{
    long count = 0;
    for (size_t i = 0; i < samples->row_count; i++) {
        char **line = samples->rows[i], found[2048];
        snprintf(found, sizeof found, "%s|%s|%s|%s", line[0], line[1], line[2], line[3]);
        if (strcmp(found, key) != 0) continue;
        if (atol(line[4]) != count || atof(line[5]) < 0) return -1;
        count++;
    }
    return count;
}

/* "point|variant|cache" of a row. */
static inline void row_name(const gb_csv *csv, size_t row, char name[2048])
{
    size_t used = 0;
    int first = gb_csv_column(csv, "device") + 1, end = gb_csv_column(csv, "cache");
    for (int i = first; i < end; i++)
        used += (size_t)snprintf(name + used, 2048 - used, "%s%s=%s", i > first ? ";" : "",
                                 csv->header[i], csv->rows[row][i]);
    snprintf(name + used, 2048 - used, "|%s|%s", gb_csv_field(csv, row, "variant"),
             gb_csv_field(csv, row, "cache"));
}

/* A table of which nothing may be torn (strict), or of which the end may be, which is left out;
 * NULL: not there. */
static inline gb_csv *sound_table(const char *path, bool strict)
{
    gb_error error = {GB_OK, ""};
    struct stat status;
    if (stat(path, &status) != 0) return NULL;
    gb_csv *csv = gb_csv_read(path, &error);
    BAD_IF(!csv, "%s", error.text);
    BAD_IF(strict && (off_t)csv->terminated_bytes != status.st_size, "%s is torn", path);
    if (csv->unterminated && csv->row_count == 0) csv->columns = 0;
    csv->row_count -= csv->unterminated && csv->row_count > 0;
    return csv;
}

/* Fails unless every ok row of STEM.csv has its samples in STEM.samples.csv, no row is there twice
 * and the first columns of the header are right. strict: nor is anything torn or without its row.
 * Returns the rows, of which *ok are ok. */
static inline size_t judge_pair(const char *stem, bool strict, size_t *ok)
{
    char path[512], name[2048], key[3072];
    size_t rows = 0, owned = 0;
    gb_string_set names = {0};
    snprintf(path, sizeof path, "%s.csv", stem);
    gb_csv *csv = sound_table(path, strict);
    snprintf(path, sizeof path, "%s.samples.csv", stem);
    gb_csv *samples = sound_table(path, strict);
    *ok = 0;
    if (csv && csv->columns) {
        rows = csv->row_count;
        BAD_IF(gb_csv_column(csv, "run_id") != 1 || gb_csv_column(csv, "device") != 8 ||
                   strcmp(csv->header[csv->columns - 1], "started_utc") != 0,
               "the header of %s.csv is wrong", stem);
    }
    for (size_t i = 0; i < rows; i++) {
        row_name(csv, i, name);
        BAD_IF(gb_string_set_has(&names, name), "%s.csv has twice: %s", stem, name);
        gb_string_set_add(&names, name);
        if (strcmp(gb_csv_field(csv, i, "status"), "ok") != 0) continue;
        ++*ok;
        snprintf(key, sizeof key, "%s|%s", gb_csv_field(csv, i, "run_id"), name);
        long wanted = atol(gb_csv_field(csv, i, "samples"));
        long got = samples && samples->columns == 6 ? count_samples(samples, key) : 0;
        BAD_IF(wanted <= 0 || got != wanted, "%s.csv: %s has %ld samples instead of %ld", stem, key,
               got, wanted);
        owned += (size_t)got;
    }
    BAD_IF(strict && (!samples || samples->row_count != owned),
           "%s.samples.csv has lines of no row", stem);
    gb_string_set_free(&names);
    gb_csv_free(csv);
    gb_csv_free(samples);
    return rows;
}

/* Fails unless a meta file is sound JSON with this state (NULL: any); one that is not there is
 * fine if any is. */
static inline void judge_meta(const char *path, const char *state)
{
    char *text = read_text(path);
    cJSON *meta = cJSON_Parse(text);
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(meta, "state");
    BAD_IF(*text && !cJSON_IsString(found), "%s is torn:\n%s", path, text);
    BAD_IF(state && (!found || strcmp(found->valuestring, state) != 0), "%s is not %s", path,
           state);
    cJSON_Delete(meta);
    free(text);
}

/* Fails if the folder holds what only a run in progress may have there. */
static inline void judge_leftovers(const char *folder)
{
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));) {
        const char *dot = strrchr(entry->d_name, '.');
        BAD_IF(dot && (strcmp(dot, ".lock") == 0 || strcmp(dot, ".new") == 0), "%s/%s is left",
               folder, entry->d_name);
    }
    closedir(list);
}

#endif
