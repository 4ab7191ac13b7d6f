# Draws a figure over generations of GPUs (the line `generations` of a script), from the variables of
# bench/plot/generations.h: devices along x in the order of their architectures; from the top the rate, the rate over the
# bandwidth of the memory and over the cycles of all multiprocessors, whichever the script asks for, and speed-ups.

# What panels there are: 1 rates, 2 over the bandwidth, 3 over the cycles, 4 speed-ups.
gb_shown = ""
do for [k=1:4] { if (gb_highest[k] > 0) { gb_shown = gb_shown . (gb_shown eq "" ? "" : " ") . sprintf("%d", k) } }
gb_ratios = gb_highest[4] > 0
gb_cells = words(gb_shown)
gb_what(p) = word(gb_shown, p) + 0
gb_devices = words(gb_x_values)
gb_across = 1
gb_across_column = 1
gb_own_x = 0
gb_own_y = 1
gb_named = 1
array gb_cell_name[gb_cells]
do for [p=1:gb_cells] { gb_cell_name[p] = "" }
gb_wide = gb_devices > 12 ? 900 : 760
gb_panel_high = gb_cells > 2 ? 165.0 : 205.0
gb_panel_ratio = gb_print_wide > 300 ? 0.26 : 0.5
gb_bars = gb_rate_bars ? 1 : gb_speedup_bars ? 3 : 0
gb_remark = gb_rate_bars && gb_speedup_bars ? "Speed-ups have the intervals of ratios." : ""
gb_shape = "point"
gb_xlabel = "device"
gb_ylabel = ""

# How wide a device is, in points; names that do not fit beside one another stand on end.
gb_room = (gb_print_wide > 0 ? gb_print_wide - 60.0 : gb_wide - 110.0)/gb_devices
gb_longest = 0
do for [i=1:gb_devices] { gb_longest = strlen(gb_x_name[i]) > gb_longest ? strlen(gb_x_name[i]) : gb_longest }
gb_letter = gb_print_wide > 0 ? 4.6 : 7.2
gb_turned = gb_longest*gb_letter > gb_room
# From which to which device an architecture goes; whether their names fit above the panels.
gb_bands = 0
array gb_band_name[gb_devices+1]
array gb_band_from[gb_devices+1]
array gb_band_to[gb_devices+1]
do for [i=1:gb_devices] {
    gb_name = gb_architecture[i]
    gb_is_next = gb_bands == 0
    if (!gb_is_next) { gb_is_next = gb_band_name[gb_bands] ne gb_name }
    if (gb_is_next) {
        gb_bands = gb_bands + 1
        gb_band_name[gb_bands] = gb_name
        gb_band_from[gb_bands] = i
    }
    gb_band_to[gb_bands] = i
}
gb_bands_fit = 1
do for [i=1:gb_bands] {
    if (strlen(gb_band_name[i])*gb_letter*0.95 > gb_room*(gb_band_to[i] - gb_band_from[i] + 1)) { gb_bands_fit = 0 }
}
if (!gb_bands_fit) { gb_turned = 1 }
# On a screen of characters there is no room for names: numbers, which the foot explains, and one letter a version. Else,
# where architectures do not fit above, they stand behind the names.
gb_legend = ""
gb_band = ""
gb_any_unmeasured = 0
do for [i=1:gb_devices] {
    gb_legend = gb_legend . (i == 1 ? "" : gb_architecture[i] eq gb_band ? ", " : "; ") \
        . (gb_architecture[i] eq gb_band ? "" : gb_architecture[i] eq "" ? "not known: " : gb_architecture[i] . ": ") \
        . sprintf("%d ", i) . gb_x_name[i] . (gb_measured[i] ? "" : "*")
    gb_any_unmeasured = gb_any_unmeasured || !gb_measured[i]
    gb_band = gb_architecture[i]
    if (gb_format eq "dumb") { gb_x_name[i] = sprintf("%d", i) } else {
        if (!gb_bands_fit && gb_architecture[i] ne "") { gb_x_name[i] = gb_x_name[i] . ", " . gb_architecture[i] }
    }
}
gb_cut_to(text, most) = strlen(text) > most ? text[1:most-4] . " ..." : text
if (gb_format eq "dumb") {
    # What there is no room for, a file has.
    gb_assumed = gb_cut_to(gb_assumed, 75)
    gb_note = gb_legend . "." . (gb_any_unmeasured ? " * as printed." : "") . " " . gb_cut_to(gb_note, gb_devices > 8 ? 70 : 200)
    gb_xlabel = "device, by number"
    gb_turned = 0
}

# The key: each version by its mark, an open one where it is only printed, then what open ones are.
gb_own_key = 1
gb_keys = 0
gb_any_printed = 0
array gb_key_text[gb_last[1]+2]
array gb_key_type[gb_last[1]+2]
array gb_key_shape[gb_last[1]+2]
do for [s=1:gb_last[1]] {
    gb_any_printed = gb_any_printed || gb_published[s]
    gb_is_next = s == 1
    if (!gb_is_next) { gb_is_next = gb_line[s] != gb_line[s-1] }
    if (gb_is_next) {
        gb_keys = gb_keys + 1
        gb_key_text[gb_keys] = gb_name_of_line[s]
        gb_key_type[gb_keys] = gb_style[s]
        gb_key_shape[gb_keys] = "point"
    }
}
# A screen of characters has what hangs together of a version, and no key of the rest.
if (gb_format eq "dumb") {
    gb_any_printed = 0
    gb_ratios = 0
    do for [l=1:gb_joined_count] { gb_label[l] = gb_key_text[l] }
    gb_last[1] = gb_joined_count
}
if (gb_any_printed) {
    gb_keys = gb_keys + 1
    gb_key_text[gb_keys] = "open: as printed"
    gb_key_type[gb_keys] = 21
    gb_key_shape[gb_keys] = "point"
}
if (gb_ratios) {
    gb_keys = gb_keys + 1
    gb_key_text[gb_keys] = "as fast"
    gb_key_type[gb_keys] = 32
    gb_key_shape[gb_keys] = "line"
}
load gb_common

