# Generations of GPUs: the fastest of the paper's three kernels by radius, as published for K80 and P100 and as measured;
# the same over each GPU's memory bandwidth; and how CSL and COMP fare against BASE where they were measured.
#
# gpubench: title The paper's kernels from Kepler on
# gpubench: x radius
# gpubench: best block x
# gpubench: no-cache-resident
# gpubench: where y=256 z=256 fused=1
# gpubench: scale-by flop/s radius 1=13 2=25 3=37 4=49
# gpubench: paper stencil-figure3.csv
# gpubench: gpus gpus.csv
# gpubench: variant base BASE
# gpubench: variant csl CSL
# gpubench: variant comp COMP
# gpubench: variant best fastest of the three
# gpubench: listed-only
# gpubench: needs base[block=32x1x1]

load ARG1
gb_wide = 1000
gb_high = 440
load gb_common

set xrange [gb_x_min-0.35 : gb_x_max+0.35]
eval "set xtics (" . gb_x_tics . ")"
set xlabel "radius" font ",11" offset 0,0.4

# The devices, a paper's first; of a measured one its series by kernel.
gb_count = 0
array gb_name[gb_last[1]+1]
array gb_of_best[gb_last[1]+1]
array gb_of_base[gb_last[1]+1]
array gb_of_csl[gb_last[1]+1]
array gb_of_comp[gb_last[1]+1]
array gb_bytes[gb_last[1]+1]
# One more than there are: a loop over no measured device looks at it.
do for [d=1:gb_last[1]+1] {
    gb_name[d] = ""
    gb_of_best[d] = 0
    gb_of_base[d] = 0
    gb_of_csl[d] = 0
    gb_of_comp[d] = 0
}
do for [s=gb_last[1]:gb_first[1]:-1] {
    gb_found = 0
    do for [d=1:gb_count] { if (gb_name[d] eq gb_device[s]) { gb_found = d } }
    if (gb_found == 0) {
        gb_count = gb_count + 1
        gb_found = gb_count
        gb_name[gb_found] = gb_device[s]
        gb_bytes[gb_found] = gb_bandwidth[s]
    }
    if (gb_variant[s] eq "best") { gb_of_best[gb_found] = s }
    if (gb_variant[s] eq "base") { gb_of_base[gb_found] = s }
    if (gb_variant[s] eq "csl") { gb_of_csl[gb_found] = s }
    if (gb_variant[s] eq "comp") { gb_of_comp[gb_found] = s }
}

# GFlop/s of a series at a radius; 0: none.
gb_sought = 0.0
gb_radii = words(gb_x_values)
array gb_value[gb_last[1]*gb_radii]
do for [s=gb_first[1]:gb_last[1]] {
    do for [i=1:gb_radii] {
        gb_sought = real(word(gb_x_values, i))
        stats gb_file[s] using ($1 == gb_sought ? $2/1e9 : NaN) nooutput
        gb_value[(s-1)*gb_radii+i] = STATS_records > 0 ? STATS_max : 0
    }
}
gb_at_radius(s, i) = s > 0 ? gb_value[(s-1)*gb_radii+i] : 0
gb_larger(a, b) = a > b ? a : b
gb_fastest(d, i) = gb_of_best[d] > 0 ? gb_at_radius(gb_of_best[d], i) : \
    gb_larger(gb_at_radius(gb_of_base[d], i), \
        gb_larger(gb_at_radius(gb_of_csl[d], i), gb_at_radius(gb_of_comp[d], i)))
gb_known(v) = v > 0 ? v : NaN
gb_rate_of(d, i) = gb_known(gb_fastest(d, i))
gb_per_byte(d, i) = gb_bytes[d] > 0 ? gb_rate_of(d, i)/(gb_bytes[d]/1e9) : NaN
gb_over_base(s, d, i) = gb_at_radius(gb_of_base[d], i) > 0 ? \
    gb_known(gb_at_radius(s, i))/gb_at_radius(gb_of_base[d], i) : NaN
# How much faster than the next slower device, and where that stands.
gb_below(d, i) = (gb_b = 0, gb_v = gb_fastest(d, i), \
    sum [e=1:gb_count] (gb_fastest(e, i) < gb_v && gb_fastest(e, i) > gb_b ? (gb_b = gb_fastest(e, i), 0) : 0), gb_b)
gb_gain(d, i) = gb_rate_of(d, i)/gb_known(gb_below(d, i))
gb_between(d, i) = exp(0.5*log(gb_rate_of(d, i)*gb_known(gb_below(d, i))))
gb_radius(i) = real(word(gb_x_values, i))
# A paper's devices in grey with open points.
gb_is_paper(d) = gb_of_best[d] > 0
gb_papers = 0
do for [d=1:gb_count] { gb_papers = gb_papers + gb_is_paper(d) }
gb_line(d) = gb_is_paper(d) ? 20+d : d-gb_papers

gb_bandwidths = 0
do for [d=1:gb_count] { gb_bandwidths = gb_bandwidths + (gb_bytes[d] > 0) }

