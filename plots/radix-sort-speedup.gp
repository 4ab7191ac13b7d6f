# How much faster than the sequential sort on one CPU core, over the number of keys, with the
# paper's points.
#
# gpubench: title Sorting keys: speed-up over the paper's sort on one CPU core
# gpubench: x n
# gpubench: over cpu-lsd1
# gpubench: where dist=uniform type=u32 payload=none order=ascending bits=all scope=all
# gpubench: paper radix-sort-table1.csv
# gpubench: variant lsd1
# gpubench: variant opencl-lsd1
# gpubench: variant hybrid
# gpubench: variant onesweep
# gpubench: variant cub-radix-sort CUB

load ARG1
gb_wide = 900
gb_high = 520
load gb_common

set logscale xy 10
set xrange [gb_x_min/1.3 : gb_x_max*1.3]
set yrange [*:*]
set xlabel "keys"
set ylabel "speed-up"

if (gb_dumb) {
    set title gb_title . "\n" . gb_subtitle
} else {
    set tmargin at screen gb_top
    set bmargin at screen 78.0/gb_high
    set xtics font ",10"
    set ytics font ",10"
    set mxtics 10
    set key outside right center Left reverse samplen 2.6 spacing 1.25 font ",10"
    unset label 4
}
set format x "%.0s%c"
set format y "%g"

plot for [s=gb_first[1]:gb_last[1]] gb_file[s] using 1:8 with linespoints lt gb_style[s] \
         title gb_label[s], \
     1 with lines lt 31 title "cpu-lsd1"
