/* Runs an open job and judges, times or shows it (measure.c). */
#ifndef GB_WORKER_MEASURE_H
#define GB_WORKER_MEASURE_H

#include "common/worker/state.h"

#include <cjson/cJSON.h>

/* Times `count` runs as `sample` does. */
gb_status gb_take_samples(gb_service *service, gb_open_job *open, double *times_s, size_t count,
                          gb_error *error);

void gb_handle_verify(gb_service *service, const cJSON *request, cJSON *answer);
void gb_handle_sample(gb_service *service, const cJSON *request, cJSON *answer);
void gb_handle_profile(gb_service *service, const cJSON *request, cJSON *answer);

#endif
