# More keys than the device may hold: throughput from host memory to host memory over n, a panel for each distribution. The
# sorts that hold all keys end where the memory does.
#
# gpubench: title Sorting more keys than the device may hold: throughput
# gpubench: x n
# gpubench: panels dist
# gpubench: where type=u32 payload=none order=ascending bits=all
# gpubench: variant onesweep-out-of-core
# gpubench: variant onesweep
# gpubench: variant cub-radix-sort CUB
# gpubench: listed-only
# gpubench: several-x
# gpubench: needs onesweep-out-of-core

load ARG1
gb_xlabel = "keys"
gb_ylabel = "10⁹ keys/s"
gb_bars = 1
gb_named = 1
load gb_common

eval gb_log_x
eval gb_tics_at_sizes
gb_y_hi = 1.1*gb_rate_max/1e9
eval gb_linear_y

gb_plot = "plot " . gb_curves(gb_rate_columns)
eval gb_draw
