# How wrong the timer is about a spin of known length: as measured, and less a spin of 0 ns, which has
# everything but the length.
#
# gpubench: title The timer against spins of known length
# gpubench: x ns
# gpubench: where bytes=0
# gpubench: variant spin device events
# gpubench: variant spin-host-clock host's clock
# gpubench: listed-only

load ARG1
gb_wide = 900
gb_high = 500
load gb_common

# The row of 0 ns is no point of the figure: it is what the others are corrected by.
array gb_zero[gb_last[1]]
do for [s=gb_first[1]:gb_last[1]] {
    stats gb_file[s] using ($1 == 0 ? $5 : NaN) nooutput
    gb_zero[s] = STATS_records > 0 ? STATS_min : NaN
}
gb_error(ns, seconds) = ns > 0 ? 100*abs(1e9*seconds/ns - 1) : NaN

set logscale x 10
set logscale y 10
set xrange [(gb_x_min > 0 ? gb_x_min : 1000)/1.3 : gb_x_max*1.3]
set yrange [1e-4 : 1e3]
set xtics ("1 µs" 1e3, "10 µs" 1e4, "50 µs" 5e4, "1 ms" 1e6, "10 ms" 1e7, "100 ms" 1e8, "1 s" 1e9)
set ytics ("0.0001" 1e-4, "0.001" 1e-3, "0.01" 1e-2, "0.1" 0.1, "0.5" 0.5, "1" 1, "10" 10, "100" 100, "1000" 1e3)
set xlabel "length asked for"
set ylabel "error of the measured time in %"

if (gb_dumb) {
    set title gb_title . "\n" . gb_subtitle
} else {
    set label 4 gb_note # no error bars here
    set tmargin at screen gb_top
    set bmargin at screen 78.0/gb_high
    set key outside right center Left reverse samplen 2.6 spacing 1.3 font ",10"
}

plot for [s=gb_first[1]:gb_last[1]] gb_file[s] using 1:(gb_error($1, $5)) \
         with linespoints lt gb_style[s]+2 title gb_label[s].", as measured", \
     for [s=gb_first[1]:gb_last[1]] gb_file[s] using 1:(gb_error($1, $5-gb_zero[s])) \
         with linespoints lt gb_style[s] title gb_label[s].", less a spin of 0", \
     0.5 with lines lt 31 title "0.5 %"
