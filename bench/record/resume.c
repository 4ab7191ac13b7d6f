/* Taking up a run: what is on disk is read, cut where it was torn, and believed row by row. */
#include "bench/record/resume.h"

#include "bench/record/resume_samples.h"
#include "bench/record/widen.h"
#include "bench/util/disk.h"
#include "bench/util/replace.h"
#include "common/protocol/conditions.h"
#include "common/protocol/measured.h"
#include "common/text/csv.h"
#include "common/text/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_META = 64 << 20 };

static bool no_memory(gb_error *error)
{
    gb_fail(error, GB_CRASHED, "out of memory while reading the earlier results");
    return false;
}

/* Where the file has a column of ours, which header_fits has seen. */
static int column_of(const gb_csv *csv, gb_column column)
{
    return gb_csv_column(csv, gb_column_name(column));
}

/* ---- does the file belong to this experiment? ----------------------------------------------- */

static bool header_fits(const gb_output *output, const gb_csv *csv, gb_error *error)
{
    size_t size;
    char *expected = gb_results_header(output->setup.config->primitive, &size);
    if (!expected) return no_memory(error);
    size_t i = 0;
    char *rest = expected, *name;
    while ((name = strsep(&rest, ",\n")) && *name) {
        const char *found = i < csv->columns ? csv->header[i] : "none";
        i++;
        if (strcmp(found, name) == 0) continue;
        gb_fail(error, GB_CRASHED,
                "%s cannot be resumed: its column %zu is '%.60s', this config's is '%.60s'; run "
                "without --resume (the file is kept), or use another --out",
                output->files.csv, i, found, name);
        free(expected);
        return false;
    }
    free(expected);
    if (i == csv->columns) return true;
    gb_fail(error, GB_CRASHED,
            "%s cannot be resumed: it has %zu columns instead of %zu; run without --resume (the "
            "file is kept), or use another --out",
            output->files.csv, csv->columns, i);
    return false;
}

/* Whether a row may be of the other worker: its variant is not the run's own worker's. */
static bool is_anothers(const gb_output *output, const gb_csv *csv, size_t row)
{
    const gb_catalogue_primitive *primitive = output->setup.config->primitive;
    const char *name = csv->rows[row][column_of(csv, GB_COLUMN_VARIANT)];
    const int at = gb_catalogue_variant_index(primitive, name);
    return at >= 0 && primitive->variants[at].elsewhere;
}

/* Rows that no reader would take are none to go on from. */
static bool rows_valid(const gb_output *output, const gb_csv *csv, gb_error *error)
{
    for (size_t row = 0; row < csv->row_count; row++) {
        if (gb_row_check(csv, row, output->files.csv, GB_CRASHED, error)) continue;
        const size_t used = strlen(error->text);
        snprintf(error->text + used, sizeof error->text - used,
                 "; remove the line, or run without --resume (the file is kept)");
        return false;
    }
    return true;
}

/* All rows have to agree with the config in what is not a part of the plan. */
static bool rows_fit(const gb_output *output, const gb_csv *csv, gb_error *error)
{
    const gb_output_setup *setup = &output->setup;
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, setup->config->seed);
    const struct {
        gb_column column;
        const char *expected;
    } same[] = {{GB_COLUMN_EXPERIMENT, setup->config->name},
                {GB_COLUMN_PRIMITIVE, setup->config->primitive->name},
                {GB_COLUMN_BACKEND, setup->backend},
                {GB_COLUMN_DEVICE, setup->device->name},
                {GB_COLUMN_SEED, seed},
                {GB_COLUMN_SCOPE, gb_scope_name(setup->config->measure.scope)}};
    /* Where both scopes are measured, each row's own counts. */
    size_t columns = sizeof same / sizeof *same - setup->config->measure.both_scopes;
    for (size_t c = 0; c < columns; c++) {
        int at = column_of(csv, same[c].column);
        for (size_t row = 0; row < csv->row_count; row++) {
            const char *found = csv->rows[row][at];
            if (strcmp(found, same[c].expected) == 0) continue;
            if (same[c].column == GB_COLUMN_BACKEND && is_anothers(output, csv, row)) continue;
            gb_fail(error, GB_CRASHED,
                    "%s cannot be resumed: row %zu has %s '%.80s', this run '%.80s'; run without "
                    "--resume (the file is kept), or use another --out",
                    output->files.csv, row + 1, gb_column_name(same[c].column), found,
                    same[c].expected);
            return false;
        }
    }
    return true;
}

/* What the conditions of a row or a run are called. */
static const char *under_words(const gb_under *under, char text[GB_UNDER_TEXT])
{
    return gb_under_none(under) ? "the device as it is" : gb_under_words(under, text);
}

