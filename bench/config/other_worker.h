/* The other worker of a run: a variant that the run's own worker lists as elsewhere is measured in
 * the same run by the worker that has it, if that one sees the same device. */
#ifndef GB_CONFIG_OTHER_WORKER_H
#define GB_CONFIG_OTHER_WORKER_H

#include "bench/config/config.h"
#include "bench/worker/devices.h"

/* Whether the config names a variant that the session's worker has not itself. */
bool gb_other_wanted(const gb_config *config);
/* Looks for it among the workers beside the driver, beside a config (its path) and of
 * GPUBENCH_WORKERS, where the session's is a CUDA worker: a device
 * of another back-end is taken for the same one if both tell the same UUID. Makes session->other,
 * whose worker is not running (gb_session_restart starts it), or session->no_other, why there is
 * none. Both stay empty where none is looked for: times of the simt device and of OpenCL on a CPU
 * are of two kinds. */
void gb_other_find(gb_session *session, const char *config);
/* Whether it runs a variant (an index into the primitive's) of the run's own worker. */
bool gb_other_runs(const gb_session *session, const gb_catalogue_primitive *primitive,
                   unsigned variant);

#endif
