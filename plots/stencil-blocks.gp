# Block shapes: 10^9 cells a second of each at the largest x, a panel for each radius.
#
# gpubench: title Star stencils: which block of threads
# gpubench: x block
# gpubench: categories
# gpubench: panels radius
# gpubench: largest x
# gpubench: where y=256 z=256 fused=1
# gpubench: variant base BASE
# gpubench: variant csl CSL
# gpubench: variant comp COMP
# gpubench: variant z-loop z-loop
# gpubench: variant z-loop-registers registers
# gpubench: variant z-loop-registers-csl registers, CSL
# gpubench: listed-only

load ARG1
gb_across = gb_panels > 1 ? 2 : 1
gb_down = (gb_panels + gb_across - 1) / gb_across
gb_panel_high = 170.0
gb_wide = 960
gb_high = 130 + (gb_panel_high + 88)*gb_down
load gb_common

set xrange [0.5 : gb_x_max + 0.5]
set yrange [0 : gb_rate_max*1.08/1e9]

if (gb_dumb) {
    set ylabel "10⁹ cells/s"
    eval "set xtics (" . gb_x_tics . ")"
    do for [p=1:gb_panels] {
        set title gb_title . "\n" . gb_subtitle . (gb_panel_title[p] eq "" ? "" : ", " . gb_panel_title[p])
        plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:($2/1e9) with points lt gb_style[s] title gb_label[s]
    }
} else {
    set label 4 "Hollow points: both arrays fit in the L2. ".gb_note
    set multiplot
    # One key for all panels, above them.
    set lmargin at screen 0.02
    set rmargin at screen 0.98
    set tmargin at screen 1.0-54.0/gb_high
    set bmargin at screen 1.0-84.0/gb_high
    unset border
    unset tics
    set key at screen 14.0/gb_wide, screen 1.0-56.0/gb_high left top horizontal Left reverse samplen 2.4 width 1 font ",10"
    plot NaN notitle, \
         for [s=gb_first[1]:gb_last[1]] keyentry with linespoints lt gb_style[s] title gb_label[s]
    unset key
    unset label 1
    unset label 2
    unset label 4
    set border 3 lc rgb "#404040" lw 0.8
    set ytics nomirror scale 0.6 font ",10"
    eval "set xtics nomirror scale 0.6 rotate by 45 right font ',8.5' (" . gb_x_tics . ")"
    gb_panel_wide = (gb_wide - 76.0 - 20.0 - 56.0*(gb_across - 1)) / gb_across
    do for [p=1:gb_panels] {
        gb_column = (p - 1) % gb_across
        gb_row = (p - 1) / gb_across
        gb_left = 70.0 + gb_column*(gb_panel_wide + 56.0)
        gb_from_top = 110.0 + gb_row*(gb_panel_high + 88)
        set lmargin at screen gb_left/gb_wide
        set rmargin at screen (gb_left + gb_panel_wide)/gb_wide
        set tmargin at screen 1.0 - gb_from_top/gb_high
        set bmargin at screen 1.0 - (gb_from_top + gb_panel_high)/gb_high
        set label 3 gb_bold(gb_panel_title[p]) at graph 0.0, graph 1.07 left font gb_bold_family.",11" @gb_markup
        unset ylabel
        if (gb_column == 0) { set ylabel "10⁹ cells/s" font ",11" offset 1,0 }
        plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:($2/1e9) with linespoints lt gb_style[s] notitle, \
             for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:($9 == 1 ? $2/1e9 : NaN) with points \
                 lt gb_style[s] lc rgb "white" ps 0.35 notitle
    }
    unset multiplot
}
