# What all figures share: layout, terminals, colours, line types, frame, key and foot. A script is
#
#   load ARG1
#   ...what it wants of the layout, see below...
#   load gb_common
#   ...scales, ranges, tics...
#   gb_plot = 'plot ...'       a panel, number p
#   eval gb_draw
#
# where ARG1 is the data file that `gpubench plot` wrote (its variables are listed in
# bench/plot/data.h, those of a dump in bench/plot/dump.h). All lengths are points: of the paper with
# gb_print_wide, else such that a figure of 900 fills a screen's page.

set encoding utf8
set minussign

gb_dumb = (gb_format eq "dumb")
gb_printed = (gb_print_wide > 0)
gb_column = (gb_printed && gb_print_wide < 300)

# ---- what a script may set before it loads this ------------------------------------------------
# gb_xlabel gb_ylabel     with their units; of a panel with a scale of its own gb_each sets another
# gb_cells                how many panels it draws (default: those of the data)
# gb_across gb_across_column               how many in a row; in a column of print
# gb_wide gb_panel_high   of the figure; of a panel on the screen
# gb_panel_ratio          height over width of a panel in print
# gb_left gb_right gb_between gb_below     room beside panels, between and below them
# gb_turned               1: labels of x stand on end
# gb_own_x                1: each panel has tic labels and a label of x; else the lowest of a column
# gb_own_y                1: each panel has a label of y; else the first of a row
# gb_named                whether names stand above the panels
# gb_bars                 1: it draws intervals of rates; 2: of times; 3: of speed-ups. 0: none
# gb_remark               what its foot says besides
# gb_shape                what stands for a series in the key: "both" (a line with points), "box"
# gb_more gb_more_text[] gb_more_type[]    further entries of the key: lines
# gb_own_key              1: gb_keys, gb_key_text[], gb_key_type[] and gb_key_shape[] are filled, in the order of the key, or
#                         with gb_key_value[], of which the highest is first
if (!exists("gb_cells")) gb_cells = gb_panels
if (!exists("gb_named")) gb_named = gb_cells > 1 && gb_panels > 1
if (!exists("gb_bars")) gb_bars = 0
if (!exists("gb_remark")) gb_remark = ""
if (!exists("gb_shape")) gb_shape = "both"
if (!exists("gb_turned")) gb_turned = 0
# Fewer than three values of x are bars side by side (gb_few, of bench/plot/data.h; no dump has it).
if (!exists("gb_few")) gb_few = 0
if (!exists("gb_jumps")) gb_jumps = 0
if (!exists("gb_most_under")) gb_most_under = 0
if (gb_few) { gb_shape = "box"; gb_turned = 0 }
if (!exists("gb_stands_beside")) gb_stands_beside = gb_shape eq "box"
if (!exists("gb_more")) gb_more = 0
if (!exists("gb_own_key")) gb_own_key = 0
if (!exists("gb_own_x")) gb_own_x = 0
if (!exists("gb_own_y")) gb_own_y = 0
if (!exists("gb_across")) gb_across = gb_cells == gb_panels && exists("gb_device_panels") && gb_device_panels > 0 && \
    gb_device_panels < 4 ? gb_device_panels : gb_cells < 3 ? gb_cells : gb_cells < 5 ? 2 : 3
if (!exists("gb_across_column")) gb_across_column = gb_cells > 3 ? 2 : 1
if (gb_column) { gb_across = gb_across_column }
gb_down = (gb_cells + gb_across - 1)/gb_across
if (!exists("gb_wide")) gb_wide = gb_cells == 1 ? 760 : 900
if (!exists("gb_panel_high")) gb_panel_high = gb_cells == 1 ? 330.0 : gb_down > 2 ? 160.0 : 210.0
if (!exists("gb_panel_ratio")) gb_panel_ratio = gb_down > 1 && gb_across == 1 ? 0.34 : gb_cells == 1 && !gb_column ? 0.42 : 0.62
if (!exists("gb_left")) gb_left = gb_printed ? 42.0 : 78.0
if (!exists("gb_right")) gb_right = gb_printed ? 8.0 : 22.0
if (!exists("gb_between")) gb_between = gb_own_y ? gb_left : gb_printed ? 26.0 : 52.0

# ---- text ------------------------------------------------------------------------------------
# Sizes; gb_em turns one into points. Characters are a little more than half an em wide.
gb_title_size = 14.0
gb_name_size = gb_printed ? 8.0 : 11.0
gb_label_size = gb_printed ? 8.0 : 11.0
gb_tics_size = gb_printed ? 8.0 : 10.0
gb_key_size = gb_printed ? 8.0 : 10.0
gb_small_size = gb_printed ? 7.0 : 9.0
gb_foot_size = gb_printed ? 7.0 : 8.5
gb_least_size = gb_printed ? 7.0 : 7.5
gb_em = gb_printed ? 1.0 : 1.27
gb_text_wide(text, size) = strlen(text)*0.56*gb_em*size

gb_family = gb_format eq "svg" ? "sans-serif" : "sans"
gb_font(size) = sprintf("%s,%.3g", gb_family, size)
gb_tics_font = gb_font(gb_tics_size)
gb_label_font = gb_font(gb_label_size)
gb_key_font = gb_font(gb_key_size)
gb_small_font = gb_font(gb_small_size)
gb_foot_font = gb_font(gb_foot_size)
gb_subtitle_font = gb_font(10)
# Text is taken as it stands: no terminal knows markup, for which data would be taken otherwise. Bold is a part of the
# font's name, which for SVG is what stands between the quotes of an attribute.
gb_bold_font(size) = sprintf(gb_format eq "svg" ? "%s\" font-weight=\"bold,%.3g" : "%s:Bold,%.3g", gb_family, size)
gb_title_font = gb_bold_font(gb_title_size)
gb_name_font = gb_bold_font(gb_name_size)

# The label of a tic: gnuplot takes it for a format of the tic's value.
gb_tic_label(text) = (gb_cut = strstrt(text, "%")) == 0 ? text : text[1:gb_cut] . "%" . gb_tic_label(text[gb_cut+1:*])

# Text in lines of so many characters at most, broken at blanks; how many lines that makes.
gb_blank_before(text, at) = at < 2 ? strlen(text) : text[at:at] eq " " ? at : gb_blank_before(text, at - 1)
gb_wrapped(text, most) = strlen(text) <= most ? text : (gb_cut = gb_blank_before(text, most + 1), \
    text[1:gb_cut-1] . "\n" . gb_wrapped(text[gb_cut+1:*], most))
gb_lines_of(text, most) = strlen(text) <= most ? 1 : (gb_cut = gb_blank_before(text, most + 1), \
    1 + gb_lines_of(text[gb_cut+1:*], most))

