# shellcheck shell=bash
# ---- intervals
guard "the mean's interval is Student's" stats/stats:mean_of \
    'gb_student_t975(count - 1) * stats->sd' 'normal_975 * stats->sd' test_stats_coverage
guard 'the standard deviation has n - 1 in its denominator' stats/stats:mean_of \
    'squares / (double)(count - 1)' 'squares / (double)count' test_stats_coverage
guard "the median's interval leaves out no more than 2.5 % a side" median_rank \
    'while (tail > 0.025)' 'while (tail > 0.05)' test_stats_coverage
guard 'one sample has no interval' gb_stats_rel_ci \
    'if (stats->count < 2) return INFINITY;' '' test_stats
guard 'nor does its row show one' put_measurement \
    'bool interval = s->count > 1;' 'bool interval = true;' test_stats_edges
# ---- numbers that are none
guard 'sums do not overflow, squares do not underflow' gb_stats_of \
    'frexp(largest, &exponent);' 'exponent = 0;' test_stats_edges
guard 'denormal samples are not scaled to infinity' gb_stats_of \
    'if (exponent < -1000) exponent = -1000;' '' test_stats_edges
guard 'no number that is none gets into a row' record/row:put_number \
    'if (present && isfinite(value))' 'if (present)' test_stats_edges
guard 'statistics without memory say so' gb_stats_of \
    'if (!scaled) return stats;' 'if (!scaled) { stats.count = count; return stats; }' test_stats_edges
# ---- flags
guard 'drift has to be sure' gb_series_trends \
    '/ sqrt(variance / 18) > normal_9995' '/ sqrt(variance / 18) > 0' test_stats_coverage
guard 'drift has to matter' GB_SMALLEST_EFFECT \
    '#define GB_SMALLEST_EFFECT 0.01' '#define GB_SMALLEST_EFFECT 0.0' test_stats
guard 'drift is found' stats:describe \
    'stats->drift = trend &&' 'stats->drift = !trend &&' test_stats_flags
guard 'few clean samples have no outliers' count_outliers \
    '(3 + 20 / (double)count)' '3' test_stats_coverage
guard 'autocorrelation is looked for the right way round' neighbours_agree \
    'products - permuted_mean(n, s2) > critical' 'products - permuted_mean(n, s2) < -critical' test_stats_flags
guard 'and has to be sure' neighbours_agree \
    'double critical = normal_999 +' 'double critical = 0 * normal_999 +' test_stats_coverage
guard 'the skewness of its statistic is allowed for' neighbours_agree \
    'double skewness = 18 * n / pow(3 * n, 1.5);' 'double skewness = 0;' test_stats_coverage
guard 'it is judged by the moments of these samples' permuted_variance \
    'return square - mean * mean;' 'return n / 48;' test_stats_coverage
guard 'a few odd samples among equal ones do not autocorrelate' neighbours_agree \
    'FEWEST_APART = 5' 'FEWEST_APART = 1' test_stats_coverage
guard 'an interval is widened by all the lags that matter' inefficiency \
    'if (pair <= 0) break;' 'break;' test_stats_flags
guard 'the variance of a batch is that of its samples' gb_series_widening \
    'squares / (double)batches * (double)size / single' 'squares / (double)batches / single' test_stats_flags
guard 'slight autocorrelation is no flag' GB_SMALLEST_WIDENING \
    '#define GB_SMALLEST_WIDENING 1.25' '#define GB_SMALLEST_WIDENING 100' test_stats_flags
# ---- from the samples to the user
guard 'flag: unstable' gb_stats_flags 'flags |= GB_FLAG_UNSTABLE;' '{}' stats_flags.sh
guard 'flag: drift' gb_stats_flags 'flags |= GB_FLAG_DRIFT;' '{}' stats_flags.sh
guard 'flag: outliers' gb_stats_flags 'flags |= GB_FLAG_OUTLIERS;' '{}' stats_flags.sh
guard 'flag: autocorrelated' gb_stats_flags 'flags |= GB_FLAG_AUTOCORRELATED;' '{}' stats_flags.sh
guard 'flag: redone' task:verify 'if (task->told.redone) task->row.flags' 'if (false) task->row.flags' redone.sh
guard 'flag: ungated' task:take 'if (task->told.ungated) task->row.flags' 'if (false) task->row.flags' test_stats_stopping
guard 'flag: throttled' fill_row 'row->flags |= GB_FLAG_THROTTLED;' '{}' stats_flags.sh
guard 'autocorrelated rows are warned of' warn_of_times \
    'warn(totals, GB_FLAG_AUTOCORRELATED,' 'if (false) warn(totals, GB_FLAG_AUTOCORRELATED,' stats_flags.sh
guard 'tables mark autocorrelated rows' starred_flags \
    'GB_FLAG_DRIFT | GB_FLAG_AUTOCORRELATED' 'GB_FLAG_DRIFT' stats_flags.sh
# ---- automatic sampling, turns
guard 'auto has a floor' FEWEST_AUTOMATIC \
    'FEWEST_AUTOMATIC = 20,' 'FEWEST_AUTOMATIC = 2,' test_config_mistakes
guard 'auto looks at growing spacing' gb_auto_target \
    'unsigned step = count < 4 ? 1 : count / 4;' 'unsigned step = 1;' test_stats_stopping
guard 'auto has a ceiling' gb_auto_target \
    'return step < measure->max_samples - count ? count + step : measure->max_samples;' \
    'return count + step;' test_stats_stopping
guard 'auto judges the interval as wide as it should be' gb_stats_rel_ci \
    '(stats->ci95_hi - stats->ci95_lo) / 2 * stats->widening' \
    '(stats->ci95_hi - stats->ci95_lo) / 2' test_stats_stopping
guard 'auto leaves time for the second verification' gb_task_wants \
    'return after <= context->measure->time_limit_s;' 'return after > 0;' test_stats_stopping
guard 'turns are short' FEWEST_TURNS 'FEWEST_TURNS = 20' 'FEWEST_TURNS = 5' test_stats_stopping
guard 'zeros alone are no times' gb_task_finish 'if (!(stats.max > 0))' 'if (0)' test_stats_stopping
