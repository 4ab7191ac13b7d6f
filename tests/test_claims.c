/* Claims against results: each quantity and each condition by a hair's breadth, and which rows are
 * meant. */
#include "tests/claims_fixture.h"

static void read_claim(gb_arena *arena, const said *s, const char *scope, gb_claims *claims)
{
    gb_error error = {GB_OK, ""};
    write_claims(
        CLAIM_HEADER,
        gb_arena_printf(arena,
                        "1,p,p,%s,device B,,,,claim,%s,Table 1,%s,%s,ok,,1,,,e,\"%s\",%s,%s,"
                        "what it says\n",
                        s->variant, scope, s->quantity, s->baseline ? s->baseline : "",
                        s->where ? s->where : "", s->along ? s->along : "", s->holds_if));
    if (!gb_claims_load(arena, claims_path, claims, &error)) fail_msg("%s", error.text);
    assert_int_equal(claims->count, 1);
}

/* One result row from "VARIANT N DIST VALUE [DEVICE [SCOPE [CACHE [RADIUS [BACKEND]]]]]", _ for a
 * blank in a device's name. VALUE: a rate, the word for a status, or MEAN:LO:HI:SAMPLES. */
static const char *expand(gb_arena *arena, const char *text)
{
    char variant[32], n[32], dist[32], value[64], device[64] = "device_A", scope[32] = "device",
                                                  cache[32] = "warm", radius[32] = "1",
                                                  backend[32] = "cuda";
    if (sscanf(text, "%31s %31s %31s %63s %63s %31s %31s %31s %31s", variant, n, dist, value,
               device, scope, cache, radius, backend) < 4)
        fail_msg("'%s' is no row", text);
    for (char *at = device; (at = strchr(at, '_'));)
        *at = ' ';
    const bool has_rate = strspn(value, "0123456789.e") == strlen(value);
    char *colon = strchr(value, ':');
    const char *status = has_rate || colon ? "ok" : value, *samples = "5", *rate = "1";
    const char *times = ",,";
    if (has_rate) rate = value;
    if (!has_rate && !colon) rate = "";
    if (colon) {
        samples = strrchr(value, ':') + 1;
        times = gb_arena_strndup(arena, value, (size_t)(samples - value) - 1);
        for (char *at = (char *)times; (at = strchr(at, ':'));)
            *at = ',';
    }
    return gb_arena_printf(arena, "1,e,p,%s,%s,%s,%s,%s,%s,%s,%s,%s,,%s,%s,%s\n", variant, backend,
                           device, n, dist, radius, cache, scope, status, samples, times, rate);
}