# A size as 1M, 16Mi.
gb_is_times(v, unit) = v >= unit && v/unit == floor(v/unit)
gb_si_name(v) = gprintf(gb_is_times(v, 10.0**(3*floor(log10(v)/3))) ? "%.0s%c" : "%.1s%c", v)
gb_size_name(v) = gb_is_times(v, 1e3) ? gb_si_name(v) : gb_is_times(v, 2.0**30) ? sprintf("%.0fGi", v/2.0**30) : \
    gb_is_times(v, 2.0**20) ? sprintf("%.0fMi", v/2.0**20) : gb_is_times(v, 2.0**10) ? sprintf("%.0fKi", v/2.0**10) : \
    v < 1e4 ? sprintf("%.0f", v) : gb_si_name(v)

# ---- the key's entries -------------------------------------------------------------------------
# The limit, the measured series, the papers', what the script adds; each line type once.
# Curves stand in the key as they stand at the right end of the panel that has most of them, from the top;
# bars as they stand side by side.
gb_key_panel = 1
do for [gb_i=1:gb_panels] { if (gb_last[gb_i] - gb_first[gb_i] > gb_last[gb_key_panel] - gb_first[gb_key_panel]) { gb_key_panel = gb_i } }
gb_end_of(s) = gb_stands_beside || !exists("gb_end_rate") || s < gb_first[gb_key_panel] || s > gb_last[gb_key_panel] ? 0 : \
    gb_is_speedup ? gb_end_speedup[s] : gb_bars == 2 ? gb_end_time[s] : gb_end_rate[s]
# Whether an entry that says nothing of its place goes before another one.
gb_put_before(k) = gb_key_value[k] > gb_key_value[k-1]
gb_swap_keys = 'gb_t = gb_key_text[gb_k]; gb_key_text[gb_k] = gb_key_text[gb_k-1]; gb_key_text[gb_k-1] = gb_t; ' \
    . 'gb_t = gb_key_type[gb_k]; gb_key_type[gb_k] = gb_key_type[gb_k-1]; gb_key_type[gb_k-1] = gb_t; ' \
    . 'gb_t = gb_key_shape[gb_k]; gb_key_shape[gb_k] = gb_key_shape[gb_k-1]; gb_key_shape[gb_k-1] = gb_t; ' \
    . 'gb_t = gb_key_under[gb_k]; gb_key_under[gb_k] = gb_key_under[gb_k-1]; gb_key_under[gb_k-1] = gb_t; ' \
    . 'gb_t = gb_key_value[gb_k]; gb_key_value[gb_k] = gb_key_value[gb_k-1]; gb_key_value[gb_k-1] = gb_t'
if (!gb_own_key) {
    gb_most_keys = gb_last[gb_panels] + gb_more + 2
    array gb_key_text[gb_most_keys]
    array gb_key_type[gb_most_keys]
    array gb_key_shape[gb_most_keys]
    array gb_key_under[gb_most_keys]
    array gb_key_value[gb_most_keys]
    gb_keys = 0
    if (exists("gb_limit_label") && gb_limit_label ne "") {
        gb_keys = 1
        gb_key_text[1] = gb_limit_label
        gb_key_type[1] = 31
        gb_key_shape[1] = "line"
        gb_key_under[1] = 0
        gb_key_value[1] = 1e99
    }
    do for [gb_i=0:1] {
        do for [gb_s=1:gb_last[gb_panels]] {
            gb_is_new = gb_published[gb_s] == gb_i
            do for [gb_k=1:gb_keys] {
                if (gb_key_type[gb_k] == gb_style[gb_s]) {
                    gb_is_new = 0
                    if (gb_points[gb_s] > 1 && gb_key_shape[gb_k] eq "point") { gb_key_shape[gb_k] = gb_shape }
                    if (gb_end_of(gb_s) > 0) { gb_key_value[gb_k] = gb_end_of(gb_s) }
                }
            }
            if (gb_is_new) {
                gb_keys = gb_keys + 1
                gb_key_text[gb_keys] = gb_label[gb_s]
                gb_key_type[gb_keys] = gb_style[gb_s]
                gb_key_under[gb_keys] = gb_most_under > 0 ? gb_under[gb_s] : 0
                gb_key_value[gb_keys] = gb_end_of(gb_s)
                gb_key_shape[gb_keys] = gb_few && gb_level[gb_s] > 0 ? "line" : gb_shape eq "box" ? "box" : \
                    gb_points[gb_s] == 1 ? "point" : gb_shape
            }
        }
    }
    do for [gb_i=1:gb_more] {
        gb_keys = gb_keys + 1
        gb_key_text[gb_keys] = gb_more_text[gb_i]
        gb_key_type[gb_keys] = gb_more_type[gb_i]
        gb_key_shape[gb_keys] = "line"
        gb_key_under[gb_keys] = 0
        # What others are held against has its place among them.
        gb_key_value[gb_keys] = !gb_stands_beside && exists("gb_is_speedup") && gb_is_speedup ? 1 : -gb_i
    }
} else { if (!exists("gb_key_under")) {
    array gb_key_under[gb_keys + 1]
    do for [gb_k=1:gb_keys] { gb_key_under[gb_k] = 0 }
} }
if (exists("gb_key_value")) {
    do for [gb_i=2:gb_keys] { do for [gb_k=gb_keys:2:-1] { if (gb_put_before(gb_k)) { eval gb_swap_keys } } }
}

# ---- layout ------------------------------------------------------------------------------------
if (gb_printed) { gb_wide = gb_print_wide }
gb_line_high = 1.36*gb_em*gb_key_size
gb_key_sample = 2.9*gb_em*gb_key_size
gb_key_gap = 0.6*gb_em*gb_key_size
gb_margin = gb_printed ? 3.0 : 14.0
# In as few rows as fit, each column as wide as its longest entry.
array gb_key_left[gb_keys+1]
gb_key_rows = 0
gb_fits = gb_keys == 0
do for [gb_rows=1:gb_keys] {
    if (!gb_fits) {
        gb_key_rows = gb_rows
        gb_w = gb_margin
        gb_longest = 0.0
        do for [gb_k=1:gb_keys] {
            if ((gb_k - 1) % gb_rows == 0) {
                gb_w = gb_w + gb_longest
                gb_longest = 0.0
            }
            gb_key_left[gb_k] = gb_w
            gb_entry_wide = gb_key_sample + 4*gb_key_gap + gb_text_wide(gb_key_text[gb_k], gb_key_size)
            if (gb_entry_wide > gb_longest) { gb_longest = gb_entry_wide }
        }
        gb_fits = gb_w + gb_longest - 3*gb_key_gap <= gb_wide - gb_margin
    }
}

