/* A team: several workers, a process and a device each, that answer as one worker. To the driver it
 * is a worker whose device is as many as it has members (docs/protocol.md, docs/multi-gpu.md). */
#ifndef GB_WORKER_TEAM_H
#define GB_WORKER_TEAM_H

#include "common/protocol/protocol.h"
#include "common/text/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/* How members are started. */
typedef struct gb_team_plan {
    unsigned ranks;      /* 1 to GB_MOST_DEVICES */
    const char *launch;  /* a command in front of the worker's, in which {rank} and {host} are the
                            member's; NULL: none, all on this host */
    const char *hosts;   /* separated by commas, the ranks spread over them in blocks; NULL: none */
    char *const *worker; /* its words, NULL-terminated */
} gb_team_plan;

typedef struct gb_members gb_members;

/* Starts all members, and asks them nothing yet. NULL and *error (GB_WRONG: the plan makes no
 * sense) if one cannot be started. */
gb_members *gb_members_start(const gb_team_plan *plan, gb_error *error);

/* Asks the members that a request concerns, all at once, and makes one answer of theirs, which the
 * caller deletes. After a member has failed its answer is fatal, and no member is left. NULL where
 * somebody asked for the team's end (gb_interrupted), or nobody reads its answers any more:
 * reader_gone. */
cJSON *gb_members_answer(gb_members *team, const cJSON *request, bool (*reader_gone)(void));

/* Whether there is nothing left to ask: after `quit`, or a fatal answer. */
bool gb_members_are_over(const gb_members *team);

/* Asks them to quit, ends those that do not, and frees. now: ends them without asking. NULL is
 * allowed. */
void gb_members_stop(gb_members *team, bool now);

/* ---- team_merge.c ---------------------------------------------------------------------------- */

/* One answer of those of members 0, 1, ..., which are consumed: what is the same in all is that of
 * rank 0; of times the largest, the verdict of all. first: which of them refused, or found its
 * output wrong, before the others did, where any has. */
cJSON *gb_members_merge(cJSON **answers, unsigned count, unsigned first);
/* The answer to `describe`, and which of its devices each member is to have (index): one that no
 * other has. */
cJSON *gb_members_merge_descriptions(cJSON **answers, unsigned count, int *index);
/* An answer to be filled, with what a request has that every answer repeats; and one that refuses.
 */
cJSON *gb_members_begin_answer(const cJSON *request);
void gb_members_refuse(cJSON *answer, const char *status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
