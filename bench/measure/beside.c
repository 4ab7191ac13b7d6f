/* Sampling the same rows on several devices, alone and at once. */
#include "bench/measure/beside.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const double limit_s = 60; /* of a request */
enum { AT_ONCE = 5 };             /* samples of one; GB_SENTINEL_SAMPLES are a multiple */

/* ---- which rows ------------------------------------------------------------------------------ */

/* Whether the config's conditions leave it a point. */
static bool is_run(const gb_config *config, unsigned variant)
{
    bool run = false;
    for (size_t i = 0; i < config->point_count && !run; i++)
        run = gb_filter_passes(config->filter, &config->points[i], (int)variant);
    return run;
}

const char *gb_beside_shares(const gb_config *config)
{
    if (config->measure.both_scopes || config->measure.scope == GB_SCOPE_HOST_TO_HOST)
        return "it has rows that carry data over the bus";
    for (unsigned i = 0; i < config->variant_count; i++) {
        const gb_catalogue_variant *variant = &config->primitive->variants[config->variants[i]];
        if (!is_run(config, config->variants[i])) continue;
        if (variant->host || variant->process) return "it has variants that run on the CPU";
        if (variant->own_transfers) return "it has variants that carry data over the bus";
    }
    return NULL;
}

static bool serves(const gb_config *config, size_t point, unsigned variant)
{
    const gb_catalogue_variant *about = &config->primitive->variants[variant];
    return !about->elsewhere && !about->fresh_worker && !about->known_to_fail &&
           gb_filter_passes(config->filter, &config->points[point], (int)variant);
}

/* The variant that stands for a point; -1: none does. */
static int variant_at(const gb_config *config, size_t point)
{
    if (config->baseline >= 0 && serves(config, point, (unsigned)config->baseline))
        return config->baseline;
    for (unsigned i = 0; i < config->variant_count; i++)
        if (serves(config, point, config->variants[i])) return (int)config->variants[i];
    return -1;
}

/* The point that moves least, of those whose data are more than so many bytes; SIZE_MAX: none. */
static size_t cheapest(const gb_beside *device, uint64_t above)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < device->config->point_count; i++) {
        const gb_work *work = &device->estimate->work[i];
        if (device->estimate->reasons[i] || work->footprint <= above ||
            variant_at(device->config, i) < 0)
            continue;
        if (best == SIZE_MAX || work->bytes < device->estimate->work[best].bytes) best = i;
    }
    return best;
}

/* The point with most data; SIZE_MAX: none. */
static size_t largest(const gb_beside *device)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < device->config->point_count; i++) {
        if (device->estimate->reasons[i] || variant_at(device->config, i) < 0) continue;
        if (best == SIZE_MAX ||
            device->estimate->work[i].footprint > device->estimate->work[best].footprint)
            best = i;
    }
    return best;
}

static void add(gb_beside *device, size_t point, bool cold)
{
    gb_sentinel *last = &device->list[device->count++];
    *last = (gb_sentinel){.point = point, .cold = cold};
    last->variant = (unsigned)variant_at(device->config, point);
}

static bool choose(gb_beside *device)
{
    size_t large = cheapest(device, 2 * device->session->device->l2_bytes);
    if (large == SIZE_MAX) large = largest(device);
    device->count = 0;
    if (large == SIZE_MAX) {
        gb_fail(&device->error, GB_UNSUPPORTED, "no variant of the config can serve to try it");
        return false;
    }
    const size_t small = cheapest(device, 0);
    add(device, large, false);
    add(device, large, true);
    if (small != SIZE_MAX && small != large) add(device, small, false);
    return true;
}

/* ---- sampling -------------------------------------------------------------------------------- */

/* One device's part in sampling a row. */
typedef struct part {
    gb_beside *device;
    gb_link link;
    unsigned job;
    double *times; /* GB_SENTINEL_SAMPLES */
    bool good;
    struct round *round;
    pthread_t thread;
} part;

/* All parts begin together, and each goes on until all have their samples. */
typedef struct round {
    pthread_mutex_t lock;
    pthread_cond_t decided;
    enum { WAIT, BEGIN, GIVE_UP } word;
    atomic_uint done;
    unsigned parts;
} round_of_parts;

static bool open_row(part *p, const gb_sentinel *row)
{
    const gb_config *config = p->device->config;
    gb_work work;
    const gb_job_request request = {.variant = config->primitive->variants[row->variant].name,
                                    .params = &config->points[row->point],
                                    .seed = config->seed,
                                    .cold = row->cold,
                                    .scope = GB_SCOPE_DEVICE,
                                    .device_memory = config->measure.device_memory};
    p->link = (gb_link){.session = p->device->session, .primitive = config->primitive};
    p->good =
        gb_job_open(&p->link, &request, limit_s, &p->job, &work, NULL, &p->device->error) == GB_OK;
    return p->good;
}

/* Whether the parts begin, once that is decided. */
static bool begins(round_of_parts *round)
{
    pthread_mutex_lock(&round->lock);
    while (round->word == WAIT)
        pthread_cond_wait(&round->decided, &round->lock);
    const bool go = round->word == BEGIN;
    pthread_mutex_unlock(&round->lock);
    return go;
}