gb_has_bars = gb_bars == 1 ? gb_rate_bars : gb_bars == 2 ? gb_time_bars : gb_bars == 3 ? gb_speedup_bars : 0
gb_sentence(text) = text eq "" ? "" : text . " "
gb_basis = (gb_assumed eq "" ? "" : "Assumed: " . gb_assumed . ". ") . gb_note
gb_foot = gb_sentence(gb_remark) \
    . (gb_has_bars ? "Error bars, where larger than the points: 95 % confidence interval of the " . (gb_bars == 3 ? "speed-up" : "mean") . ". " : "") \
    . (gb_jumps ? sprintf("Upright lines: from %s to %s the kind of size changes, too, from %s. ", gb_size_name(gb_jump_from[1]), \
        gb_size_name(gb_jump_to[1]), gb_is_times(gb_jump_from[1], 1e3) ? "tens to powers of two" : "powers of two to tens") : "") \
    . (gb_stands_beside && exists("gb_gaps") && gb_gaps ne "" ? "No bar: " . gb_gaps . ". " : "") \
    . gb_basis
gb_foot_most = int((gb_wide - 2*gb_margin)/(0.57*gb_em*gb_foot_size))
gb_foot_lines = gb_foot eq "" ? 0 : gb_lines_of(gb_foot, gb_foot_most)
gb_subtitle_most = int((gb_wide - 2*gb_margin)/(0.53*gb_em*10))
gb_subtitle_lines = gb_lines_of(gb_subtitle, gb_subtitle_most)

gb_name_high = gb_named ? 1.9*gb_em*gb_name_size : 0.8*gb_em*gb_tics_size
gb_title_high = gb_titled ? 38.0 + 15*gb_subtitle_lines : 12.0
gb_head = gb_printed ? 2.0 : gb_title_high + gb_key_rows*gb_line_high + (gb_key_rows ? 8 : 0)
gb_panel_wide = (gb_wide - gb_left - gb_right - (gb_across - 1)*gb_between)/gb_across
if (gb_printed) { gb_panel_high = exists("gb_print_high") ? gb_print_high : gb_panel_wide*gb_panel_ratio }
# Below a panel: the labels of its tics, then that of the axis.
gb_tics_high = 1.35*gb_em*gb_tics_size + (gb_printed ? 3 : 6)
if (gb_turned && exists("gb_x_values")) {
    do for [gb_i=1:words(gb_x_values)] {
        gb_w = gb_text_wide(gb_x_is_named ? gb_x_name[gb_i] : word(gb_x_values, gb_i), gb_tics_size) + (gb_printed ? 8 : 12)
        if (gb_w > gb_tics_high) { gb_tics_high = gb_w }
    }
}
gb_xlabel_most = int(1.1*gb_panel_wide/(0.56*gb_em*gb_label_size))
gb_xlabel_high = gb_lines_of(gb_xlabel, gb_xlabel_most)*1.25*gb_em*gb_label_size
if (!exists("gb_below")) gb_below = gb_tics_high + gb_xlabel_high + (gb_printed ? 3 : 6)
gb_apart = gb_own_x ? gb_below : 0.7*gb_em*gb_tics_size
gb_foot_high = gb_foot_lines*(gb_printed ? 1.5 : 1.3)*gb_em*gb_foot_size + (gb_foot_lines ? 5.0 : 2.0)
gb_high = gb_head + gb_down*(gb_name_high + gb_panel_high) + (gb_down - 1)*gb_apart + gb_below \
    + (gb_printed ? gb_key_rows*gb_line_high + 4 : 0) + gb_foot_high
gb_key_top = gb_printed ? gb_high - gb_foot_high - gb_key_rows*gb_line_high : gb_title_high + 2

# The name of a panel is as wide as the panel at most.
gb_name_fits(name) = (gb_panel_wide + 0.5*gb_between)/(0.64*gb_em*(strlen(name) > 0 ? strlen(name) : 1))
gb_name_font_of(name) = gb_bold_font(gb_name_fits(name) > gb_name_size ? gb_name_size : gb_name_fits(name) > gb_least_size ? gb_name_fits(name) : gb_least_size)

gb_at_x(x) = x/(1.0*gb_wide)
gb_at_y(y) = 1.0 - y/(1.0*gb_high)
gb_cell_left(p) = gb_left + ((p - 1) % gb_across)*(gb_panel_wide + gb_between)
gb_cell_top(p) = gb_head + ((p - 1)/gb_across)*(gb_name_high + gb_panel_high + gb_apart) + gb_name_high
gb_lowest(p) = gb_own_x || p + gb_across > gb_cells
gb_foremost(p) = gb_own_y || (p - 1) % gb_across == 0
if (!exists("gb_cell_name")) {
    array gb_cell_name[gb_cells]
    do for [gb_i=1:gb_cells] { gb_cell_name[gb_i] = gb_i <= gb_panels ? gb_panel_title[gb_i] : "" }
}

# ---- a screen of characters --------------------------------------------------------------------
# Each panel has a screen, gb_columns by gb_lines: above it what it shows, the first under the figure's title; the key
# on the right where that leaves room for curves, else below, an entry a line (gnuplot has no more of them than rows); what the foot says below the last. Where
# that leaves too little of it nothing is drawn, and gb_unfit says why.
if (gb_dumb) {
    gb_em = 1.0
    gb_wide_key = 0
    do for [gb_k=1:gb_keys] { gb_wide_key = strlen(gb_key_text[gb_k]) > gb_wide_key ? strlen(gb_key_text[gb_k]) : gb_wide_key }
    # A key of the script's own may be shorter than what it draws here.
    gb_dumb_keys = gb_keys
    if (gb_own_key) {
        do for [gb_i=1:gb_panels] { gb_dumb_keys = gb_last[gb_i] - gb_first[gb_i] + 1 > gb_dumb_keys ? gb_last[gb_i] - gb_first[gb_i] + 1 : gb_dumb_keys }
        do for [gb_s=1:gb_last[gb_panels]] { gb_wide_key = strlen(gb_label[gb_s]) > gb_wide_key ? strlen(gb_label[gb_s]) : gb_wide_key }
    }
    gb_wide_key = gb_wide_key + 8
    gb_dumb_title = gb_titled ? gb_wrapped(gb_title, gb_columns - 1) . "\n" . gb_wrapped(gb_subtitle, gb_columns - 1) . "\n" : ""
    gb_dumb_title_lines = gb_titled ? gb_lines_of(gb_title, gb_columns - 1) + gb_lines_of(gb_subtitle, gb_columns - 1) : 0
    gb_dumb_foot = gb_basis
    gb_dumb_foot_lines = gb_dumb_foot eq "" ? 0 : gb_lines_of(gb_dumb_foot, gb_columns - 1)
    # Above the axes; below, a line of tics and one of the axis's label, and the foot; the axes' own, with labels of y.
    gb_dumb_above(p) = (p == 1 ? gb_dumb_title_lines : 0) + 1
    gb_dumb_below(p) = 2 + (p == gb_cells ? gb_dumb_foot_lines : 0)
    # Where lines are few, one of the subtitle is enough.
    if (gb_titled && gb_lines - gb_dumb_above(1) - gb_dumb_below(gb_cells) - gb_dumb_keys < 8 && strlen(gb_subtitle) > gb_columns - 5) {
        gb_dumb_title = gb_wrapped(gb_title, gb_columns - 1) . "\n" . gb_subtitle[1:gb_columns-5] . " ...\n"
        gb_dumb_title_lines = gb_lines_of(gb_title, gb_columns - 1) + 1
    }
    gb_dumb_rows = gb_lines - gb_dumb_above(1) - gb_dumb_below(gb_cells)
    gb_key_beside = gb_dumb_keys > 0 && gb_dumb_keys <= gb_dumb_rows && \
        (gb_columns - gb_wide_key >= 64 || (gb_dumb_rows - gb_dumb_keys < 8 && gb_columns - gb_wide_key >= 34))
    gb_key_below = gb_key_beside ? 0 : gb_dumb_keys
    gb_dumb_rows = gb_dumb_rows - gb_key_below
    gb_panel_wide = 5.6*(gb_columns - 10 - (gb_key_beside ? gb_wide_key : 0))
    gb_panel_high = 1.35*gb_tics_size*gb_dumb_rows
    gb_most_name = exists("gb_x_is_named") && gb_x_is_named ? int(gb_panel_wide/5.6/words(gb_x_values)) - 1 : 99
    gb_size = sprintf("%d columns and %d lines", gb_columns, gb_lines)
    gb_unfit = gb_cells > 8 ? sprintf("%d panels are too many to look at here", gb_cells) : \
        gb_dumb_keys > 22 ? sprintf("%d series are too many for letters", gb_dumb_keys) : \
        gb_dumb_rows < (gb_key_below > 5 ? gb_key_below : 5) ? sprintf("%d series are too many for %s", gb_dumb_keys, gb_size) : \
        gb_most_name < 2 ? sprintf("%d names along x are too many for %s", words(gb_x_values), gb_size) : ""
}

