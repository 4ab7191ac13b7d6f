/* Answers `provide`: makes a primitive from what a config says of it. */
#ifndef GB_WORKER_PROVIDE_H
#define GB_WORKER_PROVIDE_H

#include "common/worker/state.h"

#include <cjson/cJSON.h>

void gb_handle_provide(gb_service *service, const cJSON *request, cJSON *answer);

#endif
