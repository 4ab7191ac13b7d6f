/* Result files as they are written: one CSV row per point, variant and cache mode, on disk the
 * moment it is known, with its samples in a second file. */
#ifndef GB_RECORD_RESULTS_H
#define GB_RECORD_RESULTS_H

#include "bench/config/config.h"
#include "bench/record/files.h"
#include "bench/record/log.h"
#include "bench/util/string_set.h"
#include "bench/worker/job.h"
#include "common/protocol/columns.h"
#include "common/protocol/flags.h"
#include "common/protocol/under.h"
#include "common/stats/stats.h"

/* One row. */
typedef struct gb_row {
    const gb_params *point;
    unsigned variant;    /* index into primitive->variants */
    const char *backend; /* of the worker that is asked; NULL: the run's own */
    bool cold;
    gb_scope scope;
    gb_status status;
    char reason[512]; /* "" where the status says it all */
    bool opened;      /* work is known */
    gb_work work;
    uint64_t blocks;            /* that a run launches; 0: unknown */
    char instance[GB_MAX_TEXT]; /* what ran, where the variant's name does not say it */
    gb_stats stats;             /* GB_OK only */
    gb_reading reading;
    unsigned flags; /* GB_FLAG_* */
    char started_utc[24];
} gb_row;

/* What is written, and where. */
typedef struct gb_output_setup {
    const gb_config *config;
    const gb_catalogue_device *device;
    const char *backend;
    gb_under under;          /* the conditions that the device is used under */
    double copy_bytes_per_s; /* 0: unknown */
    double blocks_per_s;     /* that can begin; 0: unknown */
    const char *folder;
    const char *run_id;
    const char *command; /* what was asked, for whom the lock keeps out; may be NULL */
    const char *worker_spec, *device_spec; /* --worker and --device as given; NULL: they were not */
    bool resume, retry;
} gb_output_setup;

typedef struct gb_output {
    gb_output_setup setup;
    gb_result_files files;
    gb_log csv, samples;
    double synced;        /* when (gb_now) */
    double sync_s;        /* waited for the disk, in all */
    gb_string_set done;   /* keys of the rows that are there (gb_row_key) */
    size_t rows_before;   /* of which so many were there at the start */
    size_t failed_before; /* and of these, so many neither ok nor unsupported */
} gb_output;

/* "20250131T235959Z-1a2b3c": when, and something that two runs in one second do not share. */
void gb_run_id(char id[32]);

/* "n=1000000;bins=40", for people. Returns text. */
char *gb_point_text(const gb_catalogue_primitive *primitive, const gb_params *point,
                    char text[GB_POINT_TEXT]);
/* The point column of the samples file: the same, and ";scope=device" where the config measures in
 * both scopes. Returns text. */
char *gb_row_point_text(const gb_config *config, const gb_params *point, gb_scope scope,
                        char text[GB_POINT_TEXT]);
/* The same of a row that was read: the texts of its axes and of its scope. */
char *gb_read_point_text(const gb_config *config, const char *const *values, const char *scope,
                         char text[GB_POINT_TEXT]);

/* Opens the files of a config: locks them, moves older ones aside or, with resume, takes up where
 * they end. False and *error. */
bool gb_output_open(gb_output *output, const gb_output_setup *setup, gb_error *error);
/* True if the row is there from an earlier run that is resumed. */
bool gb_output_has(const gb_output *output, const gb_params *point, unsigned variant, bool cold,
                   gb_scope scope);
/* Appends the samples, then the row; each with one write. From then on no end of this process can
 * take them away. False and *error (disk full, ...), with nothing of the row left in the files. */
bool gb_output_write(gb_output *output, const gb_row *row, const double *samples, size_t count,
                     gb_error *error);
/* To be called after a row: writes to the disk, where no power failure can take it away, what
 * waits for that for a second or longer, and looks after the files. False and *error if that fails
 * or if somebody has moved, removed or changed them; if they would be lost, they are saved in
 * another folder, to which output->files point from then on. */
bool gb_output_settle(gb_output *output, gb_error *error);
/* The same, whatever the time: waits until all that was written is on the disk. */
bool gb_output_sync(gb_output *output, gb_error *error);
void gb_output_close(gb_output *output);

/* ---- the text of the files, for writing and for resuming ------------------------------------ */

/* The header line and a row as text with its line end; the caller frees it. NULL without memory. */
char *gb_results_header(const gb_catalogue_primitive *primitive, size_t *size);
char *gb_results_row(const gb_output_setup *setup, const gb_row *row, size_t *size);
/* Names a row in a set: point, variant, cache. The caller frees it. */
char *gb_row_key(const char *point, const char *variant, const char *cache);

#endif