# Names are taken from where they are: within a text that is evaluated they could be commands.
gb_tics = ""
gb_tics_bare = ""
do for [i=1:gb_devices] {
    gb_tics = gb_tics . (i > 1 ? ", " : "") . sprintf("gb_tic_label(gb_x_name[%d]) %d", i, i)
    gb_tics_bare = gb_tics_bare . (i > 1 ? ", " : "") . sprintf("\"\" %d", i)
}

# What stands in a panel: a column, by what it is divided, and its label.
gb_column_of(k) = k == 1 ? 2 : k == 2 ? 13 : k == 3 ? 14 : 8
gb_over(k) = k == 1 ? 1e9 : k == 2 ? 1e-3 : 1.0
gb_label_of(k) = k == 1 ? "10⁹ " . gb_unit . "/s" : k == 2 ? "10⁹ " . gb_unit . "/s per TB/s" : \
    k == 3 ? gb_unit . " per SM and cycle" : "speed-up"
gb_lowest_of(k) = gb_lowest[k]/gb_over(k)
gb_highest_of(k) = gb_highest[k]/gb_over(k)
# Rates that lie far apart need a logarithmic axis; the rest is compared by its height above 0.
gb_is_log(k) = k == 1 && gb_highest_of(1) > 8*gb_lowest_of(1)
gb_x_lo = 0.5
gb_x_hi = gb_devices + 0.5
set xrange [gb_x_lo : gb_x_hi]
# Lines between architectures, whose names stand above each panel.
gb_place_bands = 'do for [i=1:gb_bands] { ' \
    . 'if (i > 1) { set arrow 700+i from first gb_band_from[i] - 0.5, graph 0 to first gb_band_from[i] - 0.5, graph 1 nohead lc rgb "#B0B0B0" lw 0.8 dt (2,3) back }; ' \
    . 'if (gb_bands_fit) { set label 700+i gb_band_name[i] at first 0.5*(gb_band_from[i] + gb_band_to[i]), graph 1 center offset 0,0.6 ' \
    . 'font gb_small_font textcolor rgb "#505050" noenhanced } }'
gb_each = 'gb_ylabel = gb_label_of(gb_what(p)); unset logscale y; set ytics autofreq; ' \
    . 'if (gb_is_log(gb_what(p))) { gb_y_lo = gb_lowest_of(1)/1.5; gb_y_hi = gb_highest_of(1)*1.7; eval gb_log_y } ' \
    . 'else { gb_y_hi = 1.15*(gb_what(p) == 4 && gb_highest_of(4) < 1 ? 1 : gb_highest_of(gb_what(p))); eval gb_linear_y }; ' \
    . 'if (!gb_dumb) { eval gb_place_bands }'
gb_valued(c, by) = valid(c) ? column(c)/by : NaN
gb_bounded(c, value, by) = valid(c) ? column(c)/by : gb_valued(value, by)
gb_value_in_panel(p) = gb_valued(gb_column_of(gb_what(p)), gb_over(gb_what(p)))
# The interval of a rate, of a speed-up; of what is divided there is none.
gb_bound_in_panel(p, end) = gb_what(p) == 1 ? gb_bounded(3 + end, 2, 1e9) : gb_what(p) == 4 ? gb_bounded(11 + end, 8, 1.0) : gb_value_in_panel(p)
# All of one version, measured and printed, hangs together by a broad light line, on which the points stand.
# Where versions lie together they stand a little beside one another, and what is printed beside what was measured.
gb_aside(l) = gb_joined_count < 2 ? 0 : 0.24*((l - 1)/(gb_joined_count - 1.0) - 0.5)
gb_aside_of(s) = gb_aside(gb_place_of_line(gb_line[s])) + (gb_published[s] && column(15) == 1 ? 0.08 : 0)
gb_curves_of_characters = 'for [l=1:gb_joined_count] gb_joined[l] using 1:(gb_value_in_panel(p)) with points lt gb_joined_line[l] title gb_label[l]'
gb_points_on_lines = 'for [l=1:gb_joined_count] gb_joined[l] using ($1 + gb_aside(l)):(gb_value_in_panel(p)) with lines ' \
    . 'lc rgb gb_halo(gb_joined_line[l]) lw 2.2 dt 1 notitle, ' \
    . 'for [s=gb_first[1]:gb_last[1]] gb_file[s] using ($1 + gb_aside_of(s)):(gb_value_in_panel(p)):' \
    . '(gb_bound_in_panel(p, 0)):(gb_bound_in_panel(p, 1)) with yerrorbars lt gb_style[s] title gb_label[s]'
gb_place_of_line(l) = sum [i=1:gb_joined_count] (gb_joined_line[i] == l ? i : 0)
gb_plot = 'plot ' . (gb_ratios ? '(gb_what(p) == 4 ? 1 : NaN) with lines lt 32 notitle, ' : '') \
    . (gb_dumb ? gb_curves_of_characters : gb_points_on_lines)
gb_end = 'do for [i=1:gb_bands] { unset label 700+i; unset arrow 700+i }'
eval gb_draw
