# shellcheck shell=bash
# What people see of results: which variants, how wide, in which words, with how many digits.
guard 'a figure has the variants that were chosen' add_series 'if (!*s.variant) return;' '' plot.sh
guard 'a table has the points of the variants that were chosen' chosen_rows 'gb_choice_allows(s->arena, variants, set->rows[i].variant)' 'true' table.sh
