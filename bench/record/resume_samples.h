/* The samples file of a run that is taken up: every line is checked, and those that belong to no
 * row are cut out. */
#ifndef GB_RECORD_RESUME_SAMPLES_H
#define GB_RECORD_RESUME_SAMPLES_H

#include "common/text/error.h"

#include <stddef.h>
#include <sys/types.h>

/* What is to be cut out of a samples file. */
typedef struct gb_samples_cut {
    struct gb_samples_range {
        off_t begin, end;
    } * ranges; /* in order */
    size_t count, capacity;
    off_t size; /* of the file */
} gb_samples_cut;

/* Reads the file and calls owned for every unbroken run of lines, numbered from 0, that begin
 * alike ("run_id,point,variant,cache,"): false puts them into *cut, as are lines that are no
 * samples and a torn end. A missing file is an empty one. Changes nothing. */
bool gb_samples_check(const char *path,
                      bool (*owned)(void *context, const char *begin, size_t count), void *context,
                      gb_samples_cut *cut, gb_error *error);
/* Cuts them out: the end of the file in place, anything before it in a new file that takes its
 * place. */
bool gb_samples_apply(const char *path, const gb_samples_cut *cut, gb_error *error);
void gb_samples_free(gb_samples_cut *cut);

#endif
