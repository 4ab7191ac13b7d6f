#!/bin/bash
# test: thorough turns 102
# Mistakes planted in how the stencils tma and temporal cut a box: tiles, chunks, the parts of columns
# that a block marches through, plans (lib_planted_fused.sh).
. "$(dirname "$0")/lib_planted_fused.sh"

plants "the halo is a row too small" fused_tile \
    'HALO = RADIUS * (STEPS - 1);' 'HALO = RADIUS * (STEPS - 1) - (STEPS > 1);' 'edges_of_two*'
plants "the halo is too narrow" fused_tile \
    '(HALO + 3) / 4 * 4;' 'HALO / 4 * 4;' 'edges_of_two*'
plants "the last plane of a chunk is missed" 'fused*tile:enter' \
    'sweep.z) - z_begin + TILE::DELAY' 'sweep.z) - z_begin + TILE::DELAY - 1' 'edges_of_two*'
plants "the first plane of a chunk is missed" fused_march \
    '(p < TILE::DELAY || p >= planes)' '(p <= TILE::DELAY || p >= planes)' 'edges_of_two*'
plants "planes behind a chunk are stored" fused_march \
    '(p < TILE::DELAY || p >= planes)' '(p < TILE::DELAY)' 'edges_of_two*'
plants "planes that fill no group are left" 'fused*tile:enter' \
    '(planes + TILE::PLANES - 1) / TILE::PLANES' 'planes / TILE::PLANES' 'edges_of_two*'
plants "a block begins a plane after the one before ends" 'fused*tile:enter' \
    'from = max(begin, 0);' 'from = max(begin + 1, 0);' 'parts*'
plants "a block ends a plane before the next one begins" 'fused*tile:enter' \
    'min(begin + sweep.span, sweep.chunk);' 'min(begin + sweep.span - 1, sweep.chunk);' 'parts*'
plants "columns that a block ends with are left" next \
    'column++;' 'column += 2;' 'parts*'
plants "warps wait in another turn than that of the exchange" fused_march \
    'U + u, (unsigned)g & 1u' 'U + u, (unsigned)(g - first) & 1u' 'parts*'
plants "planes that stay do not go back at the end of a part" fused_march \
    'k < TILE::KEPT; k++) { /* the planes that stay */' 'k < 0; k++) {' 'parts*'
plants "what is left of a row is stored over a ghost" fused_march \
    'if (x + 2 < sweep.x) cells[2]' 'cells[2]' 'edges_of_two*'
# what the kernels of one step leave out
plants "the first plane of cells is taken for a ghost" fused_march \
    '(p >= R && p < planes - R)' '(p > R && p < planes - R)' 'edges_of_single*'
plants "the last plane of cells is taken for a ghost" fused_march \
    '(p >= R && p < planes - R)' '(p >= R && p < planes - R - 1)' 'edges_of_single*'
# what the kernels of three and more steps leave out at the ends of a march
plants "a stage begins a plane late" fused_march \
    'p < 2 * R * s) break' 'p <= 2 * R * s) break' 'edges_of_more*'
plants "the first sums of a stage are left out" fused_march \
    '(p < 2 * R * s + R ||' '(p <= 2 * R * s + R ||' 'edges_of_more*'
plants "the last sums of a stage are left out" fused_march \
    '|| p >= planes - R)) break' '|| p >= planes - R - 1)) break' 'edges_of_more*'
plants "a row is in the box where the first one is" fused_march \
    'mask & 256u << i' 'mask & 256u' 'edges_of_more*'
plants "weights are not turned round on the way down" fused_launch_slab \
    'weights.w[6 * k - 1] = p->weights.w[6 * k];' '' 'edges_of_two*'
plants "blocks of one warp, which nobody answers" fused_make_plan \
    ' || (TILE::STEPS > 1 && warps < 2)' '' 'edges_of_two*'
plant_in "the last rows have no tile" fused_make_plan \
    '(shape->y + inner - 1) / inner;' 'shape->y / inner + 1 - (shape->y > inner);' test_stencil_fused_plans '*'
plant_in "a plan takes more shared memory than there is" fused_slots \
    '*bytes + FUSED_BARRIER_BYTES <=' '*bytes <= FUSED_BARRIER_BYTES +' test_stencil_fused_plans '*'
finish
