/* How a primitive scales over the GPUs that run it together: each variant's time, speed-up and
 * efficiency beside what does it alone on one GPU; and, experimental, what a model of few terms
 * says of more GPUs than there were (docs/scaling.md). */
#ifndef GB_SCALING_SCALING_H
#define GB_SCALING_SCALING_H

#include "bench/rows/select.h"
#include "bench/rows/sides.h"
#include "bench/rows/terms.h"
#include "bench/util/exporter.h"
#include "common/stats/two.h"

/* ---- what crosses the links (rules.c) -------------------------------------------------------- */

/* What an amount of bytes is of, which says how much of it a GPU sends and gets. */
typedef enum gb_crossing {
    GB_CROSS_ITEMS,  /* each item's: of a GPU's items all but one part in g belong to others */
    GB_CROSS_BORDER, /* each border's: a GPU has one of two, two of more */
    GB_CROSS_GPUS,   /* each GPU's, which all others get */
    GB_CROSS_COUNT
} gb_crossing;
extern const char *const gb_crossing_names[GB_CROSS_COUNT + 1];

typedef struct gb_link_rule {
    gb_terms where;    /* the rows that it is for; empty: all */
    const char *bytes; /* common/protocol/expression.h, of the axes of sizes */
    gb_crossing of;
} gb_link_rule;

/* A variant and what it is held against: the same by one GPU. */
typedef struct gb_scaling_pair {
    const char *variant, *alone;
} gb_scaling_pair;

typedef struct gb_scaling_rules {
    const char *primitive;
    const char *size;   /* the axis that `strong` divides among the GPUs */
    const char *alone;  /* what a variant is held against, unless `pairs` says another */
    const char *rounds; /* how often GPUs wait for each other in a run, an expression */
    gb_scaling_pair *pairs;
    size_t pair_count;
    gb_link_rule *links; /* the first whose `where` holds counts */
    size_t link_count;
} gb_scaling_rules;

typedef struct gb_scaling_book {
    gb_scaling_rules *items;
    size_t count;
} gb_scaling_book;

/* Reads plots/scaling.json, wherever that is. False and *error. Lives in the arena. */
bool gb_scaling_load(gb_arena *arena, gb_scaling_book *book, gb_error *error);
/* Of a primitive; NULL: there are none. */
const gb_scaling_rules *gb_scaling_rules_of(const gb_scaling_book *book, const char *primitive);
const char *gb_scaling_alone(const gb_scaling_rules *rules, const char *variant);
/* Bytes that a GPU sends, and gets, of a row's point if `gpus` of them have `items` together; 0:
 * nothing is known. False and *error if an expression is none. */
bool gb_scaling_link_bytes(gb_arena *arena, const gb_scaling_rules *rules, const gb_result_set *set,
                           const gb_result_row *row, unsigned gpus, double items, double *bytes,
                           gb_error *error);
/* How often GPUs wait for each other there, each time for all (log2 of them) or for neighbours. */
bool gb_scaling_rounds(gb_arena *arena, const gb_scaling_rules *rules, const gb_result_set *set,
                       const gb_result_row *row, unsigned gpus, double *rounds, gb_error *error);

/* ---- series and their points (find.c) -------------------------------------------------------- */

/* What passes between two GPUs. */
typedef struct gb_link {
    double latency_s;   /* of something small; negative: unknown */
    double bytes_per_s; /* each way, while both send; 0: unknown */
} gb_link;

/* What the model says of a number of GPUs, in seconds. */
typedef struct gb_scaling_model {
    double work_s;  /* of one GPU on its share */
    double wait_s;  /* latency, rounds of it */
    double link_s;  /* bytes over the link */
    double total_s; /* their sum; 0: nothing is known */
} gb_scaling_model;

/* A number of GPUs of a series. Times and rates are measured, or projected where row is NULL. */
typedef struct gb_scaling_point {
    unsigned gpus;
    const gb_result_row *row; /* NULL: nobody measured it */
    double items;
    double time_s, lo_s, hi_s; /* lo, hi: 0 where there is no interval */
    double share;              /* the part of the time that is not one GPU's work on its share */
    gb_scaling_model model;
    double expected_s; /* what fewer GPUs let expect here: the projection; 0: nothing */
    double expected_lo_s, expected_hi_s;
    bool unvalidated;             /* it rests on one GPU alone */
    gb_ratio speedup, efficiency; /* beside one GPU; value 0: that was not measured */
    double limit;                 /* efficiency that memory and links allow; 0: unknown */
    const char *limit_kind;       /* "memory", "links" */
} gb_scaling_point;

/* A variant at a point, over its numbers of GPUs. */
typedef struct gb_scaling_series {
    const gb_result_set *set;
    const gb_scaling_rules *rules;
    const gb_result_row *row;   /* one of its own, for its texts */
    const gb_result_row *alone; /* by one GPU; NULL: it was not measured */
    bool weak;                  /* its work grows with the GPUs */
    const char *point;          /* "n=1000000;dist=cube": all axes but gpus */
    const char *readable;       /* the same for people: what differs from series to series, */
    const char *held;           /* and what does not */
    gb_link link;
    const char *lacks;        /* why nothing is projected; NULL: it is */
    gb_scaling_point *points; /* by the number of GPUs */
    size_t count, capacity;
} gb_scaling_series;

enum { GB_SCALING_MOST_TARGETS = 16 };

typedef struct gb_scaling {
    gb_sides *sides; /* in whose arena all of it lives */
    const gb_scaling_book *book;
    const gb_choices *chosen;
    gb_link said;                              /* by the user, in the place of what was measured */
    unsigned targets[GB_SCALING_MOST_TARGETS]; /* numbers of GPUs to project to */
    size_t target_count;
    gb_scaling_series *series;
    size_t count, capacity;
    const char *ignored; /* experiments of which plots/scaling.json says nothing; "" */
} gb_scaling;

/* Finds the series and their points. Start from {0} with what stands before `series` set. False and
 * *error. */
bool gb_scaling_find(gb_scaling *scaling, gb_error *error);

/* ---- printing (print.c, records.c) ----------------------------------------------------------- */

typedef struct gb_scaling_output {
    gb_arena *arena;
    FILE *file;
} gb_scaling_output;

/* Items: a gb_scaling. */
extern const gb_exporter gb_scaling_exporters[];
void gb_scaling_put_csv(void *output, const void *item);
void gb_scaling_put_json(void *output, const void *item);

#endif
