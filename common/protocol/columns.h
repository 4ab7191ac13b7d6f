/* The columns of result files, for those who write them and those who read them. */
#ifndef GB_PROTOCOL_COLUMNS_H
#define GB_PROTOCOL_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GB_RESULT_SCHEMA "1" /* what the first column says */

/* In the order of the file: NAME.csv has those up to GB_COLUMN_DEVICE, then a column for each axis,
 * then those from GB_COLUMN_CACHE to GB_COLUMN_STARTED_UTC. */
typedef enum gb_column {
    GB_COLUMN_SCHEMA,
    GB_COLUMN_RUN_ID,
    GB_COLUMN_EXPERIMENT,
    GB_COLUMN_PRIMITIVE,
    GB_COLUMN_VARIANT,
    GB_COLUMN_INSTANCE,
    GB_COLUMN_UNDER, /* conditions of the device (under.h); files of before have no such column */
    GB_COLUMN_BACKEND,
    GB_COLUMN_DEVICE,

    GB_COLUMN_CACHE,
    GB_COLUMN_SCOPE,
    GB_COLUMN_STATUS,
    GB_COLUMN_REASON,
    GB_COLUMN_SAMPLES,
    GB_COLUMN_UNIT,
    GB_COLUMN_ITEMS,
    GB_COLUMN_TIME_MEAN_S,
    GB_COLUMN_TIME_CI95_LO_S,
    GB_COLUMN_TIME_CI95_HI_S,
    GB_COLUMN_TIME_MEDIAN_S,
    GB_COLUMN_TIME_MIN_S,
    GB_COLUMN_TIME_MAX_S,
    GB_COLUMN_TIME_SD_S,
    GB_COLUMN_RATE,
    GB_COLUMN_RATE_CI95_LO,
    GB_COLUMN_RATE_CI95_HI,
    GB_COLUMN_LIMIT_KIND,
    GB_COLUMN_LIMIT_RATE,
    GB_COLUMN_LIMIT_FRACTION,
    GB_COLUMN_SM_CLOCK_MHZ,
    GB_COLUMN_MEM_CLOCK_MHZ,
    GB_COLUMN_TEMPERATURE_C,
    GB_COLUMN_POWER_W,
    GB_COLUMN_FLAGS,
    GB_COLUMN_SEED,
    GB_COLUMN_STARTED_UTC,

    /* What published numbers have in the place of measured ones. */
    GB_COLUMN_PAPER,
    GB_COLUMN_KIND,
    GB_COLUMN_LOCATOR,
    GB_COLUMN_QUANTITY,
    GB_COLUMN_BASELINE,
    GB_COLUMN_VALUE,
    GB_COLUMN_CI95_REL,
    GB_COLUMN_ASSUMPTION,
    GB_COLUMN_NOTE,

    /* What a profiler counted, instead (scripts/profile.sh). */
    GB_COLUMN_KERNEL,
    GB_COLUMN_TIME_S,
    GB_COLUMN_L1_HIT_RATE,
    GB_COLUMN_L2_HIT_RATE,
    GB_COLUMN_DRAM_READ,
    GB_COLUMN_DRAM_WRITE,

    /* What numbers printed elsewhere have besides those of papers (bench/rows/elsewhere.h). */
    GB_COLUMN_SOURCE,
    GB_COLUMN_YEAR,
    GB_COLUMN_ITEM,

    GB_COLUMN_COUNT,
    GB_COLUMNS_BEFORE_AXES = GB_COLUMN_DEVICE + 1,
    GB_COLUMNS_MEASURED = GB_COLUMN_STARTED_UTC + 1,
    GB_COLUMNS_TAKEN = GB_COLUMN_NOTE + 1
} gb_column;

const char *gb_column_name(gb_column column);

/* Whether a result file, measured or published, has a column of this name, which an axis then
 * cannot have. */
bool gb_column_is_taken(const char *name);

/* The first line of NAME.csv with its line end, *size bytes; the caller frees it. NULL without
 * memory. */
char *gb_columns_header(const char *const *axes, unsigned axis_count, size_t *size);

/* ---- NAME.samples.csv: a line a sample ------------------------------------------------------- */

#define GB_SAMPLES_HEADER "run_id,point,variant,cache,index,time_s\n"

/* How many bytes the first line of a samples file takes, with its line end (LF or CR LF) and a byte
 * order mark of UTF-8; 0 if it does not begin so. */
size_t gb_samples_header(const char *text, size_t size);

/* Writes a point as its column there has it: "n=1000000;bins=40", and ";scope=device" where the
 * config measures in both scopes (else scope is NULL). Returns its length; capacity or more: it is
 * cut. */
size_t gb_samples_point(char *text, size_t capacity, const char *const *axes,
                        const char *const *values, unsigned axis_count, const char *scope);
/* A point that fits into this is not cut: GB_MAX_AXES names and values of the longest. */
enum { GB_POINT_TEXT = 40000 }; /* holds the longest values of all axes */

/* What the samples of a row begin with: "run_id,point,variant,cache,", *size bytes; the caller
 * frees it. The number of the sample, from 0, and its seconds follow. NULL without memory. */
char *gb_samples_prefix(const char *run_id, const char *point, const char *variant,
                        const char *cache, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
