# Elements pushed a second by the whole device over n: arrays that do not grow, by how a place is found.
#
# gpubench: title push_back by the whole device: arrays that do not grow
# gpubench: x n
# gpubench: where grid=full keep=90 dist=uniform held=0 heap=8388608 granule=0
# gpubench: needs cub-select
# gpubench: variant static-tile static-tile (one atomicAdd a tile)
# gpubench: variant static-warp static-warp (one a warp)
# gpubench: variant static static (one an element)
# gpubench: variant cub-select CUB select
# gpubench: variant cub-select-latest CUB select, latest
# gpubench: leaves cpu* lfvector-* growable growable-push growable-ordered growable-readable growable-mapped growable-reserved growable-resumed ggarray: grow, or run elsewhere
# gpubench: several-x
# gpubench: limit

load ARG1
gb_xlabel = "elements looked at, of which nine in ten are pushed"
gb_ylabel = "10⁹ pushed elements/s"
gb_bars = 1
load gb_common

eval gb_log_x
eval gb_tics_at_decades
gb_y_lo = 0.7*gb_rate_min/1e9
gb_y_hi = 1.4*gb_larger(gb_rate_max, gb_limit_max)/1e9
eval gb_log_y

gb_plot = gb_limit_and(gb_curves(gb_rate_columns))
eval gb_draw
