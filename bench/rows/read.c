/* Reading result files: validating their rows and grouping them by experiment. */
#include "bench/rows/elsewhere_row.h"
#include "bench/rows/foreign.h"
#include "bench/rows/gpus.h"
#include "bench/rows/peers.h"
#include "bench/rows/rows.h"
#include "common/protocol/columns.h"
#include "common/protocol/flags.h"
#include "common/protocol/measured.h"
#include "common/text/number.h"
#include "common/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading -------------------------------------------------------------------------------- */

/* A file being read: its columns by position. */
typedef struct reader {
    const char *path;
    const gb_csv *csv;
    size_t row;
    bool published, elsewhere, profile;
    int first_axis, axis_end;
    const gb_result_set *set; /* of the row before, and where that is from */
    const gb_place *place;
    const gb_foreign_rows *foreign; /* NULL: the file is ours */
    gb_error *error;
    bool failed;
} reader;

/* Where the file has a column; -1 if it has none. */
static int place_of(const reader *r, gb_column column)
{
    return gb_csv_column(r->csv, gb_column_name(column));
}

static const char *text_of(const reader *r, gb_column column)
{
    return gb_csv_field(r->csv, r->row, gb_column_name(column));
}

static bool refuse(reader *r, gb_column column, const char *what)
{
    if (!r->failed)
        gb_fail(r->error, GB_WRONG, "%s: data row %zu, column %s: '%.80s' %s", r->path, r->row + 1,
                gb_column_name(column), text_of(r, column), what);
    r->failed = true;
    return false;
}

/* A number, or 0 for a blank; anything else marks the reader as failed. */
static double number_of(reader *r, gb_column column)
{
    const char *text = text_of(r, column);
    double value;
    if (*text == '\0') return 0;
    if (gb_number_parse(text, &value)) return value;
    refuse(r, column, "is not a finite decimal number");
    return 0;
}

static void read_published(reader *r, gb_result_row *row)
{
    row->quantity = text_of(r, GB_COLUMN_QUANTITY);
    row->baseline = text_of(r, GB_COLUMN_BASELINE);
    row->assumption = text_of(r, GB_COLUMN_ASSUMPTION);
    row->reason = text_of(r, GB_COLUMN_NOTE);
    row->locator = text_of(r, GB_COLUMN_LOCATOR);
    row->digits = gb_number_digits(text_of(r, GB_COLUMN_VALUE));
    double value = number_of(r, GB_COLUMN_VALUE), spread = number_of(r, GB_COLUMN_CI95_REL);
    if (strcmp(row->quantity, "rate") == 0) {
        row->rate = value;
        row->rate_lo = value * (1 - spread);
        row->rate_hi = value * (1 + spread);
    } else if (strcmp(row->quantity, "time") == 0) {
        row->time_s = value;
        row->time_lo_s = value * (1 - spread);
        row->time_hi_s = value * (1 + spread);
    } else if (strcmp(row->quantity, "speedup") == 0) {
        row->speedup = value;
    } else {
        refuse(r, GB_COLUMN_QUANTITY, "is none of rate, time and speedup");
    }
    if (r->elsewhere) gb_elsewhere_complete(r->csv, r->row, row);
}

static void read_measured(reader *r, gb_result_row *row)
{
    row->quantity = row->baseline = "";
    row->reason = text_of(r, GB_COLUMN_REASON);
    row->run_id = text_of(r, GB_COLUMN_RUN_ID);
    row->backend = text_of(r, GB_COLUMN_BACKEND);
    row->cache = text_of(r, GB_COLUMN_CACHE);
    row->scope = text_of(r, GB_COLUMN_SCOPE);
    row->flags_text = text_of(r, GB_COLUMN_FLAGS);
    row->flags = gb_flags_parse(row->flags_text);
    row->limit_kind = text_of(r, GB_COLUMN_LIMIT_KIND);
    double samples = number_of(r, GB_COLUMN_SAMPLES);
    row->samples = samples > 0 && samples < 1e15 ? (unsigned long)samples : 0;
    row->rate = number_of(r, GB_COLUMN_RATE);
    row->rate_lo = number_of(r, GB_COLUMN_RATE_CI95_LO);
    row->rate_hi = number_of(r, GB_COLUMN_RATE_CI95_HI);
    row->time_s = number_of(r, GB_COLUMN_TIME_MEAN_S);
    row->time_lo_s = number_of(r, GB_COLUMN_TIME_CI95_LO_S);
    row->time_hi_s = number_of(r, GB_COLUMN_TIME_CI95_HI_S);
    row->limit_rate = number_of(r, GB_COLUMN_LIMIT_RATE);
    row->sm_clock_mhz = number_of(r, GB_COLUMN_SM_CLOCK_MHZ);
    row->mem_clock_mhz = number_of(r, GB_COLUMN_MEM_CLOCK_MHZ);
    row->power_w = number_of(r, GB_COLUMN_POWER_W);
}

