# Bodies inserted a second by how many multiprocessors build, a panel for each n: what the lock-free
# build gains where fewer threads contend; 56 multiprocessors are the paper's GPU's.
#
# gpubench: title Building octrees on a part of the GPU
# gpubench: x grid
# gpubench: categories
# gpubench: panels n
# gpubench: where leaf=1 pool=100 dist=all
# gpubench: variant burtscher-pingali-as-published Burtscher-Pingali, as published
# gpubench: variant octreebuild-lf-as-published OctreeBuild-LF, as published
# gpubench: variant burtscher-pingali Burtscher-Pingali
# gpubench: variant octreebuild-lf OctreeBuild-LF
# gpubench: variant burtscher-pingali-tuned Burtscher-Pingali, tuned
# gpubench: variant octreebuild-lf-tuned OctreeBuild-LF, tuned
# gpubench: leaves morton-regions: octree-sizes has it
# gpubench: leaves auto: octree-choice has it
# gpubench: leaves seeded: octree-sizes has it
# gpubench: leaves cpu*: the host's cores are not counted in multiprocessors
# gpubench: leaves octreebuild-lf-shared pool-clear morton: octree-rate has them, and were not measured on a part

load ARG1
# "sms:14": a number; a grid of another name has no place on the axis.
gb_sms(i) = gb_x_name[i][1:4] eq "sms:" ? gb_x_name[i][5:*] + 0 : NaN
gb_x_max = 0
do for [i=1:|gb_x_name|] { if (gb_sms(i) > gb_x_max) { gb_x_max = gb_sms(i) } }
gb_xlabel = "multiprocessors that build (the paper's GPU: 56)"
gb_ylabel = "10⁹ bodies/s"
gb_bars = 1
gb_panel_high = 240.0
gb_named = 1
load gb_common

gb_x_min = 0
gb_x_pad = 0.05*gb_x_max
eval gb_linear_x
if (gb_few) { eval gb_few_tics } else { do for [i=1:|gb_x_name|] { if (gb_sms(i) > 0) {
    gb_tics = gb_tics . sprintf("%s'%d' %d", gb_tics eq "" ? "" : ", ", gb_sms(i), gb_sms(i))
    gb_tics_bare = gb_tics_bare . sprintf("%s'' %d", gb_tics_bare eq "" ? "" : ", ", gb_sms(i))
} } }
gb_y_hi = 1.1*gb_rate_max/1e9
eval gb_linear_y

gb_plot = "plot " . gb_curves_of("(gb_sms($1))", "($2/1e9)", "(gb_bound(3,2)/1e9)", "(gb_bound(4,2)/1e9)")
eval gb_draw
