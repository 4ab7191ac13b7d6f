#!/bin/bash
# test: thorough turns 60
# The n-body step: distributions, leaves and angles by stages; orders of the threads (left at every memory access, if simt-hooks was made); what
# it is said to be off by; and what is said where a point cannot be run.
. "$(dirname "$0")/../../harness/lib.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1

out() { "$gpubench" check octree-nbody --device simt "$@" >out 2>&1; echo "exit status $?" >>out; cat out; }

# all_of THETA N: both trees over every distribution.
all_of()
{
    local cases=() dist
    for dist in plummer cube cube-morton uniform clusters soneira-peebles disc line duplicates; do
        cases+=(--case "n=$2,dist=$dist,theta=$1,pool=200")
    done
    out --variant morton --variant burtscher-pingali "${cases[@]}"
    [ "$(grep -c '^passed .*: 9 ok$' out)" = 2 ]
}
for theta in 0 0.2 0.5; do
    check "angle $theta, some hundred bodies" all_of $theta 150
    check "angle $theta, some thousand" all_of $theta 5003
done

# Angles at which a body may be inside of a cell that burtscher-pingali would take for a point.
wide()
{
    local cases=() theta leaf
    for theta in 0.6 0.7 0.8 0.9 1; do
        for leaf in 1 7 32; do cases+=(--case "n=9001,dist=clusters,theta=$theta,leaf=$leaf"); done
    done
    out --variant morton "${cases[@]}"
    grep -q '^passed .*: 15 ok$' out || return 1
    out --variant burtscher-pingali --case n=50,theta=0.6
    grep -q 'a body may be inside a cell that it takes for a point: theta must be 0.5 or less' out
}
check "wide angles" wide

orders()
{
    "$gpubench" check octree-nbody --device simt --schedules 100 --variant morton --variant burtscher-pingali \
        --case n=97,dist=duplicates --case n=300 --case n=200,dist=line,stage=sums,pool=200 >out 2>&1 || { cat out; return 1; }
    [ "$(grep -c '^passed .*: 3 ok under 100 schedules' out)" = 2 ]
}
check "whichever thread is ahead" orders

too_small()
{
    out --case n=20011,dist=line,pool=10
    [ "$(grep -c 'cells is too small for this tree: raise the axis pool' out)" = 2 ]
}
check "a pool that is too small is said" too_small

# error VARIANT THETA: how far its forces are from those of all pairs, root of the mean square.
error()
{
    "$gpubench" dump octree-nbody error --device simt --variant "$1" --case "n=5003,theta=$2,stage=force" 2>err |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "rms") at = i } NR == 2 { print $at }'
}
# within VARIANT THETA LEAST MOST
within()
{
    error "$1" "$2" | tee is
    awk -v least="$3" -v most="$4" '{ ok = $1 > least && $1 < most } END { exit !ok }' is
}
check "all pairs are off by the last bits of a float" within direct 0 1e-9 1e-6
check "a tree that takes nothing for a point as well" within morton 0 1e-9 1e-6
check "half of an angle is off by little" within morton 0.5 1e-5 3e-3
check "... with a warp's bodies each by its own distance by more" within burtscher-pingali 0.5 1e-5 6e-3
check "a wide one by more" within morton 1 1e-3 2e-2
no_forces()
{
    ! "$gpubench" dump octree-nbody error --device simt --variant morton --case n=100,stage=sums >out 2>err &&
        grep -F 'there are no forces: stage force or step' err
}
check "without forces there is nothing to be off" no_forces
finish