static void load_rows(gb_results *results, const char *rows)
{
    gb_error error = {GB_OK, ""};
    const char *text = "schema,experiment,primitive,variant,backend,device,n,dist,radius,cache,"
                       "scope,status,reason,samples,time_mean_s,time_ci95_lo_s,time_ci95_hi_s,"
                       "rate\n";
    for (size_t length; *rows; rows += length + (rows[length] == ';')) {
        length = strcspn(rows, ";");
        text = gb_arena_printf(
            &results->arena, "%s%s", text,
            expand(&results->arena, gb_arena_strndup(&results->arena, rows, length)));
    }
    FILE *file = fopen(claims_path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    if (!gb_results_add(results, claims_path, &error)) fail_msg("%s", error.text);
}

/* Holds a claim against rows and compares the verdict. measured: a part of what it says, or NULL.
 */
static void judge(const said *s, const char *scope, const char *rows, const char *device,
                  gb_claim_verdict verdict, const char *measured)
{
    gb_arena arena = {0};
    gb_claims claims = {0};
    gb_results results = {0};
    read_claim(&arena, s, scope, &claims);
    load_rows(&results, rows);
    const gb_claim_result r = gb_claim_test(&arena, &claims.items[0], &results, device);
    if (r.verdict != verdict)
        fail_msg("%s of %s (%s; %s; %s) on '%s': %s (%s), expected %s", s->quantity, s->variant,
                 s->where ? s->where : "", s->along ? s->along : "", s->holds_if, rows,
                 gb_claim_verdict_names[r.verdict], r.measured, gb_claim_verdict_names[verdict]);
    if (measured) assert_says(r.measured, measured, rows);
    gb_results_free(&results);
    gb_arena_free(&arena);
}

typedef struct one {
    said claim;
    const char *rows;
    gb_claim_verdict verdict;
    const char *measured;
} one;

static void judge_all(const one *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        judge(&cases[i].claim, "device", cases[i].rows, "device A", cases[i].verdict,
              cases[i].measured);
}
#define JUDGE(...)                                      \
    do {                                                \
        static const one cases[] = {__VA_ARGS__};       \
        judge_all(cases, sizeof cases / sizeof *cases); \
    } while (0)

#define H GB_CLAIM_HOLDS
#define F GB_CLAIM_FAILS
#define N GB_CLAIM_NOT_TESTED

#define SPEEDUP(condition)                         \
    {                                              \
        "a", "speedup", "b", NULL, NULL, condition \
    }

static void conditions(void **state)
{
    (void)state;
    JUDGE(
        {SPEEDUP("all = 2"), "a 1 u 2; b 1 u 1", H, "2.00"},
        {SPEEDUP("all = 2"), "a 1 u 2.0001; b 1 u 1", F, NULL},
        {SPEEDUP("all < 2"), "a 1 u 1.9999; b 1 u 1", H, NULL},
        {SPEEDUP("all < 2"), "a 1 u 2; b 1 u 1", F, NULL},
        {SPEEDUP("all <= 2"), "a 1 u 2; b 1 u 1", H, NULL},
        {SPEEDUP("all <= 2"), "a 1 u 2.0001; b 1 u 1", F, NULL},
        {SPEEDUP("all > 2"), "a 1 u 2.0001; b 1 u 1", H, NULL},
        {SPEEDUP("all > 2"), "a 1 u 2; b 1 u 1", F, NULL},
        {SPEEDUP("all >= 2"), "a 1 u 2; b 1 u 1", H, NULL},
        {SPEEDUP("all >= 2"), "a 1 u 1.9999; b 1 u 1", F, NULL},
        {SPEEDUP("all within 25% of 2"), "a 1 u 1.5; b 1 u 1", H, NULL},
        {SPEEDUP("all within 25% of 2"), "a 1 u 2.5; b 1 u 1", H, NULL},
        {SPEEDUP("all within 25% of 2"), "a 1 u 1.4999; b 1 u 1", F, NULL},
        {SPEEDUP("all within 25% of 2"), "a 1 u 2.5001; b 1 u 1", F, NULL},
        /* of several points */
        {SPEEDUP("all >= 2"), "a 1 u 2; b 1 u 1; a 2 u 1; b 2 u 1", F, "1.000 to 2.00, 1 of 2"},
        {SPEEDUP("most >= 2"), "a 1 u 2; b 1 u 1; a 2 u 1; b 2 u 1", F, "1 of 2 points"},
        {SPEEDUP("most >= 2"), "a 1 u 2; b 1 u 1; a 2 u 1; b 2 u 1; a 3 u 2; b 3 u 1", H, "2 of 3"},
        {SPEEDUP("any >= 2"), "a 1 u 2; b 1 u 1; a 2 u 1; b 2 u 1", H, "up to 2.00, 1 of 2"},
        {SPEEDUP("any >= 2"), "a 1 u 1; b 1 u 1; a 2 u 1; b 2 u 1", F, "0 of 2"});
}

static void speedups(void **state)
{
    (void)state;
    JUDGE(/* of lists the fastest at each point */
          {{"a;c", "speedup", "b", NULL, NULL, "all >= 2"}, "a 1 u 1; c 1 u 2; b 1 u 1", H, "2.00"},
          {{"a", "speedup", "b;c", NULL, NULL, "all >= 2"},
           "a 1 u 2; c 1 u 2; b 1 u 1",
           F,
           "1.000"},
          /* a list is one point, not two */
          {{"a;c", "speedup", "b", NULL, NULL, "most >= 2"},
           "a 1 u 2; c 1 u 2; b 1 u 1; a 2 u 1; b 2 u 1",
           F,
           "1 of 2"},
          {{"a;c", "speedup", "b", NULL, NULL, "all >= 2"}, "c 1 u 2; b 1 u 1", H, NULL},
          {SPEEDUP("all >= 2"), "a 1 u 2; b 1 u unsupported", N, "no such rows"},
          {SPEEDUP("all >= 2"), "a 1 u wrong; b 1 u 1", N, "in the results of e"},
          {SPEEDUP("all >= 2"), "a 1 u 2; b 2 u 1", N, NULL},
          {SPEEDUP("all >= 2"), "b 2 u 1", N, NULL});
}

static void changes(void **state)
{
    (void)state;
#define CHANGE(condition) {"a", "change", NULL, NULL, "n: 1k > 2k", condition}
#define SPEEDUP_CHANGE(condition)                                 \
    {                                                             \
        "a", "speedup_change", "b", NULL, "n: 1k > 2k", condition \
    }
    JUDGE({CHANGE("all <= 0.5"), "a 1000 u 4; a 2000 u 2", H, "0.500"},
          {CHANGE("all <= 0.5"), "a 1000 u 4; a 2000 u 2.001", F, NULL},
          {CHANGE("all <= 0.5"), "a 1000 u 4; a 2000 v 2", N, NULL},
          {CHANGE("all <= 0.5"), "a 1000 u 4; a 3000 u 2", N, NULL},
          {CHANGE("all <= 0.5"), "a 1000 u 4; a 2000 u timeout", N, NULL},
          {CHANGE("all <= 0.5"), "a 1000 u 4; a 2000 u 2; a 1000 v 4; a 2000 v 4", F, "1 of 2"},
          {{"a", "change", NULL, NULL, "dist: u > v", "all within 25% of 1"},
           "a 1 u 1; a 1 v 1.25",
           H,
           "1.25"},
          {{"a", "change", NULL, NULL, "dist: u > v", "all within 25% of 1"},
           "a 1 u 1; a 1 v 1.2501",
           F,
           NULL},
          {{"a", "change", NULL, "n=2k", "dist: u > v", "all >= 1"},
           "a 1000 u 2; a 1000 v 1; a 2000 u 1; a 2000 v 1",
           H,
           NULL},
          {SPEEDUP_CHANGE("all <= 0.5"), "a 1000 u 4; b 1000 u 1; a 2000 u 4; b 2000 u 2", H,
           "0.500"},
          {SPEEDUP_CHANGE("all <= 0.5"), "a 1000 u 4; b 1000 u 1; a 2000 u 4; b 2000 u 1.99", F,
           NULL},
          {SPEEDUP_CHANGE("all <= 0.5"), "a 1000 u 4; b 1000 u 1; a 2000 u 4", N, NULL});
}

/* Kendall's tau: of three points 1, 1/3, -1/3 or -1. */
static void trends(void **state)
{
    (void)state;
#define TREND(condition) {"a", "trend", NULL, NULL, "n", condition}
    JUDGE(
        {TREND("all > 0.99"), "a 900 u 1; a 1k u 2; a 1Ki u 3", H, "1.00"},
        {TREND("all > 0.99"), "a 900 u 1; a 1k u 3; a 1Ki u 2", F, "0.33"},
        {TREND("all < 0"), "a 900 u 3; a 1k u 1; a 1Ki u 2", H, "-0.33"},
        {TREND("all < 0"), "a 900 u 2; a 1k u 1; a 1Ki u 3", F, "0.33"},
        {TREND("all < 0"), "a 1 u 2; a 2 u 1", N, NULL},
        /* the order of the rows does not matter */
        {TREND("all > 0.99"), "a 3 u 3; a 1 u 1; a 2 u 2", H, NULL},
        /* a series for each value of the other axes */
        {TREND("all > 0"), "a 1 u 1; a 2 u 2; a 3 u 3; a 1 v 3; a 2 v 2; a 3 v 1", F,
         "-1.00 to 1.00, 1 of 2"},
        {{"a", "trend", NULL, "n<=3", "n", "all > 0.99"},
         "a 1 u 1; a 2 u 2; a 3 u 3; a 4 u 0.5",
         H,
         NULL},
        /* what has no rate is left out, the first of the series, too */
        {TREND("all > 0.99"), "a 0 u wrong; a 1 u 1; a 2 u 2; a 3 u 3", H, NULL},
        {TREND("all > 0.99"), "a 1 u 1; a 2 u 2; a 3 u wrong", N, NULL},
        {{"a", "speedup_trend", "b", NULL, "n", "all < 0"},
         "a 1 u 3; b 1 u 1; a 2 u 4; b 2 u 2; a 3 u 5; b 3 u 4",
         H,
         "-1.00"},
        {{"a", "speedup_trend", "b", NULL, "n", "all < 0"},
         "a 1 u 1; b 1 u 1; a 2 u 4; b 2 u 2; a 3 u 16; b 3 u 4",
         F,
         "1.00"},
        {{"a", "speedup_trend", "b", NULL, "n", "all < 0"}, "a 1 u 3; a 2 u 4; a 3 u 5", N, NULL});
}

static void intervals(void **state)
{
    (void)state;
#define CI95 {"a", "ci95", NULL, NULL, NULL, "all <= 0.25"}
    JUDGE({CI95, "a 1 u 1:0.75:1.25:5", H, "25 %"}, {CI95, "a 1 u 1:0.75:1.2501:5", F, NULL},
          {CI95, "a 1 u 1:0.75:1.25:5; a 2 u 2:1:3:5", F, "up to 50 %, 1 of 2"},
          {CI95, "a 1 u 1:0.75:1.25:1", N, NULL}, {CI95, "a 1 u timeout", N, NULL});
}

#define SHARE(quantity)                            \
    {                                              \
        "a", quantity, NULL, NULL, NULL, "all = 1" \
    }

static void statuses(void **state)
{
    (void)state;
    JUDGE({SHARE("ok"), "a 1 u 1; a 2 u 1", H, "2 of 2 points"},
          {SHARE("ok"), "a 1 u 1; a 2 u wrong", F, "1 of 2 points"},
          {SHARE("ok"), "a 1 u 1; a 2 u unsupported", F, NULL}, {SHARE("ok"), "b 1 u 1", N, NULL},
          {SHARE("unsupported"), "a 1 u unsupported", H, NULL},
          {SHARE("unsupported"), "a 1 u unsupported; a 2 u wrong", F, NULL},
          {SHARE("unsupported"), "a 1 u 1", F, "0 of 1"},
          {SHARE("failed"), "a 1 u wrong; a 2 u timeout; a 3 u crashed; a 4 u out_of_memory", H,
           "4 of 4"},
          {SHARE("failed"), "a 1 u wrong; a 2 u unsupported", F, "1 of 2"},
          {SHARE("failed"), "a 1 u wrong; a 2 u 1", F, NULL});
}

static void ratios_of_devices(void **state)
{
    (void)state;
    static const said at_least = {"best",
                                  "device_ratio",
                                  NULL,
                                  "dist=u",
                                  "NVIDIA K80 > NVIDIA P100",
                                  "all >= 3.6"},
                      other = {"best",      "device_ratio", NULL, NULL, "NVIDIA K80 > NVIDIA P100",
                               "all >= 3.6"};
    static const char p100[] = "Tesla P100-PCIE-16GB";
    judge(&at_least, "device",
          "a 1 u 1 Tesla_K80; a 2 u 2 Tesla_K80; a 1 u 7.2 Tesla_P100-PCIE-16GB", p100, H, "3.60");
    judge(&at_least, "device",
          "a 1 u 1 Tesla_K80; a 2 u 2 Tesla_K80; a 1 u 7.18 Tesla_P100-PCIE-16GB", "Tesla K80", F,
          "3.59");
    /* a ratio a radius */
    judge(&at_least, "device",
          "a 1 u 1 Tesla_K80; a 1 u 4 Tesla_P100-PCIE-16GB; a 1 u 1 Tesla_K80 device warm 2;"
          "a 1 u 3 Tesla_P100-PCIE-16GB device warm 2",
          p100, F, "3.00 to 4.00, 1 of 2 points");
    /* rows that the claim is not about do not count */
    judge(&at_least, "device", "a 1 u 1 Tesla_K80; a 1 v 9 Tesla_K80; a 1 u 4 Tesla_P100-PCIE-16GB",
          p100, H, "4.00");
    judge(&other, "device", "a 1 u 1 Tesla_K80; a 1 v 9 Tesla_K80; a 1 u 4 Tesla_P100-PCIE-16GB",
          p100, F, "0.444");
    judge(&at_least, "device", "a 1 u 1 Tesla_K80; a 1 u 4 NVIDIA_H200", "Tesla K80", N,
          "needs results of NVIDIA K80 and NVIDIA P100");
    /* a longer number is another device */
    judge(&at_least, "device", "a 1 u 1 Tesla_K80; a 1 u 4 Quadro_P1000", "Tesla K80", N, NULL);
    judge(&at_least, "device", "a 1 u 1 Tesla_K80; a 1 u timeout Tesla_P100-PCIE-16GB", p100, N,
          NULL);
}

static void terms(void **state)
{
    (void)state;
#define WHERE(where) {"a", "ok", NULL, where, NULL, "all = 1"}
    /* what is right stands at the points that are meant, the others are wrong */
    JUDGE({WHERE("n=50k"), "a 50000 u 1; a 50 u wrong; a 50001 u wrong", H, "1 of 1"},
          {WHERE("n = 8Mi"), "a 8388608 u 1; a 8000000 u wrong", H, "1 of 1"},
          {WHERE("n=8388608"), "a 8Mi u 1; a 8M u wrong", H, "1 of 1"},
          {WHERE("n<50k"), "a 49999 u 1; a 50000 u wrong", H, "1 of 1"},
          {WHERE("n<=50k"), "a 50000 u 1; a 50001 u wrong", H, "1 of 1"},
          {WHERE("n > 50k"), "a 50001 u 1; a 50000 u wrong", H, "1 of 1"},
          {WHERE("n >= 50k"), "a 50000 u 1; a 49999 u wrong", H, "1 of 1"},
          {WHERE("n!=50k"), "a 49999 u 1; a 50000 u wrong", H, "1 of 1"},
          {WHERE("n!=1k,2k"), "a 1000 u wrong; a 2000 u wrong; a 3000 u 1", H, "1 of 1"},
          {WHERE("n=1k, 3000"), "a 1000 u 1; a 2000 u wrong; a 3000 u 1", H, "2 of 2"},
          {WHERE("dist=u,v"), "a 1 u 1; a 1 v 1; a 1 w wrong", H, "2 of 2"},
          {WHERE("dist = u; n > 1"), "a 1 u wrong; a 2 v wrong; a 2 u 1", H, "1 of 1"},
          {WHERE("dist=x"), "a 1 u 1", N, NULL},
          /* a name is neither less nor more than a number */
          {WHERE("dist>1"), "a 1 u 1", N, NULL});
}

static void rows_that_are_meant(void **state)
{
    (void)state;
    static const said ok = {"a", "ok", NULL, NULL, NULL, "all = 1"}, speedup = SPEEDUP("all >= 2");
    static const char both[] = "a 1 u 1 device_A device; a 1 u wrong device_A host-to-host";
    judge(&ok, "device", both, "device A", H, "1 of 1");
    judge(&ok, "host-to-host", both, "device A", F, "0 of 1");
    judge(&ok, "", both, "device A", H, "1 of 1");
    judge(&ok, "device", "a 1 u 1; a 1 u wrong device_A device cold", "device A", H, "1 of 1");
    judge(&ok, "device", "a 1 u 1; a 1 u wrong device_B", "device A", H, "1 of 1");
    judge(&ok, "device", "a 1 u 1; a 1 u wrong device_B", "device B", F, "0 of 1");
    judge(&ok, "device", "a 1 u 1", "device C", N, "run configs/e.json");
    /* times of the simt device say nothing; what it refuses or gets wrong does */
    judge(&speedup, "device", "a 1 u 2 S device warm 1 simt; b 1 u 1 S device warm 1 simt", "S", N,
          "times of the simt device say nothing");
    static const said ci = CI95, unsupported = SHARE("unsupported"), failed = SHARE("failed");
    judge(&ci, "device", "a 1 u 1:0.9:1.1:5 S device warm 1 simt", "S", N, NULL);
    judge(&ok, "device", "a 1 u 2 S device warm 1 simt", "S", H, NULL);
    judge(&unsupported, "device", "a 1 u unsupported S device warm 1 simt", "S", H, NULL);
    judge(&failed, "device", "a 1 u wrong S device warm 1 simt", "S", H, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions),
        cmocka_unit_test(speedups),
        cmocka_unit_test(changes),
        cmocka_unit_test(trends),
        cmocka_unit_test(intervals),
        cmocka_unit_test(statuses),
        cmocka_unit_test(ratios_of_devices),
        cmocka_unit_test(terms),
        cmocka_unit_test(rows_that_are_meant),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
