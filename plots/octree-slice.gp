# The tree itself: the cells that a plane through the middle of the bodies cuts, each divided into its
# quarters, over the bodies of the leaves that it cuts. A column for each distribution: all of it, and
# the middle of the bodies from nearby.
#
# gpubench: title Octrees, cut at the middle of the bodies' z
# gpubench: dump slice
# gpubench: panels dist

load ARG1
gb_side = 300.0 # of a square, in points
gb_gap = 22.0
gb_across = gb_panels > 1 ? gb_panels : 2 # one distribution's two pictures stand side by side
gb_wide = 28 + gb_across*gb_side + (gb_across - 1)*gb_gap
gb_high = 70 + (gb_panels > 1 ? 2 : 1)*(gb_side + 30) + 28
load gb_common

set size ratio -1
unset border
unset tics
unset key
unset colorbox
set datafile missing "?"
# By depth, from the few lines of the large cells to the many of the deep ones.
set palette defined (0 "#C9D3DB", 4 "#9DB8CC", 8 "#4E90BE", 11 "#0072B2", 14 "#7B3F98", 18 "#D55E00")
set cbrange [0 : 18]

# The lines that part a cell into its quarters: through its middle, one along x and one along y.
gb_x(part) = strcol("kind") eq "cell" ? column("x") + part*column("size") : NaN
gb_y(part) = column("y") + part*column("size")
gb_plot_tree = 'plot gb_data using (gb_x(0)):(gb_y(0.5)):(column("size")):(0):(column("depth")) ' . \
    'with vectors nohead lw 0.7 lc palette, ' . \
    'gb_data using (gb_x(0.5)):(gb_y(0)):(0):(column("size")):(column("depth")) ' . \
    'with vectors nohead lw 0.7 lc palette, ' . \
    'gb_data using (strcol("kind") eq "body" ? column("x") : NaN):(column("y")) ' . \
    'with points pt 7 ps (row ? 0.22 : 0.09)*gb_dot lc rgb "#202020"'

if (gb_dumb) {
    do for [p=1:gb_panels] {
        set title gb_title . "\n" . gb_subtitle . ", " . gb_panel_title[p]
        plot gb_file[gb_first[p]] using (strcol("kind") eq "body" ? column("x") : NaN):(column("y")) with dots notitle
    }
} else {
    unset label 4
    set label 4 "Dots: bodies in leaves that the plane cuts. Colour of a line: depth of its cell. " \
        . (gb_panels > 1 ? "Below" : "On the right") . ": where most of them lie." . (gb_note eq "" ? "" : " ".gb_note) \
        at screen 14.0/gb_wide, screen 10.0/gb_high left font gb_family.",8.5" textcolor rgb "#707070" noenhanced
    set multiplot
    set clip two
    do for [p=1:gb_panels] {
        gb_data = gb_file[gb_first[p]]
        set xrange [*:*]
        set yrange [*:*]
        # The root's corner and side stand in the first row.
        stats gb_data every ::0::0 using (column("x")) name "X" nooutput
        stats gb_data every ::0::0 using (column("y")) name "Y" nooutput
        stats gb_data every ::0::0 using (column("size")) name "ROOT" nooutput
        stats gb_data using (strcol("kind") eq "body" ? column("x") : NaN) name "XS" nooutput
        stats gb_data using (strcol("kind") eq "body" ? column("y") : NaN) name "YS" nooutput
        gb_near = XS_up_quartile - XS_lo_quartile
        gb_near_y = YS_up_quartile - YS_lo_quartile
        if (gb_near_y > gb_near) { gb_near = gb_near_y }
        gb_near = gb_near > 0 && 6*gb_near < ROOT_min ? 2*gb_near : ROOT_min/3
        gb_near_x = 0.5*(XS_up_quartile + XS_lo_quartile - gb_near)
        gb_near_y = 0.5*(YS_up_quartile + YS_lo_quartile - gb_near)
        gb_dot = XS_records > 1500 ? sqrt(1500.0/XS_records) : 1.0
        do for [row=0:1] {
            gb_left = 14 + (gb_panels > 1 ? p - 1 : row)*(gb_side + gb_gap)
            gb_from_top = 70 + (gb_panels > 1 ? row : 0)*(gb_side + 30)
            set lmargin at screen gb_left/gb_wide
            set rmargin at screen (gb_left + gb_side)/gb_wide
            set tmargin at screen 1.0 - (gb_from_top + 14)/gb_high
            set bmargin at screen 1.0 - (gb_from_top + 14 + gb_side)/gb_high
            gb_span = row ? gb_near : ROOT_min
            gb_x0 = row ? gb_near_x : X_min
            gb_y0 = row ? gb_near_y : Y_min
            set xrange [gb_x0 : gb_x0 + gb_span]
            set yrange [gb_y0 : gb_y0 + gb_span]
            set label 3 gb_bold(row ? sprintf("%.2g times nearer", ROOT_min/gb_near) : gb_panel_value[p]) \
                at graph 0.0, graph 1.03 left font gb_bold_family.",10" @gb_markup
            # The frame of what the lower picture shows, in the upper one.
            unset object 1
            if (!row) {
                set object 1 rectangle from gb_near_x, gb_near_y to gb_near_x + gb_near, gb_near_y + gb_near \
                    fs empty border lc rgb "#D55E00" lw 1.2 front
            }
            set border 15 lc rgb "#8C8C8C" lw 0.8
            @gb_plot_tree
            unset label 1
            unset label 2
            unset label 4
        }
    }
    unset multiplot
}