/* Rows of a device under other conditions are another device's. */
static bool under_fits(const gb_output *output, const gb_csv *csv, gb_error *error)
{
    const int at = column_of(csv, GB_COLUMN_UNDER);
    for (size_t row = 0; row < csv->row_count; row++) {
        gb_under then = {.code = ""}; /* rows_valid has seen that it is one */
        char was[GB_UNDER_TEXT], is[GB_UNDER_TEXT];
        (void)gb_under_parse(csv->rows[row][at], &then);
        if (gb_under_same(&then, &output->setup.under)) continue;
        gb_fail(error, GB_CRASHED,
                "%s cannot be resumed: its row %zu was measured under other conditions (%s) than "
                "this run has (%s); give the same options, run without --resume (the file is "
                "kept), or use another --out",
                output->files.csv, row + 1, under_words(&then, was),
                under_words(&output->setup.under, is));
        return false;
    }
    return true;
}

/* The value of a member of the meta file, as it is written there; "" if there is none. The file may
 * be longer than text or torn: only its beginning matters, where the run's own members stand. */
static const char *meta_value(const char *text, const char *quoted_name)
{
    const char *at = strstr(text, quoted_name);
    if (!at) return "";
    at += strlen(quoted_name);
    return at + strspn(at, ": \t");
}

/* Rows of the quick points measure something else than rows of the full ones. */
static bool quickness_fits(const gb_output *output, const char *meta, gb_error *error)
{
    const char *value = meta_value(meta, "\"quick\"");
    bool was_quick = strncmp(value, "true", 4) == 0;
    if (!*value || was_quick == output->setup.config->quick) return true;
    gb_fail(error, GB_CRASHED,
            "%s cannot be resumed: it was measured %s; add %s, or run without --resume (the file "
            "is kept)",
            output->files.csv, was_quick ? "as --quick has it" : "in full",
            was_quick ? "--quick" : "--full");
    return false;
}

/* Nor do rows under a limit on device memory measure what rows without it do. */
static bool device_memory_fits(const gb_output *output, const char *meta, gb_error *error)
{
    uint64_t now = output->setup.config->measure.device_memory;
    uint64_t then = strtoull(meta_value(meta, "\"device_memory\""), NULL, 10);
    if (now == then) return true;
    gb_fail(error, GB_CRASHED,
            "%s cannot be resumed: it was measured with measure.device_memory %" PRIu64
            ", this run has %" PRIu64 " (0: no limit); run without --resume (the file is kept), or "
            "use another --out",
            output->files.csv, then, now);
    return false;
}

/* What the meta file says of the run that wrote the rows. Without one, nothing is known. */
static bool meta_fits(const gb_output *output, gb_error *error)
{
    size_t length;
    char *text =
        gb_file_read(output->files.meta, "a meta file", MOST_META, &length, GB_CRASHED, NULL);
    if (!text) return true;
    const bool fits =
        quickness_fits(output, text, error) && device_memory_fits(output, text, error);
    free(text);
    return fits;
}

/* ---- rows ----------------------------------------------------------------------------------- */

typedef struct resumed {
    gb_output *output;
    const gb_csv *csv;
    gb_string_set wanted, found; /* samples_key of the rows; of what is in the samples file */
    int run_id, variant, cache, scope, status, samples; /* columns */
    char **keys;                                        /* of each row: its gb_row_key */
    char **samples_keys;        /* of each row: its samples_key; NULL if it has no samples */
    bool *out;                  /* of each row: it is taken out of the file, because it */
    size_t failed, lost, twice; /* failed, has lost its samples, is there already: so many */
    gb_samples_cut cut;
} resumed;

static bool is_ok(const char *status)
{
    return strcmp(status, gb_status_name(GB_OK)) == 0;
}

static bool failed(const char *status)
{
    return !is_ok(status) && strcmp(status, gb_status_name(GB_UNSUPPORTED)) != 0;
}

/* What the samples of a row begin with, and their number by the row's own words: names them in a
 * set. NULL without memory. */
static char *samples_key(const resumed *r, char **row, const char *point)
{
    size_t size;
    char *key = NULL,
         *begin = gb_samples_prefix(row[r->run_id], point, row[r->variant], row[r->cache], &size);
    if (begin && asprintf(&key, "%s%s", begin, row[r->samples]) < 0) key = NULL;
    free(begin);
    return key;
}

