/* Laws of few terms and what measured times say of their coefficients. */
#include "bench/project/law.h"

#include "common/stats/least.h"
#include "common/text/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)GB_TERM_COUNT <= (int)GB_LEAST_TERMS, "every term has its column");

const char *const gb_term_names[GB_TERM_COUNT] = {[GB_TERM_MEMORY] = "memory",
                                                  [GB_TERM_ISSUE] = "issue",
                                                  [GB_TERM_LATENCY] = "latency",
                                                  [GB_TERM_LAUNCH] = "launch"};

static const unsigned powers[GB_POWERS] = {1, 2, 4};

const double gb_project_noise = 0.01;

/* Errors that differ by less are the same number. */
static const double alike = 1e-6;

/* What a coefficient of 1 takes on a machine. */
static double seconds_of(gb_term_kind term, const gb_machine *machine)
{
    switch (term) {
    case GB_TERM_MEMORY:
        return 1 / machine->bytes_per_s;
    case GB_TERM_ISSUE:
        return 1 / (machine->sms * machine->clock_hz);
    case GB_TERM_LATENCY:
        return 1 / machine->clock_hz;
    default:
        return 1;
    }
}

static double raised(double value, unsigned power)
{
    double result = 1;
    while (power-- > 0)
        result *= value;
    return result;
}

double gb_law_time(const gb_law *law, const gb_machine *machine, double terms[GB_TERM_COUNT])
{
    double each[GB_TERM_COUNT], most = 0, sum = 0;
    for (unsigned t = 0; t < GB_TERM_COUNT; t++) {
        each[t] = law->coefficient[t] * seconds_of((gb_term_kind)t, machine);
        if (each[t] > most) most = each[t];
    }
    if (terms) memcpy(terms, each, sizeof each);
    for (unsigned t = 0; t < GB_TERM_COUNT && most > 0; t++)
        sum += raised(each[t] / most, law->power);
    return most * pow(sum, 1. / law->power);
}

/* ---- fitting --------------------------------------------------------------------------------- */

typedef struct fitter {
    const gb_timing *timings;
    size_t count;
    double pinned; /* bytes: the least that the memory's coefficient can be */
    gb_least_row *rows;
} fitter;

/* Rows whose sum should be 1: parts of the measured time, so that all times count alike. */
static void set_up(const fitter *f, unsigned power)
{
    for (size_t i = 0; i < f->count; i++) {
        const gb_timing *timing = &f->timings[i];
        gb_least_row *row = &f->rows[i];
        for (unsigned t = 0; t < GB_TERM_COUNT; t++)
            row->term[t] =
                raised(seconds_of((gb_term_kind)t, &timing->machine) / timing->time_s, power);
        row->wanted = 1 - raised(f->pinned, power) * row->term[GB_TERM_MEMORY];
    }
}

static double error_of(const fitter *f, const gb_law *law)
{
    double sum = 0;
    for (size_t i = 0; i < f->count; i++) {
        const double time = gb_law_time(law, &f->timings[i].machine, NULL);
        if (!(time > 0)) return INFINITY;
        sum += log(time / f->timings[i].time_s) * log(time / f->timings[i].time_s);
    }
    return sqrt(sum / (double)f->count);
}

/* The law of these terms; false if the times do not bear one. */
static bool find_law(const fitter *f, unsigned power, unsigned terms, gb_law *law)
{
    double raw[GB_LEAST_TERMS];
    *law = (gb_law){.power = power, .terms = terms};
    if (terms == 0 && !(f->pinned > 0)) return false;
    if (terms != 0 && !gb_least_squares(f->rows, f->count, terms, raw)) return false;
    for (unsigned t = 0; t < GB_TERM_COUNT; t++) {
        const double least = t == GB_TERM_MEMORY ? raised(f->pinned, power) : 0;
        law->coefficient[t] = pow(least + (terms != 0 ? raw[t] : 0), 1. / power);
    }
    law->error = error_of(f, law);
    return isfinite(law->error);
}

/* The bytes that every time here allows for: a copy's bandwidth is not the most that reading alone
 * reaches. */
