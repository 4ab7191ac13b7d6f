/* Workers that fail between two requests, in whole runs: every request is held back until what the
 * worker did after its last answer can be seen. */
/* test: fast 5 */
#include "bench/commands/commands.h"
#include "bench/worker/process.h"
#include "tests/harness/children.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char fake[4200];

cJSON *__real_gb_worker_ask(gb_worker *worker, const cJSON *request, double limit_s,
                            gb_error *error);
cJSON *__wrap_gb_worker_ask(gb_worker *worker, const cJSON *request, double limit_s,
                            gb_error *error);

cJSON *__wrap_gb_worker_ask(gb_worker *worker, const cJSON *request, double limit_s,
                            gb_error *error)
{
    settle();
    return __real_gb_worker_ask(worker, request, limit_s, error);
}

/* The text of a file; the caller frees it. */
static char *text_of(const char *path)
{
    char *text = calloc(1, 1 << 16);
    FILE *file = fopen(path, "r");
    assert_non_null(text);
    assert_non_null(file);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static void write_config(const char *variants)
{
    FILE *file = fopen("idle.json", "w");
    assert_non_null(file);
    fprintf(file,
            "{\"schema\":1,\"name\":\"idle\",\"primitive\":\"fake\",\"variants\":[%s],\"axes\":"
            "{\"n\":[1000]},\"measure\":{\"samples\":3,\"warmup\":0}}",
            variants);
    assert_int_equal(fclose(file), 0);
}

/* gpubench run in this folder; the exit status. stderr goes to the file err. */
static int run(const char *variants, const char *worker_arguments)
{
    char worker[5000];
    write_config(variants);
    snprintf(worker, sizeof worker, "'%s' %s", fake, worker_arguments);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        int err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(err, 1);
        dup2(err, 2);
        char *argv[] = {"run", "idle.json", "--out", ".", "--worker", worker, NULL};
        int status = gb_command_run(6, argv);
        fflush(NULL);
        exit(status); /* at which what it ran is counted for coverage */
    }
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void assert_in_file(const char *path, const char *fragment)
{
    char *text = text_of(path);
    if (!strstr(text, fragment)) fail_msg("%s lacks '%s': %s", path, fragment, text);
    free(text);
}

/* It dies after every answer to `sample`: the second time it is blamed, and nobody else is. */
static void blames_who_was_asked_last(void **state)
{
    (void)state;
    assert_int_equal(run("\"good\",\"after-sample\",\"other\"", ""), 1);
    assert_in_file("err", "replaced, and what was open is opened again");
    assert_in_file("err", "crashed: after-sample at n=1000");
    assert_in_file("err", "2 ok, 1 crashed");
}

/* It dies after its row is complete: that is nobody's fault any more. */
static void blames_nobody_for_the_past(void **state)
{
    (void)state;
    assert_int_equal(run("\"after-close\",\"good\"", ""), 0);
    assert_in_file("err", "the worker ended before");
    assert_in_file("err", "2 ok");
}

/* It stops listening after an answer. */
static void notices_the_deaf(void **state)
{
    (void)state;
    assert_int_equal(run("\"deaf-sample\",\"good\"", ""), 1);
    assert_in_file("err", "crashed: deaf-sample at n=1000");
    assert_in_file("err", "1 ok, 1 crashed");
}

/* Every worker but the first dies as soon as it is selected: that has an end. */
static void ends_when_nobody_lives(void **state)
{
    (void)state;
    unlink("starts");
    assert_int_equal(run("\"die-sample\",\"good\"", "--from 2 starts after-select"), 1);
    assert_in_file("err", "3 workers in a row failed before they were asked");
    assert_in_file("err", "--resume");
}

static int make_folder(void **state)
{
    (void)state;
    static char folder[] = "/tmp/test_idle_XXXXXX";
    ssize_t length = readlink("/proc/self/exe", fake, 4096);
    if (length <= 0 || !mkdtemp(folder) || chdir(folder) != 0) return -1;
    fake[length] = 0;
    strcpy(strrchr(fake, '/'), "/fake_worker");
    *state = folder;
    return access(fake, X_OK);
}

static int remove_folder(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blames_who_was_asked_last),
        cmocka_unit_test(blames_nobody_for_the_past),
        cmocka_unit_test(notices_the_deaf),
        cmocka_unit_test(ends_when_nobody_lives),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
