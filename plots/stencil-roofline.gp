# Roofline at the largest x: flops a byte against GFlop/s, what the measured memory bandwidth and the data sheet's peak
# allow, and where the variants stand. A cell takes 12 radius + 1 flops and, at least, a read and a write of 4 bytes for
# all the steps that are fused.
#
# gpubench: title Roofline of the star stencils
# gpubench: x radius
# gpubench: largest x
# gpubench: best block steps
# gpubench: where y=256 z=256 fused=1
# gpubench: scale-by flop/s radius 1=13 2=25 3=37 4=49
# gpubench: gpus gpus.csv
# gpubench: variant base BASE
# gpubench: variant csl CSL
# gpubench: variant comp COMP
# gpubench: variant z-loop-registers-csl z-loop, registers, CSL
# gpubench: variant planes planes
# gpubench: variant tma TMA
# gpubench: variant temporal[fused=2] temporal, 2 steps
# gpubench: variant temporal[fused=3] temporal, 3 steps
# gpubench: variant temporal[fused=4] temporal, 4 steps
# gpubench: listed-only
# gpubench: needs planes
# gpubench: limit

load ARG1
gb_wide = 900
gb_high = 520
load gb_common

gb_bytes = 8.0
gb_fused(s) = gb_at[s][1:6] eq "fused=" ? int(gb_at[s][7:*]) : 1
gb_intensity(radius, fused) = (12*radius + 1)/gb_bytes*fused

# The roof: limits are proportional to the intensity, so any of their points gives the bandwidth.
gb_memory = 0.0
if (gb_limit[1] ne "") {
    stats gb_limit[1] using ($2/1e9/gb_intensity($1, 1)) nooutput
    gb_memory = STATS_max
}
gb_roof(i) = gb_memory*i
gb_flops = gb_peak[gb_first[1]]/1e9
gb_capped(i) = gb_flops > 0 && gb_roof(i) > gb_flops ? NaN : gb_roof(i)
gb_left_end = gb_intensity(gb_x_min, 1)/1.35
gb_right_end = gb_intensity(gb_x_max, 4)*1.35

set logscale xy 10
set xrange [gb_left_end : gb_right_end]
gb_highest = gb_flops > gb_rate_max/1e9 ? gb_flops : gb_rate_max/1e9
if (gb_memory > 0 && gb_roof(gb_right_end) < gb_highest) { gb_highest = gb_roof(gb_right_end) }
set yrange [gb_rate_min/1.5e9 : (gb_highest > gb_rate_max/1e9 ? gb_highest : gb_rate_max/1e9)*1.5]
set xlabel "flops a byte moved, at least"
set ylabel "GFlop/s"
eval gb_decades
set xtics (1, 2, 5, 10, 20, 50, 100)
set samples 300

if (gb_dumb) {
    set title gb_title . "\n" . gb_subtitle
} else {
    set tmargin at screen gb_top
    set bmargin at screen 88.0/gb_high
    set xtics font ",10"
    set ytics font ",10"
    set grid xtics
    set key outside right center Left reverse samplen 1.6 spacing 1.3 font ",10"
    set label 4 "Hollow points: both arrays fit in the L2. Vertical lines: one step at the radius named." . \
        (gb_flops > 0 ? " Peak: data sheet (plots/gpus.csv)." : "") . (gb_note eq "" ? "" : " ".gb_note)
    do for [i=1:words(gb_x_values)] {
        gb_at_x = gb_intensity(real(word(gb_x_values, i)), 1)
        set arrow 10+i from gb_at_x, graph 0 to gb_at_x, graph 1 nohead lc rgb "#D8D8D8" lw 0.8 back
        set label 10+i "r = ".word(gb_x_values, i) at gb_at_x, graph 0.03 left offset 0.3,0 font ",9" \
            textcolor rgb "#606060" noenhanced
    }
}
# Full shapes, for hollow ones have a meaning: fused steps are black.
set linetype 7 lc rgb "#000000" lw 1.4 dt (3,3) pt 7
set linetype 8 lc rgb "#000000" lw 1.4 dt (8,3) pt 5
set linetype 9 lc rgb "#000000" lw 1.4 dt (8,3,2,3) pt 9
gb_mark(s) = (s - gb_first[1]) % 9 + 1
gb_open(t) = word("6 4 8 10 12 14 6 4 8", t) + 0

plot (gb_memory > 0 ? gb_capped(x) : NaN) with lines lt 31 \
         title (gb_memory > 0 ? sprintf("measured copy, %.2f TB/s", gb_memory/1e3) : ""), \
     (gb_flops > 0 ? gb_flops : NaN) with lines lt 31 dt (2,3) \
         title (gb_flops > 0 ? sprintf("single precision, %.0f TFlop/s", gb_flops/1e3) : ""), \
     for [s=gb_first[1]:gb_last[1]] gb_file[s] using (gb_intensity($1, gb_fused(s))):($9 == 0 ? $2/1e9 : NaN) \
         with linespoints lt gb_mark(s) lw 0.9 ps 1.0 title gb_label[s], \
     for [s=gb_first[1]:gb_last[1]] gb_file[s] using (gb_intensity($1, gb_fused(s))):($9 == 1 ? $2/1e9 : NaN) \
         with points lt gb_mark(s) pt gb_open(gb_mark(s)) ps 1.0 notitle