static void read_profile(reader *r, gb_result_row *row)
{
    static const gb_column columns[GB_PROFILE_COUNT] = {
        [GB_PROFILE_L1_HIT_RATE] = GB_COLUMN_L1_HIT_RATE,
        [GB_PROFILE_L2_HIT_RATE] = GB_COLUMN_L2_HIT_RATE,
        [GB_PROFILE_DRAM_READ] = GB_COLUMN_DRAM_READ,
        [GB_PROFILE_DRAM_WRITE] = GB_COLUMN_DRAM_WRITE};
    row->quantity = row->baseline = "";
    row->reason = text_of(r, GB_COLUMN_REASON);
    row->cache = text_of(r, GB_COLUMN_CACHE);
    row->scope = text_of(r, GB_COLUMN_SCOPE);
    row->time_s = number_of(r, GB_COLUMN_TIME_S);
    for (size_t i = 0; i < GB_PROFILE_COUNT; i++)
        row->profile[i] = *text_of(r, columns[i]) ? number_of(r, columns[i]) : -1;
}

/* The column that tells sets apart. */
static gb_column name_column(const reader *r)
{
    if (r->elsewhere) return GB_COLUMN_SOURCE;
    return r->published ? GB_COLUMN_PAPER : GB_COLUMN_EXPERIMENT;
}

/* The set that the current row belongs to; NULL if its axes contradict those already there. */
static gb_result_set *set_of(gb_results *results, reader *r)
{
    const char *experiment = text_of(r, name_column(r));
    const char *primitive = text_of(r, GB_COLUMN_PRIMITIVE);
    const char *scope = r->published ? text_of(r, GB_COLUMN_SCOPE) : "";
    bool simt = strcmp(text_of(r, GB_COLUMN_BACKEND), "simt") == 0;
    unsigned axis_count = (unsigned)(r->axis_end - r->first_axis);
    for (size_t i = 0; i < results->set_count; i++) {
        gb_result_set *set = &results->sets[i];
        if (strcmp(set->experiment, experiment) != 0 || strcmp(set->primitive, primitive) != 0 ||
            set->simt != simt || set->published != r->published || set->elsewhere != r->elsewhere ||
            set->profile != r->profile || strcmp(set->scope, scope) != 0)
            continue;
        bool same = set->axis_count == axis_count;
        for (unsigned a = 0; same && a < axis_count; a++)
            same = strcmp(set->axes[a], r->csv->header[(unsigned)r->first_axis + a]) == 0;
        if (same) return set;
        gb_fail(r->error, GB_WRONG,
                "%s: experiment '%s' has other axis columns here than in the files read before it; "
                "files of one experiment are read together only if their axes agree",
                r->path, experiment);
        return NULL;
    }
    results->sets = gb_arena_grow(&results->arena, results->sets, results->set_count,
                                  &results->set_capacity, sizeof *results->sets);
    gb_result_set *set = &results->sets[results->set_count++];
    *set = (gb_result_set){.experiment = experiment,
                           .primitive = primitive,
                           .simt = simt,
                           .scope = scope,
                           .published = r->published,
                           .elsewhere = r->elsewhere,
                           .profile = r->profile,
                           .unnamed = r->foreign && r->foreign->unnamed,
                           .axis_count = axis_count};
    for (unsigned a = 0; a < axis_count; a++)
        set->axes[a] = r->csv->header[(unsigned)r->first_axis + a];
    return set;
}

