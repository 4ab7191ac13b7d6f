#!/bin/bash
# Every variant of every primitive against its oracle on the simt device: all nasty inputs, other
# seeds, random schedules of the threads.
. "$(dirname "$0")/lib_check.sh"

passes "all inputs" "$BUILD/gpubench" check --device simt
passes "another seed" "$BUILD/gpubench" check --device simt --quick --seed 2
passes "random schedules" "$BUILD/gpubench" check --device simt --quick --schedules 2
finish
