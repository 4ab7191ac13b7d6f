# Bodies a second by how they lie, a panel for each n: what inserts, what sorts, and what chooses between them.
#
# gpubench: title Octrees by insertion, by sorting, and by what a sample asks for
# gpubench: primitive octree
# gpubench: x dist
# gpubench: categories
# gpubench: panels n
# gpubench: where leaf=1 grid=full pool=200
# gpubench: needs auto
# gpubench: several-x
# gpubench: variant auto
# gpubench: variant morton
# gpubench: variant octreebuild-lf-tuned insertion without locks, tuned
# gpubench: variant burtscher-pingali-tuned insertion with locks, tuned
# gpubench: leaves morton-regions: octree-sizes has it
# gpubench: leaves burtscher-pingali: octree-rate has it
# gpubench: leaves octreebuild-lf: octree-rate has it
# gpubench: leaves octreebuild-lf-shared: octree-rate has it
# gpubench: leaves cpu: octree-rate has all cores
# gpubench: leaves cpu-parallel: octree-rate has it
# gpubench: leaves *-as-published: octree-paper has them
# gpubench: leaves pool-clear: builds nothing

load ARG1
gb_xlabel = "how the bodies lie"
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
