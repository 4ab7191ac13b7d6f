/* Reading bodies from a file: little-endian float triples, or CSV. */
#include "kernels/octree/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIPLE = 12, MOST_LINE = 1 << 16, MOST_FIELDS = 1024, EXCERPT = 40 };

struct oc_file {
    FILE *stream;
    char path[256];
    uint64_t n;    /* bodies asked for */
    uint64_t next; /* the body that is read next */
    bool csv;
    /* CSV alone */
    char *line;
    uint64_t number;    /* of the line, from 1 */
    unsigned column[3]; /* where x, y and z stand, from 0 */
    bool begun;         /* the first line has been looked at */
    locale_t c_locale;  /* where the decimal point is a point */
};

/* ---- what is wrong --------------------------------------------------------------------------- */

static gb_status refuse_file(const char *path, const char *why, const char *remedy, gb_error *error)
{
    return gb_fail(error, GB_UNSUPPORTED, "%s: %s; %s", path, why, remedy);
}

static gb_status too_few(const oc_file *file, uint64_t holds, gb_error *error)
{
    return gb_fail(error, GB_UNSUPPORTED,
                   "%s: holds %" PRIu64 " bodies, n asks for %" PRIu64 ": choose n up to %" PRIu64,
                   file->path, holds, file->n, holds);
}

static const char axis_names[3] = {'x', 'y', 'z'};

/* ---- float triples --------------------------------------------------------------------------- */

