#!/bin/bash
# test: thorough turns 70
# What several GPUs do together, on simulated ones: all nasty inputs, 1, 2, 3, 5 and 8 GPUs among them.
. "$(dirname "$0")/../harness/lib_check.sh"

for primitive in kernels/*-multi; do
    check "${primitive#kernels/}" "$BUILD/gpubench" check "${primitive#kernels/}" --device simt
done
# jobs of which each has enough elements for hybrid's stages
for case in n=2000003,gpus=2 n=2000003,gpus=3,dist=normal,payload=u32,share=uneven; do
    check "radix-sort-multi, $case" "$BUILD/gpubench" check radix-sort-multi --device simt --case "$case" --variant peers
done
finish
