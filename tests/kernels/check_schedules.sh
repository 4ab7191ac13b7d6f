#!/bin/bash
# test: thorough 377
# Every variant of every primitive against its oracle on the simt device: other seeds, and random
# schedules of the threads.
. "$(dirname "$0")/../harness/lib_check.sh"

passes "another seed" "$BUILD/gpubench" check --device simt --quick --seed 2
passes "random schedules" "$BUILD/gpubench" check --device simt --quick --schedules 2
finish
