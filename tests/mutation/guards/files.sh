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
guard 'gnuplot ends with its driver' gb_gnuplot 'if (gb_interrupted) kill(pid, SIGTERM);' '' outputs.sh
guard "a user's .gnuplot is not read" gb_gnuplot '"-d",' '"-p",' outputs.sh
guard 'a lock is no link' gb_files_lock 'O_NOFOLLOW |' '' outputs.sh
guard 'rows go into files alone' gb_files_plain 'S_ISREG(info.st_mode)' 'true' outputs.sh
