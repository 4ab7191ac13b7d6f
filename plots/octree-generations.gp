# Building octrees over generations of GPUs, in the paper's largest cube; and how much faster the paper's construction is
# than one with locks.
#
# gpubench: title Building octrees over generations of GPUs
# gpubench: generations sm-cycle
# gpubench: where dist=cube leaf=1 grid=full pool=100 cache=warm|cold
# gpubench: near n=16000000
# gpubench: gpus gpus.csv
# gpubench: variant octreebuild-lf OctreeBuild-LF, well made
# gpubench: variant burtscher-pingali-tuned;octreebuild-lf-tuned insertion, tuned
# gpubench: variant morton Morton codes
# gpubench: ratio octreebuild-lf-as-published/burtscher-pingali-as-published OctreeBuild-LF over Burtscher-Pingali, as published
# gpubench: ratio octreebuild-lf/burtscher-pingali the same, well made
# gpubench: leaves *: one of each kind of construction

load ARG1
load gb_generations
