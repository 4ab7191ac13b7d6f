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

/* The worker commands beside the driver, NULL-terminated; the caller frees list and strings. */
char **gb_worker_commands(void);

#endif
