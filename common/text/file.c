/* Reading a whole file without being kept waiting or flooded by what only looks like one. */
#include "common/text/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 1 << 16, PIPE_WAIT_MS = 10000 };

/* What is wrong with reading on from fd after read() has failed; NULL if nothing is. */
static const char *wait_for_more(int fd)
{
    if (errno == EINTR) return NULL;
    if (errno != EAGAIN) return strerror(errno);
    struct pollfd wait = {fd, POLLIN, 0};
    if (poll(&wait, 1, PIPE_WAIT_MS) == 0) return "nothing came through this pipe for 10 s";
    return NULL;
}

/* Reads up to one byte more than most; NULL and *why on failure. */
static char *read_all(int fd, size_t most, size_t expected, size_t *length, const char **why)
{
    size_t capacity = expected + 2 > FIRST_CAPACITY ? expected + 2 : FIRST_CAPACITY;
    char *text = NULL;
    *length = 0;
    for (;;) {
        if (!text || capacity - *length < 2) {
            if (text) capacity *= 2;
            char *larger = realloc(text, capacity);
            if (!larger) *why = "not enough memory";
            if (!larger) break;
            text = larger;
        }
        size_t room = capacity - *length - 1, wanted = most + 1 - *length;
        ssize_t got = read(fd, text + *length, room < wanted ? room : wanted);
        if (got > 0) *length += (size_t)got;
        if (got == 0 || *length > most) {
            text[*length] = '\0';
            return text;
        }
        if (got < 0 && (*why = wait_for_more(fd))) break;
    }
    free(text);
    return NULL;
}

char *gb_file_read(const char *path, const char *what, size_t most, size_t *length,
                   gb_status status, gb_error *error)
{
    /* Without O_NONBLOCK, a named pipe would be waited for until somebody writes. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) {
        gb_fail(error, status, "%s: cannot be opened: %s", path, strerror(errno));
        if (fd >= 0) close(fd);
        return NULL;
    }
    const char *why = NULL;
    char *text = NULL;
    if (S_ISDIR(info.st_mode)) {
        gb_fail(error, status, "%s: is a folder, not %s", path, what);
    } else if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode)) {
        gb_fail(error, status, "%s: is a device, not %s", path, what);
    } else {
        size_t expected =
            info.st_size > 0 && (size_t)info.st_size <= most ? (size_t)info.st_size : 0;
        if (S_ISREG(info.st_mode) && info.st_size > 0 && (size_t)info.st_size > most)
            *length = most + 1;
        else
            text = read_all(fd, most, expected, length, &why);
        if (why)
            gb_fail(error, status, "%s: cannot be read: %s", path, why);
        else if (*length > most)
            gb_fail(error, status, "%s: more than %zu MiB; %s is never that large", path,
                    most >> 20, what);
        else if (*length == 0 && S_ISFIFO(info.st_mode))
            gb_fail(error, status, "%s: is a pipe that nobody writes to", path);
        else
            why = ""; /* nothing is wrong */
        if (!why || *why) {
            free(text);
            text = NULL;
        }
    }
    close(fd);
    return text;
}

bool gb_file_find_line(const char *path, const char *key, char separator, char *text,
                       size_t capacity)
{
    char line[512];
    bool found = false;
    FILE *file = fopen(path, "re");
    while (file && !found && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key)) != 0) continue;
        char *at = strchr(line, separator);
        if (!at) continue;
        at += 1 + strspn(at + 1, " \t\"");
        at[strcspn(at, "\"\n")] = 0;
        snprintf(text, capacity, "%s", at);
        found = true;
    }
    if (file) fclose(file);
    return found;
}
