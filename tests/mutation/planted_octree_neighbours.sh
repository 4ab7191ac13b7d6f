#!/bin/bash
# test: thorough turns 35
# Mistakes planted in the search for neighbours, in every file of it that runs: gpubench check finds each (lib_planted.sh).
primitive=octree-neighbours
. "$(dirname "$0")/lib_planted.sh"

near=(--case 'n=4093,dist=clusters,k=16' --case 'n=4093,dist=uniform,leaf=16,k=7')
within=(--case 'n=4093,dist=plummer,find=within')
even=(--case 'n=4093,dist=uniform,k=16,stage=both')

# queries
plant "the farthest stays where it was" nn_nearest 'd2[(j - 1) * blockDim.x] > d; j--' 'd2[(j - 1) * blockDim.x] < d; j--' morton "${near[@]}"
plant "a body on the border is outside" nn_within 'if (d2 > r2) return' 'if (d2 > 0.9f * r2) return' morton "${within[@]}"
plant "numbers are not told apart" nn_within 'met.hash += nn_hash(number)' 'met.hash += 1u' morton "${within[@]}"

# the walk
plant "cells are as wide as those above them" nn_below 'OC_DEPTH - 1 - depth' 'OC_DEPTH - depth' morton "${near[@]}"
plant "on the way back the place is kept" nn_walk 'corner = nn_above(corner, depth);' ';' morton "${near[@]}"
plant "only one lane is asked" nn_walk '__any_sync(GB_FULL_MASK,' '__all_sync(GB_FULL_MASK,' morton "${near[@]}"
plant "what is left of the cell above is forgotten" nn_walk 'stack[depth].left = left;' 'stack[depth].left = 0;' morton "${near[@]}"
plant "neighbours on the curve are met again" nn_walk 'if (p >= from && p < to) continue;' ';' morton "${near[@]}"
plant "a body is its own neighbour" nn_ask 'if (ok && q != p)' 'if (ok)' morton "${near[@]}"
plant "the neighbours on the curve end one before" nn_ask 'q < to; q++' 'q + 1 < to; q++' morton "${near[@]}"
plant "bodies have the numbers of their places" nn_gather 'nn_numbered(bodies[t.order[p]], t.order[p])' \
    'nn_numbered(bodies[t.order[p]], (uint32_t)p)' morton "${near[@]}"

# the grid
plant "the last body of a cell is left out" nn_grid_end '(uint32_t)p + 1;' '(uint32_t)p;' grid "${even[@]}"
plant "who finds its entry taken takes it" nn_grid_begin '!=
               NN_NO_CELL' '==
               key' grid "${even[@]}"
plant "the next ring is not looked at" nn_ask_grid '(float)(ring - 1) * g.edge' '(float)ring * g.edge' grid "${even[@]}"
plant "a ring has no sides" nn_meet_ring 'side ? 1 : 2 * ring' '2 * ring + !ring' grid "${even[@]}"

# all
plant "the last tile is left out" nn_meet_all 'from < n; from += THREADS' 'from + THREADS < n; from += THREADS' direct \
    --case 'n=4093,k=16'
finish
