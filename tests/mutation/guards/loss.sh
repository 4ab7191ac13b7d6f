# shellcheck shell=bash
# What keeps measured rows from being lost, torn or written twice.
guard 'samples whose row has no room go with it' gb_output_write \
    'if (!good) gb_log_cut(&output->samples, before, NULL);' '' test_results
guard 'a torn line is cut back' gb_log_append \
    'if (sent > 0 && ftruncate(log->fd, log->size) != 0)' 'if (false)' results_disk.sh
guard 'a short write is continued' gb_write_all \
    'done += (size_t)sent;' 'done = size;' test_crash
guard 'an interrupted write is repeated' gb_write_all \
    'if (sent < 0 && errno == EINTR) continue;' '' test_crash
guard 'a file is replaced whole or not at all' open_beside \
    'snprintf(beside, GB_PATH_SIZE + 32, "%s.new", path);
    int fd = open(beside, how, 0666);' 'snprintf(beside, GB_PATH_SIZE + 32, "%s", path);
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);' test_crash
guard 'and is on the disk before it gets its name' gb_files_replace \
    'gb_write_all(fd, text, size) == size && fdatasync(fd) == 0;' 'gb_write_all(fd, text, size) == size;' results_disk.sh
guard 'as is the name' gb_files_replace \
    'if (good) return gb_files_sync_folder(gb_folder_of(place.path, folder), error);' 'if (good) return true;' results_disk.sh
guard 'so are the names of new tables' gb_output_open \
    'gb_files_sync_folder(setup->folder, error);' 'true;' results_disk.sh
guard 'and those of new folders' record/files:make_folders \
    'if (made && !gb_files_sync_folder(above, error)) return false;' '' results_disk.sh
guard 'rows wait for the disk a second at most' sync_every_s \
    'static const double sync_every_s = 1;' 'static const double sync_every_s = 1000;' results_disk.sh
guard 'the samples reach the disk before their rows' gb_output_sync \
    'gb_log_sync(&output->samples, error) && gb_log_sync(&output->csv, error)' \
    'gb_log_sync(&output->csv, error) && gb_log_sync(&output->samples, error)' results_disk.sh
guard 'rows of removed files are saved' still_here \
    'if (places[0] == GB_LOG_GONE || places[1] == GB_LOG_GONE) return save(output, error);' '' results_disk.sh
guard 'a moved file is noticed' still_here \
    'if (place == GB_LOG_MOVED)' 'if (false)' results_disk.sh
guard 'somebody else who writes is noticed' still_here \
    'if (place == GB_LOG_CHANGED)' 'if (false)' results_disk.sh
guard 'the files are looked after behind every row' gb_runner_write_row \
    'if (!gb_output_settle(run->output, run->error)) run->broken = true;' '' results_disk.sh
guard 'a limit on file sizes does not kill' gb_limits_begin \
    'signal(SIGXFSZ, SIG_IGN);' '' results_disk.sh
guard 'after a full disk no other config begins' run_open \
    'c->stop = end != GB_RUN_COMPLETE || !written;' 'c->stop = false;' results_disk.sh
guard 'one run at a time writes a file' gb_files_lock \
    'int reason = flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;' 'int reason = 0;' results_disk.sh
guard 'a lock without a name is no lock' gb_files_lock \
    'if (gb_files_same(fd, files->lock)) {' 'if (true) {' results_disk.sh
guard 'the lock of somebody else stays' gb_files_unlock \
    'if (gb_files_same(files->lock_fd, files->lock)) unlink(files->lock);' 'unlink(files->lock);' results_disk.sh
guard 'a lock of another host is mentioned' gb_files_lock \
    'mention_stale(files, owner);' '' results_disk.sh
guard 'what a killed run had begun is removed' gb_files_lock \
    'remove_unfinished(files);' '' test_crash
guard 'a half move finds its names again' free_names \
    'taken |= exists(to[i]) && (i == ROWS || exists(from[i]));' 'taken |= exists(to[i]);' test_crash
guard 'a half move is taken back by --resume' gb_resume \
    'if (!gb_files_move_back(&output->files, error)) return false;' '' test_crash
guard 'samples without any rows are kept' gb_files_move_aside \
    'if (!*id && orphaned_samples(files))' 'if (false)' test_resume_samples
guard 'rows measured again move aside with their run' moved_paths \
    'from[2] = files->retried;' 'from[2] = files->lock;' test_resume_samples
guard 'a torn row is cut' end_last_row \
    'truncate(path, (off_t)csv->complete_bytes) != 0' 'false' test_crash
guard 'a row that may be cut within its last field is measured again' gb_rows_settle \
    'if (!csv->unterminated) return;' 'return;' test_resume
guard 'a row without its line end gets one before the next' end_last_row \
    'if (!csv->unterminated) return true;' 'return true;' test_resume
guard 'a row that is taken out is kept elsewhere' take_out \
    'if (!keep_elsewhere(r, error)) return false;' '' test_resume
guard 'and is not there twice after a kill' keep_elsewhere \
    'if (good && !gb_string_set_has(&lines, line)) fputs(line, file);' 'if (good) fputs(line, file);' test_crash
guard 'a row that lost samples is measured again' resume:decide \
    'bool lost = samples && !gb_string_set_has(&r->found, samples);' 'bool lost = false;' test_resume_samples
guard 'a row counts once' resume:decide \
    'bool twice = !again && !lost && gb_string_set_has(done, r->keys[i]);' 'bool twice = false;' test_resume_samples
guard 'samples that were taken away stop --resume' samples_there \
    'if (r->wanted.count == 0 || access(files->samples, F_OK) == 0) return true;' 'return true;' test_resume_samples
guard 'a file that holds no samples stops it, too' gb_samples_check \
    'head == 0 && !torn' 'false' test_resume_samples
guard 'samples without their row are cut' 'resume*samples:check_lines' \
    'if (r.count == 0 || !owned(context, r.begin, r.count))' 'if (r.count == 0)' test_resume_samples
guard 'a gap in the samples is noticed' continues \
    'memcmp(line + r->length, number, (size_t)digits) == 0;' 'true;' test_resume_samples
guard 'samples that are cut out of the middle leave the rest' gb_samples_apply \
    'if (cut->count > 1 || cut->ranges[0].end < cut->size)' 'if (false)' test_resume_samples
guard 'a new samples file replaces the old one when it is whole' rewrite \
    'snprintf(beside, sizeof beside, "%s.new", place.path);' 'snprintf(beside, sizeof beside, "%s", place.path);' test_resume_samples