# ---- terminals -------------------------------------------------------------------------------
if (gb_format eq "svg") \
    set terminal svg size gb_wide,gb_high noenhanced background rgb "white" \
        font gb_label_font fontscale (gb_printed ? 1.0 : 1.2) linewidth (gb_printed ? 0.8 : 1.2)
if (gb_format eq "pdf" || gb_format eq "eps") \
    eval "set terminal " . gb_format . "cairo size " . sprintf("%.3fin,%.3fin", gb_wide/72.0, gb_high/72.0) \
        . sprintf(" noenhanced font '%s' fontscale %g linewidth %g pointscale %g dashlength 1.6", gb_label_font, \
            gb_printed ? 0.75 : 0.95, gb_printed ? 1.3 : 2.4, gb_printed ? 0.6 : 1.2)
if (gb_format eq "png") \
    set terminal pngcairo size 2*gb_wide,2*gb_high noenhanced background rgb "white" \
        font gb_label_font fontscale (gb_printed ? 1.5 : 1.9) linewidth (gb_printed ? 1.2 : 2) \
        pointscale (gb_printed ? 1.1 : 2) dashlength 1.6
if (gb_dumb && gb_colour) \
    set terminal dumb size gb_columns,gb_lines noenhanced ansi256
if (gb_dumb && !gb_colour) \
    set terminal dumb size gb_columns,gb_lines noenhanced mono
set output gb_output

# ---- line types ------------------------------------------------------------------------------
# The palette of Okabe and Ito (2008), told apart by colour-blind readers. Of the first seven each has
# a shape and dashes of its own, so that nothing depends on colour; no two types agree in all three.
set linetype  1 lc rgb "#0072B2" lw 1.7 dt 1                pt 7  ps 0.60
set linetype  2 lc rgb "#D55E00" lw 1.5 dt (14,4)           pt 5  ps 0.55
set linetype  3 lc rgb "#009E73" lw 1.5 dt (6,3)            pt 9  ps 0.80
set linetype  4 lc rgb "#CC79A7" lw 1.5 dt (2,3)            pt 11 ps 0.80
set linetype  5 lc rgb "#E69F00" lw 1.5 dt (14,3,2,3)       pt 13 ps 0.85
set linetype  6 lc rgb "#56B4E9" lw 1.5 dt (6,3,2,3)        pt 15 ps 0.80
set linetype  7 lc rgb "#000000" lw 1.1 dt (6,3,2,3,2,3)    pt 2  ps 0.65
set linetype  8 lc rgb "#0072B2" lw 1.4 dt (6,3)            pt 12 ps 0.80
set linetype  9 lc rgb "#D55E00" lw 1.4 dt (2,3)            pt 1  ps 0.80
set linetype 10 lc rgb "#009E73" lw 1.4 dt 1                pt 3  ps 0.75
set linetype 11 lc rgb "#CC79A7" lw 1.4 dt (14,4)           pt 14 ps 0.80
set linetype 12 lc rgb "#E69F00" lw 1.4 dt (6,3)            pt 7  ps 0.60
set linetype 13 lc rgb "#000000" lw 1.2 dt 1                pt 5  ps 0.55
set linetype 14 lc rgb "#56B4E9" lw 1.4 dt (2,3)            pt 9  ps 0.80
set linetype 15 lc rgb "#0072B2" lw 1.4 dt (14,3,2,3)       pt 11 ps 0.80
# The papers' values: grey, open shapes.
set linetype 21 lc rgb "#6E6E6E" lw 1.4 dt (4,2)            pt 6  ps 0.85
set linetype 22 lc rgb "#6E6E6E" lw 1.4 dt (1,2)            pt 4  ps 0.80
set linetype 23 lc rgb "#6E6E6E" lw 1.4 dt (10,2,1,2)       pt 8  ps 0.95
set linetype 24 lc rgb "#6E6E6E" lw 1.4 dt (4,2,1,2,1,2)    pt 10 ps 0.95
set linetype 25 lc rgb "#9A9A9A" lw 1.4 dt 1                pt 6  ps 0.85
set linetype 26 lc rgb "#9A9A9A" lw 1.4 dt (8,3)            pt 4  ps 0.80
set linetype 27 lc rgb "#9A9A9A" lw 1.4 dt (2,2)            pt 8  ps 0.95
set linetype 28 lc rgb "#9A9A9A" lw 1.4 dt (8,2,2,2)        pt 10 ps 0.95
# Limits, and what others are held against.
set linetype 31 lc rgb "#000000" lw 1.1 dt (10,4)
set linetype 32 lc rgb "#000000" lw 1.1 dt (2,2)
# Behind a curve that others cover: its colour, light, and broader the more there are above it.
gb_hues = "0072B2 D55E00 009E73 CC79A7 E69F00 56B4E9 404040 0072B2 D55E00 009E73 CC79A7 E69F00 404040 56B4E9 0072B2"
gb_light(c) = int(c) + int(0.58*(255 - int(c)))
gb_lighter(c) = 65536*gb_light(c/65536) + 256*gb_light((c/256) % 256) + gb_light(c % 256)
gb_halo(type) = type > 20 ? 0xD4D4D4 : gb_lighter(int("0x" . word(gb_hues, type)))
gb_halo_wide(under) = (gb_printed ? 0.9 : gb_cells > 1 ? 1.4 : 2.2) + (gb_printed ? 1.5 : gb_cells > 1 ? 1.8 : 2.2)*under
# Bars: told apart by how light they are, in grey, too.
gb_fill(k) = k > 20 ? (k % 2 ? 0xC8C8C8 : 0xEBEBEB) : k % 7 == 1 ? 0x0072B2 : k % 7 == 2 ? 0xF0C27A : k % 7 == 3 ? 0xFFFFFF : k % 7 == 4 ? 0x303030 : \
    k % 7 == 5 ? 0xCC79A7 : k % 7 == 6 ? 0xA6D8F2 : 0x8A8A8A
