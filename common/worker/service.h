/* The worker as a service: a line of JSON in, an answer out. */
#ifndef GB_WORKER_SERVICE_H
#define GB_WORKER_SERVICE_H

#include "common/worker/state.h"

#include <cjson/cJSON.h>

/* Answers one request line (length bytes and a NUL). NULL only without host memory; the caller
 * deletes the answer. */
cJSON *gb_service_answer(gb_service *service, const char *line, size_t length);
/* Closes jobs, device and NVML. Not to be called after a fatal answer: a lost device may hang. */
void gb_service_close(gb_service *service);

#endif
