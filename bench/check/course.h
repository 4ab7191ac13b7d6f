/* How far a check is and how long it still takes. Its unit is a case that a variant is verified
 * with, under each schedule where there are several. */
#ifndef GB_CHECK_COURSE_H
#define GB_CHECK_COURSE_H

#include "bench/check/check.h"

/* The units of a variant with so many cases. */
uint64_t gb_course_units(const gb_check *c, const gb_catalogue_variant *variant, size_t cases);

/* Plans units of a primitive, by its index in the catalogue: those of one variant. */
void gb_course_plan(gb_check *c, unsigned primitive, uint64_t units);
/* Says on stderr how much there is to do and, where experience tells, how long that takes; starts
 * the progress. */
void gb_course_begin(gb_check *c);
/* A variant begins; a unit of it is done; it ends, with what was not run. */
void gb_course_variant(gb_check *c, unsigned primitive, const char *name, uint64_t units);
void gb_course_done(gb_check *c);
void gb_course_end(gb_check *c);

#endif
