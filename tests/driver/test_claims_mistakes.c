/* Reading claims: the message for each mistake in one. */
#include "tests/driver/claims_fixture.h"

static void refuse(const said *s, const char *const said_of[4], const char *column,
                   const char *allowed)
{
    gb_arena arena = {0};
    gb_claims claims = {0};
    gb_error error = {GB_OK, ""};
    write_claims(
        CLAIM_HEADER,
        gb_arena_printf(&arena,
                        "1,p,p,a,device B,1,u,1,table,device,Table 1,time,,ok,1,s,,,,,,,,,,\n"
                        "1,p,p,%s,device B,,,,claim,device,Table 1,%s,%s,ok,%s,1,,,,%s,\"%s\","
                        "%s,%s,%s,%s,%s\n",
                        s->variant, s->quantity, s->baseline ? s->baseline : "", said_of[0],
                        said_of[1], s->where ? s->where : "", s->along ? s->along : "",
                        said_best_over, s->holds_if, said_of[2], said_class));
    if (gb_claims_load(&arena, claims_path, &claims, &error))
        fail_msg("taken: %s, %s, %s, %s, %s", s->quantity, s->variant, s->where, s->along,
                 s->holds_if);
    assert_int_equal(error.status, GB_WRONG);
    assert_says(error.text, claims_path, column);
    assert_says(error.text, gb_arena_printf(&arena, "data row 2, column %s: found '", column),
                s->holds_if);
    assert_says(error.text, allowed, column);
    gb_arena_free(&arena);
}

