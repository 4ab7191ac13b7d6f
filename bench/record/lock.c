/* The lock of a run's files: held by a process that lives, whatever a dead one left behind. */
#include "bench/record/results.h"
#include "bench/util/clock.h"
#include "bench/util/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OWNER_SIZE = 240, HOST_SIZE = 65 };

bool gb_files_same(int fd, const char *path)
{
    struct stat open_file, named;
    return fstat(fd, &open_file) == 0 && stat(path, &named) == 0 &&
           open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev;
}

bool gb_files_plain(int fd, const char *path, gb_error *error)
{
    struct stat info;
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) return true;
    gb_fail(error, GB_CRASHED,
            "%s: is no plain file: what belongs there would be lost, or written over something "
            "else; remove it, or name another folder with --out",
            path);
    return false;
}

static void host_name(char host[HOST_SIZE])
{
    strcpy(host, "?");
    gethostname(host, HOST_SIZE - 1);
    host[HOST_SIZE - 1] = 0;
}

/* The first line of the lock: "pid 12 on HOST since 2025-01-31T23:59:59Z: COMMAND". */
static void read_owner(int fd, char owner[OWNER_SIZE])
{
    ssize_t got = pread(fd, owner, OWNER_SIZE - 1, 0);
    owner[got > 0 ? got : 0] = 0;
    owner[strcspn(owner, "\n")] = 0;
}

/* True if a host is named and it is not this one. */
static bool elsewhere(const char *owner)
{
    char named[HOST_SIZE], host[HOST_SIZE];
    host_name(host);
    return sscanf(owner, "pid %*d on %64s", named) == 1 && strcmp(named, host) != 0;
}

static bool refuse(const gb_result_files *files, const char *owner, int reason, gb_error *error)
{
    if (reason != EWOULDBLOCK) {
        gb_fail(error, GB_CRASHED,
                "%s: cannot be locked: %s; without a lock two runs could write the same files: use "
                "--out with a folder on a local disk",
                files->lock, strerror(reason));
        return false;
    }
    gb_fail(error, GB_CRASHED,
            "another run writes %s (%s); wait for it, end it%s, or use another --out", files->csv,
            owner[0] ? owner : "its owner is not known",
            elsewhere(owner) ? " on that host" : " (kill that pid)");
    return false;
}

bool gb_files_written_now(const char *csv)
{
    char path[GB_PATH_SIZE], owner[OWNER_SIZE];
    const size_t length = strlen(csv), stem = length > 4 ? length - 4 : length;
    snprintf(path, sizeof path, "%.*s.lock", (int)stem, csv);
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return false;
    read_owner(fd, owner);
    close(fd);
    const long pid = strncmp(owner, "pid ", 4) == 0 ? strtol(owner + 4, NULL, 10) : 0;
    /* Trying the lock would keep a run that begins just now from it. */
    return elsewhere(owner) || pid <= 0 || kill((pid_t)pid, 0) == 0 || errno == EPERM;
}

/* The lock of a run that did not end by itself says nothing against the next, with one doubt. */
static void mention_stale(const gb_result_files *files, const char *owner)
{
    if (!elsewhere(owner)) return;
    fprintf(stderr,
            "note: %s was left by a run on another host (%s). It is not held any more, as far as "
            "can be told from here: some network file systems do not carry locks between hosts. "
            "If that run still goes on, stop this one\n",
            files->lock, owner);
}

/* Who, where, since when, doing what; a lock that cannot be written is a lock nevertheless. */
static void write_owner(int fd, const char *command)
{
    char host[HOST_SIZE], now[24], line[OWNER_SIZE];
    host_name(host);
    gb_utc_now(now);
    snprintf(line, sizeof line, "pid %ld on %s since %s%s%s", (long)getpid(), host, now,
             command ? ": " : "", command ? command : "");
    line[strcspn(line, "\n")] = 0;
    if (ftruncate(fd, 0) == 0) gb_write_all(fd, line, strlen(line));
}

/* What a run that was killed had begun to write beside a file, to rename it later. */
static void remove_unfinished(const gb_result_files *files)
{
    const char *const paths[] = {files->csv, files->samples, files->meta, files->retried};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char beside[GB_PATH_SIZE + 32];
        snprintf(beside, sizeof beside, "%s.new", paths[i]);
        unlink(beside);
    }
}

bool gb_files_lock(gb_result_files *files, const char *command, gb_error *error)
{
    static const int how = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    for (;;) {
        char owner[OWNER_SIZE];
        int fd = open(files->lock, how, 0666);
        if (fd < 0 && errno != ELOOP) return gb_disk_fail(error, files->lock, "opened", errno, 0);
        if (!gb_files_plain(fd, files->lock, error)) {
            if (fd >= 0) close(fd);
            return false;
        }
        int reason = flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
        read_owner(fd, owner);
        if (reason) {
            close(fd);
            return refuse(files, owner, reason, error);
        }
        /* Its last owner may have removed it between open and flock. */
        if (gb_files_same(fd, files->lock)) {
            mention_stale(files, owner);
            write_owner(fd, command);
            remove_unfinished(files);
            files->lock_fd = fd;
            return true;
        }
        close(fd);
    }
}

void gb_files_unlock(gb_result_files *files)
{
    if (files->lock_fd < 0) return;
    /* Should the folder have been moved away, the name may be another run's lock by now. */
    if (gb_files_same(files->lock_fd, files->lock)) unlink(files->lock);
    close(files->lock_fd);
    files->lock_fd = -1;
}
