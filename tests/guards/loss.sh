# shellcheck shell=bash
# What keeps measured rows from being lost, torn or written twice.
guard 'samples whose row has no room go with it' bench/results.c \
    'if (!good) gb_log_cut(&output->samples, before, NULL);' '' test_results
guard 'a torn line is cut back' bench/results_log.c \
    'if (sent > 0 && ftruncate(log->fd, log->size) != 0)' 'if (false)' results_disk.sh
guard 'a short write is continued' bench/results_disk.c \
    'done += (size_t)sent;' 'done = size;' test_crash
guard 'an interrupted write is repeated' bench/results_disk.c \
    'if (sent < 0 && errno == EINTR) continue;' '' test_crash
guard 'a file is replaced whole or not at all' bench/results_disk.c \
    'snprintf(beside, sizeof beside, "%s.new", path);' 'snprintf(beside, sizeof beside, "%s", path);' test_crash
guard 'and is on the disk before it gets its name' bench/results_disk.c \
    'gb_write_all(fd, text, size) == size && fdatasync(fd) == 0;' 'gb_write_all(fd, text, size) == size;' results_disk.sh
guard 'as is the name' bench/results_disk.c \
    'if (good) return gb_files_sync_folder(folder_of(path, folder), error);' 'if (good) return true;' results_disk.sh
guard 'so are the names of new tables' bench/results.c \
    'gb_files_sync_folder(setup->folder, error);' 'true;' results_disk.sh
guard 'and those of new folders' bench/results_files.c \
    'if (made && !gb_files_sync_folder(above, error)) return false;' '' results_disk.sh
guard 'rows wait for the disk a second at most' bench/results.c \
    'static const double sync_every_s = 1;' 'static const double sync_every_s = 1000;' results_disk.sh
guard 'the samples reach the disk before their rows' bench/results.c \
    'gb_log_sync(&output->samples, error) && gb_log_sync(&output->csv, error)' \
    'gb_log_sync(&output->csv, error) && gb_log_sync(&output->samples, error)' results_disk.sh
guard 'rows of removed files are saved' bench/results.c \
    'if (places[0] == GB_LOG_GONE || places[1] == GB_LOG_GONE) return save(output, error);' '' results_disk.sh
guard 'a moved file is noticed' bench/results.c \
    'if (place == GB_LOG_MOVED)' 'if (false)' results_disk.sh
guard 'somebody else who writes is noticed' bench/results.c \
    'if (place == GB_LOG_CHANGED)' 'if (false)' results_disk.sh
guard 'the files are looked after behind every row' bench/runner_trouble.c \
    'if (!gb_output_settle(run->output, run->error)) run->broken = true;' '' results_disk.sh
guard 'a limit on file sizes does not kill' bench/interrupt.c \
    'signal(SIGXFSZ, SIG_IGN);' '' results_disk.sh
guard 'after a full disk no other config begins' bench/run.c \
    'c->stop = end != GB_RUN_COMPLETE || !written;' 'c->stop = false;' results_disk.sh
guard 'one run at a time writes a file' bench/results_lock.c \
    'int reason = flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;' 'int reason = 0;' results_disk.sh
guard 'a lock without a name is no lock' bench/results_lock.c \
    'if (gb_files_same(fd, files->lock)) {' 'if (true) {' results_disk.sh
guard 'the lock of somebody else stays' bench/results_lock.c \
    'if (gb_files_same(files->lock_fd, files->lock)) unlink(files->lock);' 'unlink(files->lock);' results_disk.sh
guard 'a lock of another host is mentioned' bench/results_lock.c \
    'mention_stale(files, owner);' '' results_disk.sh
guard 'what a killed run had begun is removed' bench/results_lock.c \
    'remove_unfinished(files);' '' test_crash
guard 'a half move finds its names again' bench/results_files.c \
    'taken |= exists(to[i]) && (i == ROWS || exists(from[i]));' 'taken |= exists(to[i]);' test_crash
guard 'a half move is taken back by --resume' bench/resume.c \
    'if (!gb_files_move_back(&output->files, error)) return false;' '' test_crash
guard 'samples without any rows are kept' bench/results_files.c \
    'if (!*id && orphaned_samples(files))' 'if (false)' test_resume_samples
guard 'rows measured again move aside with their run' bench/results_files.c \
    'from[2] = files->retried;' 'from[2] = files->lock;' test_resume_samples
guard 'a torn row is cut' bench/resume.c \
    'truncate(files->csv, (off_t)csv->complete_bytes) != 0' 'false' test_crash
guard 'a row that is taken out is kept elsewhere' bench/resume.c \
    'if (!keep_elsewhere(r, error)) return false;' '' test_resume
guard 'and is not there twice after a kill' bench/resume.c \
    'if (good && !gb_string_set_has(&lines, line)) fputs(line, file);' 'if (good) fputs(line, file);' test_crash
guard 'a row that lost samples is measured again' bench/resume.c \
    'bool lost = samples && !gb_string_set_has(&r->found, samples);' 'bool lost = false;' test_resume_samples
guard 'a row counts once' bench/resume.c \
    'bool twice = !again && !lost && gb_string_set_has(done, r->keys[i]);' 'bool twice = false;' test_resume_samples
guard 'samples that were taken away stop --resume' bench/resume.c \
    'if (r->wanted.count == 0 || access(files->samples, F_OK) == 0) return true;' 'return true;' test_resume_samples
guard 'a file that holds no samples stops it, too' bench/resume_samples.c \
    'memcmp(found, header, got) != 0' 'false' test_resume_samples
guard 'samples without their row are cut' bench/resume_samples.c \
    'if (r.count == 0 || !owned(context, r.begin, r.count))' 'if (r.count == 0)' test_resume_samples
guard 'a gap in the samples is noticed' bench/resume_samples.c \
    'memcmp(line + r->length, number, (size_t)digits) == 0;' 'true;' test_resume_samples
guard 'samples that are cut out of the middle leave the rest' bench/resume_samples.c \
    'if (cut->count > 1 || cut->ranges[0].end < cut->size)' 'if (false)' test_resume_samples
guard 'a new samples file replaces the old one when it is whole' bench/resume_samples.c \
    'snprintf(beside, sizeof beside, "%s.new", path);' 'snprintf(beside, sizeof beside, "%s", path);' test_resume_samples
