#!/bin/bash
# Every variant of every primitive against its oracle on the simt device: all nasty inputs, other
# seeds, random schedules of the threads, and the code paths of the generations before Volta.
. "$(dirname "$0")/lib.sh"
cd "$root" || exit 1

judged() { cat "$scratch/judged"; [ "$(grep -cE '^passed .*: [1-9][0-9]* ok' "$scratch/judged")" -ge 9 ]; }

# passes NAME COMMAND...: the check succeeds, and really ran something.
passes()
{
    local name=$1
    shift
    check "$name" bash -o pipefail -c '"$@" | tee "$0"' "$scratch/judged" "$@"
    check "$name: all nine variants that run here were judged" judged
}

passes "all inputs" "$BUILD/gpubench" check --device simt
passes "another seed" "$BUILD/gpubench" check --device simt --quick --seed 2
passes "random schedules" "$BUILD/gpubench" check --device simt --quick --schedules 2

mkdir -p "$scratch/before-volta"
cp "$BUILD/gpubench" "$scratch/before-volta/"
unset MAKEFLAGS MAKELEVEL
check "builds for a generation before Volta" make NVCC= SIMT_ARCH=350 BUILD="$scratch/before-volta" \
    "$scratch/before-volta/gpubench-simt"
check "is that generation" sh -c \
    "'$scratch/before-volta/gpubench-simt' --describe | grep -qE '\"arch\":[[:space:]]*350'"
passes "before Volta" "$scratch/before-volta/gpubench" check --device simt --quick
finish
