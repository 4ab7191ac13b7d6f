# shellcheck shell=bash
# Sourced by the tests that plant mistakes in the kernels of $primitive, one at a time: `gpubench check`
# must find each. A line that is not there any more to be spoiled is a failure too.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
tree=$scratch/tree
copy_tree "$tree" || exit 1
rm -rf "$tree/build/gpubench-cuda" "$tree/build/cuda"
cd "$tree" || exit 1
unset BUILD MAKEFLAGS MAKELEVEL
primitive=${primitive:?which primitive to plant mistakes in}

finds()
{
    local status=0
    build/gpubench check "$primitive" --device simt --quick --variant "$1" || status=$?
    [ $status = 1 ]
}

# plant NAME FILE OLD NEW VARIANT: replaces OLD (exactly once in FILE) by NEW; VARIANT must fail.
plant()
{
    local file=kernels/$primitive/$2
    if ! spoil "$file" "$3" "$4" >"$scratch/spoil.out"; then
        check "$1: $(cat "$scratch/spoil.out")" false
        return
    fi
    check "$1: builds" make NVCC= build/gpubench-simt
    check "$1: is found" finds "$5"
    cp "$scratch/kept" "$file"
}

check "builds as it is" make NVCC= all
check "passes as it is" build/gpubench check "$primitive" --device simt --quick
