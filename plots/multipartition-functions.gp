# By the function that says a key's bin: throughput at the largest n, a figure for each number of bins.
#
# gpubench: title Partitioning by each function of the key
# gpubench: x function
# gpubench: categories
# gpubench: largest n
# gpubench: where bins=256,4096 dist=uniform payload=none type=u32
# gpubench: variant auto
# gpubench: variant auto-stable
# gpubench: variant cub-radix-sort;cub-radix-sort-latest;cub-label-sort;cub-label-sort-latest;cub-partition;cub-partition-latest CUB, the fastest
# gpubench: leaves cub-*: the fastest stands for all
# gpubench: leaves cpu*: run on the host
# gpubench: leaves multipartition buffer-per-warp large multisplit*: multipartition-bins and -parts have them
# gpubench: leaves unstable unstable-* stable stable-*: auto and auto-stable choose among them
# gpubench: several-x
# gpubench: needs auto
# gpubench: limit

load ARG1
gb_panel_high = 220.0
gb_across_column = 1
gb_panel_ratio = 0.6
gb_shape = "box"
gb_xlabel = "function that says a key's bin"
gb_ylabel = "10⁹ keys/s"
gb_bars = 1
gb_remark = "CUB: a radix sort by range and modulo, else a sort by labels."
load gb_common

gb_tics = gb_x_tics
do for [i=1:words(gb_x_values)] { gb_tics_bare = gb_tics_bare . sprintf("%s'' %d", i > 1 ? ", " : "", i) }
set xrange [0.4 : gb_x_max + 0.6]
gb_y_hi = 1.08*gb_larger(gb_rate_max, gb_limit_max)/1e9
eval gb_linear_y

gb_plot = gb_dumb ? "plot " . gb_curves("1:($2/1e9) with points") : \
    'plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using (gb_at_slot($1, gb_style[s])):($2/1e9):(gb_bound(3,2)/1e9):' \
    . '(gb_bound(4,2)/1e9):(gb_bar*0.92) ' . gb_error_boxes . ' title gb_label[s]' \
    . (gb_any_limit eq "" ? "" : ', gb_limit_of(p) using ($1 - 0.5):(gb_limit_y(p, $2/1e9)):(1):(0) ' \
    . 'with vectors nohead lt 31 title gb_limit_label') . gb_with_gaps("$1")
eval gb_draw
