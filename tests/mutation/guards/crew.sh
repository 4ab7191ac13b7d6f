# shellcheck shell=bash
# Guards of the threads that queue for several GPUs (common/worker/crew.c).

guard 'all items are waited for' gb_crew_run '!= items)' '> items)' test_crew
guard 'a failure is told' gb_crew_run 'return crew->status[i];' 'return GB_OK;' test_crew
guard 'of several failures the lowest is told' gb_crew_run '*error = crew->error[i];' '*error = crew->error[items - 2];' test_crew