static double pinned_of(const gb_timing *timings, size_t count, double least_bytes)
{
    for (size_t i = 0; i < count; i++)
        least_bytes = fmin(least_bytes, timings[i].time_s * timings[i].machine.bytes_per_s);
    return least_bytes;
}

static unsigned terms_of(const gb_law *law)
{
    unsigned count = 0;
    for (unsigned t = 0; t < GB_TERM_COUNT; t++)
        count += law->terms >> t & 1;
    return count;
}

static bool is_plainer(const gb_law *a, const gb_law *b)
{
    if (a->terms != b->terms) return a->terms < b->terms;
    return a->power < b->power;
}

/* Puts the plainest in front: of the fewest terms, then of those that miss as little as the best of
 * them. */
static void choose(gb_fit *fit)
{
    unsigned fewest = GB_TERM_COUNT;
    for (size_t i = 0; i < fit->count; i++)
        if (terms_of(&fit->laws[i]) < fewest) fewest = terms_of(&fit->laws[i]);
    double least = INFINITY;
    for (size_t i = 0; i < fit->count; i++)
        if (terms_of(&fit->laws[i]) == fewest) least = fmin(least, fit->laws[i].error);
    size_t chosen = fit->count;
    for (size_t i = 0; i < fit->count; i++) {
        const gb_law *law = &fit->laws[i];
        if (terms_of(law) == fewest && law->error <= least + alike &&
            (chosen == fit->count || is_plainer(law, &fit->laws[chosen])))
            chosen = i;
    }
    if (chosen == fit->count) return;
    const gb_law first = fit->laws[chosen];
    fit->laws[chosen] = fit->laws[0];
    fit->laws[0] = first;
}

/* Leaves those that fit as well as the best: their squares exceed its by what two standard errors
 * of one more coefficient would take away, or they miss by no more than equal runs do. */
static void keep_good(gb_fit *fit, size_t timings)
{
    double best = INFINITY;
    for (size_t i = 0; i < fit->count; i++)
        best = fmin(best, fit->laws[i].error);
    const double free = timings > 4 ? (double)timings - 3 : 1;
    const double most = fmax(gb_project_noise, best * sqrt(1 + 4 / free));
    size_t kept = 0;
    for (size_t i = 0; i < fit->count; i++)
        if (fit->laws[i].error <= most) fit->laws[kept++] = fit->laws[i];
    fit->count = kept;
}

bool gb_fit_find(const gb_timing *timings, size_t count, double least_bytes, bool resident,
                 gb_fit *fit)
{
    fit->count = 0;
    if (count == 0) return false;
    fitter f = {.timings = timings,
                .count = count,
                .pinned = resident ? 0 : pinned_of(timings, count, least_bytes),
                .rows = calloc(count, sizeof *f.rows)};
    if (!f.rows) gb_memory_gone("gpubench", count * sizeof *f.rows);
    for (size_t p = 0; p < GB_POWERS; p++) {
        set_up(&f, powers[p]);
        for (unsigned terms = 0; terms < 1u << GB_TERM_COUNT; terms++) {
            if (resident && terms >> GB_TERM_MEMORY & 1) continue;
            if (find_law(&f, powers[p], terms, &fit->laws[fit->count])) fit->count++;
        }
    }
    free(f.rows);
    keep_good(fit, count);
    choose(fit);
    return fit->count > 0;
}

gb_span gb_fit_time(const gb_fit *fit, const gb_machine *slow, const gb_machine *middle,
                    const gb_machine *fast)
{
    gb_span span = {0, INFINITY, 0};
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < fit->count; i++) {
        const double time = gb_law_time(&fit->laws[i], middle, NULL);
        least = fmin(least, time);
        most = fmax(most, time);
        span.lo_s = fmin(span.lo_s, gb_law_time(&fit->laws[i], fast, NULL));
        span.hi_s = fmax(span.hi_s, gb_law_time(&fit->laws[i], slow, NULL));
    }
    span.time_s = sqrt(least * most);
    return span;
}
