/* The plan of a config for people: what --dry-run prints. */
#ifndef GB_MEASURE_PLAN_H
#define GB_MEASURE_PLAN_H

#include "bench/measure/estimate.h"

#include <stdio.h>

/* rows: how many rows would be measured. */
void gb_plan_print(FILE *file, const gb_config *config, const gb_session *session,
                   const gb_estimate *estimate, size_t rows);

/* The rows as requests of the worker protocol, one a line, for programs that are to do something
 * else with them: `select` (without ceilings), `provide` where the primitive is made from a
 * description (else NULL), then an `open` for each row, numbered from 1. False without memory. */
bool gb_requests_print(FILE *file, const gb_config *config, const gb_session *session,
                       const cJSON *description);

#endif
