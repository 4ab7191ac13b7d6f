#!/bin/bash
# Every static check: formatting, shellcheck, pyflakes, the arrows between rooms, configs that plan, cppcheck, clang-tidy.
# Prints the findings and one line a tool; exit status 1 if there is any finding.
# Usage: scripts/lint.sh BUILD C_FLAGS SIMT_FLAGS   (make lint)
set -u
cd "$(dirname "$0")/.." || exit 1
build=$1
jobs=$(nproc)
findings=0
began=$SECONDS
log=$(mktemp) || exit 1
trap 'rm -f "$log" "$log.plan"' EXIT

# report STATUS NAME: what the tool said, if it found anything.
report()
{
    if [ "$1" = 0 ]; then
        printf 'ok     %s, %d s\n' "$2" $((SECONDS - began))
    else
        grep -vE '^[0-9]+ warnings? (generated|treated)|^Suppressed|^Use -header-filter|^$' "$log"
        printf 'FOUND  %s, %d s\n' "$2" $((SECONDS - began))
        findings=$((findings + 1))
    fi
    began=$SECONDS
}

# tidy "FLAGS" FILE...: clang-tidy on each file, some at a time. -fno-extern-tls-init is gcc's own;
# the toy primitive is a tree of its own. A function's paths are followed for 50 000 steps at
# most, not 225 000: the longest ones took half of the time.
tidy()
{
    local flags
    read -r -a flags <<<"${1//-fno-extern-tls-init/} -Itests/worker/toy -Xclang -analyzer-config -Xclang max-nodes=50000"
    shift
    printf '%s\n' "$@" | xargs -P "$jobs" -I{} clang-tidy --quiet {} -- "${flags[@]}" >"$log" 2>&1
}

mapfile -t sources < <(scripts/sources.sh c)
# Examples include what is installed, or their own folder; tests compile them.
mapfile -t c_files < <(printf '%s\n' "${sources[@]}" | grep '\.c$' | grep -vE '(^|/)examples?/')
# tests/worker/limit/try.cu is for GPUs alone: graphs, clusters.
mapfile -t cu_files < <(printf '%s\n' "${sources[@]}" | grep -E '\.(cu|cpp)$' | grep -vE '(^|/)examples?/|^tests/worker/limit/')
# One instance of what is compiled from a pattern.
cu_files+=("$build/generated/kernels/multipartition/partition/of_type_k4_p0.cu")
mapfile -t shell_files < <(scripts/sources.sh sh)
mapfile -t python_files < <(scripts/sources.sh py)
mapfile -t configs < <(scripts/sources.sh json)

clang-format --dry-run -Werror "${sources[@]}" >"$log" 2>&1
report $? "clang-format: ${#sources[@]} files"

printf '%s\0' "${shell_files[@]}" | xargs -0 -P "$jobs" -n 20 shellcheck -x -P SCRIPTDIR >"$log" 2>&1
report $? "shellcheck: ${#shell_files[@]} scripts"

pyflakes3 "${python_files[@]}" >"$log" 2>&1 && ! awk 'length > 120 || /\t/ { print FILENAME ":" FNR ": a tab, or more than 120 columns"; found = 1 }
    END { exit !found }' "${python_files[@]}" >"$log" 2>&1
report $? "pyflakes, tabs and width: ${#python_files[@]} Python files"

scripts/rooms.sh >"$log" 2>&1
report $? "rooms: what files include, by scripts/rooms.txt"

scripts/symbols.sh "$build" >"$log" 2>&1
report $? "rooms: what objects use of each other"

# Bodies that stand in for those that scripts/star-catalogue.sh and galaxy-catalogue.sh make.
place=$(mktemp -d) && mkdir "$place/build" && seq -f '%.0f,0,0' 1300000 >"$place/build/galaxies.csv" &&
    head -n 40000 "$place/build/galaxies.csv" >"$place/build/stars.csv" || exit 1
refused=0
for config in "${configs[@]}"; do
    (root=$PWD && cd "$place" && "$root/$build/gpubench" run "$root/$config" --dry-run --full --device simt) >"$log.plan" 2>&1 && continue
    refused=1
    cat "$log.plan"
done >"$log"
rm -rf "$place"
report $refused "configs that plan: ${#configs[@]}"

cppcheck --quiet --std=c11 --enable=warning,portability --inline-suppr --error-exitcode=1 \
    -j "$jobs" -I. --suppress=missingIncludeSystem "${c_files[@]}" >"$log" 2>&1
report $? "cppcheck: ${#c_files[@]} C files"

# It takes longer than all else. With TEST_TURN=K/N (tests/harness/list.sh) each Nth file is looked at, from the Kth on,
# which is said; without, all are.
in_turn() { printf '%s\n' "$@" | awk -v turn="${TEST_TURN:-0/1}" 'BEGIN { split(turn, of, "/") } NR % of[2] == of[1]'; }
mapfile -t tidied < <(in_turn "${c_files[@]}")
tidy "$2 -include $build/c/flags.h" "${tidied[@]}"
report $? "clang-tidy: ${#tidied[@]} of ${#c_files[@]} C files"

mapfile -t tidied < <(in_turn "${cu_files[@]}")
tidy "-x c++ $3 -include $build/simt/flags.h" "${tidied[@]}"
report $? "clang-tidy: ${#tidied[@]} of ${#cu_files[@]} C++ and CUDA files, as compiled for the simt device"

[ $findings = 0 ] || echo "$findings of the checks found something"
[ $findings = 0 ]
