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
# gpubench: assumed a cell counts as 2 · points - 1 flops
# gpubench: gpus gpus.csv
# gpubench: variant base BASE
# gpubench: variant csl CSL
# gpubench: variant comp COMP
# gpubench: variant z-loop-registers-csl z-loop, registers, CSL
# gpubench: variant tma TMA
# gpubench: variant temporal[fused=2] temporal, 2 steps
# gpubench: variant temporal[fused=3] temporal, 3 steps
# gpubench: leaves cpu*: under another roof
# gpubench: leaves copy: is the roof
# gpubench: leaves *-as-printed: stencil-blocks-printed has them
# gpubench: leaves z-loop z-loop-registers planes async-copy: stencil-variants has them
# gpubench: needs planes
# gpubench: limit

load ARG1
gb_bytes = 8.0
gb_fused(s) = gb_at[s][1:6] eq "fused=" ? int(gb_at[s][7:*]) : 1
gb_intensity(radius, fused) = (12*radius + 1)/gb_bytes*fused

# The roof of each device: limits are proportional to the intensity, so any of their points gives the bandwidth.
array gb_memory[gb_panels]
array gb_flops[gb_panels]
gb_more = 0
gb_limit_label = ""
do for [p=1:gb_panels] {
    gb_memory[p] = 0.0
    gb_flops[p] = gb_peak[gb_first[p]]/1e9
    if (gb_limit[p] ne "") {
        stats gb_limit[p] using ($2/1e9/gb_intensity($1, 1)) nooutput
        gb_memory[p] = STATS_max
        gb_limit_label = gb_panels > 1 ? "measured copy" : sprintf("measured copy, %.2f TB/s", gb_memory[p]/1e3)
    }
    if (gb_flops[p] > 0) { gb_more = 1 }
}
gb_roof(p, i) = gb_memory[p]*i
gb_capped(p, i) = gb_memory[p] == 0 || (gb_flops[p] > 0 && gb_roof(p, i) > gb_flops[p]) ? NaN : gb_roof(p, i)
array gb_more_text[1] = [gb_panels > 1 ? "single precision" : sprintf("single precision, %.0f TFlop/s", gb_flops[1]/1e3)]
array gb_more_type[1] = [32]
gb_xlabel = "flops a byte moved, at least"
gb_ylabel = "GFlop/s"
gb_remark = (gb_resident ? "Open points: both arrays fit in the L2. " : "") . "Vertical lines: one step at the radius named." . \
    (gb_more ? " Peak: data sheet (results/published/gpus.csv)." : "")
gb_panel_ratio = gb_print_wide > 300 ? 0.5 : 0.8
gb_left = gb_print_wide > 0 ? 48.0 : 84.0
gb_own_x = gb_panels > 1
load gb_common

gb_x_log = 1
gb_x_lo = gb_intensity(gb_x_min, 1)/1.35
gb_x_hi = gb_intensity(gb_x_max, 4)*1.35
set logscale x 10
set xrange [gb_x_lo : gb_x_hi]
gb_tics = "'1' 1, '2' 2, '5' 5, '10' 10, '20' 20, '50' 50, '100' 100"
gb_highest = gb_rate_max/1e9
do for [p=1:gb_panels] {
    gb_top = gb_memory[p] > 0 && gb_roof(p, gb_x_hi) < gb_flops[p] ? gb_roof(p, gb_x_hi) : gb_flops[p]
    gb_highest = gb_larger(gb_highest, gb_top)
}
gb_y_lo = gb_rate_min/1.5e9
gb_y_hi = gb_highest*1.5
eval gb_log_y
set samples 300
if (!gb_dumb) {
    do for [i=1:words(gb_x_values)] {
        gb_where = gb_intensity(real(word(gb_x_values, i)), 1)
        set arrow 10+i from gb_where, graph 0 to gb_where, graph 1 nohead lc rgb "#B8B8B8" lw 0.8 dt 1 back
        set label 10+i "r = ".word(gb_x_values, i) at gb_where, graph (gb_column && i % 2 == 0 ? 0.1 : 0.03) left offset 0.3,0 font gb_small_font \
            textcolor rgb "#505050" noenhanced
    }
}

gb_plot = 'plot gb_capped(p, x) with lines lt 31 title gb_limit_label, ' \
    . '(gb_flops[p] > 0 ? gb_flops[p] : NaN) with lines lt 32 title "single precision", ' \
    . gb_halos("gb_first[p]", "gb_last[p]", "(gb_intensity($1, gb_fused(s)))", "($2/1e9)") \
    . 'for [s=gb_first[p]:gb_last[p]] gb_file[s] using (gb_intensity($1, gb_fused(s))):($2/1e9) ' \
    . 'with linespoints lt gb_style[s] title gb_label[s], ' \
    . 'for [s=gb_first[p]:gb_last[p]] gb_file[s] using (gb_intensity($1, gb_fused(s))):($9 == 1 ? $2/1e9 : NaN) ' \
    . 'with points pt 7 ps 0.42 lc rgb "white" notitle'
eval gb_draw
