/* Appending to a file: with one write where the system allows it, so that a run killed at any
 * instant leaves whole lines, and cut back where it does not. */
#include "bench/record/log.h"

#include "bench/util/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool gb_log_append(gb_log *log, const char *text, size_t size, gb_error *error)
{
    size_t sent = gb_write_all(log->fd, text, size);
    if (sent == size) {
        log->size += (off_t)size;
        return true;
    }
    gb_disk_fail(error, log->path, "written", errno, size);
    size_t used = strlen(error->text);
    if (sent > 0 && ftruncate(log->fd, log->size) != 0)
        snprintf(error->text + used, sizeof error->text - used,
                 "; a torn line is left, which --resume cuts");
    return false;
}

bool gb_log_open(gb_log *log, const char *path, const char *header, size_t size, gb_error *error)
{
    snprintf(log->path, sizeof log->path, "%s", path);
    log->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (log->fd < 0) return gb_disk_fail(error, path, "opened", errno, 0);
    if (!gb_files_plain(log->fd, path, error)) {
        gb_log_close(log);
        return false;
    }
    log->size = lseek(log->fd, 0, SEEK_END);
    if (log->size < 0) gb_disk_fail(error, path, "appended to", errno, 0);
    if (log->size > 0 || (log->size == 0 && gb_log_append(log, header, size, error))) return true;
    gb_log_close(log);
    return false;
}

bool gb_log_cut(gb_log *log, off_t size, gb_error *error)
{
    if (ftruncate(log->fd, size) != 0) return gb_disk_fail(error, log->path, "cut back", errno, 0);
    log->size = size;
    return true;
}

bool gb_log_sync(gb_log *log, gb_error *error)
{
    return fdatasync(log->fd) == 0 || gb_disk_fail(error, log->path, "written to disk", errno, 0);
}

void gb_log_close(gb_log *log)
{
    if (log->fd >= 0) close(log->fd);
    log->fd = -1;
}

gb_log_place gb_log_where(const gb_log *log)
{
    struct stat status;
    bool here = gb_files_same(log->fd, log->path);
    /* Some file systems count no links: only what is not here can be gone. */
    if (fstat(log->fd, &status) != 0 || (!here && status.st_nlink == 0)) return GB_LOG_GONE;
    if (status.st_size != log->size) return GB_LOG_CHANGED;
    return here ? GB_LOG_HERE : GB_LOG_MOVED;
}

bool gb_log_copy(const gb_log *log, const char *path, gb_error *error)
{
    char text[8192];
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) return gb_disk_fail(error, path, "written", errno, 0);
    bool good = true;
    off_t at = 0;
    while (good && at < log->size) {
        ssize_t got = pread(log->fd, text, sizeof text, at);
        good = got > 0 && gb_write_all(fd, text, (size_t)got) == (size_t)got;
        at += got;
    }
    good = good && fsync(fd) == 0;
    if (!good) gb_disk_fail(error, path, "written", errno, (size_t)log->size);
    close(fd);
    return good;
}
