#!/bin/bash
# test: thorough turns 110
# What several GPUs do together, on simulated ones: all nasty inputs, 1, 2, 3, 5 and 8 GPUs among them; 4 and 16, which
# have more elements than GPUs and fewer, even shares and uneven, under two seeds.
. "$(dirname "$0")/../harness/lib_check.sh"

for primitive in kernels/*-multi; do
    check "${primitive#kernels/}" "$BUILD/gpubench" check "${primitive#kernels/}" --device simt
done
export SIMT_DEVICES=16
# of PRIMITIVE CASE...
of()
{
    local primitive=$1 seed
    shift
    for seed in 1 2; do
        "$BUILD/gpubench" check "$primitive" --device simt --seed $seed "${@/#/--case=}" || return 1
    done
}
check "16 GPUs, sort" of radix-sort-multi gpus=4,n=100003,share=uneven gpus=16,n=100003 gpus=16,n=200003,share=uneven,payload=u32,dist=zipf \
    gpus=16,n=17 gpus=16,n=15,key=u64 gpus=16,n=65537,dist=constant gpus=16,n=65537,dist=sorted
check "16 GPUs, partition" of multipartition-multi gpus=4,n=100003,share=uneven gpus=16,n=100003,bins=3 gpus=16,n=100003,share=uneven,bins=1000,dist=zipf \
    gpus=16,n=17 gpus=16,n=15 gpus=16,n=65537,bins=2
check "16 GPUs, octree" of octree-multi gpus=4,n=20k,share=uneven gpus=16,n=20k,pool=200 gpus=16,n=20k,share=uneven,dist=cube-morton,pool=200 \
    gpus=16,n=33,pool=200 gpus=16,n=15,pool=200 gpus=16,n=5000,leaf=8,dist=clusters,pool=200
check "16 GPUs, array" of dynamic-array-multi gpus=4,n=100003,share=uneven gpus=16,n=100003 gpus=16,n=100003,share=uneven,granule=1Ki gpus=16,n=3 gpus=16,n=17,keep=100
check "16 GPUs, stencil" of stencil-multi gpus=4,x=67,y=9,z=70 gpus=16,x=67,y=9,z=70 gpus=16,x=33,y=9,z=65,radius=4 gpus=16,x=33,y=9,z=67,radius=2,fused=2
# jobs of which each has enough elements for hybrid's stages
for case in n=2000003,gpus=2 n=2000003,gpus=3,dist=normal,payload=u32,share=uneven; do
    check "radix-sort-multi, $case" "$BUILD/gpubench" check radix-sort-multi --device simt --case "$case" --variant peers
done
finish
