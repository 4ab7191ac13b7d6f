/* Finding a worker and a device: which executables stand beside the driver, what they can serve. */
#ifndef GB_WORKER_DEVICES_H
#define GB_WORKER_DEVICES_H

#include "bench/worker/catalogue.h"
#include "bench/worker/process.h"

typedef struct gb_session gb_session;

struct gb_session {
    gb_worker *worker;       /* alive and selected */
    gb_catalogue *catalogue; /* of this worker */
    const gb_catalogue_device *device;
    char command[4096];
    cJSON *ceilings;          /* the answer to `select`, kept for the meta file */
    double copy_bytes_per_s;  /* 0: unknown */
    double blocks_per_s;      /* likewise */
    double memory_free_bytes; /* of the device with no job open; 0: unknown */
    char note[320];           /* what a restart had to do about trouble; empty: nothing */
    bool used, used_up;       /* the worker has had a job; one that nobody may follow */
    gb_session *other;        /* another worker on the same device (other_worker.h); NULL: none */
    char no_other[400];       /* why there is none, where one was looked for */
};

/* Opens the device that spec names: NULL or "auto" (the first usable GPU, else simt, which is said
 * on stderr; never OpenCL), "simt", "opencl", a CUDA index, a UUID. command: --worker, or NULL for
 * the executables beside the driver (gpubench-cuda*, gpubench-simt): of those that know the device
 * the one that serves it best (bench/worker/offers.h). False and *error, naming what
 * was found and how to go on (exit status 3). */
bool gb_session_open(gb_session *session, const char *spec, const char *command, gb_error *error);
/* The same without selecting the device, which measures its ceilings: for looking at it only. */
bool gb_session_find(gb_session *session, const char *spec, const char *command, gb_error *error);
/* What lies between the two: selects the device of a session that was found. */
bool gb_session_select(gb_session *session, gb_error *error);
/* Replaces the worker by a fresh one on the same device. A device whose last process was killed may
 * not be there at once: a few attempts, some seconds apart at last, and some seconds more for
 * memory that is still taken; session->note says so. False and *error after that: session->worker
 * is NULL. */
bool gb_session_restart(gb_session *session, gb_error *error);
/* Whether a job needs a worker that is fresher than this one: one was here that nobody may follow,
 * or it wants a worker of its own (gb_catalogue_variant.fresh_worker) and another was here. */
bool gb_session_too_used(const gb_session *session, bool wants_fresh);
/* To be said before every job. A restart forgets it. */
void gb_session_use(gb_session *session, bool wants_fresh);
/* True if so much less memory is free than with no job open before that it matters. */
bool gb_session_lacks_memory(const gb_session *session, double free_bytes);
void gb_session_close(gb_session *session);

/* ---- workers (executables.c) --------------------------------------------------------------------
 */

enum { GB_WORKER_FOLDER = 2048 };

/* Where workers are looked for: $GPUBENCH_WORKER_PATH, else the folder of this program. False if
 * that cannot be told. */
bool gb_worker_folder(char *folder, size_t capacity);
/* The worker commands in that folder, NULL-terminated: gpubench-cuda* first, then gpubench-simt,
 * then gpubench-opencl*. The caller frees them; NULL when memory ran out. */
char **gb_worker_commands(void);
void gb_worker_commands_free(char **commands);
/* Whether two commands of that list are of one kind: there may be several for CUDA. */
bool gb_worker_same_kind(const char *a, const char *b);
/* The command of one executable in that folder, by its name; the caller frees it. NULL if it is not
 * there. */
char *gb_worker_command_named(const char *name);
/* Says that there are no workers, and how to get some. Always false. */
bool gb_worker_refuse_none(gb_error *error);
/* A command as messages show it: without the folder, unless it has arguments. Returns text. */
const char *gb_worker_short_name(const char *command, char *text, size_t capacity);

/* gb_worker_ask with gb_worker_limit_s, and with an answer that is not "ok" turned into an error.
 */
cJSON *gb_worker_ask_ok(gb_worker *worker, const cJSON *request, gb_error *error);
/* Starts a worker and asks it to describe itself. The catalogue is the caller's to free; *worker,
 * if worker is not NULL, is left running and the caller's to stop, else the worker is stopped. NULL
 * and *error if it does not start, does not answer or does not make sense. */
gb_catalogue *gb_worker_describe(const char *command, gb_worker **worker, gb_error *error);

/* A worker that was asked for its description. */
typedef struct gb_described {
    char *command;
    gb_catalogue *catalogue; /* NULL: error says why */
    gb_error error;
    gb_worker *running; /* NULL: it was stopped */
} gb_described;

/* Describes these and leaves those that answer running. The caller frees the list, which stops
 * them; NULL when memory ran out. */
gb_described *gb_commands_describe(char *const *commands, size_t count);
/* Describes one worker (command not NULL) or all beside the driver, and stops them again. The
 * caller frees the list; NULL and *error if there is none at all. */
gb_described *gb_workers_describe(const char *command, size_t *count, gb_error *error);
void gb_described_free(gb_described *workers, size_t count);

#endif
