/* The claims of the papers, and what results say of them. A claim is a row of kind `claim` in
 * results/published/: results/published/README.md describes its columns, docs/statistics.md how one
 * is decided. */
#ifndef GB_CLAIMS_CLAIMS_H
#define GB_CLAIMS_CLAIMS_H

#include "bench/rows/gpus.h"
#include "bench/rows/noise.h"
#include "bench/rows/rows.h"
#include "bench/rows/terms.h"
#include "common/stats/two.h"

#include <stdio.h>

/* What a claim can be held against. */
typedef enum gb_claim_class {
    GB_CLAIM_MEASURED,     /* what is measured here can show it, or the contrary */
    GB_CLAIM_CONSTRUCTION, /* true by how the method is made: a limit that a variant keeps itself */
    GB_CLAIM_GENERATION,   /* of the device that is named: on another one nothing is decided */
    GB_CLAIM_PROCEDURE,    /* of how the authors measured: their noise */
    GB_CLAIM_CLASS_COUNT
} gb_claim_class;
extern const char *const gb_claim_class_names[GB_CLAIM_CLASS_COUNT + 1]; /* ends with NULL */

typedef enum gb_claim_verdict {
    GB_CLAIM_HOLDS,
    GB_CLAIM_FAILS,
    GB_CLAIM_UNDECIDED, /* the evidence could be chance, or shows something else */
    GB_CLAIM_NOT_TESTED,
    GB_CLAIM_BY_CONSTRUCTION, /* true, but not by measuring */
    GB_CLAIM_OTHER_GPU,       /* said of a device that these results are not of */
    GB_CLAIM_THEIR_PROCEDURE, /* said of how the authors measured */
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
    GB_CLAIM_FAILS_FROM,     /* the least value of an axis at which it did, all below being right */
    GB_CLAIM_DEVICE_RATIO,   /* the best rate on a device over that on another, all or by an axis */
    GB_CLAIM_QUANTITY_COUNT
} gb_claim_quantity;

/* "most within 2% of 1": when it holds. */
typedef struct gb_claim_condition {
    enum { GB_CLAIM_ALL, GB_CLAIM_MOST, GB_CLAIM_ANY } of;
    enum { GB_HOLDS_EQ, GB_HOLDS_LT, GB_HOLDS_LE, GB_HOLDS_GT, GB_HOLDS_GE, GB_HOLDS_WITHIN } how;
    double value, within;
    const char *text;
} gb_claim_condition;

typedef struct gb_claim {
    const char *paper, *primitive, *experiment, *device, *locator, *scope, *note, *assumption;
    const char *generation; /* the architectures of its devices: "Ampere", "Kepler, Pascal"; "": not
                               known */
    const char *statement, *value, *unit; /* value: as the paper prints it; "" if it gives none */
    const char *variant, *baseline;       /* separated by ';' */
    gb_claim_class class;
    gb_claim_quantity quantity;
    gb_terms where;
    const char *along, *from, *to; /* the axis of a change or trend, and the values it goes between;
                                      of a ratio of devices from and to are these, and the axis at
                                      each of whose values there is one; NULL: one for all rows */
    const char *best_over;         /* the axis over which rows are the best; "": none */
    gb_claim_condition condition;
} gb_claim;

typedef struct gb_claims {
    gb_claim *items;
    size_t count, capacity;
} gb_claims;

/* What a point's evidence is: sure (its interval lies on one side of the criterion), or not. */
typedef enum gb_claim_evidence {
    GB_POINT_UNSURE,
    GB_POINT_HOLDS,
    GB_POINT_FAILS
} gb_claim_evidence;

/* A point that a claim is about, and what was measured there. */
typedef struct gb_claim_point {
    const gb_result_row *row, *other; /* other: what it is held against; NULL: nothing */
    double value;
    double lo, hi; /* interval of the value; 0 and 0: there is none */
    gb_claim_evidence evidence;
    const char *why; /* why it is unsure where that is not its interval; else NULL */
    /* What the interval was made of: costs of which the value is a ratio (2: below over above), or
     * a ratio of ratios (4); none of a status. */
    gb_mean means[4];
    size_t mean_count;
    double noise;              /* between runs of rows like these; 0: unknown */
    size_t trend_n;            /* of a trend: how many values, */
    double trend_lo, trend_hi; /* and Kendall's S, at least and at most */
} gb_claim_point;

typedef struct gb_claim_result {
    const gb_claim *claim;
    const gb_result_set *set; /* NULL: none */
    gb_claim_verdict verdict;
    const char *measured;  /* "0.85 to 1.06, 4 of 10 points"; why it is NOT TESTED */
    const char *statistic; /* what the verdict rests on, a sentence; "" where there is none */
    const char *reason;    /* why it is UNDECIDED; "" */
    gb_claim_point *points;
    size_t point_count, point_capacity;
    size_t holding, failing; /* points whose evidence is so */
} gb_claim_result;

/* Adds the claims of a file of published numbers; one without any adds none. False and *error with
 * the row and what is allowed. Texts live as long as the arena. */
bool gb_claims_load(gb_arena *arena, const char *path, gb_claims *claims, gb_error *error);
/* Those of all files of results/published/, in the order of their names, with their generations. */
bool gb_claims_load_all(gb_arena *arena, gb_claims *claims, gb_error *error);

/* Says of each claim which generation it is about, by data sheets. */
void gb_claims_name_generations(gb_arena *arena, gb_claims *claims, const gb_gpus *gpus);

/* Holds a claim against the results of a device. noise: of devices that were measured several
 * times; may be empty. */
gb_claim_result gb_claim_test(gb_arena *arena, const gb_claim *claim, const gb_results *results,
                              const gb_noise *noise, const char *device);
/* What counts at a point, for people: "1.56 (1.55 to 1.57)", "timeout". */
const char *gb_claim_point_text(gb_arena *arena, const gb_claim *claim,
                                const gb_claim_point *point);

/* ---- the halves of gb_claim_test ------------------------------------------------------------- */

/* points.c: the points of r->claim in r->set on a device, with what was measured there. */
void gb_claim_find_points(gb_arena *arena, gb_claim_result *r, const gb_noise *noise,
                          const char *device);
/* Whether a device is one of those that a paper names, separated by ';': "NVIDIA P100" is a "Tesla
 * P100-PCIE-16GB", and no "Quadro P1000". */
bool gb_claim_names_device(const char *named, const char *device);
/* judge.c: what each point's evidence is, the verdict, and the words for it. */
void gb_claim_judge(gb_arena *arena, gb_claim_result *r, const char *device);
/* Whether the claim is about statuses, which are met or not, whatever the times. */
bool gb_claim_is_share(const gb_claim *claim);

#endif
