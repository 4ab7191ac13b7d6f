# How much faster than Burtscher and Pingali's construction, over n: the second of the paper's charts,
# with the one number that its text gives.
#
# gpubench: title Building octrees: speed-up over Burtscher-Pingali
# gpubench: x n
# gpubench: panels dist
# gpubench: over burtscher-pingali
# gpubench: where leaf=1 grid=full pool=100
# gpubench: needs octreebuild-lf[grid=full]
# gpubench: several-x
# gpubench: paper octree-claims.csv
# gpubench: variant octreebuild-lf OctreeBuild-LF
# gpubench: variant burtscher-pingali-tuned Burtscher-Pingali, tuned
# gpubench: variant octreebuild-lf-tuned OctreeBuild-LF, tuned
# gpubench: variant octreebuild-lf-shared OctreeBuild-LF, shared
# gpubench: listed-only

load ARG1
gb_panel_wide = 300.0
gb_panel_high = gb_panels < 5 ? 260.0 : 200.0
load gb_common
gb_quantity = "times as many bodies/s, over the number of bodies"

# One scale for all panels; what the paper prints, the highest of its points, is a level in its panel.
gb_most = 1.0
array gb_paper[gb_panels]
do for [p=1:gb_panels] {
    gb_paper[p] = NaN
    do for [s=gb_first[p]:gb_last[p]] {
        stats gb_file[s] using 8 name "SPEEDUP" nooutput
        if (SPEEDUP_max > gb_most) { gb_most = SPEEDUP_max }
        if (gb_published[s]) { gb_paper[p] = SPEEDUP_max }
    }
}
set logscale x 10
set xrange [gb_x_min/1.15 : gb_x_max*1.15]
set yrange [0 : 1.1*gb_most]
eval gb_size_tics

if (gb_dumb) {
    do for [p=1:gb_panels] {
        set title gb_title . "\n" . gb_subtitle . ", " . gb_panel_title[p]
        plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:8 with linespoints lt gb_style[s] title gb_label[s]
    }
} else {
    set multiplot
    set tics font ",9.5"
    unset label 4
    eval gb_place_quantity
    do for [p=1:gb_panels] {
        # The paper's point is in one panel: the key is that of the fullest one.
        set key at screen gb_key_x, screen gb_key_y left top Left reverse samplen 2.4 spacing 1.25 font ",9.5"
        gb_fullest = 1
        do for [k=1:gb_panels] {
            if (gb_last[k] - gb_first[k] > gb_last[gb_fullest] - gb_first[gb_fullest]) { gb_fullest = k }
        }
        if (p != gb_fullest) { unset key }
        eval gb_place_panel
        plot 1 with lines lt 31 notitle, gb_paper[p] with lines lt 21 notitle, \
             for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:8 with linespoints lt gb_style[s] title gb_label[s]
        eval gb_end_panel
    }
    unset multiplot
}
