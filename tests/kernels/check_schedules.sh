#!/bin/bash
# test: thorough turns 80
# Every variant of every primitive against its oracle on the simt device: another seed, and a random
# schedule of the threads for each input.
. "$(dirname "$0")/../harness/lib_check.sh"

passes "another seed, random schedules" "$BUILD/gpubench" check --device simt --quick --seed 2 --schedules 1
finish
