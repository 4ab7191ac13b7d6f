#!/bin/bash
# test: thorough turns 40
# Mistakes planted in trees that are kept while bodies move: gpubench check finds each (lib_planted.sh).
primitive=octree-update
. "$(dirname "$0")/lib_planted.sh"

some=(--case 'n=4093,moved=1e-2' --case 'n=300,dist=line,moved=1e-1,pool=200')
same=(--case 'n=300,dist=duplicates,moved=1e-1' --case 'n=300,dist=duplicates,moved=1e-3')
kept() { plant "$1" "$2" "$3" "$4" update "${@:5}"; }

# leave
kept "the last digit to a slot is not looked at" ou_same_slot 'differ >> (60 - 3 * depth)' 'differ >> (63 - 3 * depth)' "${some[@]}"
kept "a slot that was left is not emptied" ou_leaves 'u.t.slot[ou_slot(note)] = OC_EMPTY;' ';' "${some[@]}"
kept "a list stays if its first body does" ou_leave_list 'b != OC_EMPTY && stay' 'b == body && stay' "${same[@]}" --case 'n=4093,dist=duplicates,moved=1e-6'
kept "who left a list is still followed by others" ou_leave_list 'u.t.next[b] = OC_EMPTY;' ';' "${same[@]}"
kept "of a warp's movers the first lane's are all" ou_leave 'GB_WARP - 1) + upto - mine' 'GB_WARP - 1)' "${some[@]}"

# collapse
kept "cells stay where they were" ou_collapse 'u.left[k] != OC_EMPTY' 'u.left[k] == 1' "${some[@]}"
kept "a cell with two leaves is taken out" ou_instead_of 'only != OC_EMPTY || oc_is_cell(holds)' 'oc_is_cell(holds)' "${some[@]}"
kept "no cell above is looked at" ou_go_up 'cell; cell = slot / OC_SLOTS' 'cell; cell = 0' "${some[@]}" --case 'n=4093,moved=1'
kept "a body that moved up has its old note" ou_go_up 'atomicMin(&u.note[instead], ou_note_of(depth, last, slot));' ';' "${some[@]}"

# enter
kept "cells are taken from the stock twice" ou_take_cell 'u.stock[stock - 1 - k]' 'u.stock[(stock - 1 - k) / 2]' "${some[@]}"
kept "a cell does not know what it is in" ou_divide 'u.above[cell] = above;
    ou_write_note' 'ou_write_note' "${some[@]}"
kept "whose slot was divided keeps its note" ou_divide 'ou_write_note(u, held, other, common, cell * OC_SLOTS + at_other);' ';' "${some[@]}"
kept "a list that is joined is none" ou_try 'ou_list(u, held);' ';' "${same[@]}"
kept "what was put in is not handed out" ou_settle 'w->cells += w->in > stock ? w->in - stock : 0;' ';' "${some[@]}"
finish
