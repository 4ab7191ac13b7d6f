# The paper's graph: time over n by one block of 1024 threads, LFVector by busy waiting and its lower
# bound, and what else was measured there.
#
# gpubench: title push_back by one block of 1024 threads: time
# gpubench: x n
# gpubench: where grid=blocks:1 keep=90 dist=uniform held=0 heap=8388608 granule=0
# gpubench: needs cpu-lockfree
# gpubench: variant lfvector-busy-wait LFVector, busy waiting (the paper's)
# gpubench: variant static static (its lower bound)
# gpubench: variant lfvector-busy-wait-acquire busy waiting, strong load
# gpubench: variant growable
# gpubench: variant growable-push
# gpubench: variant static-tile
# gpubench: variant ggarray
# gpubench: variant cpu
# gpubench: variant cpu-lockfree
# gpubench: listed-only
# gpubench: several-x

load ARG1
gb_wide = 900
gb_high = 500
load gb_common

set logscale xy 10
set xrange [gb_x_min/1.3 : gb_x_max*1.3]
set yrange [*:*]
set xlabel "elements looked at; those below 90 of 100 are pushed"
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
