/* Primitives that a worker makes from a config: asking for one, and asking every fresh worker
 * again.
 */
#ifndef GB_WORKER_PROVIDED_H
#define GB_WORKER_PROVIDED_H

#include "bench/worker/devices.h"

/* Where in a description a mistake is: "variants[1].library"; "": in none of its parts. */
typedef struct gb_provide_place {
    char path[GB_MAX_TEXT];
} gb_provide_place;

/* The request that has a worker make it; the caller deletes it. */
cJSON *gb_provide_request(const cJSON *description);

/* Has the session's worker, which is running, make a primitive from a description (protocol.md), in
 * the place of one that it made before, and every worker that replaces it. The description must
 * outlive the session, or the next call. Returns what was made as a catalogue of its own, which the
 * caller frees. NULL and *error: GB_CRASHED if the worker failed, else the description has a
 * mistake at *place. */
gb_catalogue *gb_session_provide(gb_session *session, const cJSON *description,
                                 gb_provide_place *place, gb_error *error);
/* The same where the description was taken before: nothing is asked if the worker has it. False and
 * *error. */
bool gb_session_provide_again(gb_session *session, const cJSON *description, gb_error *error);

#endif
