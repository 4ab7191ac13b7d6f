# Table 1 of the paper as a figure: throughput over the number of bins, a panel for each n, measured
# and as printed.
#
# gpubench: title GPU multisplit and Multipartition, measured and as published (Table 1)
# gpubench: x bins
# gpubench: panels n
# gpubench: where dist=uniform function=range payload=none type=u32
# gpubench: paper multipartition-table1.csv
# gpubench: variant multipartition Multipartition
# gpubench: variant multisplit GPU multisplit
# gpubench: listed-only

load ARG1
gb_across = gb_panels > 1 ? 2 : 1
gb_down = (gb_panels + gb_across - 1) / gb_across
gb_wide = 860
gb_high = 136 + 250*gb_down
load gb_common

set logscale x 2
set xrange [gb_x_min/1.1 : gb_x_max*1.1]
eval "set xtics (" . gb_x_tics_log . ")"
# All panels on one scale, so that heights can be compared.
set yrange [0 : gb_rate_max*1.08/1e9]

if (gb_dumb) {
    set xlabel "bins"
    set ylabel "10⁹ keys/s"
    do for [p=1:gb_panels] {
        set title gb_title . "\n" . gb_subtitle . (gb_panel_title[p] eq "" ? "" : ", " . gb_panel_title[p])
        plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:($2/1e9) \
                 with linespoints lt gb_style[s] title gb_label[s]
    }
} else {
    set multiplot
    # One key for all panels, on a line of its own above them.
    set lmargin at screen 0.02
    set rmargin at screen 0.98
    set tmargin at screen 1.0-58.0/gb_high
    set bmargin at screen 1.0-96.0/gb_high
    unset border
    unset tics
    set key at screen 0.5, screen 1.0-62.0/gb_high center top horizontal Left reverse \
        samplen 2.6 width 1 font ",10"
    plot NaN notitle, \
         for [s=gb_first[1]:gb_last[1]] keyentry with linespoints lt gb_style[s] title gb_label[s]

    unset key
    unset label 1
    unset label 2
    unset label 4
    set border 3 lc rgb "#404040" lw 0.8
    set ytics nomirror scale 0.6 font ",10"
    eval "set xtics nomirror scale 0.6 rotate by 45 right font ',8.5' (" . gb_x_tics_log . ")"
    gb_panel_wide = (gb_wide - 90.0 - 20.0 - 60.0*(gb_across - 1)) / gb_across
    do for [p=1:gb_panels] {
        gb_column = (p - 1) % gb_across
        gb_row = (p - 1) / gb_across
        gb_left = 76.0 + gb_column*(gb_panel_wide + 60.0)
        gb_from_top = 112.0 + gb_row*250.0
        set lmargin at screen gb_left/gb_wide
        set rmargin at screen (gb_left + gb_panel_wide)/gb_wide
        set tmargin at screen 1.0 - gb_from_top/gb_high
        set bmargin at screen 1.0 - (gb_from_top + 190.0)/gb_high
        set label 3 gb_bold(gb_panel_title[p]) at graph 0.98, graph 0.93 right \
            font gb_bold_family.",11" @gb_markup
        unset xlabel
        unset ylabel
        if (gb_row == gb_down - 1) { set xlabel "bins" font ",11" }
        if (gb_column == 0) { set ylabel "10⁹ keys/s" font ",11" }
        plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:($2/1e9):($3/1e9):($4/1e9) \
                 with yerrorlines lt gb_style[s] notitle
    }
    unset multiplot
}
