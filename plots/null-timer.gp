# How wrong the timer is about a spin of known length: as measured, and less a spin of 0 ns, which has
# everything but the length.
#
# gpubench: title The timer against spins of known length
# gpubench: x ns
# gpubench: where bytes=0
# gpubench: variant spin device events
# gpubench: variant spin-host-clock host's clock
# gpubench: leaves nothing empty waits host copy memcpy round-trip blocks: do not spin

load ARG1
# The row of 0 ns is no point of the figure: it is what the others are corrected by.
array gb_zero[gb_last[1]]
gb_own_key = 1
gb_keys = 0
array gb_key_text[2*gb_last[1]+1]
array gb_key_type[2*gb_last[1]+1]
array gb_key_shape[2*gb_last[1]+1]
array gb_key_value[2*gb_last[1]+1]
gb_error(ns, seconds) = ns > 0 ? 100*abs(1e9*seconds/ns - 1) : NaN
do for [s=gb_first[1]:gb_last[1]] {
    stats gb_file[s] using ($1 == 0 ? $5 : NaN) nooutput
    gb_zero[s] = STATS_records > 0 ? STATS_min : NaN
    do for [k=0:1] {
        gb_keys = gb_keys + 1
        gb_key_text[gb_keys] = gb_label[s] . (k ? ", less a spin of 0" : ", as measured")
        gb_key_type[gb_keys] = gb_style[s] + (k ? 0 : gb_last[1])
        gb_key_shape[gb_keys] = "both"
        stats gb_file[s] using ($1 == gb_x_max ? gb_error($1, $5 - (k ? gb_zero[s] : 0)) : NaN) nooutput
        gb_key_value[gb_keys] = STATS_records > 0 ? STATS_max : 0
    }
}
gb_keys = gb_keys + 1
gb_key_text[gb_keys] = "0.5 %"
gb_key_type[gb_keys] = 31
gb_key_shape[gb_keys] = "line"
gb_key_value[gb_keys] = 0.5

gb_xlabel = "length asked for in µs"
gb_ylabel = "error of the measured time in %"
gb_own_x = gb_panels > 1
load gb_common

if (gb_x_min <= 0) { gb_x_min = 1000 }
eval gb_log_x
gb_tics = "'1' 1e3, '10' 1e4, '50' 5e4, '100' 1e5, '1000' 1e6, '10000' 1e7, '100000' 1e8, '1000000' 1e9"
gb_y_lo = 0.8e-3
gb_y_hi = 1.2e3
eval gb_log_y
set mxtics 10

gb_plot = 'plot 0.5 with lines lt 31 title "0.5 %", ' \
    . 'for [s=gb_first[1]:gb_last[1]] gb_file[s] using 1:(gb_error($1, $5)) ' \
    . 'with linespoints lt gb_style[s]+gb_last[1] title gb_label[s].", as measured", ' \
    . 'for [s=gb_first[1]:gb_last[1]] gb_file[s] using 1:(gb_error($1, $5-gb_zero[s])) ' \
    . 'with linespoints lt gb_style[s] title gb_label[s].", less a spin of 0"'
eval gb_draw