static void mistakes_in_fields(void **state)
{
    (void)state;
    static const char *const whole[] = {"", "e", "what it says", NULL};
    static const struct {
        said claim;
        const char *column, *allowed;
    } cases[] = {
        {{"a", "median", NULL, NULL, NULL, "all = 1"}, "quantity", "one of speedup, change"},
        {{"a", "", NULL, NULL, NULL, "all = 1"}, "quantity", "device_ratio"},
        {{"", "ok", NULL, NULL, NULL, "all = 1"}, "variant", "names the variants"},
        {{"a", "speedup", NULL, NULL, NULL, "all = 1"}, "baseline", "needs the variants"},
        {{"a", "speedup_change", NULL, NULL, "n: 1 > 2", "all = 1"}, "baseline", "needs"},
        {{"a", "speedup_trend", NULL, NULL, "n", "all = 1"}, "baseline", "needs"},
        {{"a", "ok", NULL, "n", NULL, "all = 1"}, "where", "n<=50k or dist=cube,plummer"},
        {{"a", "ok", NULL, "n=1; dist", NULL, "all = 1"}, "where", "with ; between"},
        {{"a", "ok", NULL, "=1", NULL, "all = 1"}, "where", "n<=50k or dist=cube,plummer"},
        {{"a", "ok", NULL, "m=1", NULL, "all = 1"}, "where", "no axis 'm'"},
        {{"a", "ok", NULL, "variant=a", NULL, "all = 1"}, "where", "no axis 'variant'"},
        {{"a", "ok", NULL, "n=", NULL, "all = 1"}, "where", "n<=50k or dist=cube,plummer"},
        {{"a", "ok", NULL, "n<", NULL, "all = 1"}, "where", "n<=50k or dist=cube,plummer"},
        {{"a", "ok", NULL, "n<50x", NULL, "all = 1"}, "where", "one number, such as n<=50k"},
        {{"a", "ok", NULL, "n>=1,2", NULL, "all = 1"}, "where", "one number"},
        {{"a", "ok", NULL, NULL, "n", "all = 1"}, "along", "blank but for a change"},
        {{"a", "trend", NULL, NULL, NULL, "all = 1"}, "along", "name of an axis"},
        {{"a", "trend", NULL, NULL, "m", "all = 1"}, "along", "name of an axis"},
        {{"a", "change", NULL, NULL, NULL, "all = 1"}, "along", "AXIS: FROM > TO"},
        {{"a", "change", NULL, NULL, "n: 1", "all = 1"}, "along", "AXIS: FROM > TO"},
        {{"a", "change", NULL, NULL, "1 > 2", "all = 1"}, "along", "AXIS: FROM > TO"},
        {{"a", "change", NULL, NULL, "n > 1: 2", "all = 1"}, "along", "AXIS: FROM > TO"},
        {{"a", "change", NULL, NULL, "n: > 2", "all = 1"}, "along", "AXIS: FROM > TO"},
        {{"a", "change", NULL, NULL, "n: 1 >", "all = 1"}, "along", "AXIS: FROM > TO"},
        {{"a", "change", NULL, NULL, "m: 1 > 2", "all = 1"}, "along", "no axis 'm'"},
        {{"a", "device_ratio", NULL, NULL, "K80", "all = 1"}, "along", "DEVICE > DEVICE"},
        {{"a", "device_ratio", NULL, NULL, "K80 >", "all = 1"}, "along", "DEVICE > DEVICE"},
        {{"a", "device_ratio", NULL, NULL, "radius: K80", "all = 1"}, "along", "AXIS: DEVICE >"},
        {{"a", "device_ratio", NULL, NULL, "m: K80 > P100", "all = 1"}, "along", "no axis 'm'"},
        {{"a", "device_ratio", NULL, NULL, "radius: > P100", "all = 1"}, "along", "AXIS: DEVICE >"},
        {{"a", "fails_from", NULL, NULL, NULL, "all > 1"}, "along", "name of an axis"},
        {{"a", "speedup", "b", NULL, NULL, "all = 1"}, "holds_if", "= is for ok"},
        {{"a", "trend", NULL, NULL, "n", "all > 0.8"}, "holds_if", "> 0 or < 0"},
        {{"a", "trend", NULL, NULL, "n", "all >= 0"}, "holds_if", "> 0 or < 0"},
        {{"a", "trend", NULL, NULL, "n", "most > 0"}, "holds_if", "all or any"},
        {{"a", "trend", NULL, NULL, "n", "all within 5% of 0"}, "holds_if", "> 0 or < 0"},
        {{"a", "ok", NULL, NULL, NULL, ""}, "holds_if", "all, most or any"},
        {{"a", "ok", NULL, NULL, NULL, "all"}, "holds_if", "all, most or any"},
        {{"a", "ok", NULL, NULL, NULL, "some = 1"}, "holds_if", "all, most or any"},
        {{"a", "ok", NULL, NULL, NULL, "all == 1"}, "holds_if", "=, <, <=, > or >="},
        {{"a", "ok", NULL, NULL, NULL, "all ="}, "holds_if", "and a number"},
        {{"a", "ok", NULL, NULL, NULL, "all = one"}, "holds_if", "and a number"},
        {{"a", "ok", NULL, NULL, NULL, "all = 1 2"}, "holds_if", "and a number"},
        {{"a", "ok", NULL, NULL, NULL, "all = nan"}, "holds_if", "and a number"},
        /* what stands behind a number is read, however long the number is */
        {{"a", "ok", NULL, NULL, NULL,
          "all = 1.000000000000000000000000000000000000000000000000000000000000000000 2"},
         "holds_if",
         "and a number"},
        {{"a", "ok", NULL, NULL, NULL, "all within 5 of 1"}, "holds_if", "within P% of a number"},
        {{"a", "ok", NULL, NULL, NULL, "all within 5% of"}, "holds_if", "within P% of a number"},
        {{"a", "ok", NULL, NULL, NULL, "all within 5% of 1 2"}, "holds_if", "within P%"},
        {{"a", "ok", NULL, NULL, NULL, "all within -5% of 1"}, "holds_if", "within P%"},
        {{"a", "ok", NULL, NULL, NULL, "all within five% of 1"}, "holds_if", "within P%"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(&cases[i].claim, whole, cases[i].column, cases[i].allowed);
    static const said good = {"a", "ok", NULL, NULL, NULL, "all = 1"};
    refuse(&good, (const char *const[4]){"many", "e", "what it says", NULL}, "value",
           "the number that the paper gives, or nothing");
    refuse(&good, (const char *const[4]){"", "", "what it says", NULL}, "experiment",
           "the config whose results test it");
    refuse(&good, (const char *const[4]){"", "e", "", NULL}, "statement", "says what it claims");
    said_class = "guess";
    refuse(&good, whole, "class", "one of measured, construction, generation, procedure");
    said_class = "measured";
    said_best_over = "variant";
    refuse(&good, whole, "best_over", "the file has no such axis");
    said_best_over = "";
}

/* A file of tables alone has no claims, with or without the claims' columns. */
static void files_without_claims(void **state)
{
    (void)state;
    gb_arena arena = {0};
    gb_claims claims = {0};
    gb_error error = {GB_OK, ""};
    write_claims(CLAIM_HEADER,
                 "1,p,p,a,device B,1,u,1,table,device,Table 1,time,,ok,1,s,,,,,,,,,,\n");
    assert_true(gb_claims_load(&arena, claims_path, &claims, &error));
    write_claims("schema,paper,kind\n", "1,p,table\n");
    assert_true(gb_claims_load(&arena, claims_path, &claims, &error));
    assert_int_equal(claims.count, 0);
    assert_false(gb_claims_load(&arena, "/no/such.csv", &claims, &error));
    assert_says(error.text, "/no/such.csv", "a missing file");
    gb_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_in_fields),
        cmocka_unit_test(files_without_claims),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
