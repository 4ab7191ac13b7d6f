# Sorting over several GPUs: what each of several GPUs is worth, beside one that does it alone by the best we have: of work of one size (strong)
# and of work that grows with the GPUs (weak).
#
# gpubench: title Sorting over several GPUs: efficiency
# gpubench: primitive radix-sort-multi
# gpubench: x gpus
# gpubench: panels scaling
# gpubench: over single[gpus=1]
# gpubench: per gpus
# gpubench: largest n
# gpubench: where key=u32 payload=none dist=uniform share=even
# gpubench: several-x
# gpubench: variant nccl NCCL
# gpubench: variant nccl-merge NCCL, merge
# gpubench: variant peers peers
# gpubench: variant peers-copies peers, by copies
# gpubench: leaves single: what the others are held against

load ARG1
gb_xlabel = "GPUs"
gb_ylabel = "efficiency"
gb_bars = 3
gb_remark = "Efficiency: a GPU's part of the speed-up over one GPU that does it alone."
gb_more = 1
array gb_more_text[1] = ["as one GPU"]
array gb_more_type[1] = [31]
load gb_common

gb_x_pad = 1.15
eval gb_log_x
eval gb_tics_at_sizes
gb_y_hi = 1.12*gb_larger(gb_speedup_max, 1)
eval gb_linear_y

gb_plot = "plot 1 with lines lt 31 notitle, " . gb_curves(gb_speedup_columns)
eval gb_draw
