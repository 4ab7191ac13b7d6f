/* Result files of before, which lack a column that is written now. */
#ifndef GB_RECORD_WIDEN_H
#define GB_RECORD_WIDEN_H

#include "common/text/csv.h"

/* A result file's table with the column `under`, blank, behind `instance`; the table itself where
 * it has one or is none of ours. *text: what the file has to hold from then on, the caller's to
 * free; NULL: it stays as it is. NULL and *error without memory. csv is the function's in any case.
 */
gb_csv *gb_results_widen(gb_csv *csv, const char *path, char **text, gb_error *error);

#endif
