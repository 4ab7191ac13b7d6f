#include "kernels/multipartition/partition/tuning.h"

#include "common/protocol/measured.h"
#include "common/text/csv.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tables {
    const struct tables *before; /* somebody may still go by it */
    unsigned count, measured;    /* of these, the first so many were measured here */
    mp_tuned points[];
} tables;

/* NULL: what is compiled in alone. */
static _Atomic(const tables *) taken;
static _Atomic(const tables *) last; /* of all that were ever taken */

/* ---- reading ----------------------------------------------------------------------------------
 */

/* In the order of mp_method. */
static const char *const methods[MP_METHODS] = {
    [MP_AUTO] = "",
    [MP_UNSTABLE] = "unstable",
    [MP_UNSTABLE_COUNTED] = "unstable-counted",
    [MP_UNSTABLE_TILES] = "unstable-tiles",
    [MP_UNSTABLE_TILES_COUNTED] = "unstable-tiles-counted",
    [MP_UNSTABLE_RESIDENT] = "unstable-resident",
    [MP_UNSTABLE_TWO_PASS] = "unstable-two-pass",
    [MP_UNSTABLE_SAMPLED_TWO_PASS] = "unstable-sampled-two-pass",
    [MP_UNSTABLE_TILES_TWO_PASS] = "unstable-tiles-two-pass",
    [MP_STABLE] = "stable",
    [MP_STABLE_TWO_PASS] = "stable-two-pass",
    [MP_STABLE_DRAWN] = "stable-drawn",
    [MP_STABLE_DRAWN_TWO_PASS] = "stable-drawn-two-pass",
    [MP_STABLE_DRAWN_THREE_PASS] = "stable-drawn-three-pass",
    [MP_STABLE_TILES] = "stable-tiles",
    [MP_STABLE_TILES_TWO_PASS] = "stable-tiles-two-pass",
    [MP_STABLE_RESIDENT] = "stable-resident"};

const char *mp_method_name(mp_method method)
{
    return methods[method];
}

static int method_of(const char *variant)
{
    for (int m = MP_AUTO + 1; m < MP_METHODS; m++)
        if (strcmp(methods[m], variant) == 0) return m;
    return MP_AUTO;
}

/* Bytes of a type; false if there is none of that name. */
static bool bytes_of(const char *type, unsigned *bytes)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } types[] = {{"none", 0}, {"u32", 4}, {"u64", 8}, {"u128", 16}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, type) != 0) continue;
        *bytes = types[i].bytes;
        return true;
    }
    return false;
}

/* What was known of the keys; false of distributions that say nothing for others. */
static bool keys_of(const char *dist, mp_keys *keys)
{
    *keys = strcmp(dist, "zipf") == 0         ? MP_KEYS_SKEWED
            : strcmp(dist, "sorted") == 0     ? MP_KEYS_SORTED
            : strcmp(dist, "distinct:2") == 0 ? MP_KEYS_FEW
                                              : MP_KEYS_ANY;
    return *keys != MP_KEYS_ANY || strcmp(dist, "uniform") == 0;
}

/* A row's point and method; false if the chooser has no use for it. */
static bool read_row(const gb_csv *csv, size_t row, mp_tuned *point, int *method)
{
    const char *n = gb_csv_field(csv, row, "n"), *bins = gb_csv_field(csv, row, "bins");
    *method = method_of(gb_csv_field(csv, row, "variant"));
    if (*method == MP_AUTO || strcmp(gb_csv_field(csv, row, "status"), "ok") != 0) return false;
    point->n = strtoull(n, NULL, 10);
    point->bins = (uint32_t)strtoul(bins, NULL, 10);
    point->seconds[*method] = strtod(gb_csv_field(csv, row, "time_median_s"), NULL);
    return point->n && point->bins && point->seconds[*method] > 0 &&
           keys_of(gb_csv_field(csv, row, "dist"), &point->keys) &&
           bytes_of(gb_csv_field(csv, row, "type"), &point->key_bytes) &&
           bytes_of(gb_csv_field(csv, row, "payload"), &point->payload_bytes);
}

static bool same_point(const mp_tuned *a, const mp_tuned *b)
{
    return a->n == b->n && a->bins == b->bins && a->keys == b->keys &&
           a->key_bytes == b->key_bytes && a->payload_bytes == b->payload_bytes;
}

