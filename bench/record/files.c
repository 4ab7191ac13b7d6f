/* Result files: nothing that was measured is ever overwritten, and no two runs share a file. */
#include "bench/record/results.h"
#include "bench/util/disk.h"
#include "common/text/csv.h"
#include "common/text/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool make_folders(const char *folder, gb_error *error)
{
    char path[GB_PATH_SIZE], above[GB_PATH_SIZE] = ".";
    if (*folder == '/') strcpy(above, "/");
    snprintf(path, sizeof path, "%s", folder);
    for (char *at = path + 1;; at++) {
        char stop = *at;
        if (stop && stop != '/') continue;
        *at = 0;
        struct stat status;
        bool made = mkdir(path, 0777) == 0;
        if (!made && errno == EEXIST && stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
            errno = ENOTDIR;
        if (!made && errno != EEXIST) {
            gb_fail(error, GB_CRASHED, "%s: the folder cannot be made: %s; name another with --out",
                    path, strerror(errno));
            return false;
        }
        if (made && !gb_files_sync_folder(above, error)) return false;
        strcpy(above, path);
        *at = stop;
        if (!stop) return true;
    }
}

void gb_files_rebase(gb_result_files *files, const char *base)
{
    if (base != files->base) snprintf(files->base, sizeof files->base, "%s", base);
    snprintf(files->csv, sizeof files->csv, "%s.csv", files->base);
    snprintf(files->samples, sizeof files->samples, "%s.samples.csv", files->base);
    snprintf(files->meta, sizeof files->meta, "%s.meta.json", files->base);
    snprintf(files->retried, sizeof files->retried, "%s.retried.csv", files->base);
    snprintf(files->unfinished, sizeof files->unfinished, "%s.unfinished.json", files->base);
}

bool gb_files_name(gb_result_files *files, const char *folder, const char *name, gb_error *error)
{
    files->lock_fd = -1;
    int length = snprintf(files->base, sizeof files->base, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof files->base) {
        gb_fail(error, GB_CRASHED,
                "--out: a path of %d bytes with the experiment's name behind it; at most %d are "
                "allowed",
                length, GB_PATH_SIZE - 1);
        return false;
    }
    gb_files_rebase(files, files->base);
    snprintf(files->lock, sizeof files->lock, "%s.lock", files->base);
    return make_folders(folder, error);
}

/* ---- moving aside ----------------------------------------------------------------------------
 *
 * The rows move last. As long as they are under their own name, a move that was killed can be told
 * and finished, or taken back, for the rows say what the other files were renamed to. */

enum { MOVED = 5, ROWS = MOVED - 1 };
static const char *const suffixes[MOVED] = {"samples.csv", "meta.json", "retried.csv",
                                            "unfinished.json", "csv"};

static void moved_paths(const gb_result_files *files, const char *from[MOVED])
{
    from[0] = files->samples;
    from[1] = files->meta;
    from[2] = files->retried;
    from[3] = files->unfinished;
    from[ROWS] = files->csv;
}

static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* When a file was last written, as a part of a name. False if it is not there. */
static bool time_id(const char *path, const char *what, char *id, size_t capacity)
{
    struct stat status;
    struct tm utc;
    char when[32];
    if (stat(path, &status) != 0 || !gmtime_r(&status.st_mtime, &utc)) return false;
    strftime(when, sizeof when, "%Y%m%dT%H%M%SZ", &utc);
    snprintf(id, capacity, "%s-%s", what, when);
    return true;
}

/* The run_id of the first row, or, of a file that cannot be read, when it was last written. Empty
 * if the file is not there or has no row. */
static void old_run_id(const char *path, char *id, size_t capacity)
{
    *id = 0;
    if (!exists(path)) return;
    gb_csv *csv = gb_csv_read(path, NULL);
    if (csv && csv->row_count > 0)
        snprintf(id, capacity, "%.60s", gb_csv_field(csv, 0, gb_column_name(GB_COLUMN_RUN_ID)));
    bool nothing = csv && csv->row_count == 0;
    gb_csv_free(csv);
    if (nothing) return;
    if (gb_name_mistake(id)) time_id(path, "unreadable", id, capacity);
}

/* True if samples are there whose rows were taken away: somebody did that, for no run does. */
static bool orphaned_samples(const gb_result_files *files)
{
    struct stat status;
    return !exists(files->csv) && stat(files->samples, &status) == 0 &&
           (size_t)status.st_size > strlen(GB_SAMPLES_HEADER);
}

/* The names for id that are free: id, id-2, id-3. A file that a killed move has renamed already
 * has its name free for no one else. */
static void free_names(const gb_result_files *files, const char *id,
                       char to[MOVED][GB_PATH_SIZE + 128])
{
    const char *from[MOVED];
    moved_paths(files, from);
    bool taken = true;
    for (int attempt = 1; taken; attempt++) {
        char unique[112];
        snprintf(unique, sizeof unique, attempt > 1 ? "%s-%d" : "%s", id, attempt);
        taken = false;
        for (int i = 0; i < MOVED; i++) {
            snprintf(to[i], sizeof to[i], "%s.%s.%s", files->base, unique, suffixes[i]);
            taken |= exists(to[i]) && (i == ROWS || exists(from[i]));
        }
    }
}

bool gb_files_move_aside(const gb_result_files *files, gb_error *error)
{
    const char *from[MOVED];
    char id[96], to[MOVED][GB_PATH_SIZE + 128];
    moved_paths(files, from);
    old_run_id(files->csv, id, sizeof id);
    if (!*id) old_run_id(files->retried, id, sizeof id);
    if (!*id && orphaned_samples(files)) time_id(files->samples, "samples", id, sizeof id);
    if (!*id && exists(files->unfinished)) time_id(files->unfinished, "unfinished", id, sizeof id);
    if (!*id) {
        for (int i = 0; i < MOVED; i++) {
            if (unlink(from[i]) != 0 && errno != ENOENT)
                return gb_disk_fail(error, from[i], "removed", errno, 0);
        }
        return true;
    }
    free_names(files, id, to);
    const char *kept = "";
    for (int i = 0; i < MOVED; i++) {
        if (rename(from[i], to[i]) == 0)
            kept = to[i];
        else if (errno != ENOENT)
            return gb_disk_fail(error, from[i], "moved aside", errno, 0);
    }
    fprintf(stderr, "kept the earlier results as %s%s\n", kept,
            kept == to[ROWS] ? " (--resume would have continued them)" : "");
    return true;
}

bool gb_files_move_back(const gb_result_files *files, gb_error *error)
{
    const char *from[MOVED];
    char id[96], to[MOVED][GB_PATH_SIZE + 128];
    moved_paths(files, from);
    old_run_id(files->csv, id, sizeof id);
    if (!*id) return true;
    free_names(files, id, to);
    for (int i = 0; i < ROWS; i++) {
        if (!exists(from[i]) && rename(to[i], from[i]) != 0 && errno != ENOENT)
            return gb_disk_fail(error, to[i], "moved back", errno, 0);
    }
    return true;
}
