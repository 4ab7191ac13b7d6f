/* What every request needs: its members as values, the jobs and primitives that it names, and the
 * answer that refuses it. */
#ifndef GB_WORKER_REQUEST_H
#define GB_WORKER_REQUEST_H

#include "common/worker/state.h"

#include <cjson/cJSON.h>

/* Turns the answer into a refusal. status: a status name, or "protocol". */
void gb_refuse(cJSON *answer, const char *status, const char *format, ...) GB_PRINTF(3, 4);
/* The same for a failure of the kernels' side; GB_CRASHED is fatal. */
void gb_refuse_failure(gb_service *service, cJSON *answer, gb_status status, const gb_error *error);

/* Adds memory_free_bytes of the selected device, where it says so. */
void gb_add_free_memory(const gb_service *service, cJSON *answer);

/* A whole number from 0 to 2^53 (the exact range of JSON numbers in doubles), or its digits as a
 * string, which may go to 2^64 - 1. False otherwise. */
bool gb_request_whole(const cJSON *item, uint64_t *number);
/* The named member if it is a string, else NULL. */
const char *gb_request_text(const cJSON *object, const char *name);

/* The primitive that the request names, of those that were provided the last; NULL after a refusal.
 */
const gb_primitive *gb_find_primitive(const gb_service *service, const cJSON *request,
                                      cJSON *answer);
/* The open job that the request names; NULL after a refusal. */
gb_open_job *gb_find_job(gb_service *service, const cJSON *request, cJSON *answer);

#endif
