# The figure of results for which there is no script: rates, or times where nothing has a rate, over the first axis
# that varies, a panel for each value of the next. Names and few values have bars, or points where some are far above
# others.
#
# gpubench: default
# gpubench: limit

load ARG1
# Rates in the thousands that leave the highest at one to three digits.
gb_of_rates = gb_rated && gb_rate_max > 0
gb_power = gb_of_rates ? 3*int(floor(log10(gb_rate_max)/3.0)) : 0
if (gb_power < 0) { gb_power = 0 }
if (gb_power > 12) { gb_power = 12 }
gb_few = 0 # few values are categories
gb_ylabel = (gb_power > 0 ? word("10³ 10⁶ 10⁹ 10¹²", gb_power/3) . " " : "") . gb_unit . "/s"
gb_bars = gb_of_rates ? 1 : 2
gb_lowest = gb_of_rates ? gb_rate_min : gb_time_min
gb_highest = gb_of_rates ? gb_rate_max : gb_time_max
gb_is_wide = gb_lowest > 0 && gb_highest > (gb_x_is_named ? 30 : 8)*gb_lowest

gb_xlabel = gb_x_axis
gb_across_column = 1
gb_named = gb_panels > 1
# More bars than these would be lines without a colour.
gb_crowded = gb_x_max*(gb_last[1] - gb_first[1] + 1)*(gb_panels > 3 ? 3 : gb_panels) > 120
gb_boxed = gb_x_is_named && !gb_is_wide && !gb_crowded && gb_format ne "dumb"
gb_shape = gb_boxed ? "box" : gb_x_is_named ? "point" : "both"
# A limit that is far away would press the curves together.
gb_has_limit = gb_of_rates && !gb_x_is_named && gb_limit_max > 0 && gb_limit_max < 5*gb_highest
if (!gb_has_limit) { gb_limit_label = "" }
if (gb_x_is_named) {
    gb_letters = 0
    do for [i=1:words(gb_x_values)] { gb_letters = gb_letters + strlen(gb_x_name[i]) + 2 }
    gb_turned = gb_letters > (gb_print_wide > 0 ? 28 : 90)/(gb_panels > 2 ? 3 : gb_panels)
}
load gb_common
if (!gb_of_rates) { gb_ylabel = "time in " . gb_time_unit }
gb_scale = gb_of_rates ? 10.0**-gb_power : gb_time_scale

# ---- x -----------------------------------------------------------------------------------------
gb_whole = 1
do for [i=1:words(gb_x_values)] { gb_v = real(word(gb_x_values, i)); gb_whole = gb_whole && gb_v == floor(gb_v) }
if (gb_x_is_named) {
    gb_tics = gb_x_tics
    do for [i=1:words(gb_x_values)] { gb_tics_bare = gb_tics_bare . sprintf("%s'' %d", i > 1 ? ", " : "", i) }
    set xrange [0.4 : gb_x_max + 0.6]
} else {
    if (gb_x_min > 0 && gb_x_max >= 16*gb_x_min) { eval gb_log_x } else {
        gb_x_pad = 0.03*(gb_x_max - gb_x_min)
        eval gb_linear_x
    }
    if (gb_whole) { eval gb_tics_at_sizes }
}

# ---- y -----------------------------------------------------------------------------------------
gb_top = gb_has_limit ? gb_larger(gb_highest, gb_limit_max) : gb_highest
gb_y_lo = 0.7*gb_lowest*gb_scale
gb_y_hi = (gb_is_wide ? 1.4 : 1.08)*gb_top*gb_scale
if (gb_is_wide) { eval gb_log_y } else { eval gb_linear_y }

# ---- series ------------------------------------------------------------------------------------
gb_value = gb_of_rates ? "($2*gb_scale)" : "($5*gb_scale)"
gb_bounds = gb_of_rates ? ":(gb_bound(3,2)*gb_scale):(gb_bound(4,2)*gb_scale)" : ":(gb_bound(6,5)*gb_scale):(gb_bound(7,5)*gb_scale)"
# Names side by side, in the order of the key.
gb_along = gb_x_is_named && !gb_dumb ? "(gb_at_slot($1, gb_style[s])):" : "1:"
gb_curve = gb_along . gb_value . (gb_dumb ? " with " . (gb_x_is_named ? "points" : "linespoints") : \
    gb_bounds . " with " . (gb_x_is_named ? "yerrorbars" : "yerrorlines"))
gb_limit_file(p) = gb_limit[p] eq "" ? gb_file[gb_first[p]] : gb_limit[p]
gb_drawn_limit = !gb_has_limit ? "" : \
    'gb_limit_file(p) using 1:(gb_limit[p] eq "" ? NaN : $2*gb_scale) with lines lt 31 title gb_limit_label, '
gb_plot = gb_boxed ? 'plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using ' . gb_along . gb_value . gb_bounds . ':(gb_bar*0.92) ' \
    . gb_error_boxes . ' title gb_label[s]' . gb_with_gaps("$1") : \
    "plot " . gb_drawn_limit . (gb_x_is_named ? "" : gb_halos("gb_first[p]", "gb_last[p]", "1", gb_value)) . gb_curves(gb_curve)
eval gb_draw
