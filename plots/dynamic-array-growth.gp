# Growing as it goes: how long ten million more take, by how many the array holds. Peaks are stalls:
# pieces being mapped, and granules that a push finds missing.
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

eval gb_key_beside
set format x "%.0s%c"

gb_microseconds = gb_dumb ? "1:(1e6*$5) with linespoints" : \
    "1:(1e6*$5):(1e6*gb_bound(6,5)):(1e6*gb_bound(7,5)) with yerrorlines"
eval "plot " . gb_curves(gb_microseconds)
