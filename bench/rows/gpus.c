/* What data sheets say of GPUs: reading results/published/gpus.csv. */
#include "bench/rows/gpus.h"

#include "bench/rows/rows.h"
#include "bench/util/csv_load.h"
#include "bench/util/share.h"
#include "common/text/csv.h"
#include "common/text/number.h"
#include "common/text/text.h"

#include <string.h>

bool gb_is_gpus(const gb_csv *csv)
{
    return gb_csv_column(csv, "device") >= 0 && gb_csv_column(csv, "memory_bytes_per_s") >= 0 &&
           gb_csv_column(csv, "source") >= 0;
}

static bool take_number(const gb_csv *csv, size_t row, const char *column, const char *path,
                        double *number, gb_error *error)
{
    const char *text = gb_csv_field(csv, row, column);
    *number = 0;
    if (!*text) return true;
    if (!gb_number_parse(text, number) || *number <= 0) {
        gb_fail(error, GB_WRONG, "%s: data row %zu, column %s: '%.80s' is no number above 0", path,
                row + 1, column, text);
        return false;
    }
    if (*gb_csv_field(csv, row, "source")) return true;
    gb_fail(error, GB_WRONG, "%s: data row %zu has no source: say where its numbers stand", path,
            row + 1);
    return false;
}

/* The first of these that one of the names, separated by ';', stands for. */
static const gb_gpu *find_alias(gb_arena *arena, const gb_gpus *gpus, const char *names)
{
    char *rest = gb_arena_strdup(arena, names), *name;
    const gb_gpu *found = NULL;
    while (!found && (name = strsep(&rest, ";")))
        if (*name) found = gb_gpu_find(gpus, name);
    return found;
}

static bool take_rows(gb_arena *arena, const gb_csv *csv, const char *path, gb_gpus *gpus,
                      gb_error *error)
{
    static const char *const columns[] = {"device", "memory_bytes_per_s", "fp32_flop_per_s",
                                          "source"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (gb_csv_column(csv, columns[i]) >= 0) continue;
        gb_fail(error, GB_WRONG, "%s has no column '%s'", path, columns[i]);
        return false;
    }
    gpus->items = gb_arena_alloc(arena, (csv->row_count + 1) * sizeof *gpus->items);
    for (size_t row = 0; row < csv->row_count; row++) {
        const gb_gpus before = *gpus;
        gb_gpu *gpu = &gpus->items[gpus->count++];
        gpu->device = gb_arena_strdup(arena, gb_csv_field(csv, row, "device"));
        gpu->alias = gb_arena_strdup(arena, gb_csv_field(csv, row, "alias"));
        gpu->architecture = gb_arena_strdup(arena, gb_csv_field(csv, row, "architecture"));
        if (!take_number(csv, row, "memory_bytes_per_s", path, &gpu->bytes_per_s, error) ||
            !take_number(csv, row, "fp32_flop_per_s", path, &gpu->flop_per_s, error) ||
            !take_number(csv, row, "sms", path, &gpu->sms, error) ||
            !take_number(csv, row, "sm_clock_max_hz", path, &gpu->sm_clock_hz, error) ||
            !take_number(csv, row, "l2_bytes", path, &gpu->l2_bytes, error) ||
            !take_number(csv, row, "power_w", path, &gpu->power_w, error) ||
            !take_number(csv, row, "compute_capability", path, &gpu->compute_capability, error) ||
            !take_number(csv, row, "year", path, &gpu->year, error))
            return false;
        if (gb_gpu_find(&before, gpu->device) || find_alias(arena, &before, gpu->alias)) {
            gb_fail(error, GB_WRONG,
                    "%s: data row %zu: '%.80s' or a further name of it is in a row before", path,
                    row + 1, gpu->device);
            return false;
        }
    }
    return true;
}

bool gb_gpus_load(gb_arena *arena, const char *name, gb_gpus *gpus, gb_error *error)
{
    *gpus = (gb_gpus){0};
    const char *path = gb_share_find(arena, gb_arena_printf(arena, "results/published/%s", name));
    if (!path) {
        gb_fail(error, GB_WRONG, "there is no results/published/%s in any of: %s", name,
                gb_share_places(arena));
        return false;
    }
    gb_csv *csv = gb_csv_load(path, error);
    if (!csv) return false;
    bool ok = take_rows(arena, csv, path, gpus, error);
    gb_csv_free(csv);
    return ok;
}

const gb_gpu *gb_gpu_find(const gb_gpus *gpus, const char *device)
{
    for (size_t i = 0; i < gpus->count; i++)
        if (strcmp(gpus->items[i].device, device) == 0) return &gpus->items[i];
    for (size_t i = 0; i < gpus->count; i++)
        if (gb_text_lists(gpus->items[i].alias, device)) return &gpus->items[i];
    return NULL;
}
