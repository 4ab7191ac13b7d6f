# shellcheck shell=bash
# shellcheck disable=SC2016 # what stands in the files
# Guards about what a run shows while it goes, and keeps when it ends early: see tests/mutation/guards.sh.

guard 'what rows cost whatever their size is not what their size costs' remaining:fit_rows 'return (fit){fixed, slope};' 'return (fit){0, products / squares};' test_remaining
guard 'one variant does not foretell another' remaining:fit_of 'return fit_rows(v, r->known ? 1 : all);' 'return (fit){0, all};' test_remaining
guard 'the plan is believed at first' remaining:overall 'r->known ? prior_part * all : 0' '0 * prior_part * all' test_remaining
guard 'a line has room for ^C' gb_progress_line ' > 3 ? 3 : columns)' ' > 3 ? 1 : columns)' test_progress
guard 'no character is cut in two' gb_text_cut 'if (!begins_character(*at) || columns-- > 0) continue;' 'if (columns-- > 0) continue;' test_progress
guard 'rows stand in the order of the config' gb_display_print 'row->variant == display->config->variants[v]' 'v == 0' test_display
guard 'a reason is printed once' is_news '(void)gb_string_set_add(&display->reasons, key);' '(void)key;' test_display
guard 'a ratio is of the same cache mode' baseline_of 'other->cold == row->cold &&' '' test_display
guard 'what an interval does not say is not said' display:put_ratio 'ratio.lo <= 0 || half <= 0 || half >= ratio.value' 'false' test_display
guard 'an axis that does not vary is not named' gb_display_point 'if (!display->varies[a]) continue;' '' test_display
guard 'who reads the first rows ends nothing' run_here:gb_run_here 'signal(SIGPIPE, SIG_IGN);' '' run_end_to_end.sh
guard 'samples under way are kept' runner:run_group 'gb_sittings_keep(run, tasks, count);' '' run_end_to_end.sh
guard 'and gone on from' runner:run_group 'gb_sittings_adopt(run, tasks, count);' '' run_end_to_end.sh
guard 'under the same circumstances alone' gb_circumstances_differ 'if (strcmp(was, is) == 0) continue;' 'continue;' test_unfinished
guard 'they are as many as their sittings say' read_sittings 'samples == row->count' 'true' test_unfinished
guard 'to the last bit' unfinished:add_samples '%c%.17g' '%c%.9g' test_unfinished
guard 'less those that are there by now' unfinished:read_rows 'if (is_there(output, &row)) {' 'if (false) {' test_unfinished
guard 'a run that begins anew keeps them as well' moved_paths 'from[3] = files->unfinished;' 'from[3] = files->retried;' run_end_to_end.sh
guard 'no reason is one for all while others are at work' say_why_none 'if (unsupported < wanted) return;' 'if (unsupported < display->count) return;' run_end_to_end.sh
