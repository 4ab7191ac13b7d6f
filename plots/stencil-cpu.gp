# The CPU's cores beside their own copy, from host memory to host memory, over the radius at the largest x; and the device
# with its transfers.
#
# gpubench: title Star stencils from host memory to host memory
# gpubench: x radius
# gpubench: largest x
# gpubench: best block
# gpubench: where y=256 z=256 steps=20 fused=1
# gpubench: variant cpu-copy CPU, copy
# gpubench: variant cpu-parallel CPU, all cores
# gpubench: variant cpu CPU, one core, plain
# gpubench: variant copy GPU and transfers, copy
# gpubench: variant base GPU and transfers, BASE
# gpubench: listed-only
# gpubench: needs cpu-parallel

load ARG1
gb_wide = 760
gb_high = 400
load gb_common

set xrange [gb_x_min-0.3 : gb_x_max+0.3]
set yrange [0 : *]
eval "set xtics (" . gb_x_tics . ")"
set xlabel "radius"
set ylabel "10⁹ cells/s"

if (gb_dumb) {
    set title gb_title . "\n" . gb_subtitle
} else {
    set tmargin at screen gb_top
    set bmargin at screen 78.0/gb_high
    set tics font ",10"
    set key outside right center Left reverse samplen 2.6 spacing 1.3 font ",10"
}
eval "plot " . gb_curves(gb_rate_columns)
