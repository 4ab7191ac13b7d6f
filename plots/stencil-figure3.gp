# Figure 3 of the paper: GFlop/s over x, a row for each radius: on the left its three kernels as it prints them, in its
# block of 32x1x1 threads, on the right made well and in the best of the blocks measured; with the maxima over x that the
# paper names, and what the same bytes take to copy (measured here, else by the bandwidth of the ceiling).
#
# gpubench: title Star stencils on a box of x · 256 · 256 cells (Figure 3)
# gpubench: x x
# gpubench: panels radius
# gpubench: best block
# gpubench: where y=256 z=256 fused=1
# gpubench: scale-by flop/s radius 1=13 2=25 3=37 4=49
# gpubench: assumed a cell counts as 2 · points - 1 flops
# gpubench: paper stencil-figure3.csv
# gpubench: many two columns of panels share them, three kernels each
# gpubench: variant base-as-printed[block=32x1x1] BASE, as printed
# gpubench: variant csl-as-printed[block=32x1x1] CSL, as printed
# gpubench: variant comp-as-printed[block=32x1x1] COMP, as printed
# gpubench: variant base[block=32x1x1] BASE, block 32x1x1
# gpubench: variant csl[block=32x1x1] CSL, block 32x1x1
# gpubench: variant comp[block=32x1x1] COMP, block 32x1x1
# gpubench: variant base BASE
# gpubench: variant csl CSL
# gpubench: variant comp COMP
# gpubench: variant copy copy of the same bytes
# gpubench: variant best fastest of the three
# gpubench: leaves *: the paper's three kernels alone
# gpubench: several-x 3
# gpubench: only stencil
# gpubench: limit

load ARG1
# Results from before there were kernels as printed have those made well in the paper's block instead.
gb_kernel(s) = gb_variant[s][1:4] eq "base" ? 1 : gb_variant[s][1:3] eq "csl" ? 2 : gb_variant[s][1:4] eq "comp" ? 3 : 0
gb_as_printed(s) = strstrt(gb_variant[s], "-as-printed") > 0
array gb_any_printed[gb_panels]
array gb_panel_of[gb_last[gb_panels]]
gb_copied = 0
# Which block is the best of a radius: of the kernel first met, if the others or other x have another one mostly.
array gb_block[gb_panels]
do for [r=1:gb_panels] {
    gb_block[r] = ""
    gb_any_printed[r] = 0
    gb_mixed = 0
    do for [s=gb_first[r]:gb_last[r]] {
        gb_panel_of[s] = r
        gb_any_printed[r] = gb_any_printed[r] || gb_as_printed(s)
        gb_copied = gb_copied || gb_variant[s] eq "copy"
        if (gb_kernel(s) && gb_at[s] eq "") {
            gb_one_block = ""
            if (gb_best[s] ne "") { gb_one_block = word(gb_best[s], 1) } else {
                stats gb_file[s] using (gb_one_block = strcol(10), $2) nooutput
            }
            if (gb_block[r] eq "") { gb_block[r] = gb_one_block }
            if (words(gb_best[s]) > 1 || gb_one_block ne gb_block[r]) { gb_mixed = 1 }
        }
    }
    gb_block[r] = gb_block[r] eq "" || gb_block[r] eq "?" ? "best block" : (gb_mixed ? "mostly block " : "block ") . gb_block[r]
}
gb_side(s) = gb_kernel(s) == 0 ? 0 : gb_at[s] eq "" ? 2 : gb_as_printed(s) || !gb_any_printed[gb_panel_of[s]] ? 1 : 3
gb_limited(r) = gb_copied == 0 && gb_limit[r] ne ""

# Each radius on a scale of its own.
array gb_lowest_rate[gb_panels]
array gb_highest_rate[gb_panels]
do for [r=1:gb_panels] {
    gb_lowest_rate[r] = 1e99
    gb_highest_rate[r] = 0.0
    do for [s=gb_first[r]:gb_last[r]] {
        stats gb_file[s] using ($2/1e9) nooutput
        if (STATS_min < gb_lowest_rate[r]) { gb_lowest_rate[r] = STATS_min }
        if (STATS_max > gb_highest_rate[r]) { gb_highest_rate[r] = STATS_max }
    }
    if (gb_limited(r)) {
        stats gb_limit[r] using ($2/1e9) nooutput
        if (STATS_max > gb_highest_rate[r]) { gb_highest_rate[r] = STATS_max }
    }
}

