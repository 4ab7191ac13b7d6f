# shellcheck shell=bash
# Guards of gpubench scaling, and of tables and figures over numbers of GPUs: what is held against what, what is projected.

guard 'a projection has the factor that it was off by' 'scaling*find:expect' 'last ? last->time_s / last->model.total_s : 1' '1' scaling.sh
guard 'launches do not get fewer with more GPUs' 'scaling*find:expect' 'fmax(point->expected_s * fmax(factor, 1 / factor), constant)' 'point->expected_s * fmax(factor, 1 / factor)' scaling.sh
guard 'what was measured with more GPUs is not used' 'scaling*find:expect' 'series->points[i].gpus < point->gpus' 'i < series->count' scaling.sh
guard 'work is what was measured of that size' 'scaling*find:work_of' 'if (small) return small->time_s;' '' scaling.sh
guard 'the worst pair of GPUs counts' keep_worst 'longest ? found > *worst : found < *worst' 'true' scaling.sh
guard 'rows of one GPU alone are no series' 'scaling*find:gb_scaling_find' 'if (is_over_gpus(&scaling->series[i]))' '' scaling.sh
guard 'a stencil waits for neighbours alone' gb_scaling_rounds 'if (!rule || rule->of != GB_CROSS_BORDER)' '' scaling.sh
guard 'what is not known is not projected' 'scaling*find:finish_series' '&& !series->lacks' '' scaling.sh
guard 'a ratio is taken over another point' gb_table_row_over 'hold(b, &over, at);' '' table_mistakes.sh
guard 'a ratio is parted among so many' gb_table_ratio_per 'ratio->value / parts' 'ratio->value' table_mistakes.sh
guard 'a script may be of one primitive alone' plan_all_of 'if (script->primitive && strcmp(script->primitive, primitive) != 0) continue;' '' plot_mistakes.sh
