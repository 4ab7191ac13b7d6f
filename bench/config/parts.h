/* The parts that a config is read from: its points and its way of measuring. Inside the config
 * reader only. */
#ifndef GB_CONFIG_PARTS_H
#define GB_CONFIG_PARTS_H

#include "bench/config/config.h"
#include "bench/util/json_reader.h"

/* The keys that every config may have, NULL-terminated. */
extern const char *const gb_config_keys[];

/* What an "axes" or "points" section says. */
typedef struct gb_plan {
    const gb_catalogue_primitive *primitive;
    bool small;                    /* axes that are left out get their small default */
    bool listed;                   /* "points", not "axes" */
    gb_value *values[GB_MAX_AXES]; /* by axis; NULL: not given */
    size_t counts[GB_MAX_AXES];
    unsigned order[GB_MAX_AXES]; /* the given axes, outermost first */
    unsigned given;
    gb_params *points;  /* of a list */
    unsigned *left_out; /* of each of them: which axes it leaves out, a bit each */
    size_t point_count;
} gb_plan;

/* Reads "axes" and "points" of a section (the root or "quick"); an empty plan if it has neither. */
bool gb_plan_read(gb_json_reader *reader, const cJSON *section, gb_plan *plan);
/* Lets a later section speak: its points replace all, its axes replace those of the same name (or
 * an earlier list of points). Empties later. */
void gb_plan_override(gb_plan *plan, gb_plan *later);
/* Gives axes that are left out their small default; what two points then share stands once. */
bool gb_plan_shrink(gb_json_reader *reader, gb_plan *plan);
/* "n = 64Ki instead of 32M": the axes whose default some point leaves out and that have a small
 * default, "" if there are none; the caller frees it. NULL without memory. */
char *gb_plan_small(const gb_plan *plan);
/* Makes the points, of those that pass the filter for one of the variants (filter may be NULL). The
 * caller frees *points. */
bool gb_plan_expand(gb_json_reader *reader, const gb_plan *plan, const gb_filter *filter,
                    const unsigned *variants, unsigned variant_count, gb_params **points,
                    size_t *point_count);
void gb_plan_free(gb_plan *plan);

/* A measure section that overrides another has said only some of it. */
typedef struct gb_measure_plan {
    gb_measure measure;
    unsigned min_samples; /* the floor of automatic */
} gb_measure_plan;

extern const gb_measure_plan gb_measure_defaults;
/* Overrides *plan by what the section's "measure" says; nothing if it has none. */
bool gb_measure_read(gb_json_reader *reader, const cJSON *section, gb_measure_plan *plan);
/* Reads the root's "overrides"; what they leave out is as in measure. Also after a failure
 * gb_overrides_free is due. */
bool gb_overrides_read(gb_json_reader *reader, const cJSON *root, const gb_measure *measure,
                       gb_config *config);
void gb_overrides_free(gb_config *config);
/* Applies --samples (NULL: none) and settles what depends on several keys. */
bool gb_measure_settle(gb_json_reader *reader, gb_measure_plan *plan, const char *samples);

#endif
