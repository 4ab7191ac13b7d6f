#!/bin/bash
# test: thorough turns 30
# The octree over several GPUs, by how many: distributions and leaves, bodies that lie evenly and not; orders
# in which ranks get on, as seeds draw them; and what is said where a rank has too little memory.
. "$(dirname "$0")/../../harness/lib.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1

out() { "$gpubench" check octree-multi --device simt "$@" >out 2>&1; echo "exit status $?" >>out; cat out; }

# ranks GPUS N: the variants of several GPUs, on as many.
ranks()
{
    local share cases dist leaf
    for share in even uneven; do
        cases=()
        for dist in plummer cube-morton clusters line duplicates duplicates:1000000; do
            for leaf in 1 8; do
                cases+=(--case "gpus=$1,n=$2,dist=$dist,leaf=$leaf,share=$share,pool=200")
            done
        done
        out --variant nccl --variant peers "${cases[@]}"
        [ "$(grep -c '^passed .*: 12 ok$' out)" = 2 ] || return 1
    done
}
for gpus in 1 2 3 5 8; do
    check "$gpus GPUs, some hundred bodies" ranks $gpus 150
    check "$gpus GPUs, some thousand" ranks $gpus 9000
done

orders()
{
    out --worker "$BUILD/gpubench-simt" --variant nccl --variant peers --schedules 100 --case gpus=3,n=300 --case gpus=5,n=97,leaf=8,share=uneven
    [ "$(grep -c '^passed .*: 2 ok under 100 schedules' out)" = 2 ]
}
check "whichever rank is ahead" orders

# All bodies go to one rank, which has memory for 524 288 and an even share.
no_room()
{
    out --variant nccl --variant peers --case gpus=8,n=700k,dist=duplicates:1000000
    [ "$(grep -c 'rank 7 should have 700000 bodies and has room for 633663: raise the axis room' out)" = 2 ]
}
check "a rank without room is named" no_room
no_cells()
{
    out --case gpus=2,n=65537,dist=line,pool=10
    [ "$(grep -c "rank [01]'s tree: the pool of [0-9]* cells is too small for this tree: raise the axis pool" out)" = 2 ]
}
check "a pool that is too small is said" no_cells
finish
