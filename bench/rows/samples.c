/* Reading samples files. They are the largest files there are, so lines are cut by hand. */
#include "bench/rows/samples.h"

#include "bench/util/string_set.h"
#include "common/protocol/columns.h"
#include "common/text/file.h"
#include "common/text/kind.h"
#include "common/text/number.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 30 };

/* Lines that begin alike, "run_id,point,variant,cache,", and count up from 0. */
typedef struct group {
    const char *begin; /* in the text */
    size_t length;
    size_t first, count; /* of the values */
} group;

struct gb_samples_file {
    char *text;
    double *values;
    size_t value_count, value_capacity;
    group *groups;
    size_t group_count, group_capacity;
    size_t *index; /* hash table of group numbers + 1 */
    size_t index_size;
    size_t lines, bad_line; /* read so far; the first that makes no sense */
};

size_t gb_samples_bad_line(const gb_samples_file *file)
{
    return file->bad_line;
}

void gb_samples_file_free(gb_samples_file *file)
{
    if (!file) return;
    free(file->text);
    free(file->values);
    free(file->groups);
    free(file->index);
    free(file);
}

/* Room for one more; false without memory. */
static bool grow(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) return true;
    const size_t wanted = *capacity ? 2 * *capacity : 1024;
    void *larger = realloc(*(void **)array, wanted * size);
    if (!larger) return false;
    *(void **)array = larger;
    *capacity = wanted;
    return true;
}

/* A plain decimal number that ends at `end`; false if it is none. Digits beyond a double's own and
 * exponents are left to strtod. */
static bool parse_seconds(const char *at, const char *end, double *value)
{
    static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t digits = 0;
    unsigned behind = 0, seen = 0;
    bool point = false, plain = true, some = false;
    for (const char *c = at; c < end && plain; c++) {
        if (*c >= '0' && *c <= '9') {
            digits = digits * 10 + (uint64_t)(*c - '0');
            seen += digits > 0;
            some = true;
            behind += point;
        } else {
            plain = *c == '.' && !point;
            point = true;
        }
    }
    if (plain && some && seen <= 15 && behind <= 15) {
        /* Both are exact, so their quotient is the nearest double, as strtod's. */
        *value = (double)digits / powers[behind];
        return true;
    }
    char number[64];
    const size_t length = (size_t)(end - at);
    if (length == 0 || length >= sizeof number) return false;
    memcpy(number, at, length);
    number[length] = '\0';
    return gb_number_parse(number, value);
}

/* Takes a line up to its end (without the line end); false without memory. */
static bool take_line(gb_samples_file *file, const char *line, const char *end)
{
    const size_t line_number = ++file->lines;
    const char *comma = memrchr(line, ',', (size_t)(end - line));
    const char *before = comma ? memrchr(line, ',', (size_t)(comma - line)) : NULL;
    double value, number;
    if (!before || !parse_seconds(comma + 1, end, &value) ||
        !parse_seconds(before + 1, comma, &number)) {
        if (!file->bad_line) file->bad_line = line_number;
        return true;
    }
    const size_t length = (size_t)(before + 1 - line);
    group *last = file->group_count ? &file->groups[file->group_count - 1] : NULL;
    const bool same =
        last && last->length == length && memcmp(last->begin, line, length) == 0 && number > 0;
    if (!same) {
        if (!grow(&file->groups, file->group_count, &file->group_capacity, sizeof *file->groups))
            return false;
        last = &file->groups[file->group_count++];
        *last = (group){.begin = line, .length = length, .first = file->value_count};
    }
    if (number != (double)last->count) { /* a gap: it will lack some */
        if (!file->bad_line) file->bad_line = line_number;
        return true;
    }
    if (!grow(&file->values, file->value_count, &file->value_capacity, sizeof *file->values))
        return false;
    file->values[file->value_count++] = value;
    last->count++;
    return true;
}

