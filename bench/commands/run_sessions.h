/* The sessions of a run: one for each worker that its configs need, of which one at a time has a
 * worker that runs. Inside the command only. */
#ifndef GB_COMMANDS_RUN_SESSIONS_H
#define GB_COMMANDS_RUN_SESSIONS_H

#include "bench/worker/devices.h"

typedef struct gb_run_sessions {
    gb_session **list;
    size_t count;
    gb_asked asked; /* all workers that were asked so far, each once */
    char *said;     /* what people were told of choices, one behind the other; NULL: nothing */
} gb_run_sessions;

/* The session that serves a wish, an earlier one if that does; until gb_run_sessions_settle its
 * worker runs beside the others. NULL and *error as of gb_worker_choose, and whether it is for want
 * of the primitive. */
gb_session *gb_run_session_for(gb_run_sessions *sessions, const gb_wish *wish, bool *lacking,
                               gb_error *error);
/* All are found: stops the workers that nobody has taken. */
void gb_run_sessions_settle(gb_run_sessions *sessions);
/* Has this one's worker running and its device selected, and no other's. False and *error. */
bool gb_run_session_wake(gb_run_sessions *sessions, gb_session *session, gb_error *error);
/* Stops all workers: whoever is woken next gets a fresh one. */
void gb_run_sessions_rest(gb_run_sessions *sessions);
void gb_run_sessions_free(gb_run_sessions *sessions);

#endif
