# Figure 3 of the paper: GFlop/s over x, a panel for each radius: its three kernels with its block of 32x1x1 threads
# and with the best of the blocks measured, what the same bytes take to copy (measured here, else by the bandwidth of the
# ceiling), and the maxima that the paper names.
#
# gpubench: title Star stencils on a box of x · 256 · 256 cells (Figure 3)
# gpubench: x x
# gpubench: panels radius
# gpubench: best block
# gpubench: where y=256 z=256 fused=1
# gpubench: scale-by flop/s radius 1=13 2=25 3=37 4=49
# gpubench: paper stencil-figure3.csv
# gpubench: variant base BASE
# gpubench: variant base[block=32x1x1] BASE, block 32x1x1
# gpubench: variant csl CSL
# gpubench: variant csl[block=32x1x1] CSL, block 32x1x1
# gpubench: variant comp COMP
# gpubench: variant comp[block=32x1x1] COMP, block 32x1x1
# gpubench: variant copy copy of the same bytes
# gpubench: variant best fastest of the three
# gpubench: listed-only
# gpubench: several-x
# gpubench: needs base[block=32x1x1]
# gpubench: limit

load ARG1
gb_across = gb_panels > 1 ? 2 : 1
gb_down = (gb_panels + gb_across - 1) / gb_across
gb_panel_high = 210.0
gb_wide = 900
gb_high = 142 + (gb_panel_high + 58)*gb_down
load gb_common

# One colour a kernel, whatever the block: BASE is drawn broad, so that it is seen below a CSL that is as fast.
gb_kernel(s) = gb_variant[s] eq "base" ? 1 : gb_variant[s] eq "csl" ? 2 : gb_variant[s] eq "comp" ? 3 : 0
gb_is_paper_block(s) = gb_at[s] ne ""
set linetype 1 lc rgb "#56B4E9" lw 3.6 dt 1 pt 7 ps 0.45
set linetype 2 lc rgb "#D55E00" lw 1.3 dt 1 pt 5 ps 0.32
set linetype 3 lc rgb "#009E73" lw 1.5 dt 1 pt 9 ps 0.50
set linetype 4 lc rgb "#56B4E9" lw 2.2 dt (4,3) pt 6 ps 0.62
set linetype 5 lc rgb "#D55E00" lw 1.1 dt (4,3) pt 4 ps 0.52
set linetype 6 lc rgb "#009E73" lw 1.3 dt (4,3) pt 8 ps 0.70
gb_type(s) = gb_kernel(s) == 0 ? 31 : gb_kernel(s) + (gb_is_paper_block(s) ? 3 : 0)
gb_hollow(s) = gb_kernel(s) == 0 ? 31 : gb_kernel(s) + 3
gb_full(s) = gb_kernel(s) == 1 ? 7 : gb_kernel(s) == 2 ? 5 : 9
gb_drawn(s) = gb_level[s] == 0

gb_copied = 0
do for [s=gb_first[1]:gb_last[1]] { gb_copied = gb_copied + (gb_variant[s] eq "copy") }
gb_limited(p) = gb_copied == 0 && gb_limit[p] ne ""
gb_ceiling(p) = gb_limited(p) ? gb_limit[p] : gb_file[gb_first[p]]

gb_limit_max = 0.0
do for [p=1:gb_panels] {
    if (gb_limited(p)) {
        stats gb_limit[p] using 2 nooutput
        if (STATS_max > gb_limit_max) { gb_limit_max = STATS_max }
    }
}

set logscale y 10
set xrange [0 : gb_x_max*1.02]
set yrange [gb_rate_min/2.2e9 : (gb_limit_max > gb_rate_max ? gb_limit_max : gb_rate_max)*2.4e-9]

