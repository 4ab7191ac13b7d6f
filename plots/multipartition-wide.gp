# Wide elements, keys with what travels with them: bytes a second that are read and written at least, so that elements
# of all widths stand beside one another and beside the memory; a panel for each type of keys.
#
# gpubench: title Partitioning wide elements: keys with payloads
# gpubench: x payload
# gpubench: categories
# gpubench: panels type
# gpubench: where n=32Mi bins=16,256,4096 dist=uniform function=range
# gpubench: variant auto
# gpubench: variant auto-stable
# gpubench: variant cub-radix-sort;cub-radix-sort-latest CUB, radix sort
# gpubench: variant cub-label-sort;cub-label-sort-latest CUB, sort by labels
# gpubench: leaves cub-*-sort cub-*-latest: the faster of the toolkit's and the latest stands for both
# gpubench: leaves cub-partition: has two bins
# gpubench: leaves cpu*: run on the host
# gpubench: leaves multipartition buffer-per-warp large multisplit*: move 32-bit keys, with 32 bits at most
# gpubench: leaves unstable unstable-* stable stable-*: auto and auto-stable choose among them
# gpubench: several-x
# gpubench: needs auto
# gpubench: limit

load ARG1
gb_bytes(name) = name eq "none" ? 0 : real(name[2:])/8
gb_moved(p, x, rate) = 2*(gb_bytes(gb_panel_value[p]) + gb_bytes(gb_x_name[int(x)]))*rate/1e9
gb_across_column = 1
gb_panel_ratio = 0.6
gb_named = 1
gb_shape = "box"
gb_xlabel = "payload of a key"
gb_ylabel = "GB/s read and written"
gb_bars = 1
gb_remark = "Keys and payloads count as read once and written once, whatever else a variant does. CUB's: at each point the faster of the toolkit's and the latest."
load gb_common

gb_tics = gb_x_tics
do for [i=1:words(gb_x_values)] { gb_tics_bare = gb_tics_bare . sprintf("%s'' %d", i > 1 ? ", " : "", i) }
set xrange [0.4 : gb_x_max + 0.6]
gb_y_hi = 0
do for [p=1:gb_panels] {
    do for [s=gb_first[p]:gb_last[p]] {
        stats gb_file[s] using (gb_moved(p, $1, gb_bound(4,2))) nooutput
        gb_y_hi = gb_larger(gb_y_hi, 1.08*STATS_max)
    }
    if (gb_limit[p] ne "") {
        stats gb_limit[p] using (gb_moved(p, $1, $2)) nooutput
        gb_y_hi = gb_larger(gb_y_hi, 1.08*STATS_max)
    }
}
eval gb_linear_y

gb_plot = gb_dumb ? "plot " . gb_curves("1:(gb_moved(p, $1, $2)) with points") : \
    'plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using (gb_at_slot($1, gb_style[s])):(gb_moved(p, $1, $2)):' \
    . '(gb_moved(p, $1, gb_bound(3,2))):(gb_moved(p, $1, gb_bound(4,2))):(gb_bar*0.92) ' . gb_error_boxes . ' title gb_label[s]' \
    . (gb_any_limit eq "" ? "" : ', gb_limit_of(p) using ($1 - 0.5):(gb_limit_y(p, gb_moved(p, $1, $2))):(1):(0) ' \
    . 'with vectors nohead lt 31 title gb_limit_label') . gb_with_gaps("$1")
eval gb_draw
