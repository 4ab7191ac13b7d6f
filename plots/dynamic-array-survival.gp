# LFVector by compare-and-swap over n, by the heap's size and the grid: a curve ends where pushes are
# lost. Beside it busy waiting, which takes each bucket once.
#
# gpubench: title LFVector by compare-and-swap: time, as far as it survives
# gpubench: x n
# gpubench: where keep=90 dist=uniform held=0 granule=0 heap=8388608 grid=blocks:1
# gpubench: needs lfvector-cas
# gpubench: variant lfvector-cas[grid=blocks:1,heap=8388608] CAS, one block, heap 8 MiB
# gpubench: variant lfvector-cas[grid=full,heap=8388608] CAS, many blocks, heap 8 MiB
# gpubench: variant lfvector-cas[grid=blocks:1,heap=1073741824] CAS, one block, heap 1 GiB
# gpubench: variant lfvector-cas[grid=full,heap=1073741824] CAS, many blocks, heap 1 GiB
# gpubench: variant lfvector-busy-wait[grid=blocks:1,heap=8388608] busy waiting, heap 8 MiB
# gpubench: listed-only
# gpubench: several-x

load ARG1
gb_wide = 900
gb_high = 480
load gb_common

set logscale xy 10
set xrange [gb_x_min/1.5 : 1.5e6]
set yrange [*:*]
set xlabel "elements looked at; a curve ends before the first n at which pushes are lost"
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

bound(c) = valid(c) ? column(c) : column(5)
gb_columns_of_a_curve = gb_dumb ? "1:5 with linespoints" : "1:5:(bound(6)):(bound(7)) with yerrorlines"
eval "plot for [s=gb_first[1]:gb_last[1]] gb_file[s] using " . gb_columns_of_a_curve . \
    " lt gb_style[s] title gb_label[s]"
