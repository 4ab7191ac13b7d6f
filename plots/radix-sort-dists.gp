# How much faster than CUB, by distribution of the keys, at the largest n; a panel for each type.
#
# gpubench: title Sorting keys: speed-up over CUB by distribution
# gpubench: x dist
# gpubench: categories
# gpubench: panels type
# gpubench: largest n
# gpubench: over cub-radix-sort
# gpubench: where payload=none order=ascending bits=all
# gpubench: variant hybrid
# gpubench: variant onesweep
# gpubench: variant cub-radix-sort-latest CUB, latest
# gpubench: leaves cpu-* opencl-* lsd1 lsd1-* lsd4 lsd8: slower by far at any distribution
# gpubench: leaves onesweep-out-of-core: radix-sort-out-of-core has it
# gpubench: leaves small: radix-sort-small has it

load ARG1
gb_across = 1
gb_across_column = 1
gb_panel_high = 150.0
gb_named = 1
gb_turned = gb_print_wide > 0
gb_panel_ratio = gb_print_wide > 300 ? 0.18 : 0.3
gb_shape = "box"
gb_more = 1
array gb_more_text[1] = ["CUB"]
array gb_more_type[1] = [31]
gb_xlabel = "distribution of the keys"
gb_ylabel = "speed-up over CUB"
gb_bars = 3
load gb_common

gb_tics = gb_x_tics
do for [i=1:words(gb_x_values)] { gb_tics_bare = gb_tics_bare . sprintf("%s'' %d", i > 1 ? ", " : "", i) }
set xrange [0.4 : gb_x_max + 0.6]
# Each panel on a scale of its own; bars side by side, by their place in the list.
gb_each = 'set yrange [*:*]; gb_y_hi = 1.0; do for [s=gb_first[p]:gb_last[p]] { stats gb_file[s] using 8 nooutput; ' \
    . 'gb_y_hi = gb_larger(gb_y_hi, STATS_max) }; gb_y_hi = 1.08*gb_y_hi; eval gb_linear_y'
gb_plot = gb_dumb ? "plot " . gb_curves("1:8 with points") : \
    'plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using (gb_at_slot($1, gb_style[s])):8:(gb_bound(11,8)):(gb_bound(12,8)):(gb_bar*0.92) ' \
    . gb_error_boxes . ' title gb_label[s], 1 with lines lt 31' . gb_with_gaps("$1")
eval gb_draw
