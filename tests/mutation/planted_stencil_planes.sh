#!/bin/bash
# test: thorough turns 49
# Mistakes planted in the stencils that march along z: their unit tests find each (lib_planted.sh).
# Not among them: a wait for too few of async-copy's planes. On the simt device copies are done at
# once: it takes a GPU to find that one.
primitive=stencil
. "$(dirname "$0")/lib_planted.sh"

plants() { plant_in "${@:1:4}" test_stencil_planes "$5"; }

plants "z-loop takes the next cell for its own" st_z_loop_kernel \
    'from + at, from[at], march.pitch' 'from + at, from[at + 1], march.pitch' 'random_z_loop'
plants "the queue is one place off" st_walk \
    '* queue[R + k]' '* queue[R + k - 1]' 'random_registers*'
plants "the queue does not move on" st_walk \
    'queue[d] = queue[d + 1];' 'queue[d] = queue[d];' 'random_registers*'
plants "the queue's next cell is not read" st_walk \
    'queue[2 * R] = st_read<CSL>(from + at + R *' 'queue[2 * R] = st_read<CSL>(from + at + (R - 1) *' 'random_registers*'
plants "a chunk begins with the planes of the one before" st_stand_of \
    '(int)chunk * march.chunk;' '(int)chunk * (march.chunk - 1);' 'random*'
plants "the last chunk is as long as the others" st_stand_of \
    'march.z - first < march.chunk ? march.z' 'false ? march.z' 'random*'
plants "the planes that no chunk of full length has are left" st_march_of \
    '(unsigned)((shape->z + chunk - 1) / chunk)' '(unsigned)(shape->z / chunk)' 'cuts*'
plants "no barrier after a plane has been stored" st_planes_kernel \
    '__syncthreads();' ';' '*planes'
plants "one buffer for all planes" st_planes_kernel \
    'turn % 2 * Tile::FLOATS' '0' '*planes'
plants "a plane is fetched for the one before" st_planes_kernel \
    'from + AHEAD * march.plane, own' 'from + (AHEAD - 1) * march.plane, own' 'random_planes'
plants "the last plane is not fetched" st_planes_kernel \
    'if (z + AHEAD < stand.last)' 'if (z + AHEAD + 1 < stand.last)' 'random_planes'
plants "no barrier before a plane is worked on" st_async_copy_kernel \
    '__syncthreads();' ';' '*async_copy'
plants "a slot is filled again while its plane is worked on" st_async_copy_kernel \
    '*now = ring, *last = ring + (RING - 1) * Tile::FLOATS;' '*now = ring, *last = ring;' \
    '*async_copy'
plants "the ring has a slot too many" st_async_copy_kernel \
    'now == ring + (RING - 1) * Tile::FLOATS' 'now == ring + RING * Tile::FLOATS' 'random_async_copy'
plants "the last planes are not copied" st_async_copy_kernel \
    'i + RING - 1 < planes, own' 'i + RING < planes, own' 'random_async_copy'
plants "a halo row is missed" \
    st_halo_of 'if (row >= Tile::RADIUS) row += Tile::Y;' 'if (row > Tile::RADIUS) row += Tile::Y;' 'random_planes'
plants "the last vectors of the halo are missed" \
    HALO 'HALO = HALO_ROWS + 2 * Y,' 'HALO = HALO_ROWS + 2 * Y - 1,' 'random_planes'
plants "the halo ends where the box does" \
    st_needed 'return x < march.x + Tile::RADIUS && y' 'return x < march.x && y' 'random_planes'
plants "the halo below the box is missed" \
    st_needed 'y < march.y + Tile::RADIUS;' 'y < march.y;' 'random_planes'
plants "the columns that are left over are not written" \
    st_write 'if (own.x + 2 < march.x) at[2]' 'if (own.x + 3 < march.x) at[2]' 'random_planes'
plants "four columns are written where three are left" \
    st_write 'if (own.x + 3 < march.x) {' 'if (own.x + 2 < march.x) {' 'random_planes'
plants "rows below the box are written" \
    st_write 'if (own.y + r >= march.y) return;' ';' 'random_planes'
plants "sums move up one plane too late" \
    st_take 'column.sums[r][k - 1] = st_add4(column.sums[r][k]' \
    'column.sums[r][k - 1] = st_add4(column.sums[r][k - 1]' 'random_planes'
plants "the last planes stay incomplete" \
    st_end 'if (planes >= R - k)' 'if (planes > R - k)' 'random_planes'
plants "the planes below the first are taken in the wrong order" \
    st_begin 'from + own.at - (k + 1) * march.plane' 'from + own.at - (Tile::RADIUS - k) * march.plane' 'random_planes'
plants "a narrow box gets a wide tile" \
    st_lanes_for 'if (cost >= least) continue;' 'if (lanes < 32) continue;' 'tiles*'
plants "a wave that is begun costs nothing" st_march_of \
    '(columns * needed + slots - 1) / slots' '(columns * needed) / slots' 'cuts*'
finish
