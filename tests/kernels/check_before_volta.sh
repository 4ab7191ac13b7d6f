#!/bin/bash
# test: thorough turns 200
# Every variant against its oracle with the code paths of the generations before Volta, on the simt
# device; of the partitions for eight types those with the fewest bytes and the most.
. "$(dirname "$0")/../harness/lib_check.sh"

mkdir -p "$scratch/before-volta"
cp "$BUILD/gpubench" "$scratch/before-volta/"
cp -a "$BUILD/c" "$scratch/before-volta/" # which knows no generations
unset MAKEFLAGS MAKELEVEL
check "builds for a generation before Volta" make NVCC= SIMT_ARCH=350 CXXFLAGS=-Og \
    PARTITION_TYPES='k4_p0 k8_p16' BUILD="$scratch/before-volta" \
    "$scratch/before-volta/gpubench-simt"
check "is that generation" sh -c \
    "'$scratch/before-volta/gpubench-simt' --describe | grep -qE '\"arch\":[[:space:]]*350'"
passes "before Volta" "$scratch/before-volta/gpubench" check --device simt --quick
finish
