/* NumPy's .npy, as numpy.lib.format of NumPy's documentation has it: a magic string, a version, the
 * length of a header and that header, a literal dictionary of Python; then the array. */
#include "kernels/octree/formats/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HEADER = 1 << 16 };
static const char how[] = "save an array of n x 3 numbers: numpy.save('bodies.npy', "
                          "a.astype('float32'))";

/* Reads `size` bytes as a little-endian number. */
static bool read_length(FILE *stream, unsigned size, uint64_t *length)
{
    *length = 0;
    for (unsigned i = 0; i < size; i++) {
        int c = getc(stream);
        if (c == EOF) return false;
        *length |= (uint64_t)c << 8 * i;
    }
    return true;
}

/* The header in file->line. */
static gb_status read_header(oc_file *file, gb_error *error)
{
    char magic[8];
    uint64_t length;
    if (fread(magic, 1, sizeof magic, file->stream) != sizeof magic ||
        memcmp(magic, "\x93NUMPY", 6) != 0)
        return oc_refuse(file, error, "is no NumPy array; %s", how);
    if (magic[6] < 1 || magic[6] > 3)
        return oc_refuse(file, error, "is a NumPy array of format %d; 1 to 3 are read", magic[6]);
    if (!read_length(file->stream, magic[6] == 1 ? 2 : 4, &length) || length >= OC_LINE ||
        fread(file->line, 1, length, file->stream) != length)
        return oc_refuse(file, error, "its NumPy header is torn");
    file->line[length] = '\0';
    return GB_OK;
}

/* What stands behind a key of the dictionary; NULL if it has no such key. */
static const char *value_of(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    if (!at) return NULL;
    at += strlen(key);
    at += strspn(at, " ");
    if (*at++ != ':') return NULL;
    return at + strspn(at, " ");
}

/* '<f4': the byte order, the kind, the size. */
static gb_status read_type(const oc_file *file, const char *descr, oc_number *type, gb_error *error)
{
    const bool quoted = *descr == '\'' || *descr == '"';
    const char order = quoted ? descr[1] : '\0', kind = order ? descr[2] : '\0';
    const unsigned size = kind ? (unsigned)(descr[3] - '0') : 0;
    if (quoted && (order == '<' || order == '>') && kind == 'f' && (size == 4 || size == 8) &&
        descr[4] == *descr) {
        *type = (oc_number){'f', size, order == '>'};
        return GB_OK;
    }
    if (*descr == '[') return oc_refuse(file, error, "is an array of records; %s", how);
    return oc_refuse(file, error, "its numbers are %.*s; float32 and float64 are read: %s",
                     (int)strcspn(descr, ",}"), descr, how);
}

/* (n, 3) */
static gb_status read_shape(oc_file *file, const char *shape, gb_error *error)
{
    char *end;
    unsigned long long n = 0, three = 0;
    if (shape[0] == '(' && shape[1] >= '0' && shape[1] <= '9') {
        n = strtoull(shape + 1, &end, 10);
        end += strspn(end, "L"); /* of Python 2 */
        if (*end == ',') three = strtoull(end + 1, &end, 10);
        end += strspn(end, "L, ");
        if (three == 3 && *end == ')') {
            file->holds = n;
            return GB_OK;
        }
    }
    return oc_refuse(file, error, "its shape is %.*s, a list of bodies is (n, 3); %s",
                     (int)strcspn(shape, ")") + 1, shape, how);
}

gb_status oc_begin_npy(oc_file *file, gb_error *error)
{
    oc_number type = {0};
    gb_status status = read_header(file, error);
    if (status != GB_OK) return status;
    const char *descr = value_of(file->line, "'descr'"), *shape = value_of(file->line, "'shape'"),
               *order = value_of(file->line, "'fortran_order'");
    if (!descr || !shape || !order) return oc_refuse(file, error, "its NumPy header is torn");
    status = read_type(file, descr, &type, error);
    if (status == GB_OK) status = read_shape(file, shape, error);
    if (status != GB_OK) return status;
    const uint64_t data = (uint64_t)ftello(file->stream);
    const bool planes = strncmp(order, "True", 4) == 0;
    /* what would overflow below is more than any file has */
    if (file->holds > file->bytes)
        return oc_refuse(file, error, "its head announces %" PRIu64 " bodies; is it complete?",
                         file->holds);
    oc_binary *b = &file->binary;
    *b = (oc_binary){.planes = planes ? 3 : 1, .stride = planes ? type.size : 3 * type.size};
    for (unsigned c = 0; c < 3; c++) {
        b->type[c] = type;
        b->begin[c] = data + (planes ? c * file->holds * type.size : 0);
        b->offset[c] = planes ? 0 : c * type.size;
    }
    return oc_begin_binary(file, error);
}
