# Time over the number of keys, both logarithmic: every variant measured and the paper's two.
#
# gpubench: title Sorting keys: time
# gpubench: x n
# gpubench: where dist=uniform type=u32 payload=none order=ascending bits=all scope=all
# gpubench: paper radix-sort-table1.csv
# gpubench: variant lsd1
# gpubench: variant cpu-lsd1
# gpubench: variant hybrid
# gpubench: variant onesweep
# gpubench: variant cub-radix-sort CUB

load ARG1
gb_wide = 900
gb_high = 540
load gb_common

set logscale xy 10
set xrange [gb_x_min/1.3 : gb_x_max*1.3]
set yrange [*:*]
set xlabel "keys"
set ylabel "time"

if (gb_dumb) {
    set title gb_title . "\n" . gb_subtitle
} else {
    set tmargin at screen gb_top
    set bmargin at screen 78.0/gb_high
    set xtics font ",10"
    set ytics font ",10"
    set mxtics 10
    set key outside right center Left reverse samplen 2.6 spacing 1.25 font ",10"
}
set format x "%.0s%c"
set format y "%.0s %cs"

# Values without an interval (the paper's, and those of a single sample) get one without width.
bound(c) = valid(c) ? column(c) : column(5)
gb_columns_of_a_curve = gb_dumb ? "1:5 with linespoints" : "1:5:(bound(6)):(bound(7)) with yerrorlines"
eval "plot for [s=gb_first[1]:gb_last[1]] gb_file[s] using " . gb_columns_of_a_curve . \
    " lt gb_style[s] title gb_label[s]"
