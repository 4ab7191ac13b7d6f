#!/bin/bash
# test: thorough turns 40
# Mistakes planted in what leaves digits of long keys out and mends the output: its unit test finds each
# (lib_planted.sh).
primitive=radix-sort
. "$(dirname "$0")/lib_planted.sh"

shorten() { plant_in "${@:1:4}" test_radix_sort_shorten "$5"; }

shorten "a run is mended by the block in which it ends, too" os_mend \
    'begin < OS_MEND_RUN ||' '' 'short*'
shorten "a run is left to the block in which it ends" os_mend \
    'begin >= OS_MEND_RUN + OS_MEND_KEYS' 'w >= OS_MEND_RUN + OS_MEND_KEYS' 'short*'
shorten "a long run is not told" os_mend \
    'if (bad && w < OS_MEND_RUN + OS_MEND_KEYS) atomicOr(&plan->again, 1u);' ';' 'long*'
shorten "a run of one key more counts as short" is_long \
    'before + behind + 1 > (unsigned)OS_MEND_RUN' 'before + behind > (unsigned)OS_MEND_RUN' 'long*'
shorten "what is unordered before a key is not seen" os_run \
    '(before && bad_before >> (GB_WARP - before)) ||' '' 'short*'
shorten "what is unordered behind a key is not seen" os_run \
    '(bad_behind & ((1u << behind) - 1)) != 0' 'false' 'short*'
shorten "equal keys change places" os_place_in_run \
    'other < w' 'other > w' 'short*'
shorten "payload stays where it was" os_mend \
    'places[w] = (unsigned short)place;' ';' 'short*'
shorten "payload is read when it may have been written" os_mend \
    'payload[first + places[w]] = moved[w];' 'payload[first + places[w]] = payload[first + w];' 'short*'
shorten "images are written as keys" os_mend \
    'rs_decode(codec, image[w])' 'image[w]' 'short*'
shorten "tickets are left for the second try" os_plan_again \
    'plan->ticket[p] = 0;' ';' 'long*'
shorten "the second try begins with words that are not clear" os_plan_again \
    'plan->varying, plan->active, plan' 'plan->varying, plan->active + 1, plan' 'long*'
shorten "the second try is by the upper digits, too" os_plan_again \
    'plan->varying, plan->active' 'plan->varying >> plan->left_out << plan->left_out, plan->active' 'long*'
shorten "the second try of the sort before counts" os_count \
    'if (blockIdx.x == 0 && threadIdx.x == 0) plan->again = 0;' ';' 'long*'
shorten "nobody looks at the sample" os_left_out_by_sample \
    '(float)sample.clashes * alike > OS_MOST_ALIKE' 'false' 'the_sample*'
shorten "few values are told apart by one digit" os_left_out_by_sample \
    'left > 0 && look(left).clashes; left--' 'false; left--' 'few*'
shorten "equal keys of the sample are clashes" os_look_at_sample \
    'if (held == field) break;' ';' 'few*'
shorten "few values are taken for many" os_look_at_sample \
    'atomicOr(&met[at_slot / 32], 1u << at_slot % 32);' ';' 'few*'
shorten "a row without unordered keys of its own is none of a run's" concerns \
    '(alike[row - 1] >> 31 && unordered[row - 1])' 'false' 'short*'
shorten "no digit is ever left out" os_left_out_by_counts \
    'if (bits >= wanted) return p;' ';' 'short*'
finish
