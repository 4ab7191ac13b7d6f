/* Formats: choosing one, beginning and end, and the tables of the commands. */
#include "bench/audit/audit.h"
#include "bench/claims/print.h"
#include "bench/compare/print.h"
#include "bench/standings/standings.h"
#include "tests/driver/fixture.h"

static void note(void *to)
{
    ++*(int *)to;
}

static void put(void *to, const void *item)
{
    *(int *)to += *(const int *)item;
}

static const gb_exporter three[] = {{"text", NULL, put, NULL},
                                    {"csv", note, put, NULL},
                                    {"json", note, put, note},
                                    {NULL, 0, 0, 0}};

/* What --format ARGUMENT chooses of a table; -1 if it is refused. */
static int chosen(const gb_exporter *exporters, const char *argument)
{
    static const gb_command_help help = {.usage = "show", .summary = "Shows it.\n"};
    char copy[32];
    snprintf(copy, sizeof copy, "%s", argument);
    char *argv[] = {"show", "--format", copy, NULL};
    unsigned format = 99;
    int status;
    const gb_option options[] = {gb_exporter_option("how to write it", exporters, &format), {0}};
    return gb_options_parse(3, argv, &help, options, &status) ? (int)format : -1;
}

static void choosing(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(chosen(three, three[i].name), i);
    static const char *const none[] = {"", "tex", "text ", "TEXT", "jsonl"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(chosen(three, none[i]), -1);
}

static void beginning_and_end(void **state)
{
    (void)state;
    static const int expected[] = {0, 1, 2};
    for (int i = 0; i < 3; i++) {
        int calls = 0;
        gb_exporter_begin(&three[i], &calls);
        gb_exporter_end(&three[i], &calls);
        assert_int_equal(calls, expected[i]);
    }
}

/* The first is what is written where nothing else is asked for; each writes items. */
static void tables(void **state)
{
    (void)state;
    static const gb_exporter *const all[] = {gb_compare_exporters, gb_claims_exporters,
                                             gb_standings_exporters, gb_audit_exporters};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_string_equal(all[i]->name, "text");
        for (int k = 0; all[i][k].name; k++) {
            assert_non_null(all[i][k].item);
            assert_int_equal(chosen(all[i], all[i][k].name), k); /* no two of a name */
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choosing),
        cmocka_unit_test(beginning_and_end),
        cmocka_unit_test(tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
