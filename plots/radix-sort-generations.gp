# Sorting 32-bit keys on the device over generations of GPUs: ours, Onesweep, CUB, and what came before them.
#
# gpubench: title Sorting 32-bit keys over generations of GPUs
# gpubench: generations bandwidth sm-cycle
# gpubench: where dist=uniform type=u32|i32|f32 payload=none order=ascending bits=all, cache=cold|warm
# gpubench: near n=268435456
# gpubench: gpus gpus.csv
# gpubench: variant hybrid hybrid
# gpubench: variant onesweep onesweep
# gpubench: variant cub-radix-sort CUB
# gpubench: variant b40c;multisplit-sort earlier sorts (b40c, by multisplit)
# gpubench: leaves *: one of each kind of sort

load ARG1
load gb_generations
