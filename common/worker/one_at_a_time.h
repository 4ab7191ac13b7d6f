/* What backend.h asks about several devices, as a back-end answers whose devices do not work
 * together. Its source includes this once, with GB_ONE_AT_A_TIME defined as the reason, a string.
 */
#ifndef GB_WORKER_ONE_AT_A_TIME_H
#define GB_WORKER_ONE_AT_A_TIME_H

#include "common/worker/backend.h"

gb_status gb_backend_use_set(const int *devices, unsigned count, gb_error *error)
{
    (void)devices;
    if (count == 1) return GB_OK;
    return gb_fail(error, GB_UNSUPPORTED, "%s", GB_ONE_AT_A_TIME);
}

gb_status gb_backend_measure_links(gb_backend *backend, gb_device_links *links, gb_error *error)
{
    (void)backend;
    *links = (gb_device_links){.list = NULL};
    return gb_fail(error, GB_UNSUPPORTED, "%s", GB_ONE_AT_A_TIME);
}

gb_status gb_backend_team_id(char id[GB_TEAM_ID], gb_error *error)
{
    id[0] = '\0';
    return gb_fail(error, GB_UNSUPPORTED, "%s", GB_ONE_AT_A_TIME);
}

gb_status gb_backend_join_team(const gb_team *team, gb_error *error)
{
    return team ? gb_fail(error, GB_UNSUPPORTED, "%s", GB_ONE_AT_A_TIME) : GB_OK;
}

void gb_backend_team_at_work(unsigned members)
{
    (void)members;
}

#endif
