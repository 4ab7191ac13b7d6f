/* Result files: nothing that was measured is ever overwritten, and no two runs share a file. */
#include "bench/results_files.h"

#include "common/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool make_folders(const char *folder, gb_error *error)
{
    char path[GB_PATH_SIZE];
    snprintf(path, sizeof path, "%s", folder);
    for (char *at = path + 1;; at++) {
        char stop = *at;
        if (stop && stop != '/') continue;
        *at = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            gb_fail(error, GB_CRASHED, "%s: the folder cannot be made: %s; name another with --out",
                    path, strerror(errno));
            return false;
        }
        *at = stop;
        if (!stop) return true;
    }
}

bool gb_files_name(gb_result_files *files, const char *folder, const char *name, gb_error *error)
{
    files->lock_fd = -1;
    int length = snprintf(files->base, sizeof files->base, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof files->base) {
        gb_fail(error, GB_CRASHED, "the name of the output folder is too long");
        return false;
    }
    snprintf(files->csv, sizeof files->csv, "%s.csv", files->base);
    snprintf(files->samples, sizeof files->samples, "%s.samples.csv", files->base);
    snprintf(files->meta, sizeof files->meta, "%s.meta.json", files->base);
    snprintf(files->lock, sizeof files->lock, "%s.lock", files->base);
    return make_folders(folder, error);
}

/* ---- the lock ------------------------------------------------------------------------------- */

/* True if the name still means the file that is open: its last owner may have removed it. */
static bool same_file(int fd, const char *path)
{
    struct stat open_file, named;
    return fstat(fd, &open_file) == 0 && stat(path, &named) == 0 &&
           open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev;
}

bool gb_files_lock(gb_result_files *files, gb_error *error)
{
    for (;;) {
        int fd = open(files->lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0) {
            gb_fail(error, GB_CRASHED, "%s: cannot be opened: %s", files->lock, strerror(errno));
            return false;
        }
        if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            char owner[160] = "";
            bool held = errno == EWOULDBLOCK;
            const char *why = strerror(errno);
            ssize_t got = pread(fd, owner, sizeof owner - 1, 0);
            owner[got > 0 ? strcspn(owner, "\n") : 0] = 0;
            close(fd);
            if (held)
                gb_fail(error, GB_CRASHED,
                        "another run writes %s (%s); wait for it, or use another --out", files->csv,
                        owner[0] ? owner : "its owner is not known");
            else
                gb_fail(error, GB_CRASHED, "%s: cannot be locked: %s", files->lock, why);
            return false;
        }
        if (same_file(fd, files->lock)) {
            char host[100] = "?";
            gethostname(host, sizeof host - 1);
            if (ftruncate(fd, 0) == 0) dprintf(fd, "pid %ld on %s\n", (long)getpid(), host);
            files->lock_fd = fd;
            return true;
        }
        close(fd);
    }
}

void gb_files_unlock(gb_result_files *files)
{
    if (files->lock_fd < 0) return;
    unlink(files->lock);
    close(files->lock_fd);
    files->lock_fd = -1;
}

/* ---- moving aside --------------------------------------------------------------------------- */

/* The run_id of the first row, or, of a file that cannot be read, when it was last written. Empty
 * if there is nothing worth keeping. */
static void old_run_id(const gb_result_files *files, char *id, size_t capacity)
{
    struct stat status;
    *id = 0;
    if (stat(files->csv, &status) != 0) return;
    gb_csv *csv = gb_csv_read(files->csv, NULL);
    if (csv && csv->row_count > 0) snprintf(id, capacity, "%.60s", gb_csv_field(csv, 0, "run_id"));
    bool nothing = csv && csv->row_count == 0;
    gb_csv_free(csv);
    if (nothing) return;
    for (const char *at = id; *at; at++) {
        if (*at == '/') *id = 0;
    }
    struct tm utc;
    if (!*id && gmtime_r(&status.st_mtime, &utc))
        strftime(id, capacity, "unreadable-%Y%m%dT%H%M%SZ", &utc);
}

static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

bool gb_files_move_aside(const gb_result_files *files, gb_error *error)
{
    const char *const from[] = {files->csv, files->samples, files->meta};
    static const char *const suffixes[] = {"csv", "samples.csv", "meta.json"};
    char id[80], unique[96], to[3][GB_PATH_SIZE + 128];
    old_run_id(files, id, sizeof id);
    if (!*id) {
        for (int i = 0; i < 3; i++)
            unlink(from[i]);
        return true;
    }
    bool taken = true;
    for (int attempt = 1; taken; attempt++) {
        snprintf(unique, sizeof unique, attempt > 1 ? "%s-%d" : "%s", id, attempt);
        taken = false;
        for (int i = 0; i < 3; i++) {
            snprintf(to[i], sizeof to[i], "%s.%s.%s", files->base, unique, suffixes[i]);
            taken |= exists(to[i]);
        }
    }
    for (int i = 0; i < 3; i++) {
        if (rename(from[i], to[i]) != 0 && errno != ENOENT) {
            gb_fail(error, GB_CRASHED, "%s: cannot be moved aside: %s", from[i], strerror(errno));
            return false;
        }
    }
    fprintf(stderr, "kept the earlier results as %s (--resume would have continued them)\n", to[0]);
    return true;
}

/* ---- replacing ------------------------------------------------------------------------------ */

static bool write_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t sent = write(fd, text, size);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        text += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool gb_files_replace(const char *path, const char *text, size_t size, gb_error *error)
{
    char beside[GB_PATH_SIZE + 32];
    snprintf(beside, sizeof beside, "%s.new", path);
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = fd >= 0 && write_all(fd, text, size) && fdatasync(fd) == 0;
    if (fd >= 0) good &= close(fd) == 0;
    if (good && rename(beside, path) == 0) return true;
    gb_fail(error, GB_CRASHED, "%s: cannot be written: %s", path, strerror(errno));
    unlink(beside);
    return false;
}
