# What all figures share: terminals, colours, line types, frame. A script begins with
#
#   load ARG1
#   load gb_common
#
# where ARG1 is the data file that `gpubench plot` wrote (its variables are listed in
# bench/plot_data.h).

set encoding utf8
set minussign

# ---- a grid of panels --------------------------------------------------------------------------
# A script that sets the size of a panel in points, gb_panel_wide and gb_panel_high, before it loads
# this has its panels in rows of gb_across: `p = 1; eval gb_place_panel` sets the margins of the
# first and writes its name; at gb_key_x and gb_key_y, a part of the figure, there is room for a key.
if (exists("gb_panel_wide")) {
    gb_across = gb_panels < 3 ? gb_panels : gb_panels < 5 ? 2 : 3
    gb_down = (gb_panels + gb_across - 1)/gb_across
    gb_spare = gb_across*gb_down > gb_panels # a place without a panel
    gb_grid_wide = 52 + gb_across*(gb_panel_wide + 46)
    gb_wide = gb_grid_wide + (gb_spare ? 0 : 265)
    gb_high = 104 + gb_down*(gb_panel_high + 54) + 16
    gb_panel_left(p) = 52.0 + ((p - 1) % gb_across)*(gb_panel_wide + 46)
    gb_panel_down(p) = 96.0 + ((p - 1)/gb_across)*(gb_panel_high + 54)
    gb_key_x = (gb_spare ? gb_panel_left(gb_panels + 1) : gb_grid_wide)/(1.0*gb_wide)
    gb_key_y = 1.0 - (gb_spare ? gb_panel_down(gb_panels + 1) : 96.0)/gb_high
    gb_place_panel = 'set lmargin at screen gb_panel_left(p)/gb_wide; ' . \
        'set rmargin at screen (gb_panel_left(p) + gb_panel_wide)/gb_wide; ' . \
        'set tmargin at screen 1.0 - gb_panel_down(p)/gb_high; ' . \
        'set bmargin at screen 1.0 - (gb_panel_down(p) + gb_panel_high)/gb_high; ' . \
        'set label 3 gb_bold(gb_panel_value[p]) at graph 0.0, graph 1.05 left font gb_bold_family.",11" @gb_markup'
    # What the panels show, below the subtitle; and, behind the first panel, all that it has alone.
    gb_place_quantity = 'set label 5 gb_quantity at screen 14.0/gb_wide, screen 1.0-58.0/gb_high left ' . \
        'font gb_family.",10" textcolor rgb "#505050" noenhanced'
    gb_end_panel = 'unset key; unset label 1; unset label 2; unset label 4; unset label 5'
}

# ---- terminals -------------------------------------------------------------------------------
# gb_wide and gb_high: the figure's size in points, which a script may set before it loads this.
if (!exists("gb_wide")) gb_wide = 760
if (!exists("gb_high")) gb_high = 470
gb_dumb = (gb_format eq "dumb")

gb_family = gb_format eq "svg" ? "sans-serif" : "sans"
if (gb_format eq "svg") \
    set terminal svg size gb_wide,gb_high enhanced background rgb "white" \
        font gb_family.",12" fontscale 1.2 linewidth 1.2
if (gb_format eq "pdf") \
    set terminal pdfcairo size gb_wide/72.0,gb_high/72.0 noenhanced \
        font gb_family.",12" fontscale 0.95 linewidth 1.6
if (gb_format eq "png") \
    set terminal pngcairo size 2*gb_wide,2*gb_high noenhanced background rgb "white" \
        font gb_family.",11" fontscale 1.9 linewidth 2 pointscale 2
if (gb_dumb && gb_colour) \
    set terminal dumb size gb_columns,gb_lines noenhanced ansi256
if (gb_dumb && !gb_colour) \
    set terminal dumb size gb_columns,gb_lines noenhanced mono
set output gb_output

# ---- line types ------------------------------------------------------------------------------
# The palette of Okabe and Ito (2008), told apart by colour-blind readers; each colour has its own
# point shape and every second line its own dashes, so that none depends on colour alone.
set linetype  1 lc rgb "#0072B2" lw 1.8 dt 1       pt 7  ps 0.60
set linetype  2 lc rgb "#D55E00" lw 1.8 dt 1       pt 5  ps 0.55
set linetype  3 lc rgb "#009E73" lw 1.4 dt (8,3)   pt 9  ps 0.75
set linetype  4 lc rgb "#CC79A7" lw 1.4 dt (3,3)   pt 11 ps 0.75
set linetype  5 lc rgb "#E69F00" lw 1.4 dt 1       pt 13 ps 0.80
set linetype  6 lc rgb "#56B4E9" lw 1.4 dt (8,3)   pt 15 ps 0.75
set linetype  7 lc rgb "#000000" lw 1.2 dt (3,3)   pt 4  ps 0.70
set linetype  8 lc rgb "#0072B2" lw 1.4 dt (8,3,2,3) pt 6  ps 0.75
set linetype  9 lc rgb "#D55E00" lw 1.4 dt (8,3,2,3) pt 8  ps 0.80
set linetype 10 lc rgb "#009E73" lw 1.4 dt 1       pt 12 ps 0.80
set linetype 11 lc rgb "#CC79A7" lw 1.4 dt (8,3)   pt 10 ps 0.80
set linetype 12 lc rgb "#E69F00" lw 1.4 dt (3,3)   pt 14 ps 0.80
set linetype 13 lc rgb "#000000" lw 1.4 dt 1       pt 2  ps 0.70
set linetype 14 lc rgb "#56B4E9" lw 1.4 dt (3,3)   pt 3  ps 0.70
set linetype 15 lc rgb "#0072B2" lw 1.4 dt (3,3)   pt 1  ps 0.70
# The papers' values: grey, open shapes.
set linetype 21 lc rgb "#8C8C8C" lw 1.4 dt (6,3)   pt 6  ps 0.65
set linetype 22 lc rgb "#6E6E6E" lw 1.4 dt (2,2)   pt 4  ps 0.60
set linetype 23 lc rgb "#A0A0A0" lw 1.4 dt (6,3)   pt 8  ps 0.75
set linetype 24 lc rgb "#5A5A5A" lw 1.4 dt (2,2)   pt 10 ps 0.75
# Limits.
set linetype 31 lc rgb "#000000" lw 1.2 dt (10,4)

