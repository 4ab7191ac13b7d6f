/* Writing to disks that fill up, fail or are taken away: every failure says which file, why, and
 * what to do about it. */
#include "bench/util/disk.h"

#include "bench/util/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

size_t gb_write_all(int fd, const char *text, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t sent = write(fd, text + done, size - done);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) break;
        if (sent == 0) {
            errno = ENOSPC; /* a file takes something or says why not */
            break;
        }
        done += (size_t)sent;
    }
    return done;
}

/* The folder of a path; "." if it names none. */
static const char *folder_of(const char *path, char folder[GB_PATH_SIZE + 16])
{
    snprintf(folder, GB_PATH_SIZE + 16, "%s", path);
    char *slash = strrchr(folder, '/');
    if (!slash) return strcpy(folder, ".");
    slash[slash == folder] = 0;
    return folder;
}

/* What a person can do, by the reason; "" where the reason says it all. */
static const char *advice(int reason)
{
    switch (reason) {
    case ENOSPC:
        return "free some space";
    case EDQUOT:
        return "your quota is used up: remove something";
    case EFBIG:
        return "a limit on the size of files is reached: raise it (ulimit -f)";
    case EROFS:
        return "is it mounted read-only, perhaps after a disk error (dmesg)? make it writable, or "
               "name another folder with --out";
    case EACCES:
    case EPERM:
        return "make it writable for you, or name another folder with --out";
    case EIO:
        return "the disk fails (dmesg): copy what is there to another one";
    case ENOENT:
    case ENOTDIR:
    case ESTALE:
        return "was its folder moved, removed or unmounted? put it back, or name another with "
               "--out";
    case EISDIR:
        return "a folder lies where the file belongs: move it away, or name another with --out";
    default:
        return "";
    }
}

bool gb_disk_fail(gb_error *error, const char *path, const char *done, int reason, size_t wanted)
{
    char folder[GB_PATH_SIZE + 16], room[128] = "";
    struct statvfs disk;
    const char *help = advice(reason);
    if ((reason == ENOSPC || reason == EDQUOT) && statvfs(folder_of(path, folder), &disk) == 0) {
        unsigned long long left = (unsigned long long)disk.f_bavail * disk.f_frsize;
        if (wanted)
            snprintf(room, sizeof room, " (%zu bytes were to be written, the disk has %llu left)",
                     wanted, left);
        else
            snprintf(room, sizeof room, " (the disk has %llu bytes left)", left);
    }
    gb_fail(error, GB_CRASHED, "%s: cannot be %s: %s%s%s%s", path, done, strerror(reason), room,
            *help ? "; " : "", help);
    return false;
}

bool gb_files_sync_folder(const char *folder, gb_error *error)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* A folder that may be written but not read cannot be synced: its files can, and are. */
    if (fd < 0) return errno == EACCES || gb_disk_fail(error, folder, "opened", errno, 0);
    int result = fsync(fd), reason = errno;
    close(fd);
    /* Some file systems know no sync of folders: their names are on the disk with the files. */
    if (result == 0 || reason == EINVAL || reason == ENOSYS) return true;
    return gb_disk_fail(error, folder, "written to disk", reason, 0);
}

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
    if (good) return gb_files_sync_folder(folder_of(place.path, folder), error);
    gb_disk_fail(error, path, "written", reason, size);
    unlink(beside);
    return false;
}
