# shellcheck shell=bash
# shellcheck disable=SC2016 # what stands in the files
guard 'of several variants the fastest is shown' cells:is_better 'return row->rate > other->rate;' 'return row->rate < other->rate;' table.sh
guard 'one that is right comes before one that is not' cells:is_better \
    'return !other || (row->status == GB_OK && other->status != GB_OK);' 'return true;' table.sh
guard 'a range goes from the least' keep_range 'ratio.value < kept->least.value' 'ratio.value > kept->least.value' test_table
guard 'noise is of a device' gb_noise_table 'if (!gb_noise_beside(c, of)) continue;' '' table.sh
guard 'counts are of one paper, if one is asked for' print_claims \
    'if (!paper || strcmp(claims.items[i].paper, paper) == 0)' 'if (true)' claims.sh
guard 'what stood in a block goes' generated.sh:fill '*) continue ;;' '*) ;;' documents.sh
guard 'a block has an end' generated.sh:fill '[ $begun = 0 ] || fail $begun "the block has no <!-- end -->"' ':' documents.sh
guard 'blocks in fences are examples' generated.sh:fill '0:no:'"'<!-- gpubench '*' -->'" '0:*:'"'<!-- gpubench '*' -->'" documents.sh
guard '--check writes nothing' 'generated.sh:*' 'if [ $check = no ]; then' 'if true; then' documents.sh
guard 'a cell is held against its row' is_variant_cell \
    'return rounds_to(value / c->layout.scale, number) && rest_is' 'return rest_is' documents.sh
guard 'a ratio is held against its rows' is_ratio_cell 'return takes_ratio(&said, &ratio) &&' 'return true ||' documents.sh
guard 'what a paper prints is held against its file' is_published_cell 'if (rounds_to(value / (s->over ? 1 : c->layout.scale), number)' \
    'if (true' documents.sh
guard 'a failure is held against its row' document_cells:check_cell '(!row || !says_status(c, said, row))' 'false' documents.sh
guard 'a verdict is held against the program' check_claim 'else if (strcmp(cells[4], measured) != 0)' 'else if (false)' documents.sh
guard 'counts of verdicts are held against them' check_counts '|| number != of' '' documents.sh
guard 'standings are held against rates' check_standing '!prints(cells[OUR_RATE], ours / 1e9) ||' '' documents.sh

guard "a printed rate is that of the device that is named" row_over '.device = s->printed_for};' '.device = s->device};' table.sh
