/* Finding where a named file is written. */
#include "bench/util/destination.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

static bool refuse(gb_error *error, const char *path, const char *what)
{
    gb_fail(error, GB_CRASHED, "%s: is %s; name a file", path, what);
    return false;
}

static bool too_long(gb_error *error, const char *path)
{
    gb_fail(error, GB_CRASHED, "%.200s...: the name is longer than %d bytes", path,
            GB_PATH_SIZE - 1);
    return false;
}

/* The descriptor of this process that a path names: where stdout or stderr leads, /dev/fd/N. To
 * open it anew would write over the beginning of what it is appended to. -1 if it names none. */
static int redirected(const char *path, const struct stat *file)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat own;
        if (fstat(fd, &own) == 0 && own.st_dev == file->st_dev && own.st_ino == file->st_ino)
            return fd;
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0 && isdigit((unsigned char)path[length]))
            return (int)strtol(path + length, NULL, 10);
    }
    return -1;
}

/* Replaces path, whose last part is a symbolic link that leads nowhere, by what it leads to. */
static bool follow(char path[GB_PATH_SIZE], const char *named, gb_error *error)
{
    for (int links = 0; links < MOST_LINKS; links++) {
        char target[GB_PATH_SIZE], joined[2 * GB_PATH_SIZE];
        const ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0) return true;
        target[length] = '\0';
        const char *slash = strrchr(path, '/');
        const int folder = *target == '/' || !slash ? 0 : (int)(slash + 1 - path);
        snprintf(joined, sizeof joined, "%.*s%s", folder, path, target);
        if (strlen(joined) >= GB_PATH_SIZE) return too_long(error, named);
        strcpy(path, joined);
    }
    return gb_disk_fail(error, named, "written", ELOOP, 0);
}

/* Opens what is no file and can be written to. */
static bool open_through(gb_destination *place, const char *path, const struct stat *file,
                         gb_error *error)
{
    const int own = redirected(path, file);
    place->fd = own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 3)
                         : open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (place->fd < 0 && errno == ENXIO && S_ISFIFO(file->st_mode)) {
        gb_fail(error, GB_CRASHED, "%s: is a pipe that nobody reads: start its reader first", path);
        return false;
    }
    if (place->fd < 0) return gb_disk_fail(error, path, "opened", errno, 0);
    const int flags = fcntl(place->fd, F_GETFL);
    if (own < 0 && flags >= 0) fcntl(place->fd, F_SETFL, flags & ~O_NONBLOCK);
    return true;
}

/* What the place is; *through: it is written to as it is. */
static bool look(const char *path, gb_destination *place, struct stat *file, bool *through,
                 gb_error *error)
{
    *place = (gb_destination){.fd = -1};
    *through = false;
    if (strlen(path) >= sizeof place->path) return too_long(error, path);
    strcpy(place->path, path);
    if (stat(path, file) != 0)
        return errno == ENOENT ? follow(place->path, path, error)
                               : gb_disk_fail(error, path, "written", errno, 0);
    if (S_ISDIR(file->st_mode)) return refuse(error, path, "a folder");
    if (S_ISBLK(file->st_mode)) return refuse(error, path, "a disk");
    if (S_ISSOCK(file->st_mode)) return refuse(error, path, "a socket");
    *through = !S_ISREG(file->st_mode) || redirected(path, file) >= 0;
    if (*through) return true;
    place->mode = file->st_mode & 07777;
    struct stat named;
    if (lstat(path, &named) == 0 && !S_ISLNK(named.st_mode)) return true;
    char *target = realpath(path, NULL);
    if (!target) return gb_disk_fail(error, path, "written", errno, 0);
    const bool fits = strlen(target) < sizeof place->path;
    if (fits) strcpy(place->path, target);
    free(target);
    return fits || too_long(error, path);
}

bool gb_destination_find(const char *path, gb_destination *place, gb_error *error)
{
    struct stat file;
    bool through;
    return look(path, place, &file, &through, error) &&
           (!through || open_through(place, path, &file, error));
}

bool gb_destination_check(const char *path, gb_error *error)
{
    gb_destination place;
    struct stat file;
    bool through;
    if (!look(path, &place, &file, &through, error)) return false;
    char *slash = strrchr(place.path, '/');
    if (slash) slash[slash == place.path] = '\0';
    return through || access(slash ? place.path : ".", W_OK | X_OK) == 0 ||
           gb_disk_fail(error, path, "written", errno, 0);
}
