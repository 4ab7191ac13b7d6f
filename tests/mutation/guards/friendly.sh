# shellcheck shell=bash
# shellcheck disable=SC2016 # what stands in the files
# Guards about the first screen, history, and what is measured again when a file changes: see tests/mutation/guards.sh.

guard 'the first screen waits for no worker that hangs' print_silent 'worker->error.status == GB_TIMEOUT' 'false' welcome.sh
guard 'a recorded time is of the whole plan' recorded_in 'run.rows >= rows && ' '' welcome.sh
guard 'nothing is gone on with that has ended' look_into 'strcmp(run.state, "interrupted") == 0' 'true' welcome.sh
guard 'history is in the order of the graph, not of the clock' gb_history_ask_git 'history->by_commit = true;' 'history->by_commit = false;' history.sh
guard 'commits of one second have an order, too' history/git:read_order 'return list_order(a, folder, nothing);' 'return false;' history.sh
guard 'what was made good is no regression' look_since 'is_still_slower(step->last, group->pairs[i])' 'true' history.sh
guard 'runs of a dirty tree are not taken for one' same_state '!a->dirty && !b->dirty && ' '' history.sh
guard 'rows that fail from a commit on are a regression' look_since 'j->history->still_slower += step->still_broken;' '' history.sh
guard 'a figure that grows is taken away before anything is printed' gb_progress_clear 'gb_block_hide(&progress->figure, stderr);' '' live.sh
guard 'watch ends with a run that is gone' commands/watch:follow 'going && !written' 'false' live.sh
guard 'what was not built is not measured' gb_run_watch 'if (built && !gb_interrupted)' 'if (!gb_interrupted)' run_watch.sh
guard 'the worker is watched' tell_worker 'fprintf(told, "file %s\n", words[0]);' '(void)told;' run_watch.sh
guard 'a round is set beside the one before' take_told 'gb_run_since_print(line + 8);' '(void)line;' run_watch.sh
guard 'a figure that grows is no longer than the screen' gb_plot_apart 'keep_last_panels(text, (size_t)screen->lines + 1);' '' live.sh
guard 'a run of a config elsewhere records that repository' gb_meta_begin 'meta->sources = sources_of(config, meta->git);' '(void)sources_of;' history.sh
