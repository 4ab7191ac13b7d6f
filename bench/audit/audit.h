/* Auditing results: rows that must be alike and are not, by rules that are data
 * (plots/audit.json). */
#ifndef GB_AUDIT_AUDIT_H
#define GB_AUDIT_AUDIT_H

#include "bench/rows/noise.h"
#include "bench/rows/sides.h"
#include "bench/rows/terms.h"
#include "bench/util/exporter.h"
#include "common/stats/two.h"

#include <stdio.h>

/* ---- rules (rules.c) ------------------------------------------------------------------- */

typedef enum gb_audit_kind {
    GB_AUDIT_AXIS,       /* rows that differ in one axis alone take the same time */
    GB_AUDIT_CACHE,      /* ... or in warm and cold alone, where the data is several L2s large */
    GB_AUDIT_EXPERIMENT, /* ... or in the experiment that measured them */
    GB_AUDIT_INSTANCE,   /* a row that says which variant ran is as fast as that variant */
    GB_AUDIT_MORE,       /* along an axis: more work takes more time */
    GB_AUDIT_DIP         /* along an axis: no rate is below those of both neighbours */
} gb_audit_kind;

typedef struct gb_audit_rule {
    const char *name;
    const char *primitive; /* NULL: all of them */
    gb_audit_kind kind;
    const char *axis;    /* NULL where the kind needs none */
    const char **values; /* of the axis, that are alike; NULL: all of them */
    size_t value_count;
    gb_terms where;   /* of all rows concerned */
    double margin;    /* 0.05: smaller differences do not matter */
    double beyond_l2; /* of CACHE: the work moves so many times what the L2 holds */
    const char *look; /* what to look at */
} gb_audit_rule;

typedef struct gb_audit_rules {
    gb_audit_rule *items;
    size_t count;
    double noise; /* taken for the floor of rows whose noise was never measured */
} gb_audit_rules;

/* Reads plots/audit.json, wherever that is. False and *error. Lives in the arena. */
bool gb_audit_rules_load(gb_arena *arena, gb_audit_rules *rules, gb_error *error);

/* ---- differences that were looked into (known.c) --------------------------------------- */

typedef struct gb_audit_known {
    const char *folder; /* whose rows it explains, by its full path */
    const char *path;
    size_t line; /* data row, from 1 */
    const char *experiment, *variant, *rule, *where_text, *because;
    gb_terms where;
    bool met; /* explains something that was found */
} gb_audit_known;

typedef struct gb_audit_knowns {
    gb_audit_known *items;
    size_t count, capacity;
} gb_audit_knowns;

/* Adds those that lie beside results; none where there is no such file. False and *error with the
 * row and what is allowed. */
bool gb_audit_known_load(gb_arena *arena, const char *results, const gb_audit_rules *rules,
                         gb_audit_knowns *knowns, gb_error *error);

/* ---- findings (find.c) ----------------------------------------------------------------- */

/* A reason why a row is slower than it should be. */
typedef struct gb_unlike {
    const gb_audit_rule *rule;
    const gb_result_set *set;    /* of the sibling */
    const gb_result_row *row;    /* the sibling */
    gb_ratio ratio;              /* what is found over what is expected: below 1 */
    double allowed;              /* the difference that would have been let pass */
    const gb_audit_known *known; /* explains it; NULL: nothing does */
} gb_unlike;

typedef struct gb_finding {
    const gb_result_set *set;
    const gb_result_row *row; /* the slow one */
    gb_unlike *unlike;
    size_t count, capacity;
    size_t open; /* of them nobody has explained */
} gb_finding;

typedef struct gb_audit {
    gb_sides *sides;
    const gb_audit_rules *rules;
    const gb_noise *noise;
    gb_audit_knowns *knowns;
    const char *device; /* part of the name of those wanted; NULL: all */
    gb_finding *findings;
    size_t finding_count, finding_capacity;
    size_t rows;            /* looked at */
    size_t unknown_l2;      /* rows that no meta file tells the L2 of */
    size_t simt;            /* rows of the CPU stand-in, which were left out */
    size_t without_noise;   /* comparisons that took the default for a floor */
    size_t open, explained; /* findings */
    size_t stale;           /* known differences that are there no more */
} gb_audit;

/* Holds the rules against all measured rows of the sides. Start from {0} with the first fields set;
 * findings come in the order of the rows. */
void gb_audit_find(gb_audit *audit);
/* Whether a known difference is about results that were looked at and explains nothing there. */
bool gb_audit_is_stale(const gb_audit *audit, const gb_audit_known *known);

/* ---- printing (print.c) ---------------------------------------------------------------- */

/* Where an audit is written to, and how. */
typedef struct gb_audit_output {
    bool rows; /* text: what is explained, too */
    FILE *file;
} gb_audit_output;

/* The formats. They write to a gb_audit_output, an item a gb_audit. CSV: a line for each reason and
 * each stale entry. */
extern const gb_exporter gb_audit_exporters[];

#endif
