#!/bin/bash
# test: thorough 130
# Every variant of every primitive against its oracle on the simt device: another seed, and random
# schedules of the threads.
. "$(dirname "$0")/../harness/lib_check.sh"

passes "another seed, random schedules" "$BUILD/gpubench" check --device simt --quick --seed 2 --schedules 2
finish
