#!/bin/bash
# test: thorough turns 60
# The simt device by hand: a kernel built with one command, with g++ and with clang++, under
# AddressSanitizer and ThreadSanitizer, and what a user's environment may say.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/harness/lib.sh
. tests/harness/lib.sh

CXX=${CXX:-g++}
flags=(-std=c++17 -O1 -g -pthread -fno-strict-aliasing -Wno-unknown-pragmas -I. -DGB_ARCH=900)
runtime=(common/simt/*.cpp)
errors=("$scratch/error.o" "$scratch/limits.o" "$scratch/text.o")
for name in error limits text; do
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -c common/text/$name.c -o "$scratch/$name.o" || exit 1
done

# only_gcc COMPILER: the flag that g++ alone needs and knows.
only_gcc()
{
    case $("$1" --version) in *clang*) ;; *) echo -fno-extern-tls-init ;; esac
}

# build COMPILER OUTPUT SOURCE FLAG...: the one command.
build()
{
    local compiler=$1 output=$2 source=$3
    shift 3
    # shellcheck disable=SC2046
    "$compiler" "${flags[@]}" $(only_gcc "$compiler") "$@" -x c++ "$source" "${runtime[@]}" \
        -x none "${errors[@]}" -o "$output"
}

# can_link FLAG: this machine has the sanitizer's library.
can_link()
{
    echo 'int main() {}' | "$CXX" "$1" -x c++ - -o "$scratch/probe" 2>"$scratch/probe.err" &&
        "$scratch/probe"
}

# fails_with TEXT COMMAND...: the command fails and says so.
fails_with()
{
    local text=$1
    shift
    "$@" >"$scratch/out" 2>&1 && { echo "it did not fail"; return 1; }
    grep -q "$text" "$scratch/out" || { cat "$scratch/out"; return 1; }
}

# passes PROGRAM: every TAP line is ok.
passes()
{
    "$1" >"$scratch/tap" 2>&1 && ! grep -v '^ok\|^#\|^1\.\.' "$scratch/tap"
}

check "one command builds kernels and runtime" build "$CXX" "$scratch/host" tests/simt/host.cu
check "and they work" passes "$scratch/host"

for compiler in g++ clang++; do
    if [ "$compiler" = "$CXX" ]; then continue; fi
    if ! command -v "$compiler" >/dev/null; then
        skip "$compiler builds the simt device" "$compiler is not installed"
        continue
    fi
    check "$compiler builds it without a warning" build "$compiler" "$scratch/other" \
        tests/simt/collectives.cu -Wall -Wextra -Wshadow -Werror
    check "and it works" passes "$scratch/other"
done

if can_link -fsanitize=address; then
    check "AddressSanitizer builds" build "$CXX" "$scratch/asan" tests/simt/sanitized.cu \
        -fsanitize=address,undefined
    check "it accepts sound kernels" "$scratch/asan" sound
    check "and what follows a failed launch" "$scratch/asan" failing
    check "it finds an overrun of dynamic shared memory" \
        fails_with use-after-poison "$scratch/asan" overrun
    check "it finds an overrun of device memory" \
        fails_with heap-buffer-overflow "$scratch/asan" global
else
    skip "AddressSanitizer" "its library is not installed"
fi

# The kernels are instrumented, the runtime is not.
build_for_tsan()
{
    local compile=("$CXX" "${flags[@]}")
    [ -z "$(only_gcc "$CXX")" ] || compile+=("$(only_gcc "$CXX")")
    "${compile[@]}" -fsanitize=thread -x c++ -c tests/simt/sanitized.cu -o "$scratch/kernels.o" &&
        mkdir "$scratch/tsan" || return 1
    for source in "${runtime[@]}"; do
        "${compile[@]}" -DGB_SIMT_TSAN -c "$source" \
            -o "$scratch/tsan/$(basename "$source").o" || return 1
    done
    "$CXX" -pthread -fsanitize=thread "$scratch/kernels.o" "$scratch"/tsan/*.o "${errors[@]}" \
        -o "$scratch/race"
}

if can_link -fsanitize=thread; then
    check "ThreadSanitizer builds" build_for_tsan
    check "it accepts sound kernels" "$scratch/race" sound
    check "and what follows a failed launch" "$scratch/race" failing
    check "it finds a missing barrier" fails_with 'data race' "$scratch/race" race
else
    skip "ThreadSanitizer" "its library is not installed"
fi

check "an unknown policy is refused, with those that are known" \
    fails_with 'round-robin, random, unfair or priority' env SIMT_POLICY=fifo "$scratch/host"
check "so is a number that is none" \
    fails_with 'SIMT_PREEMPT=2000 is not a number from 0 to 1024' \
    env SIMT_PREEMPT=2000 "$scratch/host"
check "the memory limit is taken from the environment" \
    fails_with 'of 5000 are free' env SIMT_MEMORY=5000 "$scratch/host"

finish
