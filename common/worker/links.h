/* Answers `links`. */
#ifndef GB_WORKER_LINKS_H
#define GB_WORKER_LINKS_H

#include "common/worker/state.h"

#include <cjson/cJSON.h>

void gb_handle_links(gb_service *service, const cJSON *request, cJSON *answer);

#endif
