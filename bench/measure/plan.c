/* --dry-run: points, variants, bytes and time, and nothing is run. */
#include "bench/measure/plan.h"

#include "bench/config/other_worker.h"
#include "bench/measure/runner.h"
#include "bench/record/results.h"
#include "bench/util/progress.h"
#include "bench/worker/provide.h"
#include "common/protocol/conditions.h"
#include "common/text/size.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_SHOWN = 16 };

static const char *bytes_text(double bytes, char text[32])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    unsigned unit = 0;
    while (bytes >= 1024 && unit < 5) {
        bytes /= 1024;
        unit++;
    }
    snprintf(text, 32, unit ? "%.3g %s" : "%.0f %s", bytes, units[unit]);
    return text;
}

/* The different values of an axis in order of appearance. */
static void print_axis(FILE *file, const gb_config *config, unsigned axis)
{
    const gb_catalogue_axis *about = &config->primitive->axes[axis];
    size_t shown[VALUES_SHOWN], count = 0, more = 0;
    for (size_t i = 0; i < config->point_count; i++) {
        const char *text = config->points[i].value[axis].text;
        size_t seen = 0;
        while (seen < count && strcmp(config->points[shown[seen]].value[axis].text, text) != 0)
            seen++;
        if (seen < count) continue;
        if (count < VALUES_SHOWN)
            shown[count++] = i;
        else
            more = i;
    }
    fprintf(file, "    %-12s", about->name);
    for (size_t i = 0; i < count; i++) {
        const gb_value *value = &config->points[shown[i]].value[axis];
        char size[32];
        fprintf(file, " %s",
                about->type == GB_AXIS_SIZE ? gb_size_format(value->size, size, sizeof size)
                                            : value->text);
    }
    fprintf(file, more ? " ... %s\n" : "\n", more ? config->points[more].value[axis].text : "");
}

static void print_measure(FILE *file, const gb_measure *m)
{
    char limit[32];
    if (m->automatic)
        fprintf(file, "  samples: %u to %u, until the 95%% interval is within %.3g%% of the mean",
                m->samples, m->max_samples, 100 * m->max_rel_ci);
    else
        fprintf(file, "  samples: %u", m->samples);
    fprintf(file, ", after %u to warm up; cache %s; scope %s; %s; at most %s a row\n", m->warmup,
            m->warm && m->cold ? "warm and cold" : gb_cache_name(m->cold), gb_scopes_name(m),
            m->order == GB_ORDER_SEQUENTIAL ? "one variant after the other" : "variants in turns",
            gb_duration(m->time_limit_s, limit));
    if (m->rest > 0)
        fprintf(file, "  rest: %.3g times as long as samples take, before them\n", m->rest);
    if (m->device_memory)
        fprintf(file, "  device memory: at most %s (%" PRIu64 " bytes) for each job\n",
                bytes_text((double)m->device_memory, limit), m->device_memory);
}

/* Which variants another worker runs. */
static void print_other(FILE *file, const gb_config *config, const gb_session *session)
{
    char name[200];
    bool begun = false;
    for (unsigned i = 0; i < config->variant_count; i++) {
        if (!gb_other_runs(session, config->primitive, config->variants[i])) continue;
        fprintf(file, "%s %s", begun ? "" : "  measured after the others, by another worker:",
                config->primitive->variants[config->variants[i]].name);
        begun = true;
    }
    if (begun)
        fprintf(file, " (%s, %s)\n",
                gb_worker_short_name(session->other->command, name, sizeof name),
                session->other->device->name);
}

/* How many of the rows get another number of samples. */
static void print_overrides(FILE *file, const gb_config *config)
{
    for (size_t o = 0; o < config->override_count; o++) {
        const gb_override *override = &config->overrides[o];
        size_t rows = 0;
        for (size_t i = 0; i < config->point_count; i++)
            for (unsigned v = 0; v < config->variant_count; v++)
                rows += gb_config_override(config, &config->points[i], config->variants[v]) == o;
        fprintf(file, "  but samples: %u, after %u to warm up, for %zu of the points' variants\n",
                override->sampling.samples, override->sampling.warmup, rows);
    }
}