gb_box_style = 'fs solid 1.0 border lc rgb "#303030" lw 0.8 dt 1 fc rgb gb_fill(gb_style[s])'
gb_boxes = 'with boxes ' . gb_box_style
gb_error_boxes = 'with boxerrorbars ' . gb_box_style

# ---- frame -----------------------------------------------------------------------------------
if (!gb_dumb) {
    set border 3 lc rgb "#404040" lw 0.8
    set grid ytics lc rgb "#D0D0D0" lw 0.6 dt 1
    set tics out nomirror scale 0.6 textcolor rgb "#202020"
    set xtics font gb_tics_font
    set ytics font gb_tics_font
    set mxtics 1
}
set xtics noenhanced
set ytics noenhanced
set xlabel noenhanced
set ylabel noenhanced
set errorbars 0.6
set key noenhanced
unset key
# Letters tell series apart on a screen of characters, where types of lines are seven.
if (gb_dumb) {
    set tics scale 0 nomirror
    set border 3
    do for [gb_k=1:15] { set linetype gb_k pt (gb_k < 12 ? gb_k : gb_k + 1) }
    do for [gb_k=16:20] { set linetype gb_k pt gb_k + 1 }
    do for [gb_k=1:4] { set linetype 20+gb_k pt 21+gb_k }
    set linetype 31 pt 12
    set linetype 32 pt 26
}

# ---- tics ------------------------------------------------------------------------------------
# gb_tics: "'label' position, ..." along x, gb_tics_bare the same without labels. Empty: as gnuplot chooses, in the format gb_x_format.
gb_tics = ""
gb_tics_bare = ""
gb_x_tics_font = gb_tics_font
gb_x_format = "%g"
gb_ylabel_at = (gb_printed ? 1 : 6) + 0.6*gb_em*gb_label_size
gb_ylabel_most = int(1.15*gb_panel_high/(0.56*gb_em*gb_label_size))
gb_tics_nearer = gb_format eq "svg" ? 0.3 : 0.4
# Logarithmic x from gb_x_min to gb_x_max and a part, gb_x_pad, beyond: `eval gb_log_x`; linear: `eval gb_linear_x`.
gb_x_log = 0
gb_x_pad = 1.3
# Of few values each has a place of its own instead.
gb_few_x = 'gb_x_log = 0; gb_x_lo = 0.4; gb_x_hi = words(gb_x_values) + 0.6; set xrange [gb_x_lo : gb_x_hi]'
gb_log_x = gb_few ? gb_few_x : 'gb_x_log = 1; gb_x_lo = gb_x_min/gb_x_pad; gb_x_hi = gb_x_max*gb_x_pad; set logscale x 10; ' \
    . 'set xrange [gb_x_lo : gb_x_hi]'
gb_linear_x = gb_few ? gb_few_x : 'gb_x_log = 0; gb_x_lo = gb_x_min - gb_x_pad; gb_x_hi = gb_x_max + gb_x_pad; set xrange [gb_x_lo : gb_x_hi]'
# The part of the axis between two values.
gb_part_of_x(a, b) = gb_x_log ? log(1.0*b/a)/log(1.0*gb_x_hi/gb_x_lo) : (b - a)/(1.0*gb_x_hi - gb_x_lo)
# A tic at gb_tic_value called gb_tic_name, whose label is left out where it would touch the one before.
gb_put_tic = 'gb_fits = gb_labelled eq "" || gb_panel_wide*gb_part_of_x(real(gb_labelled), gb_tic_value) >= gb_tic_wide; ' \
    . 'gb_tics = gb_tics . sprintf("%s\"%s\" %.12g", gb_tics eq "" ? "" : ", ", gb_fits ? gb_tic_name : "", gb_tic_value); ' \
    . 'gb_tics_bare = gb_tics_bare . sprintf("%s\"\" %.12g", gb_tics_bare eq "" ? "" : ", ", gb_tic_value); ' \
    . 'if (gb_fits) { gb_labelled = sprintf("%.12g", gb_tic_value) }'
gb_begin_tics = 'gb_tics = ""; gb_tics_bare = ""; gb_labelled = ""'
gb_few_tics = exists("gb_x_is_named") && gb_x_is_named ? 'gb_tics = gb_x_tics; gb_tics_bare = ""' : gb_begin_tics . '; do for [gb_i=1:words(gb_x_values)] { gb_tic_value = gb_i; gb_tic_wide = 0; ' \
    . 'gb_tic_name = gb_size_name(real(word(gb_x_values, gb_i))); eval gb_put_tic }'
# At the values of x, as 1M, 16Mi: `eval gb_tics_at_sizes`.
gb_tics_at_sizes = gb_few ? gb_few_tics : gb_begin_tics . '; do for [gb_i=1:words(gb_x_values)] { ' \
    . 'gb_tic_value = real(word(gb_x_values, gb_i)); gb_tic_name = gb_size_name(gb_tic_value); ' \
    . 'gb_tic_wide = gb_text_wide(gb_tic_name, gb_tics_size) + 5; eval gb_put_tic }'
