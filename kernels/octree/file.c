/* Opening files of bodies: which format it is, and what a file that is none is. */
#include "kernels/octree/file.h"

#include "common/text/kind.h"
#include "kernels/octree/formats/format.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

const char oc_axis_names[3] = {'x', 'y', 'z'};

static const char formats_read[] =
    "dist=file: reads x, y, z from .csv, .xyz, .npy, .ply and .pcd files, and little-endian float "
    "triples from .f32 and .bin";

typedef struct format {
    const char *ending;
    gb_status (*begin)(oc_file *file, gb_error *error);
    bool text; /* all of it: what is no text is called what it is */
} format;

static const format formats[] = {
    {".f32", oc_begin_triples, false}, {".bin", oc_begin_triples, false},
    {".csv", oc_begin_csv, true},      {".xyz", oc_begin_xyz, true},
    {".npy", oc_begin_npy, false},     {".ply", oc_begin_ply, false},
    {".pcd", oc_begin_pcd, false},
};

/* ---- messages -------------------------------------------------------------------------------- */

static gb_status refuse(const oc_file *file, gb_error *error, uint64_t line, const char *what,
                        va_list args)
{
    char text[400], where[24] = "";
    vsnprintf(text, sizeof text, what, args);
    if (line) snprintf(where, sizeof where, "%" PRIu64 ":", line);
    return gb_fail(error, GB_NO_INPUT, "%s:%s %s", file->shown, where, text);
}

gb_status oc_refuse(const oc_file *file, gb_error *error, const char *what, ...)
{
    va_list args;
    va_start(args, what);
    gb_status status = refuse(file, error, 0, what, args);
    va_end(args);
    return status;
}

gb_status oc_refuse_line(const oc_file *file, gb_error *error, const char *what, ...)
{
    va_list args;
    va_start(args, what);
    gb_status status = refuse(file, error, file->number, what, args);
    va_end(args);
    return status;
}

gb_status oc_cannot_read(const oc_file *file, gb_error *error)
{
    return oc_refuse(file, error, "%s",
                     ferror(file->stream) ? strerror(errno ? errno : EIO)
                                          : "became shorter while it was read");
}

gb_status oc_too_few(const oc_file *file, uint64_t holds, gb_error *error)
{
    if (holds == 0) return oc_refuse(file, error, "holds no bodies");
    return oc_refuse(file, error,
                     "holds %" PRIu64 " bodies, n asks for %" PRIu64 ": choose n up to %" PRIu64,
                     holds, file->n, holds);
}

/* A long path is cut in its middle, so that messages have room for what is wrong. */
static void show(char shown[OC_SHOWN], const char *path)
{
    enum { HEAD = 60, TAIL = 150 };
    const size_t length = strlen(path);
    if (length < OC_SHOWN)
        snprintf(shown, OC_SHOWN, "%s", path);
    else
        snprintf(shown, OC_SHOWN, "%.*s...%s", (int)HEAD, path, path + length - TAIL);
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), size = strlen(end);
    return length > size && strcasecmp(text + length - size, end) == 0;
}

/* The format that the name says; NULL and *error if it says none. */
static const format *format_of(const oc_file *file, const char *path, gb_error *error)
{
    static const char *const packed[] = {".gz", ".zst", ".xz", ".bz2", ".zip"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (ends_with(path, formats[i].ending)) return &formats[i];
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        if (!ends_with(path, packed[i])) continue;
        oc_refuse(file, error, "is compressed; unpack it first");
        return NULL;
    }
    if (ends_with(path, ".npz"))
        oc_refuse(file, error, "holds several arrays; save one of them as .npy");
    else
        oc_refuse(file, error, "its name does not say what it holds; %s", formats_read);
    return NULL;
}

/* A plain file; -1 and *error if it is none. */
static int open_plain(oc_file *file, const char *path, gb_error *error)
{
    struct stat info;
    /* Without O_NONBLOCK, a named pipe would be waited for until somebody writes. */
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0) {
        const int code = errno;
        char folder[160];
        if (fd >= 0) close(fd);
        const bool relative = path[0] != '/' && getcwd(folder, sizeof folder);
        oc_refuse(file, error, "cannot be opened: %s%s%s", strerror(code),
                  relative ? "; the worker looked in " : "", relative ? folder : "");
        return -1;
    }
    if (!S_ISREG(info.st_mode)) {
        close(fd);
        oc_refuse(file, error, "%s; %s", S_ISDIR(info.st_mode) ? "is a folder" : "is no plain file",
                  formats_read);
        return -1;
    }
    file->bytes = (uint64_t)info.st_size;
    if (file->bytes > 0) return fd;
    close(fd);
    oc_refuse(file, error, "is empty; %s", formats_read);
    return -1;
}

