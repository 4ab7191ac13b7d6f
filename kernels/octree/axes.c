/* The axes of the octree and the work of a point. */
#include "kernels/octree/file.h"
#include "kernels/octree/octree.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { MOST_SMS = 4096, SPARE_CELLS = 4096 };
static const uint64_t MOST_BODIES = (uint64_t)1 << 30;
static const char sms_prefix[] = "sms:", copies_prefix[] = "duplicates:", path_prefix[] = "file:";

const gb_axis oc_axes[OC_AXES] = {
    [OC_N] = {.name = "n",
              .type = GB_AXIS_SIZE,
              .help = "how many bodies",
              .fallback = "1M",
              .small = "4k",
              .min = 0,
              .max = (uint64_t)1 << 30,
              .nasty = LIST("0", "1", "2", "31", "32", "33", "97", "1023", "1024", "1025", "4093",
                            "8191", "8192", "8193", "20011", "65537")},
    [OC_DIST] = {.name = "dist",
                 .type = GB_AXIS_NAME,
                 .help =
                     "where the bodies are, and in which order in memory; duplicates:K puts K "
                     "on a position; file:PATH reads x, y, z from .csv, .xyz, .npy, .ply and .pcd, "
                     "or float triples (.f32, .bin); the worker looks for it from its "
                     "working folder",
                 .fallback = "plummer",
                 .names = LIST(OC_DISTS, "duplicates:", "file:"),
                 .nasty = LIST(OC_DISTS, "duplicates:1000000")},
    [OC_LEAF] = OC_LEAF_AXIS,
    [OC_GRID] = {.name = "grid",
                 .type = GB_AXIS_NAME,
                 .help = "full: what the device holds; sms:K: what K multiprocessors would hold",
                 .fallback = "full",
                 .names = LIST("full", "sms:"),
                 .nasty = LIST("full")},
    [OC_POOL] = OC_POOL_AXIS("bodies"),
};

/* The number after a prefix; 0: there is none from 1 to `most`. */
static uint64_t number_after(const char *text, const char *prefix, uint64_t most)
{
    const char *digits = text + strlen(prefix);
    const size_t length = strlen(digits);
    if (length == 0 || length > 10 || strspn(digits, "0123456789") != length) return 0;
    const unsigned long long number = strtoull(digits, NULL, 10);
    return number <= most ? number : 0;
}

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static oc_dist_kind dist_of(const char *text)
{
    static const struct {
        const char *name;
        oc_dist_kind kind;
    } named[] = {{"plummer", OC_DIST_PLUMMER},
                 {"cube", OC_DIST_CUBE},
                 {"uniform", OC_DIST_UNIFORM},
                 {"cube-morton", OC_DIST_CUBE_MORTON},
                 {"clusters", OC_DIST_CLUSTERS},
                 {"soneira-peebles", OC_DIST_SONEIRA_PEEBLES},
                 {"disc", OC_DIST_DISC},
                 {"line", OC_DIST_LINE},
                 {"duplicates", OC_DIST_DUPLICATES}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(text, named[i].name) == 0) return named[i].kind;
    if (begins_with(text, path_prefix)) return OC_DIST_FILE;
    if (begins_with(text, copies_prefix) && number_after(text, copies_prefix, MOST_BODIES))
        return OC_DIST_DUPLICATES;
    return OC_DIST_NONE;
}

gb_params oc_params_of(gb_value n, gb_value dist, gb_value leaf, gb_value pool)
{
    gb_params params;
    memset(&params, 0, sizeof params);
    params.value[OC_N] = n;
    params.value[OC_DIST] = dist;
    params.value[OC_LEAF] = leaf;
    params.value[OC_GRID].text = "full";
    params.value[OC_POOL] = pool;
    return params;
}

unsigned oc_index_of(const char *const *names, const char *text)
{
    unsigned i = 0;
    while (names[i + 1] && strcmp(names[i], text) != 0)
        i++;
    return i;
}

oc_shape oc_shape_of(const gb_params *params)
{
    const char *dist = params->value[OC_DIST].text, *grid = params->value[OC_GRID].text;
    oc_shape shape = {.n = params->value[OC_N].size,
                      .dist = dist_of(dist),
                      .leaf = (unsigned)params->value[OC_LEAF].size};
    shape.pool = shape.n * params->value[OC_POOL].size / 100 + SPARE_CELLS;
    if (shape.pool > OC_MOST_CELLS) shape.pool = OC_MOST_CELLS;
    if (shape.dist == OC_DIST_FILE) shape.path = dist + strlen(path_prefix);
    if (shape.dist == OC_DIST_DUPLICATES)
        shape.copies =
            begins_with(dist, copies_prefix) ? number_after(dist, copies_prefix, MOST_BODIES) : 16;
    if (strcmp(grid, "full") != 0) {
        const uint64_t sms = number_after(grid, sms_prefix, MOST_SMS);
        shape.sms = begins_with(grid, sms_prefix) && sms ? (unsigned)sms : UINT_MAX;
    }
    return shape;
}

const char *oc_invalid(const gb_params *params)
{
    const oc_shape shape = oc_shape_of(params);
    if (shape.dist == OC_DIST_NONE)
        return gb_reason("dist '%.60s': duplicates:K takes a K from 1 to %llu",
                         params->value[OC_DIST].text, (unsigned long long)MOST_BODIES);
    if (shape.sms == UINT_MAX)
        return gb_reason("grid '%.40s': write full, or sms:K with K from 1 to %d",
                         params->value[OC_GRID].text, MOST_SMS);
    return NULL;
}

const char *oc_mistake(const gb_params *params)
{
    const oc_shape shape = oc_shape_of(params);
    const char *invalid = oc_invalid(params);
    gb_error error;
    if (invalid || !shape.path) return invalid;
    return oc_file_look(shape.path, shape.n, &error) == GB_OK ? NULL : gb_reason("%s", error.text);
}

const char *oc_one_body(const gb_params *params, const gb_device *device)
{
    (void)device;
    return params->value[OC_LEAF].size == 1 ? NULL : "it holds one body a leaf: leaf must be 1";
}

const char *oc_full_grid(const gb_params *params, const gb_device *device)
{
    (void)device;
    return oc_shape_of(params).sms ? "its launches do not follow the axis grid: grid must be full"
                                   : NULL;
}

/* Every body is read once, and stands in one slot. */
gb_work oc_work(const gb_params *params)
{
    const uint64_t n = params->value[OC_N].size;
    return (gb_work){.items = n, .bytes = 20 * n, .flops = 0, .footprint = 32 * n};
}