# At the values of x, all digits, on end and as small as they must be: `eval gb_tics_at_values`.
gb_tics_at_values = gb_few ? gb_few_tics : gb_begin_tics . '; gb_nearest = gb_panel_wide; ' \
    . 'do for [gb_i=2:words(gb_x_values)] { ' \
    . 'gb_w = gb_panel_wide*gb_part_of_x(real(word(gb_x_values, gb_i - 1)), real(word(gb_x_values, gb_i))); ' \
    . 'if (gb_w < gb_nearest) { gb_nearest = gb_w } }; ' \
    . 'gb_turned_size = gb_nearest/(1.15*gb_em); gb_turned_least = gb_least_size; ' \
    . 'if (gb_turned_size > gb_tics_size) { gb_turned_size = gb_tics_size }; ' \
    . 'if (gb_turned_size < gb_turned_least) { gb_turned_size = gb_turned_least }; ' \
    . 'gb_x_tics_font = gb_font(gb_turned_size); gb_tic_wide = 0.9*gb_turned_size*gb_em; ' \
    . 'do for [gb_i=1:words(gb_x_values)] { gb_tic_name = word(gb_x_values, gb_i); gb_tic_value = real(gb_tic_name); ' \
    . 'if (gb_dumb) { gb_tic_wide = gb_text_wide(gb_tic_name, gb_tics_size) + 6 }; eval gb_put_tic }'
# At the powers of ten from gb_x_lo to gb_x_hi, as 10k, 1M, of less than two decades at the values: `eval gb_tics_at_decades`.
gb_tics_at_decades = gb_few ? gb_few_tics : 'if (gb_x_hi < 100*gb_x_lo) { eval gb_tics_at_sizes } else { eval gb_tics_at_tens }'
gb_tics_at_tens = gb_begin_tics . '; do for [gb_i=-9:12] { gb_tic_value = 10.0**gb_i; ' \
    . 'if (gb_tic_value >= gb_x_lo*0.999 && gb_tic_value <= gb_x_hi*1.001) { gb_tic_name = gprintf("%.0s%c", gb_tic_value); ' \
    . 'gb_tic_wide = gb_text_wide(gb_tic_name, gb_tics_size) + 5; eval gb_put_tic } }; ' \
    . 'if (!gb_dumb) { set mxtics 10 }'
# Logarithmic y from gb_y_lo to gb_y_hi, in the unit of the axis: tics at 1, 2 and 5 of every decade, at 1 alone where
# there are many: `eval gb_log_y`.
gb_log_y = gb_few ? 'eval gb_linear_y' : 'set logscale y 10; set yrange [gb_y_lo : gb_y_hi]; ' \
    . 'gb_marks = 0.3*gb_panel_high < 1.35*gb_em*gb_tics_size*log10(1.0*gb_y_hi/gb_y_lo) ? "1" : ' \
    . 'log10(1.0*gb_y_hi/gb_y_lo) < 0.8 ? "1 1.5 2 3 4 5 6 7 8 9" : "1 2 5"; ' \
    . 'set ytics (1 1); unset mytics; set ytics ("" gb_y_lo/10.0); do for [gb_i=-9:12] { do for [gb_k in gb_marks] { ' \
    . 'gb_tic_value = gb_k*10.0**gb_i; if (gb_tic_value >= gb_y_lo && gb_tic_value <= gb_y_hi) { ' \
    . 'set ytics add (sprintf("%.12g", gb_tic_value) gb_tic_value) } } }'
gb_larger(a, b) = a > b ? a : b
gb_smaller(a, b) = a < b ? a : b
# Linear y from 0 to gb_y_hi, with as many tics as the panel has room for: `eval gb_linear_y`.
gb_step_over(s) = 10.0**floor(log10(s))*(s/10.0**floor(log10(s)) > 5 ? 10 : s/10.0**floor(log10(s)) > 2 ? 5 : \
    s/10.0**floor(log10(s)) > 1 ? 2 : 1)
gb_linear_y = 'set yrange [0 : gb_y_hi]; ' \
    . 'if (!gb_dumb) { set ytics gb_step_over(gb_y_hi*2.0*gb_em*gb_tics_size/gb_panel_high) }'
# Times: the unit in which gb_time_max is below ten thousand, and how many of it a second has.
gb_ms = exists("gb_time_max") ? gb_time_max : 0
gb_time_unit = gb_ms < 0.01 ? "µs" : gb_ms < 10 ? "ms" : "s"
gb_time_scale = gb_ms < 0.01 ? 1e6 : gb_ms < 10 ? 1e3 : 1.0

# ---- curves ----------------------------------------------------------------------------------
# What `using` takes of a series, with its interval: rates in 10⁹/s, times in gb_time_unit. Values without an
# interval (the papers', and those of a single sample) get one without width.
gb_bound(c, value) = valid(c) ? column(c) : column(value)
gb_with = gb_few ? " with points" : " with linespoints"
gb_interval(y, lo, hi) = gb_dumb ? y . gb_with : y . ":" . lo . ":" . hi . \
    (gb_few ? ":(gb_bar*0.92) " . gb_error_boxes : " with yerrorlines")
gb_along(x) = gb_few ? "(gb_beside(gb_place(column(1)), s)):" : x . ":"
gb_rate_columns = gb_along("1") . gb_interval("($2/1e9)", "(gb_bound(3,2)/1e9)", "(gb_bound(4,2)/1e9)")
gb_time_columns = gb_along("1") . \
    gb_interval("($5*gb_time_scale)", "(gb_bound(6,5)*gb_time_scale)", "(gb_bound(7,5)*gb_time_scale)")
gb_speedup_columns = gb_along("1") . gb_interval("8", "(gb_bound(11,8))", "(gb_bound(12,8))")
# Places of bars side by side: by the line types that the figure has, the same in all panels.
gb_slots = 0
gb_any_level = 0
array gb_slot[40]
do for [gb_i=1:40] { gb_slot[gb_i] = 0 }
if (exists("gb_level")) {
    do for [gb_s=1:gb_last[gb_panels]] {
        if (gb_level[gb_s] > 0) { gb_any_level = 1 }
        if (gb_level[gb_s] == 0 && gb_slot[gb_style[gb_s]] == 0) {
            gb_slots = gb_slots + 1
            gb_slot[gb_style[gb_s]] = gb_slots
        }
    }
}
gb_bar = 0.84/(gb_slots > 0 ? gb_slots : 1)
gb_place(x) = sum [gb_w=1:words(gb_x_values)] (abs(real(word(gb_x_values, gb_w)) - x) <= 1e-9*abs(x) ? gb_w : 0)
gb_at_slot(place, style) = place + (gb_slot[style] - 0.5*(gb_slots + 1))*gb_bar
# Levels are no bars: out of sight.
gb_beside(place, s) = gb_level[s] > 0 ? -9 : gb_at_slot(place, gb_style[s])
# Behind bars, in their gaps, why there is none: on end above 0.
gb_any_missing = ""
if (exists("gb_gaps")) { do for [gb_i=1:gb_panels] { if (gb_missing[gb_i] ne "") { gb_any_missing = gb_missing[gb_i] } } }
gb_missing_of(p) = gb_missing[p] eq "" ? gb_any_missing : gb_missing[p]
gb_missing_place(p, place, style) = gb_missing[p] eq "" ? -9 : gb_at_slot(place, style)
gb_with_gaps(place) = gb_any_missing eq "" || gb_dumb ? "" : \
    sprintf(', gb_missing_of(p) using (gb_missing_place(p, %s, int(column(2)))):(gb_y_hi*0.015):3 with labels left rotate by 90 ' \
    . 'font gb_small_font textcolor rgb "#505050" noenhanced notitle', place)