if (gb_dumb) {
    set xlabel "x"
    set ylabel "GFlop/s"
    eval gb_decades
    do for [p=1:gb_panels] {
        set title gb_title . "\n" . gb_subtitle . (gb_panel_title[p] eq "" ? "" : ", " . gb_panel_title[p])
        plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:($2/1e9) \
                 with linespoints lt s-gb_first[p]+1 title gb_label[s]
    }
} else {
    unset label 4
    set label 4 "Hollow points: both arrays fit in the L2 cache. Grey: highest values that the paper names, of its three kernels over all x." \
        . (gb_note eq "" ? "" : " ".gb_note) at screen 14.0/gb_wide, screen 12.0/gb_high left \
        font gb_family.",8.5" textcolor rgb "#707070" noenhanced
    set multiplot
    # One key for all panels, above them.
    set lmargin at screen 0.02
    set rmargin at screen 0.98
    set tmargin at screen 1.0-58.0/gb_high
    set bmargin at screen 1.0-100.0/gb_high
    unset border
    unset tics
    set key at screen 14.0/gb_wide, screen 1.0-56.0/gb_high left top vertical maxrows 2 Left reverse \
        samplen 2.4 width 0 font ",10"
    plot NaN notitle, \
         for [s=gb_first[1]:gb_last[1]] keyentry with lines lt gb_type(s) \
             title (gb_drawn(s) ? gb_label[s] . (gb_kernel(s) && !gb_is_paper_block(s) ? ", best block" : "") : ""), \
         keyentry with lines lt 31 title (gb_limited(1) ? "limit of the memory" : "")

    unset key
    unset label 1
    unset label 2
    unset label 4
    set border 3 lc rgb "#404040" lw 0.8
    eval gb_decades
    set ytics nomirror scale 0.6 font ",10"
    set xtics nomirror scale 0.6 font ",10" 256
    gb_panel_wide = (gb_wide - 76.0 - 24.0 - 62.0*(gb_across - 1)) / gb_across
    do for [p=1:gb_panels] {
        gb_column = (p - 1) % gb_across
        gb_row = (p - 1) / gb_across
        gb_left = 70.0 + gb_column*(gb_panel_wide + 62.0)
        gb_from_top = 124.0 + gb_row*(gb_panel_high + 58)
        set lmargin at screen gb_left/gb_wide
        set rmargin at screen (gb_left + gb_panel_wide)/gb_wide
        set tmargin at screen 1.0 - gb_from_top/gb_high
        set bmargin at screen 1.0 - (gb_from_top + gb_panel_high)/gb_high
        set label 3 gb_bold(gb_panel_title[p]) at graph 0.0, graph 1.05 left \
            font gb_bold_family.",11" @gb_markup
        unset xlabel
        unset ylabel
        if (gb_row == gb_down - 1) { set xlabel "x" font ",11" offset 0,0.4 }
        if (gb_column == 0) { set ylabel "GFlop/s" font ",11" offset 1.2,0 }
        # Which block was the best for most values of x.
        gb_blocks = ""
        do for [s=gb_first[p]:gb_last[p]] {
            if (gb_kernel(s) && gb_best[s] ne "") {
                gb_blocks = gb_blocks . (gb_blocks eq "" ? "best for most x: " : ", ") \
                    . gb_label[s] . " " . word(gb_best[s], 1)
            }
        }
        set label 5 gb_blocks at graph 0.99, graph 0.96 right font ",8.5" textcolor rgb "#606060" noenhanced
        # The published maxima by name, at the right.
        do for [s=gb_first[p]:gb_last[p]] {
            if (gb_level[s] > 0) {
                set label 100+s sprintf("%s %.0f", gb_device[s], gb_level[s]/1e9) at graph 0.99, first gb_level[s]/1e9 \
                    right offset 0,-0.6 font ",8.5" textcolor rgb "#606060" noenhanced
            }
        }
        plot gb_ceiling(p) using 1:(gb_limited(p) ? $2/1e9 : NaN) with lines lt 31 notitle, \
             for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:($2/1e9) with lines \
                 lt (gb_level[s] > 0 ? 22 : gb_type(s)) notitle, \
             for [s=gb_first[p]:gb_last[p]] gb_file[s] \
                 using 1:($9 == 0 && gb_kernel(s) && !gb_is_paper_block(s) ? $2/1e9 : NaN) \
                 with points lt gb_type(s) notitle, \
             for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:($9 == 1 && gb_kernel(s) ? $2/1e9 : NaN) \
                 with points lt gb_hollow(s) pt gb_full(s) lc rgb "white" notitle, \
             for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:($9 == 1 && gb_kernel(s) ? $2/1e9 : NaN) \
                 with points lt gb_hollow(s) lw 0.9 notitle
        do for [s=gb_first[p]:gb_last[p]] { unset label 100+s }
    }
    unset multiplot
}
