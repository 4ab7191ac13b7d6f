# Generations of GPUs: the fastest of the paper's three kernels by radius, as published for K80 and P100 and as measured,
# as printed and made well; the same over each GPU's memory bandwidth; and how CSL and COMP fare against BASE where they
# were measured.
#
# gpubench: title The paper's kernels from Kepler on
# gpubench: x radius
# gpubench: best block x
# gpubench: no-cache-resident
# gpubench: where y=256 z=256 fused=1
# gpubench: scale-by flop/s radius 1=13 2=25 3=37 4=49
# gpubench: assumed a cell counts as 2 · points - 1 flops
# gpubench: paper stencil-figure3.csv
# gpubench: gpus gpus.csv
# gpubench: many of each three kernels only the fastest is drawn
# gpubench: variant base-as-printed[block=32x1x1] BASE, as printed
# gpubench: variant csl-as-printed[block=32x1x1] CSL, as printed
# gpubench: variant comp-as-printed[block=32x1x1] COMP, as printed
# gpubench: variant base[block=32x1x1] BASE, block 32x1x1
# gpubench: variant csl[block=32x1x1] CSL, block 32x1x1
# gpubench: variant comp[block=32x1x1] COMP, block 32x1x1
# gpubench: variant base BASE
# gpubench: variant csl CSL
# gpubench: variant comp COMP
# gpubench: variant best fastest of the three
# gpubench: leaves *: the paper's three kernels alone
# gpubench: only stencil
# gpubench: devices-together
# gpubench: several-x 3

load ARG1
# A group is what is compared: a paper's device, or on a measured one the three kernels as printed or made well. Results
# from before there were kernels as printed have those made well in the paper's block instead.
gb_as_printed(s) = strstrt(gb_variant[s], "-as-printed") > 0
gb_kernel(s) = gb_variant[s][1:4] eq "base" ? 1 : gb_variant[s][1:3] eq "csl" ? 2 : gb_variant[s][1:4] eq "comp" ? 3 : 4
gb_any_printed = 0
do for [s=gb_first[1]:gb_last[1]] { gb_any_printed = gb_any_printed || gb_as_printed(s) }
gb_group_name(s) = gb_published[s] ? gb_device[s] : gb_as_printed(s) ? gb_device[s] . ", as printed, 32x1x1" : \
    gb_at[s] ne "" ? gb_device[s] . ", 32x1x1" : gb_device[s] . ", best block"
gb_several = 0
do for [s=gb_first[1]:gb_last[1]] { if (!gb_published[s] && gb_device[s] ne gb_device[gb_first[1]]) { gb_several = 1 } }
# Of several devices what was made well alone, in the best block.
gb_counts(s) = gb_published[s] || gb_at[s] eq "" || (!gb_several && (gb_as_printed(s) || !gb_any_printed))

gb_groups = 0
gb_papers = 0
array gb_group[gb_last[1]+1]
array gb_paper[gb_last[1]+1]
array gb_bytes[gb_last[1]+1]
# One more than there are, for a loop over none of them looks at it.
array gb_series[4*gb_last[1]+4]
do for [i=1:4*gb_last[1]+4] { gb_series[i] = 0 }
gb_group[gb_last[1]+1] = ""
gb_paper[gb_last[1]+1] = 0
gb_bytes[gb_last[1]+1] = 0
# The papers' are last among the series, and first here.
do for [gb_published_now=1:0:-1] { do for [s=gb_first[1]:gb_last[1]] {
    if (gb_counts(s) && gb_published[s] == gb_published_now) {
        gb_found = 0
        do for [g=1:gb_groups] { if (gb_group[g] eq gb_group_name(s)) { gb_found = g } }
        if (gb_found == 0) {
            gb_groups = gb_groups + 1
            gb_found = gb_groups
            gb_group[gb_found] = gb_group_name(s)
            gb_paper[gb_found] = gb_published[s]
            gb_papers = gb_papers + gb_published[s]
            gb_bytes[gb_found] = gb_bandwidth[s]
        }
        gb_series[4*(gb_found-1) + gb_kernel(s)] = s
    }
} }

# GFlop/s of a series at a radius; 0: none.
gb_sought = 0.0
gb_radii = words(gb_x_values)
array gb_rates[gb_last[1]*gb_radii]
do for [s=gb_first[1]:gb_last[1]] {
    do for [i=1:gb_radii] {
        gb_sought = real(word(gb_x_values, i))
        stats gb_file[s] using ($1 == gb_sought ? $2/1e9 : NaN) nooutput
        gb_rates[(s-1)*gb_radii+i] = STATS_records > 0 ? STATS_max : 0
    }
}
gb_at_radius(s, i) = s > 0 ? gb_rates[(s-1)*gb_radii+i] : 0
gb_of(g, k) = gb_series[4*(g-1)+k]
gb_more_of(a, b) = a > b ? a : b
gb_fastest(g, i) = gb_more_of(gb_more_of(gb_at_radius(gb_of(g, 1), i), gb_at_radius(gb_of(g, 2), i)), \
    gb_more_of(gb_at_radius(gb_of(g, 3), i), gb_at_radius(gb_of(g, 4), i)))
