#!/bin/bash
# test: thorough turns 70
# What several GPUs do together, on simulated ones: all nasty inputs, 1, 2, 3, 5 and 8 GPUs among them.
. "$(dirname "$0")/../harness/lib_check.sh"

for primitive in kernels/*-multi; do
    check "${primitive#kernels/}" "$BUILD/gpubench" check "${primitive#kernels/}" --device simt
done
finish
