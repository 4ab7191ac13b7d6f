/* NAME.meta.json: everything about a run that is not in its rows. */
#ifndef GB_RECORD_META_H
#define GB_RECORD_META_H

#include "bench/record/totals.h"

typedef struct gb_meta {
    cJSON *host, *git, *environment; /* of this process; git may be NULL */
    cJSON *sources;                  /* git of the config's folder, where it is another commit */
    cJSON *command_line;
    const cJSON *beside; /* how other devices of the host were used meanwhile; NULL: nothing */
    char started_utc[24];
    double begun;
    cJSON *previous; /* the meta files of the runs that this one resumes, oldest first */
} gb_meta;

/* Looks around: the part that is the same for all configs of a command. argv is the command line
 * from the program's name on. */
void gb_meta_start(gb_meta *meta, int argc, char *const *argv);
/* A config's run begins. With resume, remembers what the earlier runs said of themselves (path of
 * the meta file); false and *error if that file is there and no meta file. config: its path. */
bool gb_meta_begin(gb_meta *meta, const char *path, const char *config, bool resume,
                   gb_error *error);
/* True if the last run that this one resumes was measured on another device or host; text then says
 * on which each. */
bool gb_meta_moved(const gb_meta *meta, const gb_session *session, char *text, size_t capacity);
/* Writes the file. state: "running", "complete", "limited",
 * "interrupted", "broken". */
bool gb_meta_write(const gb_meta *meta, const gb_output *output, const gb_session *session,
                   const gb_run_totals *totals, const char *state, gb_error *error);
void gb_meta_free(gb_meta *meta);

#endif