gb_cells = gb_format eq "dumb" ? gb_panels : 2*gb_panels
gb_across = 2
gb_across_column = 2
gb_panel_high = 130.0
gb_panel_ratio = gb_print_wide > 300 ? 0.45 : 0.8
gb_named = 1
gb_radius_of(p) = gb_format eq "dumb" ? p : (p + 1)/2
gb_side_of(p) = (p - 1) % 2 + 1
gb_short = gb_print_wide > 0 && gb_print_wide < 300
array gb_cell_name[gb_cells]
do for [p=1:gb_cells] {
    gb_what = gb_side_of(p) == 2 ? gb_block[gb_radius_of(p)] : \
        (gb_any_printed[gb_radius_of(p)] ? "as printed, " : "") . "block 32x1x1"
    gb_cell_name[p] = gb_format eq "dumb" ? gb_panel_title[p] : \
        gb_short ? sprintf("r = %s, %s", gb_panel_value[gb_radius_of(p)], gb_side_of(p) == 2 ? word(gb_block[gb_radius_of(p)], words(gb_block[gb_radius_of(p)])) : "32x1x1") : \
        gb_panel_title[gb_radius_of(p)] . ", " . gb_what
}
# The papers' devices, each with a line type; what all panels show.
gb_own_key = 1
gb_keys = 3
array gb_key_text[20] = ["BASE", "CSL", "COMP"]
array gb_key_type[20] = [1, 2, 3]
array gb_key_shape[20] = ["both", "both", "both"]
gb_has_line = gb_copied || gb_limited(1)
if (gb_has_line) {
    gb_keys = 4
    gb_key_text[4] = gb_copied ? "copy of the same bytes" : gb_limit_label
    gb_key_type[4] = 31
    gb_key_shape[4] = "line"
}
do for [s=gb_first[1]:gb_last[1]] {
    if (gb_level[s] > 0) {
        gb_keys = gb_keys + 1
        gb_key_text[gb_keys] = gb_device[s] . ", highest over x, any kernel"
        gb_key_type[gb_keys] = gb_style[s]
        gb_key_shape[gb_keys] = "line"
    }
}
gb_xlabel = "x in cells"
gb_ylabel = "GFlop/s"
gb_remark = (gb_resident ? "Open points: both arrays fit in the L2. " : "") . "BASE is drawn broad, for CSL often covers it."
load gb_common

gb_x_lo = 0
gb_x_hi = gb_x_max*1.02
set xrange [gb_x_lo : gb_x_hi]
do for [gb_v=0:gb_x_max:(gb_panel_wide > 250 ? 256 : gb_panel_wide > 150 ? 512 : 1024)] {
    gb_tics = gb_tics . sprintf("%s'%d' %d", gb_v ? ", " : "", gb_v, gb_v)
    gb_tics_bare = gb_tics_bare . sprintf("%s'' %d", gb_v ? ", " : "", gb_v)
}
gb_broad(s) = gb_kernel(s) == 1 ? 3.4 : 1.3
gb_drawn(s, p) = gb_side(s) == gb_side_of(p)
gb_ceiling(r) = gb_limited(r) ? gb_limit[r] : gb_file[gb_first[r]]
gb_each = 'r = gb_radius_of(p); gb_y_lo = gb_lowest_rate[r]/2.6; gb_y_hi = gb_highest_rate[r]*1.5; eval gb_log_y; ' \
    . 'do for [s=gb_first[r]:gb_last[r]] { if (gb_level[s] > 0) { ' \
    . 'set label 100+s sprintf("%s %.0f", gb_device[s][1:strstrt(gb_device[s]." ", " ")-1], gb_level[s]/1e9) ' \
    . 'at graph 0.99, first gb_level[s]/1e9 right offset 0,-0.6 font gb_small_font textcolor rgb "#505050" noenhanced } }'
gb_end = 'do for [s=gb_first[r]:gb_last[r]] { unset label 100+s }'
# Every eighth point has its mark, those in the L2 each an open one.
gb_plot = gb_dumb ? 'plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:(gb_side(s) == 3 ? NaN : $2/1e9) ' \
    . 'with linespoints title (gb_side(s) == 3 ? "" : gb_label[s])' : \
    (gb_has_line ? 'plot gb_ceiling(r) using 1:(gb_limited(r) ? $2/1e9 : NaN) with lines lt 31 notitle, ' : 'plot ') \
    . 'for [s=gb_first[r]:gb_last[r]] gb_file[s] using 1:(gb_level[s] > 0 ? $2/1e9 : NaN) with lines lt gb_style[s] title gb_label[s], ' \
    . (gb_copied ? 'for [s=gb_first[r]:gb_last[r]] gb_file[s] using 1:(gb_variant[s] eq "copy" ? $2/1e9 : NaN) with lines lt 31 notitle, ' : '') \
    . 'for [s=gb_first[r]:gb_last[r]] gb_file[s] using 1:(gb_drawn(s, p) ? $2/1e9 : NaN) with lines ' \
    . 'lt (gb_kernel(s) ? gb_kernel(s) : 31) lw gb_broad(s) title (gb_drawn(s, p) ? gb_label[s] : ""), ' \
    . 'for [s=gb_first[r]:gb_last[r]] gb_file[s] using 1:(gb_drawn(s, p) && $9 == 0 && int($0) % 8 == gb_kernel(s) + 3 ? $2/1e9 : NaN) ' \
    . 'with points lt (gb_kernel(s) ? gb_kernel(s) : 31) notitle, ' \
    . 'for [s=gb_first[r]:gb_last[r]] gb_file[s] using 1:(gb_drawn(s, p) && $9 == 1 ? $2/1e9 : NaN) ' \
    . 'with points lt (gb_kernel(s) ? gb_kernel(s) : 31) notitle, ' \
    . 'for [s=gb_first[r]:gb_last[r]] gb_file[s] using 1:(gb_drawn(s, p) && $9 == 1 ? $2/1e9 : NaN) ' \
    . 'with points pt 7 ps 0.36 lc rgb "white" notitle'
eval gb_draw
