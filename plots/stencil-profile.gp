# What the caches do at the largest x: hit rates of L1 and L2 and the bytes that the memory moves for a cell, over the
# radius, by variant (scripts/profile.sh).
#
# gpubench: title Star stencils: hit rates and bytes of memory a cell
# gpubench: profile
# gpubench: x radius
# gpubench: largest x
# gpubench: best block steps
# gpubench: where fused=1
# gpubench: variant copy copy
# gpubench: variant base BASE
# gpubench: variant csl CSL
# gpubench: variant comp COMP
# gpubench: variant z-loop z-loop
# gpubench: variant z-loop-registers registers
# gpubench: variant z-loop-registers-csl registers, CSL
# gpubench: variant planes planes
# gpubench: variant async-copy async copy
# gpubench: variant tma TMA
# gpubench: variant temporal[fused=2] temporal, 2 steps
# gpubench: variant temporal[fused=3] temporal, 3 steps
# gpubench: listed-only

load ARG1
gb_wide = 1040
gb_high = 420
load gb_common
set linetype 9 lc rgb "#E69F00" lw 1.4 dt (8,3,2,3) pt 5 ps 0.6
set linetype 10 lc rgb "#000000" lw 1.6 dt 1 pt 7 ps 0.6
set linetype 11 lc rgb "#000000" lw 1.4 dt (3,3) pt 9 ps 0.8
set linetype 12 lc rgb "#000000" lw 1.4 dt (8,3) pt 11 ps 0.8

set xrange [gb_x_min-0.3 : gb_x_max+0.3]
eval "set xtics (" . gb_x_tics . ")"
set xlabel "radius" font ",11" offset 0,0.4

if (gb_dumb) {
    set title gb_title . "\n" . gb_subtitle
    set ylabel "bytes a cell"
    set yrange [0 : *]
    plot for [s=gb_first[1]:gb_last[1]] gb_file[s] using 1:($4+$5) with linespoints lt gb_style[s] title gb_label[s]
} else {
    set label 4 "All kernels of a run together, loads and stores; of several blocks the fastest. TMA copies pass the L1 by. " \
        . "At least 8 bytes a cell in one step." . (gb_note eq "" ? "" : " ".gb_note)
    set multiplot
    set tmargin at screen 1.0-92.0/gb_high
    set bmargin at screen 74.0/gb_high
    set tics font ",10"
    unset key
    gb_left(c) = (56.0 + c*276.0)/gb_wide
    gb_right(c) = (56.0 + c*276.0 + 224.0)/gb_wide
    do for [c=0:2] {
        set lmargin at screen gb_left(c)
        set rmargin at screen gb_right(c)
        set label 3 gb_bold(c == 0 ? "L1 hit rate" : c == 1 ? "L2 hit rate" : "memory, bytes a cell") \
            at graph 0.0, graph 1.07 left font gb_bold_family.",11" @gb_markup
        if (c == 1) {
            unset label 1
            unset label 2
            unset label 4
        }
        if (c < 2) { set yrange [0 : 1] } else {
            set yrange [0 : *]
            set key at screen gb_right(2)+14.0/gb_wide, screen 1.0-92.0/gb_high left top Left reverse \
                samplen 2.4 spacing 1.25 font ",10"
        }
        plot for [s=gb_first[1]:gb_last[1]] gb_file[s] using 1:(c == 0 ? $2 : c == 1 ? $3 : $4+$5) \
                 with linespoints lt gb_style[s] title gb_label[s], \
             (c == 2 ? 8 : NaN) with lines lt 31 title (c == 2 ? "8 bytes" : "")
    }
    unset multiplot
}
