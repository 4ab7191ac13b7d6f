/* Primitives that are made from a config. */
#include "bench/worker/provide.h"

#include "bench/worker/asking.h"
#include "common/text/text.h"

#include <stdio.h>
#include <string.h>

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* The reason of a refusal, which ends up before people. */
static void take_refusal(const cJSON *answer, gb_provide_place *place, gb_error *error)
{
    const char *reason = cJSON_GetStringValue(member(answer, "reason"));
    const char *path = cJSON_GetStringValue(member(answer, "path"));
    gb_fail(error, GB_UNSUPPORTED, "%.500s", reason ? reason : "refused without a reason");
    gb_text_tame(error->text);
    snprintf(place->path, sizeof place->path, "%s", path ? path : "");
    gb_text_tame(place->path);
}

cJSON *gb_provide_request(const cJSON *description)
{
    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "cmd", "provide");
    cJSON_AddItemToObject(request, "primitive", cJSON_Duplicate(description, true));
    return request;
}

gb_catalogue *gb_session_provide(gb_session *session, const cJSON *description,
                                 gb_provide_place *place, gb_error *error)
{
    cJSON *request = gb_provide_request(description);
    gb_catalogue *made = NULL;
    place->path[0] = '\0';
    session->provided = NULL;
    cJSON *answer = gb_worker_ask(session->worker, request, gb_worker_limit_s(), error);
    cJSON_Delete(request);
    if (answer && !cJSON_IsTrue(member(answer, "ok")))
        take_refusal(answer, place, error);
    else if (answer)
        made = gb_catalogue_of_made(member(answer, "primitive"), error);
    if (made) session->provided = description;
    cJSON_Delete(answer);
    return made;
}

bool gb_session_provide_again(gb_session *session, const cJSON *description, gb_error *error)
{
    gb_provide_place place;
    if (!description || session->provided == description) return true;
    gb_catalogue *made = gb_session_provide(session, description, &place, error);
    gb_catalogue_free(made);
    return made != NULL;
}