/* Names all rows and their samples. */
static bool name_rows(resumed *r, gb_error *error)
{
    const gb_csv *csv = r->csv;
    size_t rows = csv->row_count;
    r->run_id = column_of(csv, GB_COLUMN_RUN_ID);
    r->variant = column_of(csv, GB_COLUMN_VARIANT);
    r->cache = column_of(csv, GB_COLUMN_CACHE);
    r->scope = column_of(csv, GB_COLUMN_SCOPE);
    r->status = column_of(csv, GB_COLUMN_STATUS);
    r->samples = column_of(csv, GB_COLUMN_SAMPLES);
    r->keys = calloc(rows + 1, sizeof *r->keys);
    r->samples_keys = calloc(rows + 1, sizeof *r->samples_keys);
    r->out = calloc(rows + 1, sizeof *r->out);
    if (!r->keys || !r->samples_keys || !r->out) return no_memory(error);
    for (size_t i = 0; i < rows; i++) {
        char **row = csv->rows[i], point[GB_POINT_TEXT];
        gb_read_point_text(r->output->setup.config,
                           (const char *const *)row + GB_COLUMNS_BEFORE_AXES, row[r->scope], point);
        r->keys[i] = gb_row_key(point, row[r->variant], row[r->cache]);
        if (!r->keys[i]) return no_memory(error);
        if (!is_ok(row[r->status])) continue;
        r->samples_keys[i] = samples_key(r, row, point);
        if (!r->samples_keys[i] || !gb_string_set_add(&r->wanted, r->samples_keys[i]))
            return no_memory(error);
    }
    return true;
}

/* Tells gb_samples_check to keep a run of samples: its row is there, says that it has so many, and
 * has not got them yet. */
static bool owned(void *context, const char *begin, size_t count)
{
    resumed *r = context;
    char *key = NULL;
    if (asprintf(&key, "%s%zu", begin, count) < 0) return false;
    bool good = gb_string_set_has(&r->wanted, key) && !gb_string_set_has(&r->found, key) &&
                gb_string_set_add(&r->found, key);
    free(key);
    return good;
}

/* Decides which rows stay; their keys join output->done. */
static bool decide(resumed *r, gb_error *error)
{
    gb_string_set *done = &r->output->done;
    for (size_t i = 0; i < r->csv->row_count; i++) {
        const char *status = r->csv->rows[i][r->status], *samples = r->samples_keys[i];
        bool again = failed(status) && r->output->setup.retry;
        bool lost = samples && !gb_string_set_has(&r->found, samples);
        bool twice = !again && !lost && gb_string_set_has(done, r->keys[i]);
        r->out[i] = again || lost || twice;
        r->failed += again;
        r->lost += lost;
        r->twice += twice;
        if (r->out[i]) continue;
        r->output->failed_before += failed(status);
        if (!gb_string_set_add(done, r->keys[i])) return no_memory(error);
    }
    return true;
}

/* ---- taking rows out ------------------------------------------------------------------------ */

static void put_row(FILE *file, char *const *row, size_t columns)
{
    for (size_t i = 0; i < columns; i++)
        gb_csv_put(file, row[i], i == 0);
    putc('\n', file);
}

/* All lines of a table as a set, to see whether a row is among them. */
static bool line_set(const gb_csv *csv, gb_string_set *lines)
{
    bool good = true;
    for (size_t i = 0; good && i < csv->row_count; i++) {
        char *line = NULL;
        size_t size;
        FILE *file = open_memstream(&line, &size);
        if (file) put_row(file, csv->rows[i], csv->columns);
        good = file && fclose(file) == 0 && gb_string_set_add(lines, line);
        free(line);
    }
    return good;
}

/* What is there already, with the columns of today. */
static gb_csv *read_kept(const char *path, gb_error *error)
{
    char *text = NULL;
    gb_csv *kept = gb_csv_read(path, error);
    if (kept) kept = gb_results_widen(kept, path, &text, error);
    free(text);
    return kept;
}

/* Appends the rows that are taken out to NAME.retried.csv, but for those that a resume that was
 * killed put there already; a line that it left torn goes. */
static bool keep_elsewhere(const resumed *r, gb_error *error)
{
    const char *path = r->output->files.retried;
    const gb_csv *csv = r->csv;
    gb_csv *kept = NULL;
    gb_string_set lines = {0};
    char *text = NULL;
    size_t size = 0;
    if (access(path, F_OK) == 0 && !(kept = read_kept(path, error))) return false;
    FILE *file = open_memstream(&text, &size);
    bool good = file && (!kept || line_set(kept, &lines));
    if (good) {
        bool headed = kept && kept->columns;
        put_row(file, headed ? kept->header : csv->header, headed ? kept->columns : csv->columns);
        for (size_t i = 0; headed && i < kept->row_count; i++)
            put_row(file, kept->rows[i], kept->columns);
    }
    for (size_t i = 0; good && i < csv->row_count; i++) {
        char *line = NULL;
        size_t length;
        if (!r->out[i]) continue;
        FILE *one = open_memstream(&line, &length);
        if (one) put_row(one, csv->rows[i], csv->columns);
        good = one && fclose(one) == 0;
        if (good && !gb_string_set_has(&lines, line)) fputs(line, file);
        free(line);
    }
    if (file) good &= fclose(file) == 0;
    good = good ? gb_files_replace(path, text, size, error) : no_memory(error);
    free(text);
    gb_string_set_free(&lines);
    gb_csv_free(kept);
    return good;
}

