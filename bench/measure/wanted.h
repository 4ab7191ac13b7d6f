/* Which rows of a point the plan asks for. Inside the runner only. */
#ifndef GB_MEASURE_WANTED_H
#define GB_MEASURE_WANTED_H

#include "bench/measure/task.h"

/* Fills tasks (if not NULL; at most 2 * variant_count) with the rows of a point in a scope that are
 * wanted; returns how many. Those that are in the output (NULL: none is) add to *present. */
size_t gb_wanted_rows(const gb_config *config, const gb_output *output, size_t point,
                      gb_scope scope, gb_task *tasks, size_t *present);
/* How many they are in all scopes. */
size_t gb_wanted_count(const gb_config *config, const gb_output *output, size_t point,
                       size_t *present);

#endif
