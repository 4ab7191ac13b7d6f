/* How long a run still takes, as it goes. Inside the runner only. */
#ifndef GB_MEASURE_EXPECT_H
#define GB_MEASURE_EXPECT_H

#include "bench/measure/trouble.h"

/* Plans all rows that are left, at *points points; the seconds that the plan says. */
double gb_runner_plan_all(gb_runner *run, size_t *points);
/* Fills run->tasks with the rows of a point in a scope, as gb_wanted_rows, and with what they are
 * expected to take. */
size_t gb_runner_plan_tasks(gb_runner *run, size_t point, gb_scope scope, size_t *present);
/* Seconds that all rows of a point are expected to take; 0: there is nothing to go by. */
double gb_runner_expect_point(gb_runner *run, size_t point);
/* Brings what is left of the run up to date, for its progress. */
void gb_runner_expect(gb_runner *run);
/* The point has ended: what its rows took tells of the others. */
void gb_runner_learn(gb_runner *run);

#endif
