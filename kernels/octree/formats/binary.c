/* Numbers in bytes, of one type and at equal distances, read some thousand bodies at a time. */
#include "kernels/octree/formats/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 1 << 16, MOST_RECORD = 1 << 16 };

bool oc_is_number_type(char kind, unsigned size)
{
    return kind == 'f'
               ? size == 4 || size == 8
               : (kind == 'i' || kind == 'u') && (size == 1 || size == 2 || size == 4 || size == 8);
}

static double number_of(const unsigned char *bytes, oc_number type)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < type.size; i++)
        bits |= (uint64_t)bytes[type.big_endian ? type.size - 1 - i : i] << 8 * i;
    if (type.kind == 'u') return (double)bits;
    if (type.kind == 'i') {
        const unsigned spare = (64 - 8 * type.size) & 63;
        return (double)((int64_t)(bits << spare) >> spare);
    }
    if (type.size == sizeof(double)) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    const uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return (double)value;
}

/* A double beyond a float's range becomes infinite. */
static gb_status accept(const oc_file *file, int c, double value, uint64_t at, float *coordinate,
                        gb_error *error)
{
    *coordinate = (float)value;
    if (isfinite(*coordinate)) return GB_OK;
    return oc_refuse(file, error,
                     "body %" PRIu64 " at byte %" PRIu64
                     ": its %c is %s; coordinates must be finite numbers that a float holds (up to "
                     "3.4e38)",
                     file->next, at, oc_axis_names[c],
                     isnan(value)   ? "no number (NaN)"
                     : isinf(value) ? "infinite"
                                    : "too large");
}

static bool read_piece(oc_file *file)
{
    oc_binary *b = &file->binary;
    b->first = file->next;
    b->count = file->holds - b->first < b->most ? file->holds - b->first : b->most;
    for (unsigned p = 0; p < b->planes; p++) {
        const uint64_t at = b->begin[p] + b->first * b->stride, size = b->count * b->stride;
        if (fseeko(file->stream, (off_t)at, SEEK_SET) != 0) return false;
        if (fread(b->piece + p * b->most * b->stride, 1, size, file->stream) != size) return false;
    }
    return true;
}

static gb_status read_record(oc_file *file, float xyz[3], gb_error *error)
{
    oc_binary *b = &file->binary;
    if (file->next >= file->holds) return oc_too_few(file, file->holds, error);
    if (file->next >= b->first + b->count && !read_piece(file)) return oc_cannot_read(file, error);
    for (int c = 0; c < 3; c++) {
        const unsigned plane = b->planes == 1 ? 0 : (unsigned)c;
        const uint64_t record = file->next - b->first;
        const unsigned char *bytes =
            b->piece + (plane * b->most + record) * b->stride + b->offset[c];
        const uint64_t at = b->begin[plane] + file->next * b->stride + b->offset[c];
        gb_status status = accept(file, c, number_of(bytes, b->type[c]), at, &xyz[c], error);
        if (status != GB_OK) return status;
    }
    return GB_OK;
}

gb_status oc_begin_binary(oc_file *file, gb_error *error)
{
    oc_binary *b = &file->binary;
    file->read = read_record;
    if (b->stride > MOST_RECORD)
        return oc_refuse(file, error, "a body has more than 64 KiB of other data");
    for (unsigned p = 0; p < b->planes; p++) {
        if (b->begin[p] <= file->bytes && file->holds <= (file->bytes - b->begin[p]) / b->stride)
            continue;
        return oc_refuse(file, error,
                         "its head announces %" PRIu64 " bodies of %" PRIu64
                         " bytes, but the file ends before; is it complete?",
                         file->holds, b->stride * b->planes);
    }
    b->most = b->stride < PIECE_BYTES ? PIECE_BYTES / b->stride : 1;
    b->piece = malloc(b->planes * b->most * b->stride + 1);
    return b->piece ? GB_OK
                    : gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to read %s", file->shown);
}

gb_status oc_begin_triples(oc_file *file, gb_error *error)
{
    enum { TRIPLE = 12 };
    if (file->bytes % TRIPLE != 0)
        return oc_refuse(file, error,
                         "has %" PRIu64 " bytes, which is no multiple of 12: a body is x, y and z "
                         "as little-endian 32-bit floats",
                         file->bytes);
    file->holds = file->bytes / TRIPLE;
    file->binary = (oc_binary){.planes = 1, .stride = TRIPLE};
    for (unsigned c = 0; c < 3; c++) {
        file->binary.type[c] = (oc_number){'f', 4, false};
        file->binary.offset[c] = 4 * c;
    }
    return oc_begin_binary(file, error);
}
