/* The machine-readable form of `gpubench info`. Inside the command only. */
#ifndef GB_COMMANDS_INFO_H
#define GB_COMMANDS_INFO_H

#include "bench/measure/instrument.h"

/* Prints one JSON object to stdout: workers with their devices and, where there is a session
 * (NULL: none), the selected device with its ceilings, the telemetry (may be NULL) and what the
 * instrument measured of itself. */
void gb_info_print_json(const gb_described *workers, size_t count, const gb_session *session,
                        const cJSON *telemetry, const gb_instrument *instrument);

/* What was measured between the session's GPUs (session->links); nothing where it was not asked. */
void gb_info_print_links(const gb_session *session);

/* How many of the workers, from the first on, may serve a device: those beside the driver, or those
 * that were named. Others have primitives of their own alone. */
size_t gb_info_own_workers(const gb_described *workers, size_t count);

#endif