void gb_plan_print(FILE *file, const gb_config *config, const gb_session *session,
                   const gb_estimate *estimate, size_t rows)
{
    fprintf(file, "%s%s%s (%s%s)\n", config->name, *config->title ? ": " : "", config->title,
            config->path, config->quick ? ", quick" : "");
    if (*config->small) fprintf(file, "  not said by the config: %s\n", config->small);
    char device[GB_SESSION_DEVICE];
    fprintf(file, "  device: %s (%s)\n", gb_session_device(session, device),
            session->catalogue->backend);
    fprintf(file, "  %zu points x %u variants%s%s: %zu rows\n", config->point_count,
            config->variant_count,
            config->measure.warm && config->measure.cold ? " x 2 cache modes" : "",
            config->measure.both_scopes ? " x 2 scopes" : "", rows);
    fputs("    variants    ", file);
    for (unsigned i = 0; i < config->variant_count; i++)
        fprintf(file, " %s", config->primitive->variants[config->variants[i]].name);
    fputc('\n', file);
    print_other(file, config, session);
    for (unsigned i = 0; i < config->primitive->axis_count; i++)
        print_axis(file, config, i);
    print_measure(file, &config->measure);
    print_overrides(file, config);

    double moved = 0, largest = 0, seconds = 0;
    size_t invalid = 0;
    double rows_per_point = config->point_count ? (double)rows / (double)config->point_count : 0;
    for (size_t i = 0; i < config->point_count; i++) {
        const gb_work *work = &estimate->work[i];
        double samples = (double)config->measure.samples + config->measure.warmup + 2;
        invalid += estimate->reasons[i] != NULL;
        if ((double)work->footprint > largest) largest = (double)work->footprint;
        moved += (double)work->bytes * samples * rows_per_point;
        seconds += rows_per_point * gb_estimate_row_s(estimate, config, i, session);
    }
    char text[32];
    fprintf(file, "  input and output of the largest point: %s", bytes_text(largest, text));
    if (session->device->memory_bytes > 0 && largest > (double)session->device->memory_bytes)
        fprintf(file, ", more than the device has (%s)",
                bytes_text((double)session->device->memory_bytes, text));
    fprintf(file, "\n  least to be moved in all: %s\n", bytes_text(moved, text));
    if (gb_estimate_is_known(session))
        fprintf(file, "  time: about %s (%s)\n", gb_duration(seconds, text),
                gb_estimate_source(session));
    else
        fputs("  time: not known (this device has no measured bandwidth)\n", file);
    if (invalid) {
        fprintf(file, "  %zu points will be unsupported for all variants, for example: ", invalid);
        for (size_t i = 0; i < config->point_count; i++) {
            if (!estimate->reasons[i]) continue;
            fprintf(file, "%s\n", estimate->reasons[i]);
            break;
        }
    }
}

static bool print_request(FILE *file, cJSON *request)
{
    char *text = cJSON_PrintUnformatted(request);
    cJSON_Delete(request);
    if (text) fprintf(file, "%s\n", text);
    cJSON_free(text);
    return text != NULL;
}

bool gb_requests_print(FILE *file, const gb_config *config, const gb_session *session,
                       const cJSON *description)
{
    unsigned job = 0;
    gb_row *rows = calloc(4 * (size_t)config->variant_count, sizeof *rows);
    cJSON *select = gb_select_request(session);
    cJSON_AddFalseToObject(select, "ceilings");
    bool ok = print_request(file, select) && rows;
    if (ok && description) ok = print_request(file, gb_provide_request(description));
    for (size_t p = 0; ok && p < config->point_count; p++) {
        size_t count;
        ok = gb_run_rows_of(config, p, rows, &count);
        for (size_t i = 0; ok && i < count; i++) {
            const gb_job_request open = {.variant =
                                             config->primitive->variants[rows[i].variant].name,
                                         .params = rows[i].point,
                                         .seed = config->seed,
                                         .cold = rows[i].cold,
                                         .scope = rows[i].scope};
            ok = print_request(file, gb_job_open_request(config->primitive, &open, ++job));
        }
    }
    free(rows);
    return ok;
}
