# The copy that ceilings are measured with, over the bytes copied, and the ceiling.
#
# gpubench: title The copy that rows are held against
# gpubench: x bytes
# gpubench: where ns=0
# gpubench: variant copy kernel
# gpubench: variant memcpy cudaMemcpyAsync
# gpubench: listed-only
# gpubench: limit

load ARG1
gb_wide = 900
gb_high = 500
load gb_common

set logscale x 2
set xrange [(gb_x_min > 0 ? gb_x_min : 16384)/1.3 : gb_x_max*1.3]
set yrange [0 : *]
set xtics ("16 KiB" 2**14, "64 KiB" 2**16, "256 KiB" 2**18, "1 MiB" 2**20, "4 MiB" 2**22, "16 MiB" 2**24, \
    "64 MiB" 2**26, "256 MiB" 2**28, "1 GiB" 2**30)
set xlabel "bytes copied"
set ylabel "GB/s, read and written"

if (gb_dumb) {
    set title gb_title . "\n" . gb_subtitle
} else {
    set tmargin at screen gb_top
    set bmargin at screen 78.0/gb_high
    set key outside right center Left reverse samplen 2.6 spacing 1.3 font ",10"
}

# A byte copied is one read and one written.
gb_limit_curve = gb_limit[1] eq "" ? "" : \
    "gb_limit[1] using 1:(2*$2/1e9) with lines lt 31 title gb_limit_label, "
gb_columns_of_a_curve = gb_dumb ? "($1 > 0 ? $1 : NaN):(2*$2/1e9) with linespoints" : \
    "($1 > 0 ? $1 : NaN):(2*$2/1e9):(2*$3/1e9):(2*$4/1e9) with yerrorlines"
eval "plot " . gb_limit_curve . "for [s=gb_first[1]:gb_last[1]] gb_file[s] using " . \
    gb_columns_of_a_curve . " lt gb_style[s] title gb_label[s]"