set samples gb_radii
if (gb_dumb) {
    set title gb_title . "\n" . gb_subtitle
    set ylabel "GFlop/s"
    set logscale y 10
    eval gb_decades
    plot for [d=1:gb_count] [i=1:gb_radii] '+' using (gb_radius(int($1+0.5))):(gb_rate_of(d, int($1+0.5))) \
             with linespoints lt gb_line(d) title gb_name[d]
} else {
    set label 4 "Best block and x of each kernel and radius, but where both arrays fit in the L2; as published: of the " \
        . "three kernels over all x, blocks of 32x1x1." \
        at screen 14.0/gb_wide, screen 24.0/gb_high left font gb_family.",8.5" textcolor rgb "#707070" noenhanced
    set label 5 "Bandwidths are those of data sheets (plots/gpus.csv); K80 is one of the two GPUs on its board. ".gb_note \
        at screen 14.0/gb_wide, screen 11.0/gb_high left font gb_family.",8.5" textcolor rgb "#707070" noenhanced
    set multiplot
    set tmargin at screen 1.0-112.0/gb_high
    set bmargin at screen 92.0/gb_high
    set tics font ",10"
    gb_left(c) = (66.0 + c*316.0)/gb_wide
    gb_right(c) = (66.0 + c*316.0 + 240.0)/gb_wide

    set lmargin at screen gb_left(0)
    set rmargin at screen gb_right(0)
    set label 3 gb_bold("fastest of the three, GFlop/s") at graph 0.0, graph 1.12 left \
        font gb_bold_family.",11" @gb_markup
    set logscale y 10
    eval gb_decades
    set yrange [gb_rate_min/1.7e9 : gb_rate_max*1.6e-9]
    unset key
    # Each line has the name of its device at its end.
    set xrange [gb_x_min-0.35 : gb_x_max+1.0]
    gb_short(name) = strstrt(name, " (paper)") > 0 ? name[1:strstrt(name, " (paper)")-1] : name
    do for [d=1:gb_count] {
        set label 100+d gb_short(gb_name[d]) at first gb_radius(gb_radii)+0.22, first gb_rate_of(d, gb_radii) \
            left font ",9.5" textcolor rgb (gb_is_paper(d) ? "#606060" : "#202020") noenhanced
    }
    plot for [d=1:gb_count] '+' using (gb_radius(int($0)+1)):(gb_rate_of(d, int($0)+1)) \
             with linespoints lt gb_line(d) notitle, \
         for [d=1:gb_count] '+' using (gb_radius(int($0)+1)):(gb_rate_of(d, int($0)+1)): \
             (sprintf("%.4g", gb_rate_of(d, int($0)+1))) with labels center offset 0,-0.8 font ",8.5" \
             textcolor rgb "#505050" notitle, \
         for [d=1:gb_count] '+' using (gb_radius(int($0)+1)):(gb_between(d, int($0)+1)): \
             (sprintf("× %.1f", gb_gain(d, int($0)+1))) with labels center font gb_family.",8.5" \
             textcolor rgb "#0072B2" notitle

    unset label 1
    unset label 2
    unset label 4
    unset label 5
    do for [d=1:gb_count] { unset label 100+d }
    set xrange [gb_x_min-0.35 : gb_x_max+0.35]
    set lmargin at screen gb_left(1)
    set rmargin at screen gb_right(1)
    set label 3 gb_bold("per memory bandwidth, Flop/byte") at graph 0.0, graph 1.12 left \
        font gb_bold_family.",11" @gb_markup
    unset logscale y
    set ytics auto font ",10"
    if (gb_bandwidths > 0) { set yrange [0 : *] } else { set yrange [0 : 1] }
    set key at graph 0.02, graph 1.06 left top Left reverse samplen 2 spacing 1.1 font ",9.5"
    # Without any bandwidth an empty panel says so.
    set label 6 (gb_bandwidths > 0 ? "" : "no data sheet names a bandwidth") at graph 0.5, graph 0.5 center \
        font ",9" textcolor rgb "#606060" noenhanced
    plot for [d=1:gb_count] '+' using (gb_radius(int($0)+1)):(gb_bandwidths > 0 ? gb_per_byte(d, int($0)+1) : 0) \
             with linespoints lt gb_line(d) lw (gb_bandwidths > 0 ? 1.4 : 0) ps (gb_bandwidths > 0 ? 0.7 : 0) \
             title (gb_bandwidths > 0 ? gb_name[d] : "")
    unset label 6

    set lmargin at screen gb_left(2)
    set rmargin at screen gb_right(2)
    set label 3 gb_bold("CSL and COMP over BASE") at graph 0.0, graph 1.12 left \
        font gb_bold_family.",11" @gb_markup
    set yrange [0 : 1.2 < *]
    set key at graph 0.02, graph 0.02 left bottom Left reverse samplen 2 spacing 1.1 font ",9.5"
    set label 6 "As published:" at graph 0.04, graph 0.49 left font ",8.5" textcolor rgb "#606060" noenhanced
    set label 7 "K80: CSL far above BASE, mostly fastest" at graph 0.04, graph 0.43 left font ",8.5" \
        textcolor rgb "#606060" noenhanced
    set label 8 "P100: CSL as BASE, COMP mostly fastest" at graph 0.04, graph 0.37 left font ",8.5" \
        textcolor rgb "#606060" noenhanced
    plot 1 with lines lt 31 title "BASE", \
         for [d=gb_papers+1:gb_count] '+' using (gb_radius(int($0)+1)):(gb_over_base(gb_of_csl[d], d, int($0)+1)) \
             with linespoints lt 2 pt 5+(d-gb_papers-1) title "CSL, ".gb_name[d], \
         for [d=gb_papers+1:gb_count] '+' using (gb_radius(int($0)+1)):(gb_over_base(gb_of_comp[d], d, int($0)+1)) \
             with linespoints lt 3 pt 9+(d-gb_papers-1) title "COMP, ".gb_name[d]
    unset multiplot
}
