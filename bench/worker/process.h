/* One worker: a child process that speaks the protocol of docs/protocol.md. */
#ifndef GB_WORKER_PROCESS_H
#define GB_WORKER_PROCESS_H

#include "common/text/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

typedef struct gb_worker gb_worker;

/* Starts command (split at blanks, with '' and "" quoting, never through a shell). NULL and *error
 * if it cannot be started. Sends nothing. */
gb_worker *gb_worker_start(const char *command, gb_error *error);

/* Sends one request (not consumed) and waits for its answer. Returns the answer, which the caller
 * deletes, whether its "ok" is true or false. NULL and *error (GB_TIMEOUT or GB_CRASHED) when no
 * valid answer came within limit_s: the worker has then been killed and reaped, and its last lines
 * of stderr are part of the message. An answer that is larger than this request can need, late,
 * given twice or about something else counts as a crash. Reports an interrupt (gb_interrupted) only
 * by finishing normally. */
cJSON *gb_worker_ask(gb_worker *worker, const cJSON *request, double limit_s, gb_error *error);

/* The same in two steps, so that several workers can be asked at once. request stays the caller's,
 * and lives until the answer is there. False and *error as gb_worker_ask has NULL. */
bool gb_worker_send(gb_worker *worker, const cJSON *request, double limit_s, gb_error *error);
/* Takes what has come of it, without waiting: *answer, the caller's, or NULL while it is not whole.
 */
bool gb_worker_receive(gb_worker *worker, cJSON **answer, gb_error *error);
/* Waits until any of those that were asked, and have not answered, has something, wait_s at most.
 */
void gb_workers_wait(gb_worker *const *workers, unsigned count, double wait_s);
/* Whether an answer is still to come. */
bool gb_worker_is_asked(const gb_worker *worker);
/* Ends all at once: SIGTERM, grace_s later SIGKILL. */
void gb_workers_end(gb_worker *const *workers, unsigned count, double grace_s);

/* False after a timeout, a crash or a fatal answer. */
bool gb_worker_alive(const gb_worker *worker);
/* True if the last request was never sent, because the worker had ended or spoken before it: the
 * fault of what was asked earlier, or of somebody outside. */
bool gb_worker_failed_idle(const gb_worker *worker);

/* True while somebody has stopped its process (SIGSTOP). */
bool gb_worker_stopped(const gb_worker *worker);
/* After a GB_TIMEOUT: true if what ended was not the limit of the request but that of the CPU time
 * that the worker's process may have (ulimit -t). */
bool gb_worker_used_up_cpu(const gb_worker *worker);
const char *gb_worker_command(const gb_worker *worker);
/* Host seconds spent waiting for answers, and requests asked, since the start. */
double gb_worker_wait_s(const gb_worker *worker);
unsigned long gb_worker_requests(const gb_worker *worker);

/* The limit for requests that belong to no point (describe, select, work) and for closing:
 * $GPUBENCH_WORKER_LIMIT_S, else 60 s. A worker that starts through a batch queue may need more. */
double gb_worker_limit_s(void);

/* Ends it at once: for a worker whose answers cannot be trusted. */
void gb_worker_kill(gb_worker *worker);

/* Asks it to quit, waits briefly, kills it if need be, frees. NULL is allowed. */
void gb_worker_stop(gb_worker *worker);

#endif
