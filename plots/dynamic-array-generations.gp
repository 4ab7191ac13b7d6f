# Appending to arrays over generations of GPUs, where the memory bounds it.
#
# gpubench: title Appending to arrays over generations of GPUs
# gpubench: generations bandwidth
# gpubench: where keep=90 grid=full dist=uniform held=0 heap=8388608 granule=0 cache=cold|warm
# gpubench: near n=1000000000
# gpubench: gpus gpus.csv
# gpubench: variant static-tile array of a fixed size
# gpubench: variant growable growable array
# gpubench: variant ggarray GGArray
# gpubench: variant cub-select CUB
# gpubench: leaves *: one of each kind of array

load ARG1
load gb_generations
