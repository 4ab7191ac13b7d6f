# Efficiency over the number of GPUs (gpubench scaling --plot): a panel a point, what was measured with its intervals;
# open and dashed what a model projects, and the ends of that.
#
# gpubench: title Efficiency over GPUs: measured, and projected (experimental)
# gpubench: dump scaling
# gpubench: panels at

load ARG1
set datafile missing "?"
gb_xlabel = "GPUs"
gb_ylabel = "efficiency"
gb_named = gb_panels > 1
array gb_cell_name[gb_panels]
do for [p=1:gb_panels] { gb_cell_name[p] = gb_panel_value[p] }
gb_highest = 1.0
gb_x_max = 2
gb_any_limits = 0
gb_any_projected = 0
do for [s=1:gb_last[gb_panels]] {
    stats gb_file[s] using (column("efficiency")) name "E" nooutput
    stats gb_file[s] using (column("gpus")) name "G" nooutput
    stats gb_file[s] using (valid(6) ? 1 : 0) name "L" nooutput
    stats gb_file[s] using (column("kind") == 1) name "K" nooutput
    gb_highest = E_max > gb_highest ? E_max : gb_highest
    gb_x_max = G_max > gb_x_max ? G_max : gb_x_max
    gb_any_limits = L_max > 0 || gb_any_limits
    gb_any_projected = K_max > 0 || gb_any_projected
}
gb_x_min = 1
gb_x_values = ""
do for [i=0:16] { if (2**i <= gb_x_max) { gb_x_values = gb_x_values . (i ? " " : "") . sprintf("%d", 2**i) } }
gb_x_is_named = 0
gb_more = 1 + (gb_any_projected > 0) + (gb_any_limits > 0)
array gb_more_text[3]
array gb_more_type[3]
gb_more_text[1] = "as one GPU"
gb_more_type[1] = 31
gb_more_text[2] = gb_any_projected ? "projected: open, dashed" : "what memory and links allow"
gb_more_type[2] = gb_any_projected ? 26 : 32
gb_more_text[3] = "what memory and links allow"
gb_more_type[3] = 32
gb_remark = "Beside what does the same alone on one GPU. Error bars: 95 % confidence intervals of what was measured" \
    . (gb_any_projected ? "; of what is projected, which nobody measured, as far either way as the model was off at the most GPUs that were measured, by a factor or by as many seconds" : "") \
    . (gb_any_limits ? ". What memory and links allow is not seen where it lies above the figure" : "") . "."
load gb_common

gb_x_pad = 1.2
eval gb_log_x
eval gb_tics_at_sizes
gb_y_hi = 1.15*gb_highest
eval gb_linear_y

gb_open_shapes = "6 4 8 10 12 14 2"
gb_shape_of(s) = int(word(gb_open_shapes, gb_style[s] > 7 ? 7 : gb_style[s]))
gb_plot = 'plot 1 with lines lt 31 notitle, ' \
    . 'for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:6 with lines lt 32 notitle, ' \
    . 'for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:(int($2) > 0 ? $3 : NaN) with lines lc rgb gb_hue(s) lw 1.0 dt (4,4) notitle, ' \
    . 'for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:(int($2) == 1 ? $3 : NaN):4:5 with ' . (gb_dumb ? 'points' : 'yerrorbars') \
    . ' lc rgb gb_hue(s) lw 1.0 pt gb_shape_of(s) ps 0.8 notitle, ' \
    . 'for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:(int($2) == 0 ? $3 : NaN)' . (gb_dumb ? ' with linespoints' : ':4:5 with yerrorlines') \
    . ' lt gb_style[s] title gb_label[s]'
gb_hue(s) = int("0x" . word(gb_hues, gb_style[s]))
eval gb_draw
