/* Writing results: append only, a line at a time, each line with one write, so that a run killed at
 * any instant leaves files that read. */
#include "bench/record/results.h"

#include "bench/record/resume.h"
#include "bench/util/clock.h"
#include "bench/util/disk.h"
#include "common/protocol/conditions.h"
#include "common/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* Within a point, rows wait for the disk no longer than this for others to come. */
static const double sync_every_s = 1;

void gb_run_id(char id[32])
{
    time_t now = time(NULL);
    struct tm utc;
    unsigned salt = (unsigned)getpid();
    if (getrandom(&salt, sizeof salt, GRND_NONBLOCK) < 0) salt = (unsigned)getpid();
    gmtime_r(&now, &utc);
    size_t used = strftime(id, 32, "%Y%m%dT%H%M%SZ", &utc);
    snprintf(id + used, 32 - used, "-%06x", salt & 0xFFFFFFu);
}

bool gb_output_open(gb_output *output, const gb_output_setup *setup, gb_error *error)
{
    *output = (gb_output){.setup = *setup, .csv.fd = -1, .samples.fd = -1, .synced = gb_now()};
    if (!gb_files_name(&output->files, setup->folder, setup->config->name, error)) return false;
    if (!gb_files_lock(&output->files, setup->command, error)) return false;
    size_t size = 0;
    char *header = gb_results_header(setup->config->primitive, &size);
    bool good = header != NULL;
    if (!good) gb_fail(error, GB_CRASHED, "out of memory");
    if (good)
        good =
            setup->resume ? gb_resume(output, error) : gb_files_move_aside(&output->files, error);
    if (good) {
        output->rows_before = output->done.count;
        good = gb_log_open(&output->csv, output->files.csv, header, size, error) &&
               gb_log_open(&output->samples, output->files.samples, GB_SAMPLES_HEADER,
                           strlen(GB_SAMPLES_HEADER), error) &&
               gb_files_sync_folder(setup->folder, error);
    }
    free(header);
    if (!good) gb_output_close(output);
    return good;
}

bool gb_output_has(const gb_output *output, const gb_params *point, unsigned variant, bool cold,
                   gb_scope scope)
{
    if (output->done.count == 0) return false;
    const gb_catalogue_primitive *primitive = output->setup.config->primitive;
    char text[GB_POINT_TEXT];
    char *key = gb_row_key(gb_row_point_text(output->setup.config, point, scope, text),
                           primitive->variants[variant].name, gb_cache_name(cold));
    bool has = key && gb_string_set_has(&output->done, key);
    free(key);
    return has;
}

/* All sample lines of a row as one text. */
static char *samples_text(const gb_output *output, const gb_row *row, const double *samples,
                          size_t count, size_t *size)
{
    const gb_catalogue_primitive *primitive = output->setup.config->primitive;
    char point[GB_POINT_TEXT], *text = NULL;
    size_t prefix_size;
    char *prefix = gb_samples_prefix(
        output->setup.run_id,
        gb_row_point_text(output->setup.config, row->point, row->scope, point),
        primitive->variants[row->variant].name, gb_cache_name(row->cold), &prefix_size);
    FILE *file = prefix ? open_memstream(&text, size) : NULL;
    for (size_t i = 0; file && i < count; i++)
        fprintf(file, "%s%zu,%.9g\n", prefix, i, samples[i]);
    free(prefix);
    return file && fclose(file) == 0 ? text : NULL;
}

/* ---- watching the files ---------------------------------------------------------------------- */

