/* Replacing files whole. */
#include "bench/util/replace.h"

#include "bench/util/destination.h"
#include "bench/util/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes what is in memory to what cannot be replaced. */
static bool write_through(const gb_destination *place, const char *path, const char *text,
                          size_t size, gb_error *error)
{
    bool good = gb_write_all(place->fd, text, size) == size;
    int reason = errno;
    if (close(place->fd) != 0 && good) {
        reason = errno;
        good = false;
    }
    return good || gb_disk_fail(error, path, "written", reason, size);
}

/* Opens a file beside path, and names it: one that nobody else writes at the same time. What a run
 * that was killed left there is removed by the next that holds its lock. */
static int open_beside(const char *path, char beside[GB_PATH_SIZE + 32])
{
    static const int how = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    snprintf(beside, GB_PATH_SIZE + 32, "%s.new", path);
    int fd = open(beside, how, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
    snprintf(beside, GB_PATH_SIZE + 32, "%s.%ld.new", path, (long)getpid());
    unlink(beside);
    return open(beside, how, 0666);
}

bool gb_files_replace(const char *path, const char *text, size_t size, gb_error *error)
{
    gb_destination place;
    char beside[GB_PATH_SIZE + 32], folder[GB_PATH_SIZE + 16];
    if (!gb_destination_find(path, &place, error)) return false;
    if (place.fd >= 0) return write_through(&place, path, text, size, error);
    int fd = open_beside(place.path, beside);
    bool good = fd >= 0 && (!place.mode || fchmod(fd, place.mode) == 0) &&
                gb_write_all(fd, text, size) == size && fdatasync(fd) == 0;
    int reason = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        reason = errno;
        good = false;
    }
    if (good && rename(beside, place.path) != 0) {
        reason = errno;
        good = false;
    }
    if (good) return gb_files_sync_folder(gb_folder_of(place.path, folder), error);
    gb_disk_fail(error, path, "written", reason, size);
    unlink(beside);
    return false;
}
