#!/bin/bash
# test: thorough turns 142
# Ten thousand schedules of every build whose threads meet in the tree, with and without locks: at a
# size where they do so all the time, with threads left at every memory access. All variants over other
# seeds and leaves, a pool that is too small, and a grid of one multiprocessor.
. "$(dirname "$0")/../../harness/lib.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1

# explored SCHEDULES OPTION...: all of them pass.
explored()
{
    "$gpubench" check octree --worker "$BUILD/tests/kernels/octree/hooks/gpubench-simt-hooks" --schedules "$@" >out 2>&1 ||
        { cat out; return 1; }
    grep -q "^passed .* ok under $1 schedules" out
}
for variant in burtscher-pingali-as-published octreebuild-lf-as-published \
    burtscher-pingali burtscher-pingali-tuned octreebuild-lf octreebuild-lf-shared octreebuild-lf-tuned; do
    check "10000 schedules of $variant" explored 10000 --variant $variant --case n=40,dist=duplicates:3
    check "and some of more bodies" explored 100 --variant $variant --case n=300 --case n=200,dist=line
done
check "10000 schedules of seeded" explored 10000 --variant seeded --case n=40,dist=uniform
check "and some of more bodies" explored 100 --variant seeded --case n=600,dist=clusters --case n=200,dist=line,pool=200

out() { "$gpubench" check octree --device simt "$@" >out 2>&1; echo "exit status $?" >>out; cat out; }
other_seeds()
{
    for seed in 2 3; do
        "$gpubench" check octree --device simt --seed $seed >out 2>&1 || { cat out; return 1; }
        [ "$(grep -cE '^passed .*: [1-9][0-9]* ok' out)" = "$(grep -c ^passed out)" ] || { cat out; return 1; }
    done
}
check "all nasty inputs with other seeds" other_seeds
leaves()
{
    local cases=() leaf
    for leaf in {1..32}; do cases+=(--case "n=8193,dist=clusters,leaf=$leaf"); done
    out --variant morton --variant morton-regions --variant auto --variant cpu-parallel "${cases[@]}"
    [ "$(grep -c '^passed .*: 32 ok$' out)" = 4 ]
}
check "leaves of every size" leaves
too_small()
{
    out --case n=65537,dist=line,pool=10,leaf=1
    [ "$(grep -c 'the pool of 10649 cells is too small for this tree: raise the axis pool' out)" = "$(grep -c ^FAILED out)" ] &&
        [ "$(grep ^passed out)" = "passed octree/pool-clear: 1 ok" ]
}
check "a pool that is too small is said by all" too_small
limited()
{
    out --case n=8193,dist=plummer,grid=sms:1,leaf=1
    [ "$(grep -c '^passed .*: 1 ok$' out)" = 8 ] &&
        [ "$(grep '0 ok, 1 unsupported' out | cut -d: -f1 | tr '\n' ' ')" = \
            "untested octree/cpu untested octree/cpu-parallel untested octree/morton untested octree/morton-regions untested octree/seeded untested octree/auto " ]
}
check "who does not follow the axis grid says so" limited
finish
