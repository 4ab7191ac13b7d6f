#!/bin/bash
# test: thorough turns 16
# Mistakes planted in the barriers in shared memory and in the boxes that arrive at them
# (common/cuda/{mbarrier,tensor_map}.cuh): their unit test finds each (lib_planted.sh).
primitive=stencil
export SIMT_TIMEOUT=2 # seconds after which threads that wait for ever are a failure
. "$(dirname "$0")/lib_planted.sh"

brings() { plant_in "${@:1:4}" test_mbarrier "$5"; }

brings "whoever does not want to arrives" gb_mbarrier_arrive 'if (!yes) return;' '' '*'
brings "a phase goes by and its parity stays" gb_mbarrier_arrive \
    '0x10000u + word[1]' '0x20000u + word[1]' '*'
brings "a phase completes an arrival too early" gb_mbarrier_arrive \
    '(before & 0xffffu) == 1)' '(before & 0xffffu) == 2)' '*'
brings "lanes poll before others have arrived" gb_mbarrier_wait '__syncwarp();' '' '*'
brings "an arrival at the barrier beside" gb_mbarrier_arrive_after '(bits & zero)' '(bits & 1u)' '*'
brings "what lies left of an array comes too" gb_tensor_map_load \
    '(unsigned)x < (unsigned)map.columns' 'x < map.columns' 'boxes*'
brings "what lies below an array comes too" gb_tensor_map_load \
    '(unsigned)y < (unsigned)map.rows' 'y >= 0' 'boxes*'
brings "what lies behind an array comes too" gb_tensor_map_load \
    '(unsigned)plane < (unsigned)map.planes' 'plane >= 0' 'boxes*'
brings "a box is a row short" gb_tensor_map_load \
    'total = groups * map.box_rows;' 'total = groups * (map.box_rows - 1);' 'boxes*'
finish
