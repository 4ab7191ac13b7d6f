# shellcheck shell=bash
# What people see of results: which variants, how wide, in which words, with how many digits.
guard 'a figure has the variants that were chosen' 'cells:wanted' 'gb_choice_of_variants(b->arena, b->slice->variants, variants)' 'variants' plot.sh
guard 'a table has the points of the variants that were chosen' chosen_rows 'gb_choice_allows(s->arena, variants, set->rows[i].variant)' 'true' table.sh
guard 'an interval that would reach 0 is unstable' gb_row_spread 'return half < 1 ? half : INFINITY;' 'return half;' table.sh
guard 'a wide interval counts as wide' mean_of_interval 'half = hi > lo ? (hi - lo) / 2 : relative_half(row) * value;' 'half = lo > 0 && hi > lo ? (hi - lo) / 2 : 0;' compare.sh
guard 'an interval decides the digits' decimals_of 'const int fewer = decimals < most ? decimals : most;' 'const int fewer = most;' test_table
guard 'printed digits decide nothing that they cannot' 'standings*find:ratio_of' 'gb_ratio_to_printed(ours, standing->peer->rate, standing->peer->digits)' '(gb_ratio){.value = ours->rate / standing->peer->rate}' standings.sh
guard 'a folder of folders names those with results' refuse_folder 'find_below(arena, path, LEVELS, &found);' '' table.sh
guard 'variants of one primitive' 'commands/list:is_wanted' 'return !only || strcmp(primitive->name, only) == 0;' 'return true;' driver_cli.sh
guard 'text is broken at words' gb_take_line 'if (blank > strspn(line, " ")) bytes = blank;' '' terminal.sh
guard 'a table fits the terminal' 'table/text:put_panel' 'room = columns ? columns : GB_TABLE_WIDTH' 'room = GB_TABLE_WIDTH' terminal.sh
guard 'a pager only where it is needed' gb_pager_end 'is_longer_than_screen(text, (size_t)size) && ' '' terminal.sh
guard 'without a pager nothing is lost' run_pager 'code != NOT_FOUND && code != NOT_EXECUTABLE' 'true' terminal.sh
guard 'a record without an interval that cannot be' gb_table_value 'if (record->value.unstable) record->value.lo = record->value.hi = 0;' '' table.sh
