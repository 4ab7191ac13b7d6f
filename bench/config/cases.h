/* The inputs of `gpubench check`: nasty values of all axes, paired; or the cases that were asked
 * for. */
#ifndef GB_CONFIG_CASES_H
#define GB_CONFIG_CASES_H

#include "bench/worker/job.h"

/* The all-pairs cases of a primitive's nasty values; quick: only the first and the last of the
 * nasty values and those between at every third place. The caller frees the list. NULL and *error
 * if a nasty value is none. */
gb_params *gb_check_cases(const gb_catalogue_primitive *primitive, uint64_t seed, bool quick,
                          size_t *count, gb_error *error);
/* Parses "n=33,bins=7,dist='file:a, b.csv'"; axes that are left out take their defaults. False and
 * *error. */
bool gb_check_case_parse(const gb_catalogue_primitive *primitive, const char *text,
                         gb_params *params, gb_error *error);
/* So many cases that were asked for; the caller frees the list. NULL and *error if one is none. */
gb_params *gb_check_cases_named(const gb_catalogue_primitive *primitive, const char *const *texts,
                                size_t count, gb_error *error);
/* Whether each case can be right at all (gb_job_work), as far as the worker knows; false and
 * *error, which names the first that cannot. */
bool gb_check_cases_right(gb_link *link, const gb_params *cases, size_t count, gb_error *error);
/* Writes a case so that gb_check_case_parse reads it, in GB_CASE_TEXT bytes at most. Returns text.
 */
enum { GB_CASE_TEXT = 1 << 16 };
char *gb_check_case_format(const gb_catalogue_primitive *primitive, const gb_params *params,
                           char *text, size_t capacity);

#endif
