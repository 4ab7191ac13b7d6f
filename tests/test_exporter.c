/* Formats: their words, finding one, and the tables of the commands. */
#include "bench/audit.h"
#include "bench/claims_print.h"
#include "bench/compare_print.h"
#include "bench/standings.h"
#include "tests/fixture.h"

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

static void words(void **state)
{
    (void)state;
    assert_string_equal(gb_exporter_words(three, "|", "|"), "text|csv|json");
    assert_string_equal(gb_exporter_words(three, ", ", " and "), "text, csv and json");
    assert_string_equal(gb_exporter_words(&three[1], ", ", " and "), "csv and json");
    assert_string_equal(gb_exporter_words(&three[2], ", ", " and "), "json");
}

static void finding(void **state)
{
    (void)state;
    for (const gb_exporter *e = three; e->name; e++)
        assert_ptr_equal(gb_exporter_find(three, e->name), e);
    static const char *const none[] = {"", "tex", "text ", "TEXT", "jsonl"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(gb_exporter_find(three, none[i]));
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
        for (const gb_exporter *e = all[i]; e->name; e++) {
            assert_non_null(e->item);
            assert_ptr_equal(gb_exporter_find(all[i], e->name), e); /* no two of a name */
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(finding),
        cmocka_unit_test(beginning_and_end),
        cmocka_unit_test(tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