static float little_endian(const unsigned char *bytes)
{
    const uint32_t bits = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                          (uint32_t)bytes[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static gb_status read_triple(oc_file *file, float *xyz, gb_error *error)
{
    unsigned char bytes[TRIPLE];
    errno = 0;
    if (fread(bytes, 1, TRIPLE, file->stream) != TRIPLE)
        return refuse_file(file->path,
                           ferror(file->stream) ? strerror(errno ? errno : EIO)
                                                : "became shorter while it was read",
                           "it cannot be read", error);
    for (int c = 0; c < 3; c++) {
        xyz[c] = little_endian(bytes + 4 * c);
        if (isfinite(xyz[c])) continue;
        return gb_fail(error, GB_UNSUPPORTED,
                       "%s: body %" PRIu64 " at byte %" PRIu64
                       ": its %c is %s; coordinates must be finite numbers",
                       file->path, file->next, file->next * TRIPLE + 4 * (uint64_t)c, axis_names[c],
                       isnan(xyz[c]) ? "no number (NaN)" : "infinite");
    }
    return GB_OK;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static gb_status refuse_line(const oc_file *file, const char *what, const char *remedy,
                             gb_error *error)
{
    return gb_fail(error, GB_UNSUPPORTED, "%s: line %" PRIu64 ": %s; %s", file->path, file->number,
                   what, remedy);
}

/* The next line that is not empty, without its end; *found is false after the last. */
static gb_status next_line(oc_file *file, bool *found, gb_error *error)
{
    *found = false;
    for (;;) {
        errno = 0;
        if (!fgets(file->line, MOST_LINE, file->stream)) {
            if (!ferror(file->stream)) return GB_OK;
            return refuse_file(file->path, strerror(errno ? errno : EIO), "it cannot be read",
                               error);
        }
        file->number++;
        size_t length = strlen(file->line);
        if (length == MOST_LINE - 1 && file->line[length - 1] != '\n')
            return refuse_line(file, "it is longer than 64 KiB", "is this a CSV file?", error);
        while (length > 0 && strchr(" \t\r\n", file->line[length - 1]))
            file->line[--length] = '\0';
        *found = length > 0;
        if (*found) return GB_OK;
    }
}

/* Splits the line at its commas, in place; blanks around a field, and quotes around a name, are
 * taken off. Returns how many fields there are; those beyond MOST_FIELDS are counted only. */
static unsigned split(char *line, char **fields)
{
    unsigned count = 0;
    for (char *rest = line, *field; (field = strsep(&rest, ",")); count++) {
        field += strspn(field, " \t");
        size_t length = strlen(field);
        while (length > 0 && strchr(" \t", field[length - 1]))
            field[--length] = '\0';
        if (length > 1 && field[0] == '"' && field[length - 1] == '"') {
            field[length - 1] = '\0';
            field++;
        }
        if (count < MOST_FIELDS) fields[count] = field;
    }
    return count;
}

/* A decimal number; without strspn, strtod would take hexadecimals as well. */
static bool is_number(const oc_file *file, const char *text, double *value)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    const char *bare = text + strspn(text, "+-");
    char *end;
    bool word = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        word |= strcasecmp(bare, words[i]) == 0;
    if (!*text || (!word && strspn(text, "0123456789+-.eE") != strlen(text))) return false;
    *value = strtod_l(text, &end, file->c_locale);
    return *end == '\0';
}

/* The columns that a first line names, where it is none of numbers. */
static gb_status read_header(oc_file *file, char *const *fields, unsigned count, gb_error *error)
{
    for (int c = 0; c < 3; c++) {
        const char name[2] = {axis_names[c], '\0'};
        unsigned at = 0;
        while (at < count && at < MOST_FIELDS && strcasecmp(fields[at], name) != 0)
            at++;
        if (at == count || at == MOST_FIELDS)
            return gb_fail(error, GB_UNSUPPORTED,
                           "%s: line %" PRIu64 ": the columns' names lack %s; name three columns "
                           "x, y and z, or begin with the first body's numbers",
                           file->path, file->number, name);
        file->column[c] = at;
    }
    return GB_OK;
}

static gb_status read_fields(const oc_file *file, char *const *fields, unsigned count, float *xyz,
                             gb_error *error)
{
    for (int c = 0; c < 3; c++)
        if (file->column[c] >= count)
            return gb_fail(error, GB_UNSUPPORTED,
                           "%s: line %" PRIu64 ": it has %u column%s, and %c stands in column %u; "
                           "separate the numbers by commas",
                           file->path, file->number, count, count == 1 ? "" : "s", axis_names[c],
                           file->column[c] + 1);
    for (int c = 0; c < 3; c++) {
        const unsigned at = file->column[c];
        double value;
        if (!is_number(file, fields[at], &value))
            return gb_fail(error, GB_UNSUPPORTED,
                           "%s: line %" PRIu64 ": its %c is '%.*s', which is no decimal number",
                           file->path, file->number, axis_names[c], EXCERPT, fields[at]);
        xyz[c] = (float)value;
        if (!isfinite(xyz[c]))
            return gb_fail(error, GB_UNSUPPORTED,
                           "%s: line %" PRIu64 ": its %c is '%.*s'; coordinates must be finite "
                           "numbers that a float holds (up to 3.4e38)",
                           file->path, file->number, axis_names[c], EXCERPT, fields[at]);
    }
    return GB_OK;
}

static gb_status read_line(oc_file *file, float *xyz, gb_error *error)
{
    char *fields[MOST_FIELDS];
    bool found;
    for (;;) {
        gb_status status = next_line(file, &found, error);
        if (status != GB_OK) return status;
        if (!found) return too_few(file, file->next, error);
        const unsigned count = split(file->line, fields);
        double value;
        const bool header = !file->begun && !is_number(file, fields[0], &value);
        file->begun = true;
        if (!header) return read_fields(file, fields, count, xyz, error);
        status = read_header(file, fields, count, error);
        if (status != GB_OK) return status;
    }
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), size = strlen(end);
    return length > size && strcasecmp(text + length - size, end) == 0;
}

static gb_status open_stream(oc_file *file, gb_error *error)
{
    static const char formats[] = "dist=file: takes little-endian float triples in a .f32 or .bin "
                                  "file, or x,y,z in a .csv file";
    struct stat info;
    file->csv = ends_with(file->path, ".csv");
    if (!file->csv && !ends_with(file->path, ".f32") && !ends_with(file->path, ".bin"))
        return refuse_file(file->path, "its name does not say what it holds", formats, error);
    /* Without O_NONBLOCK, a named pipe would be waited for until somebody writes. */
    const int fd = open(file->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0) {
        const int code = errno;
        char folder[160];
        if (fd >= 0) close(fd);
        const bool relative = file->path[0] != '/' && getcwd(folder, sizeof folder);
        return gb_fail(error, GB_UNSUPPORTED, "%s: cannot be opened: %s%s%s", file->path,
                       strerror(code), relative ? "; the worker looked in " : "",
                       relative ? folder : "");
    }
    if (!S_ISREG(info.st_mode)) {
        close(fd);
        return refuse_file(file->path, S_ISDIR(info.st_mode) ? "is a folder" : "is no plain file",
                           formats, error);
    }
    file->stream = fdopen(fd, "rb");
    if (!file->stream) {
        close(fd);
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to read %s", file->path);
    }
    const uint64_t bytes = (uint64_t)info.st_size;
    if (bytes == 0) return refuse_file(file->path, "is empty", formats, error);
    if (file->csv) return GB_OK;
    if (bytes % TRIPLE != 0)
        return gb_fail(error, GB_UNSUPPORTED,
                       "%s: has %" PRIu64
                       " bytes, which is no multiple of 12: a body is x, y and z "
                       "as little-endian 32-bit floats",
                       file->path, bytes);
    return bytes / TRIPLE < file->n ? too_few(file, bytes / TRIPLE, error) : GB_OK;
}

gb_status oc_file_open(const char *path, uint64_t n, oc_file **out, gb_error *error)
{
    oc_file *file = calloc(1, sizeof *file);
    *out = NULL;
    if (!file) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to read %s", path);
    snprintf(file->path, sizeof file->path, "%s", path);
    file->n = n;
    for (unsigned c = 0; c < 3; c++)
        file->column[c] = c;
    gb_status status = open_stream(file, error);
    if (status == GB_OK && file->csv) {
        file->line = malloc(MOST_LINE);
        file->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        if (!file->line || !file->c_locale)
            status = gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to read %s", path);
    }
    if (status == GB_OK)
        *out = file;
    else
        oc_file_close(file);
    return status;
}

gb_status oc_file_read(oc_file *file, oc_body *bodies, uint64_t count, gb_error *error)
{
    for (uint64_t i = 0; i < count; i++, file->next++) {
        float xyz[3];
        gb_status status = file->csv ? read_line(file, xyz, error) : read_triple(file, xyz, error);
        if (status != GB_OK) return status;
        bodies[i] = (oc_body){xyz[0], xyz[1], xyz[2], 1.0f};
    }
    return GB_OK;
}

void oc_file_close(oc_file *file)
{
    if (!file) return;
    if (file->stream) fclose(file->stream);
    if (file->c_locale) freelocale(file->c_locale);
    free(file->line);
    free(file);
}
