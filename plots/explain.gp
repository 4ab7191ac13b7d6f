# What binds it (gpubench compare --explain --plot): of each experiment and variant the ratios of rates between two
# devices, beside the ratios of what these have. Experiments stand below one another, where they are many in columns.
#
# gpubench: title What binds it: ratios of rates
# gpubench: dump explain

load ARG1
set datafile missing "?"
gb_t = gb_file[1]
stats gb_t using (column("column")) name "C" nooutput
stats gb_t using (column("line")) name "L" nooutput
stats gb_t using (column("least")) name "LO" nooutput
stats gb_t using (column("most")) name "HI" nooutput
array gb_ratio[4]
array gb_said[4] = ["memory", "L2 (size × SM clock, assumed)", "SMs × SM clock (issue)", "SM clock (latency)"]
stats gb_t using (column("memory")) name "R1" nooutput
stats gb_t using (column("l2")) name "R2" nooutput
stats gb_t using (column("issue")) name "R3" nooutput
stats gb_t using (column("latency")) name "R4" nooutput
do for [i=1:4] { gb_ratio[i] = value(sprintf("R%d_min", i)) } # 0: unknown
# Those that are alike are one line.
gb_alike(a, b) = gb_ratio[a] > 0 && gb_ratio[b] > 0 && abs(log(gb_ratio[a]/gb_ratio[b])) < 0.005
if (gb_alike(3, 4)) { gb_said[3] = "SMs × SM clock, SM clock (issue, latency)"; gb_ratio[4] = 0 }

gb_cells = int(C_max)
array gb_cell_name[gb_cells]
do for [p=1:gb_cells] { gb_cell_name[p] = "" }
gb_across = gb_cells
gb_across_column = 1
gb_named = 0
gb_own_y = 1
gb_own_x = 1
gb_panel_high = (L_max + 1)*13.5
gb_print_high = (L_max + 1)*8.6
stats gb_t using (strlen(strcol("name"))*(strcol("kind") eq "head" ? 1.2 : 1.0)) name "N" nooutput # bold is wider
gb_left = (gb_print_wide > 0 ? 4.4 : 6.2)*N_max + (gb_print_wide > 0 ? 8 : 16)
gb_wide = 60 + gb_cells*(gb_left + (gb_cells > 1 ? 250 : 480))
if (gb_wide < 760) { gb_wide = 760 }
gb_xlabel = "ratio of rates"
gb_ylabel = ""

gb_own_key = 1
gb_kinds = 4
gb_keys = 0
gb_most_keys = 9
array gb_key_text[gb_most_keys]
array gb_key_type[gb_most_keys]
array gb_key_shape[gb_most_keys]
gb_add_key = 'gb_keys = gb_keys + 1; gb_key_text[gb_keys] = gb_new_text; gb_key_type[gb_keys] = gb_new_type; gb_key_shape[gb_keys] = gb_new_shape'
do for [i=1:4] {
    if (gb_ratio[i] > 0) {
        gb_new_text = sprintf("%s: %.3g", gb_said[i], gb_ratio[i])
        gb_new_type = 40 + i
        gb_new_shape = "line"
        eval gb_add_key
    }
}
array gb_class[gb_kinds] = ["memory, or mostly", "between", "issue or latency, or mostly", "none of these, or undecided"]
do for [i=1:gb_kinds] {
    stats gb_t using (strcol("kind") eq "point" && column("class") == i ? 1 : 0) name "K" nooutput
    if (K_max > 0) {
        gb_new_text = gb_class[i]
        gb_new_type = 50 + i
        gb_new_shape = "point"
        eval gb_add_key
    }
}
gb_new_text = "median"
gb_new_type = 59
gb_new_shape = "point"
eval gb_add_key
gb_remark = "Each point is a row (rows nearer than a point are one), the grey bar goes from the least to the most. Runs on the host, and with transfers, are left out."
load gb_common

