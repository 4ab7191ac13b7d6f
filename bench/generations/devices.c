/* The devices of a generation's points, and their order. */
#include "bench/generations/generations.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------------------------
 */

/* "NVIDIA GeForce RTX 5090" as "RTX 5090". */
static const char *short_name(const char *device)
{
    static const char *const words[] = {"NVIDIA ", "GeForce ", "Tesla "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(device, words[i], strlen(words[i])) == 0 && device[strlen(words[i])])
            device += strlen(words[i]);
    return device;
}

/* One model has one place, however it is written; what was measured at several has as many. */
static const char *name_of(const gb_gpu *gpu, const gb_result_set *set, const gb_result_row *row)
{
    const bool told_apart = !set->published && strcmp(row->device, gb_row_model(row)) != 0;
    return gpu && !told_apart ? gpu->device : row->device;
}

size_t gb_generation_device_of(gb_arena *arena, gb_generation *found, const gb_gpus *gpus,
                               const gb_result_set *set, const gb_result_row *row)
{
    const gb_gpu *gpu = gb_gpu_find(gpus, set->published ? row->device : gb_row_model(row));
    const char *name = name_of(gpu, set, row);
    size_t at = 0;
    while (at < found->device_count && strcmp(found->devices[at].name, name) != 0)
        at++;
    if (at < found->device_count) {
        if (!set->published) found->devices[at].label = short_name(row->device);
        return at;
    }
    found->devices = gb_arena_grow(arena, found->devices, found->device_count,
                                   &found->device_capacity, sizeof *found->devices);
    found->devices[at] =
        (gb_generation_device){.name = name,
                               .label = short_name(row->device),
                               .architecture = gpu && gpu->architecture ? gpu->architecture : "",
                               .gpu = gpu};
    found->device_count++;
    return at;
}

/* ---- order ------------------------------------------------------------------------------------
 */

static int by_number(double a, double b)
{
    return (a > b) - (a < b);
}

/* By compute capability, which grows from one architecture to the next, then by year; of one year
 * by the memory. What no data sheet is known of comes last. */
static int by_generation(const gb_generation_device *a, const gb_generation_device *b)
{
    if (!*a->architecture || !*b->architecture)
        return *a->architecture || *b->architecture ? (*a->architecture ? -1 : 1)
                                                    : strcmp(a->name, b->name);
    int order = by_number(a->gpu->compute_capability, b->gpu->compute_capability);
    if (order && strcmp(a->architecture, b->architecture) != 0) return order;
    if (by_number(a->gpu->year, b->gpu->year)) return by_number(a->gpu->year, b->gpu->year);
    order = by_number(a->gpu->bytes_per_s, b->gpu->bytes_per_s);
    return order ? order : strcmp(a->name, b->name);
}

/* The devices that have points, in order; to: the new number of each old one. */
static void order_devices(gb_arena *arena, gb_generation *found, size_t *to)
{
    gb_generation_device *old = found->devices;
    bool *used = gb_arena_alloc(arena, (found->device_count + 1) * sizeof *used);
    size_t *at = gb_arena_alloc(arena, (found->device_count + 1) * sizeof *at), count = 0;
    for (size_t p = 0; p < found->point_count; p++)
        used[found->points[p].device] = true;
    for (size_t d = 0; d < found->device_count; d++) {
        if (!used[d]) continue;
        size_t place = count++;
        for (; place > 0 && by_generation(&old[at[place - 1]], &old[d]) > 0; place--)
            at[place] = at[place - 1];
        at[place] = d;
    }
    found->devices = gb_arena_alloc(arena, (count + 1) * sizeof *found->devices);
    for (size_t i = 0; i < count; i++) {
        found->devices[i] = old[at[i]];
        to[at[i]] = i;
    }
    found->device_count = count;
}

static int by_place(const void *x, const void *y)
{
    const gb_generation_point *a = x, *b = y;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    if (a->device != b->device) return a->device < b->device ? -1 : 1;
    return (int)a->printed - (int)b->printed;
}

void gb_generation_order(gb_arena *arena, gb_generation *found)
{
    size_t *to = gb_arena_alloc(arena, (found->device_count + 1) * sizeof *to);
    order_devices(arena, found, to);
    for (size_t p = 0; p < found->point_count; p++)
        found->points[p].device = to[found->points[p].device];
    if (found->point_count)
        qsort(found->points, found->point_count, sizeof *found->points, by_place);
    for (size_t d = 0; d < found->device_count; d++)
        found->architectures += *found->devices[d].architecture &&
                                (d == 0 || strcmp(found->devices[d - 1].architecture,
                                                  found->devices[d].architecture) != 0);
}
