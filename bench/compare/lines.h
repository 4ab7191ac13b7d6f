/* What two devices have, as the rows of a pair know it. */
#ifndef GB_COMPARE_LINES_H
#define GB_COMPARE_LINES_H

#include "bench/compare/explain.h"

/* Of each resource what both devices have, measured of both, else by the data sheets of both; never
 * one of each, which would set what is reached beside what is promised. */
void gb_lines_of_pair(gb_sides *sides, const gb_pair *pair, gb_line line[GB_RESOURCE_COUNT]);

/* Multiprocessors that a row's work had; 0: unknown. */
double gb_multiprocessors(gb_sides *sides, const gb_result_row *row);
/* What an empty kernel took on a row's device, measured; 0: unknown. */
double gb_launch_s(gb_sides *sides, const gb_result_row *row);

#endif
