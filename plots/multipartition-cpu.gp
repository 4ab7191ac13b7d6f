# From host memory to host memory: throughput over the number of bins at the largest n, of the CPU's cores and of the
# device with its transfers.
#
# gpubench: title Partitioning from host memory to host memory
# gpubench: x bins
# gpubench: largest n
# gpubench: where dist=uniform payload=none type=u32 function=max|range
# gpubench: variant multipartition GPU and transfers, Multipartition
# gpubench: variant cpu-parallel CPU, all cores
# gpubench: variant cpu CPU, one core
# gpubench: leaves buffer-per-warp large multisplit* cub-* unstable unstable-* stable stable-* auto auto-stable: stand for their time on the device, not for transfers
# gpubench: several-x
# gpubench: needs cpu-parallel

load ARG1
gb_xlabel = "bins"
gb_ylabel = "10⁹ keys/s"
gb_bars = 1
gb_turned = 1
load gb_common

gb_x_pad = 1.08
eval gb_log_x
eval gb_tics_at_values
gb_y_lo = 0.7*gb_rate_min/1e9
gb_y_hi = 1.4*gb_rate_max/1e9
eval gb_log_y

gb_plot = "plot " . gb_curves(gb_rate_columns)
eval gb_draw
