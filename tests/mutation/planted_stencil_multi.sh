#!/bin/bash
# test: thorough turns 35
# Mistakes planted in the stencils over several GPUs, in what lends planes and in what orders sweeps: gpubench check
# finds each (lib_planted.sh). Not among them: a sweep that does not wait for its neighbours', or that says too
# early that it has ended. On simt a launch begins when the neighbours' last one is over, so that only a word that is
# never written is missed there.
primitive=stencil-multi
sources="kernels/stencil-multi kernels/stencil/fused"
export SIMT_TIMEOUT=2 # seconds after which threads that wait for ever are a failure
. "$(dirname "$0")/lib_planted.sh"

box=x=97,y=33,z=33

# lending
plant "rows are not lent" fused_lend 'first < TILE::ROWS; first' 'first < 0; first' peers --case gpus=2,$box,radius=1
plant "the last plane is not lent while the march goes on" act 'lent < now.planes' 'lent + 1 < now.planes' \
    peers --case gpus=2,$box,radius=2
plant "the innermost plane at the march's end is not lent" last 'sweep.end - sweep.late.lent' \
    'sweep.end + 1 - sweep.late.lent' peers --case gpus=3,$box,radius=2
plant "planes at the beginning of a march that is not interrupted are not lent" last \
    'from + now.planes' 'from' peers-temporal --case gpus=3,$box,radius=2,fused=2,steps=4
plant "what is lent lies a plane too far" away '(int64_t)(other - mine)' '(int64_t)(other + 1 - mine)' \
    peers --case gpus=2,$box,radius=1
plant "of several steps one is lent for" stm_needed_after '(int)st_sweep_steps(&p->whole, sweep + 1)' '1' \
    peers-temporal --case gpus=2,$box,radius=1,fused=2,steps=4
plant "planes are sent from beside the border" stencil-multi/nccl.cu:exchange 'z - count, count' 'z - count - 1, count' \
    nccl --case gpus=2,$box,radius=1

# slabs
plant "a march begins at the first copy" enter_slab 'z_begin += sweep.first;' '' \
    peers --case gpus=2,$box,radius=1
plant "a march down begins at the lower border" host.cuh:fused_tell 'sweep->early = down ? slab->above' \
    'sweep->early = down ? slab->below' peers --case gpus=2,$box,radius=1
plant "copies above a slab are a boundary" stm_sweep 'above ? ghosts : 0' '0' \
    peers-temporal --case gpus=2,$box,radius=1,fused=2,steps=4

# order
plant "ranks do not wait for each other" peers.cu:run_sweep 'gb_comm_barrier_neighbours(p->comm, error)' GB_OK \
    peers --case gpus=3,$box,radius=1,steps=3 --schedules 20
plant "nobody says that a sweep has ended" fused_through 'if (!border.tell) return;' 'return;' \
    peers --case gpus=2,$box,radius=1
plant "the wrong border's word is written" join_at 'below ? STM_ENDED_ABOVE : STM_ENDED_BELOW' \
    'below ? STM_ENDED_BELOW : STM_ENDED_ABOVE' peers --case gpus=2,$box,radius=1
plant "warps that are through with either border are counted together" stm_sweep \
    'slab.below.through = through + THROUGH_BELOW' 'slab.below.through = through + THROUGH_ABOVE' \
    peers --case gpus=3,$box,radius=1
finish
