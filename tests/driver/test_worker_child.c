/* Commands that become child processes, and a child that does not end when it is killed. */
/* test: fast 2 */
#include "bench/util/child.h"
#include "bench/util/clock.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

/* Fails unless text holds the fragment. */
static void assert_says(const char *text, const char *fragment)
{
    if (!strstr(text, fragment)) fail_msg("'%s' does not say '%s'", text, fragment);
}

static void test_split(void **state)
{
    (void)state;
    static const struct {
        const char *command, *words[6];
    } table[] = {{"a", {"a"}},
                 {"  a\tb\n c ", {"a", "b", "c"}},
                 {"a 'b c' \"d 'e'\"", {"a", "b c", "d 'e'"}},
                 {"x'y z'\"w\"v", {"xy zwv"}},
                 {"a '' \"\" b", {"a", "", "", "b"}},
                 {"a $HOME `b` \\ *", {"a", "$HOME", "`b`", "\\", "*"}}};
    gb_error error;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char **words = gb_command_split(table[i].command, &error);
        assert_non_null(words);
        int count = 0;
        for (; words[count]; count++)
            assert_string_equal(words[count], table[i].words[count]);
        assert_null(table[i].words[count]);
        free(words);
    }
    assert_null(gb_command_split("", &error));
    assert_null(gb_command_split("  ", &error));
    assert_null(gb_command_split("'' a", &error));
    assert_null(gb_command_split("a 'b", &error));
    assert_says(error.text, "column 3");
}

/* The driver of a device can keep a process from ending: here, kill does nothing. */
static bool unkillable;
int __real_kill(pid_t pid, int number);
int __wrap_kill(pid_t pid, int number);

int __wrap_kill(pid_t pid, int number)
{
    return unkillable ? 0 : __real_kill(pid, number);
}

static void test_unkillable(void **state)
{
    (void)state;
    char *sleeper[] = {"sleep", "20", NULL};
    gb_error error = {GB_OK, ""};
    gb_child child;
    char words[128];
    assert_true(gb_child_start(&child, sleeper, &error));
    pid_t pid = child.pid;
    child.kill_limit_s = 0.3;
    unkillable = true;
    double begun = gb_now();
    assert_false(gb_child_end(&child, 0, words, sizeof words));
    unkillable = false;
    assert_true(gb_now() - begun < 10);
    assert_says(words, "does not end though killed");
    __real_kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_unkillable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
