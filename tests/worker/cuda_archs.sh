#!/bin/bash
# test: thorough 5
# The CUDA workers hold machine code for every generation they were built for, in each of their files,
# and say so: the one of CUDA 11.8 (Kepler to Volta) and the one of the nvcc on PATH, where they are
# built. How make chooses generations, also where the toolkit is old, is seen with stand-ins for nvcc.
cuda11=${CUDA11:-cuda-11.8}
. "$(dirname "$0")/../harness/lib.sh"
unset MAKEFLAGS MAKELEVEL CUDA_ARCHS CUDA11_ARCHS CUB_ARCHS NVCC NVCCFLAGS NVCC11FLAGS
cd "$root" || exit 1

# "75 90" of a worker's "architectures":[750,900]
described() { "$1" --describe | tr -d ' \n\t' | sed -nE 's|.*"architectures":\[([0-9,]*)\].*|\1|p' | tr , '\n' | sed 's|0$||' | paste -sd ' '; }
# How many of a worker's files have such code: count WORKER sm_90
count() { "$BUILD/tests/worker/fatbin_archs" "$1" | grep -cx "$2"; }
# The files that have any, by their PTX; each has it once.
has_all() { echo "$1 has $3 in $(count "$1" "$3") of $2 files"; [ "$(count "$1" "$3")" = "$2" ]; }
is() { echo "$1, not $2"; [ "$1" = "$2" ]; }

# What the build said that it built, for a worker's folder: of all, and of CUB's kernels if these are for fewer.
built_for() { sed -nE 's/.*GB_CUDA_ARCHS "([0-9,]*)".*/\1/p' "$BUILD/$1/flags.h" | tr , ' '; }
built_cub_for() { sed -nE 's/.*\(CUB for ([0-9 ]*) alone\).*/\1/p' "$BUILD/$1/flags.h"; }
# How many of a folder's files with CUB's kernels have such code.
count_cub()
{
    find "$BUILD/$1" -path '*/cub/*.cu.o' -exec "$BUILD/tests/worker/fatbin_archs" {} \; | grep -cx "$2"
}

