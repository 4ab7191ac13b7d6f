# LFVector by compare-and-swap over n, by the heap's size and the grid: a curve ends where pushes are
# lost. Beside it busy waiting, which takes each bucket once.
#
# gpubench: title LFVector by compare-and-swap: time, as far as it survives
# gpubench: x n
# gpubench: where keep=90 dist=uniform held=0 granule=0 heap=8388608 grid=blocks:1
# gpubench: needs lfvector-cas
# gpubench: variant lfvector-cas[grid=blocks:1,heap=8388608] CAS, one block, heap 8 MiB
# gpubench: variant lfvector-cas[grid=full,heap=8388608] CAS, many blocks, heap 8 MiB
# gpubench: variant lfvector-cas[grid=blocks:1,heap=1073741824] CAS, one block, heap 1 GiB
# gpubench: variant lfvector-cas[grid=full,heap=1073741824] CAS, many blocks, heap 1 GiB
# gpubench: variant lfvector-busy-wait[grid=blocks:1,heap=8388608] busy waiting, one block, heap 8 MiB
# gpubench: leaves *: what survives is asked of compare-and-swap, beside one that always does
# gpubench: several-x

load ARG1
gb_xlabel = "elements looked at, of which nine in ten are pushed"
gb_remark = "A curve ends before the first n at which pushes are lost."
gb_bars = 2
load gb_common
gb_ylabel = "time in " . gb_time_unit

eval gb_log_x
eval gb_tics_at_decades
gb_y_lo = 0.7*gb_time_min*gb_time_scale
gb_y_hi = 1.4*gb_time_max*gb_time_scale
eval gb_log_y

gb_plot = "plot " . gb_curves(gb_time_columns)
eval gb_draw
