/* Claims against results: each quantity and each condition by a little more than what is not known,
 * and by less; what is no evidence at all; and which rows are meant. */
#include "tests/driver/claims_fixture.h"

static void read_claim(gb_arena *arena, const said *s, const char *scope, gb_claims *claims)
{
    gb_error error = {GB_OK, ""};
    write_claims(
        CLAIM_HEADER,
        gb_arena_printf(arena,
                        "1,p,p,%s,device B,,,,claim,%s,Table 1,%s,%s,ok,,1,,,,e,\"%s\",%s,%s,%s,"
                        "what it says,%s\n",
                        s->variant, scope, s->quantity, s->baseline ? s->baseline : "",
                        s->where ? s->where : "", s->along ? s->along : "", said_best_over,
                        s->holds_if, said_class));
    if (!gb_claims_load(arena, claims_path, claims, &error)) fail_msg("%s", error.text);
    assert_int_equal(claims->count, 1);
}

/* One result row from "VARIANT N DIST VALUE [DEVICE [SCOPE [CACHE [RADIUS [BACKEND]]]]]", _ for a
 * blank in a device's name. VALUE: the word for a status; MEAN:LO:HI:SAMPLES, seconds; or a rate,
 * followed by any of ~W (the half width of its interval over it, a hundred-thousandth without), /N
 * (samples, 5 without), ! (blocks begin as fast as they can) and * (autocorrelated). */
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
    char *colon = strchr(value, ':');
    const char *status = "ok", *samples = "5", *numbers = ",,,,,", *limit = "bandwidth,",
               *flags = "";
    if (colon) {
        samples = strrchr(value, ':') + 1;
        const char *times = gb_arena_strndup(arena, value, (size_t)(samples - value) - 1);
        for (char *at = (char *)times; (at = strchr(at, ':'));)
            *at = ',';
        numbers = gb_arena_printf(arena, "%s,1,1,1", times);
    } else if (strspn(value, "0123456789.") > 0) {
        char *end;
        const double rate = strtod(value, &end);
        double width = 1e-5;
        for (; *end; end++) {
            if (*end == '~') width = strtod(end + 1, &end), end--;
            if (*end == '/')
                samples = gb_arena_printf(arena, "%ld", strtol(end + 1, &end, 10)), end--;
            if (*end == '!') limit = gb_arena_printf(arena, "blocks,%.17g", rate);
            if (*end == '*') flags = "autocorrelated";
        }
        numbers = strcmp(samples, "1") == 0
                      ? gb_arena_printf(arena, "%.17g,,,%.17g,,", 1 / rate, rate)
                      : gb_arena_printf(arena, "%.17g,,,%.17g,%.17g,%.17g", 1 / rate, rate,
                                        rate / (1 + width), rate / (1 - width));
    } else {
        status = value;
    }
    return gb_arena_printf(arena, "1,e,p,%s,%s,%s,%s,%s,%s,%s,%s,%s,,%s,%s,%s,%s\n", variant,
                           backend, device, n, dist, radius, cache, scope, status, samples, numbers,
                           limit, flags);
}

