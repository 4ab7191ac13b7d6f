# shellcheck shell=bash
# Guards of gpubench compare --explain: what proves that something binds a row, and what does not.

guard 'noise widens the interval' explain_pair 'e->hi = ratio->hi * (1 + pair->effect);' 'e->hi = ratio->hi;' explain.sh
guard 'an interval wider than the lines are apart proves nothing' decide_by_ratio 'if (is_too_unsure(e, &of)) {' 'if (false) {' explain.sh
guard 'equal devices are not told apart' decide_by_ratio 'if (e->fits == sms) {' 'if (false) {' explain.sh
guard 'what fits into one L2 alone is no ratio' explain_pair 'fits_in_l2(pair->a) != fits_in_l2(pair->b)' 'false' explain.sh
guard 'a short time is that of launching' is_short 'row->time_s < launches_of_short_time * launch_s' 'false' explain.sh
guard 'copies of few multiprocessors are not its bandwidth' memory_of 'if (held && is_same_model(pair))' 'if (false)' explain.sh
guard 'a part does not hang on which is A' part_at 'return (of_a + of_a * ratio / first) / 2;' 'return of_a;' explain.sh
