#!/bin/bash
# Takes the guards out, one at a time, on a copy of the tree: the test that is named with each must
# then fail. tests/mutation/guards/*.sh are the lists, in lines
#     guard NAME PLACE PATTERN NEW TEST
# where PATTERN stands once in the function or what else PLACE names and becomes NEW (spoil of lib.sh), and TEST
# is a test program or a script of tests/. It takes a while and is no part of `make check`.
# Usage: tests/mutation/guards.sh [LIST...]   (names of the lists without folder and .sh; all if none)
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/harness/lib.sh
. tests/harness/lib.sh
lists=("$@")
if [ $# = 0 ]; then
    for list in tests/mutation/guards/*.sh; do lists+=("$(basename "$list" .sh)"); done
fi
tree=$scratch/tree
copy_tree "$tree" cuda gpubench-cuda || exit 1
cd "$tree" || exit 1
unset BUILD MAKEFLAGS MAKELEVEL
export CC CXX
sound=" " # the tests that were seen to pass on the tree as it is

# program_of TEST: where it is in the copy.
program_of()
{
    case $1 in
    *.sh) test_named "$1" ;;
    *) echo "build/$(test_named "$1")" ;;
    esac
}

# build_for TEST: what the test runs, and itself (a script is there already).
build_for() { make -s NVCC= -j2 all test-helpers "$(program_of "$1")"; }

passes() { BUILD=$tree/build TEST_JOBS=1 tests/harness/run.sh "$(program_of "$1")"; }

fails() { ! passes "$1"; }

# What has guards: the tree but for the lists of them.
guarded="bench common kernels scripts plots docs tests/delivery/document_*.[ch] tests/harness/run.sh"
guard()
{
    local name=$1 test=$5
    case $sound in
    *" $test "*) ;;
    *)
        check "$test: builds as it is" build_for "$test"
        check "$test: passes as it is" passes "$test"
        sound="$sound$test "
        ;;
    esac
    if ! spoil "$guarded" "$2" "$3" "$4" >"$scratch/spoil.out"; then
        check "$name: $(cat "$scratch/spoil.out")" false
        return
    fi
    check "$name: builds without it" build_for "$test"
    check "$name: $test notices that it is gone" fails "$test"
    mend
}

for list in "${lists[@]}"; do
    if [ ! -r "tests/mutation/guards/$list.sh" ]; then
        check "there is a list tests/mutation/guards/$list.sh" false
        continue
    fi
    # shellcheck source=/dev/null
    . "tests/mutation/guards/$list.sh"
done
finish
[ "$not_ok" = 0 ]
