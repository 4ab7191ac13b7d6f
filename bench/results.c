/* Writing results: append only, a line at a time, each line with one write, so that a run killed at
 * any instant leaves files that read. */
#include "bench/results.h"

#include "bench/resume.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

void gb_utc_now(char text[24])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, 24, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

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

/* Appends text with one write; on failure the file is cut back to what it was. */
static bool append(int fd, const char *path, const char *text, size_t size, gb_error *error)
{
    off_t before = lseek(fd, 0, SEEK_END);
    ssize_t sent;
    do
        sent = write(fd, text, size);
    while (sent < 0 && errno == EINTR);
    if (sent == (ssize_t)size) return true;
    const char *why = sent < 0 ? strerror(errno) : "only a part fits, is the disk full?";
    if (sent > 0 && ftruncate(fd, before) != 0) why = "a torn line is left; --resume cuts it";
    gb_fail(error, GB_CRASHED, "%s: cannot be written: %s", path, why);
    return false;
}

/* Opens for appending; an empty file gets its header. */
static int open_file(const char *path, const char *header, size_t size, gb_error *error)
{
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0) {
        gb_fail(error, GB_CRASHED, "%s: cannot be opened: %s", path, strerror(errno));
        return -1;
    }
    if (lseek(fd, 0, SEEK_END) > 0 || append(fd, path, header, size, error)) return fd;
    close(fd);
    return -1;
}

/* The folder's entry of a new file has to reach the disk as well. */
static void sync_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

bool gb_output_open(gb_output *output, const gb_output_setup *setup, gb_error *error)
{
    *output = (gb_output){.setup = *setup, .csv_fd = -1, .samples_fd = -1};
    if (!gb_files_name(&output->files, setup->folder, setup->config->name, error)) return false;
    if (!gb_files_lock(&output->files, error)) return false;
    size_t size = 0;
    char *header = gb_results_header(setup->config->primitive, &size);
    bool good = header != NULL;
    if (!good) gb_fail(error, GB_CRASHED, "out of memory");
    if (good)
        good =
            setup->resume ? gb_resume(output, error) : gb_files_move_aside(&output->files, error);
    if (good) {
        output->rows_before = output->done.count;
        output->csv_fd = open_file(output->files.csv, header, size, error);
        if (output->csv_fd >= 0)
            output->samples_fd = open_file(output->files.samples, GB_SAMPLES_HEADER,
                                           strlen(GB_SAMPLES_HEADER), error);
        good = output->samples_fd >= 0;
    }
    free(header);
    if (good)
        sync_folder(setup->folder);
    else
        gb_output_close(output);
    return good;
}

bool gb_output_has(const gb_output *output, const gb_params *point, unsigned variant, bool cold)
{
    if (output->done.count == 0) return false;
    const gb_catalogue_primitive *primitive = output->setup.config->primitive;
    char text[GB_POINT_TEXT];
    char *key = gb_row_key(gb_point_text(primitive, point, text), primitive->variants[variant].name,
                           gb_cache_name(cold));
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
        output->setup.run_id, gb_point_text(primitive, row->point, point),
        primitive->variants[row->variant].name, gb_cache_name(row->cold), &prefix_size);
    FILE *file = prefix ? open_memstream(&text, size) : NULL;
    for (size_t i = 0; file && i < count; i++)
        fprintf(file, "%s%zu,%.9g\n", prefix, i, samples[i]);
    free(prefix);
    return file && fclose(file) == 0 ? text : NULL;
}

bool gb_output_write(gb_output *output, const gb_row *row, const double *samples, size_t count,
                     gb_error *error)
{
    size_t row_size = 0, samples_size = 0;
    char *row_text = gb_results_row(&output->setup, row, &row_size);
    char *text = count ? samples_text(output, row, samples, count, &samples_size) : NULL;
    bool good = row_text && (text || !count);
    if (!good) gb_fail(error, GB_CRASHED, "out of memory for a row");
    if (good && count)
        good = append(output->samples_fd, output->files.samples, text, samples_size, error);
    if (good) good = append(output->csv_fd, output->files.csv, row_text, row_size, error);
    free(text);
    free(row_text);
    return good;
}

bool gb_output_sync(gb_output *output, gb_error *error)
{
    if (fdatasync(output->samples_fd) == 0 && fdatasync(output->csv_fd) == 0) return true;
    gb_fail(error, GB_CRASHED, "%s: cannot be written: %s", output->files.csv, strerror(errno));
    return false;
}

void gb_output_close(gb_output *output)
{
    if (output->csv_fd >= 0) close(output->csv_fd);
    if (output->samples_fd >= 0) close(output->samples_fd);
    output->csv_fd = output->samples_fd = -1;
    gb_files_unlock(&output->files);
    gb_string_set_free(&output->done);
}
