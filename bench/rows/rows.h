/* Result files as rows in memory: what `gpubench run` wrote and what papers printed, in one form,
 * grouped by experiment. */
#ifndef GB_ROWS_ROWS_H
#define GB_ROWS_ROWS_H

#include "bench/foreign/map.h"
#include "bench/rows/dumps.h"
#include "bench/rows/paths.h"
#include "bench/rows/places.h"
#include "bench/util/arena.h"
#include "common/gpubench.h"
#include "common/text/csv.h"

/* What a profiler counted over all kernels of a run (the rows of scripts/profile.sh). */
enum {
    GB_PROFILE_L1_HIT_RATE,
    GB_PROFILE_L2_HIT_RATE,
    GB_PROFILE_DRAM_READ,  /* bytes an item */
    GB_PROFILE_DRAM_WRITE, /* bytes an item */
    GB_PROFILE_COUNT
};

/* What rows of another tool's file have in common. */
typedef struct gb_row_source {
    const char *tool; /* "NVBench" */
    const char *keep; /* how to have it keep samples; NULL: it always does */
} gb_row_source;

typedef struct gb_result_row {
    const char *axis[GB_MAX_AXES]; /* the set's axes, as the file writes them */
    const char *variant, *backend, *cache, *scope;
    const char *device;    /* where several places have one of that model, told apart (places.h) */
    const gb_place *place; /* NULL of published rows */
    const char *instance;  /* what ran where the variant's name does not say it; "" */
    const char *under;     /* conditions of the device, common/protocol/under.h; "" */
    const char *path, *run_id;   /* the file, and the run that wrote it ("" in published rows) */
    const gb_row_source *source; /* another tool's file; NULL: ours */
    const double *times;         /* of such: its samples, s; NULL: the file keeps none */
    double sm_clock_mhz, mem_clock_mhz, power_w; /* 0: unknown */
    gb_status status;
    const char *reason, *unit, *limit_kind;
    unsigned flags;         /* GB_FLAG_*, those that are known here */
    const char *flags_text; /* all of them, as the file has them */
    unsigned long samples;
    /* 0 where the file has a blank; lo and hi: the 95 % interval of the mean */
    double rate, rate_lo, rate_hi;       /* items/s */
    double time_s, time_lo_s, time_hi_s; /* mean */
    double limit_rate;                   /* items/s that what limit_kind names allows */
    /* Published rows only; a measured row has quantity "". Which of the fields above or below is
     * filled depends on quantity: rate, time, speedup. */
    const char *quantity, *baseline;
    const char *assumption; /* what the row takes for granted beyond what its paper says, or "" */
    const char *locator;    /* where in it the number stands */
    double speedup;
    /* Of rows printed elsewhere: the caches that were timed ("cold", "warm", "": not said), and the
     * year; such a row that says of how many items it is has rate and time, whichever is printed.
     */
    const char *said_cache;
    int year;
    int digits; /* significant digits that the paper prints; 0 for measured rows */
    double profile[GB_PROFILE_COUNT]; /* profiles only; negative where the file has a blank */
    /* Of rows that are the best over some axes (gb_results_derive; else NULL and 0): the values it
     * has there ("64x4x1", "64x4x1/2048"), how many ok rows it is the best of, and how many failed.
     */
    const char *best;
    unsigned rivals, failed;
} gb_result_row;

/* The value of an axis over which a row is the best, in rows that are made by gb_results_derive or
 * that a paper prints (kind `best`). */
extern const char gb_best[];
/* The value of an axis in rows that a paper prints and that hold whatever it is: "*". */
extern const char gb_any[];

/* The rows of one experiment, of all files and devices. Times of the simt device are the CPU's and
 * never stand beside a GPU's, so they make a set of their own; so do published rows and profiles.
 */
