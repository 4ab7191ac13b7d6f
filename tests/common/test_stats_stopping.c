/* "samples":"auto" by simulation: 10 000 rows a case (1000 where they are long) are measured by the
 * driver's own task code, from a worker that is replaced at the link by one that makes synthetic
 * times on a clock of its own. How far stopping at a good moment biases the mean, and how often the
 * interval still holds it. */
/* test: fast unsanitized 7 */
#include "bench/measure/task.h"
#include "bench/util/clock.h"
#include "tests/common/stats_fixture.h"

/* ---- the worker, and the driver's clock --------------------------------------------------------
 */

enum { MOST_SAMPLES = 2000 };
static double series[MOST_SAMPLES]; /* of the row that is measured */
static unsigned taken, requests, verified;
static bool on_cpu;              /* the variant is a function there, */
static double judged[2];         /* and what the first and later verifications tell of their runs */
static bool ungated;             /* what the worker says of its gate */
static double clock_s, sample_s; /* what one sample takes */

double gb_now(void)
{
    return clock_s;
}

bool gb_worker_alive(const gb_worker *worker)
{
    (void)worker;
    return true;
}

double gb_worker_limit_s(void)
{
    return 60;
}

gb_status gb_job_open(gb_link *link, const gb_job_request *request, double limit_s, unsigned *job,
                      gb_work *work, gb_job_told *told, gb_error *error)
{
    (void)link, (void)request, (void)limit_s, (void)told, (void)error;
    *job = 1;
    *work = (gb_work){1000, 8000, 0, 0};
    taken = requests = verified = 0;
    return GB_OK;
}

gb_status gb_job_verify(gb_link *link, unsigned job, double limit_s, double *judged_s,
                        gb_job_told *told, gb_error *error)
{
    (void)link, (void)job, (void)limit_s, (void)told, (void)error;
    if (judged_s) *judged_s = judged[verified < 2 ? verified : 1];
    assert_true(!judged_s || on_cpu);
    verified++;
    return GB_OK;
}

void gb_job_told_free(gb_job_told *told)
{
    (void)told;
}

gb_status gb_job_sample(gb_link *link, unsigned job, unsigned count, double limit_s, double *times,
                        gb_job_told *told, gb_error *error)
{
    (void)link, (void)job, (void)limit_s, (void)error;
    told->ungated |= ungated && requests == 0;
    assert_true(taken + count <= MOST_SAMPLES);
    memcpy(times, series + taken, count * sizeof *times);
    taken += count;
    requests++;
    clock_s += count * sample_s;
    return GB_OK;
}

gb_status gb_job_telemetry(gb_link *link, double limit_s, gb_reading *reading, gb_error *error)
{
    (void)link, (void)limit_s, (void)error;
    *reading = (gb_reading){0};
    return GB_OK;
}

gb_status gb_job_close(gb_link *link, unsigned job, double limit_s, gb_error *error)
{
    (void)link, (void)job, (void)limit_s, (void)error;
    return GB_OK;
}

/* ---- one row -----------------------------------------------------------------------------------
 */

static gb_status try_row(const gb_measure *measure, gb_row *row, gb_error *error)
{
    gb_catalogue_variant variant = {.name = (char *)"synthetic", .host = on_cpu};
    gb_catalogue_primitive primitive = {.variants = &variant, .variant_count = 1};
    gb_session session = {0};
    gb_link link = {.session = &session, .primitive = &primitive};
    gb_task_context context = {.link = &link, .measure = measure};
    gb_task task = {.sampling = {measure->samples, measure->warmup, measure->automatic}};
    gb_status status = gb_task_open(&context, &task, error);
    while (status == GB_OK && gb_task_wants(&context, &task))
        status = gb_task_sample(&context, &task, error);
    if (status == GB_OK) status = gb_task_finish(&context, &task, error);
    if (status == GB_OK) assert_int_equal(task.count, task.row.stats.count);
    gb_task_free(&task);
    *row = task.row;
    return status;
}

static gb_row measure_row(const gb_measure *measure)
{
    gb_row row;
    gb_error error = {GB_OK, ""};
    if (try_row(measure, &row, &error) != GB_OK) fail_msg("%s", error.text);
    return row;
}

static gb_measure automatic(double max_rel_ci)
{
    return (gb_measure){.samples = 20,
                        .automatic = true,
                        .max_samples = MOST_SAMPLES,
                        .warm = true,
                        .time_limit_s = 1e9,
                        .max_rel_ci = max_rel_ci};
}

/* Runs of a row of so many samples, of a function on the CPU whose verifications tell these times.
 */
