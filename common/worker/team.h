/* A worker that is one of several processes: answers `team`, reads that part of `select`, and says
 * which processes a job concerns. */
#ifndef GB_WORKER_TEAM_H
#define GB_WORKER_TEAM_H

#include "common/protocol/protocol.h"
#include "common/worker/state.h"

#include <cjson/cJSON.h>

void gb_handle_team(gb_service *service, const cJSON *request, cJSON *answer);

/* The team of a `select`, as it stands there. */
typedef struct gb_team_request {
    unsigned rank, size; /* size 0: there is none */
    const char *ids[GB_MOST_DEVICES];
} gb_team_request;

/* False after a refusal. What it points to is the request's. */
bool gb_team_read(const cJSON *request, gb_team_request *team, cJSON *answer);
/* Joins it, once the device is open; or leaves, where there is none. */
gb_status gb_team_join(gb_service *service, const gb_team_request *team, gb_error *error);

/* How many processes of the team work on a point: as many as its axis `gpus` says; 1 where there is
 * no team, or no such axis. */
unsigned gb_team_members(const gb_service *service, const gb_primitive *primitive,
                         const gb_params *params);

#endif