gb_known(v) = v > 0 ? v : NaN
gb_rate_of(g, i) = gb_known(gb_fastest(g, i))
gb_per_byte(g, i) = gb_bytes[g] > 0 ? gb_rate_of(g, i)/(gb_bytes[g]/1e9) : NaN
gb_over_base(g, k, i) = gb_at_radius(gb_of(g, 1), i) > 0 ? \
    gb_known(gb_at_radius(gb_of(g, k), i))/gb_at_radius(gb_of(g, 1), i) : NaN
# How much faster than the next slower group, and where that stands.
gb_slower(g, i) = (gb_b = 0, gb_v = gb_fastest(g, i), \
    sum [e=1:gb_groups] (gb_fastest(e, i) < gb_v && gb_fastest(e, i) > gb_b ? (gb_b = gb_fastest(e, i), 0) : 0), gb_b)
gb_gain(g, i) = gb_rate_of(g, i)/gb_known(gb_slower(g, i))
gb_between_them(g, i) = exp(0.5*log(gb_rate_of(g, i)*gb_known(gb_slower(g, i))))
gb_radius(i) = real(word(gb_x_values, i))
gb_line(g) = gb_paper[g] ? 20 + g : g - gb_papers
# Of several devices the faster of CSL and COMP, in the device's own line.
gb_ratio_line(g, k) = gb_several ? gb_line(g) : gb_groups - gb_papers + 2*(g - gb_papers - 1) + k - 1
gb_ratio(g, k, i) = !gb_several ? gb_over_base(g, k, i) : \
    gb_more_of(gb_at_radius(gb_of(g, 2), i), gb_at_radius(gb_of(g, 3), i)) == gb_at_radius(gb_of(g, k), i) ? gb_over_base(g, k, i) : NaN
gb_ratio_name(g, k) = gb_several ? gb_group[g] : (k == 2 ? "CSL" : "COMP") . ", " . gb_group[g]
# How many ratios are drawn above one.
gb_ratio_under(g, k) = gb_several ? gb_least_of(3, gb_groups - g) : gb_least_of(3, 2*(gb_groups - g) + 3 - k)
gb_least_of(a, b) = a < b ? a : b
gb_bandwidths = 0
gb_rates_low = 1e99
gb_rates_high = 0.0
gb_byte_high = 0.0
gb_ratio_high = 1.0
do for [g=1:gb_groups] { do for [i=1:gb_radii] {
    if (gb_fastest(g, i) > 0) {
        if (gb_fastest(g, i) < gb_rates_low) { gb_rates_low = gb_fastest(g, i) }
        gb_rates_high = gb_more_of(gb_rates_high, gb_fastest(g, i))
        if (gb_bytes[g] > 0) { gb_byte_high = gb_more_of(gb_byte_high, gb_per_byte(g, i)) }
    }
    do for [k=2:3] { if (gb_at_radius(gb_of(g, k), i) > 0 && gb_at_radius(gb_of(g, 1), i) > 0) {
        gb_ratio_high = gb_more_of(gb_ratio_high, gb_over_base(g, k, i)) } }
} }
gb_ratios = gb_groups > gb_papers
# A panel that would be empty is left out.
gb_shown = "1" . (gb_byte_high > 0 ? " 2" : "") . (gb_ratios ? " 3" : "")
gb_cells = gb_format eq "dumb" ? 1 : words(gb_shown)
gb_what(p) = word(gb_shown, p) + 0
gb_across = gb_cells
gb_across_column = 1
gb_wide = 1000
gb_panel_high = 270.0
gb_panel_ratio = gb_print_wide > 300 ? 1.25 : 0.55
gb_own_y = 1
gb_own_x = 1
gb_named = 0
array gb_cell_name[gb_cells]
do for [p=1:gb_cells] { gb_cell_name[p] = "" }
gb_own_key = 1
gb_keys = 0
array gb_key_text[8*gb_last[1]+1]
array gb_key_type[8*gb_last[1]+1]
array gb_key_shape[8*gb_last[1]+1]
array gb_key_under[8*gb_last[1]+1]
array gb_key_value[8*gb_last[1]+1]
do for [i=1:8*gb_last[1]+1] { gb_key_under[i] = 0 }
do for [g=1:gb_groups] {
    gb_keys = gb_keys + 1
    gb_key_text[gb_keys] = gb_group[g]
    gb_key_value[gb_keys] = 1e6*gb_fastest(g, gb_radii)
    gb_key_type[gb_keys] = gb_line(g)
    gb_key_shape[gb_keys] = "both"
}
if (!gb_several) { do for [g=gb_papers+1:gb_groups] { do for [k=2:3] {
    gb_keys = gb_keys + 1
    gb_key_under[gb_keys] = gb_ratio_under(g, k)
    gb_key_value[gb_keys] = gb_ratio(g, k, gb_radii)
    gb_key_text[gb_keys] = gb_ratio_name(g, k)
    gb_key_type[gb_keys] = gb_ratio_line(g, k)
    gb_key_shape[gb_keys] = "both"
} } }
if (gb_ratios) {
    gb_keys = gb_keys + 1
    gb_key_text[gb_keys] = "as fast as BASE"
    gb_key_value[gb_keys] = 1
    gb_key_type[gb_keys] = 31
    gb_key_shape[gb_keys] = "line"
}
gb_xlabel = "radius"
gb_ylabel = "GFlop/s"
gb_remark = (gb_several ? "Over BASE: the faster of CSL and COMP. " : "") . "GFlop/s: the fastest of the three kernels at their best x, but where both arrays fit in the L2. As published, of the " \
    . "three kernels over all x in blocks of 32x1x1: on the K80 CSL is far above BASE and mostly the fastest, on the P100 CSL is " \
    . "as BASE and COMP mostly the fastest. Bandwidths: data sheets (results/published/gpus.csv); K80 is one of the two GPUs on its board."