# ---- frame -----------------------------------------------------------------------------------
if (!gb_dumb) {
    set border 3 lc rgb "#404040" lw 0.8
    set grid ytics lc rgb "#CCCCCC" lw 0.8 dt 1
    set tics out nomirror scale 0.6 textcolor rgb "#202020"
    set mxtics 1
}
# Text is taken as it stands, without markup for superscripts and the like; but SVG knows bold only
# as markup, the others only as part of the font's name.
gb_bold(text) = gb_format eq "svg" ? "{/:Bold ".text."}" : text
gb_bold_family = gb_format eq "svg" ? gb_family : gb_family.":Bold"
gb_markup = gb_format eq "svg" ? "enhanced" : "noenhanced"
set xtics noenhanced
set ytics noenhanced
set xlabel noenhanced
set ylabel noenhanced
set errorbars 0.6
set key noenhanced
if (gb_dumb) { set key below width 3; set tics scale 0 }

# The title in bold and the subtitle below it, both set left at the top of the figure; a note at its
# foot. Leave room for the first two with `set tmargin at screen gb_top`.
gb_top = 1.0 - 62.0/gb_high
if (!gb_dumb) {
    set label 1 gb_bold(gb_title) at screen 14.0/gb_wide, screen 1.0-20.0/gb_high left \
        font gb_bold_family.",14" textcolor rgb "#101010" @gb_markup
    set label 2 gb_subtitle at screen 14.0/gb_wide, screen 1.0-40.0/gb_high left \
        font gb_family.",10" textcolor rgb "#505050" noenhanced
    set label 4 "Error bars: 95 % confidence interval of the mean. ".gb_note \
        at screen 14.0/gb_wide, screen 10.0/gb_high left \
        font gb_family.",8.5" textcolor rgb "#707070" noenhanced
}
# Tics at 1, 2, 5 of every decade, for logarithmic y axes: `eval gb_decades`.
gb_decades = "set ytics (1 1)"
do for [gb_i=-9:9] {
    do for [gb_k in "1 2 5"] {
        gb_decades = gb_decades . sprintf("; set ytics add ('%g' %g)", gb_k*10.0**gb_i, gb_k*10.0**gb_i)
    }
}
# Tics at the values of x, as 1M, 16M: `eval gb_size_tics`. For logarithmic axes: of neighbours that
# are closer than 1.2 times the first has one.
gb_size_tics = "set xtics (1 1)"
if (exists("gb_x_values")) {
    gb_before = 0.0
    do for [gb_i=1:words(gb_x_values)] {
        gb_k = real(word(gb_x_values, gb_i))
        if (gb_k >= 1.2*gb_before) {
            gb_size_tics = gb_size_tics . sprintf("%s ('%s' %s)", gb_i == 1 ? "; set xtics" : "; set xtics add", \
                gprintf("%.0s%c", gb_k), word(gb_x_values, gb_i))
            gb_before = gb_k
        }
    }
}

# ---- one panel of curves -----------------------------------------------------------------------
# The key beside it, room for title and note: `eval gb_key_beside`.
gb_key_beside = gb_dumb ? 'set title gb_title . "\n" . gb_subtitle' : \
    'set tmargin at screen gb_top; set bmargin at screen 78.0/gb_high; ' . \
    'set xtics font ",10"; set ytics font ",10"; ' . \
    'set key outside right center Left reverse samplen 2.6 spacing 1.25 font ",10"'
# What `using` takes of a series, with its interval: rates in 10⁹/s, times in s. Values without an
# interval (the papers', and those of a single sample) get one without width.
gb_bound(c, value) = valid(c) ? column(c) : column(value)
gb_rate_columns = gb_dumb ? "1:($2/1e9) with linespoints" : \
    "1:($2/1e9):(gb_bound(3,2)/1e9):(gb_bound(4,2)/1e9) with yerrorlines"
gb_time_columns = gb_dumb ? "1:5 with linespoints" : \
    "1:5:(gb_bound(6,5)):(gb_bound(7,5)) with yerrorlines"
# All series, and before them the limit where there is one (not on the simt device):
# `eval "plot " . gb_limit_and(gb_curves(gb_rate_columns))`.
gb_curves(columns) = "for [s=gb_first[1]:gb_last[1]] gb_file[s] using " . columns . \
    " lt gb_style[s] title gb_label[s]"
gb_limit_and(curves) = (gb_limit[1] eq "" ? "" : \
    "gb_limit[1] using 1:($2/1e9) with lines lt 31 title gb_limit_label, ") . curves
