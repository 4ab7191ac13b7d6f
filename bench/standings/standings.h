/* How our own variants stand against everybody else's: which points, and by which contract, is data
 * (plots/standings.json). */
#ifndef GB_STANDINGS_STANDINGS_H
#define GB_STANDINGS_STANDINGS_H

#include "bench/rows/peers.h"
#include "bench/rows/sides.h"
#include "bench/rows/terms.h"
#include "bench/table/render.h"
#include "bench/util/exporter.h"
#include "bench/worker/owners.h"
#include "common/stats/two.h"

/* ---- contests (rules.c) ------------------------------------------------------------ */

/* A point that is worth a line whoever is ahead there. */
typedef struct gb_contest_line {
    const char *what;
    gb_terms at;
} gb_contest_line;

/* The points of an experiment, and what the work is that is compared there. */
typedef struct gb_contest {
    const char *name;       /* "partition", "partition, stable": before what a point is */
    const char *experiment; /* ours are rows of this one */
    const char *cache;
    bool stable;       /* stable variants alone, on both sides */
    gb_terms where;    /* the points */
    gb_terms usual;    /* values that the text of a point leaves out */
    const char **free; /* axes that a variant may choose (blocks): its best over them counts */
    size_t free_count;
    const char **other_work; /* variants that do less, such as a copy */
    size_t other_work_count;
    gb_contest_line *lines;
    size_t line_count;
} gb_contest;

typedef struct gb_contests {
    const char *ours; /* the origin of our own variants */
    gb_contest *items;
    size_t count;
} gb_contests;

/* Reads plots/standings.json, wherever that is. False and *error. Lives in the arena. */
bool gb_contests_load(gb_arena *arena, gb_contests *contests, gb_error *error);

/* ---- standings (find.c) ------------------------------------------------------------ */

typedef enum gb_standing_verdict {
    GB_AHEAD,
    GB_LEVEL,
    GB_BEHIND,
    GB_ALONE, /* nobody else has the point */
    GB_STANDING_VERDICT_COUNT
} gb_standing_verdict;
extern const char *const gb_standing_names[GB_STANDING_VERDICT_COUNT];

typedef struct gb_standing {
    const gb_contest *contest;
    const char *what; /* of a chosen line; NULL: any point */
    const gb_result_set *set;
    const gb_result_row *point;     /* a row of the set at the point */
    const gb_result_row *ours;      /* the fastest; NULL: none */
    const gb_result_set *other_set; /* of other */
    const gb_result_row *other;     /* the fastest that is measured, or ... */
    const gb_peer *peer;            /* ... printed; both NULL: nobody's */
    gb_ratio ratio;                 /* of the rates; 0: there is none */
    gb_standing_verdict verdict;
} gb_standing;

typedef struct gb_standings {
    gb_sides *sides;
    const gb_contests *contests;
    const gb_peers *peers;
    const gb_owners *owners;
    const char *device;
    gb_standing *items; /* every point, in the order of the contests and of the rows */
    size_t count, capacity;
    const char **unknown; /* variants that no worker lists: nobody's */
    size_t unknown_count, unknown_capacity;
    const char **missing; /* lines whose point was not measured */
    size_t missing_count, missing_capacity;
} gb_standings;

/* Finds who is the fastest at every point of every contest on the device. Start from {0} with the
 * first fields set. False and *error if a line fits several points. */
bool gb_standings_find(gb_standings *standings, gb_error *error);
/* The rate of the fastest that is not ours; 0 if there is none. */
double gb_standing_other_rate(const gb_standing *standing);

/* ---- printing (print.c) ------------------------------------------------------------ */

/* As a table: the chosen lines, then, as a block of its own, every point where ours is behind, or
 * with all every other point. */
gb_table gb_standings_table(const gb_standings *standings, bool all);

/* Where standings are written to, and how. Start from {0} with all but the last set. */
typedef struct gb_standings_output {
    bool all; /* every point, also where ours is ahead */
    FILE *file;
    size_t tables; /* written so far */
} gb_standings_output;

/* The formats. They write to a gb_standings_output, an item a gb_standings: the chosen lines, then
 * every point where ours is behind; CSV: a line a point. */
extern const gb_exporter gb_standings_exporters[];

#endif
