/* A job's output as a table (dump.c). */
#ifndef GB_WORKER_DUMP_H
#define GB_WORKER_DUMP_H

#include "common/worker/state.h"

#include <cjson/cJSON.h>

void gb_handle_dump(gb_service *service, const cJSON *request, cJSON *answer);

#endif
