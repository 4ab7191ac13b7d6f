#!/bin/bash
# test: thorough 369
# Every variant of every primitive against its oracle on the simt device: all nasty inputs.
. "$(dirname "$0")/../harness/lib_check.sh"

passes "all inputs" "$BUILD/gpubench" check --device simt
check "each variant that runs here was judged" each_judged
finish