/* The files have no name any more: they are copied into a folder beside the old one. */
static bool save(gb_output *output, gb_error *error)
{
    gb_result_files *files = &output->files, saved;
    const char *old = output->setup.folder;
    size_t length = strlen(old);
    char folder[GB_PATH_SIZE];
    while (length > 1 && old[length - 1] == '/')
        length--;
    snprintf(folder, sizeof folder, "%.*s.saved-%s", (int)length, old, output->setup.run_id);
    if (!gb_files_name(&saved, folder, output->setup.config->name, error) ||
        !gb_log_copy(&output->samples, saved.samples, error) ||
        !gb_log_copy(&output->csv, saved.csv, error) || !gb_files_sync_folder(folder, error)) {
        gb_error why = *error;
        gb_fail(error, GB_CRASHED,
                "%s was removed or replaced while this run wrote it, and what was measured is lost "
                "with it, for it cannot be saved elsewhere: %.200s",
                files->csv, why.text);
        return false;
    }
    gb_fail(error, GB_CRASHED,
            "%.150s was removed or replaced while this run wrote it. All its rows are saved as "
            "%.200s: move the files of that folder back to where they belong before you resume",
            files->csv, saved.csv);
    gb_files_rebase(files, saved.base);
    return false;
}

/* A file has another name now. If it is that of the rows, the rest of what is written follows it.
 */
static bool moved(gb_output *output, const gb_log *log, gb_error *error)
{
    char link[64], now[GB_PATH_SIZE] = "?";
    snprintf(link, sizeof link, "/proc/self/fd/%d", log->fd);
    ssize_t length = readlink(link, now, sizeof now - 1);
    if (length > 0) now[length] = 0;
    gb_fail(error, GB_CRASHED,
            "%.150s was moved while this run wrote it; it is %.250s now, with all its rows: move "
            "it back before you resume, or name its folder with --out",
            log->path, now);
    if (log == &output->csv && length > 4 && gb_text_ends(now, ".csv")) {
        now[length - 4] = 0;
        gb_files_rebase(&output->files, now);
    }
    return false;
}

/* False and *error when the files are no longer this run's alone, under their names. */
static bool still_here(gb_output *output, gb_error *error)
{
    const gb_log *const logs[] = {&output->csv, &output->samples};
    const gb_log_place places[] = {gb_log_where(logs[0]), gb_log_where(logs[1])};
    if (places[0] == GB_LOG_GONE || places[1] == GB_LOG_GONE) return save(output, error);
    for (int i = 0; i < 2; i++) {
        gb_log_place place = places[i];
        if (place == GB_LOG_CHANGED) {
            gb_fail(error, GB_CRASHED,
                    "%s was changed by somebody else while this run wrote it; see what is in it, "
                    "and give every run a folder of its own (--out)",
                    logs[i]->path);
            return false;
        }
        if (place == GB_LOG_MOVED) return moved(output, logs[i], error);
    }
    return true;
}

/* ---- writing ----------------------------------------------------------------------------- */

bool gb_output_write(gb_output *output, const gb_row *row, const double *samples, size_t count,
                     gb_error *error)
{
    size_t row_size = 0, samples_size = 0;
    char *row_text = gb_results_row(&output->setup, row, &row_size);
    char *text = count ? samples_text(output, row, samples, count, &samples_size) : NULL;
    bool good = row_text && (text || !count);
    off_t before = output->samples.size;
    if (!good) gb_fail(error, GB_CRASHED, "out of memory for a row");
    if (good && count) good = gb_log_append(&output->samples, text, samples_size, error);
    if (good) {
        good = gb_log_append(&output->csv, row_text, row_size, error);
        /* Samples whose row is missing are cut by --resume, should this fail. */
        if (!good) gb_log_cut(&output->samples, before, NULL);
    }
    free(text);
    free(row_text);
    return good;
}

bool gb_output_settle(gb_output *output, gb_error *error)
{
    if (gb_now() - output->synced >= sync_every_s) return gb_output_sync(output, error);
    return still_here(output, error);
}

bool gb_output_sync(gb_output *output, gb_error *error)
{
    double begun = gb_now();
    /* The samples first: should only one of them reach the disk, they are no half of a row. */
    bool good = gb_log_sync(&output->samples, error) && gb_log_sync(&output->csv, error);
    output->synced = gb_now();
    output->sync_s += output->synced - begun;
    return good && still_here(output, error);
}

void gb_output_close(gb_output *output)
{
    gb_log_close(&output->csv);
    gb_log_close(&output->samples);
    gb_files_unlock(&output->files);
    gb_string_set_free(&output->done);
}
