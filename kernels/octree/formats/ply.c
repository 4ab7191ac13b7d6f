/* PLY (Turk, "The PLY Polygon File Format", 1994): a head of lines that describes elements and
 * their properties, then the elements, as text or in bytes of either order. Its vertices are the
 * bodies. */
#include "kernels/octree/formats/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 8 };

typedef struct head {
    char encoding; /* 'a': text, 'l': little-endian, 'b': big-endian; '\0': not said yet */
    unsigned elements;
    bool vertices; /* the properties are theirs */
    bool done;
} head;

static bool number_type(const char *name, oc_number *type)
{
    static const struct {
        const char *name, *also;
        oc_number type;
    } types[] = {
        {"char", "int8", {'i', 1, false}},     {"uchar", "uint8", {'u', 1, false}},
        {"short", "int16", {'i', 2, false}},   {"ushort", "uint16", {'u', 2, false}},
        {"int", "int32", {'i', 4, false}},     {"uint", "uint32", {'u', 4, false}},
        {"float", "float32", {'f', 4, false}}, {"double", "float64", {'f', 8, false}},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(name, types[i].name) != 0 && strcmp(name, types[i].also) != 0) continue;
        *type = types[i].type;
        return true;
    }
    return false;
}

static gb_status read_format(const oc_file *file, head *h, char **words, unsigned count,
                             gb_error *error)
{
    static const char *const names[] = {"ascii", "little-endian", "binary_little_endian",
                                        "binary_big_endian"};
    static const char encodings[] = "allb";
    for (size_t i = 0; count == 3 && i < sizeof names / sizeof *names; i++)
        if (strcmp(words[1], names[i]) == 0) h->encoding = encodings[i];
    if (h->encoding) return GB_OK;
    return oc_refuse_line(file, error,
                          "this format of PLY is not known; ascii, binary_little_endian and "
                          "binary_big_endian are read");
}

/* "element vertex 12" */
static gb_status read_element(oc_file *file, head *h, char **words, unsigned count, gb_error *error)
{
    const bool vertices = count == 3 && strcmp(words[1], "vertex") == 0;
    h->vertices = vertices;
    h->elements++;
    if (h->elements == 1 && !vertices)
        return oc_refuse_line(file, error,
                              "the first elements are no vertices; vertices have to stand first");
    if (h->elements > 1) return GB_OK;
    char *end;
    if (words[2][0] < '0' || words[2][0] > '9')
        return oc_refuse_line(file, error, "'%.40s' is no number of vertices", words[2]);
    file->holds = strtoull(words[2], &end, 10);
    return *end ? oc_refuse_line(file, error, "'%.40s' is no number of vertices", words[2]) : GB_OK;
}

/* "property float x" */
static gb_status read_property(oc_file *file, const head *h, char **words, unsigned count,
                               gb_error *error)
{
    oc_number type;
    oc_binary *b = &file->binary;
    if (!h->vertices) return GB_OK;
    if (count > 1 && strcmp(words[1], "list") == 0)
        return oc_refuse_line(file, error, "vertices with lists are not read");
    if (count != 3 || !number_type(words[1], &type))
        return oc_refuse_line(file, error, "this property's type is not known");
    if (++file->columns > OC_WORDS)
        return oc_refuse_line(file, error, "a vertex has more than %d properties", OC_WORDS);
    for (unsigned c = 0; c < 3; c++) {
        if (words[2][0] != oc_axis_names[c] || words[2][1]) continue;
        if (b->type[c].size) return oc_refuse_line(file, error, "%s is there twice", words[2]);
        b->type[c] = type;
        b->offset[c] = b->stride;
        file->column[c] = file->columns - 1;
    }
    b->stride += type.size;
    return GB_OK;
}

static gb_status read_head_line(oc_file *file, head *h, gb_error *error)
{
    char *words[WORDS];
    const unsigned count = oc_split(file->line, words, WORDS);
    if (count == 0 || strcmp(words[0], "comment") == 0 || strcmp(words[0], "obj_info") == 0)
        return GB_OK;
    if (strcmp(words[0], "format") == 0) return read_format(file, h, words, count, error);
    if (strcmp(words[0], "element") == 0) return read_element(file, h, words, count, error);
    if (strcmp(words[0], "property") == 0) return read_property(file, h, words, count, error);
    h->done = strcmp(words[0], "end_header") == 0;
    return h->done ? GB_OK : oc_refuse_line(file, error, "'%.40s' is no word of PLY", words[0]);
}

static gb_status read_head(oc_file *file, head *h, gb_error *error)
{
    bool found;
    for (bool first = true; !h->done; first = false) {
        gb_status status = oc_next_line(file, &found, error);
        if (status != GB_OK) return status;
        if (first && (!found || strcmp(file->line, "ply") != 0))
            return oc_refuse(file, error, "is no PLY file: its first line is not 'ply'");
        if (!found) return oc_refuse(file, error, "ends within its head");
        if (!first) status = read_head_line(file, h, error);
        if (status != GB_OK) return status;
    }
    return GB_OK;
}

gb_status oc_begin_ply(oc_file *file, gb_error *error)
{
    head h = {0};
    oc_binary *b = &file->binary;
    *b = (oc_binary){.planes = 1};
    gb_status status = read_head(file, &h, error);
    if (status != GB_OK) return status;
    if (!h.encoding || h.elements == 0)
        return oc_refuse(file, error, "its head lacks the format or the vertices");
    for (unsigned c = 0; c < 3; c++) {
        if (!b->type[c].size)
            return oc_refuse(file, error, "its vertices have no %c", oc_axis_names[c]);
        b->type[c].big_endian = h.encoding == 'b';
    }
    if (h.encoding == 'a') {
        file->read = oc_read_words;
        return GB_OK;
    }
    b->begin[0] = (uint64_t)ftello(file->stream);
    return oc_begin_binary(file, error);
}
