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
# gpubench: variant hybrid
# gpubench: leaves cpu-* opencl-* lsd1 lsd1-* lsd4 lsd8: slower by far
# gpubench: leaves cub-radix-sort-latest: as the toolkit's
# gpubench: leaves small: radix-sort-small has it
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
