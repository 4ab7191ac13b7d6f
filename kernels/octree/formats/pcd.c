/* PCD (The Point Cloud Library's "The PCD (Point Cloud Data) file format", version 0.7): a head of
 * lines, then points, as text or in bytes, little-endian. */
#include "kernels/octree/formats/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the head says of a field. */
typedef struct field {
    int axis; /* -1: none */
    char kind;
    unsigned size, count;
} field;

typedef struct head {
    field *fields; /* OC_WORDS */
    unsigned field_count;
    bool sizes, types, points;
    char data; /* 'a', 'b'; '\0': not said yet */
} head;

static int axis_of(const char *name)
{
    for (int c = 0; c < 3; c++)
        if (name[0] == oc_axis_names[c] && !name[1]) return c;
    return -1;
}

static bool whole(const char *text, uint64_t most, uint64_t *value)
{
    char *end;
    if (*text < '0' || *text > '9') return false;
    *value = strtoull(text, &end, 10);
    return !*end && *value <= most;
}

static void take_fields(head *h, char **words, unsigned count)
{
    h->field_count = count;
    for (unsigned i = 0; i < count; i++)
        h->fields[i] = (field){.axis = axis_of(words[i]), .count = 1};
}

/* SIZE, TYPE and COUNT: a word a field. */
static bool take_property(head *h, const char *what, char **words, unsigned count)
{
    uint64_t value = 0;
    if (count != h->field_count) return false;
    for (unsigned i = 0; i < count; i++) {
        field *f = &h->fields[i];
        if (*what == 'T') {
            f->kind = words[i][0] == 'F' ? 'f' : words[i][0] == 'U' ? 'u' : 'i';
            if (!strchr("FUI", words[i][0]) || words[i][1]) return false;
            continue;
        }
        if (!whole(words[i], *what == 'S' ? 8 : 1 << 16, &value)) return false;
        if (*what == 'S')
            f->size = (unsigned)value;
        else
            f->count = (unsigned)value;
    }
    h->sizes |= *what == 'S';
    h->types |= *what == 'T';
    return true;
}

static gb_status take_data(const oc_file *file, head *h, const char *word, gb_error *error)
{
    h->data = strcmp(word, "ascii") == 0 ? 'a' : strcmp(word, "binary") == 0 ? 'b' : '\0';
    if (h->data) return GB_OK;
    return oc_refuse_line(file, error,
                          "its points are '%.40s', and ascii and binary are read: pcl_convert_pcd_"
                          "ascii_binary IN.pcd OUT.pcd 1 writes binary",
                          word);
}

static gb_status read_head_line(oc_file *file, head *h, gb_error *error)
{
    char *words[OC_WORDS + 1];
    const unsigned count = oc_split(file->line, words, OC_WORDS + 1);
    if (count == 0 || words[0][0] == '#') return GB_OK;
    const char *what = words[0];
    bool good = count >= 2 && count <= OC_WORDS + 1;
    if (good && strcmp(what, "FIELDS") == 0)
        take_fields(h, words + 1, count - 1);
    else if (good &&
             (strcmp(what, "SIZE") == 0 || strcmp(what, "TYPE") == 0 || strcmp(what, "COUNT") == 0))
        good = take_property(h, what, words + 1, count - 1);
    else if (good && strcmp(what, "POINTS") == 0)
        good = h->points = whole(words[1], UINT64_MAX, &file->holds);
    else if (good && strcmp(what, "DATA") == 0)
        return take_data(file, h, words[1], error);
    else if (good)
        good = strcmp(what, "VERSION") == 0 || strcmp(what, "WIDTH") == 0 ||
               strcmp(what, "HEIGHT") == 0 || strcmp(what, "VIEWPOINT") == 0;
    return good ? GB_OK
                : oc_refuse_line(file, error, "'%.40s': this is no line of a PCD head", what);
}

/* Where x, y and z lie in a point. */
static gb_status lay_out(oc_file *file, const head *h, gb_error *error)
{
    oc_binary *b = &file->binary;
    *b = (oc_binary){.planes = 1};
    uint64_t columns = 0;
    for (unsigned i = 0; i < h->field_count; i++) {
        const field *f = &h->fields[i];
        if (f->axis >= 0 && f->count == 1 && oc_is_number_type(f->kind, f->size)) {
            if (b->type[f->axis].size)
                return oc_refuse(file, error, "%c is there twice", oc_axis_names[f->axis]);
            b->type[f->axis] = (oc_number){f->kind, f->size, false};
            b->offset[f->axis] = b->stride;
            file->column[f->axis] = (unsigned)columns;
        }
        b->stride += (uint64_t)f->size * f->count;
        columns += f->count;
    }
    for (unsigned c = 0; c < 3; c++)
        if (!b->type[c].size)
            return oc_refuse(file, error, "its points have no number %c", oc_axis_names[c]);
    if (columns > OC_WORDS)
        return oc_refuse(file, error, "a point has more than %d numbers", OC_WORDS);
    file->columns = (unsigned)columns;
    return GB_OK;
}

static gb_status read_head(oc_file *file, head *h, gb_error *error)
{
    while (!h->data) {
        bool found;
        gb_status status = oc_next_line(file, &found, error);
        if (status == GB_OK && !found)
            status = oc_refuse(file, error, "is no PCD file: its head has no line DATA");
        if (status == GB_OK) status = read_head_line(file, h, error);
        if (status != GB_OK) return status;
    }
    if (h->field_count && h->sizes && h->types && h->points) return lay_out(file, h, error);
    return oc_refuse(file, error, "its head lacks FIELDS, SIZE, TYPE or POINTS");
}

gb_status oc_begin_pcd(oc_file *file, gb_error *error)
{
    head h = {.fields = calloc(OC_WORDS + 1, sizeof *h.fields)};
    if (!h.fields)
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to read %s", file->shown);
    gb_status status = read_head(file, &h, error);
    free(h.fields);
    if (status != GB_OK) return status;
    if (h.data == 'a') {
        file->read = oc_read_words;
        return GB_OK;
    }
    file->binary.begin[0] = (uint64_t)ftello(file->stream);
    return oc_begin_binary(file, error);
}
