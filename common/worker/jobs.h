/* Open jobs, and the points' data that they share (jobs.c). */
#ifndef GB_WORKER_JOBS_H
#define GB_WORKER_JOBS_H

#include "common/worker/state.h"

#include <cjson/cJSON.h>

/* Closes a job, and its point if it was the last. */
void gb_close_job(gb_service *service, gb_open_job *job);

void gb_handle_open(gb_service *service, const cJSON *request, cJSON *answer);
void gb_handle_close(gb_service *service, const cJSON *request, cJSON *answer);

#endif
