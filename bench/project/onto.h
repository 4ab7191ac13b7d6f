/* What the parts of this room share about another card. */
#ifndef GB_PROJECT_ONTO_H
#define GB_PROJECT_ONTO_H

#include "bench/project/project.h"

/* Fits a series and takes it to a target: NULL, or why not, as what rows do ("fit the L2 ..."). The
 * span is that of the laws alone. *doubt: a flag of the row, or "". */
const char *gb_series_onto(const gb_series *series, const gb_target *target, gb_fit *fit,
                           gb_span *span, const char **doubt);

#endif