static void load_rows(gb_results *results, const char *rows)
{
    gb_error error = {GB_OK, ""};
    const char *text = "schema,experiment,primitive,variant,backend,device,n,dist,radius,cache,"
                       "scope,status,reason,samples,time_mean_s,time_ci95_lo_s,time_ci95_hi_s,"
                       "rate,rate_ci95_lo,rate_ci95_hi,limit_kind,limit_rate,flags\n";
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

static gb_noise noise; /* what the device's equal runs differ by */

/* Holds a claim against rows and compares the verdict. measured: a part of what it says, of why it
 * is undecided or of what it rests on, or NULL. */
static void judge(const said *s, const char *scope, const char *rows, const char *device,
                  gb_claim_verdict verdict, const char *measured)
{
    gb_arena arena = {0};
    gb_claims claims = {0};
    gb_results results = {0};
    read_claim(&arena, s, scope, &claims);
    load_rows(&results, rows);
    const gb_claim_result r = gb_claim_test(&arena, &claims.items[0], &results, &noise, device);
    if (r.verdict != verdict)
        fail_msg("%s of %s (%s; %s; %s) on '%s': %s (%s), expected %s", s->quantity, s->variant,
                 s->where ? s->where : "", s->along ? s->along : "", s->holds_if, rows,
                 gb_claim_verdict_names[r.verdict], r.measured, gb_claim_verdict_names[verdict]);
    if (measured)
        assert_says(gb_arena_printf(&arena, "%s|%s|%s", r.measured, r.reason, r.statistic),
                    measured, rows);
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
#define U GB_CLAIM_UNDECIDED
#define N GB_CLAIM_NOT_TESTED

#define SPEEDUP(condition)                         \
    {                                              \
        "a", "speedup", "b", NULL, NULL, condition \
    }

/* By more than its interval, and by less. */
static void conditions(void **state)
{
    (void)state;
    JUDGE(
        {SPEEDUP("all < 2"), "a 1 u 1.9999; b 1 u 1", H, "2.00"},
        {SPEEDUP("all < 2"), "a 1 u 2; b 1 u 1", U, "its interval holds the criterion"},
        {SPEEDUP("all < 2"), "a 1 u 2.0001; b 1 u 1", F, NULL},
        {SPEEDUP("all <= 2"), "a 1 u 1.9999; b 1 u 1", H, NULL},
        {SPEEDUP("all <= 2"), "a 1 u 2.0001; b 1 u 1", F, NULL},
        {SPEEDUP("all > 2"), "a 1 u 2.0001; b 1 u 1", H, NULL},
        {SPEEDUP("all > 2"), "a 1 u 2; b 1 u 1", U, NULL},
        {SPEEDUP("all > 2"), "a 1 u 1.9999; b 1 u 1", F, NULL},
        {SPEEDUP("all >= 2"), "a 1 u 2.0001; b 1 u 1", H, NULL},
        {SPEEDUP("all >= 2"), "a 1 u 2; b 1 u 1", U, "2.000 ±0.001"},
        {SPEEDUP("all >= 2"), "a 1 u 1.9999; b 1 u 1", F, NULL},
        {SPEEDUP("all within 25% of 2"), "a 1 u 1.5001; b 1 u 1", H, NULL},
        {SPEEDUP("all within 25% of 2"), "a 1 u 2.4999; b 1 u 1", H, NULL},
        {SPEEDUP("all within 25% of 2"), "a 1 u 1.5; b 1 u 1", U, NULL},
        {SPEEDUP("all within 25% of 2"), "a 1 u 1.4999; b 1 u 1", F, NULL},
        {SPEEDUP("all within 25% of 2"), "a 1 u 2.5001; b 1 u 1", F, NULL},
        /* an interval of 1 % on one side of the criterion, and one of 3 % around it */
        {SPEEDUP("all >= 2"), "a 1 u 2.05~0.01; b 1 u 1", H, "2.050 ±0.021"},
        {SPEEDUP("all >= 2"), "a 1 u 2.05~0.03; b 1 u 1", U, "holds the criterion"},
        {SPEEDUP("all >= 2"), "a 1 u 2.05; b 1 u 1~0.03", U, NULL},
        /* of several points */
        {SPEEDUP("all >= 2"), "a 1 u 3; b 1 u 1; a 2 u 1; b 2 u 1", F,
         "1.000 ±0.001 to 3.000 ±0.001; 1 of 2"},
        {SPEEDUP("all >= 2"), "a 1 u 3; b 1 u 1; a 2 u 2; b 2 u 1", U, "1 hold, 0 fail, 1 unsure"},
        {SPEEDUP("any >= 2"), "a 1 u 3; b 1 u 1; a 2 u 1; b 2 u 1", H,
         "up to 3.000 ±0.001; 1 of 2"},
        {SPEEDUP("any >= 2"), "a 1 u 1; b 1 u 1; a 2 u 1; b 2 u 1", F, "0 of 2"},
        {SPEEDUP("any >= 2"), "a 1 u 1; b 1 u 1; a 2 u 2; b 2 u 1", U, NULL});
}

/* Of many points one is beyond its own 95 % by chance: alone it decides nothing. */
static void one_point_of_many(void **state)
{
    (void)state;
    static const char odd[] = "a 1 u 1.97~0.02; b 1 u 1", /* 1.5 times its half width below 2 */
        all_but_one[] = "a 2 u 3; b 2 u 1; a 3 u 3; b 3 u 1; a 4 u 3; b 4 u 1; a 5 u 3; b 5 u 1;"
                        "a 6 u 3; b 6 u 1; a 7 u 3; b 7 u 1; a 8 u 3; b 8 u 1; a 9 u 3; b 9 u 1;"
                        "a 10 u 3; b 10 u 1; a 11 u 3; b 11 u 1";
    static const said all = SPEEDUP("all >= 2.02"), any = SPEEDUP("any < 2.02");
    gb_arena arena = {0};
    judge(&all, "device", odd, "device A", F, NULL);
    judge(&any, "device", odd, "device A", H, NULL);
    const char *many = gb_arena_printf(&arena, "%s;%s", odd, all_but_one);
    judge(&all, "device", many, "device A", U, "one point alone decides by that of 99.55 %");
    judge(&any, "device", many, "device A", U, NULL);
    many = gb_arena_printf(&arena, "a 1 u 1.8~0.02; b 1 u 1;%s", all_but_one);
    judge(&all, "device", many, "device A", F, NULL);
    judge(&any, "device", many, "device A", H, NULL);
    gb_arena_free(&arena);
}

/* More than half of the points, and more than chance would have. */
static void most_points(void **state)
{
    (void)state;
    static const said most = SPEEDUP("most >= 2");
    gb_arena arena = {0};
    static const struct {
        int holding, failing, unsure;
        gb_claim_verdict verdict;
        const char *says;
    } cases[] = {{1, 1, 0, U, "may be chance"},
                 {4, 3, 0, U, "4 of 7 points may be chance"},
                 {5, 0, 0, U, NULL},
                 {6, 0, 0, H, "a share of 1.00 (95 % interval 0.54"},
                 {0, 6, 0, F, NULL},
                 {0, 5, 0, U, NULL},
                 {5, 0, 1, U, "of 6 points 5 hold, 0 fail, 1 unsure"},
                 {9, 1, 0, H, NULL},
                 {8, 2, 0, U, NULL},
                 {1, 9, 0, F, NULL},
                 {0, 9, 1, F, NULL},
                 {9, 0, 1, H, NULL},
                 {7, 0, 3, U, NULL},
                 {0, 4, 6, U, "of 10 points 0 hold, 4 fail, 6 unsure"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *rows = "";
        int n = 0;
        for (int k = 0; k < cases[i].holding; k++)
            rows = gb_arena_printf(&arena, "%s%sa %d u 3; b %d u 1", rows, n ? ";" : "", n, n), n++;
        for (int k = 0; k < cases[i].failing; k++)
            rows = gb_arena_printf(&arena, "%s%sa %d u 1; b %d u 1", rows, n ? ";" : "", n, n), n++;
        for (int k = 0; k < cases[i].unsure; k++)
            rows = gb_arena_printf(&arena, "%s%sa %d u 2; b %d u 1", rows, n ? ";" : "", n, n), n++;
        judge(&most, "device", rows, "device A", cases[i].verdict, cases[i].says);
    }
    gb_arena_free(&arena);
}

/* What could not have come out otherwise is no evidence. */
static void no_evidence(void **state)
{
    (void)state;
    JUDGE(/* one sample has no scatter that is known */
          {SPEEDUP("all >= 2"), "a 1 u 300/1; b 1 u 1", U, "a has one sample"},
          {SPEEDUP("all >= 2"), "a 1 u 300; b 1 u 1/1", U, "b has one sample"},
          {SPEEDUP("all >= 2"), "a 1 u 300; b 1 u 1; a 2 u 300; b 2 u 1/1", U, "(1 of 2 points)"},
          {SPEEDUP("all >= 2"), "a 1 u 1; b 1 u 1; a 2 u 300; b 2 u 1/1", F, NULL},
          /* both begin blocks as fast as the device can: their ratio is 1 whatever they do */
          {SPEEDUP("all within 2% of 1"), "a 1 u 1!; b 1 u 1!", U, "not decidable here"},
          {SPEEDUP("most >= 1.2"), "a 1 u 1!; b 1 u 1!; a 2 u 1!; b 2 u 1!", U, "blocks"},
          {SPEEDUP("all within 2% of 1"), "a 1 u 1!; b 1 u 1", H, NULL},
          {SPEEDUP("all >= 2"), "a 1 u 3!; b 1 u 1", H, NULL},
          /* an interval that is known to be too narrow counts twice */
          {SPEEDUP("all >= 2"), "a 1 u 2.03~0.01; b 1 u 1", H, NULL},
          {SPEEDUP("all >= 2"), "a 1 u 2.03~0.01*; b 1 u 1", U, NULL});
    /* runs of these rows differ by 4 % */
    static gb_noise_class class = {.device = "device A",
                                   .scope = "device",
                                   .kind = "gpu",
                                   .primitive = "",
                                   .variant = "",
                                   .decade = 0,
                                   .floor = 0.04};
    noise = (gb_noise){.items = &class, .count = 1};
    JUDGE({SPEEDUP("all >= 2"), "a 1 u 2.03; b 1 u 1", U, "2.03 ±0.09"},
          {SPEEDUP("all >= 2"), "a 1 u 2.09; b 1 u 1", H, NULL},
          {SPEEDUP("all >= 2"), "a 1 u 1.91; b 1 u 1", F, NULL});
    noise = (gb_noise){0};
}

static void speedups(void **state)
{
    (void)state;
    JUDGE(/* of lists the fastest at each point */
          {{"a;c", "speedup", "b", NULL, NULL, "all >= 2"}, "a 1 u 1; c 1 u 3; b 1 u 1", H, "3.00"},
          {{"a", "speedup", "b;c", NULL, NULL, "all >= 2"},
           "a 1 u 2; c 1 u 2; b 1 u 1",
           F,
           "1.000 ±0.001"},
          /* a list is one point, not two */
          {{"a;c", "speedup", "b", NULL, NULL, "any >= 2"},
           "a 1 u 2.1; c 1 u 2.1; b 1 u 1; a 2 u 1; b 2 u 1",
           H,
           "1 of 2"},
          {{"a;c", "speedup", "b", NULL, NULL, "all >= 2"}, "c 1 u 3; b 1 u 1", H, NULL},
          {SPEEDUP("all >= 2"), "a 1 u 2; b 1 u unsupported", N, "no such rows"},
          {SPEEDUP("all >= 2"), "a 1 u wrong; b 1 u 1", N, "in the results of e"},
          {SPEEDUP("all >= 2"), "a 1 u 2; b 2 u 1", N, NULL},
          {SPEEDUP("all >= 2"), "b 2 u 1", N, NULL});
}

/* Each variant at its own best value of an axis. */
static void best_over_an_axis(void **state)
{
    (void)state;
    static const said claim = SPEEDUP("all >= 2");
    static const char rows[] = "a 1 u 5; b 1 u 1; a 2 u 1; b 2 u 2";
    judge(&claim, "device", rows, "device A", F, "0.500 ±0.001 to 5.000 ±0.001; 1 of 2");
    said_best_over = "n";
    judge(&claim, "device", rows, "device A", H, "2.500 ±");
    judge(&claim, "device", "a 1 u 5; b 1 u 1; a 2 u 1; b 2 u 3", "device A", F, "1.667");
    judge(&claim, "device", "a 1 u 5; b 1 u 1; a 1 v 1; b 2 v 1", "device A", F, "1 of 2 points");
    said_best_over = "";
}

static void changes(void **state)
{
    (void)state;
#define CHANGE(condition) {"a", "change", NULL, NULL, "n: 1k > 2k", condition}
#define SPEEDUP_CHANGE(condition)                                 \
    {                                                             \
        "a", "speedup_change", "b", NULL, "n: 1k > 2k", condition \
    }
    JUDGE(
        {CHANGE("all <= 0.5"), "a 1000 u 4; a 2000 u 1.999", H, "0.500"},
        {CHANGE("all <= 0.5"), "a 1000 u 4; a 2000 u 2", U, NULL},
        {CHANGE("all <= 0.5"), "a 1000 u 4; a 2000 u 2.001", F, NULL},
        {CHANGE("all <= 0.5"), "a 1000 u 4; a 2000 u 1.9~0.02", H, NULL},
        {CHANGE("all <= 0.5"), "a 1000 u 4; a 2000 u 1.9~0.1", U, NULL},
        {CHANGE("all <= 0.5"), "a 1000 u 4/1; a 2000 u 1", U, "one sample"},
        {CHANGE("all <= 0.5"), "a 1000 u 4; a 2000 v 2", N, NULL},
        {CHANGE("all <= 0.5"), "a 1000 u 4; a 3000 u 2", N, NULL},
        {CHANGE("all <= 0.5"), "a 1000 u 4; a 2000 u timeout", N, NULL},
        {CHANGE("all <= 0.5"), "a 1000 u 4; a 2000 u 1; a 1000 v 4; a 2000 v 4", F, "1 of 2"},
        {{"a", "change", NULL, NULL, "dist: u > v", "all within 25% of 1"},
         "a 1 u 1; a 1 v 1.249",
         H,
         "1.249"},
        {{"a", "change", NULL, NULL, "dist: u > v", "all within 25% of 1"},
         "a 1 u 1; a 1 v 1.2501",
         F,
         NULL},
        {{"a", "change", NULL, "n=2k", "dist: u > v", "all >= 1"},
         "a 1000 u 2; a 1000 v 1; a 2000 u 1; a 2000 v 1.1",
         H,
         NULL},
        {SPEEDUP_CHANGE("all <= 0.5"), "a 1000 u 4; b 1000 u 1; a 2000 u 4; b 2000 u 2.001", H,
         "0.500"},
        {SPEEDUP_CHANGE("all <= 0.5"), "a 1000 u 4; b 1000 u 1; a 2000 u 4; b 2000 u 1.99", F,
         NULL},
        /* each of the four counts */
        {SPEEDUP_CHANGE("all <= 0.5"), "a 1000 u 4~0.1; b 1000 u 1; a 2000 u 4; b 2000 u 2.1", U,
         NULL},
        {SPEEDUP_CHANGE("all <= 0.5"), "a 1000 u 4; b 1000 u 1~0.1; a 2000 u 4; b 2000 u 2.1", U,
         NULL},
        {SPEEDUP_CHANGE("all <= 0.5"), "a 1000 u 4; b 1000 u 1; a 2000 u 4~0.1; b 2000 u 2.1", U,
         NULL},
        {SPEEDUP_CHANGE("all <= 0.5"), "a 1000 u 4; b 1000 u 1; a 2000 u 4; b 2000 u 2.1~0.1", U,
         NULL},
        {SPEEDUP_CHANGE("all <= 0.5"), "a 1000 u 4; b 1000 u 1; a 2000 u 4; b 2000 u 2.1", H, NULL},
        {SPEEDUP_CHANGE("all <= 0.5"), "a 1000 u 4; b 1000 u 1; a 2000 u 4", N, NULL});
}

/* Kendall's tau: five values in order are one chance in 120, with a pair out of order they may be
 * chance. */
static void trends(void **state)
{
    (void)state;
#define TREND(condition) {"a", "trend", NULL, NULL, "n", condition}
    JUDGE(
        {TREND("all > 0"), "a 900 u 1; a 1k u 2; a 1Ki u 3; a 2k u 4; a 3k u 5", H, "1.00"},
        {TREND("all < 0"), "a 900 u 1; a 1k u 2; a 1Ki u 3; a 2k u 4; a 3k u 5", F, "p = 0.0083"},
        {TREND("all > 0"), "a 900 u 1; a 1k u 3; a 1Ki u 2; a 2k u 4; a 3k u 5", U,
         "the order of 5 values may be chance"},
        {TREND("all < 0"), "a 900 u 3; a 1k u 1; a 1Ki u 2; a 2k u 1.5; a 3k u 0.5", U, "-0.60"},
        {TREND("all > 0"), "a 1 u 1; a 2 u 2; a 3 u 3", U, "the order of 3 values"},
        {TREND("all < 0"), "a 1 u 2; a 2 u 1", N, NULL},
        /* the order of the rows does not matter */
        {TREND("all > 0"), "a 3 u 3; a 1 u 1; a 5 u 5; a 2 u 2; a 4 u 4", H, NULL},
        /* values whose intervals overlap may stand in either order */
        {TREND("all > 0"), "a 1 u 1; a 2 u 2; a 3 u 3~0.1; a 4 u 3.1~0.1; a 5 u 5", U, "1.00"},
        /* one sample has no interval */
        {TREND("all > 0"), "a 1 u 1; a 2 u 2; a 3 u 3; a 4 u 4; a 5 u 5/1", U,
         "1 of 5 values rest on one sample"},
        /* a series for each value of the other axes */
        {TREND("all > 0"),
         "a 1 u 1; a 2 u 2; a 3 u 3; a 4 u 4; a 5 u 5; a 6 u 6;"
         "a 1 v 6; a 2 v 5; a 3 v 4; a 4 v 3; a 5 v 2; a 6 v 1",
         F, "-1.00 to 1.00; 1 of 2"},
        {{"a", "trend", NULL, "n<=5", "n", "all > 0"},
         "a 1 u 1; a 2 u 2; a 3 u 3; a 4 u 4; a 5 u 5; a 6 u 0.5",
         H,
         NULL},
        /* what has no rate is left out, the first of the series, too */
        {TREND("all > 0"), "a 0 u wrong; a 1 u 1; a 2 u 2; a 3 u 3; a 4 u 4; a 5 u 5", H, NULL},
        {TREND("all > 0"), "a 1 u 1; a 2 u 2; a 3 u wrong", N, NULL},
        {{"a", "speedup_trend", "b", NULL, "n", "all < 0"},
         "a 1 u 6; b 1 u 1; a 2 u 5; b 2 u 1; a 3 u 4; b 3 u 1; a 4 u 3; b 4 u 1; a 5 u 2; b 5 u 1",
         H,
         "-1.00"},
        {{"a", "speedup_trend", "b", NULL, "n", "all < 0"},
         "a 1 u 1; b 1 u 1; a 2 u 4; b 2 u 2; a 3 u 16; b 3 u 4; a 4 u 64; b 4 u 8; a 5 u 99; b 5 "
         "u 9",
         F,
         "1.00"},
        {{"a", "speedup_trend", "b", NULL, "n", "all < 0"}, "a 1 u 3; a 2 u 4; a 3 u 5", N, NULL});
}

/* From where on it fails: above what was right, and not above what was not. */
/* Rows of a at radius 300 down to 1, whose rate is the radius; at `wrong` it failed. */
static const char *long_series(gb_arena *arena, int wrong)
{
    const char *rows = "";
    for (int r = 300; r > 0; r--)
        rows = gb_arena_printf(arena, "%sa 1 u %s device_A device warm %d;", rows,
                               r == wrong ? "wrong" : gb_arena_printf(arena, "%d", r), r);
    return rows;
}

/* A series is judged whole, however long, along whatever axis its claim names. */
static void long_series_along_another_axis(void **state)
{
    (void)state;
    static const said trend = {"a", "trend", NULL, NULL, "radius", "all > 0"},
                      from = {"a", "fails_from", NULL, NULL, "radius", "all > 295"};
    gb_arena arena = {0};
    judge(&trend, "device", long_series(&arena, 0), "device A", H, "300 values rise so");
    judge(&trend, "device", long_series(&arena, 300), "device A", H, "299 values rise so");
    judge(&from, "device", long_series(&arena, 299), "device A", H, "299, right up to 298");
    judge(&from, "device", long_series(&arena, 4), "device A", F, "4, right up to 3");
    gb_arena_free(&arena);
}

static void first_failures(void **state)
{
    (void)state;
#define FROM(condition) {"a", "fails_from", NULL, NULL, "n", condition}
    JUDGE(
        {FROM("all <= 1000"), "a 500 u 1; a 1000 u wrong; a 2000 u wrong", H,
         "1000, right up to 500"},
        {FROM("all <= 1000"), "a 2000 u wrong; a 1000 u 1; a 500 u 1", F, "2000, right up to 1000"},
        {FROM("all <= 1000"), "a 500 u 1; a 2000 u wrong", U, "2000, right up to 500"},
        {FROM("all <= 1000"), "a 500 u 1; a 2000 u 1", F, "never, right up to 2000"},
        {FROM("all <= 1000"), "a 500 u wrong; a 2000 u 1", H, "500, right up to 0"},
        {FROM("all > 1000"), "a 1000 u 1; a 2000 u timeout", H, NULL},
        {FROM("all > 1000"), "a 500 u 1; a 1000 u crashed", F, NULL},
        {FROM("all <= 1000"), "a 500 u unsupported", N, NULL});
}

/* What kind of claim it is decides what a verdict can be. */
static void classes(void **state)
{
    (void)state;
    static const struct {
        const char *class, *device;
        bool holds;
        gb_claim_verdict verdict;
    } cases[] = {{"measured", "device A", true, H},
                 {"measured", "device A", false, F},
                 {"construction", "device A", true, GB_CLAIM_BY_CONSTRUCTION},
                 {"construction", "device A", false, F}, /* something is wrong */
                 {"generation", "device A", true, GB_CLAIM_OTHER_GPU},
                 {"generation", "device A", false, GB_CLAIM_OTHER_GPU},
                 {"generation", "a device B 80 GB", true, H}, /* which the claim is about */
                 {"generation", "a device B 80 GB", false, F},
                 {"procedure", "device A", true, GB_CLAIM_THEIR_PROCEDURE},
                 {"procedure", "device A", false, GB_CLAIM_THEIR_PROCEDURE}};
    gb_arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const said ok = {"a", "ok", NULL, NULL, NULL, "all = 1"};
        said_class = cases[i].class;
        char *device = gb_arena_strdup(&arena, cases[i].device);
        for (char *at = device; (at = strchr(at, ' '));)
            *at = '_';
        judge(&ok, "device",
              gb_arena_printf(&arena, "a 1 u %s %s", cases[i].holds ? "1" : "wrong", device),
              cases[i].device, cases[i].verdict, NULL);
    }
    /* why it cannot be seen here stands there all the same */
    static const said elsewhere = SPEEDUP("all > 1");
    said_class = "generation";
    judge(&elsewhere, "device", "a 1 u 1!; b 1 u 1!", "device A", GB_CLAIM_OTHER_GPU,
          "not decidable here");
    said_class = "measured";
    assert_true(gb_claim_names_device("NVIDIA K80;NVIDIA P100", "Tesla P100-PCIE-16GB"));
    assert_true(gb_claim_names_device("GPUs before Volta (K80;P100)", "Tesla K80"));
    assert_true(gb_claim_names_device("GPUs before Volta (K80;P100)", "Tesla P100-PCIE-16GB"));
    assert_false(gb_claim_names_device("GPUs before Volta (K80;P100)", "NVIDIA H100"));
#define LONG_NAME "A123456789012345678901234567890123456789012345678901234567890123456789"
    assert_true(gb_claim_names_device("NVIDIA " LONG_NAME, "Tesla " LONG_NAME "-PCIE"));
    assert_false(gb_claim_names_device("NVIDIA " LONG_NAME, "Tesla " LONG_NAME "0"));
    gb_arena_free(&arena);
}

static void intervals(void **state)
{
    (void)state;
#define CI95 {"a", "ci95", NULL, NULL, NULL, "all <= 0.25"}
    JUDGE({CI95, "a 1 u 1:0.9:1.1:30", H, "10 %"}, {CI95, "a 1 u 1:0.6:1.4:30", F, "40 %"},
          {CI95, "a 1 u 1:0.75:1.25:30", U, "25 %"},
          {CI95, "a 1 u 1:0.9:1.1:30; a 2 u 2:1:3:30", F, "up to 50 %; 1 of 2"},
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
    static const said
        at_least = {"best",      "device_ratio", NULL, "dist=u", "radius: NVIDIA K80 > NVIDIA P100",
                    "all >= 3.6"},
        other = {"best", "device_ratio", NULL, NULL, "NVIDIA K80 > NVIDIA P100", "all >= 3.6"},
        by_dist = {"best",      "device_ratio", NULL, NULL, "dist: NVIDIA K80 > NVIDIA P100",
                   "all >= 3.6"};
    static const char p100[] = "Tesla P100-PCIE-16GB";
    judge(&at_least, "device",
          "a 1 u 1 Tesla_K80; a 2 u 2 Tesla_K80; a 1 u 7.21 Tesla_P100-PCIE-16GB", p100, H, "3.60");
    judge(&at_least, "device",
          "a 1 u 1 Tesla_K80; a 2 u 2 Tesla_K80; a 1 u 7.18 Tesla_P100-PCIE-16GB", "Tesla K80", F,
          "3.59");
    /* a ratio at each value of the axis that the claim names, or of all rows */
    static const char two_radii[] =
        "a 1 u 1 Tesla_K80; a 1 u 4 Tesla_P100-PCIE-16GB; a 1 u 1 Tesla_K80 device warm 2;"
        "a 1 u 3 Tesla_P100-PCIE-16GB device warm 2";
    judge(&at_least, "device", two_radii, p100, F, "3.000 ±0.001 to 4.000 ±0.001; 1 of 2 points");
    judge(&other, "device", two_radii, p100, H, "4.000 ±");
    judge(&by_dist, "device", two_radii, p100, H, "4.000 ±");
    judge(&by_dist, "device",
          "a 1 u 1 Tesla_K80; a 1 v 1 Tesla_K80; a 1 u 4 Tesla_P100-PCIE-16GB;"
          "a 1 v 3 Tesla_P100-PCIE-16GB",
          p100, F, "3.000 ±0.001 to 4.000 ±0.001; 1 of 2 points");
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
    judge(&ci, "device", "a 1 u 1:0.9:1.1:30 S device warm 1 simt", "S", N, NULL);
    judge(&ok, "device", "a 1 u 2 S device warm 1 simt", "S", H, NULL);
    judge(&unsupported, "device", "a 1 u unsupported S device warm 1 simt", "S", H, NULL);
    judge(&failed, "device", "a 1 u wrong S device warm 1 simt", "S", H, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions),
        cmocka_unit_test(one_point_of_many),
        cmocka_unit_test(most_points),
        cmocka_unit_test(no_evidence),
        cmocka_unit_test(speedups),
        cmocka_unit_test(best_over_an_axis),
        cmocka_unit_test(changes),
        cmocka_unit_test(trends),
        cmocka_unit_test(long_series_along_another_axis),
        cmocka_unit_test(first_failures),
        cmocka_unit_test(classes),
        cmocka_unit_test(intervals),
        cmocka_unit_test(statuses),
        cmocka_unit_test(ratios_of_devices),
        cmocka_unit_test(terms),
        cmocka_unit_test(rows_that_are_meant),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
