# shellcheck shell=bash
# shellcheck disable=SC2016 # what stands in the files
guard 'of several variants the fastest is shown' bench/table_cells.c 'return row->rate > other->rate;' 'return row->rate < other->rate;' table.sh
guard 'one that is right comes before one that is not' bench/table_cells.c \
    'return !other || (row->status == GB_OK && other->status != GB_OK);' 'return true;' table.sh
guard 'a share of a limit is no speed-up' bench/table_cells.c 'keep_range(b, s, row->rate / row->limit_rate);' 'keep_range(b, s, 1);' test_table
guard 'a range goes from the least' bench/table_cells.c 'ratio < kept->least' 'ratio > kept->least' test_table
guard 'noise is of a device' bench/table_noise.c 'if (strcmp(c->device, device) != 0) continue;' '' table.sh
guard 'counts are of one paper, if one is asked for' bench/claims.c \
    'if (!paper || strcmp(claims.items[i].paper, paper) == 0)' 'if (true)' claims.sh
guard 'what stood in a block goes' scripts/generated.sh '*) continue ;;' '*) ;;' documents.sh
guard 'a block has an end' scripts/generated.sh '[ $begun = 0 ] || fail $begun "the block has no <!-- end -->"' ':' documents.sh
guard 'blocks in fences are examples' scripts/generated.sh '0:no:'"'<!-- gpubench '*' -->'" '0:*:'"'<!-- gpubench '*' -->'" documents.sh
guard '--check writes nothing' scripts/generated.sh 'if [ $check = no ]; then' 'if true; then' documents.sh
guard 'a cell is held against its row' tests/document_cells.c \
    'return rounds_to(value / c->layout.scale, number) && rest_is' 'return rest_is' documents.sh
guard 'a ratio is held against its rows' tests/document_cells.c 'return rounds_to(ratio, number) &&' 'return' documents.sh
guard 'what a paper prints is held against its file' tests/document_cells.c 'if (rounds_to(value / (s->over ? 1 : c->layout.scale), number)' \
    'if (true' documents.sh
guard 'a failure is held against its row' tests/document_cells.c '(!row || !says_status(c, said, row))' 'false' documents.sh
guard 'a verdict is held against the program' tests/document_verdicts.c 'else if (strcmp(cells[4], measured) != 0)' 'else if (false)' documents.sh
guard 'counts of verdicts are held against them' tests/document_verdicts.c '|| number != of' '' documents.sh
guard 'standings are held against rates' tests/document_standings.c '!prints(cells[OUR_RATE], ours / 1e9) ||' '' documents.sh

guard "a printed rate is that of the device that is named" bench/table_cells.c '.device = s->printed_for};' '.device = s->device};' table.sh