# Curves of series from one number to another, behind them those that others cover, once more, broad and light.
gb_halos(a, b, x, y) = gb_most_under == 0 || gb_dumb || gb_few ? "" : \
    sprintf("for [u=gb_most_under:1:-1] for [s=%s:%s] gb_file[s] using %s:(gb_under[s] == u ? %s : NaN) with linespoints ", a, b, x, y) \
    . "lc rgb gb_halo(gb_style[s]) lw gb_halo_wide(u) dt 1 pt 7 ps (gb_points[s] == 1 ? 1.1 : 0.1) title gb_label[s], "
gb_lines_of_series(a, b, columns) = sprintf("for [s=%s:%s] gb_file[s] using ", a, b) . columns \
    . (gb_few && !gb_dumb ? "" : " lt gb_style[s]") . " title gb_label[s]"
gb_levels(a, b) = !gb_few || !gb_any_level ? "" : \
    sprintf(", for [s=%s:%s] gb_file[s] using (column(0)*(words(gb_x_values) + 0.6)):(gb_level[s] > 0 ? gb_level[s]/1e9 : NaN) with lines ", a, b) \
    . "lt gb_style[s] title gb_label[s]"
gb_value_in(columns) = columns eq gb_rate_columns ? "($2/1e9)" : columns eq gb_time_columns ? "($5*gb_time_scale)" : \
    columns eq gb_speedup_columns ? "8" : ""
gb_number_in(columns) = gb_value_in(columns) eq "8" ? "$8" : gb_value_in(columns)
gb_curves_from(a, b, columns) = (gb_value_in(columns) eq "" ? "" : gb_halos(a, b, "1", gb_number_in(columns))) \
    . gb_lines_of_series(a, b, columns) . (columns eq gb_rate_columns ? gb_levels(a, b) : "") \
    . (gb_few ? gb_with_gaps("gb_place(column(1))") : "")
# All series of panel p: `gb_plot = "plot " . gb_curves(gb_rate_columns)`, of other columns x, y, lo and hi
# `gb_curves_of(x, y, lo, hi)`; with the panel's limit where there is one (not on the simt device)
# `gb_limit_and(gb_curves(gb_rate_columns))`.
gb_curves(columns) = gb_curves_from("gb_first[p]", "gb_last[p]", columns)
gb_curves_of(x, y, lo, hi) = gb_halos("gb_first[p]", "gb_last[p]", x, y) \
    . gb_lines_of_series("gb_first[p]", "gb_last[p]", gb_along(x) . gb_interval(y, lo, hi)) \
    . (gb_few ? gb_with_gaps("gb_place(column(1))") : "")
gb_any_limit = ""
if (exists("gb_limit")) { do for [gb_i=1:gb_panels] { if (gb_limit[gb_i] ne "") { gb_any_limit = gb_limit[gb_i] } } }
gb_limit_of(p) = gb_limit[p] eq "" ? gb_any_limit : gb_limit[p]
gb_limit_y(p, y) = gb_limit[p] eq "" ? NaN : y
gb_limit_times(factor, curves) = "plot " . (gb_any_limit eq "" ? "" : "gb_limit_of(p) using " \
    . sprintf(gb_few ? "(gb_place(column(1)) - 0.5):(gb_limit_y(p, %g*$2/1e9)):(1):(0) with vectors nohead" : \
    "1:(gb_limit_y(p, %g*$2/1e9)) with " . (gb_dumb ? "linespoints" : "lines"), factor) . " lt 31 title gb_limit_label, ") . curves
gb_limit_and(curves) = gb_limit_times(1, curves)
# Where panels hold points that fit in the last cache: those open. Behind a comma, after the curves.
gb_open_points(y) = sprintf('for [s=gb_first[p]:gb_last[p]] gb_file[s] using (%s):($9 == 1 ? (%s) : NaN) ' \
    . 'with points pt 7 ps 0.42 lc rgb "white" notitle', gb_shape eq "point" ? "gb_at_slot($1, gb_style[s])" : "$1", y)

# ---- drawing ---------------------------------------------------------------------------------
gb_draw_head = 'if (gb_titled) { ' \
    . 'set label 1 gb_title at screen gb_at_x(gb_margin), screen gb_at_y(20.0) left ' \
    . 'font gb_title_font textcolor rgb "#101010" noenhanced; ' \
    . 'set label 2 gb_wrapped(gb_subtitle, gb_subtitle_most) at screen gb_at_x(gb_margin), screen gb_at_y(39.0) left ' \
    . 'font gb_subtitle_font textcolor rgb "#505050" noenhanced }; ' \
    . 'if (gb_foot_lines > 0) { set label 4 gb_wrapped(gb_foot, gb_foot_most) at screen gb_at_x(gb_margin), ' \
    . 'screen gb_at_y(gb_high - gb_foot_high + 1.1*gb_em*gb_foot_size) left ' \
    . 'font gb_foot_font textcolor rgb "#505050" noenhanced }'
gb_key_y(k) = gb_key_top + ((k - 1) % gb_key_rows + 0.5)*gb_line_high
gb_draw_key = 'do for [gb_k=1:gb_keys] { ' \
    . 'gb_kx = gb_key_left[gb_k]; gb_ky = gb_key_y(gb_k); gb_form = gb_key_shape[gb_k]; ' \
    . 'set label 900+gb_k gb_key_text[gb_k] at screen gb_at_x(gb_kx + gb_key_sample + gb_key_gap), ' \
    . 'screen gb_at_y(gb_ky) left font gb_key_font noenhanced; ' \
    . 'if (gb_key_under[gb_k] > 0 && gb_form eq "both") { ' \
    . 'set arrow 850+gb_k from screen gb_at_x(gb_kx), screen gb_at_y(gb_ky) ' \
    . 'to screen gb_at_x(gb_kx + gb_key_sample), screen gb_at_y(gb_ky) nohead ' \
    . 'lc rgb gb_halo(gb_key_type[gb_k]) lw gb_halo_wide(gb_key_under[gb_k]) dt 1 }; ' \
    . 'if (gb_form eq "both" || gb_form eq "line") { ' \
    . 'set arrow 900+gb_k from screen gb_at_x(gb_kx), screen gb_at_y(gb_ky) ' \
    . 'to screen gb_at_x(gb_kx + gb_key_sample), screen gb_at_y(gb_ky) nohead lt gb_key_type[gb_k] }; ' \
    . 'if (gb_form eq "both" || gb_form eq "point") { ' \
    . 'set label 950+gb_k "" at screen gb_at_x(gb_kx + gb_key_sample/2), screen gb_at_y(gb_ky) ' \
    . 'point lt gb_key_type[gb_k] }; ' \
    . 'if (gb_form eq "box") { ' \
    . 'set object 900+gb_k rectangle center screen gb_at_x(gb_kx + 0.7*gb_key_sample), screen gb_at_y(gb_ky) ' \
    . 'size screen 0.55*gb_key_sample/gb_wide, screen 0.6*gb_line_high/gb_high ' \
    . 'fs solid 1.0 border lc rgb "#303030" fc rgb gb_fill(gb_key_type[gb_k]) } }'