load gb_common

set samples gb_radii
gb_tics = gb_x_tics
gb_each = 'set xrange [gb_x_min-0.4 : gb_x_max+0.4]; unset logscale y; ' \
    . 'if (gb_what(p) == 1) { gb_ylabel = "GFlop/s"; gb_y_lo = gb_rates_low/1.7; gb_y_hi = gb_rates_high*1.6; eval gb_log_y }; ' \
    . 'if (gb_what(p) == 2) { gb_ylabel = "flops a byte of bandwidth"; gb_y_hi = 1.08*gb_byte_high; eval gb_linear_y }; ' \
    . 'if (gb_what(p) == 3) { gb_ylabel = "speed-up over BASE"; gb_y_hi = 1.2*gb_ratio_high; eval gb_linear_y }'
# Every panel has the same curves, of which those that are not its own have no point.
gb_here(p, what, value) = gb_what(p) == what ? value : NaN
gb_plot = 'plot (gb_what(p) == 3 ? 1 : NaN) with lines lt 31 title "as fast as BASE", ' \
    . 'for [g=1:gb_groups] "+" using (gb_radius(int($0)+1)):(gb_what(p) == 1 ? gb_rate_of(g, int($0)+1) : ' \
    . 'gb_here(p, 2, gb_per_byte(g, int($0)+1))) with linespoints lt gb_line(g) title gb_group[g], ' \
    . (gb_dumb ? '' : 'for [g=gb_papers+1:gb_groups] for [k=2:3] "+" using (gb_radius(int($0)+1)):' \
    . '(gb_here(p, 3, gb_ratio(g, k, int($0)+1))) with linespoints lc rgb gb_halo(gb_ratio_line(g, k)) ' \
    . 'lw gb_halo_wide(gb_ratio_under(g, k)) dt 1 pt 7 ps 0.1 title gb_ratio_name(g, k), ') \
    . 'for [g=gb_papers+1:gb_groups] for [k=2:3] "+" using (gb_radius(int($0)+1)):' \
    . '(gb_here(p, 3, gb_ratio(g, k, int($0)+1))) with linespoints lt gb_ratio_line(g, k) title gb_ratio_name(g, k)' \
    . (gb_dumb ? '' : ', for [g=1:(gb_several ? gb_papers : gb_groups)] "+" using (gb_radius(int($0)+1)):(gb_here(p, 1, gb_rate_of(g, int($0)+1))):' \
    . '(sprintf("%.4g", gb_rate_of(g, int($0)+1))) with labels center offset 0,(gb_paper[g] ? -0.8 : 0.75) ' \
    . 'font gb_small_font textcolor rgb "#303030" notitle') \
    . (gb_dumb || gb_column ? '' : ', for [g=1:gb_papers] "+" using (gb_radius(int($0)+1)):' \
    . '(gb_here(p, 1, gb_between_them(g, int($0)+1))):(sprintf("× %.1f", gb_gain(g, int($0)+1))) ' \
    . 'with labels center offset 0,-0.3 font gb_small_font textcolor rgb "#0072B2" notitle')
eval gb_draw
