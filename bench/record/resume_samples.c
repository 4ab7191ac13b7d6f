/* Checking and cutting a samples file. It may be large: it is read once, a line at a time. */
#include "bench/record/resume_samples.h"

#include "bench/record/files.h"
#include "bench/record/results.h"
#include "bench/util/destination.h"
#include "bench/util/disk.h"
#include "common/protocol/columns.h"
#include "common/text/kind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds a range; one that continues the last becomes a part of it. */
static bool cut_out(gb_samples_cut *cut, off_t begin, off_t end)
{
    if (begin == end) return true;
    if (cut->count && cut->ranges[cut->count - 1].end == begin) {
        cut->ranges[cut->count - 1].end = end;
        return true;
    }
    if (cut->count == cut->capacity) {
        size_t capacity = cut->capacity ? 2 * cut->capacity : 16;
        struct gb_samples_range *ranges = realloc(cut->ranges, capacity * sizeof *ranges);
        if (!ranges) return false;
        cut->ranges = ranges;
        cut->capacity = capacity;
    }
    cut->ranges[cut->count++] = (struct gb_samples_range){begin, end};
    return true;
}

/* The lines that are being read and begin alike. */
typedef struct run {
    char *begin; /* "run_id,point,variant,cache," */
    size_t length, capacity, count;
    off_t at; /* where its first line is */
} run;

/* The part of a line that its run shares: up to the comma before the index; 0: it has none. */
static size_t shared_part(const char *line, size_t length)
{
    const char *comma = memrchr(line, ',', length);
    if (comma) comma = memrchr(line, ',', (size_t)(comma - line));
    return comma ? (size_t)(comma + 1 - line) : 0;
}

/* True if the line continues the run: begins like it and has the next number. */
static bool continues(const run *r, const char *line, size_t length)
{
    char number[24];
    if (r->count == 0 || length <= r->length || memcmp(line, r->begin, r->length) != 0)
        return false;
    int digits = snprintf(number, sizeof number, "%zu,", r->count);
    return length - r->length > (size_t)digits &&
           memcmp(line + r->length, number, (size_t)digits) == 0;
}

static bool begin_run(run *r, const char *line, size_t length, off_t at)
{
    r->length = shared_part(line, length);
    r->count = 0;
    r->at = at;
    if (!r->begin || r->length + 1 > r->capacity) {
        char *begin = realloc(r->begin, r->length + 1);
        if (!begin) return false;
        r->begin = begin;
        r->capacity = r->length + 1;
    }
    memcpy(r->begin, line, r->length);
    r->begin[r->length] = 0;
    /* A run begins with number 0 and is no run otherwise. */
    if (r->length && length - r->length > 2 && memcmp(line + r->length, "0,", 2) == 0) r->count = 1;
    return true;
}

/* Checks all lines behind the header; at is where they begin. */
static bool check_lines(FILE *file, off_t at, bool (*owned)(void *, const char *, size_t),
                        void *context, gb_samples_cut *cut)
{
    run r = {.at = at};
    char *line = NULL;
    size_t capacity = 0;
    bool good = true;
    while (good) {
        ssize_t length = getline(&line, &capacity, file);
        bool whole = length > 0 && line[length - 1] == '\n';
        if (whole && continues(&r, line, (size_t)length)) {
            r.count++;
        } else {
            if (r.count == 0 || !owned(context, r.begin, r.count)) good = cut_out(cut, r.at, at);
            if (good && whole) good = begin_run(&r, line, (size_t)length, at);
        }
        if (!whole) break;
        at += length;
    }
    if (good) good = cut_out(cut, at, cut->size);
    free(line);
    free(r.begin);
    return good;
}

bool gb_samples_check(const char *path,
                      bool (*owned)(void *context, const char *begin, size_t count), void *context,
                      gb_samples_cut *cut, gb_error *error)
{
    static const char header[] = GB_SAMPLES_HEADER;
    char found[sizeof header + 8];
    *cut = (gb_samples_cut){0};
    /* Without O_NONBLOCK, a named pipe would be waited for until somebody writes. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT || gb_disk_fail(error, path, "read", errno, 0);
    FILE *file = gb_files_plain(fd, path, error) ? fdopen(fd, "r") : NULL;
    if (!file) {
        close(fd);
        return false;
    }
    bool good = fseeko(file, 0, SEEK_END) == 0 && (cut->size = ftello(file)) >= 0;
    rewind(file);
    errno = 0;
    const size_t got = fread(found, 1, sizeof found, file), head = gb_samples_header(found, got);
    const bool headed = head > 0 && found[head - 1] == '\n';
    const bool torn = got < sizeof header - 1 && memcmp(found, header, got) == 0;
    if (good && !ferror(file) && head == 0 && !torn) {
        const char *kind = gb_kind_of_no_text(found, got);
        fclose(file);
        gb_fail(error, GB_CRASHED,
                "%s cannot be resumed: it %s%.*s; run without --resume (the file is kept), or use "
                "another --out",
                path, kind ? kind : "does not begin with ", kind ? 0 : (int)(sizeof header - 2),
                header);
        return false;
    }
    /* A header that is torn or alone is written anew. */
    if (good && !ferror(file)) {
        good = !headed ? cut_out(cut, 0, cut->size)
                       : fseeko(file, (off_t)head, SEEK_SET) == 0 &&
                             check_lines(file, (off_t)head, owned, context, cut);
    }
    good = good && !ferror(file);
    if (!good) gb_disk_fail(error, path, "read", errno ? errno : ENOMEM, 0);
    fclose(file);
    return good;
}

/* Copies what is kept. */
static bool copy_rest(int from, int to, const gb_samples_cut *cut)
{
    char text[8192];
    const size_t most = sizeof text;
    off_t at = 0;
    for (size_t i = 0; i <= cut->count; i++) {
        off_t end = i < cut->count ? cut->ranges[i].begin : cut->size;
        while (at < end) {
            size_t wanted = (size_t)(end - at) < most ? (size_t)(end - at) : most;
            ssize_t got = pread(from, text, wanted, at);
            if (got == 0) errno = EIO;
            if (got <= 0 || gb_write_all(to, text, (size_t)got) != (size_t)got) return false;
            at += got;
        }
        if (i < cut->count) at = cut->ranges[i].end;
    }
    return true;
}

static bool rewrite(const char *path, const gb_samples_cut *cut, gb_error *error)
{
    gb_destination place;
    char beside[GB_PATH_SIZE + 32];
    if (!gb_destination_find(path, &place, error)) return false;
    snprintf(beside, sizeof beside, "%s.new", place.path);
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int to =
        place.fd >= 0 ? -1 : open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, place.mode);
    bool good = from >= 0 && to >= 0 && copy_rest(from, to, cut) && fdatasync(to) == 0 &&
                rename(beside, place.path) == 0;
    if (!good) {
        gb_disk_fail(error, path, "written", errno, (size_t)cut->size);
        unlink(beside);
    }
    if (from >= 0) close(from);
    if (to >= 0) close(to);
    if (place.fd >= 0) close(place.fd);
    return good;
}

bool gb_samples_apply(const char *path, const gb_samples_cut *cut, gb_error *error)
{
    if (cut->count == 0) return true;
    if (cut->count > 1 || cut->ranges[0].end < cut->size) return rewrite(path, cut, error);
    return truncate(path, cut->ranges[0].begin) == 0 ||
           gb_disk_fail(error, path, "cut where it is torn", errno, 0);
}

void gb_samples_free(gb_samples_cut *cut)
{
    free(cut->ranges);
    *cut = (gb_samples_cut){0};
}
