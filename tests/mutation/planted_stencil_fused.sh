#!/bin/bash
# test: thorough turns 50
# Mistakes planted in the stencils tma and temporal: the ring of planes, the exchange between warps,
# the boundary (lib_planted_fused.sh). Not among them: blocks that do not wait for those that lag.
# That is a hint, whose loss costs time alone.
. "$(dirname "$0")/lib_planted_fused.sh"

# the ring of planes
plants "the copying warp fills slots that are in use" fused_copy_planes \
    'gb_mbarrier_wait(empty + slot, parity);' '' 'other*'
plants "the copying warp waits for the parity that was" fused_copy_planes \
    'unsigned parity = 1;' 'unsigned parity = 0;' 'other*'
plants "planes are read before they came" fused_march \
    'gb_mbarrier_wait(full + slot, parity);' '' 'other*'
plants "a slot is given back while its plane is worked on" fused_march \
    'gb_mbarrier_arrive_after(empty + old' 'gb_mbarrier_arrive_after(empty + slot' 'other*'
plants "a slot comes back before the last warp has read it" fused_march \
    'gb_mbarrier_init(empty + i, (unsigned)warps);' \
    'gb_mbarrier_init(empty + i, (unsigned)max(1, warps - 1));' 'other*'

# the exchange between warps
plants "no wait for the warps beside" fused_march \
    'if (T > 1) gb_mbarrier_wait(heard + u % TILE::BUFFERS, phase);' '' 'other*'
plants "a wait for one of two warps beside" fused_march \
    '(unsigned)max(1, (w > 0) + (w < warps - 1))' '1u' 'other*'
plants "an arrival before all lanes have written their rows" fused_march \
    '        if (T > 1) {' \
    '        if (T > 1) { gb_mbarrier_arrive(told + u % TILE::BUFFERS, tells); } if (false) {' 'other*'
plants "rows at the lower edge of a warp are not passed on" fused_march \
    'i < R || i >= ROWS - R)' 'i < R || i > ROWS - R)' 'edges_of_two*'
plants "one buffer for all planes" fused_march \
    'mine + u % TILE::BUFFERS * (T - 1) * WIDTH;' 'mine;' 'other*'
plants "the oldest value is that of the plane that takes its place" fused_march \
    'oldest = st_load4(passed);' 'oldest = done;' 'edges_of_two*'

# the boundary
plants "ghosts beside the box do not stay" fused_march \
    'if (!(inside && (unsigned)x < (unsigned)sweep.x)) done.x' 'if (!inside) done.x' 'edges_of_two*'
plants "ghosts above and below the box do not stay" fused_march \
    '(unsigned)(y + i) < (unsigned)sweep.y;' 'true;' 'edges_of_two*'
plants "ghosts before and behind the box do not stay" fused_march \
    '(unsigned)out < (unsigned)sweep.z &&' '' 'edges_of_two*'
plants "ghosts beside the box do not stay between the edges of z" fused_march \
    'done.w = inside ? done.w : fixed.w;' '' 'edges_of_two*'
plants "rows outside of the box count as inside between the edges of z" fused_march \
    ' && y + i >= 0 && y + i < sweep.y;' ';' 'edges_of_two*'
plants "planes behind the box count as inside" fused_march \
    'min(planes - U, sweep.z + R - U - z_begin + R * T)' 'planes - U' 'edges_of_two*'
plants "planes before a chunk are stored" fused_march \
    'first_inner = max(TILE::DELAY,' 'first_inner = max(TILE::DELAY - R,' 'edges_of_two*'

plant_in "a box is there before all lanes have copied" gb_tensor_map_load \
    '    __syncwarp();' '' test_stencil_fused 'other*'

if spoiled "a lost hint" fused_copy_planes 'atomicAdd(sweep.progress + p / 2, 1u);' ''; then
    built "a lost hint" "build/$(test_named test_stencil_fused)"
    check "blocks that never say how far they are are waited for, but not for ever" \
        in_tree lacks fails test_stencil_fused 'edges_of_two*'
    plants "blocks that never say how far they are are waited for for ever" fused_copy_planes \
        'i < 4000 && ' '' 'edges_of_two*'
    cleared
fi
finish
