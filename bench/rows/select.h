/* Which rows of an experiment one table or figure shows: every dimension that is not drawn is held
 * at one value. */
#ifndef GB_ROWS_SELECT_H
#define GB_ROWS_SELECT_H

#include "bench/rows/rows.h"
#include "bench/util/options.h"

/* A wish: an axis, "cache", "scope" or "variant", and what it may be: values separated by commas,
 * or "all".
 * Sizes may be written as in configs (32M). */
typedef struct gb_choice {
    const char *name, *value;
} gb_choice;

typedef struct gb_choices {
    gb_choice *items;
    size_t count, capacity;
} gb_choices;

/* Rows with the same value of all dimensions that are held. */
typedef struct gb_slice {
    const gb_result_row **rows; /* in the set's order */
    size_t row_count;
    const char **devices; /* in order of appearance */
    size_t device_count;
    char *held;   /* "dist uniform, function range, warm cache", for captions */
    char *suffix; /* what tells it from the other slices: "binomial"; "" if it is the only one */
    const gb_choice *variants; /* that are wanted; NULL: all. The set has the others as well, for
                                  ratios to them */
} gb_slice;

typedef struct gb_slices {
    gb_slice *items;
    size_t count;
    char *hidden; /* values that were left out for the preferred ones, with the option that shows
                     them; NULL if there are none */
} gb_slices;

/* Cuts a set into slices, of the chosen variants' rows where variants are chosen. drawn[a]: axis a
 * is drawn, so that slices keep all its values (that are chosen). A dimension that is held makes
 * one slice a value: of the chosen values if it is in `chosen`, else of the preferred value if it
 * is in `preferred` and was measured, else of all; the cache is preferred warm and the scope
 * device. False and *error if nothing is left of the set, or if a choice names a value that was not
 * measured. */
bool gb_results_slice(gb_arena *arena, const gb_result_set *set, const bool drawn[GB_MAX_AXES],
                      const gb_choices *preferred, const gb_choices *chosen, gb_slices *slices,
                      gb_error *error);

/* The different values of an axis among rows: numbers ascending, before names in order of
 * appearance. NULL-terminated. */
const char **gb_axis_values(gb_arena *arena, const gb_result_row *const *rows, size_t row_count,
                            unsigned axis, size_t *count);

/* A value as captions print it: a size of a million or more in short form (32M). */
const char *gb_axis_readable(gb_arena *arena, const char *value);
/* The same, but of an input from a file ("file:build/stars.csv") the file's name alone. */
const char *gb_axis_shown(gb_arena *arena, const char *value);

/* Whether a choice lets a value through. */
bool gb_choice_allows(gb_arena *arena, const gb_choice *choice, const char *value);

/* Whether all choices (NULL: none) let a row of the set through: those of axes, and cache, scope,
 * variant and experiment (which what others printed has none of). Published rows leave blank what
 * they do not say, and hold whatever an axis that is "*"; measured rows without a chosen axis do
 * not pass. */
bool gb_choices_pass(gb_arena *arena, const gb_choices *choices, const gb_result_set *set,
                     const gb_result_row *row);

/* The choice that counts for a name, the last one; NULL: there is none. choices may be NULL. */
const gb_choice *gb_choice_find(const gb_choices *choices, const char *name);
/* "a, b, c", of very many the first and how many there are. */
const char *gb_values_listed(gb_arena *arena, const char **values, size_t count);

void gb_choices_add(gb_arena *arena, gb_choices *choices, const char *name, const char *value);

/* Where options put choices. */
typedef struct gb_chooser {
    gb_arena *arena;
    gb_choices *choices;
} gb_chooser;

/* An option that is called as the axis is. */
gb_option gb_choice_option(const char *name, const char *argument, const char *help,
                           gb_chooser *chooser);
/* --cache and --scope of what shows one slice at a time. */
gb_option gb_choice_cache(gb_chooser *chooser);
gb_option gb_choice_scope(gb_chooser *chooser);
/* --variant, of names separated by commas. */
gb_option gb_choice_variant(gb_chooser *chooser);
/* Extends a command's option table (its own entries first, NULL-terminated) by every other --NAME
 * in argv, each taking a VALUE: these are choices of axes, which are known only when the results
 * have been read. The table lives in the chooser's arena. */
const gb_option *gb_choice_options(gb_chooser *chooser, const gb_option *own, int argc,
                                   char **argv);
/* Of a list of variants, separated by ";", those that a choice (NULL: none was made) lets through;
 * "" where that is none. */
const char *gb_choice_of_variants(gb_arena *arena, const gb_choice *choice, const char *variants);

/* False and *error if a choice is neither cache, scope, experiment nor an axis of any set, or names
 * a variant that no row has. */
bool gb_choices_check(const gb_choices *chosen, const gb_results *results, const gb_option *own,
                      gb_error *error);

#endif
