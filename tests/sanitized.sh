#!/bin/bash
# What `make sanitized` builds: the unit tests and every variant of every primitive at a small size
# under AddressSanitizer and UndefinedBehaviorSanitizer, the variants under ThreadSanitizer as well.
. "$(dirname "$0")/lib.sh"
cd "$root" || exit 1
export SIMT_WORKERS=2 CMOCKA_MESSAGE_OUTPUT=TAP
# What a sanitizer says ends the program, with a status that nothing else has.
# Signals stay the tests' own: they let workers die of them.
export ASAN_OPTIONS=exitcode=66:handle_segv=0:handle_abort=0:allocator_may_return_null=1
export TEST_PATIENCE=${TEST_PATIENCE:-5} # these builds are slow on purpose
export UBSAN_OPTIONS=print_stacktrace=1:exitcode=66 TSAN_OPTIONS=exitcode=66:halt_on_error=1

# unit_test PROGRAM: it passes, and no sanitizer has anything to say.
unit_test()
{
    "$1" >"$scratch/unit" 2>&1
    local status=$?
    [ $status = 0 ] && ! grep -q '^not ok' "$scratch/unit" && return
    tail -n 60 "$scratch/unit"
    return 1
}

# has_n PRIMITIVE: its size is an axis n.
has_n()
{
    "$BUILD/gpubench" list primitives --device simt 2>/dev/null |
        awk -v name="$1" 'NF == 1 { on = $1 == name } on && $1 == "n" { found = 1 } END { exit !found }'
}

# variants WORKER PRIMITIVE OPTION...: all of them pass at a small size, and some did run.
variants()
{
    local size=(--quick) status
    if has_n "$2"; then size=(--case n=300); fi
    "$BUILD/gpubench" check "$2" --worker "$1" --device simt "${size[@]}" "${@:3}" >"$scratch/out" 2>&1
    status=$?
    cat "$scratch/out"
    [ $status = 0 ] && grep -qE '^passed .*: [1-9][0-9]* ok' "$scratch/out"
}

primitives=()
for folder in kernels/*/primitive.c; do primitives+=("$(basename "$(dirname "$folder")")"); done

if [ -x "$BUILD/asan/gpubench-simt" ]; then
    for program in "$BUILD"/asan/tests/test_*; do
        check "ASan and UBSan: $(basename "$program")" unit_test "$program"
    done
    for primitive in "${primitives[@]}"; do
        check "ASan and UBSan: $primitive" variants "$BUILD/asan/gpubench-simt" "$primitive"
        check "ASan and UBSan: $primitive, explored" \
            variants "$BUILD/asan/gpubench-simt" "$primitive" --schedules 3
    done
else
    skip "ASan and UBSan" "$BUILD/asan is not built (make sanitized; it needs libasan and libubsan)"
fi
if [ -x "$BUILD/tests/gpubench-simt-tsan" ]; then
    for primitive in "${primitives[@]}"; do
        check "TSan: $primitive" variants "$BUILD/tests/gpubench-simt-tsan" "$primitive"
    done
else
    skip "TSan" "$BUILD/tests/gpubench-simt-tsan is not built (make sanitized; it needs libtsan)"
fi
finish
