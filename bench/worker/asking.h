/* Asking workers what they are. */
#ifndef GB_WORKER_ASKING_H
#define GB_WORKER_ASKING_H

#include "bench/worker/catalogue.h"
#include "bench/worker/executables.h"
#include "bench/worker/process.h"
#include "common/protocol/under.h"

/* gb_worker_ask with gb_worker_limit_s, and with an answer that is not "ok" turned into an error.
 */
cJSON *gb_worker_ask_ok(gb_worker *worker, const cJSON *request, gb_error *error);
/* Starts a worker and asks it to describe itself: every worker that is used goes through here, a
 * fresh one in the place of another as well. The catalogue is the caller's to free; *worker,
 * if worker is not NULL, is left running and the caller's to stop, else the worker is stopped. NULL
 * and *error if it does not start, does not answer or does not make sense. */
gb_catalogue *gb_worker_describe(const char *command, gb_worker **worker, gb_error *error);

/* A worker that was asked for its description. */
typedef struct gb_described {
    char *command;
    gb_home home;            /* as of who asked last */
    gb_catalogue *catalogue; /* NULL: error says why */
    gb_error error;
    gb_worker *running; /* NULL: it was stopped, or taken */
} gb_described;

/* Those that were asked, each once; starts as {0}, or with the code. */
typedef struct gb_asked {
    gb_described *list;
    size_t count, capacity;
    gb_under under; /* a worker of another code counts as one that does not answer */
} gb_asked;

/* Which of the list the worker is; asks it first, and leaves it running, if it is not there. The
 * list may move. */
size_t gb_asked_index(gb_asked *asked, const gb_executable *executable);
/* Stops those that nobody has taken; what they said stays. */
void gb_asked_rest(gb_asked *asked);
void gb_asked_free(gb_asked *asked);

/* Describes this command (not NULL), or all workers of gb_executables_find without a config, and
 * stops them again. named: --worker; under: has the code, NULL: as usual. False and *error if there
 * is none at all. */
bool gb_asked_all(gb_asked *asked, const char *named, const gb_under *under, gb_error *error);

#endif
