/* Experiment configs: JSON in, a complete and valid gb_config or one clear error out. */
#ifndef GB_CONFIG_H
#define GB_CONFIG_H

#include "bench/catalogue.h"
#include "bench/filter.h"

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
    gb_scope scope;
    bool warm, cold; /* at least one */
    gb_order order;
    double time_limit_s;    /* per point and variant */
    uint64_t device_memory; /* device bytes that a job may use; 0: what the device has */
    double max_rel_ci;      /* half width of the 95 % interval, as wide as it should be
                               (gb_stats_rel_ci), over the mean; above it: unstable */
} gb_measure;

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
    uint64_t seed;
    bool quick;        /* the quick section was applied */
    gb_filter *filter; /* of --filter, NULL: none; points that no variant passes are left out
                          already, each point's variants are for the runner to ask */
} gb_config;

typedef struct gb_config_options {
    bool quick;          /* apply the config's "quick" section */
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

#endif
