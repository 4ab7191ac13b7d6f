/* A pager for output that is longer than the screen. */
#ifndef GB_UTIL_PAGER_H
#define GB_UTIL_PAGER_H

#include "bench/util/options.h"

/* From here on what goes to stdout, if that is a terminal, is kept until gb_pager_end or the end of
 * the program. The terminal's width is still that of stdout (bench/util/terminal.h). Nothing is
 * kept where GPUBENCH_PAGER (else PAGER) is set and blank, or "cat". */
void gb_pager_begin(void);
/* Shows what was kept: as it is, or, where it is longer than the screen, in the pager that
 * GPUBENCH_PAGER, else PAGER names to a shell, else in `less`, and waits until the user has seen
 * enough. A pager that cannot be started loses nothing: then it is shown as it is. Does nothing
 * where nothing is kept. */
void gb_pager_end(void);

/* --no-pager, which takes gb_pager_begin back. */
gb_option gb_option_no_pager(void);

#endif
