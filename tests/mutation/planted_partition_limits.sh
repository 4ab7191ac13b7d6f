#!/bin/bash
# test: thorough turns 30
# Mistakes planted in how a bin is found among limits: the unit test of the tables finds those in tables and cells, gpubench
# check those in who prepares and copies them (lib_planted.sh).
. "$(dirname "$0")/lib_planted_partition.sh"

limits() { plant_in "${@:1:4}" test_multipartition_limits "$5"; }

# cells
limits "keys before the first limit are at it" mp_head_of 'first > one ? first - one : 0;' 'first;' 'of_32*'
limits "a cell has a limit more than it has" mp_cell_of 'if (all == 0) return' 'if (all < 2) return' 'of_32*'
limits "two different limits are one, twice" mp_cell_of 'if (!alone && limit(before) != limit(end - 2))' 'if (false)' 'of_32*'
limits "a limit that is there often counts once" mp_look_up 'behind ? cell.more & above : 0' 'behind && cell.more & above ? 1 : 0' 'of_32*'
limits "who is at a limit is before it" mp_look_up '__funnelshift_lc(~0u, place, 32 - head.shift) >= cell.more' \
    'place << (32 - head.shift) >= cell.more' 'of_32*'
limits "what cells leave open stays open" mp_look_up 'if (!open) return;' 'return;' 'of_32*'
limits "more limits than a cell counts are as many as it does" mp_look_up \
    'others < MP_MOST_OTHERS ? first + others : head.count' 'first + others' 'of_64*'
limits "bits that places have lost do not matter" mp_look_up 'sizeof(Key) == 8 && head.narrow;' 'false;' 'that_lose*'
limits "the upper digits' limits are all" mp_limit_at '<< head.stride_log' '<< 0' 'of_32*'

# passes
splitters=(--case "n=100003,bins=20,function=splitters")
many_splitters=(--case "n=100003,bins=256,function=splitters")
most_splitters=(--case "n=100003,bins=65536,function=splitters")
plant "a segment's table is the first one's" /limits_digit.:mp_prepare_segment 'mp_copy_table(digit.search, segment);' \
    'mp_copy_table(digit.search, 0);' unstable-two-pass "${most_splitters[@]}"
plant "the copy is begun when it is needed" 'mp_copy_table' 'if (!search.at) return;' 'return;' unstable "${splitters[@]}"
plant "the upper digits' limits begin one too late" 'prepare_upper' '(1u << upper->shift) - 1;' '1u << upper->shift;' \
    unstable-two-pass "${many_splitters[@]}"
finish
