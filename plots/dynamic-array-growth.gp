# Growing as it goes: how long ten million more take, by how many the array holds. Peaks are stalls:
# pieces being mapped, and granules that a push finds missing.
#
# gpubench: title Growing: time for ten million more elements, by how many there are
# gpubench: x held
# gpubench: where keep=90 dist=uniform grid=full granule=0 heap=8388608
# gpubench: largest n
# gpubench: variant growable
# gpubench: variant growable-mapped growable-mapped (maps as it fills)
# gpubench: variant static-tile static-tile (does not grow)
# gpubench: leaves cpu* lfvector-* static static-warp cub-* growable-push growable-ordered growable-readable growable-reserved growable-resumed ggarray: do not map memory as they grow
# gpubench: several-x

load ARG1
gb_xlabel = "elements held before"
gb_bars = 2
load gb_common
gb_ylabel = "time in " . gb_time_unit

gb_x_pad = 0.02*gb_x_max
eval gb_linear_x
gb_x_format = "%.0s%c"
gb_y_hi = 1.05*gb_time_max*gb_time_scale
eval gb_linear_y

gb_plot = "plot " . gb_curves(gb_time_columns)
eval gb_draw
