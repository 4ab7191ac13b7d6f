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
# gpubench: leaves cpu*: stencil-cpu has them
# gpubench: leaves *-as-printed: stencil-blocks-printed has them
# gpubench: needs planes

load ARG1
# A panel for each radius, a row of them for each device; in each a bar for each variant, from the top.
gb_series = 0
gb_longest_name = 0
do for [s=1:gb_last[gb_panels]] {
    if (gb_style[s] > gb_series) { gb_series = gb_style[s] }
    if (strlen(gb_label[s]) > gb_longest_name) { gb_longest_name = strlen(gb_label[s]) }
}
gb_row(style) = gb_series + 1 - style
gb_radii = words(gb_x_values)
gb_on(p) = gb_format eq "dumb" ? p : (p - 1)/gb_radii + 1
gb_radius_in(p) = word(gb_x_values, (p - 1) % gb_radii + 1)
gb_cells = gb_format eq "dumb" ? gb_panels : gb_panels*gb_radii
array gb_cell_name[gb_cells]
do for [p=1:gb_cells] {
    gb_cell_name[p] = gb_format eq "dumb" ? gb_panel_title[p] : "radius = " . gb_radius_in(p)
}
gb_across = gb_radii
gb_across_column = gb_radii < 2 ? 1 : 2
gb_wide = 1080
gb_panel_high = 17.0*gb_series
gb_print_high = 9.5*gb_series
gb_left = (gb_panels > 1 ? 16.0 : 0.0) + (gb_print_wide > 0 ? 8.0 + 4.4*gb_longest_name : 18.0 + 7.4*gb_longest_name)
gb_between = gb_print_wide > 0 ? 10.0 : 20.0
gb_named = 1
gb_stands_beside = 1

# The rate of the copy, which the line across each panel shows; 0: it was not measured.
array gb_copy[gb_panels*gb_radii]
gb_copied = 0
do for [p=1:gb_panels*gb_radii] {
    gb_copy[p] = 0.0
    do for [s=gb_first[(p - 1)/gb_radii + 1]:gb_last[(p - 1)/gb_radii + 1]] { if (gb_variant[s] eq "copy") {
        stats gb_file[s] using ($1 == real(gb_radius_in(p)) ? $2/1e9 : NaN) nooutput
        if (STATS_records > 0) { gb_copy[p] = STATS_max; gb_copied = 1 }
    } }
}
gb_own_key = 1
gb_keys = gb_copied
array gb_key_text[1] = ["copy of the same bytes"]
array gb_key_type[1] = [31]
array gb_key_shape[1] = ["line"]
gb_xlabel = gb_format eq "dumb" ? "radius" : "10⁹ cells/s"
gb_ylabel = gb_format eq "dumb" ? "10⁹ cells/s" : ""
gb_remark = "In each bar: its rate in 10⁹ cells/s." . (gb_resident ? " Bars without filling: both arrays fit in the L2." : "")
load gb_common

gb_fill_of(s) = gb_variant[s] eq "copy" ? 0xA8A8A8 : gb_variant[s] eq "temporal" ? 0xF0C060 : \
    (gb_variant[s] eq "base" || gb_variant[s] eq "csl" || gb_variant[s] eq "comp") ? 0x86C5F0 : 0x6FCBAB
if (!gb_dumb) {
    gb_x_hi = gb_rate_max*1.02/1e9
    set xrange [0 : gb_x_hi]
    unset grid
    set grid xtics lc rgb "#D0D0D0" lw 0.6 dt 1
    set xtics gb_step_over(gb_x_hi*4.0*gb_em*gb_tics_size/gb_panel_wide)
    set ytics scale 0 font gb_label_font
    set yrange [0.4 : gb_series + 0.6]
}
gb_each = 'if (!gb_dumb) { gb_ylabel = gb_panels > 1 ? gb_panel_title[gb_on(p)] : ""; set ytics ("" 1); if (gb_foremost(p)) { do for [s=1:gb_last[gb_panels]] { ' \
    . 'set ytics add (gb_tic_label(gb_label[s]) gb_row(gb_style[s])) } }; unset arrow 1; d = gb_on(p); gb_radius = real(gb_radius_in(p)); ' \
    . 'if (gb_copy[p] > 0) { set arrow 1 from gb_copy[p], graph 0 to gb_copy[p], graph 1 nohead lt 31 front } }'
gb_end = 'unset arrow 1'
# Rows of other radii go below the picture: gnuplot 5.4 crashes on boxes all of which are NaN.
gb_row_here(s, here) = here ? gb_row(gb_style[s]) : -9
gb_gap_row(radius, style) = gb_missing[d] ne "" && radius == gb_radius ? gb_row(style) : -9
gb_plot = gb_dumb ? "plot " . gb_curves("1:($2/1e9) with linespoints") : \
    'plot for [s=gb_first[d]:gb_last[d]] gb_file[s] ' \
    . 'using (0.5*$2/1e9):(gb_row_here(s, $1 == gb_radius && $9 == 0)):(0.5*$2/1e9):(0.38) ' \
    . 'with boxxyerror fs solid 1.0 border lc rgb "#505050" lw 0.6 dt 1 fc rgb gb_fill_of(s) title gb_label[s], ' \
    . 'for [s=gb_first[d]:gb_last[d]] gb_file[s] ' \
    . 'using (0.5*$2/1e9):(gb_row_here(s, $1 == gb_radius && $9 == 1)):(0.5*$2/1e9):(0.38) ' \
    . 'with boxxyerror fs empty border lc rgb "#505050" lw 1 dt 1 title gb_label[s], ' \
    . 'for [s=gb_first[d]:gb_last[d]] gb_file[s] using (0):(gb_row_here(s, $1 == gb_radius)):(sprintf("%.0f", $2/1e9)) ' \
    . 'with labels left offset 0.4,0 font gb_small_font textcolor rgb "#000000" title gb_label[s]' \
    . (gb_any_missing eq "" ? '' : ', gb_missing_of(d) using (0):(gb_gap_row($1, int($2))):3 ' \
    . 'with labels left offset 0.4,0 font gb_small_font textcolor rgb "#505050" noenhanced notitle')
eval gb_draw