typedef struct gb_result_set {
    const char *experiment, *primitive;
    bool simt, published;
    bool elsewhere; /* published, but by others than the papers that are reproduced: nothing shows
                       such rows unasked; `experiment` is their source (bench/rows/elsewhere.h) */
    bool profile;   /* of a profiler: times and counts, no rates */
    bool unnamed;   /* of another tool's file, which names no experiment: named by its axes */
    const char *scope; /* published sets: what the paper timed (device, host-to-host), or "" */
    const char *axes[GB_MAX_AXES];
    unsigned axis_count;
    bool any[GB_MAX_AXES]; /* published sets: some row says gb_any on that axis */
    gb_result_row *rows;   /* in the order of the files; no two of the same point and variant */
    size_t row_count, row_capacity;
    size_t *index; /* hash table of row numbers + 1 */
    size_t index_size;
} gb_result_set;

typedef struct gb_results {
    gb_arena arena;
    gb_csv **files;
    size_t file_count, file_capacity;
    gb_place **places;
    size_t place_count, place_capacity;
    gb_files_seen own_seen, *seen; /* seen: of several results together; NULL: own_seen */
    const gb_foreign_map *map;     /* what of other tools' files is what; NULL: as they say */
    gb_read_file *read;
    size_t read_count, read_capacity;
    unsigned operand; /* calls of gb_results_add */
    gb_result_set *sets;
    size_t set_count, set_capacity;
    bool peers; /* some file has rates of other programs, which are no rows (bench/rows/peers.h) */
    bool gpus;  /* some file has what data sheets say of GPUs (bench/rows/gpus.h) */
    gb_dump_file *dumps; /* what `gpubench dump` wrote: pictures are drawn of it, no tables */
    size_t dump_count, dump_capacity;
} gb_results;

/* The file beside results that holds no rows: differences that were looked into (gpubench audit).
 */
extern const char gb_known_differences_name[];

/* Adds the rows of a result file, of another tool's file (bench/foreign), or of a folder's current
 * ones in the order of their names: its
 * *.csv but for samples, retried rows, known differences and what a later run moved aside
 * (files.c). Of rows of one folder that say the same point, variant, device, cache and scope the
 * last read counts; those of several folders are told apart by the names of their devices
 * (places.h). What was read before is not read again, which is said on stderr. False and *error if
 * it is unreadable, no result file or damaged. Start from {0}. */
bool gb_results_add(gb_results *results, const char *path, gb_error *error);
/* The result files of all runs that these files and folders hold, some levels deep and with those
 * that later runs moved aside; not those of equal runs and of
 * devices under conditions (folders called aa and under). NULL and *error if
 * there is none. They live in the arena, or as long as the paths. */
char **gb_result_files_below(gb_arena *arena, char **paths, size_t count, size_t *file_count,
                             gb_error *error);
/* Whether a file or folder was read before, which is said on stderr; if not, it now counts as read.
 */
bool gb_results_know(gb_results *results, const char *path);
/* The same for a file that has been read; csv becomes a part of the results whether it is good or
 * not. */
bool gb_results_add_table(gb_results *results, const char *path, gb_csv *csv, gb_error *error);
void gb_results_free(gb_results *results);

/* Index of an axis in the set; -1 if it has none of that name. */
int gb_result_axis(const gb_result_set *set, const char *name);
/* The names of its axes, for messages: "n, bins". */
char *gb_result_axes(gb_arena *arena, const gb_result_set *set);

/* Whether its rates show it: some row has one, and none of another tool's has a time alone. */
bool gb_result_set_is_rated(const gb_result_set *set);

/* The row with exactly these fields: axis[] (all of them), variant, device, cache, scope, quantity
 * of *key. NULL if there is none. */
const gb_result_row *gb_result_find(const gb_result_set *set, const gb_result_row *key);

/* Finds rows by the names of their devices again, after these have changed. */
void gb_result_set_index(gb_arena *arena, gb_result_set *set);

/* Adds a row to a set, or puts it in the place of the one that gb_result_find finds for it. */
void gb_result_set_add(gb_arena *arena, gb_result_set *set, const gb_result_row *row);

/* Orders two values of an axis: numbers by size, before names; names are equal (0). */
int gb_axis_compare(const char *a, const char *b);

/* "n=1000000;bins=256": all axes of a row, for programs. */
const char *gb_row_point(gb_arena *arena, const gb_result_set *set, const gb_result_row *row);

#endif
