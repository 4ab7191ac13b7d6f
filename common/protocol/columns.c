/* The names of columns, said once, and the lines that are made of them. */
#include "common/protocol/columns.h"

#include "common/text/csv.h"

#include <string.h>

static const char *const names[GB_COLUMN_COUNT] = {
    [GB_COLUMN_SCHEMA] = "schema",
    [GB_COLUMN_RUN_ID] = "run_id",
    [GB_COLUMN_EXPERIMENT] = "experiment",
    [GB_COLUMN_PRIMITIVE] = "primitive",
    [GB_COLUMN_VARIANT] = "variant",
    [GB_COLUMN_INSTANCE] = "instance",
    [GB_COLUMN_UNDER] = "under",
    [GB_COLUMN_BACKEND] = "backend",
    [GB_COLUMN_DEVICE] = "device",
    [GB_COLUMN_CACHE] = "cache",
    [GB_COLUMN_SCOPE] = "scope",
    [GB_COLUMN_STATUS] = "status",
    [GB_COLUMN_REASON] = "reason",
    [GB_COLUMN_SAMPLES] = "samples",
    [GB_COLUMN_UNIT] = "unit",
    [GB_COLUMN_ITEMS] = "items",
    [GB_COLUMN_TIME_MEAN_S] = "time_mean_s",
    [GB_COLUMN_TIME_CI95_LO_S] = "time_ci95_lo_s",
    [GB_COLUMN_TIME_CI95_HI_S] = "time_ci95_hi_s",
    [GB_COLUMN_TIME_MEDIAN_S] = "time_median_s",
    [GB_COLUMN_TIME_MIN_S] = "time_min_s",
    [GB_COLUMN_TIME_MAX_S] = "time_max_s",
    [GB_COLUMN_TIME_SD_S] = "time_sd_s",
    [GB_COLUMN_RATE] = "rate",
    [GB_COLUMN_RATE_CI95_LO] = "rate_ci95_lo",
    [GB_COLUMN_RATE_CI95_HI] = "rate_ci95_hi",
    [GB_COLUMN_LIMIT_KIND] = "limit_kind",
    [GB_COLUMN_LIMIT_RATE] = "limit_rate",
    [GB_COLUMN_LIMIT_FRACTION] = "limit_fraction",
    [GB_COLUMN_SM_CLOCK_MHZ] = "sm_clock_mhz",
    [GB_COLUMN_MEM_CLOCK_MHZ] = "mem_clock_mhz",
    [GB_COLUMN_TEMPERATURE_C] = "temperature_c",
    [GB_COLUMN_POWER_W] = "power_w",
    [GB_COLUMN_FLAGS] = "flags",
    [GB_COLUMN_SEED] = "seed",
    [GB_COLUMN_STARTED_UTC] = "started_utc",
    [GB_COLUMN_PAPER] = "paper",
    [GB_COLUMN_KIND] = "kind",
    [GB_COLUMN_LOCATOR] = "locator",
    [GB_COLUMN_QUANTITY] = "quantity",
    [GB_COLUMN_BASELINE] = "baseline",
    [GB_COLUMN_VALUE] = "value",
    [GB_COLUMN_CI95_REL] = "ci95_rel",
    [GB_COLUMN_ASSUMPTION] = "assumption",
    [GB_COLUMN_NOTE] = "note",
    [GB_COLUMN_KERNEL] = "kernel",
    [GB_COLUMN_TIME_S] = "time_s",
    [GB_COLUMN_L1_HIT_RATE] = "l1_hit_rate",
    [GB_COLUMN_L2_HIT_RATE] = "l2_hit_rate",
    [GB_COLUMN_DRAM_READ] = "dram_read_bytes_per_item",
    [GB_COLUMN_DRAM_WRITE] = "dram_write_bytes_per_item",
    [GB_COLUMN_SOURCE] = "source",
    [GB_COLUMN_YEAR] = "year",
    [GB_COLUMN_ITEM] = "item",
};

const char *gb_column_name(gb_column column)
{
    return names[column];
}

bool gb_column_is_taken(const char *name)
{
    for (int i = 0; i < GB_COLUMNS_TAKEN; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

char *gb_columns_header(const char *const *axes, unsigned axis_count, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    if (!file) return NULL;
    for (int i = 0; i < GB_COLUMNS_BEFORE_AXES; i++)
        gb_csv_put(file, names[i], i == 0);
    for (unsigned i = 0; i < axis_count; i++)
        gb_csv_put(file, axes[i], false);
    for (int i = GB_COLUMNS_BEFORE_AXES; i < GB_COLUMNS_MEASURED; i++)
        gb_csv_put(file, names[i], false);
    putc('\n', file);
    return fclose(file) == 0 ? text : NULL;
}

size_t gb_samples_header(const char *text, size_t size)
{
    static const char mark[] = "\xEF\xBB\xBF", header[] = GB_SAMPLES_HEADER;
    const size_t marked = sizeof mark - 1, length = sizeof header - 2; /* without its line end */
    size_t at = size >= marked && memcmp(text, mark, marked) == 0 ? marked : 0;
    if (size - at < length || memcmp(text + at, header, length) != 0) return 0;
    at += length;
    if (at < size && text[at] == '\r') at++;
    if (at == size) return at;
    return text[at] == '\n' ? at + 1 : 0;
}

size_t gb_samples_point(char *text, size_t capacity, const char *const *axes,
                        const char *const *values, unsigned axis_count, const char *scope)
{
    size_t used = 0;
    *text = '\0';
    for (unsigned i = 0; i < axis_count && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%s%s=%s", i ? ";" : "", axes[i],
                                 values[i]);
    if (scope && used < capacity)
        used += (size_t)snprintf(text + used, capacity - used, ";scope=%s", scope);
    return used;
}

char *gb_samples_prefix(const char *run_id, const char *point, const char *variant,
                        const char *cache, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    if (!file) return NULL;
    gb_csv_put(file, run_id, true);
    gb_csv_put(file, point, false);
    gb_csv_put(file, variant, false);
    gb_csv_put(file, cache, false);
    putc(',', file);
    return fclose(file) == 0 ? text : NULL;
}
