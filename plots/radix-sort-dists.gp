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
# gpubench: listed-only

load ARG1
gb_wide = 860
gb_panel_high = 190.0
gb_high = 100 + (gb_panel_high + 56)*gb_panels
load gb_common

set xrange [0.4 : gb_x_max + 0.6]
set yrange [0 : *]
gb_bar = 0.36

if (gb_dumb) {
    set ylabel "speed-up"
    eval "set xtics (" . gb_x_tics . ")"
    do for [p=1:gb_panels] {
        set title gb_title . "\n" . gb_subtitle . (gb_panel_title[p] eq "" ? "" : ", " . gb_panel_title[p])
        plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:8 \
                 with points lt gb_style[s] title gb_label[s]
    }
} else {
    set multiplot
    set style fill solid 0.85 noborder
    unset label 4
    do for [p=1:gb_panels] {
        gb_from_top = 98.0 + (p - 1)*(gb_panel_high + 56)
        set lmargin at screen 84.0/gb_wide
        set rmargin at screen 1.0 - 20.0/gb_wide
        set tmargin at screen 1.0 - gb_from_top/gb_high
        set bmargin at screen 1.0 - (gb_from_top + gb_panel_high)/gb_high
        eval "set xtics nomirror scale 0 font ',9' (" . gb_x_tics . ")"
        set ytics nomirror scale 0.6 font ",10"
        set ylabel "speed-up"
        set label 3 gb_bold(gb_panel_title[p]) at graph 0.0, graph 1.08 left \
            font gb_bold_family.",11" @gb_markup
        if (p == 1) {
            set key at screen 1.0-20.0/gb_wide, screen 1.0-66.0/gb_high right top horizontal \
                Left reverse samplen 1.6 font ",10"
        } else {
            unset key
            unset label 1
            unset label 2
        }
        # Side by side, by their place in the list.
        plot for [s=gb_first[p]:gb_last[p]] gb_file[s] \
                 using ($1 + (s - gb_first[p] - 0.5*(gb_last[p] - gb_first[p]))*gb_bar):8:(gb_bar*0.92) \
                 with boxes lt gb_style[s] dt 1 title gb_label[s], \
             1 with lines lt 31 title "CUB"
    }
    unset multiplot
}