set linetype 41 lc rgb "#0072B2" lw 1.8 dt 1
set linetype 42 lc rgb "#009E73" lw 1.3 dt (6,3)
set linetype 43 lc rgb "#D55E00" lw 1.8 dt 1
set linetype 44 lc rgb "#D55E00" lw 1.3 dt (2,3)
set linetype 51 lc rgb "#0072B2" pt 7 ps (gb_printed ? 0.35 : 0.5)
set linetype 52 lc rgb "#56B4E9" pt 7 ps (gb_printed ? 0.35 : 0.5)
set linetype 53 lc rgb "#E69F00" pt 7 ps (gb_printed ? 0.35 : 0.5)
set linetype 54 lc rgb "#9A9A9A" pt 6 ps (gb_printed ? 0.35 : 0.5)
set linetype 59 lc rgb "#000000" pt 13 ps (gb_printed ? 0.6 : 0.8)

# ---- x -----------------------------------------------------------------------------------------
gb_lo = LO_min
gb_hi = HI_max
do for [i=1:4] {
    if (gb_ratio[i] > 0 && gb_ratio[i] < gb_lo) { gb_lo = gb_ratio[i] }
    if (gb_ratio[i] > gb_hi) { gb_hi = gb_ratio[i] }
}
gb_lo = 0.97*gb_lo
gb_hi = 1.03*gb_hi
set logscale x
set xrange [gb_lo : gb_hi]
set yrange [-L_max - 0.6 : 0.4]
unset ytics
set grid noytics xtics lc rgb "#E4E4E4" lw 0.6 dt 1
gb_x_tics_font = gb_tics_font
# Round ratios, as near to one another as their labels have room.
gb_apart_by(step) = gb_panel_wide*log(step)/log(gb_hi/gb_lo) > 2.8*gb_em*gb_tics_size
gb_steps = gb_apart_by(1.11) ? "1 1.2 1.5 2 2.5 3 4 5 6 7 8 9" : gb_apart_by(1.33) ? "1 1.5 2 3 5 7" : gb_apart_by(2) ? "1 2 5" : "1"
gb_tics = ""
do for [i=-3:3] { do for [k in gb_steps] {
    gb_v = real(k)*10.0**i
    if (gb_v >= gb_lo && gb_v <= gb_hi && !(i < 0 && strstrt(k, "."))) {
        gb_tics = gb_tics . sprintf("%s'%.4g' %.10g", gb_tics eq "" ? "" : ", ", gb_v, gb_v)
    }
} }
gb_tics_bare = ""

# ---- panels ------------------------------------------------------------------------------------
gb_name_letters = gb_font(gb_small_size)
gb_head_letters = gb_bold_font(gb_small_size)
gb_in(k) = strcol("kind") eq k && column("column") == p
gb_each = 'do for [i=1:4] { if (gb_ratio[i] > 0) { set arrow 700+i from first gb_ratio[i], graph 0 to first gb_ratio[i], graph 1 nohead lt 40+i back } }'
gb_at_line = '(-column("line"))'
gb_beyond = 'gb_lo*exp(-log(gb_hi/gb_lo)*gb_name_gap/gb_panel_wide)'
gb_name_gap = gb_printed ? 4.0 : 8.0
gb_plot = 'plot gb_t using (gb_in("variant") ? column("least") : NaN):(-column("line")):(column("most") - column("least")):(0) ' \
    . 'with vectors nohead lc rgb "#C8C8C8" lw (gb_printed ? 3 : 5) dt 1 notitle, ' \
    . 'for [k=1:gb_kinds] gb_t using (gb_in("point") && column("class") == k ? column("median") : NaN):(-column("line")) with points lt 50+k notitle, ' \
    . 'gb_t using (gb_in("variant") ? column("median") : NaN):(-column("line")) with points lt 59 notitle, ' \
    . 'gb_t using (gb_in("variant") ? gb_lo : NaN):(-column("line")):(strcol("name") . " ") with labels right font gb_name_letters ' \
    . 'textcolor rgb "#202020" noenhanced notitle, ' \
    . 'gb_t using (gb_in("head") ? gb_lo : NaN):(-column("line")):(strcol("name") . " ") with labels right font gb_head_letters ' \
    . 'textcolor rgb "#101010" noenhanced notitle'
eval gb_draw
