/* Finding a worker and a device: which executables stand beside the driver, what they can serve. */
#ifndef GB_DEVICES_H
#define GB_DEVICES_H

#include "bench/catalogue.h"
#include "bench/worker_process.h"

typedef struct gb_session {
    gb_worker *worker;       /* alive and selected */
    gb_catalogue *catalogue; /* of this worker */
    const gb_catalogue_device *device;
    char command[4096];
    cJSON *ceilings;         /* the answer to `select`, kept for the meta file */
    double copy_bytes_per_s; /* 0: unknown */
} gb_session;

/* Opens the device that spec names: NULL or "auto" (the first usable GPU, else simt, which is said
 * on stderr), "simt", a CUDA index, a UUID. command: --worker, or NULL for the executables beside
 * the driver (gpubench-cuda*, gpubench-simt). False and *error, naming what was found and how to
 * go on (exit status 3). */
bool gb_session_open(gb_session *session, const char *spec, const char *command, gb_error *error);
/* Replaces a dead worker by a fresh one on the same device. */
bool gb_session_restart(gb_session *session, gb_error *error);
void gb_session_close(gb_session *session);

/* Starts a worker and asks it to describe itself. The catalogue is the caller's to free; *worker,
 * if worker is not NULL, is left running and the caller's to stop, else the worker is stopped. NULL
 * and *error if it does not start, does not answer or does not make sense. */
gb_catalogue *gb_worker_describe(const char *command, gb_worker **worker, gb_error *error);

/* The worker commands beside the driver, NULL-terminated; the caller frees list and strings. */
char **gb_worker_commands(void);

#endif
