/* A file that a run only appends to, whole lines at a time, and that it watches: nobody else may
 * write, move or remove it unnoticed. */
#ifndef GB_RECORD_LOG_H
#define GB_RECORD_LOG_H

#include "bench/record/files.h"

#include <sys/types.h>

typedef struct gb_log {
    int fd; /* -1: closed */
    char path[GB_PATH_SIZE + 16];
    off_t size; /* as this run left it */
} gb_log;

/* Opens for appending; a file that is empty or not there gets its header. */
bool gb_log_open(gb_log *log, const char *path, const char *header, size_t size, gb_error *error);
/* Appends text; on failure the file is cut back to what it was. */
bool gb_log_append(gb_log *log, const char *text, size_t size, gb_error *error);
/* Cuts it back to an earlier size. */
bool gb_log_cut(gb_log *log, off_t size, gb_error *error);
/* Waits until it is on the disk. */
bool gb_log_sync(gb_log *log, gb_error *error);
void gb_log_close(gb_log *log);

typedef enum gb_log_place {
    GB_LOG_HERE,
    GB_LOG_MOVED,  /* it has another name now */
    GB_LOG_GONE,   /* it has no name any more: when it is closed, it is lost */
    GB_LOG_CHANGED /* somebody else wrote or cut it */
} gb_log_place;
/* What became of the file since it was opened. */
gb_log_place gb_log_where(const gb_log *log);
/* Copies the whole file to path, which must not be there, onto the disk. */
bool gb_log_copy(const gb_log *log, const char *path, gb_error *error);

#endif
