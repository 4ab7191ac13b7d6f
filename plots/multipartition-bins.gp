# Throughput over the number of bins at the largest n: every variant measured, the paper's curve,
# and what the memory bandwidth allows.
#
# gpubench: title Partitioning 32-bit keys into contiguous bins
# gpubench: x bins
# gpubench: largest n
# gpubench: where dist=uniform function=range payload=none type=u32
# gpubench: paper multipartition-table1.csv
# gpubench: variant multipartition Multipartition
# gpubench: variant multisplit GPU multisplit
# gpubench: limit

load ARG1
gb_wide = 900
gb_high = 500
load gb_common

set logscale x 2
set logscale y 10
set xrange [gb_x_min/1.08 : gb_x_max*1.08]
eval "set xtics (" . gb_x_tics_log . ")"
set xlabel "bins"
set ylabel "throughput in 10⁹ keys/s"
eval gb_decades

# From below the slowest to above the limit.
set yrange [gb_rate_min/1.4e9 : *]

if (gb_dumb) {
    set title gb_title . "\n" . gb_subtitle
} else {
    set tmargin at screen gb_top
    set bmargin at screen 88.0/gb_high
    set xtics rotate by 45 right font ",9.5"
    set ytics font ",10"
    set key outside right center Left reverse samplen 2.6 spacing 1.3 font ",10"
}

# Without a measured limit (on the simt device) its curve and its key are left out.
gb_limit_curve = gb_limit[1] eq "" ? "" : \
    "gb_limit[1] using 1:($2/1e9) with lines lt 31 title gb_limit_label, "
gb_columns_of_a_curve = gb_dumb ? "1:($2/1e9) with linespoints" : \
    "1:($2/1e9):($3/1e9):($4/1e9) with yerrorlines"
eval "plot " . gb_limit_curve . "for [s=gb_first[1]:gb_last[1]] gb_file[s] using " . \
    gb_columns_of_a_curve . " lt gb_style[s] title gb_label[s], gb_file[gb_first[1]] using " . \
    gb_columns_of_a_curve . " lt gb_style[gb_first[1]] notitle" # again, above what coincides
