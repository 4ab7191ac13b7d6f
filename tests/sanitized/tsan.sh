#!/bin/bash
# test: thorough alone turns 250
# Every variant of every primitive at a small size under ThreadSanitizer.
. "$(dirname "$0")/lib_sanitized.sh"

if [ -x "$BUILD/tests/gpubench-simt-tsan" ]; then
    for primitive in "${primitives[@]}"; do
        start "TSan: $primitive" variants "$BUILD/tests/gpubench-simt-tsan" "$primitive" few
    done
else
    skip "TSan" "$BUILD/tests/gpubench-simt-tsan is not built (make sanitized; it needs libtsan)"
fi
outcomes
finish
