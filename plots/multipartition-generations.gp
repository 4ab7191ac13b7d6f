# Multipartition and GPU multisplit over generations, at two numbers of bins; and how many times as fast the one is.
#
# gpubench: title Partitioning 32-bit keys over generations of GPUs
# gpubench: generations bandwidth
# gpubench: where dist=uniform function=max|range payload=none type=u32 cache=warm|cold
# gpubench: best bins
# gpubench: near n=32000000
# gpubench: gpus gpus.csv
# gpubench: many what is printed stands beside what was measured
# gpubench: variant multipartition[bins=64] Multipartition, 64 bins
# gpubench: variant multipartition[bins=256] Multipartition, 256 bins
# gpubench: variant multisplit[bins=64] GPU multisplit, 64 bins
# gpubench: variant multisplit[bins=256] GPU multisplit, 256 bins
# gpubench: variant multisplit[bins=best] GPU multisplit, at its best bins
# gpubench: ratio multipartition/multisplit[bins=256] Multipartition over GPU multisplit, 256 bins
# gpubench: leaves *: the two that the paper compares

load ARG1
load gb_generations
