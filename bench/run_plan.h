/* The plan of a config for people: what --dry-run prints. */
#ifndef GB_RUN_PLAN_H
#define GB_RUN_PLAN_H

#include "bench/estimate.h"

#include <stdio.h>

/* rows: how many rows would be measured. */
void gb_plan_print(FILE *file, const gb_config *config, const gb_session *session,
                   const gb_estimate *estimate, size_t rows);

#endif
