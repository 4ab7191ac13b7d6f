/* Rows as other tools' files have them: the way back from bench/rows/foreign.h. */
#ifndef GB_ROWS_FOREIGN_OF_H
#define GB_ROWS_FOREIGN_OF_H

#include "bench/foreign/export.h"
#include "bench/rows/sides.h"

/* Writes the measured rows of results, a file or a folder, with their samples, in a format of
 * another tool. command: what was asked for. False and *error, also where there is no such row. */
bool gb_results_export(const char *results, gb_export_format format, const char *path,
                       const char *const *command, size_t command_count, gb_error *error);

#endif
