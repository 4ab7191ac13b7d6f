# shellcheck shell=bash
guard 'a number beyond 64 bits is no size' gb_size_parse \
    '(value > (UINT64_MAX - digit) / 10)' '(value > UINT64_MAX)' test_size
guard 'nor is one that its unit takes there' gb_size_parse \
    '(value > UINT64_MAX / units[i].factor)' '(value > UINT64_MAX)' test_size
guard 'a folder does not stand for results that a later run moved aside' is_result_file \
    '&& !gb_result_is_moved_aside(entry->d_name);' ';' test_result_rows
guard 'nor for rows that were measured again' is_of_some_run \
    '!gb_text_ends(name, ".retried.csv") && ' '' test_result_rows
guard 'a test that stops before its plan has failed' run.sh:run_one \
    'extra=1 why="ended without its plan' 'why="ended without its plan' counts.sh
guard 'a test that hangs has failed' run.sh:run_one 'extra=1 why="still running' 'why="still running' counts.sh
guard 'a test that dies has failed' run.sh:run_one 'extra=1 why="exit status' 'why="exit status' counts.sh
guard 'a part of a table has no empty rows' fill_variant_panel '!holds_something(cells, kept)' 'false' null.sh
guard 'what a config leaves out is small in quick runs' gb_plan_shrink 'plan->small = true;' '' test_config
guard 'a list of points, too' gb_plan_shrink 'if (plan->left_out[i] >> a & 1) plan->points[i].value[a] = small.value[a];' '' test_config
guard 'a long run says so at once' say_how_long 'if (seconds < 60 ||' 'if (true ||' run_end_to_end.sh
guard 'commands to copy are quoted' gb_shell_put 'strspn(word, plain) == strlen(word)' 'strspn(word, plain) <= strlen(word)' printed_commands.sh
guard 'a failed row alone is of the same plan' 'trouble:advise' 'words[count++] = config->quick ? "--quick" : "--full";' 'count += 0;' printed_commands.sh
guard 'and of the same worker' 'trouble:advise' 'if (setup->worker_spec) {' 'if (false) {' printed_commands.sh
