/* What this worker is and has (describe.c). */
#ifndef GB_WORKER_DESCRIBE_H
#define GB_WORKER_DESCRIBE_H

#include "common/worker/state.h"

#include <cjson/cJSON.h>

/* An entry of its list of primitives; the caller deletes it. */
cJSON *gb_describe_primitive(const gb_primitive *primitive);

void gb_handle_describe(gb_service *service, const cJSON *request, cJSON *answer);

#endif
