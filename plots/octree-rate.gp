# Bodies inserted a second over n, a panel for each distribution: the first of the paper's charts (of
# experiment octree), and all variants over all distributions.
#
# gpubench: title Building octrees: throughput
# gpubench: x n
# gpubench: panels dist
# gpubench: where leaf=1 grid=full pool=100
# gpubench: needs burtscher-pingali[grid=full]
# gpubench: several-x
# gpubench: variant burtscher-pingali Burtscher-Pingali
# gpubench: variant octreebuild-lf OctreeBuild-LF
# gpubench: variant burtscher-pingali-tuned Burtscher-Pingali, tuned
# gpubench: variant octreebuild-lf-tuned OctreeBuild-LF, tuned
# gpubench: variant octreebuild-lf-shared OctreeBuild-LF, shared
# gpubench: variant morton morton
# gpubench: variant cpu-parallel all cores of the CPU
# gpubench: listed-only

load ARG1
gb_panel_wide = 300.0
gb_panel_high = gb_panels < 5 ? 300.0 : 240.0
load gb_common
gb_quantity = "10⁹ bodies/s over the number of bodies"

# From 0, as the paper's chart, unless the rates lie too far apart.
gb_far = gb_rate_max > 12*gb_rate_min
set logscale x 10
if (gb_far) {
    set logscale y 10
    set yrange [gb_rate_min/1.4e9 : gb_rate_max*1.4/1e9]
    eval gb_decades
} else {
    set yrange [0 : gb_rate_max*1.1/1e9]
}
set xrange [gb_x_min/1.15 : gb_x_max*1.15]
eval gb_size_tics

if (gb_dumb) {
    do for [p=1:gb_panels] {
        set title gb_title . "\n" . gb_subtitle . ", " . gb_panel_title[p]
        plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:($2/1e9) with linespoints lt gb_style[s] title gb_label[s]
    }
} else {
    set multiplot
    set tics font ",9.5"
    eval gb_place_quantity
    set key at screen gb_key_x, screen gb_key_y left top Left reverse samplen 2.4 spacing 1.25 font ",9.5"
    do for [p=1:gb_panels] {
        eval gb_place_panel
        plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:($2/1e9):(gb_bound(3,2)/1e9):(gb_bound(4,2)/1e9) \
            with yerrorlines lt gb_style[s] title gb_label[s]
        eval gb_end_panel
    }
    unset multiplot
}