/* Refuses what begins like something else. */
static gb_status check_kind(oc_file *file, gb_error *error)
{
    char begin[GB_KIND_BYTES];
    const size_t size = fread(begin, 1, sizeof begin, file->stream);
    const char *kind = gb_kind_of_no_text(begin, size);
    if (kind) return oc_refuse(file, error, "%s", kind);
    return fseeko(file->stream, 0, SEEK_SET) == 0 ? GB_OK : oc_cannot_read(file, error);
}

static gb_status begin(oc_file *file, const format *found, gb_error *error)
{
    file->line = malloc(OC_LINE);
    file->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!file->line || !file->c_locale)
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to read %s", file->shown);
    gb_status status = found->text ? check_kind(file, error) : GB_OK;
    if (status == GB_OK) status = found->begin(file, error);
    if (status == GB_OK && file->holds < file->n) status = oc_too_few(file, file->holds, error);
    return status;
}

static gb_status open_stream(oc_file *file, const char *path, gb_error *error)
{
    const format *found = format_of(file, path, error);
    if (!found) return GB_NO_INPUT;
    if (!file->stream) {
        const int fd = open_plain(file, path, error);
        if (fd < 0) return GB_NO_INPUT;
        file->stream = fdopen(fd, "rb");
        if (!file->stream) {
            close(fd);
            return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to read %s", file->shown);
        }
    }
    return begin(file, found, error);
}

gb_status oc_file_over(FILE *stream, uint64_t bytes, const char *path, uint64_t n, oc_file **out,
                       gb_error *error)
{
    oc_file *file = calloc(1, sizeof *file);
    *out = NULL;
    if (!file) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to read a file of bodies");
    show(file->shown, path);
    file->stream = stream;
    file->bytes = bytes;
    file->n = n;
    file->holds = UINT64_MAX;
    for (unsigned c = 0; c < 3; c++)
        file->column[c] = c;
    gb_status status = open_stream(file, path, error);
    if (status == GB_OK)
        *out = file;
    else
        oc_file_close(file);
    return status;
}

gb_status oc_file_open(const char *path, uint64_t n, oc_file **file, gb_error *error)
{
    return oc_file_over(NULL, 0, path, n, file, error);
}

gb_status oc_file_read(oc_file *file, oc_body *bodies, uint64_t count, gb_error *error)
{
    for (uint64_t i = 0; i < count; i++, file->next++) {
        float xyz[3];
        gb_status status = file->read(file, xyz, error);
        if (status != GB_OK) return status;
        bodies[i] = (oc_body){xyz[0], xyz[1], xyz[2], 1.0f};
    }
    return GB_OK;
}

void oc_file_close(oc_file *file)
{
    if (!file) return;
    gb_csv_close(file->csv);
    if (file->stream) fclose(file->stream);
    if (file->c_locale) freelocale(file->c_locale);
    free(file->binary.piece);
    free(file->line);
    free(file);
}

/* ---- looking before anything runs ------------------------------------------------------------ */

/* The file that was looked at last, and how many of its bodies are known to be good. */
static struct {
    struct stat info;
    uint64_t good;
} looked;

static bool is_looked_at(const struct stat *info)
{
    const struct stat *known = &looked.info;
    return info->st_dev == known->st_dev && info->st_ino == known->st_ino &&
           info->st_size == known->st_size && info->st_mtim.tv_sec == known->st_mtim.tv_sec &&
           info->st_mtim.tv_nsec == known->st_mtim.tv_nsec;
}

gb_status oc_file_look(const char *path, uint64_t n, gb_error *error)
{
    struct stat info;
    const bool known = stat(path, &info) == 0;
    oc_file *file = NULL;
    gb_status status = oc_file_open(path, n, &file, error);
    if (status != GB_OK || !file) return status;
    const uint64_t wanted = n < OC_FILE_LOOK ? n : OC_FILE_LOOK;
    if (!known || !is_looked_at(&info) || wanted > looked.good) {
        oc_body body;
        for (uint64_t i = 0; status == GB_OK && i < wanted; i++)
            status = oc_file_read(file, &body, 1, error);
        if (status == GB_OK && known) {
            looked.info = info;
            looked.good = wanted;
        }
    }
    oc_file_close(file);
    return status;
}
