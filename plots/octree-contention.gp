# What builds by insertion meet at the slots: by the depth of the cell, compare-and-swap that found
# another value and looks that found a lock. A column for each distribution.
#
# gpubench: title Contention: what threads met at the slots, by depth
# gpubench: dump contention
# gpubench: panels dist
# gpubench: variant burtscher-pingali Burtscher-Pingali
# gpubench: variant octreebuild-lf OctreeBuild-LF
# gpubench: variant burtscher-pingali-tuned Burtscher-Pingali, tuned
# gpubench: variant octreebuild-lf-tuned OctreeBuild-LF, tuned

load ARG1
gb_column_wide = 380.0 # two rows of its own, not the panels of common.gp
gb_row_high = 170.0
gb_wide = 80 + gb_panels*(gb_column_wide + 50)
gb_high = 150 + 2*(gb_row_high + 52)
load gb_common

# All tries of a table, the most of what it counts, and the deepest cell of all.
gb_deepest = 0
array gb_total[gb_last[gb_panels]]
array gb_failed[gb_last[gb_panels]]
array gb_waits[gb_last[gb_panels]]
do for [s=1:gb_last[gb_panels]] {
    stats gb_file[s] using (column("depth")) name "DEPTH" nooutput
    if (DEPTH_max > gb_deepest) { gb_deepest = DEPTH_max }
    stats gb_file[s] using (column("tries")) name "ALL" nooutput
    gb_total[s] = ALL_sum > 0 ? ALL_sum : 1
    stats gb_file[s] using (column("failed")) name "FAILED" nooutput
    gb_failed[s] = FAILED_max
    stats gb_file[s] using (column("waits")) name "WAITS" nooutput
    gb_waits[s] = WAITS_max
}
gb_share(name) = 1000.0*column(name)/gb_total[s]
set yrange [0 : *]
set xrange [-0.6 : gb_deepest + 0.6]

if (gb_dumb) {
    do for [p=1:gb_panels] {
        set title gb_title . "\n" . gb_subtitle . ", " . gb_panel_title[p] . ": failed, of 1000 tries"
        plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using (column("depth")):(gb_share("failed")) \
            with linespoints lt gb_style[s] title gb_label[s]
    }
} else {
    set multiplot
    set style fill solid 0.85 noborder
    set label 4 "Of 1000 compare-and-swap that were tried in the whole build." at screen 14.0/gb_wide, \
        screen 10.0/gb_high left font gb_family.",8.5" textcolor rgb "#707070" noenhanced
    do for [p=1:gb_panels] {
        gb_count = gb_last[p] - gb_first[p] + 1
        gb_bar = 0.84/gb_count
        do for [row=0:1] {
            gb_from_top = 112.0 + row*(gb_row_high + 52)
            gb_left = 66.0 + (p - 1)*(gb_column_wide + 50)
            set lmargin at screen gb_left/gb_wide
            set rmargin at screen (gb_left + gb_column_wide)/gb_wide
            set tmargin at screen 1.0 - gb_from_top/gb_high
            set bmargin at screen 1.0 - (gb_from_top + gb_row_high)/gb_high
            set xtics nomirror scale 0 font ",10" 1
            set ytics nomirror scale 0.6 font ",10"
            set label 3 gb_bold(gb_panel_value[p] . (row ? ": looks that found a lock" : ": tries that failed")) \
                at graph 0.0, graph 1.08 left font gb_bold_family.",11" @gb_markup
            if (row) { set xlabel "depth (the root: 0)" font ",10" } else { unset xlabel }
            if (p == 1 && row == 0) {
                set key at screen 1.0-14.0/gb_wide, screen 1.0-12.0/gb_high right top vertical \
                    Left reverse samplen 1.6 font ",10"
            } else { unset key }
            # Where nothing happened, too, there is a scale.
            gb_most = sum [s=gb_first[p]:gb_last[p]] (row ? gb_waits[s] : gb_failed[s])
            if (gb_most > 0) { set yrange [0 : *] } else { set yrange [0 : 1] }
            gb_name = row ? "waits" : "failed"
            plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using \
                (column("depth") + (s - gb_first[p] - 0.5*(gb_count - 1))*gb_bar):(gb_share(gb_name)):(gb_bar*0.92) \
                with boxes lt gb_style[s] dt 1 title gb_label[s]
            unset label 1
            unset label 2
            unset label 4
        }
    }
    unset multiplot
}
