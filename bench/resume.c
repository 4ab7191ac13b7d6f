/* Taking up a run: what is on disk is read, cut where it was torn, and believed row by row. */
#include "bench/resume.h"

#include "common/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool no_memory(gb_error *error)
{
    gb_fail(error, GB_CRASHED, "out of memory while reading the earlier results");
    return false;
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
    gb_fail(error, GB_CRASHED, "%s cannot be resumed: it has %zu columns instead of %zu",
            output->files.csv, csv->columns, i);
    return false;
}

/* All rows have to agree with the config in what is not a part of the plan. */
static bool rows_fit(const gb_output *output, const gb_csv *csv, gb_error *error)
{
    const gb_output_setup *setup = &output->setup;
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, setup->config->seed);
    const struct {
        const char *column, *expected;
    } same[] = {{"experiment", setup->config->name},
                {"primitive", setup->config->primitive->name},
                {"backend", setup->backend},
                {"device", setup->device->name},
                {"scope", gb_scope_name(setup->config->measure.scope)},
                {"seed", seed}};
    for (size_t c = 0; c < sizeof same / sizeof *same; c++) {
        int at = gb_csv_column(csv, same[c].column);
        for (size_t row = 0; row < csv->row_count; row++) {
            const char *found = csv->rows[row][at];
            if (strcmp(found, same[c].expected) == 0) continue;
            gb_fail(error, GB_CRASHED,
                    "%s cannot be resumed: row %zu has %s '%.80s', this run '%.80s'; run without "
                    "--resume (the file is kept), or use another --out",
                    output->files.csv, row + 1, same[c].column, found, same[c].expected);
            return false;
        }
    }
    return true;
}

