/* The claims of the papers, and what results say of them. A claim is a row of kind `claim` in
 * results/published/: results/published/README.md describes its columns. */
#ifndef GB_CLAIMS_H
#define GB_CLAIMS_H

#include "bench/result_rows.h"

#include <stdio.h>

typedef enum gb_claim_verdict {
    GB_CLAIM_HOLDS,
    GB_CLAIM_FAILS,
    GB_CLAIM_NOT_TESTED,
    GB_CLAIM_VERDICT_COUNT
} gb_claim_verdict;
extern const char *const gb_claim_verdict_names[GB_CLAIM_VERDICT_COUNT];

/* What a claim is about at a point. */
typedef enum gb_claim_quantity {
    GB_CLAIM_SPEEDUP,        /* rate of the fastest of `variant` over the fastest of `baseline` */
    GB_CLAIM_CHANGE,         /* rate at the one value of an axis over that at another */
    GB_CLAIM_SPEEDUP_CHANGE, /* the same of speed-ups */
    GB_CLAIM_TREND,          /* Kendall's tau of rate and an axis */
    GB_CLAIM_SPEEDUP_TREND,  /* the same of speed-ups */
    GB_CLAIM_CI95,           /* half width of the mean's interval over the mean */
    GB_CLAIM_OK,             /* 1 where a variant ran and was right, else 0 */
    GB_CLAIM_UNSUPPORTED,    /* 1 where it refuses the point, else 0 */
    GB_CLAIM_FAILED,         /* 1 where it was wrong, hung, crashed or ran out of memory, else 0 */
    GB_CLAIM_DEVICE_RATIO,   /* the best rate on a device over that on another */
    GB_CLAIM_QUANTITY_COUNT
} gb_claim_quantity;

/* "n <= 50000": which rows. */
typedef struct gb_claim_term {
    const char *axis;
    enum { GB_TERM_IS, GB_TERM_IS_NOT, GB_TERM_LT, GB_TERM_LE, GB_TERM_GT, GB_TERM_GE } relation;
    const char *values; /* separated by commas */
} gb_claim_term;

/* "most within 2% of 1": when it holds. */
typedef struct gb_claim_condition {
    enum { GB_CLAIM_ALL, GB_CLAIM_MOST, GB_CLAIM_ANY } of;
    enum { GB_HOLDS_EQ, GB_HOLDS_LT, GB_HOLDS_LE, GB_HOLDS_GT, GB_HOLDS_GE, GB_HOLDS_WITHIN } how;
    double value, within;
    const char *text;
} gb_claim_condition;

typedef struct gb_claim {
    const char *paper, *primitive, *experiment, *device, *locator, *scope, *note;
    const char *statement, *value, *unit; /* value: as the paper prints it; "" if it gives none */
    const char *variant, *baseline;       /* separated by ';' */
    gb_claim_quantity quantity;
    gb_claim_term *terms;
    size_t term_count;
    const char *along, *from, *to; /* the axis of a change or trend, and the values it goes between;
                                      of a ratio of devices from and to are these */
    gb_claim_condition condition;
} gb_claim;

typedef struct gb_claims {
    gb_claim *items;
    size_t count, capacity;
} gb_claims;

/* A point that a claim is about, and what was measured there. */
typedef struct gb_claim_point {
    const gb_result_row *row, *other; /* other: what it is held against; NULL: nothing */
    double value;
    bool holds;
} gb_claim_point;

typedef struct gb_claim_result {
    const gb_claim *claim;
    const gb_result_set *set; /* NULL: none */
    gb_claim_verdict verdict;
    const char *measured; /* "0.85 to 1.06, 4 of 10 points"; why it is NOT TESTED */
    gb_claim_point *points;
    size_t point_count, point_capacity, holding;
} gb_claim_result;

/* Adds the claims of a file of published numbers; one without any adds none. False and *error with
 * the row and what is allowed. Texts live as long as the arena. */
bool gb_claims_load(gb_arena *arena, const char *path, gb_claims *claims, gb_error *error);
/* Those of all files of results/published/, in the order of their names. */
bool gb_claims_load_all(gb_arena *arena, gb_claims *claims, gb_error *error);

/* Holds a claim against the results of a device. */
gb_claim_result gb_claim_test(gb_arena *arena, const gb_claim *claim, const gb_results *results,
                              const char *device);
/* What counts at a point, for people: "1.56", "timeout". */
const char *gb_claim_point_text(gb_arena *arena, const gb_claim *claim,
                                const gb_claim_point *point);

#endif
