/* The files of a run in their folder: names, the lock that keeps two runs apart, and moving what an
 * earlier run measured out of the way. */
#ifndef GB_RECORD_FILES_H
#define GB_RECORD_FILES_H

#include "bench/util/disk.h"

/* FOLDER/NAME and the files FOLDER/NAME.csv, .samples.csv, .meta.json, .retried.csv,
 * .unfinished.json, .lock. */
typedef struct gb_result_files {
    char base[GB_PATH_SIZE];
    char csv[GB_PATH_SIZE + 16], samples[GB_PATH_SIZE + 16], meta[GB_PATH_SIZE + 16],
        retried[GB_PATH_SIZE + 16], unfinished[GB_PATH_SIZE + 20], lock[GB_PATH_SIZE + 16];
    int lock_fd;
} gb_result_files;

/* Names the files and makes the folder, with those above it. False and *error if it cannot. */
bool gb_files_name(gb_result_files *files, const char *folder, const char *name, gb_error *error);
/* Names them after another base, but for the lock. */
void gb_files_rebase(gb_result_files *files, const char *base);
/* Takes the lock and writes into it who has it (command may be NULL); what a dead owner left
 * unfinished is removed. False and *error, naming the owner, if another run writes these files. */
bool gb_files_lock(gb_result_files *files, const char *command, gb_error *error);
void gb_files_unlock(gb_result_files *files);
/* True if the name still means the file that is open. */
bool gb_files_same(int fd, const char *path);
/* False and *error if what was opened is a pipe, a device or a folder, or could not be opened for
 * being a link (fd -1, ELOOP): a run's rows belong into files. */
bool gb_files_plain(int fd, const char *path, gb_error *error);
/* Renames what is there to NAME.<run_id>.csv and so on, and says so on stderr. Files of a run that
 * measured nothing are removed. Nothing there is fine. Killed half-way, the next call goes on. */
bool gb_files_move_aside(const gb_result_files *files, gb_error *error);
/* Takes back a gb_files_move_aside that was killed half-way. */
bool gb_files_move_back(const gb_result_files *files, gb_error *error);

/* Whether a run writes a result file just now, as far as its lock tells: of a run on another host
 * it is taken for granted. */
bool gb_files_written_now(const char *csv);

#endif