static size_t *slot_of(const gb_samples_file *file, const char *begin, size_t length)
{
    size_t at = gb_fnv1a64(begin, length) & (file->index_size - 1);
    for (; file->index[at]; at = (at + 1) & (file->index_size - 1)) {
        const group *g = &file->groups[file->index[at] - 1];
        if (g->length == length && memcmp(g->begin, begin, length) == 0) break;
    }
    return &file->index[at];
}

static bool make_index(gb_samples_file *file)
{
    for (file->index_size = 64; file->index_size < 2 * file->group_count;)
        file->index_size *= 2;
    file->index = calloc(file->index_size, sizeof *file->index);
    for (size_t i = 0; file->index && i < file->group_count; i++)
        *slot_of(file, file->groups[i].begin, file->groups[i].length) = i + 1; /* the last counts */
    return file->index != NULL;
}

/* What else the file is. */
static void refuse_kind(const char *text, size_t size, const char *path, gb_error *error)
{
    static const char header[] = GB_SAMPLES_HEADER;
    const char *kind = gb_kind_of_no_text(text, size < GB_KIND_BYTES ? size : GB_KIND_BYTES);
    if (kind)
        gb_fail(error, GB_WRONG, "%s %s", path, kind);
    else
        gb_fail(error, GB_WRONG, "%s is no samples file: it does not begin with %.*s", path,
                (int)(sizeof header - 2), header);
}

gb_samples_file *gb_samples_read(const char *path, gb_error *error)
{
    gb_samples_file *file = calloc(1, sizeof *file);
    if (!file) {
        gb_fail(error, GB_CRASHED, "%s: out of memory", path);
        return NULL;
    }
    size_t size = 0, begin = 0;
    if (access(path, F_OK) == 0) {
        file->text = gb_file_read(path, "a samples file", MOST_BYTES, &size, GB_WRONG, error);
        if (!file->text) {
            gb_samples_file_free(file);
            return NULL;
        }
        begin = gb_samples_header(file->text, size);
        if (begin == 0) {
            refuse_kind(file->text, size, path, error);
            gb_samples_file_free(file);
            return NULL;
        }
    }
    bool good = true;
    const char *end = file->text ? file->text + size : NULL;
    file->lines = 1;
    for (const char *line = file->text + begin; good && line < end;) {
        /* A last line without its end is read as it stands: whether it was cut, its mean tells. */
        const char *feed = memchr(line, '\n', (size_t)(end - line)), *stop = feed ? feed : end;
        good = take_line(file, line, stop > line && stop[-1] == '\r' ? stop - 1 : stop);
        line = stop + 1;
    }
    if (good && make_index(file)) return file;
    gb_fail(error, GB_CRASHED, "%s: out of memory", path);
    gb_samples_file_free(file);
    return NULL;
}

/* Rows and samples are written with nine digits. A row that says no mean is believed. */
static bool has_mean(const double *values, size_t count, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return mean <= 0 || fabs(sum / (double)count - mean) <= 1e-7 * mean;
}

const double *gb_samples_of(const gb_samples_file *file, const gb_result_set *set,
                            const gb_result_row *row)
{
    char point[GB_POINT_TEXT];
    if (file->group_count == 0 || row->samples == 0) return NULL;
    /* Of configs that measure in both scopes, the point ends in the scope. */
    for (int scoped = 0; scoped < 2; scoped++) {
        const size_t length = gb_samples_point(point, sizeof point, set->axes, row->axis,
                                               set->axis_count, scoped ? row->scope : NULL);
        if (length >= sizeof point) return NULL;
        size_t size;
        char *begin = gb_samples_prefix(row->run_id, point, row->variant, row->cache, &size);
        const size_t number = begin ? *slot_of(file, begin, size) : 0;
        free(begin);
        if (number == 0) continue;
        const group *g = &file->groups[number - 1];
        return g->count == row->samples && has_mean(file->values + g->first, g->count, row->time_s)
                   ? file->values + g->first
                   : NULL;
    }
    return NULL;
}