static bool read_row(gb_results *results, reader *r)
{
    const bool measured = !r->published && !r->profile;
    if (!(measured ? gb_row_check : gb_row_schema_check)(r->csv, r->row, r->path, GB_WRONG,
                                                         r->error))
        return false;
    for (size_t c = 0; c < r->csv->columns; c++)
        gb_text_tame(r->csv->rows[r->row][c]);
    /* They become parts of file names. */
    if (gb_name_mistake(text_of(r, GB_COLUMN_PRIMITIVE)))
        return refuse(r, GB_COLUMN_PRIMITIVE, "is not the name of a primitive");
    if (!r->published && gb_name_mistake(text_of(r, GB_COLUMN_EXPERIMENT)))
        return refuse(r, GB_COLUMN_EXPERIMENT, "is not the name of an experiment");
    if (r->elsewhere &&
        !gb_elsewhere_check(r->csv, r->row, r->path, r->first_axis, r->axis_end, r->error))
        return false;
    /* Statements about no single point have no place in a table or a figure, unless they are about
     * the best of those along the axes that are left blank. */
    const bool best = r->published && strcmp(text_of(r, GB_COLUMN_KIND), gb_best) == 0;
    if (r->published && !best && strcmp(text_of(r, GB_COLUMN_KIND), "table") != 0) return true;
    /* Of a profile's rows, those of single kernels are for people. */
    if (r->profile && *text_of(r, GB_COLUMN_KERNEL)) return true;

    gb_result_row row = {.device = text_of(r, GB_COLUMN_DEVICE),
                         .variant = text_of(r, GB_COLUMN_VARIANT),
                         .instance = text_of(r, GB_COLUMN_INSTANCE),
                         .under = text_of(r, GB_COLUMN_UNDER),
                         .path = r->path,
                         .run_id = "",
                         .backend = "",
                         .cache = "",
                         .scope = "",
                         .flags_text = "",
                         .limit_kind = "",
                         .assumption = "",
                         .unit = text_of(r, GB_COLUMN_UNIT)};
    for (int a = r->first_axis; a < r->axis_end; a++)
        row.axis[a - r->first_axis] =
            best && !*r->csv->rows[r->row][a] ? gb_best : r->csv->rows[r->row][a];
    if (!gb_status_parse(text_of(r, GB_COLUMN_STATUS), &row.status)) {
        char known[128];
        gb_fail(r->error, GB_WRONG, "%s: data row %zu: unknown status '%s'; a status is %s",
                r->path, r->row + 1, text_of(r, GB_COLUMN_STATUS),
                gb_status_list(known, sizeof known));
        return false;
    }
    if (r->published)
        read_published(r, &row);
    else if (r->profile)
        read_profile(r, &row);
    else
        read_measured(r, &row);
    if (r->failed) return false;
    gb_result_set *set = set_of(results, r);
    if (!set) return false;
    if (!r->published) {
        if (set != r->set || strcmp(row.device, r->place->model) != 0 ||
            strcmp(row.under, r->place->under) != 0)
            r->place = gb_place_of(
                results, set, r->path,
                &(gb_place){.model = row.device, .under = row.under, .apart = r->foreign != NULL});
        r->set = set;
        row.place = r->place;
        row.device = r->place->device;
    }
    if (r->foreign) {
        row.source = r->foreign->source;
        row.times = r->foreign->times[r->row];
    }
    if (r->elsewhere && gb_result_find(set, &row)) {
        gb_fail(r->error, GB_WRONG,
                "%s: data row %zu is about the same variant, device and point as one before it of "
                "the same source",
                r->path, r->row + 1);
        return false;
    }
    for (unsigned a = 0; r->published && a < set->axis_count; a++)
        set->any[a] |= strcmp(row.axis[a], gb_any) == 0;
    gb_result_set_add(&results->arena, set, &row);
    return true;
}

