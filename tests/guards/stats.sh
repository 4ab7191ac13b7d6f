# shellcheck shell=bash
# ---- intervals
guard "the mean's interval is Student's" common/stats.c \
    'gb_student_t975(count - 1) * stats->sd' 'normal_975 * stats->sd' test_stats_coverage
guard 'the standard deviation has n - 1 in its denominator' common/stats.c \
    'squares / (double)(count - 1)' 'squares / (double)count' test_stats_coverage
guard "the median's interval leaves out no more than 2.5 % a side" common/stats.c \
    'while (tail > 0.025)' 'while (tail > 0.05)' test_stats_coverage
guard 'one sample has no interval' common/stats.c \
    'if (stats->count < 2) return INFINITY;' '' test_stats
guard 'nor does its row show one' bench/results_row.c \
    'bool interval = s->count > 1;' 'bool interval = true;' test_stats_edges
# ---- numbers that are none
guard 'sums do not overflow, squares do not underflow' common/stats.c \
    'frexp(largest, &exponent);' 'exponent = 0;' test_stats_edges
guard 'denormal samples are not scaled to infinity' common/stats.c \
    'if (exponent < -1000) exponent = -1000;' '' test_stats_edges
guard 'no number that is none gets into a row' bench/results_row.c \
    'if (present && isfinite(value))' 'if (present)' test_stats_edges
guard 'statistics without memory say so' common/stats.c \
    'if (!scaled) return stats;' 'if (!scaled) { stats.count = count; return stats; }' test_stats_edges
# ---- flags
guard 'drift has to be sure' common/stats_series.c \
    '/ sqrt(variance / 18) > normal_9995' '/ sqrt(variance / 18) > 0' test_stats_coverage
guard 'drift has to matter' common/stats_series.h \
    '#define GB_SMALLEST_EFFECT 0.01' '#define GB_SMALLEST_EFFECT 0.0' test_stats
guard 'drift is found' common/stats.c \
    'stats->drift = trend &&' 'stats->drift = !trend &&' test_stats_flags
guard 'few clean samples have no outliers' common/stats.c \
    '(3 + 20 / (double)count)' '3' test_stats_coverage
guard 'autocorrelation is looked for the right way round' common/stats_series.c \
    'products - permuted_mean(n, s2) > critical' 'products - permuted_mean(n, s2) < -critical' test_stats_flags
guard 'and has to be sure' common/stats_series.c \
    'double critical = normal_999 +' 'double critical = 0 * normal_999 +' test_stats_coverage
guard 'the skewness of its statistic is allowed for' common/stats_series.c \
    'double skewness = 18 * n / pow(3 * n, 1.5);' 'double skewness = 0;' test_stats_coverage
guard 'it is judged by the moments of these samples' common/stats_series.c \
    'return square - mean * mean;' 'return n / 48;' test_stats_coverage
guard 'a few odd samples among equal ones do not autocorrelate' common/stats_series.c \
    'FEWEST_APART = 5' 'FEWEST_APART = 1' test_stats_coverage
guard 'an interval is widened by all the lags that matter' common/stats_series.c \
    'if (pair <= 0) break;' 'break;' test_stats_flags
guard 'the variance of a batch is that of its samples' common/stats_series.c \
    'squares / (double)batches * (double)size / single' 'squares / (double)batches / single' test_stats_flags
guard 'slight autocorrelation is no flag' common/stats_series.h \
    '#define GB_SMALLEST_WIDENING 1.25' '#define GB_SMALLEST_WIDENING 100' test_stats_flags
# ---- from the samples to the user
guard 'flag: unstable' bench/task.c 'flags |= GB_FLAG_UNSTABLE;' '{}' stats_flags.sh
guard 'flag: drift' bench/task.c 'flags |= GB_FLAG_DRIFT;' '{}' stats_flags.sh
guard 'flag: outliers' bench/task.c 'flags |= GB_FLAG_OUTLIERS;' '{}' stats_flags.sh
guard 'flag: autocorrelated' bench/task.c 'flags |= GB_FLAG_AUTOCORRELATED;' '{}' stats_flags.sh
guard 'flag: redone' bench/task.c 'if (redone) task->row.flags' 'if (false) task->row.flags' redone.sh
guard 'flag: throttled' bench/task.c 'row->flags |= GB_FLAG_THROTTLED;' '{}' stats_flags.sh
guard 'autocorrelated rows are warned of' bench/run_summary.c \
    'warn(totals, GB_FLAG_AUTOCORRELATED,' 'if (false) warn(totals, GB_FLAG_AUTOCORRELATED,' stats_flags.sh
guard 'tables mark autocorrelated rows' bench/table_cells.c \
    'GB_FLAG_DRIFT | GB_FLAG_AUTOCORRELATED' 'GB_FLAG_DRIFT' stats_flags.sh
# ---- automatic sampling, turns
guard 'auto has a floor' bench/config_measure.c \
    'FEWEST_AUTOMATIC = 20,' 'FEWEST_AUTOMATIC = 2,' test_config_mistakes
guard 'auto looks at growing spacing' bench/task.c \
    'unsigned step = count < 4 ? 1 : count / 4;' 'unsigned step = 1;' test_stats_stopping
guard 'auto has a ceiling' bench/task.c \
    'return step < measure->max_samples - count ? count + step : measure->max_samples;' \
    'return count + step;' test_stats_stopping
guard 'auto judges the interval as wide as it should be' common/stats.c \
    '(stats->ci95_hi - stats->ci95_lo) / 2 * stats->widening' \
    '(stats->ci95_hi - stats->ci95_lo) / 2' test_stats_stopping
guard 'auto leaves time for the second verification' bench/task.c \
    'return after <= context->measure->time_limit_s;' 'return after > 0;' test_stats_stopping
guard 'turns are short' bench/task.c 'FEWEST_TURNS = 20' 'FEWEST_TURNS = 5' test_stats_stopping
guard 'zeros alone are no times' bench/task.c 'if (!(stats.max > 0))' 'if (0)' test_stats_stopping
