/* What variants that choose by measurements go by: the tables that `gpubench tune` has left in the
 * cache folder, handed to a session's worker. */
#ifndef GB_WORKER_TUNING_H
#define GB_WORKER_TUNING_H

#include "bench/worker/devices.h"

/* Has the worker of a session, whose device is selected, go by what was measured on that device:
 * each of its primitives that chooses (`tunes`) is told the bandwidth, and given its table if there
 * is one (gb_tuning_path) that is of this device and this gpubench; under conditions there is none.
 * One that cannot be used is named on stderr, with the reason. session->tuning has a member for
 * each primitive: `by`, the worker's words; `table` with `file`, `measured_utc` and `hash`; or
 * `not_used`, why that one is not. The worker of later restarts is given the same. False and *error
 * if it does not answer. */
bool gb_session_tune(gb_session *session, gb_error *error);
/* The name of the folder of a session's device among tables: its UUID, or its slug. */
const char *gb_tuning_device(const gb_session *session);

#endif
