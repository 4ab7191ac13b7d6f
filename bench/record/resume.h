/* Taking up a run where it ended: reads its rows back, cuts what was torn, checks that they belong
 * to the same experiment. */
#ifndef GB_RECORD_RESUME_H
#define GB_RECORD_RESUME_H

#include "bench/record/results.h"

/* Prepares output's files (named and locked, not open) for appending and fills output->done with
 * the keys of the rows that stay. With retry, rows that failed are taken out (and appended to
 * NAME.retried.csv). A missing file is an empty one. False and *error, with nothing changed, if the
 * rows are another experiment's. */
bool gb_resume(gb_output *output, gb_error *error);

#endif
