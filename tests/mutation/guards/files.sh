# shellcheck shell=bash
# Guards about what people's files, shells and disks do: see tests/mutation/guards.sh.

guard 'closed standard descriptors are held' gb_descriptors_hold 'number <= STDERR_FILENO' 'number < STDIN_FILENO' descriptors.sh
guard 'what is held cannot be written to' gb_descriptors_hold 'number == STDIN_FILENO ? O_WRONLY : O_RDONLY' 'O_RDWR' descriptors.sh
guard 'a link stays a link' destination:look 'if (lstat(path, &named) == 0 && !S_ISLNK(named.st_mode)) return true;' 'return true;' outputs.sh
guard 'what leads nowhere is followed' destination:look 'errno == ENOENT ? follow(place->path, path, error)' 'errno == ENOENT ? true' outputs.sh
guard 'what is no file is written to' destination:look '*through = !S_ISREG(file->st_mode) || redirected(path, file) >= 0;' '*through = false;' outputs.sh
guard 'what stdout is appended to keeps its beginning' redirected 'for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {' 'for (int fd = STDOUT_FILENO; fd < 0; fd++) {' outputs.sh
guard 'permissions are kept' gb_files_replace '(!place.mode || fchmod(fd, place.mode) == 0) &&' '' outputs.sh
guard 'a figure has its end' gb_plot_is_whole 'memcmp(text + size - frames[i].end_size, frames[i].end, frames[i].end_size) == 0' 'true' outputs.sh
guard 'a figure has its beginning' gb_plot_is_whole 'memcmp(text, frames[i].begin, frames[i].begin_size) == 0 &&' '' outputs.sh
guard 'pages have all their lines' has_pages 'count % lines == 0' 'true' outputs.sh
guard 'gnuplot ends with its driver' gb_interrupt_wait 'if (gb_interrupted && !told) told = kill(child, SIGTERM) == 0;' '' outputs.sh
guard "a user's .gnuplot is not read" gb_gnuplot '"-d",' '"-p",' outputs.sh
guard 'a lock is no link' gb_files_lock 'O_NOFOLLOW |' '' outputs.sh
guard 'rows go into files alone' gb_files_plain 'S_ISREG(info.st_mode)' 'true' outputs.sh
guard 'samples have the mean of their row' has_mean 'mean <= 0 ||' 'true ||' results_text.sh
guard 'samples that are missing are told' tell_lacking 'if (lacking == 0) return;' 'return;' results_text.sh
guard 'samples may begin with a byte order mark' gb_samples_header 'memcmp(text, mark, marked) == 0 ? marked : 0' '0 ? marked : 0' results_text.sh
guard 'samples may have CR LF' gb_samples_read 'stop - 1 : stop' 'stop : stop' results_text.sh
guard 'a row whose last field is cut is torn' gb_rows_settle 'if (is_time(csv->rows[csv->row_count - 1][at])) return;' 'return;' results_text.sh
guard 'a whole last row is none' gb_rows_settle 'if (is_time(csv->rows[csv->row_count - 1][at])) return;' '' results_text.sh
guard 'what is left out is said' csv_load:settled 'if (csv->torn_line)' 'if (false)' results_text.sh
guard 'rows are resumed that readers take' rows_valid 'if (gb_row_check(csv, row, output->files.csv, GB_CRASHED, error)) continue;' 'continue;' results_text.sh
guard 'numbers are not below 0' measured:number 'return !(*value < 0) ||' 'return true ||' results_text.sh
guard 'slower is the opposite of faster' compare/judge:verdict_of 'if (sure && r->hi < 1 && r->value <= below) return GB_SLOWER;' 'if (sure && r->hi < 1 && r->value <= below) return GB_SAME;' corpus_compare
guard 'every verdict is counted' gb_compare_judge 'c->verdicts[pair->verdict]++;' '' corpus_compare
guard 'what no run writes is refused' rows/read:read_row 'measured ? gb_row_check : gb_row_schema_check' 'measured ? gb_row_schema_check : gb_row_schema_check' results_text.sh
