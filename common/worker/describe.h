/* What this worker is and has (describe.c). */
#ifndef GB_WORKER_DESCRIBE_H
#define GB_WORKER_DESCRIBE_H

#include "common/worker/state.h"

#include <cjson/cJSON.h>

void gb_handle_describe(gb_service *service, const cJSON *request, cJSON *answer);

#endif
