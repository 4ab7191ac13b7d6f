/* A worker that is one of several processes: see team.h. */
#include "common/worker/team.h"

#include "common/worker/request.h"

#include <string.h>

/* ---- ids ------------------------------------------------------------------------------------- */

static void refuse_sizes(cJSON *answer)
{
    gb_refuse(answer, "protocol",
              "\"sizes\" must be a list of 1 to %d numbers of processes, each from 2 to %d",
              GB_MOST_DEVICES - 1, GB_MOST_DEVICES);
}

void gb_handle_team(gb_service *service, const cJSON *request, cJSON *answer)
{
    const cJSON *item, *sizes = cJSON_GetObjectItemCaseSensitive(request, "sizes");
    const int count = cJSON_IsArray(sizes) ? cJSON_GetArraySize(sizes) : 0;
    if (count < 1 || count >= GB_MOST_DEVICES) {
        refuse_sizes(answer);
        return;
    }
    cJSON_ArrayForEach(item, sizes)
    {
        uint64_t size;
        if (gb_request_whole(item, &size) && size >= 2 && size <= GB_MOST_DEVICES) continue;
        refuse_sizes(answer);
        return;
    }
    cJSON *ids = cJSON_CreateArray();
    gb_error error = {GB_OK, ""};
    gb_status status = GB_OK;
    for (int i = 0; i < count && status == GB_OK; i++) {
        char id[GB_TEAM_ID] = "";
        status = gb_backend_team_id(id, &error);
        cJSON_AddItemToArray(ids, cJSON_CreateString(id));
    }
    if (status == GB_OK) {
        cJSON_AddItemToObject(answer, "ids", ids);
        return;
    }
    cJSON_Delete(ids);
    gb_refuse_failure(service, answer, status, &error);
}

/* ---- joining --------------------------------------------------------------------------------- */

static bool is_id(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    return text && *text && strlen(text) < GB_TEAM_ID && text[strspn(text, allowed)] == '\0';
}

bool gb_team_read(const cJSON *request, gb_team_request *team, cJSON *answer)
{
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(request, "team");
    *team = (gb_team_request){.size = 0};
    if (!object) return true;
    const cJSON *item, *ids = cJSON_GetObjectItemCaseSensitive(object, "ids");
    uint64_t rank = 0, size = 0;
    bool good = gb_request_whole(cJSON_GetObjectItemCaseSensitive(object, "rank"), &rank) &&
                gb_request_whole(cJSON_GetObjectItemCaseSensitive(object, "size"), &size) &&
                size >= 2 && size <= GB_MOST_DEVICES && rank < size && cJSON_IsArray(ids) &&
                cJSON_GetArraySize(ids) == (int)size - 1;
    unsigned count = 0;
    for (item = good ? ids->child : NULL; item && good; item = item->next) {
        team->ids[count] = cJSON_GetStringValue(item);
        good = is_id(team->ids[count++]);
    }
    if (good) {
        team->rank = (unsigned)rank;
        team->size = (unsigned)size;
        return true;
    }
    gb_refuse(answer, "protocol",
              "\"team\" must have \"size\", 2 to %d, \"rank\", below it, and \"ids\", one less "
              "than size, as the answer to `team` has them",
              GB_MOST_DEVICES);
    return false;
}

gb_status gb_team_join(gb_service *service, const gb_team_request *team, gb_error *error)
{
    const gb_team here = {team->rank, team->size, team->ids};
    service->team = 0;
    const gb_status status = gb_backend_join_team(team->size ? &here : NULL, error);
    if (status == GB_OK) service->team = team->size;
    return status;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

unsigned gb_team_members(const gb_service *service, const gb_primitive *primitive,
                         const gb_params *params)
{
    for (unsigned i = 0; service->team && i < primitive->axis_count; i++) {
        const gb_axis *axis = &primitive->axes[i];
        if (strcmp(axis->name, "gpus") != 0 || axis->type != GB_AXIS_SIZE) continue;
        const uint64_t gpus = params->value[i].size;
        return gpus < 1 ? 1 : gpus < service->team ? (unsigned)gpus : service->team;
    }
    return 1;
}