/* Finds the kind of file and its axis columns, which stand between two columns that all have. */
static bool begin_file(reader *r)
{
    static const gb_column needed[] = {GB_COLUMN_SCHEMA, GB_COLUMN_PRIMITIVE, GB_COLUMN_VARIANT,
                                       GB_COLUMN_DEVICE, GB_COLUMN_STATUS};
    const char *missing = NULL;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (place_of(r, needed[i]) < 0) missing = gb_column_name(needed[i]);
    r->published = place_of(r, GB_COLUMN_KIND) >= 0;
    r->elsewhere = gb_is_elsewhere(r->csv);
    r->profile = !r->published && place_of(r, GB_COLUMN_KERNEL) >= 0;
    static const gb_column by_kind[3][3] = {
        {GB_COLUMN_EXPERIMENT, GB_COLUMN_CACHE, GB_COLUMN_RATE},
        {GB_COLUMN_PAPER, GB_COLUMN_QUANTITY, GB_COLUMN_VALUE},
        {GB_COLUMN_EXPERIMENT, GB_COLUMN_CACHE, GB_COLUMN_L2_HIT_RATE}};
    const int kind = r->published ? 1 : r->profile ? 2 : 0;
    for (size_t i = 0; i < 3; i++)
        if (place_of(r, by_kind[kind][i]) < 0 && !(r->elsewhere && i == 0))
            missing = gb_column_name(by_kind[kind][i]);
    if (missing) {
        gb_fail(r->error, GB_WRONG,
                "%s is no result file: it has no column '%s'. Result files are the .csv files that "
                "`gpubench run` writes (not .samples.csv) and those of results/published/; of "
                "another tool's table --map says which column is what",
                r->path, missing);
        return false;
    }
    const gb_column behind = r->published ? GB_COLUMN_KIND : GB_COLUMN_CACHE;
    r->first_axis = place_of(r, GB_COLUMN_DEVICE) + 1;
    r->axis_end = place_of(r, behind);
    if (r->axis_end <= r->first_axis || r->axis_end - r->first_axis > GB_MAX_AXES) {
        gb_fail(r->error, GB_WRONG,
                "%s: between the columns 'device' and '%s' there must be 1 to %d axis columns",
                r->path, gb_column_name(behind), GB_MAX_AXES);
        return false;
    }
    for (int a = r->first_axis; a < r->axis_end; a++) {
        if (!gb_name_mistake(r->csv->header[a])) continue;
        gb_fail(r->error, GB_WRONG, "%s: the column '%.60s' is not the name of an axis: %s",
                r->path, r->csv->header[a], gb_name_mistake(r->csv->header[a]));
        return false;
    }
    return true;
}

static void keep_table(gb_results *results, gb_csv *csv)
{
    results->files = gb_arena_grow(&results->arena, results->files, results->file_count,
                                   &results->file_capacity, sizeof *results->files);
    results->files[results->file_count++] = csv;
}

static bool read_rows(gb_results *results, reader *r)
{
    if (!begin_file(r)) return false;
    for (; r->row < r->csv->row_count; r->row++)
        if (!read_row(results, r)) return false;
    return true;
}

bool gb_results_add_foreign(gb_results *results, const char *path, gb_csv *csv,
                            const gb_foreign_rows *foreign, gb_error *error)
{
    reader r = {.path = path, .csv = csv, .foreign = foreign, .error = error};
    keep_table(results, csv);
    return read_rows(results, &r);
}

bool gb_results_add_table(gb_results *results, const char *path, gb_csv *csv, gb_error *error)
{
    keep_table(results, csv);
    if (gb_is_dump(csv)) {
        results->dumps = gb_arena_grow(&results->arena, results->dumps, results->dump_count,
                                       &results->dump_capacity, sizeof *results->dumps);
        return gb_dump_read(&results->arena, path, csv, &results->dumps[results->dump_count++],
                            error);
    }
    if (gb_is_peers(csv)) {
        results->peers = true;
        return true;
    }
    if (gb_is_gpus(csv)) {
        results->gpus = true;
        return true;
    }
    reader r = {.path = gb_arena_strdup(&results->arena, path), .csv = csv, .error = error};
    gb_place_add_file(results, r.path);
    return read_rows(results, &r);
}
