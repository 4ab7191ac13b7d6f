/* Measures the instrument with the primitive `null`, as a run measures variants: through tasks, in
 * turns. */
#include "bench/measure/instrument.h"

#include "bench/config/cases.h"
#include "bench/measure/task.h"
#include "bench/util/clock.h"
#include "common/stats/sort.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 50, WARMUP = 5 };
/* Repetitions end early on a slow device; three are the fewest that have a median of their own. */
static const double spread_budget_s = 1;
enum { FEWEST_REPETITIONS = 3 };
/* Larger than the L2 of most devices, a fraction of a millisecond to copy, and memory that any
 * device has. Fibers get what they can do in as long. */
static const uint64_t spread_bytes = (uint64_t)64 << 20, spread_bytes_simt = (uint64_t)64 << 10;
static const char spread_variant[] = "copy";

static const struct {
    const char *variant, *point;
} wanted[GB_PROBES] = {
    [GB_PROBE_NOTHING] = {"nothing", ""},
    [GB_PROBE_EMPTY] = {"empty", ""},
    [GB_PROBE_WAITS] = {"waits", ""},
    [GB_PROBE_HOST] = {"host", ""},
    [GB_PROBE_SPIN_0] = {"spin", ""},
    [GB_PROBE_SPIN_50US] = {"spin", "ns=50000"},
    [GB_PROBE_SPIN_1MS] = {"spin", "ns=1000000"},
    [GB_PROBE_HOST_SPIN_0] = {"spin-host-clock", ""},
    [GB_PROBE_HOST_SPIN_1MS] = {"spin-host-clock", "ns=1000000"},
};

static const struct {
    bool host_clock;
    double asked_s;
    gb_probe_kind raw, zero;
} timed[GB_TIMER_CHECKS] = {
    {false, 50e-6, GB_PROBE_SPIN_50US, GB_PROBE_SPIN_0},
    {false, 1e-3, GB_PROBE_SPIN_1MS, GB_PROBE_SPIN_0},
    {true, 1e-3, GB_PROBE_HOST_SPIN_1MS, GB_PROBE_HOST_SPIN_0},
};

static const gb_measure measure = {.samples = SAMPLES,
                                   .warmup = WARMUP,
                                   .scope = GB_SCOPE_DEVICE,
                                   .warm = true,
                                   .time_limit_s = 20,
                                   .max_rel_ci = 1};

/* ---- computations ---------------------------------------------------------------------------- */

gb_timer_check gb_timer_check_of(double asked_s, double raw_s, double zero_s, double empty_s)
{
    gb_timer_check check = {.asked_s = asked_s, .raw_s = raw_s};
    check.less_zero_s = raw_s - zero_s;
    check.less_empty_s = empty_s > 0 ? raw_s - empty_s : 0;
    check.error = (check.less_zero_s - asked_s) / asked_s;
    return check;
}

void gb_spread_of(const double *means, const double *others, unsigned count, gb_spread *spread)
{
    double apart[GB_MOST_REPETITIONS] = {0};
    for (unsigned i = 0; i < count; i++) {
        double sum = means[i] + others[i];
        apart[i] = sum > 0 ? 2 * fabs(means[i] - others[i]) / sum : 0;
    }
    gb_sort_values(apart, count);
    spread->repetitions = count;
    spread->median = gb_sorted_median(apart, count);
    spread->worst = apart[count - 1];
}

/* ---- tasks in turns -------------------------------------------------------------------------- */

/* A task with the point it is about, which must not move. */
typedef struct probing {
    const char *variant, *point;
    gb_params params;
    gb_task task;
    gb_error error;
} probing;

static bool sound(const probing *p)
{
    return p->error.status == GB_OK;
}

static gb_status open_probing(const gb_task_context *context, probing *p)
{
    const gb_catalogue_primitive *primitive = context->link->primitive;
    int index = gb_catalogue_variant_index(primitive, p->variant);
    if (index < 0)
        return gb_fail(&p->error, GB_UNSUPPORTED, "this worker's null has no variant %s",
                       p->variant);
    if (!gb_check_case_parse(primitive, p->point, &p->params, &p->error)) return GB_UNSUPPORTED;
    p->task.row.point = &p->params;
    p->task.row.variant = (unsigned)index;
    p->task.sampling = (gb_sampling){.samples = SAMPLES, .warmup = WARMUP};
    return gb_task_open(context, &p->task, &p->error);
}

/* A step of one of them has ended so. A worker that died of it took the others along. */
static void settle(const gb_task_context *context, probing *p, size_t count, size_t which,
                   gb_status status)
{
    p[which].error.status = status;
    if (status == GB_OK || gb_worker_alive(context->link->session->worker)) return;
    for (size_t i = 0; i < count; i++)
        if (sound(&p[i])) p[i].error = p[which].error;
}

