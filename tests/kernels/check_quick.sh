#!/bin/bash
# test: long 40
# Every variant of every primitive against its oracle on the simt device: a tenth of the nasty inputs, as a user is
# told to run it; check_variants.sh has all.
. "$(dirname "$0")/../harness/lib_check.sh"

if [ -n "${ALL_INPUTS_FOLLOW:-}" ]; then
    skip "a tenth of the inputs" "check_variants.sh has all of them, and follows"
    finish
    exit
fi
passes "a tenth of the inputs" "$BUILD/gpubench" check --device simt --quick
check "each variant that runs here was judged" each_judged
finish
