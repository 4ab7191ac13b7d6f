# Throughput over the number of keys: this project's sorts, CUB, and what the memory bandwidth
# allows a sort that reads and writes every key once.
#
# gpubench: title Sorting keys: throughput
# gpubench: x n
# gpubench: where dist=uniform type=u32 payload=none order=ascending bits=all
# gpubench: variant hybrid
# gpubench: variant onesweep
# gpubench: variant cub-radix-sort CUB
# gpubench: variant lsd8
# gpubench: variant lsd4
# gpubench: variant lsd1
# gpubench: variant lsd1-unpadded
# gpubench: variant opencl-lsd1
# gpubench: variant cpu-parallel
# gpubench: listed-only
# gpubench: limit

load ARG1
gb_wide = 900
gb_high = 520
load gb_common

set logscale xy 10
set xrange [gb_x_min/1.3 : gb_x_max*1.3]
set yrange [gb_rate_min/1.4e9 : *]
set xlabel "keys"
set ylabel "throughput in 10⁹ keys/s"
eval gb_decades

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

gb_limit_curve = gb_limit[1] eq "" ? "" : \
    "gb_limit[1] using 1:($2/1e9) with lines lt 31 title gb_limit_label, "
# Values without an interval (those of a single sample) get one without width.
bound(c) = (valid(c) ? column(c) : column(2))/1e9
gb_columns_of_a_curve = gb_dumb ? "1:($2/1e9) with linespoints" : \
    "1:($2/1e9):(bound(3)):(bound(4)) with yerrorlines"
eval "plot " . gb_limit_curve . "for [s=gb_first[1]:gb_last[1]] gb_file[s] using " . \
    gb_columns_of_a_curve . " lt gb_style[s] title gb_label[s]"
