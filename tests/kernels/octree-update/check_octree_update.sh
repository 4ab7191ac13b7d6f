#!/bin/bash
# test: thorough turns 30
# Trees that are kept while bodies move: distributions by how far; orders of the threads (left at every memory access, if simt-hooks was made); how
# many bodies and cells an update moves; and what is said where a point cannot be run.
. "$(dirname "$0")/../../harness/lib.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1

out() { "$gpubench" check octree-update --device simt "$@" >out 2>&1; echo "exit status $?" >>out; cat out; }

# moved STEP: over every distribution and several sizes.
moved()
{
    local cases=() dist n
    for dist in plummer cube cube-morton uniform clusters soneira-peebles disc line duplicates; do
        for n in 2 33 150 1025 5003; do cases+=(--case "n=$n,dist=$dist,moved=$1,pool=200"); done
    done
    out --variant update "${cases[@]}"
    grep -q '^passed .*: 45 ok$' out
}
for step in 0 1e-6 1e-5 1e-4 1e-3 1e-2 1e-1 1; do check "moved by $step" moved $step; done
large() { out --case n=65537,moved=1e-2 --case n=65537,dist=cube,moved=1e-3 --case n=65537,dist=duplicates,moved=1e-1; [ "$(grep -c '^passed .*: 3 ok$' out)" = 4 ]; }
check "more bodies, and all builds from scratch" large

orders()
{
    "$gpubench" check octree-update --device simt --schedules 300 --variant update --case n=200,dist=uniform,moved=1 \
        --case n=97,dist=duplicates,moved=1e-1 --case n=300,dist=line,moved=1e-1,pool=200 --case n=150,dist=duplicates,moved=0 \
        --case n=300,moved=1e-2 >out 2>&1 || { cat out; return 1; }
    grep -q '^passed .*: 5 ok under 300 schedules' out
}
check "whichever thread is ahead" orders

# counts STEP: bodies that left their slots, cells taken out, cells put in.
counts() { "$gpubench" dump octree-update counts --device simt --variant update --case "n=20011,dist=$2,moved=$1" 2>err | tail -n 1 | rev | cut -d, -f1-3 | rev; }
nobody() { [ "$(counts 0 plummer)" = 0,0,0 ] && [ "$(counts 0 duplicates)" = 0,0,0 ]; }
check "bodies that stay leave nothing" nobody
few() { counts 1e-4 plummer | tee is; awk -F, '{ exit !($1 > 20 && $1 < 400 && $2 < $1 && $3 < $1) }' is; }
check "by a small step few do" few
scratch() { ! "$gpubench" dump octree-update counts --device simt --variant morton --case n=100 >out 2>err && grep -F 'this variant builds from scratch' err; }
check "who builds from scratch counts nothing" scratch
too_small()
{
    out --case n=20011,dist=line,pool=10
    [ "$(grep -c 'cells is too small for this tree: raise the axis pool' out)" = 4 ]
}
check "a pool that is too small is said" too_small
leaves() { out --variant update --case n=100,leaf=8; grep -q 'it holds one body a leaf: leaf must be 1' out; }
check "leaves of many are not kept" leaves
finish
