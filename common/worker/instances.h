/* Which instance of a variant a job runs (instances.c). */
#ifndef GB_WORKER_INSTANCES_H
#define GB_WORKER_INSTANCES_H

#include "common/worker/state.h"

#include <cjson/cJSON.h>

/* Prepares the job, of several instances of its variant the fastest; adds to the list `tried` what
 * each of them took, where there are several. */
gb_status gb_prepare_instance(gb_service *service, gb_open_job *open, cJSON *tried,
                              gb_error *error);

#endif