/* Takes rows out of the file. They are kept elsewhere first, so that a row may be in both after a
 * crash but never in none. */
static bool take_out(resumed *r, gb_error *error)
{
    char *text = NULL;
    size_t size = 0;
    const gb_output *output = r->output;
    if (r->failed + r->lost + r->twice == 0) return true;
    if (!keep_elsewhere(r, error)) return false;
    FILE *file = open_memstream(&text, &size);
    if (file) {
        put_row(file, r->csv->header, r->csv->columns);
        for (size_t i = 0; i < r->csv->row_count; i++) {
            if (!r->out[i]) put_row(file, r->csv->rows[i], r->csv->columns);
        }
    }
    bool good = file && fclose(file) == 0;
    good = good ? gb_files_replace(output->files.csv, text, size, error) : no_memory(error);
    free(text);
    if (good && r->lost)
        fprintf(stderr,
                "note: %zu rows have lost samples (did the power fail, or was %s edited?); they "
                "are measured again, what they said is in %s\n",
                r->lost, output->files.samples, output->files.retried);
    if (good && r->twice)
        fprintf(stderr, "note: %zu rows were there twice; the later ones were moved to %s\n",
                r->twice, output->files.retried);
    if (good && r->failed)
        fprintf(stderr, "trying %zu failed rows again; they were moved to %s\n", r->failed,
                output->files.retried);
    return good;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Samples that are not there at all were taken away by somebody, who may bring them back. */
static bool samples_there(const resumed *r, gb_error *error)
{
    const gb_result_files *files = &r->output->files;
    if (r->wanted.count == 0 || access(files->samples, F_OK) == 0) return true;
    gb_fail(error, GB_CRASHED,
            "%s cannot be resumed: its samples, %s, are not there; bring them back, or run without "
            "--resume (the rows are kept)",
            files->csv, files->samples);
    return false;
}

static void free_list(char **list, size_t count)
{
    for (size_t i = 0; list && i < count; i++)
        free(list[i]);
    free(list);
}

/* Cuts off what is torn, and sees to it that a row can be appended. wider: what the file has to
 * hold instead (gb_results_widen); NULL: nothing. */
static bool end_last_row(const char *path, const gb_csv *csv, const char *wider, gb_error *error)
{
    if (wider) return gb_files_replace(path, wider, strlen(wider), error);
    if (truncate(path, (off_t)csv->complete_bytes) != 0)
        return gb_disk_fail(error, path, "cut where it is torn", errno, 0);
    if (!csv->unterminated) return true;
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    bool good = fd >= 0 && gb_write_all(fd, "\n", 1) == 1;
    if (!good) gb_disk_fail(error, path, "written", errno, 1);
    if (fd >= 0) close(fd);
    return good;
}

/* First everything is read and judged, then the files are changed, each step such that being killed
 * after it leaves what this function takes up again. */
static bool resume_rows(gb_output *output, const gb_csv *csv, const char *wider, gb_error *error)
{
    resumed r = {.output = output, .csv = csv};
    const gb_result_files *files = &output->files;
    bool good = name_rows(&r, error) && samples_there(&r, error) &&
                gb_samples_check(files->samples, owned, &r, &r.cut, error) && decide(&r, error);
    good = good && end_last_row(files->csv, csv, wider, error) && take_out(&r, error) &&
           gb_samples_apply(files->samples, &r.cut, error);
    gb_string_set_free(&r.wanted);
    gb_string_set_free(&r.found);
    free_list(r.keys, csv->row_count);
    free_list(r.samples_keys, csv->row_count);
    free(r.out);
    gb_samples_free(&r.cut);
    return good;
}

bool gb_resume(gb_output *output, gb_error *error)
{
    /* Without rows there is nothing to go on from, but samples may have lost theirs. */
    if (access(output->files.csv, F_OK) != 0) return gb_files_move_aside(&output->files, error);
    if (!gb_files_move_back(&output->files, error)) return false;
    gb_csv *csv = gb_csv_read(output->files.csv, error);
    if (!csv) return false;
    gb_rows_settle(csv);
    if (csv->torn_line)
        fprintf(stderr, "note: the last row of %s is torn; what it was is measured again\n",
                output->files.csv);
    char *wider;
    csv = gb_results_widen(csv, output->files.csv, &wider, error);
    bool good = csv && (csv->columns == 0 ||
                        (header_fits(output, csv, error) && rows_valid(output, csv, error) &&
                         rows_fit(output, csv, error) && under_fits(output, csv, error) &&
                         (csv->row_count == 0 || meta_fits(output, error))));
    if (good) good = resume_rows(output, csv, wider, error);
    free(wider);
    gb_csv_free(csv);
    return good;
}
