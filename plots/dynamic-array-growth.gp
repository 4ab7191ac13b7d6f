# Growing as it goes: how long ten million more take, by how many the array holds. Peaks are stalls:
# pieces being mapped, and the first touch of a granule.
#
# gpubench: title Growing: time for ten million more elements, by how many there are
# gpubench: x held
# gpubench: where keep=90 dist=uniform grid=full granule=0 heap=8388608
# gpubench: largest n
# gpubench: variant growable
# gpubench: variant growable-mapped growable-mapped (maps as it fills)
# gpubench: variant static-tile static-tile (does not grow)
# gpubench: listed-only
# gpubench: several-x

load ARG1
gb_wide = 900
gb_high = 440
load gb_common

set xrange [-0.02*gb_x_max : gb_x_max*1.02]
set yrange [0:*]
set xlabel "elements held before"
set ylabel "time in µs"

if (gb_dumb) {
    set title gb_title . "\n" . gb_subtitle
} else {
    set tmargin at screen gb_top
    set bmargin at screen 78.0/gb_high
    set xtics font ",10"
    set ytics font ",10"
    set key outside right center Left reverse samplen 2.6 spacing 1.25 font ",10"
}
set format x "%.0s%c"

bound(c) = 1e6*(valid(c) ? column(c) : column(5))
gb_columns_of_a_curve = gb_dumb ? "1:(1e6*$5) with linespoints" : \
    "1:(1e6*$5):(bound(6)):(bound(7)) with yerrorlines"
eval "plot for [s=gb_first[1]:gb_last[1]] gb_file[s] using " . gb_columns_of_a_curve . \
    " lt gb_style[s] title gb_label[s]"
