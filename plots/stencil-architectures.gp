# The paper's three kernels as printed over generations of GPUs, the fastest of them at each radius in the paper's block at
# the best x; and the fastest of any block, made well. stencil-generations.gp draws the same by radius, and the kernels
# against one another.
#
# gpubench: title Star stencils over generations of GPUs: the paper's kernels
# gpubench: generations bandwidth
# gpubench: best x block
# gpubench: no-cache-resident
# gpubench: where y=256 z=256 fused=1 steps=2
# gpubench: scale-by flop/s radius 1=13 2=25 3=37 4=49
# gpubench: assumed a cell counts as 2 · points - 1 flops
# gpubench: gpus gpus.csv
# gpubench: variant best;base-as-printed;csl-as-printed;comp-as-printed[radius=1,block=32x1x1] as in the paper, radius 1
# gpubench: variant best;base-as-printed;csl-as-printed;comp-as-printed[radius=2,block=32x1x1] as in the paper, radius 2
# gpubench: variant best;base-as-printed;csl-as-printed;comp-as-printed[radius=3,block=32x1x1] as in the paper, radius 3
# gpubench: variant best;base-as-printed;csl-as-printed;comp-as-printed[radius=4,block=32x1x1] as in the paper, radius 4
# gpubench: variant base;csl;comp[radius=1] well made, radius 1
# gpubench: variant base;csl;comp[radius=4] well made, radius 4
# gpubench: many a radius has a curve of its own, as printed and made well
# gpubench: leaves *: the paper's three kernels alone

load ARG1
load gb_generations