/* Rows of the quick points measure something else than rows of the full ones. */
static bool quickness_fits(const gb_output *output, gb_error *error)
{
    char text[65536];
    int fd = open(output->files.meta, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (fd >= 0) close(fd);
    /* The file may be longer or torn: only its beginning matters, where the flag is written. */
    const char *flag = got > 0 ? memmem(text, (size_t)got, "\"quick\":", 8) : NULL;
    if (!flag) return true;
    const char *end = text + got, *value = flag + 8;
    while (value < end && (*value == ' ' || *value == '\t'))
        value++;
    bool quick = output->setup.config->quick;
    bool was_quick = end - value >= 4 && memcmp(value, "true", 4) == 0;
    if (was_quick == quick) return true;
    gb_fail(error, GB_CRASHED,
            "%s cannot be resumed: it was measured %s; add %s, or run without --resume (the file "
            "is kept)",
            output->files.csv, was_quick ? "with the config's quick section" : "in full",
            was_quick ? "--quick" : "--full");
    return false;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* The point of a row as the samples file writes it. */
static const char *row_point(const gb_output *output, char **row, char text[GB_POINT_TEXT])
{
    const gb_catalogue_primitive *primitive = output->setup.config->primitive;
    size_t used = 0;
    *text = 0;
    for (unsigned i = 0; i < primitive->axis_count && used < GB_POINT_TEXT; i++)
        used += (size_t)snprintf(text + used, GB_POINT_TEXT - used, "%s%s=%s", i ? ";" : "",
                                 primitive->axes[i].name, row[GB_COLUMNS_BEFORE_AXES + i]);
    return text;
}

static bool failed(const char *status)
{
    return strcmp(status, gb_status_name(GB_OK)) != 0 &&
           strcmp(status, gb_status_name(GB_UNSUPPORTED)) != 0;
}

/* Fills output->done, and *owners with what the samples of the rows begin with. */
static bool collect(gb_output *output, const gb_csv *csv, gb_string_set *owners, gb_error *error)
{
    int run_id = gb_csv_column(csv, "run_id"), variant = gb_csv_column(csv, "variant");
    int cache = gb_csv_column(csv, "cache"), status = gb_csv_column(csv, "status");
    bool good = true;
    for (size_t i = 0; good && i < csv->row_count; i++) {
        char **row = csv->rows[i], point[GB_POINT_TEXT];
        row_point(output, row, point);
        if (!(output->setup.retry && failed(row[status]))) {
            char *key = gb_row_key(point, row[variant], row[cache]);
            good = key && gb_string_set_add(&output->done, key);
            free(key);
            output->failed_before += failed(row[status]);
        }
        if (good && strcmp(row[status], gb_status_name(GB_OK)) == 0) {
            size_t size;
            char *prefix = gb_samples_prefix(row[run_id], point, row[variant], row[cache], &size);
            good = prefix && gb_string_set_add(owners, prefix);
            free(prefix);
        }
    }
    return good || no_memory(error);
}

static void put_row(FILE *file, char *const *row, size_t columns)
{
    for (size_t i = 0; i < columns; i++)
        gb_csv_put(file, row[i], i == 0);
    putc('\n', file);
}

/* Moves the failed rows to NAME.retried.csv, that file first, so that a row may be in both after a
 * crash but never in none. */
static bool take_out_failed(gb_output *output, const gb_csv *csv, gb_error *error)
{
    char path[sizeof output->files.csv + 16], *kept = NULL;
    size_t size = 0, moved = 0;
    int status = gb_csv_column(csv, "status");
    for (size_t i = 0; i < csv->row_count; i++)
        moved += failed(csv->rows[i][status]);
    if (moved == 0) return true;
    snprintf(path, sizeof path, "%s.retried.csv", output->files.base);
    FILE *retried = fopen(path, "ae"), *rest = open_memstream(&kept, &size);
    bool good = retried && rest;
    if (good) {
        if (ftell(retried) == 0) put_row(retried, csv->header, csv->columns);
        put_row(rest, csv->header, csv->columns);
        for (size_t i = 0; i < csv->row_count; i++)
            put_row(failed(csv->rows[i][status]) ? retried : rest, csv->rows[i], csv->columns);
    }
    if (retried) good &= fclose(retried) == 0;
    if (rest) good &= fclose(rest) == 0;
    if (!good) gb_fail(error, GB_CRASHED, "%s: cannot be written: %s", path, strerror(errno));
    if (good) good = gb_files_replace(output->files.csv, kept, size, error);
    free(kept);
    if (good) fprintf(stderr, "trying %zu failed rows again; they were moved to %s\n", moved, path);
    return good;
}

/* ---- samples -------------------------------------------------------------------------------- */

/* Where the last line ends, within text, that belongs to a row; 0 if there is none. */
static size_t last_owned(char *text, size_t size, const gb_string_set *owners)
{
    size_t keep = 0;
    char *line = text, *end;
    for (; (end = memchr(line, '\n', size - (size_t)(line - text))); line = end + 1) {
        char *comma = memrchr(line, ',', (size_t)(end - line));
        if (comma) comma = memrchr(line, ',', (size_t)(comma - line));
        if (!comma) continue;
        char after = comma[1];
        comma[1] = 0;
        if (gb_string_set_has(owners, line)) keep = (size_t)(end + 1 - text);
        comma[1] = after;
    }
    return keep;
}

/* Cuts the lines at the end of the samples file whose row was never written. Samples come before
 * their row, so they are at its end; the file is read backwards in growing pieces. */
static bool cut_samples(const char *path, const gb_string_set *owners, gb_error *error)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) return true;
    off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END), keep = -1;
    char *text = NULL;
    bool good = fd >= 0;
    for (off_t window = 1 << 20; good && keep < 0; window *= 4) {
        off_t begin = size > window ? size - window : 0;
        size_t length = (size_t)(size - begin), got = 0;
        char *grown = realloc(text, length + 1);
        if (grown) text = grown;
        while (grown && got < length) {
            ssize_t part = pread(fd, text + got, length - got, begin + (off_t)got);
            if (part <= 0) break;
            got += (size_t)part;
        }
        good = grown && got == length;
        if (!good) break;
        char *newline = memchr(text, '\n', length);
        size_t skip = newline ? (size_t)(newline + 1 - text) : length;
        /* The first line of the file is its header, that of a later piece is a part of a line. */
        size_t owned = last_owned(text + skip, length - skip, owners);
        if (owned) keep = begin + (off_t)(skip + owned);
        if (!owned && begin == 0) keep = newline ? (off_t)skip : 0;
    }
    if (good && keep < size) good = ftruncate(fd, keep) == 0;
    if (!good) gb_fail(error, GB_CRASHED, "%s: cannot be resumed: %s", path, strerror(errno));
    free(text);
    if (fd >= 0) close(fd);
    return good;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static bool resume_rows(gb_output *output, const gb_csv *csv, gb_error *error)
{
    gb_string_set owners = {0};
    bool good = collect(output, csv, &owners, error);
    if (good && truncate(output->files.csv, (off_t)csv->complete_bytes) != 0) {
        gb_fail(error, GB_CRASHED, "%s: cannot be resumed: %s", output->files.csv, strerror(errno));
        good = false;
    }
    if (good && output->setup.retry && csv->columns) good = take_out_failed(output, csv, error);
    if (good) good = cut_samples(output->files.samples, &owners, error);
    gb_string_set_free(&owners);
    return good;
}

bool gb_resume(gb_output *output, gb_error *error)
{
    if (access(output->files.csv, F_OK) != 0) {
        unlink(output->files.samples);
        return true;
    }
    gb_csv *csv = gb_csv_read(output->files.csv, error);
    if (!csv) return false;
    bool good =
        csv->columns == 0 || (header_fits(output, csv, error) && rows_fit(output, csv, error) &&
                              (csv->row_count == 0 || quickness_fits(output, error)));
    if (good) good = resume_rows(output, csv, error);
    gb_csv_free(csv);
    return good;
}
