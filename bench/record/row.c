/* Rows as text: the columns of a result file, blank where a value is absent. */
#include "bench/record/results.h"
#include "common/protocol/conditions.h"
#include "common/text/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void axis_names(const gb_catalogue_primitive *primitive, const char *names[GB_MAX_AXES])
{
    for (unsigned i = 0; i < primitive->axis_count; i++)
        names[i] = primitive->axes[i].name;
}

/* scope: NULL where it is no part of the point. */
static char *point_text(const gb_catalogue_primitive *primitive, const char *const *values,
                        const char *scope, char text[GB_POINT_TEXT])
{
    const char *names[GB_MAX_AXES];
    axis_names(primitive, names);
    gb_samples_point(text, GB_POINT_TEXT, names, values, primitive->axis_count, scope);
    return text;
}

static void texts_of(const gb_catalogue_primitive *primitive, const gb_params *point,
                     const char *values[GB_MAX_AXES])
{
    for (unsigned i = 0; i < primitive->axis_count; i++)
        values[i] = point->value[i].text;
}

char *gb_point_text(const gb_catalogue_primitive *primitive, const gb_params *point,
                    char text[GB_POINT_TEXT])
{
    const char *values[GB_MAX_AXES];
    texts_of(primitive, point, values);
    return point_text(primitive, values, NULL, text);
}

char *gb_row_point_text(const gb_config *config, const gb_params *point, gb_scope scope,
                        char text[GB_POINT_TEXT])
{
    const char *values[GB_MAX_AXES];
    texts_of(config->primitive, point, values);
    return gb_read_point_text(config, values, gb_scope_name(scope), text);
}

char *gb_read_point_text(const gb_config *config, const char *const *values, const char *scope,
                         char text[GB_POINT_TEXT])
{
    return point_text(config->primitive, values, config->measure.both_scopes ? scope : NULL, text);
}

char *gb_row_key(const char *point, const char *variant, const char *cache)
{
    char *key = NULL;
    return asprintf(&key, "%s|%s|%s", point, variant, cache) < 0 ? NULL : key;
}

char *gb_results_header(const gb_catalogue_primitive *primitive, size_t *size)
{
    const char *names[GB_MAX_AXES];
    axis_names(primitive, names);
    return gb_columns_header(names, primitive->axis_count, size);
}

/* A number, or a blank where it is absent or none. */
static void put_number(FILE *file, double value, bool present)
{
    putc(',', file);
    if (present && isfinite(value)) fprintf(file, "%.9g", value);
}

static void put_count(FILE *file, uint64_t value, bool present)
{
    putc(',', file);
    if (present) fprintf(file, "%" PRIu64, value);
}

/* Line ends inside a field are legal CSV, but they break every tool that reads by lines. */
static void put_one_line(FILE *file, const char *text)
{
    char line[sizeof((gb_row *)0)->reason];
    snprintf(line, sizeof line, "%s", text);
    for (char *at = line; *at; at++) {
        if (*at == '\n' || *at == '\r') *at = ' ';
    }
    gb_csv_put(file, line, false);
}

/* What lets a run take no less than limit_s: that the device moves the least bytes of the point's
 * work, or that it starts the run's blocks. "": nothing known. Neither limits a CPU, nor copies
 * from and to the host. */
static const char *limit_of(const gb_output_setup *setup, const gb_row *row, double *limit_s)
{
    const gb_catalogue_variant *variant = &setup->config->primitive->variants[row->variant];
    *limit_s = 0;
    if (!row->opened || row->work.items == 0 || variant->host || row->scope != GB_SCOPE_DEVICE)
        return "";
    const double bytes_s =
        setup->copy_bytes_per_s > 0 ? (double)row->work.bytes / setup->copy_bytes_per_s : 0;
    const double blocks_s = setup->blocks_per_s > 0 ? (double)row->blocks / setup->blocks_per_s : 0;
    *limit_s = blocks_s > bytes_s ? blocks_s : bytes_s;
    return *limit_s <= 0 ? "" : blocks_s > bytes_s ? "blocks" : "bandwidth";
}

/* Times, and rates derived from the mean time: the fastest end of the interval is the slowest end
 * of the rate's. */
static void put_measurement(FILE *file, const gb_output_setup *setup, const gb_row *row)
{
    const gb_stats *s = &row->stats;
    bool ok = row->status == GB_OK;
    const double times[] = {s->mean, s->ci95_lo, s->ci95_hi, s->median, s->min, s->max, s->sd};
    bool interval = s->count > 1; /* one sample has none */
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        put_number(file, times[i], ok && (interval || (i != 1 && i != 2)));
    double items = (double)row->work.items;
    bool rated = ok && items > 0 && s->mean > 0;
    put_number(file, items / s->mean, rated);
    put_number(file, items / s->ci95_hi, rated && interval);
    put_number(file, items / s->ci95_lo, rated && interval && s->ci95_lo > 0);
    double limit_s;
    const char *kind = limit_of(setup, row, &limit_s);
    bool limited = *kind != '\0';
    gb_csv_put(file, kind, false);
    put_number(file, items / limit_s, limited);
    put_number(file, limit_s / s->mean, limited && rated);
}

char *gb_results_row(const gb_output_setup *setup, const gb_row *row, size_t *size)
{
    const gb_config *config = setup->config;
    const gb_catalogue_primitive *primitive = config->primitive;
    const gb_reading *reading = &row->reading;
    char *text = NULL, flags[GB_FLAGS_TEXT], under[GB_UNDER_TEXT];
    FILE *file = open_memstream(&text, size);
    if (!file) return NULL;
    gb_csv_put(file, GB_RESULT_SCHEMA, true);
    gb_csv_put(file, setup->run_id, false);
    gb_csv_put(file, config->name, false);
    gb_csv_put(file, primitive->name, false);
    gb_csv_put(file, primitive->variants[row->variant].name, false);
    gb_csv_put(file, row->instance, false);
    gb_csv_put(file, gb_under_format(&setup->under, under), false);
    gb_csv_put(file, row->backend ? row->backend : setup->backend, false);
    gb_csv_put(file, setup->device->name, false);
    for (unsigned i = 0; i < primitive->axis_count; i++)
        gb_csv_put(file, row->point->value[i].text, false);
    gb_csv_put(file, gb_cache_name(row->cold), false);
    gb_csv_put(file, gb_scope_name(row->scope), false);
    gb_csv_put(file, gb_status_name(row->status), false);
    put_one_line(file, row->reason);
    put_count(file, row->stats.count, row->status == GB_OK);
    gb_csv_put(file, primitive->unit, false);
    put_count(file, row->work.items, row->opened);
    put_measurement(file, setup, row);
    put_number(file, reading->sm_clock_mhz, reading->sm_clock_mhz > 0);
    put_number(file, reading->mem_clock_mhz, reading->mem_clock_mhz > 0);
    put_number(file, reading->temperature_c, reading->temperature_c > 0);
    put_number(file, reading->power_w, reading->power_w > 0);
    gb_csv_put(file, gb_flags_format(row->flags, flags), false);
    put_count(file, config->seed, true);
    gb_csv_put(file, row->started_utc, false);
    putc('\n', file);
    return fclose(file) == 0 ? text : NULL;
}
