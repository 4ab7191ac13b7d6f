#!/bin/bash
# test: thorough turns 40
# Mistakes planted in the n-body step, in every file of it that runs: gpubench check finds each (lib_planted.sh).
primitive=octree-nbody
. "$(dirname "$0")/lib_planted.sh"

few=(--case 'n=300,leaf=8,dist=clusters' --case 'n=300,dist=duplicates')
many=(--case 'n=4093,theta=0.5' --case 'n=4093,theta=0')

# sums
plant "the last slot's cell is not waited for" nb_tell 'gb_lane() & 0xFFu' 'gb_lane() & 0x7Fu' morton "${many[@]}"
plant "a cell is as deep as the one below it" nb_go_up 'at.depth--;' ';' morton "${many[@]}"
plant "who is last does not go on" nb_go_up '1u) != 1' '1u) != 2' morton "${many[@]}"
plant "a leaf's last body has no mass" nb_ranges 'p < end; p++' 'p + 1 < end; p++' morton "${few[@]}"
plant "of bodies that coincide the first one counts" nb_lists 'b != OC_EMPTY; b = next[b]' 'b == leaf; b = next[b]' \
    burtscher-pingali "${few[@]}"
plant "places are from the first one on, which is left out" nb_total 'from.x + sum.x * by' 'sum.x * by' morton "${few[@]}"
plant "the middle of a cell is its corner" nb_middle '0.5f * (float)' '0.0f * (float)' morton "${many[@]}"
plant "a cell is a point from its edge on" nb_reach2 'edge * by_theta' 'edge' morton "${many[@]}"

# neighbours together
plant "points lie over each other on the list" nb_put 'count + (unsigned)__popc(lanes & gb_lanes_below())' 'count' morton "${many[@]}"
plant "one cell is looked at four times" nb_walk_tree 'height - 1 - which' 'height - 1' morton "${many[@]}"
plant "what is a point is opened as well" nb_walk_tree '__ballot_sync(GB_FULL_MASK, is_cell && !far)' \
    '__ballot_sync(GB_FULL_MASK, is_cell && (!far || cell % 8 == 0))' morton "${many[@]}"
plant "a leaf's last body is left out" nb_walk_tree 'place < end' 'place + 1 < end' morton "${few[@]}"
plant "the box is around the last bodies" nb_box_of 'float3 low = body[0], high = body[0]' \
    'float3 low = body[ITEMS - 1], high = low' morton "${many[@]}" --case 'n=20011,theta=1,stage=force'
plant "groups are of cells that are crowded, too" nb_find_groups 'if (below <= NB_CROWD)' 'if (below <= 2)' morton "${many[@]}"
plant "a cell begins in its last octant" nb_first_of 'd = OC_SLOTS - 1; d >= 0; d--' 'd = 0; d < (int)OC_SLOTS; d++' \
    morton "${many[@]}"
plant "the second group of a cell is the first one again" nb_cut 'first + from, rest' 'first, rest' morton "${many[@]}"
plant "forces are told in the order of the curve" nb_force_of_group 't.order[p]' 'p' morton "${few[@]}"
plant "a body's potential has its own part" nb_without_itself 'mass * rsqrtf(eps2)' '0.0f' morton "${few[@]}"

# all pairs
plant "the last tile is all that counts" nb_pull_all 'nb_add(&force[i], sum[i])' 'force[i] = sum[i]' direct \
    --case 'n=4093,theta=0,stage=force'
plant "softening is left out" nb_pull 'dz * dz + eps2' 'dz * dz + 1e-30f' direct --case 'n=4093,theta=0,stage=force'

# as published
plant "all cells begin where the first one does" nb_place_cell 'place += sums.count[below];' ';' burtscher-pingali "${many[@]}"
plant "a cell is passed by if it is far for one" nb_walk_down '__all_sync' '__any_sync' burtscher-pingali "${many[@]}"
plant "what is left of the cell above is forgotten" nb_walk_down 'stack[depth].left = left;' 'stack[depth].left = 0;' \
    burtscher-pingali "${many[@]}"
finish
