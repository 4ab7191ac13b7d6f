/* What `gpubench report` shows of generations of GPUs. */
#ifndef GB_COMMANDS_REPORT_GENERATIONS_H
#define GB_COMMANDS_REPORT_GENERATIONS_H

#include "bench/report/page.h"

/* Finds the points of all scripts with the line `generations` for the primitives of the results, as
 * `gpubench plot` draws them. False and *error. */
bool gb_report_find_generations(gb_report *report, gb_error *error);

#endif
