# How deep trees are: which part of their cells, and of the bodies by the cell whose slot holds their
# leaf, is at each depth.
#
# gpubench: title How deep the octrees are
# gpubench: dump depth
# gpubench: variant cpu sequential insertion
# gpubench: variant burtscher-pingali Burtscher-Pingali
# gpubench: variant octreebuild-lf OctreeBuild-LF

load ARG1
gb_wide = 860
gb_panel_high = 170.0
gb_high = 108 + 2*(gb_panel_high + 50)
load gb_common

gb_count = gb_last[1] - gb_first[1] + 1
gb_bar = 0.84/gb_count
array gb_total[gb_last[1]]
gb_deepest = 0
do for [s=gb_first[1]:gb_last[1]] {
    stats gb_file[s] using (column("depth")) name "DEPTH" nooutput
    if (DEPTH_max > gb_deepest) { gb_deepest = DEPTH_max }
}
set format y "%g %%"
# Side by side, by their place in the list; in percent of all.
gb_bars(name) = sprintf('for [s=gb_first[1]:gb_last[1]] gb_file[s] using ' . \
    '(column("depth") + (s - gb_first[1] - 0.5*(gb_count - 1))*gb_bar):(100.0*column("%s")/gb_total[s]):(gb_bar*0.92) ' . \
    'with boxes lt gb_style[s] dt 1 title gb_label[s]', name)

if (gb_dumb) {
    set title gb_title . "\n" . gb_subtitle
    do for [s=gb_first[1]:gb_last[1]] {
        stats gb_file[s] using (column("bodies")) name "ALL" nooutput
        gb_total[s] = ALL_sum
    }
    plot for [s=gb_first[1]:gb_last[1]] gb_file[s] using (column("depth")):(100.0*column("bodies")/gb_total[s]) \
        with linespoints lt gb_style[s] title gb_label[s]
} else {
    set multiplot
    set style fill solid 0.85 noborder
    unset label 4
    do for [p=1:2] {
        gb_from_top = 92.0 + (p - 1)*(gb_panel_high + 50)
        gb_what = p == 1 ? "cells" : "bodies"
        set xrange [*:*]
        set yrange [*:*]
        do for [s=gb_first[1]:gb_last[1]] {
            stats gb_file[s] using (column(gb_what)) name "ALL" nooutput
            gb_total[s] = ALL_sum
        }
        set xrange [-0.6 : gb_deepest + 0.6]
        set yrange [0 : *]
        set lmargin at screen 66.0/gb_wide
        set rmargin at screen 1.0 - 20.0/gb_wide
        set tmargin at screen 1.0 - gb_from_top/gb_high
        set bmargin at screen 1.0 - (gb_from_top + gb_panel_high)/gb_high
        set xtics nomirror scale 0 font ",10" 1
        set ytics nomirror scale 0.6 font ",10"
        set label 3 gb_bold(p == 1 ? "cells" : "bodies, by the cell whose slot holds their leaf") \
            at graph 0.0, graph 1.08 left font gb_bold_family.",11" @gb_markup
        if (p == 1) {
            set key at screen 1.0-20.0/gb_wide, screen 1.0-86.0/gb_high right top vertical \
                Left reverse samplen 1.6 font ",10"
            unset xlabel
        } else {
            unset key
            unset label 1
            unset label 2
            set xlabel "depth (the root: 0)" font ",10"
        }
        eval "plot " . gb_bars(gb_what)
    }
    unset multiplot
}
