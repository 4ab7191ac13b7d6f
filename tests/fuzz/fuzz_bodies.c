/* Files of bodies, the format named by the first byte: what is read is finite, and the same in
 * pieces of whatever size; what is not is said in a sentence. */
#include "tests/fuzz/fuzz.h"

#include "kernels/octree/formats/format.h"

#include <math.h>

enum { MOST = 4096 };

static const char *name_of(uint8_t byte)
{
    switch (byte) {
    case 'c':
        return "in.csv";
    case 'x':
        return "in.xyz";
    case 'n':
        return "in.npy";
    case 'p':
        return "in.ply";
    case 'd':
        return "in.pcd";
    case 'f':
        return "in.f32";
    default:
        return NULL;
    }
}

/* Reads up to MOST bodies, `piece` at a time; returns how many. */
static size_t read_all(const uint8_t *data, size_t size, const char *name, uint64_t n, size_t piece,
                       oc_body *bodies)
{
    gb_error error = {GB_OK, ""};
    FILE *stream = fmemopen((void *)data, size, "rb");
    REQUIRE(stream);
    oc_file *file;
    size_t count = 0;
    gb_status status = oc_file_over(stream, size, name, n, &file, &error);
    REQUIRE((status == GB_OK) == (file != NULL));
    while (status == GB_OK && count + piece <= n) {
        status = oc_file_read(file, bodies + count, piece, &error);
        if (status == GB_OK) count += piece;
    }
    if (status != GB_OK) {
        REQUIRE(status == GB_NO_INPUT);
        require_message(&error, "in.");
    }
    oc_file_close(file);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static oc_body one[MOST], other[MOST];
    const char *name = size > 1 ? name_of(data[0]) : NULL;
    if (!name) return 0;
    const size_t count = read_all(data + 1, size - 1, name, MOST, 1, one);
    for (size_t i = 0; i < count; i++)
        REQUIRE(isfinite(one[i].x) && isfinite(one[i].y) && isfinite(one[i].z));
    if (count == 0) {
        /* a head that says how many there are refuses more than that at once */
        (void)read_all(data + 1, size - 1, name, 1, 1, one);
        return 0;
    }
    REQUIRE(read_all(data + 1, size - 1, name, count, count, other) == count);
    REQUIRE(memcmp(one, other, count * sizeof *one) == 0);
    return 0;
}