/* Opens all, samples them in turns until each has what it wants, judges them again and closes them:
 * what a run does with the variants of a point. Those that went well have their row. */
static void measure_in_turns(const gb_task_context *context, probing *p, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sound(&p[i])) settle(context, p, count, i, open_probing(context, &p[i]));
    for (bool wanting = true; wanting;) {
        wanting = false;
        for (size_t i = 0; i < count; i++) {
            if (!sound(&p[i]) || !gb_task_wants(context, &p[i].task)) continue;
            wanting = true;
            settle(context, p, count, i, gb_task_sample(context, &p[i].task, &p[i].error));
        }
    }
    for (size_t i = 0; i < count; i++)
        if (sound(&p[i]))
            settle(context, p, count, i, gb_task_finish(context, &p[i].task, &p[i].error));
    for (size_t i = 0; i < count; i++) {
        gb_task_close(context, &p[i].task);
        gb_task_free(&p[i].task);
    }
}

/* A reason is one line of a listing. */
static void explain(char reason[256], const gb_error *error)
{
    snprintf(reason, 256, "%.255s", error->text[0] ? error->text : "the worker gave no reason");
}

/* ---- the instrument -------------------------------------------------------------------------- */

static void measure_probes(const gb_task_context *context, gb_instrument *instrument)
{
    probing p[GB_PROBES] = {0};
    for (int i = 0; i < GB_PROBES; i++) {
        p[i].variant = wanted[i].variant;
        p[i].point = wanted[i].point;
    }
    measure_in_turns(context, p, GB_PROBES);
    for (int i = 0; i < GB_PROBES; i++) {
        gb_probe *probe = &instrument->probes[i];
        if (sound(&p[i]))
            probe->median_s = p[i].task.row.stats.median;
        else
            explain(probe->reason, &p[i].error);
    }
    instrument->samples = SAMPLES;
}

static void check_timer(gb_instrument *instrument)
{
    const gb_probe *probes = instrument->probes;
    for (int i = 0; i < GB_TIMER_CHECKS; i++) {
        const gb_probe *raw = &probes[timed[i].raw], *zero = &probes[timed[i].zero];
        const gb_probe *lacking = raw->reason[0] ? raw : zero;
        gb_timer_check *check = &instrument->timer[i];
        *check = gb_timer_check_of(timed[i].asked_s, raw->median_s, zero->median_s,
                                   probes[GB_PROBE_EMPTY].median_s);
        check->host_clock = timed[i].host_clock;
        memcpy(check->reason, lacking->reason, sizeof check->reason);
    }
}

/* One repetition: the same twice, as two jobs. */
static bool measure_pair(const gb_task_context *context, const char *point, double *mean,
                         double *other, gb_error *error)
{
    probing p[2] = {{.variant = spread_variant, .point = point},
                    {.variant = spread_variant, .point = point}};
    measure_in_turns(context, p, 2);
    *mean = p[0].task.row.stats.mean;
    *other = p[1].task.row.stats.mean;
    *error = sound(&p[0]) ? p[1].error : p[0].error;
    return sound(&p[0]) && sound(&p[1]);
}

static void measure_spread(const gb_task_context *context, gb_spread *spread)
{
    double means[GB_MOST_REPETITIONS], others[GB_MOST_REPETITIONS];
    char point[64];
    unsigned count = 0;
    gb_error error = {GB_OK, ""};
    snprintf(point, sizeof point, "bytes=%" PRIu64, spread->bytes);
    double until = gb_now() + spread_budget_s;
    while (count < GB_MOST_REPETITIONS && (count < FEWEST_REPETITIONS || gb_now() < until)) {
        if (!measure_pair(context, point, &means[count], &others[count], &error)) {
            explain(spread->reason, &error);
            return;
        }
        count++;
    }
    gb_spread_of(means, others, count, spread);
}

void gb_instrument_measure(gb_session *session, gb_instrument *instrument)
{
    *instrument = (gb_instrument){0};
    const gb_catalogue_primitive *primitive = gb_catalogue_find(session->catalogue, "null");
    if (!primitive) {
        snprintf(
            instrument->reason, sizeof instrument->reason,
            "this worker has no primitive null (it is OpenCL's, older, or not gpubench's own): "
            "CUDA and simt workers of this build show overheads, the timer's error and the "
            "A/A spread");
        return;
    }
    gb_link link = {.session = session, .primitive = primitive};
    const gb_task_context context = {&link, &measure, 1, session->device->l2_bytes};
    bool simt = strcmp(session->catalogue->backend, "simt") == 0;
    instrument->cpu_times = simt;
    instrument->spread = (gb_spread){.variant = spread_variant,
                                     .bytes = simt ? spread_bytes_simt : spread_bytes,
                                     .samples = SAMPLES};
    measure_probes(&context, instrument);
    check_timer(instrument);
    measure_spread(&context, &instrument->spread);
}