/* Rows of a point follow each other: they are written so. */
static gb_status read_rows(const gb_csv *csv, const char *path, const gb_device *device, tables *to,
                           gb_error *error)
{
    for (size_t i = 0; i < csv->row_count; i++) {
        mp_tuned point = {.gpu = "this device",
                          .arch = device->arch,
                          .sms = device->sms,
                          .copy_bytes_per_s = device->copy_bytes_per_s,
                          .l2_bytes = device->l2_bytes};
        int method;
        if (!gb_row_check(csv, i, path, GB_WRONG, error)) return GB_WRONG;
        const char *of = gb_csv_field(csv, i, "device"), *under = gb_csv_field(csv, i, "under");
        if (strcmp(of, device->name) != 0 || *under)
            return gb_fail(error, GB_WRONG, "%s: is of %.100s%s%.60s, and this is %.100s", path, of,
                           *under ? ", " : "", under, device->name);
        if (!read_row(csv, i, &point, &method)) continue;
        if (!to->count || !same_point(&to->points[to->count - 1], &point))
            to->points[to->count++] = point;
        else
            to->points[to->count - 1].seconds[method] = point.seconds[method];
    }
    if (to->count) return GB_OK;
    return gb_fail(error, GB_WRONG, "%s: no row of it is of a method that auto could take", path);
}

/* ---- taking -----------------------------------------------------------------------------------
 */

/* Those that are compiled in come behind: what was not measured here is theirs. */
static tables *tables_of(const gb_csv *csv, const char *path, const gb_device *device,
                         gb_error *error)
{
    const size_t most = csv->row_count + mp_tuning_count;
    tables *made = calloc(1, sizeof *made + most * sizeof *made->points);
    if (!made) {
        gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for %s", path);
        return NULL;
    }
    if (read_rows(csv, path, device, made, error) != GB_OK) {
        free(made);
        return NULL;
    }
    made->measured = made->count;
    memcpy(made->points + made->count, mp_tuning, mp_tuning_count * sizeof *mp_tuning);
    made->count += mp_tuning_count;
    return made;
}

gb_status mp_tuning_take(const char *text, size_t size, const char *path, const gb_device *device,
                         unsigned *points, gb_error *error)
{
    char *copy = malloc(size + 1);
    if (!copy) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for %s", path);
    memcpy(copy, text, size);
    copy[size] = '\0';
    gb_csv *csv = gb_csv_parse(copy, size, path, error);
    if (!csv) return GB_WRONG;
    gb_rows_settle(csv);
    tables *made = NULL;
    if (csv->torn_line)
        gb_fail(error, GB_WRONG, "%s: its last row is torn", path);
    else
        made = tables_of(csv, path, device, error);
    gb_csv_free(csv);
    if (!made) return error->status == GB_OUT_OF_MEMORY ? GB_OUT_OF_MEMORY : GB_WRONG;
    if (points) *points = made->measured;
    made->before = atomic_exchange(&last, made);
    atomic_store(&taken, made);
    return GB_OK;
}

void mp_tuning_drop(void)
{
    atomic_store(&taken, NULL);
}

unsigned mp_tuning_points(void)
{
    const tables *now = atomic_load(&taken);
    return now ? now->count : mp_tuning_count;
}

mp_method mp_choose(const mp_request *request, const gb_device *device, const mp_tuned **nearest)
{
    const tables *now = atomic_load(&taken);
    return now ? mp_choose_from(now->points, now->count, request, device, nearest)
               : mp_choose_from(mp_tuning, mp_tuning_count, request, device, nearest);
}

/* ---- in words ---------------------------------------------------------------------------------
 */

/* What is not in a table of this device's own. */
static void say_compiled_in(const gb_device *device, char *by, size_t capacity)
{
    const mp_request usual = {.n = 1 << 25, .bins = 256, .key_bytes = 4};
    double seconds[MP_METHODS];
    const mp_tuned *nearest = mp_expect(mp_tuning, mp_tuning_count, &usual, device, seconds);
    if (!nearest)
        snprintf(by, capacity, "nothing that was measured");
    else if (strcmp(nearest->gpu, device->name) == 0 && nearest->sms == device->sms)
        snprintf(by, capacity, "compiled in: %.60s", nearest->gpu);
    else
        snprintf(by, capacity, "rule: from %.60s by multiprocessors and bandwidth", nearest->gpu);
}

gb_status mp_tune(const char *table, size_t size, const gb_device *device, char by[GB_MAX_TEXT],
                  gb_error *error)
{
    char rest[GB_MAX_TEXT];
    unsigned points = 0;
    say_compiled_in(device, rest, sizeof rest);
    if (!table) {
        mp_tuning_drop();
        snprintf(by, GB_MAX_TEXT, "%s", rest);
        return GB_OK;
    }
    const gb_status status = mp_tuning_take(table, size, "the table", device, &points, error);
    if (status == GB_OK)
        snprintf(by, GB_MAX_TEXT, "measured here: %u point%s; else %.90s", points,
                 points == 1 ? "" : "s", rest);
    return status;
}