static unsigned runs_of(unsigned samples, unsigned warmup, double before_s, double after_s)
{
    const gb_measure measure = {.samples = samples, .warmup = warmup, .time_limit_s = 1e9};
    on_cpu = true;
    judged[0] = before_s;
    judged[1] = after_s;
    const gb_row row = measure_row(&measure);
    on_cpu = false;
    judged[0] = judged[1] = 0;
    assert_int_equal(row.stats.count, samples);
    return taken + verified;
}

/* What takes long on the CPU runs as often as it is sampled, and the first and last run are judged:
 * what is slow enough to be sampled once runs once. */
static void long_runs_that_are_judged_are_samples(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MOST_SAMPLES; i++)
        series[i] = 1;
    assert_int_equal(runs_of(1, 0, 20, 21), 1);
    assert_int_equal(runs_of(2, 0, 20, 21), 2);
    assert_int_equal(runs_of(3, 0, 20, 21), 3);
    /* a warm-up is none, nor what is judged before it */
    assert_int_equal(runs_of(3, 2, 20, 21), 1 + 2 + 3);
    assert_int_equal(runs_of(1, 2, 20, 21), 1 + 1);
    /* brief runs are, as on a GPU, judged besides; so is one that was brief the second time */
    assert_int_equal(runs_of(3, 0, 0.01, 0.01), 1 + 3 + 1);
    assert_int_equal(runs_of(3, 0, 0, 0), 1 + 3 + 1);
    assert_int_equal(runs_of(3, 0, 20, 0), 1 + 1 + 1 + 1 + 1);
}

/* ---- many rows ---------------------------------------------------------------------------------
 */

typedef struct shape {
    const char *name;
    double sd;     /* over the mean, which is 1 */
    double follow; /* autocorrelation of neighbours */
    bool skewed;
    uint32_t experiments;
} shape;

static const shape shapes[] = {{"normal, sd 5 %", 0.05, 0, false, EXPERIMENTS},
                               {"log-normal, sd 30 %", 0.3, 0, true, EXPERIMENTS},
                               {"AR(1), 0.6, sd 5 %", 0.05, 0.6, false, 1000}};
/* As many independent samples would just do. */
static const unsigned needed[] = {15, 25, 40, 80};
enum {
    NORMAL,
    SKEWED,
    FOLLOWING,
    SHAPES = sizeof shapes / sizeof *shapes,
    CASES = sizeof needed / sizeof *needed
};

typedef struct outcome {
    double covered, bias, samples; /* %, %, mean number */
} outcome;

static void make_series(const shape *of, uint32_t experiment, unsigned count)
{
    double sigma = sqrt(log1p(of->sd * of->sd)), value = 0;
    draw_normal(6, experiment, count, series);
    for (unsigned i = 0; i < count; i++) {
        value = i ? of->follow * value + sqrt(1 - of->follow * of->follow) * series[i] : series[0];
        series[i] = of->skewed ? exp(sigma * value - sigma * sigma / 2) : 1 + of->sd * value;
    }
}

static outcome simulate(const shape *of, unsigned enough)
{
    gb_measure measure = automatic(1.959963984540054 * of->sd / sqrt(enough));
    /* No row of these goes on for longer; what it does not reach need not be made. */
    unsigned count = of->follow > 0 ? MOST_SAMPLES : 3 * enough + 100;
    outcome o = {0};
    for (uint32_t experiment = 0; experiment < of->experiments; experiment++) {
        make_series(of, experiment, count);
        gb_row row = measure_row(&measure);
        assert_true(row.stats.count >= 20 && row.stats.count <= count);
        assert_false(row.flags & GB_FLAG_UNSTABLE);
        double half = (row.stats.ci95_hi - row.stats.ci95_lo) / 2 * row.stats.widening;
        o.covered += fabs(row.stats.mean - 1) <= half;
        o.bias += row.stats.mean - 1;
        o.samples += (double)row.stats.count;
    }
    o.covered *= 100.0 / of->experiments;
    o.bias *= 100.0 / of->experiments;
    o.samples /= of->experiments;
    return o;
}

static void stopping_is_honest(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    fprintf(file, "| covers, %% / bias of the mean, %% / samples |");
    for (int c = 0; c < CASES; c++)
        fprintf(file, " %u needed |", needed[c]);
    fprintf(file, "\n|---|---:|---:|---:|---:|\n");
    for (int s = 0; s < SHAPES; s++) {
        fprintf(file, "| %s |", shapes[s].name);
        for (int c = 0; c < CASES; c++) {
            outcome o = simulate(&shapes[s], needed[c]);
            double bias = rint(o.bias * 100) / 100 + 0.0; /* not -0.00 */
            fprintf(file, " %.1f / %.2f / %.0f |", o.covered, bias, o.samples);
            assert_within("bias of the mean", o.bias, -1, 1);
            if (s != FOLLOWING) {
                assert_within("coverage after stopping", o.covered, 93, 96);
                assert_within("samples", o.samples, needed[c], 1.5 * needed[c] + 10);
            }
        }
        putc('\n', file);
    }
    fclose(file);
    assert_documented("stopping", text);
}

