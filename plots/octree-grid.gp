# Bodies inserted a second by how many multiprocessors build, a panel for each n: what the lock-free
# build gains where fewer threads contend; 56 multiprocessors are the paper's GPU's.
#
# gpubench: title Building octrees on a part of the GPU
# gpubench: x grid
# gpubench: categories
# gpubench: panels n
# gpubench: where leaf=1 pool=100 dist=all
# gpubench: variant burtscher-pingali Burtscher-Pingali
# gpubench: variant octreebuild-lf OctreeBuild-LF
# gpubench: variant burtscher-pingali-tuned Burtscher-Pingali, tuned
# gpubench: variant octreebuild-lf-tuned OctreeBuild-LF, tuned

load ARG1
gb_panel_wide = 340.0
gb_panel_high = 260.0
load gb_common
gb_quantity = "10⁹ bodies/s over the multiprocessors that the grid fills; 56: as the paper's GPU"

set xrange [0.5 : gb_x_max + 0.5]
set yrange [0 : *]
eval "set xtics (" . gb_x_tics . ")"

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
        set label 3 gb_bold(gb_panel_title[p]) at graph 0.0, graph 1.05 left font gb_bold_family.",11" @gb_markup
        plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:($2/1e9):(gb_bound(3,2)/1e9):(gb_bound(4,2)/1e9) \
            with yerrorlines lt gb_style[s] title gb_label[s]
        eval gb_end_panel
    }
    unset multiplot
}
