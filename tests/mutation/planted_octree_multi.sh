#!/bin/bash
# test: thorough turns 40
# Mistakes planted in the octree over several GPUs, in every file of it that runs: gpubench check finds each
# (lib_planted.sh). Barriers that are missing are looked for under schedules, whose seeds draw which rank is ahead.
primitive=octree-multi
. "$(dirname "$0")/lib_planted.sh"

# borders and bodies
border() { plant_in "$1" "$2" "$3" "$4" test_octree_multi_borders borders_are_where_sorting_says; }
border "equal codes come in any order" om_place_among '(run < own && other == code)' 'other == code'
border "the code's own run counts twice" om_place_among 'run == own ||' ''
border "runs that are not full are searched to their ends" om_place_among \
    'if (run % OM_RUNS * OM_RUN + next > s.count[run / OM_RUNS]) continue;' ''
border "brackets end before the code that is wanted" om_bracket_borders 'place >= at[e] && place - at[e]' 'place + 64 >= at[e] && place + 64 - at[e]'
border "the upper code of a border is not bracketed" om_find_borders 'e < 2; e++' 'e < 1; e++'
border "of the codes in a bracket one is placed" om_find_borders 'lanes &= lanes - 1' 'lanes = 0'
plant "a run goes to its owner from the tile's start on" om_move \
    'om_add_among_all(targets.fill[threadIdx.x], mine) - before' 'om_add_among_all(targets.fill[threadIdx.x], mine)' \
    peers --case gpus=3,n=9000
plant "bodies of one owner are counted by leaders alone" om_count_lanes \
    'before, leader) + rank' 'before, leader)' peers --case gpus=2,n=97
plant "bodies to send lie over each other" om_begin 'before += counts[r];' ';' nccl --case gpus=3,n=300
plant "what has come from the ranks before is as much as was sent" nccl.cu:exchange \
    'received += in;' 'received += out;' nccl --case gpus=3,n=300

early() { plant "$1" "$2" 'gb_comm_barrier(s->comm, error)' GB_OK peers --case gpus=3,n=300 --schedules 20; }
early "borders are found before all samples are there" peers.cu:sample
early "a rank builds before all bodies are there" peers.cu:move
early "the top is made before all have told" peers.cu:build
# builds that are told how many bodies came
told() { plant "$1" "$2" "$3" ';' peers --case gpus=3,n=20011 --schedules 20; }
told "the tree of the sample is made before borders are there" begin_early \
    'GB_TRY(cudaStreamWaitEvent(own->beside, own->bounded, 0), error);'
told "a build does not wait for the tree of its sample" build_one \
    'GB_TRY(cudaStreamWaitEvent(rank->stream, own->sampled, 0), error);'

# what ranks tell
plant "the path of a border ends at the root" om_tell \
    'found = om_descend(mine, om_code_digit(code, depth));' ';' peers --case gpus=3,n=9000
plant "a leaf goes on behind the last body" om_leaf_count \
    'next >= t.n ||' 'next > t.n ||' peers --case gpus=8,n=300,leaf=8 --case gpus=8,n=9000,leaf=3
plant "of a leaf's bodies in an octant one is counted" om_look \
    '(uint32_t)__popc(lanes)' '1u' peers --case gpus=8,n=300,leaf=8 --case gpus=8,n=9000,leaf=3
plant "a leaf's bodies in each octant begin where the leaf does" om_look \
    '(uint32_t)__ffs((int)lanes) - 1' '0u' peers --case gpus=8,n=300,leaf=8 --case gpus=8,n=9000,leaf=3

# the top
plant "a rank tells of its lower border alone" om_entry_of \
    '[r < k ? 1 : 0]' '[0]' peers --case gpus=3,n=300
plant "any two bodies of two ranks make a cell" om_is_top \
    'bodies > h.leaf' 'bodies > 0' peers --case gpus=8,n=300,leaf=8 --case gpus=8,n=9000,leaf=3
plant "a full leaf is a cell" om_slot_of \
    'if (sum.bodies <= h.leaf)' 'if (sum.bodies < h.leaf)' peers --case gpus=8,n=33,leaf=3,dist=uniform \
    --case gpus=8,n=97,leaf=3,dist=uniform --case gpus=8,n=300,leaf=8
plant "two ranks have bodies in a cell, and no more" om_sum_octant \
    'r < k || om_inside(h, k, r, depth)' 'r <= k' peers --case gpus=8,n=300,leaf=8
plant "the root is the top's where one rank has all bodies" om_make_top \
    'having > 1 ?' 'having > 0 ?' peers --case gpus=8,n=1

finish
