/* Writing to disks that fill up, fail or are taken away: every failure says which file, why, and
 * what to do about it. */
#include "bench/util/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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

const char *gb_folder_of(const char *path, char folder[GB_PATH_SIZE + 16])
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
    if ((reason == ENOSPC || reason == EDQUOT) && statvfs(gb_folder_of(path, folder), &disk) == 0) {
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
