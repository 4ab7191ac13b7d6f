/* Experiment configs: JSON in, a complete and valid gb_config or one clear error out. */
#ifndef GB_CONFIG_CONFIG_H
#define GB_CONFIG_CONFIG_H

#include "bench/config/filter.h"
#include "bench/worker/catalogue.h"

/* Points are a kilobyte each, so a line of text could ask for all memory; fuzzing takes fewer. */
#ifndef GB_MOST_POINTS
#define GB_MOST_POINTS 1000000
#endif

typedef enum gb_order { GB_ORDER_INTERLEAVED, GB_ORDER_SEQUENTIAL } gb_order;

typedef struct gb_measure {
    unsigned samples;     /* per row; with automatic the floor */
    bool automatic;       /* "samples":"auto": go on until max_rel_ci is met */
    unsigned max_samples; /* the ceiling of automatic */
    unsigned warmup;
    gb_scope scope;   /* the only one, or the first */
    bool both_scopes; /* the other one as well */
    bool warm, cold;  /* at least one */
    gb_order order;
    double time_limit_s;    /* per point and variant */
    double rest;            /* idle time before samples, over the time that they take */
    uint64_t device_memory; /* device bytes that a job may use; 0: what the device has */
    double max_rel_ci;      /* half width of the 95 % interval, as wide as it should be
                               (gb_stats_rel_ci), over the mean; above it: unstable */
} gb_measure;

/* How many samples a row gets. */
typedef struct gb_sampling {
    unsigned samples; /* with automatic the floor */
    unsigned warmup;
    bool automatic;
} gb_sampling;

/* Rows that get another number of samples than "measure" says, slow ones for example. */
typedef struct gb_override {
    gb_filter *where;
    gb_sampling sampling;
} gb_override;

/* A config made concrete: points are the product of the axes (or the listed ones), every axis
 * filled in. */
typedef struct gb_config {
    char *path;  /* as given */
    char *text;  /* the file, for the meta file and its hash */
    char *name;  /* letters, digits, '-', '_', '.'; never starts with '.' */
    char *title; /* "" if absent */
    char *paper; /* path under results/, "" if absent */
    const gb_catalogue_primitive *primitive;
    unsigned *variants; /* indexes into primitive->variants, in the config's order */
    unsigned variant_count;
    int baseline; /* index into primitive->variants; -1: none */
    gb_params *points;
    size_t point_count;
    gb_measure measure;
    gb_override *overrides; /* the first that a row passes counts; none with a quick section or
                              --samples */
    size_t override_count;
    uint64_t seed;
    bool can_be_quick; /* there is a quick section, or an axis with a small default is left out */
    bool quick;        /* so it is: as much as there is of either counts */
    char *small;       /* the small defaults that count: "n = 64Ki instead of 32M", "" */
    gb_filter *filter; /* of --filter, NULL: none; points that no variant passes are left out
                          already, each point's variants are for the runner to ask */
} gb_config;

typedef struct gb_config_options {
    bool quick;          /* apply the config's "quick" section, and take small defaults */
    const char *samples; /* --samples: a number or "auto"; NULL: as configured */
    const char *filter;  /* --filter; NULL: all points */
} gb_config_options;

/* Reads and validates one config. NULL and *error on the first mistake: file, line and column or
 * JSON path, what was found, what is allowed. The catalogue must outlive the config. */
gb_config *gb_config_load(const char *path, const gb_catalogue *catalogue,
                          const gb_config_options *options, gb_error *error);
/* The same for text that is in memory already: length bytes and a NUL, allocated by malloc; it is
 * the config's, or freed on failure. path is for messages. */
gb_config *gb_config_parse(const char *path, char *text, size_t length,
                           const gb_catalogue *catalogue, const gb_config_options *options,
                           gb_error *error);
void gb_config_free(gb_config *config);

/* The first override that a variant (an index into the primitive's) passes at a point: its index;
 * override_count: none. */
size_t gb_config_override(const gb_config *config, const gb_params *point, unsigned variant);
/* How many samples the variant gets there. */
gb_sampling gb_config_sampling(const gb_config *config, const gb_params *point, unsigned variant);
/* What is measured: "device", "host-to-host", "device and host-to-host". */
const char *gb_scopes_name(const gb_measure *measure);
/* How many scopes are measured, and which: index 0 or 1. */
static inline unsigned gb_scope_count(const gb_measure *measure)
{
    return measure->both_scopes ? 2 : 1;
}
static inline gb_scope gb_scope_at(const gb_measure *measure, unsigned index)
{
    bool first = index == 0;
    return (measure->scope == GB_SCOPE_DEVICE) == first ? GB_SCOPE_DEVICE : GB_SCOPE_HOST_TO_HOST;
}

#endif