/* ---- single decisions --------------------------------------------------------------------------
 */

static void looks_at_growing_spacing(void **state)
{
    (void)state;
    gb_measure measure = automatic(0.001);
    static const unsigned looks[] = {20, 25, 31, 38, 47, 58};
    make_series(&shapes[NORMAL], 1, MOST_SAMPLES);
    for (size_t i = 0; i + 1 < sizeof looks / sizeof *looks; i++)
        assert_int_equal(gb_auto_target(&measure, series, looks[i]), looks[i + 1]);
    assert_int_equal(gb_auto_target(&measure, series, 1), 2);
    measure.max_samples = 40;
    assert_int_equal(gb_auto_target(&measure, series, 38), 40);
    assert_int_equal(gb_auto_target(&measure, series, 40), 40);
    measure.max_rel_ci = 0.5;
    assert_int_equal(gb_auto_target(&measure, series, 20), 20);
}

/* Once is enough: what is measured later has no gate either. */
static void what_has_no_gate_is_flagged(void **state)
{
    (void)state;
    gb_measure measure = automatic(0.006);
    make_series(&shapes[NORMAL], 2, MOST_SAMPLES);
    assert_false(measure_row(&measure).flags & GB_FLAG_UNGATED);
    ungated = true;
    gb_row row = measure_row(&measure);
    ungated = false;
    assert_true(requests > 1 && row.flags & GB_FLAG_UNGATED);
}

/* Whether samples come one by one or many at once changes who is asked how often, not when it ends.
 */
static void pace_does_not_matter(void **state)
{
    (void)state;
    gb_measure measure = automatic(0.006);
    make_series(&shapes[NORMAL], 2, MOST_SAMPLES);
    sample_s = 0;
    gb_row fast = measure_row(&measure);
    unsigned fast_requests = requests;
    sample_s = 0.1;
    gb_row slow = measure_row(&measure);
    assert_int_equal(requests, slow.stats.count);
    assert_true(fast_requests < requests);
    assert_int_equal(fast.stats.count, slow.stats.count);
    assert_true(fast.stats.count > 100 && fast.stats.count < MOST_SAMPLES);
    sample_s = 0;
}

/* A hundred samples come in turns of five, so that few of a turn share its state of the device. */
static void turns_are_short(void **state)
{
    (void)state;
    gb_measure measure = automatic(0.006);
    measure.automatic = false;
    measure.samples = 100;
    make_series(&shapes[NORMAL], 3, 100);
    assert_int_equal(measure_row(&measure).stats.count, 100);
    assert_in_range(requests, 20, 40);
}

/* Samples that resemble those before count for less. */
static void goes_on_where_samples_hang_together(void **state)
{
    (void)state;
    gb_measure measure = automatic(1.959963984540054 * 0.05 / 10);
    make_series(&shapes[FOLLOWING], 4, MOST_SAMPLES);
    gb_row row = measure_row(&measure);
    assert_true(row.flags & GB_FLAG_AUTOCORRELATED);
    assert_true(row.stats.count > 200);
}

static void stops_when_time_is_up(void **state)
{
    (void)state;
    gb_measure measure = automatic(1e-6);
    measure.time_limit_s = 5;
    make_series(&shapes[NORMAL], 5, MOST_SAMPLES);
    sample_s = 0.1;
    gb_row row = measure_row(&measure);
    sample_s = 0;
    assert_in_range(row.stats.count, 48, 50);
    assert_true(row.flags & GB_FLAG_UNSTABLE);
}

/* A coarse timer may show nothing now and then; one that never shows anything measures nothing. */
static void zeros_alone_are_no_times(void **state)
{
    (void)state;
    gb_measure measure = automatic(0.5);
    gb_row row;
    gb_error error = {GB_OK, ""};
    make_series(&shapes[NORMAL], 6, MOST_SAMPLES);
    series[0] = series[7] = 0;
    assert_int_equal(measure_row(&measure).status, GB_OK);
    memset(series, 0, sizeof series);
    assert_int_equal(try_row(&measure, &row, &error), GB_CRASHED);
    assert_non_null(strstr(error.text, "all times are zero, of 20 samples"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_at_growing_spacing),
        cmocka_unit_test(what_has_no_gate_is_flagged),
        cmocka_unit_test(pace_does_not_matter),
        cmocka_unit_test(turns_are_short),
        cmocka_unit_test(goes_on_where_samples_hang_together),
        cmocka_unit_test(stops_when_time_is_up),
        cmocka_unit_test(zeros_alone_are_no_times),
        cmocka_unit_test(long_runs_that_are_judged_are_samples),
        cmocka_unit_test(stopping_is_honest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