# check_worker FOLDER: the worker, whose objects are there, has all generations that it was built for.
check_worker()
{
    local worker=$BUILD/gpubench-$1 name=gpubench-$1 files newest generation generations cub
    generations=$(built_for "$1") cub=$(built_cub_for "$1")
    newest=${generations##* }
    check "$name says what it was built for" is "$(described "$worker")" "$generations"
    files=$(count "$worker" "compute_$newest")
    check "$name has the PTX of the newest" test "$files" -gt 50
    for generation in $generations; do
        if [ -z "$cub" ] || [[ " $cub " = *" $generation "* ]]; then
            check "$name has sm_$generation in all its files" has_all "$worker" "$files" "sm_$generation"
        else
            check "$name has sm_$generation in all its files but CUB's" has_all "$worker" \
                $((files - $(count_cub "$1" "compute_$newest"))) "sm_$generation"
        fi
    done
    check "$name has nothing else" is "$("$BUILD/tests/worker/fatbin_archs" "$worker" | sort | uniq | wc -l)" \
        $(($(wc -w <<<"$generations") + 1))
}

# shellcheck disable=SC2016 # it is make that expands it
check "CUDA 11.8 is asked for Kepler to Volta" is \
    "$(make -s CUDA11= NVCC= --eval 'asked: ; @echo $(CUDA11_ARCHS)' asked)" "35 37 50 52 60 61 70"
if [ -x "$BUILD/gpubench-cuda11" ]; then
    check_worker cuda11
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
    check_worker cuda
else
    skip "the worker of the nvcc on PATH" "there was no nvcc"
fi

# Workers of old code have the PTX of one generation and no machine code, whoever built them.
for worker in "$BUILD"/gpubench-cuda*-sm_*; do
    [ -x "$worker" ] || continue
    name=$(basename "$worker") generation=${worker##*-sm_}
    check "$name has PTX alone" is "$("$BUILD/tests/worker/fatbin_archs" "$worker" | sort -u | paste -sd ' ')" "compute_$generation"
    check "... and says so" is "$("$worker" --describe | tr -d ' \n\t' | grep -oE '"code":"[^"]*","architectures":\[[^]]*\]')" \
        "\"code\":\"sm_$generation\",\"architectures\":[]"
done

# ---- what make asks of nvcc ------------------------------------------------------------------------

# nvcc GENERATION...: a stand-in for one that knows these; gpu CAPABILITY: for a driver with this GPU.
mkdir "$scratch/bin"
nvcc()
{
    { echo '#!/bin/sh' && printf 'echo compute_%s\n' "$@"; } >"$scratch/bin/nvcc"
    chmod +x "$scratch/bin/nvcc"
}
gpu() { printf '#!/bin/sh\necho %s\n' "$1" >"$scratch/bin/nvidia-smi" && chmod +x "$scratch/bin/nvidia-smi"; }
# The command for one object: asks FOLDER [VARIABLE=VALUE...]; for that of $source.
source=common/cuda/sweep.cu
asks() { PATH=$scratch/bin:$PATH make -n BUILD="$scratch/$1" "${@:2}" "$scratch/$1/$1/$source.o" | grep -F -- "-c $source" | tr -s ' '; }
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

ampere='-gencode arch=compute_80,code=sm_80 -gencode arch=compute_80,code=compute_80'
check "CUB_ARCHS is not for our own kernels" asks_for "code=sm_75 $ampere" cuda CUDA_ARCHS='75 80' CUB_ARCHS='70 80'
source=kernels/dynamic-array/cub/select.cu
check "CUB's kernels are for all generations, too" asks_for "code=sm_75 $ampere" cuda CUDA_ARCHS='75 80'
check "or for those of CUB_ARCHS" asks_not_for sm_75 cuda CUDA_ARCHS='75 80' CUB_ARCHS='70 80'
check "of which there are some" asks_for "$ampere" cuda CUDA_ARCHS='75 80' CUB_ARCHS='70 80'
check "the newest where none is there" asks_for "$ampere" cuda CUDA_ARCHS='75 80' CUB_ARCHS=61
source=common/cuda/sweep.cu

mkdir -p "$scratch/toolkit/bin"
cp "$scratch/bin/nvcc" "$scratch/toolkit/bin/nvcc"
check "CUDA11=FOLDER: one pass for a major version" asks_for '-gencode arch=compute_60,code=sm_60 -gencode arch=compute_60,code=sm_61' \
    cuda11 CUDA11="$scratch/toolkit"
check "by its own nvcc" asks_for "$scratch/toolkit/bin/nvcc " cuda11 CUDA11="$scratch/toolkit"
check "with the PTX of the newest" asks_for 'code=sm_70 -gencode arch=compute_70,code=compute_70' cuda11 CUDA11="$scratch/toolkit"
check "CUDA11_ARCHS in any order" asks_for '-gencode arch=compute_35,code=sm_35 -gencode arch=compute_35,code=sm_37 -gencode arch=compute_61,code=sm_61 -gencode arch=compute_61,code=compute_61' \
    cuda11 CUDA11="$scratch/toolkit" CUDA11_ARCHS='61 37 35'
# old GENERATION [VARIABLE=VALUE...]: the commands for its worker's object of $source, and for the worker.
old() { PATH=$scratch/bin:$PATH make -n BUILD="$scratch/old" OLD_CODE="$1" "${@:2}" old-code 2>&1 | tr -s ' '; }
old_asks() { old "${@:2}" | grep -E -- "-c $source|gpubench-cuda.*-sm_" | tee /dev/stderr | grep -qF -- "$1"; }
nvcc 75 80 90
check "old code: PTX alone, by CUDA 11.8" old_asks "$scratch/toolkit/bin/nvcc -std=c++17 -O3 -I. -diag-suppress 20012 -Xcompiler -Wall -Wno-deprecated-gpu-targets -Xfatbin -compress-all -gencode arch=compute_35,code=compute_35 " \
    35 CUDA11="$scratch/toolkit"
check "... or by the nvcc on PATH" old_asks '-gencode arch=compute_75,code=compute_75 -D_LIBCUDACXX' 75
check "... in a worker of its own" old_asks "mv -f $scratch/old/gpubench-cuda11-sm_50.new $scratch/old/gpubench-cuda11-sm_50" 50 CUDA11="$scratch/toolkit"
old_lacks() { ! PATH=$scratch/bin:$PATH make BUILD="$scratch/old" "no-old-code-$2" "${@:3}" 2>"$scratch/said" && cat "$scratch/said" && grep -qF -- "$1" "$scratch/said"; }
check "without CUDA 11.8: what to do" old_lacks 'code of sm_35 takes CUDA 11.8: scripts/setup.sh --cuda11 fetches it' 35 CUDA11=
check "a generation that there is not" old_lacks 'has no sm_77, only 75 80 90' 77
refused() { ! make -n CUDA11=/nowhere help 2>"$scratch/said" && cat "$scratch/said" && grep -qF 'CUDA11=/nowhere: this folder has no bin/nvcc' "$scratch/said"; }
check "a folder without nvcc is refused with what to do" refused
finish