static void decide(round_of_parts *round, bool go)
{
    pthread_mutex_lock(&round->lock);
    round->word = go ? BEGIN : GIVE_UP;
    pthread_cond_broadcast(&round->decided);
    pthread_mutex_unlock(&round->lock);
}

static void *sample_part(void *context)
{
    part *p = context;
    if (!begins(p->round)) return NULL;
    for (unsigned taken = 0; p->good; taken += AT_ONCE) {
        const bool all = taken >= GB_SENTINEL_SAMPLES;
        double unused[AT_ONCE];
        if (all && atomic_load(&p->round->done) >= p->round->parts) break;
        p->good = gb_job_sample(&p->link, p->job, AT_ONCE, limit_s, all ? unused : &p->times[taken],
                                NULL, &p->device->error) == GB_OK;
        if (p->good && taken + AT_ONCE == GB_SENTINEL_SAMPLES) atomic_fetch_add(&p->round->done, 1);
    }
    /* The others do not wait for one that has failed. */
    if (!p->good) atomic_fetch_add(&p->round->done, 1);
    return NULL;
}

static bool run_parts(part *parts, size_t count)
{
    round_of_parts round = {.lock = PTHREAD_MUTEX_INITIALIZER,
                            .decided = PTHREAD_COND_INITIALIZER,
                            .parts = (unsigned)count};
    size_t started = 1;
    if (count == 0) return true;
    for (size_t i = 0; i < count; i++)
        parts[i].round = &round;
    while (started < count &&
           pthread_create(&parts[started].thread, NULL, sample_part, &parts[started]) == 0)
        started++;
    decide(&round, started == count);
    sample_part(&parts[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(parts[i].thread, NULL);
    return started == count;
}

static double *times_of(gb_sentinel *row, int pass)
{
    return pass == 0 ? row->alone : pass == 1 ? row->together : row->again;
}

/* Samples a row on these devices at once. All have opened it before any is sampled, and none closes
 * it before all are. */
static bool sample_row(gb_beside *devices, size_t count, size_t row, int pass)
{
    part *parts = calloc(count + 1, sizeof *parts);
    bool good = parts != NULL;
    size_t opened = 0;
    for (; good && opened < count; opened += good) {
        part *p = &parts[opened];
        p->device = &devices[opened];
        p->times = times_of(&devices[opened].list[row], pass);
        good = open_row(p, &devices[opened].list[row]);
    }
    if (good && !run_parts(parts, count)) {
        gb_fail(&devices[0].error, GB_OUT_OF_MEMORY, "no thread for each of %zu devices", count);
        good = false;
    }
    for (size_t i = 0; i < opened; i++) {
        good &= parts[i].good;
        if (!parts[i].good) continue;
        good &= gb_job_close(&parts[i].link, parts[i].job, limit_s, &devices[i].error) == GB_OK;
    }
    free(parts);
    return good;
}

static bool sample_alone(gb_beside *devices, size_t count, int pass)
{
    for (size_t i = 0; i < count; i++)
        for (size_t row = 0; row < devices[i].count; row++)
            if (!sample_row(&devices[i], 1, row, pass)) return false;
    return true;
}

bool gb_beside_measure(gb_beside *devices, size_t count)
{
    size_t rows = GB_SENTINELS;
    for (size_t i = 0; i < count; i++) {
        devices[i].error = (gb_error){GB_OK, ""};
        if (!choose(&devices[i])) return false;
        if (devices[i].count < rows) rows = devices[i].count;
    }
    /* What only some have is not tried. */
    for (size_t i = 0; i < count; i++)
        devices[i].count = rows;
    if (!sample_alone(devices, count, 0)) return false;
    for (size_t row = 0; row < rows; row++)
        if (!sample_row(devices, count, row, 1)) return false;
    return sample_alone(devices, count, 2);
}

/* ---- what came of it ------------------------------------------------------------------------- */

gb_beside_verdict gb_beside_judge(const gb_sentinel *sentinel)
{
    const gb_stats alone = gb_stats_of(sentinel->alone, GB_SENTINEL_SAMPLES);
    const gb_stats together = gb_stats_of(sentinel->together, GB_SENTINEL_SAMPLES);
    const gb_stats again = gb_stats_of(sentinel->again, GB_SENTINEL_SAMPLES);
    const double base = 0.5 * (alone.mean + again.mean);
    gb_beside_verdict verdict = {
        .alone_s = alone.mean, .again_s = again.mean, .together_s = together.mean};
    if (!(base > 0)) {
        verdict.difference = INFINITY; /* no clock that could tell */
        return verdict;
    }
    const double width = hypot(gb_stats_rel_ci(&together),
                               0.5 * hypot(gb_stats_rel_ci(&alone), gb_stats_rel_ci(&again)));
    const double apart = fabs(again.mean - alone.mean) / base;
    verdict.difference = together.mean / base - 1;
    verdict.noise = apart > width ? apart : width;
    return verdict;
}
