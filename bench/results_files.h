/* The files of a run in their folder: names, the lock that keeps two runs apart, and moving what an
 * earlier run measured out of the way. */
#ifndef GB_RESULTS_FILES_H
#define GB_RESULTS_FILES_H

#include "common/error.h"

#include <stddef.h>

enum { GB_PATH_SIZE = 4096 };

/* FOLDER/NAME and the files FOLDER/NAME.csv, .samples.csv, .meta.json, .lock. */
typedef struct gb_result_files {
    char base[GB_PATH_SIZE];
    char csv[GB_PATH_SIZE + 16], samples[GB_PATH_SIZE + 16], meta[GB_PATH_SIZE + 16],
        lock[GB_PATH_SIZE + 16];
    int lock_fd;
} gb_result_files;

/* Names the files and makes the folder, with those above it. False and *error if it cannot. */
bool gb_files_name(gb_result_files *files, const char *folder, const char *name, gb_error *error);
/* Takes the lock; false and *error, naming who has it, if another run writes these files. */
bool gb_files_lock(gb_result_files *files, gb_error *error);
void gb_files_unlock(gb_result_files *files);
/* Renames what is there to NAME.<run_id>.csv and so on, and says so on stderr. Files of a run that
 * measured nothing are removed. Nothing there is fine. */
bool gb_files_move_aside(const gb_result_files *files, gb_error *error);
/* Writes text to path so that it is there whole or not at all: beside it, then renamed. */
bool gb_files_replace(const char *path, const char *text, size_t size, gb_error *error);

#endif
