# shellcheck shell=bash
# What people see of results: which variants, how wide, in which words, with how many digits.
guard 'a figure has the variants that were chosen' 'cells:wanted' 'gb_choice_of_variants(b->arena, b->slice->variants, variants)' 'variants' plot.sh
guard 'a table has the points of the variants that were chosen' chosen_rows 'gb_choice_allows(s->arena, variants, set->rows[i].variant)' 'true' table.sh
guard 'an interval that would reach 0 is unstable' gb_row_spread 'return half < 1 ? half : INFINITY;' 'return half;' table.sh
guard 'of a ratio, too' checked 'if (ratio.lo > 0 && isfinite(ratio.hi)) return ratio;' 'return ratio;' table.sh
guard 'a wide interval counts as wide' mean_of_interval 'half = hi > lo ? (hi - lo) / 2 : relative_half(row) * value;' 'half = lo > 0 && hi > lo ? (hi - lo) / 2 : 0;' compare.sh
guard 'an interval decides the digits' decimals_of 'const int fewer = decimals < most ? decimals : most;' 'const int fewer = most;' test_table
guard 'a half width is not rounded down' rounded_up 'ceil(half * scale * (1 - 1e-9))' 'floor(half * scale + 0.5)' test_table
guard 'printed digits decide nothing that they cannot' 'standings*find:ratio_of' 'gb_ratio_to_printed(ours, standing->peer->rate, standing->peer->digits)' '(gb_ratio){.value = ours->rate / standing->peer->rate}' standings.sh
guard 'the faster one is named' faster_text 'c->verdicts[GB_SLOWER] > c->verdicts[GB_FASTER]' 'false' compare.sh
guard 'no test is spoken of where there was none' test_text 'if (c->tests == 0)' 'if (false)' compare.sh
guard 'a folder of folders names those with results' refuse_folder 'find_below(arena, path, LEVELS, &found);' '' table.sh
guard 'what is no result is no reason to name a folder' begins_with_schema 'read && strstr(first, schema)' 'read' table.sh
