# How much faster than Burtscher and Pingali's construction made well the others are, over n.
#
# gpubench: title Building octrees: speed-up over Burtscher-Pingali
# gpubench: x n
# gpubench: panels dist
# gpubench: over burtscher-pingali
# gpubench: where leaf=1 grid=full pool=100
# gpubench: needs octreebuild-lf[grid=full]
# gpubench: several-x
# gpubench: variant octreebuild-lf OctreeBuild-LF
# gpubench: variant burtscher-pingali-tuned Burtscher-Pingali, tuned
# gpubench: variant octreebuild-lf-tuned OctreeBuild-LF, tuned
# gpubench: variant octreebuild-lf-shared OctreeBuild-LF, shared
# gpubench: leaves morton-regions: octree-sizes has it
# gpubench: leaves auto: octree-choice has it
# gpubench: leaves seeded: octree-sizes has it
# gpubench: leaves cpu* morton: octree-rate has them
# gpubench: leaves *-as-published: octree-paper-speedup has them
# gpubench: leaves pool-clear: builds nothing

load ARG1
gb_xlabel = "bodies"
gb_ylabel = "speed-up, times"
gb_bars = 3
gb_more = 1
array gb_more_text[1] = ["as Burtscher-Pingali"]
array gb_more_type[1] = [31]
gb_panel_high = gb_panels < 5 ? 240.0 : 170.0
gb_named = 1
load gb_common

gb_x_pad = 1.15
eval gb_log_x
eval gb_tics_at_sizes
gb_y_hi = 1.1*gb_larger(gb_speedup_max, 1)
eval gb_linear_y

# What the paper prints is one number about one point.
gb_plot = "plot 1 with lines lt 31 notitle, " . gb_curves(gb_speedup_columns) \
    . ', for [s=gb_first[p]:gb_last[p]] gb_file[s] using 1:(gb_published[s] ? $8 : NaN):(sprintf("%.4g", $8)) ' \
    . 'with labels right offset -0.8,0 font gb_small_font notitle'
eval gb_draw
