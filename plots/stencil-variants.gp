# What each way of one time step, and of several in a sweep, reaches at the largest x: 10^9 cells a second, a panel for
# each radius, beside a copy of the same bytes.
#
# gpubench: title Star stencils: cells a second by variant
# gpubench: x radius
# gpubench: largest x
# gpubench: best block steps
# gpubench: where y=256 z=256 fused=1
# gpubench: variant copy copy
# gpubench: variant base BASE
# gpubench: variant csl CSL
# gpubench: variant comp COMP
# gpubench: variant z-loop z-loop
# gpubench: variant z-loop-registers z-loop, registers
# gpubench: variant z-loop-registers-csl z-loop, registers, CSL
# gpubench: variant planes planes
# gpubench: variant async-copy async copy
# gpubench: variant tma TMA
# gpubench: variant temporal[fused=2] temporal, 2 steps
# gpubench: variant temporal[fused=3] temporal, 3 steps
# gpubench: variant temporal[fused=4] temporal, 4 steps
# gpubench: listed-only
# gpubench: needs planes

load ARG1
gb_panel_count = words(gb_x_values)
gb_series = gb_last[1] - gb_first[1] + 1
gb_bar = 17.0
gb_stub = 150.0
gb_wide = 1080
gb_high = 156 + gb_bar*gb_series
load gb_common

# Rows from the top, in the order of the list; the copy is number 0 if it is there.
gb_row(s) = gb_first[1] + gb_series - s
array gb_copy[gb_panel_count]
do for [i=1:gb_panel_count] { gb_copy[i] = 0.0 }
if (gb_variant[gb_first[1]] eq "copy") {
    do for [i=1:gb_panel_count] {
        stats gb_file[gb_first[1]] using ($1 == real(word(gb_x_values, i)) ? $2/1e9 : NaN) nooutput
        if (STATS_records > 0) { gb_copy[i] = STATS_max }
    }
}
gb_fill(s) = gb_variant[s] eq "copy" ? 0x8C8C8C : gb_variant[s] eq "temporal" ? 0xE69F00 : \
    (gb_variant[s] eq "base" || gb_variant[s] eq "csl" || gb_variant[s] eq "comp") ? 0x56B4E9 : 0x2DB38A

if (gb_dumb) {
    set title gb_title . "\n" . gb_subtitle
    set xlabel "radius"
    set ylabel "10⁹ cells/s"
    set yrange [0 : *]
    plot for [s=gb_first[1]:gb_last[1]] gb_file[s] using 1:($2/1e9) with linespoints lt s title gb_label[s]
} else {
    set label 4 "In each bar: its part of the rate of the copy. Bars without filling: both arrays fit in the L2." . \
        (gb_note eq "" ? "" : " ".gb_note)
    set multiplot
    gb_panel_wide = (gb_wide - gb_stub - 24.0)/gb_panel_count
    set yrange [0.4 : gb_series + 0.6]
    set xrange [0 : gb_rate_max*1.02/1e9]
    unset grid
    set grid xtics lc rgb "#CCCCCC" lw 0.8 dt 1
    unset key
    set tmargin at screen 1.0-88.0/gb_high
    set bmargin at screen 68.0/gb_high
    set ytics nomirror scale 0 font ",10"
    set xtics nomirror scale 0.6 font ",9.5"
    if (gb_rate_max/1e9 > 700) { set xtics 500 }
    do for [i=1:gb_panel_count] {
        set lmargin at screen (gb_stub + (i-1)*gb_panel_wide)/gb_wide
        set rmargin at screen (gb_stub + i*gb_panel_wide - 22.0)/gb_wide
        set label 3 gb_bold("radius = ".word(gb_x_values, i)) at graph 0.0, screen 1.0-76.0/gb_high left \
            font gb_bold_family.",11" @gb_markup
        set ytics ("" 1)
        if (i == 1) {
            do for [s=gb_first[1]:gb_last[1]] { set ytics add (gb_label[s] gb_row(s)) }
        } else {
            unset label 1
            unset label 2
            unset label 4
        }
        set xlabel "10⁹ cells/s" font ",10" offset 0,0.5
        if (gb_copy[i] > 0) {
            set arrow 1 from gb_copy[i], graph 0 to gb_copy[i], graph 1 nohead lt 31 front
        }
        gb_radius = real(word(gb_x_values, i))
        # Rows of other radii go below the picture: gnuplot 5.4 crashes on boxes all of which are NaN.
        plot for [s=gb_first[1]:gb_last[1]] gb_file[s] \
                 using (0.5*$2/1e9):(($1 == gb_radius && $9 == 0) ? gb_row(s) : -9):(0.5*$2/1e9):(0.38) \
                 with boxxyerror fs solid 0.9 noborder lc rgb gb_fill(s), \
             for [s=gb_first[1]:gb_last[1]] gb_file[s] \
                 using (0.5*$2/1e9):(($1 == gb_radius && $9 == 1) ? gb_row(s) : -9):(0.5*$2/1e9):(0.38) \
                 with boxxyerror fs empty lc rgb gb_fill(s) lw 1.2, \
             for [s=gb_first[1]:gb_last[1]] gb_file[s] \
                 using (0):($1 == gb_radius ? gb_row(s) : -9): \
                 (gb_copy[i] > 0 && gb_variant[s] ne "copy" ? sprintf("%.2f", $2/1e9/gb_copy[i]) : \
                     sprintf("%.0f", $2/1e9)) with labels left offset 0.4,0 font ",8.5" textcolor rgb "#000000"
    }
    unset multiplot
}
