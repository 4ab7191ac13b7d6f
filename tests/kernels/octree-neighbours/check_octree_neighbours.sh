#!/bin/bash
# test: thorough turns 40
# Neighbours by octrees and by a grid: distributions, numbers of neighbours and leaves; orders of the threads (left at
# every memory access, if simt-hooks was made); and what is said where a point cannot be run.
. "$(dirname "$0")/../../harness/lib.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1

out() { "$gpubench" check octree-neighbours --device simt "$@" >out 2>&1; echo "exit status $?" >>out; cat out; }

# all_of FIND K N: by trees, over every distribution.
all_of()
{
    local cases=() dist leaf
    for dist in plummer cube cube-morton uniform clusters soneira-peebles disc line duplicates; do
        for leaf in 1 16; do cases+=(--case "n=$3,dist=$dist,find=$1,k=$2,leaf=$leaf,pool=200"); done
    done
    out --variant morton "${cases[@]}"
    grep -q '^passed .*: 18 ok$' out
}
for k in 1 16 32; do
    check "the $k nearest, of some hundred bodies" all_of nearest $k 150
    check "the $k nearest, of some thousand" all_of nearest $k 5003
    check "within the radius of $k, of some thousand" all_of within $k 5003
done
check "fewer bodies than are asked for" all_of nearest 32 20

# The grid, whose cells suit one density where the nearest are asked for.
grid()
{
    local cases=() dist
    for dist in cube cube-morton uniform; do
        for k in 1 5 32; do cases+=(--case "n=5003,dist=$dist,k=$k,stage=both"); done
    done
    for dist in plummer cube uniform clusters soneira-peebles disc line duplicates; do
        cases+=(--case "n=5003,dist=$dist,find=within,k=8")
    done
    out --variant grid "${cases[@]}"
    grep -q '^passed .*: 17 ok$' out || return 1
    out --variant grid --case n=100,dist=plummer
    grep -q 'for the nearest, dist must be uniform, cube or cube-morton' out
}
check "by a grid" grid

orders()
{
    "$gpubench" check octree-neighbours --device simt --schedules 100 --variant morton --variant grid \
        --case n=200,dist=uniform,stage=both,k=7 --case n=97,dist=cube,find=within,stage=both >out 2>&1 || { cat out; return 1; }
    [ "$(grep -c '^passed .*: 2 ok under 100 schedules' out)" = 2 ]
}
check "whichever thread is ahead" orders
too_small()
{
    out --variant morton --case n=20011,dist=line,pool=10,find=within
    grep -q 'cells is too small for this tree: raise the axis pool' out
}
check "a pool that is too small is said" too_small
finish
