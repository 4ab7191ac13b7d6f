# shellcheck shell=bash
# shellcheck disable=SC2016 # what stands in the files
# Guards about the first screen, history, and what is measured again when a file changes: see tests/mutation/guards.sh.

guard 'the first screen waits for no worker that hangs' print_silent 'worker->error.status == GB_TIMEOUT' 'false' welcome.sh
guard 'a recorded time is of the whole plan' recorded_in 'run.rows >= rows && ' '' welcome.sh
guard 'nothing is gone on with that has ended' look_into 'strcmp(run.state, "interrupted") == 0' 'true' welcome.sh
