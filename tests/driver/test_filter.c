/* --filter: precedence, negation, variants (decided or not), and the message of each mistake. */
#include "tests/driver/fixture.h"

#include "bench/config/filter.h"

static gb_catalogue *catalogue;

static int set_up(void **state)
{
    (void)state;
    catalogue = fixture_catalogue();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    gb_catalogue_free(catalogue);
    return 0;
}

/* n, bins, dist of a point; the other axes at their default. */
static gb_params point_of(uint64_t n, uint64_t bins, const char *dist)
{
    gb_params point;
    memset(&point, 0, sizeof point);
    point.value[0].size = n;
    point.value[1].size = bins;
    point.value[2].text = dist;
    point.value[3].text = "range";
    point.value[4].text = "none";
    return point;
}

static void decides(void **state)
{
    (void)state;
    enum { ANY = -1, MULTIPARTITION, MULTISPLIT, CUB, CPU };
    gb_params point = point_of(32000000, 64, "binomial");
    static const struct {
        const char *text;
        int variant;
        bool passes;
    } cases[] = {
        {"bins>=64", ANY, true},
        {"bins > 64", ANY, false},
        {"bins<65", ANY, true},
        {"bins <= 63", ANY, false},
        {"n=32M", ANY, true},
        {"n == 32Mi", ANY, false},
        {"n != 32Mi", ANY, true},
        {"bins >= 0 && n < 18446744073709551615", ANY, true},
        {"dist = binomial", ANY, true},
        {"dist == 'binomial'", ANY, true},
        {"dist != \"binomial\"", ANY, false},
        {"dist = uniform || bins = 64", ANY, true},
        {"dist = uniform && bins = 64", ANY, false},
        /* && binds closer than || */
        {"bins = 64 || bins = 1 && bins = 2", ANY, true},
        {"(bins = 64 || bins = 1) && bins = 2", ANY, false},
        {"!bins = 64", ANY, false},
        {"!!bins = 64", ANY, true},
        {"!(bins = 64 && dist = uniform)", ANY, true},
        {"!(bins = 64 || dist = uniform)", ANY, false},
        {"variant = cpu", CPU, true},
        {"variant = cpu", MULTISPLIT, false},
        {"variant != cpu", MULTISPLIT, true},
        {"variant = cub-radix-sort", CUB, true},
        {"variant = cpu && bins = 64", ANY, true},
        {"variant = cpu && bins = 65", ANY, false},
        /* undecided, a comparison and its opposite may both come true */
        {"!variant = cpu", ANY, true},
        {"!(variant = cpu || variant = multisplit)", ANY, true},
        {"!(variant = cpu || bins = 64)", ANY, false},
        {"!(variant = cpu && bins = 64)", CPU, false},
        {"!(variant = cpu && bins = 64)", MULTIPARTITION, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_error error;
        gb_filter *filter = gb_filter_parse(cases[i].text, &catalogue->primitives[0], &error);
        if (!filter) fail_msg("'%s' refused: %s", cases[i].text, error.text);
        if (gb_filter_passes(filter, &point, cases[i].variant) != cases[i].passes)
            fail_msg("'%s' for variant %d is not %d", cases[i].text, cases[i].variant,
                     cases[i].passes);
        gb_filter_free(filter);
    }
    gb_filter_free(NULL);
}

static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "column 1: it ends where an axis or \"variant\" belongs"},
        {"bins", "column 5: it ends where a comparison (= == != < <= > >=) belongs"},
        {"bins>=", "column 7: it ends where a value belongs"},
        {"bins >> 3", "column 7: found \"> 3\" where a value belongs"},
        {"bins 64", "column 6: found \"64\"; a comparison is one of = == != < <= > >="},
        {"binz=64", "column 1: multipartition has no axis \"binz\" (did you mean \"bins\"?); a "
                    "comparison begins with one of: variant, n, bins, dist, function, payload"},
        {"varaint=cpu", "(did you mean \"variant\"?)"},
        {"bins=many", "column 6: bins is compared with a size such as 4096, 32M or 16Ki, found "
                      "\"many\" (a size begins with a digit)"},
        {"bins=-1", "found \"-1\" (a size has no sign)"},
        {"dist<uniform", "column 5: dist is a name: it can be compared by =, == and != only"},
        {"variant>cpu", "variant is a name"},
        {"dist=unifrm", "column 6: dist: found \"unifrm\" (did you mean \"uniform\"?); allowed: "},
        {"variant=cup", "column 9: multipartition has no variant \"cup\" (did you mean \"cpu\"?)"},
        {"bins=1 & n=2", "column 8: found \"& n=2\" where && or || belongs"},
        {"bins=1 n=2", "column 8: found \"n=2\" where && or || belongs"},
        {"bins=1 &&", "column 10: it ends where an axis"},
        {"(bins=1", "column 1: this parenthesis is open where column 8 expects && or || or )"},
        {"bins=1)", "column 7: found \")\" where && or || belongs"},
        {"dist='uniform", "column 6: a quote that is never closed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_error error = {.text = ""};
        gb_filter *filter = gb_filter_parse(cases[i].text, &catalogue->primitives[0], &error);
        if (filter) fail_msg("'%s' was taken", cases[i].text);
        assert_says(error.text, "--filter '", cases[i].text);
        assert_says(error.text, cases[i].says, cases[i].text);
    }
}

/* Texts that would exhaust the stack or take for ever in a careless parser. */
static void survives_abuse(void **state)
{
    (void)state;
    gb_error error;
    static char text[200000];
    memset(text, '(', sizeof text - 1);
    assert_null(gb_filter_parse(text, &catalogue->primitives[0], &error));
    assert_says(error.text, "nested more than 64 deep", "parentheses");
    memset(text, '!', sizeof text - 1);
    assert_null(gb_filter_parse(text, &catalogue->primitives[0], &error));
    memset(text, 'a', sizeof text - 1);
    assert_null(gb_filter_parse(text, &catalogue->primitives[0], &error));
    assert_says(error.text, "a word this long", "a long word");
    text[0] = '\0';
    for (size_t used = 0; used < sizeof text - 16;)
        used += (size_t)sprintf(text + used, "%sn=1", used ? "||" : "");
    assert_null(gb_filter_parse(text, &catalogue->primitives[0], &error));
    assert_says(error.text, "more than 1000 comparisons", "a long expression");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decides),
        cmocka_unit_test(refuses),
        cmocka_unit_test(survives_abuse),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
