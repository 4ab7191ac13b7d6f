#!/bin/bash
# test: thorough turns 29
# Mistakes planted in the kernels of radix sort: gpubench check finds each (lib_planted.sh).
primitive=radix-sort
. "$(dirname "$0")/lib_planted.sh"

plant "a chunk's later rounds forget its earlier ones" lsd1_scan_chunks \
    'rounds_before +=' 'rounds_before =' lsd1
plant "what lies beyond the last key counts as a zero" lsd1_predicate \
    ': (uint8_t)0;' ': (uint8_t)1;' lsd1-unpadded
plant "the last digit takes bits that do not count" rs_digit_of \
    'left < digit_bits ? left : digit_bits' 'digit_bits' lsd8
plant "negative floats keep the order of their magnitudes" rs_digit_of \
    'digit.flip_negative = top - 1;' ';' lsd1
plant "warps forget where their digits start" lsd_scatter \
    '(unsigned short)start;' '0;' lsd4
plant "equal digits of a tile's warps change their order" lsd_scatter \
    'for (int w = 0; w < LSD_WARPS; w++) {' 'for (int w = LSD_WARPS - 1; w >= 0; w--) {' lsd8
finish
