#!/bin/bash
# test: thorough alone turns 450
# Unit tests, and every variant of every primitive at a small size, under AddressSanitizer and
# UndefinedBehaviorSanitizer. It takes 150 seconds by itself, and its turn as many as said of tests that run beside
# others: builds of its own are in it.
. "$(dirname "$0")/lib_sanitized.sh"

if [ -x "$BUILD/asan/gpubench-simt" ]; then
    # test_info looks at times: nothing else runs meanwhile.
    check "ASan and UBSan: test_info" unit_test "$BUILD/asan/tests/driver/test_info"
    while read -r program; do
        [ "${program##*/}" = test_info ] || start "ASan and UBSan: ${program##*/}" unit_test "$program"
    done < <(find "$BUILD/asan/tests" -type f -name 'test_*' | sort)
    for primitive in "${primitives[@]}"; do
        start "ASan and UBSan: $primitive" variants "$BUILD/asan/gpubench-simt" "$primitive" quick
        start "ASan and UBSan: $primitive, explored" \
            variants "$BUILD/asan/gpubench-simt" "$primitive" few --schedules 3
    done
else
    skip "ASan and UBSan" "$BUILD/asan is not built (make sanitized; it needs libasan and libubsan)"
fi
outcomes
finish
