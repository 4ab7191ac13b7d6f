#!/bin/bash
# test: thorough 5
# The CUDA workers hold machine code for every generation they were built for, in each of their files,
# and say so: the one of CUDA 11.8 (Kepler to Volta) and the one of the nvcc on PATH, where they are
# built. How make chooses generations, also where the toolkit is old, is seen with stand-ins for nvcc.
cuda11=${CUDA11:-cuda-11.8}
. "$(dirname "$0")/../harness/lib.sh"
unset MAKEFLAGS MAKELEVEL CUDA_ARCHS CUDA11_ARCHS NVCC NVCCFLAGS NVCC11FLAGS
cd "$root" || exit 1

# "75 90" of a worker's "architectures":[750,900]
described() { "$1" --describe | tr -d ' \n\t' | sed -nE 's|.*"architectures":\[([0-9,]*)\].*|\1|p' | tr , '\n' | sed 's|0$||' | paste -sd ' '; }
# How many of a worker's files have such code: count WORKER sm_90
count() { "$BUILD/tests/worker/fatbin_archs" "$1" | grep -cx "$2"; }
# The files that have any, by their PTX; each has it once.
has_all() { echo "$1 has $3 in $(count "$1" "$3") of $2 files"; [ "$(count "$1" "$3")" = "$2" ]; }
is() { echo "$1, not $2"; [ "$1" = "$2" ]; }

# check_worker WORKER GENERATIONS: those that it was built for, ascending.
check_worker()
{
    local worker=$1 name files newest=${2##* } generation
    name=$(basename "$worker")
    check "$name says what it was built for" is "$(described "$worker")" "$2"
    files=$(count "$worker" "compute_$newest")
    check "$name has the PTX of the newest" test "$files" -gt 50
    for generation in $2; do
        check "$name has sm_$generation in all its files" has_all "$worker" "$files" "sm_$generation"
    done
    check "$name has nothing else" is "$("$BUILD/tests/worker/fatbin_archs" "$worker" | sort | uniq | wc -l)" \
        $(($(wc -w <<<"$2") + 1))
}
# What the build said that it built.
built_for() { sed -nE 's/.*GB_CUDA_ARCHS "([0-9,]*)".*/\1/p' "$BUILD/$1/flags.h" | tr , ' '; }

# shellcheck disable=SC2016 # it is make that expands it
check "CUDA 11.8 is asked for Kepler to Volta" is \
    "$(make -s CUDA11= NVCC= --eval 'asked: ; @echo $(CUDA11_ARCHS)' asked)" "35 37 50 52 60 61 70"
if [ -x "$BUILD/gpubench-cuda11" ]; then
    check_worker "$BUILD/gpubench-cuda11" "$(built_for cuda11)"
    # the toolkit's own reader sees what ours sees
    for generation in $(built_for cuda11); do
        check "cuobjdump finds sm_$generation" is \
            "$("$cuda11/bin/cuobjdump" --list-elf "$BUILD/gpubench-cuda11" | grep -c "\.sm_$generation\.cubin")" \
            "$(count "$BUILD/gpubench-cuda11" "sm_$generation")"
    done
else
    skip "the worker for GPUs before Turing" "it is not built: scripts/setup.sh --cuda11 fetches its compiler, or says why not"
fi
if [ -x "$BUILD/gpubench-cuda" ]; then
    check_worker "$BUILD/gpubench-cuda" "$(built_for cuda)"
else
    skip "the worker of the nvcc on PATH" "there was no nvcc"
fi

# ---- what make asks of nvcc ------------------------------------------------------------------------

# nvcc GENERATION...: a stand-in for one that knows these; gpu CAPABILITY: for a driver with this GPU.
mkdir "$scratch/bin"
nvcc()
{
    { echo '#!/bin/sh' && printf 'echo compute_%s\n' "$@"; } >"$scratch/bin/nvcc"
    chmod +x "$scratch/bin/nvcc"
}
gpu() { printf '#!/bin/sh\necho %s\n' "$1" >"$scratch/bin/nvidia-smi" && chmod +x "$scratch/bin/nvidia-smi"; }
# The command for one object: asks FOLDER [VARIABLE=VALUE...]
asks() { PATH=$scratch/bin:$PATH make -n BUILD="$scratch/$1" "${@:2}" "$scratch/$1/$1/common/cuda/sweep.cu.o" | grep -F -- '-c common/cuda/sweep.cu' | tr -s ' '; }
asks_for() { asks "${@:2}" | tee /dev/stderr | grep -qF -- "$1"; }
asks_not_for() { ! asks_for "$@"; }

gpu ''
nvcc 75 80 90 100 120
check "without a GPU: Hopper" asks_for '-gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90' cuda
check "a toolkit without old generations is not hushed" asks_not_for -Wno-deprecated-gpu-targets cuda
nvcc 35 50 60 70 75 80 86
check "an old toolkit: the newest that it knows" asks_for '-gencode arch=compute_86,code=sm_86 -gencode arch=compute_86,code=compute_86' cuda
check "whose warning of old generations is hushed" asks_for -Wno-deprecated-gpu-targets cuda
gpu 3.5
check "an old GPU with it: its generation" asks_for '-gencode arch=compute_35,code=sm_35 -gencode arch=compute_35,code=compute_35' cuda
gpu 9.0
check "a GPU that is newer than it: the newest that it knows" asks_for 'code=sm_86' cuda

mkdir -p "$scratch/toolkit/bin"
cp "$scratch/bin/nvcc" "$scratch/toolkit/bin/nvcc"
check "CUDA11=FOLDER: one pass for a major version" asks_for '-gencode arch=compute_60,code=sm_60 -gencode arch=compute_60,code=sm_61' \
    cuda11 CUDA11="$scratch/toolkit"
check "by its own nvcc" asks_for "$scratch/toolkit/bin/nvcc " cuda11 CUDA11="$scratch/toolkit"
check "with the PTX of the newest" asks_for 'code=sm_70 -gencode arch=compute_70,code=compute_70' cuda11 CUDA11="$scratch/toolkit"
check "CUDA11_ARCHS in any order" asks_for '-gencode arch=compute_35,code=sm_35 -gencode arch=compute_35,code=sm_37 -gencode arch=compute_61,code=sm_61 -gencode arch=compute_61,code=compute_61' \
    cuda11 CUDA11="$scratch/toolkit" CUDA11_ARCHS='61 37 35'
refused() { ! make -n CUDA11=/nowhere help 2>"$scratch/said" && cat "$scratch/said" && grep -qF 'CUDA11=/nowhere: this folder has no bin/nvcc' "$scratch/said"; }
check "a folder without nvcc is refused with what to do" refused
finish
