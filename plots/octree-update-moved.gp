# What a second of an update is worth by how far the bodies have moved, beside builds from scratch.
#
# gpubench: title Octrees of bodies that moved a little
# gpubench: primitive octree-update
# gpubench: x moved
# gpubench: categories
# gpubench: panels dist
# gpubench: largest n
# gpubench: where leaf=1
# gpubench: needs update
# gpubench: several-x
# gpubench: variant update
# gpubench: variant morton morton, from scratch
# gpubench: variant octreebuild-lf-tuned insertion, from scratch
# gpubench: leaves burtscher-pingali-tuned: the table has it

load ARG1
gb_xlabel = "moved by, in edges of an even cell"
gb_ylabel = "10⁹ bodies/s"
gb_bars = 1
gb_named = 1
load gb_common

gb_tics = gb_x_tics
do for [i=1:words(gb_x_values)] { gb_tics_bare = gb_tics_bare . sprintf("%s'' %d", i > 1 ? ", " : "", i) }
set xrange [0.6 : gb_x_max + 0.4]
gb_y_lo = 0.7*gb_rate_min/1e9
gb_y_hi = 1.4*gb_rate_max/1e9
eval gb_log_y

gb_plot = "plot " . gb_curves(gb_rate_columns)
eval gb_draw
