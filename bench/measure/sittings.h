/* Rows that take more than one sitting: what a run that ends early has of them is kept, and the
 * next one goes on from it. Inside the runner only. */
#ifndef GB_MEASURE_SITTINGS_H
#define GB_MEASURE_SITTINGS_H

#include "bench/measure/trouble.h"

/* Reads what an earlier run kept, and says so. False and *error. */
bool gb_sittings_begin(gb_runner *run, gb_error *error);
/* Gives tasks that are to begin the samples that were kept of them. */
void gb_sittings_adopt(gb_runner *run, gb_task *tasks, size_t count);
/* Keeps the samples of tasks that are not done, if the run was stopped. */
void gb_sittings_keep(gb_runner *run, gb_task *tasks, size_t count);
/* Writes what was kept, or removes what is of no use any more, and says what is there. False and
 * *error. */
bool gb_sittings_end(gb_runner *run, gb_error *error);

#endif
