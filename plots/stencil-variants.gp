# What each way of one time step, and of several in a sweep, reaches at the largest x: 10^9 cells a second, a panel for
# each radius, beside a copy of the same bytes.
#
# gpubench: title Star stencils: cells a second by variant
# gpubench: x radius
# gpubench: largest x
# gpubench: best block steps
# gpubench: where y=256 z=256 fused=1
# gpubench: many bars, each of which has its name beside it
# gpubench: variant copy
# gpubench: variant base BASE
# gpubench: variant csl CSL
# gpubench: variant comp COMP
# gpubench: variant z-loop
# gpubench: variant z-loop-registers z-loop, registers
# gpubench: variant z-loop-registers-csl z-loop, registers, CSL
# gpubench: variant planes
# gpubench: variant async-copy async copy
# gpubench: variant tma TMA
# gpubench: variant temporal[fused=2] temporal, 2 steps
# gpubench: variant temporal[fused=3] temporal, 3 steps
# gpubench: variant temporal[fused=4] temporal, 4 steps
# gpubench: listed-only
# gpubench: needs planes

load ARG1
gb_series = gb_last[1] - gb_first[1] + 1
gb_cells = gb_format eq "dumb" ? 1 : words(gb_x_values)
array gb_cell_name[gb_cells]
do for [p=1:gb_cells] { gb_cell_name[p] = gb_format eq "dumb" ? "" : "radius = " . word(gb_x_values, p) }
gb_across = gb_cells
gb_across_column = gb_cells < 2 ? 1 : 2
gb_wide = 1080
gb_panel_high = 17.0*gb_series
gb_print_high = 9.5*gb_series
gb_longest_name = 0
do for [s=gb_first[1]:gb_last[1]] { if (strlen(gb_label[s]) > gb_longest_name) { gb_longest_name = strlen(gb_label[s]) } }
gb_left = gb_print_wide > 0 ? 8.0 + 4.4*gb_longest_name : 18.0 + 7.4*gb_longest_name
gb_between = gb_print_wide > 0 ? 10.0 : 20.0
gb_named = 1
gb_own_key = 1
gb_keys = 0
gb_xlabel = gb_format eq "dumb" ? "radius" : "10⁹ cells/s"
gb_ylabel = gb_format eq "dumb" ? "10⁹ cells/s" : ""
gb_remark = "In each bar: its part of the rate of the copy, whose rate stands in its own." \
    . (gb_resident ? " Bars without filling: both arrays fit in the L2." : "")
load gb_common

# Rows from the top, in the order of the list; the copy is number 0 if it is there.
gb_row(s) = gb_first[1] + gb_series - s
array gb_copy[words(gb_x_values)]
do for [i=1:words(gb_x_values)] { gb_copy[i] = 0.0 }
if (gb_variant[gb_first[1]] eq "copy") {
    do for [i=1:words(gb_x_values)] {
        stats gb_file[gb_first[1]] using ($1 == real(word(gb_x_values, i)) ? $2/1e9 : NaN) nooutput
        if (STATS_records > 0) { gb_copy[i] = STATS_max }
    }
}
gb_fill_of(s) = gb_variant[s] eq "copy" ? 0xA8A8A8 : gb_variant[s] eq "temporal" ? 0xF0C060 : \
    (gb_variant[s] eq "base" || gb_variant[s] eq "csl" || gb_variant[s] eq "comp") ? 0x86C5F0 : 0x6FCBAB

if (!gb_dumb) {
    set yrange [0.4 : gb_series + 0.6]
    gb_x_hi = gb_rate_max*1.02/1e9
    set xrange [0 : gb_x_hi]
    unset grid
    set grid xtics lc rgb "#D0D0D0" lw 0.6 dt 1
    set xtics gb_step_over(gb_x_hi*4.0*gb_em*gb_tics_size/gb_panel_wide)
    set ytics scale 0 font gb_label_font
    set yrange [0.4 : gb_series + 0.6]
}
gb_each = 'if (!gb_dumb) { set ytics ("" 1); if (gb_foremost(p)) { do for [s=gb_first[1]:gb_last[1]] { ' \
    . 'set ytics add (gb_tic_label(gb_label[s]) gb_row(s)) } }; unset arrow 1; gb_radius = real(word(gb_x_values, p)); ' \
    . 'if (gb_copy[p] > 0) { set arrow 1 from gb_copy[p], graph 0 to gb_copy[p], graph 1 nohead lt 31 front } }'
gb_end = 'unset arrow 1'
# Rows of other radii go below the picture: gnuplot 5.4 crashes on boxes all of which are NaN.
gb_plot = gb_dumb ? "plot " . gb_curves("1:($2/1e9) with linespoints") : \
    'plot for [s=gb_first[1]:gb_last[1]] gb_file[s] ' \
    . 'using (0.5*$2/1e9):(($1 == gb_radius && $9 == 0) ? gb_row(s) : -9):(0.5*$2/1e9):(0.38) ' \
    . 'with boxxyerror fs solid 1.0 border lc rgb "#505050" lw 0.6 dt 1 fc rgb gb_fill_of(s), ' \
    . 'for [s=gb_first[1]:gb_last[1]] gb_file[s] ' \
    . 'using (0.5*$2/1e9):(($1 == gb_radius && $9 == 1) ? gb_row(s) : -9):(0.5*$2/1e9):(0.38) ' \
    . 'with boxxyerror fs empty border lc rgb "#505050" lw 1 dt 1, ' \
    . 'for [s=gb_first[1]:gb_last[1]] gb_file[s] using (0):($1 == gb_radius ? gb_row(s) : -9): ' \
    . '(gb_copy[p] > 0 && gb_variant[s] ne "copy" ? sprintf("%.2f", $2/1e9/gb_copy[p]) : sprintf("%.0f", $2/1e9)) ' \
    . 'with labels left offset 0.4,0 font gb_small_font textcolor rgb "#000000"'
eval gb_draw
