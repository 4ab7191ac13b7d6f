/* Times on a card that is not here: what was measured on two cards or more, with all of their
 * multiprocessors and with some, fitted by laws of few terms (law.h); how wrong that is, held
 * against what was left out and what papers print; and what it says of another card. Experimental:
 * docs/project.md. */
#ifndef GB_PROJECT_PROJECT_H
#define GB_PROJECT_PROJECT_H

#include "bench/project/law.h"
#include "bench/rows/select.h"
#include "bench/rows/sides.h"
#include "bench/table/render.h"
#include "bench/util/exporter.h"

/* ---- what was measured (gather.c) ------------------------------------------------------------ */

/* A model of device with what its runs say of it. */
typedef struct gb_card {
    gb_machine machine;  /* all of it, at its highest clock */
    const gb_gpu *sheet; /* NULL: no data sheet is known */
} gb_card;

/* A variant at a point, on whatever cards and with however many multiprocessors it was measured. */
typedef struct gb_series {
    const gb_result_set *set;
    const gb_result_row *row; /* one of those with most multiprocessors, for its texts */
    const char *point;        /* "n=1000000;dist=cube", without a grid of multiprocessors */
    const char *readable;     /* the same for people, without what never differs: "n 1M, cube" */
    gb_timing *timings;
    size_t count;
    double items, least_bytes; /* of a run; bytes: 0 where they are not known */
    bool resident, mixed;      /* the L2 of every card holds it all; of some alone */
    size_t order;              /* among the rows */
    const char *lacks;         /* why nothing can be projected from it; NULL: enough is there */
} gb_series;

typedef struct gb_measured {
    gb_sides *sides;
    gb_card *cards;
    size_t card_count, card_capacity;
    gb_series *series; /* in the order of the rows */
    size_t series_count;
    const char **left_out; /* models whose rows could not be used, and why */
    size_t left_out_count, left_out_capacity;
} gb_measured;

/* The results that a command names, and what lies in their folders `under`: NULL-terminated. */
char **gb_project_paths(gb_arena *arena, char **paths, size_t count, size_t *found);
/* Gathers device times of all that runs on a GPU. Lives in the sides' arena. */
void gb_project_gather(gb_sides *sides, gb_measured *measured);
/* NULL where these timings say enough for a law that holds on other cards; else what is missing. */
const char *gb_timings_lack(const gb_timing *timings, size_t count);

/* ---- how wrong it is (checks.c, validate.c, printed.c)
 * ------------------------------------------------- */

typedef enum gb_check_kind {
    GB_CHECK_CARD,    /* a card was left out, and its times guessed from the others' */
    GB_CHECK_LIMIT,   /* a number of multiprocessors, between others */
    GB_CHECK_EDGE,    /* the smallest or the largest number of them */
    GB_CHECK_PRINTED, /* what a paper prints of a card that is not here */
    GB_CHECK_COUNT
} gb_check_kind;
extern const char *const gb_check_names[GB_CHECK_COUNT];

/* A time that is known and was guessed without. */
typedef struct gb_guess {
    gb_check_kind kind;
    const char *primitive, *experiment, *variant, *point, *readable;
    const char *held; /* the card; of limits "all cards" */
    double sms;       /* in use there */
    double time_s, lo_s, hi_s, truth_s;
    double error; /* the logarithm of time over truth */
} gb_guess;

/* The guesses of a primitive about one card, or about limits. */
typedef struct gb_check {
    const char *primitive, *held;
    gb_check_kind kind;
    size_t count;
    double typical; /* factor: the geometric mean of how far a guess is off, either way */
    double of90;    /* 90 % of the guesses are off by this factor at most */
    double of95;
    double tendency; /* geometric mean of guess over truth */
    const gb_guess *worst;
} gb_check;

typedef struct gb_validation {
    gb_guess *guesses;
    size_t guess_count, guess_capacity;
    gb_check *checks; /* by primitive, then kind */
    size_t check_count, check_capacity;
} gb_validation;

/* A primitive whose guesses are further off than this is not projected (gb_check.of90). */
extern const double gb_project_limit;

/* Guesses whatever is known of the rows that are chosen (NULL: all), and what papers print (results
 * of results/published and of the folders in it). False and *error if the layout of a paper's table
 * cannot be read. */
bool gb_project_validate(gb_measured *measured, gb_results *published, const gb_choices *chosen,
                         gb_validation *validation, gb_error *error);
/* The guesses about printed values are added to the others. False and *error as above. */
bool gb_project_guess_printed(gb_measured *measured, gb_results *published,
                              const gb_choices *chosen, gb_validation *validation, gb_error *error);
/* Adds a guess, whose error follows from its times; makes the checks when all are there. */
void gb_validation_add(gb_arena *arena, gb_validation *validation, const gb_guess *guess);
void gb_validation_sum_up(gb_arena *arena, gb_validation *validation);

/* ---- another card (onto.c) ------------------------------------------------------------------- */

/* A card that is not here, by its data sheet. */
typedef struct gb_target {
    const gb_gpu *sheet;
    gb_machine slow, middle, fast; /* what it may be */
    double share_lo, share_hi;     /* of its bandwidth that a copy reaches on the cards measured */
    bool boards; /* the name covers several, of other clocks or bandwidths: slow to fast */
    bool sms_beyond, bandwidth_beyond, clock_beyond; /* what was measured */
    bool other_architecture;
} gb_target;

/* What becomes of a primitive on a target. */
typedef struct gb_verdict_of {
    const char *primitive;
    double spread;           /* logarithm: how far a time may be off, beyond its span */
    const gb_check *refused; /* that is too far off; NULL: none */
    bool unchecked;          /* no card was left out */
    bool unvalidated; /* nothing was printed of another architecture: others' errors are taken */
} gb_verdict_of;

typedef struct gb_projected {
    const gb_series *series;
    gb_span span; /* with the spread */
    double share[GB_TERM_COUNT];
    unsigned power, laws; /* laws: how many fit about as well */
    double error;         /* of the law, a factor */
    double nearest_s;     /* on the nearest card; 0: not measured there */
    const char *doubt; /* "l2-unknown": its L2 is taken to be too small for it, "l2-may-hold-it" */
} gb_projected;

/* Rows that are not projected, and why: "fit the L2 ...". */
typedef struct gb_left_out {
    const char *text;
    size_t rows;
} gb_left_out;

typedef struct gb_projection {
    gb_measured *measured;
    gb_validation *validation;
    const gb_choices *chosen;
    gb_target target;
    const gb_card *nearest;
    gb_verdict_of *verdicts;
    size_t verdict_count, verdict_capacity;
    gb_projected *items;
    size_t count, capacity;
    gb_left_out *reasons;
    size_t reason_count, reason_capacity;
} gb_projection;

/* The target of a name in gpus.csv. False and *error with what is missing. */
bool gb_target_find(gb_measured *measured, const char *name, gb_target *target, gb_error *error);
/* Projects every chosen series. Start from {0} with measured, validation, chosen and target set. */
void gb_project(gb_projection *projection);
/* What became of a primitive; NULL: none of its rows got that far. */
const gb_verdict_of *gb_verdict_find(const gb_projection *projection, const char *primitive);

/* ---- printing (print.c, records.c) ----------------------------------------------------------- */

typedef struct gb_project_output {
    gb_arena *arena;
    FILE *file;
} gb_project_output;

/* Items: a gb_projection; a gb_validation. */
extern const gb_exporter gb_projection_exporters[];
extern const gb_exporter gb_validation_exporters[];

#endif
