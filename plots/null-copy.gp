# The copy that ceilings are measured with, over the bytes copied, and the ceiling.
#
# gpubench: title The copy that rows are held against
# gpubench: x bytes
# gpubench: where ns=0
# gpubench: variant copy kernel
# gpubench: variant memcpy cudaMemcpyAsync
# gpubench: leaves nothing empty waits host spin* round-trip blocks: copy nothing on the device
# gpubench: limit

load ARG1
gb_xlabel = "bytes copied"
gb_ylabel = "GB/s, read and written"
gb_bars = 1
gb_own_x = gb_panels > 1
load gb_common

if (gb_x_min <= 0) { gb_x_min = 16384 }
eval gb_log_x
gb_tics = "'16 KiB' 2**14, '64 KiB' 2**16, '256 KiB' 2**18, '1 MiB' 2**20, '4 MiB' 2**22, '16 MiB' 2**24, " \
    . "'64 MiB' 2**26, '256 MiB' 2**28, '1 GiB' 2**30"
if (gb_few) { eval gb_few_tics }
if (gb_column && !gb_few) { gb_tics = "'16 KiB' 2**14, '' 2**16, '' 2**18, '1 MiB' 2**20, '' 2**22, '' 2**24, '64 MiB' 2**26, " \
    . "'' 2**28, '1 GiB' 2**30" }
# A byte copied is one read and one written.
gb_y_hi = 1.08*2*gb_larger(gb_rate_max, gb_limit_max)/1e9
eval gb_linear_y

gb_plot = gb_limit_times(2, gb_curves_of("($1 > 0 ? $1 : NaN)", "(2*$2/1e9)", "(2*gb_bound(3,2)/1e9)", "(2*gb_bound(4,2)/1e9)"))
eval gb_draw