gb_end_head = 'unset label 1; unset label 2; unset label 4; do for [gb_k=1:gb_keys] { unset label 900+gb_k; ' \
    . 'unset label 950+gb_k; unset arrow 850+gb_k; unset arrow 900+gb_k; unset object 900+gb_k }'
# Between two sizes of nearly the same an upright line that names the second.
gb_jump_at(i) = sqrt(gb_jump_from[i]*gb_jump_to[i])
gb_place_jumps = 'do for [gb_j=1:gb_jumps] { ' \
    . 'set arrow 800+gb_j from first gb_jump_at(gb_j), graph 0 to first gb_jump_at(gb_j), graph 0.9 nohead lc rgb "#B0B0B0" lw 0.8 dt 1 back; ' \
    . 'set label 800+gb_j gb_size_name(gb_jump_from[gb_j]) . " | " . gb_size_name(gb_jump_to[gb_j]) at first gb_jump_at(gb_j), graph 0.96 center ' \
    . 'font gb_small_font textcolor rgb "#505050" noenhanced }'
gb_place_panel = 'if (gb_jumps && !gb_dumb && !gb_few) { eval gb_place_jumps }; set lmargin at screen gb_at_x(gb_cell_left(p)); ' \
    . 'set rmargin at screen gb_at_x(gb_cell_left(p) + gb_panel_wide); ' \
    . 'set tmargin at screen gb_at_y(gb_cell_top(p)); ' \
    . 'set bmargin at screen gb_at_y(gb_cell_top(p) + gb_panel_high); ' \
    . 'if (gb_named) { set label 3 gb_cell_name[p] at screen gb_at_x(gb_cell_left(p)), ' \
    . 'screen gb_at_y(gb_cell_top(p) - 0.65*gb_em*gb_name_size) left font gb_name_font_of(gb_cell_name[p]) noenhanced }; ' \
    . 'if (gb_lowest(p)) { set label 6 gb_wrapped(gb_xlabel, gb_xlabel_most) ' \
    . 'at screen gb_at_x(gb_cell_left(p) + gb_panel_wide/2), ' \
    . 'screen gb_at_y(gb_cell_top(p) + gb_panel_high + gb_tics_high + 0.65*gb_em*gb_label_size) center ' \
    . 'font gb_label_font noenhanced } else { unset label 6 }; ' \
    . 'if (gb_foremost(p)) { set label 7 gb_wrapped(gb_ylabel, gb_ylabel_most) at screen gb_at_x(gb_cell_left(p) - gb_left + gb_ylabel_at), ' \
    . 'screen gb_at_y(gb_cell_top(p) + gb_panel_high/2) center rotate font gb_label_font noenhanced } ' \
    . 'else { unset label 7 }; ' \
    . 'eval gb_place_tics'
gb_place_tics = 'if (gb_tics ne "") { eval "set xtics nomirror (" . (gb_lowest(p) || gb_tics_bare eq "" ? gb_tics : gb_tics_bare) . ") " ' \
    . '. (gb_turned ? "rotate by 90 right offset 0,gb_tics_nearer" : "norotate offset 0,gb_tics_nearer") . " font gb_x_tics_font" } ' \
    . 'else { set format x (gb_lowest(p) ? gb_x_format : ""); set xtics offset 0,gb_tics_nearer }'
# `p` is the panel; gb_each, if there is one, is done before each, gb_end behind it.
gb_each = ''
gb_end = ''
# Row n, from 0 at the top. A key's first entry stands below where it is put.
gb_dumb_at(n) = 1.0 - (n - 0.3)/(gb_lines - 1.0)
gb_dumb_tics = 'if (gb_tics ne "") { eval "set xtics nomirror (" . gb_tics . ")" } else { set xtics nomirror; set format x gb_x_format }; ' \
    . 'if (gb_most_name < 99 && gb_tics eq gb_x_tics) { set xtics ("" 1); do for [gb_i=1:words(gb_x_values)] { ' \
    . 'set xtics add (gb_tic_label(gb_x_name[gb_i][1:gb_most_name]) gb_i) } }'
gb_dumb_key = 'if (gb_key_beside) { set rmargin gb_wide_key; set key at screen 1.0 - (gb_wide_key - 1.0)/gb_columns, screen gb_dumb_at(gb_dumb_above(p)) ' \
    . 'left top Left reverse vertical maxcols 1 samplen 2 } else { set rmargin 2; ' \
    . 'set key at screen 0.01, screen gb_dumb_at(gb_lines - gb_key_below - gb_dumb_below(p) + 1) left top Left reverse vertical maxcols 1 samplen 2 }'
gb_draw_dumb_panel = 'set label 1 (p == 1 ? gb_dumb_title : "") . gb_cell_name[p] . (gb_cell_name[p] eq "" ? "" : "   ") . gb_ylabel ' \
    . 'at screen 0, screen gb_dumb_at(0) left; ' \
    . 'if (p == gb_cells && gb_dumb_foot_lines > 0) { set label 4 gb_wrapped(gb_dumb_foot, gb_columns - 1) at screen 0, screen gb_dumb_at(gb_lines - gb_dumb_foot_lines) left }; ' \
    . 'set tmargin at screen gb_dumb_at(gb_dumb_above(p)); ' \
    . 'set bmargin at screen gb_dumb_at(gb_lines - gb_dumb_below(p) - gb_key_below - 1); ' \
    . 'set xlabel gb_xlabel; eval gb_dumb_tics; eval gb_dumb_key; eval gb_plot'
gb_draw_dumb_all = 'do for [p=1:gb_cells] { eval gb_each; eval gb_draw_dumb_panel; eval gb_end }'
# That nothing is drawn the driver reads from a file beside.
gb_draw_unfit = 'set print gb_output . ".unfit"; print gb_unfit; unset print'
gb_draw_dumb = gb_dumb && gb_unfit ne "" ? gb_draw_unfit : gb_draw_dumb_all
gb_draw_all = 'set multiplot; eval gb_draw_head; eval gb_draw_key; do for [p=1:gb_cells] { ' \
    . 'eval gb_each; eval gb_place_panel; eval gb_plot; eval gb_end_head; eval gb_end }; unset multiplot'
gb_draw = gb_dumb ? gb_draw_dumb : gb_draw_all
