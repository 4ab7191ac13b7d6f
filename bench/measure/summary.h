/* What a run tells people when it ends: counts and files on stdout, warnings with their remedies on
 * stderr. */
#ifndef GB_MEASURE_SUMMARY_H
#define GB_MEASURE_SUMMARY_H

#include "bench/measure/runner.h"

void gb_summary_print(const gb_output *output, const gb_session *session,
                      const gb_run_totals *totals);
void gb_warnings_print(const gb_output *output, const gb_session *session,
                       const gb_run_totals *totals);
/* Prints the command line that takes the run up again, quoted for a shell. */
void gb_resume_command_print(int argc, char *const *argv);

#endif
