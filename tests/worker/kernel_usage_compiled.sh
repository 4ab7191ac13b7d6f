#!/bin/bash
# test: thorough turns 45
# The radix sorts' kernels, compiled anew with the optimisation that measuring needs, take no more registers and stack
# than tests/fixtures/kernel-usage.csv says: where everything else is compiled in a hurry (.ci/run), what
# tests/worker/kernel_usage.sh reads of a build means nothing.
. "$(dirname "$0")/../harness/lib.sh"
cd "$root" || exit 1
unset MAKEFLAGS MAKELEVEL CUDA_ARCHS NVCCFLAGS NVCC
sources='kernels/radix-sort/onesweep/onesweep.cu kernels/radix-sort/hybrid/hybrid.cu'
if ! nvcc --list-gpu-arch 2>/dev/null | grep -x compute_90 >/dev/null; then
    skip "the radix sorts' kernels are not worse" "there is no nvcc that knows sm_90"
    finish
    exit
fi
# shellcheck disable=SC2046,SC2086 # they are several
check "they are compiled" make BUILD="$scratch/b" CUDA_ARCHS=90 OPENCL= CCCL= $(printf "$scratch/b/cuda/%s.o " $sources)
mkdir -p "$scratch/b/tests/worker" && cp "$BUILD/tests/worker/kernel_usage" "$scratch/b/tests/worker/"
check "they are read" sh -c "scripts/kernel-usage.sh read '$scratch/b' >'$scratch/reading'"
check "none is worse" scripts/kernel-usage.sh compare tests/fixtures/kernel-usage.csv "$scratch/reading"
finish
