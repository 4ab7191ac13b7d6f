#include "bench/worker/tuning.h"

#include "bench/util/json_reader.h"
#include "bench/util/string_set.h"
#include "bench/util/version.h"
#include "bench/worker/asking.h"
#include "common/protocol/tuning.h"
#include "common/text/file.h"
#include "common/text/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TABLE = 16 << 20, PATH = 4096 };

static const char *text_in(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

const char *gb_tuning_device(const gb_session *session)
{
    return *session->device->uuid ? session->device->uuid : session->device->slug;
}

/* ---- the file ---------------------------------------------------------------------------------
 */

/* The meta file beside a table; NULL and *error. */
static cJSON *read_meta(const char *path, gb_error *error)
{
    char meta[PATH + 16];
    snprintf(meta, sizeof meta, "%.*s.meta.json", (int)(strlen(path) - strlen(".csv")), path);
    size_t length;
    char *text =
        gb_file_read(meta, "the meta file of a table", MOST_TABLE, &length, GB_WRONG, error);
    cJSON *root = text ? gb_json_read(meta, text, length, error) : NULL;
    free(text);
    return root;
}

/* Whether the table is of this device and this version; *error says what it is of. */
static bool is_ours(const gb_session *session, const char *path, const cJSON *meta, gb_error *error)
{
    const char *uuid = text_in(cJSON_GetObjectItemCaseSensitive(meta, "device"), "uuid"),
               *version = text_in(cJSON_GetObjectItemCaseSensitive(meta, "gpubench"), "version");
    if (*uuid && *session->device->uuid && strcmp(uuid, session->device->uuid) != 0)
        gb_fail(error, GB_WRONG, "%s: is of the device %.100s, and this is %s", path, uuid,
                session->device->uuid);
    else if (strcmp(version, GB_VERSION) != 0)
        gb_fail(error, GB_WRONG, "%s: was measured by gpubench %.40s, and this is " GB_VERSION,
                path, *version ? version : "of an unknown version");
    else
        return true;
    return false;
}

/* The text of a table, *facts what the meta file of a run is to say of it; NULL: there is none, and
 * *error why it is not used where there is one. */
static char *read_table(const gb_session *session, const char *primitive, cJSON **facts,
                        gb_error *error)
{
    char path[PATH], hash[32];
    size_t length;
    /* Several devices of one make go by the table of the first. */
    if (!gb_under_whole(&session->under)) return NULL;
    if (!gb_tuning_path(gb_tuning_device(session), primitive, path, sizeof path, error) ||
        (access(path, F_OK) != 0 && errno == ENOENT)) {
        error->text[0] = '\0'; /* nobody has measured it, or could keep it */
        return NULL;
    }
    char *text = gb_file_read(path, "a table", MOST_TABLE, &length, GB_WRONG, error);
    cJSON *meta = text ? read_meta(path, error) : NULL;
    if (!meta || !is_ours(session, path, meta, error)) {
        cJSON_Delete(meta);
        free(text);
        return NULL;
    }
    snprintf(hash, sizeof hash, "fnv1a64:%016" PRIx64, gb_fnv1a64(text, length));
    *facts = cJSON_CreateObject();
    cJSON_AddStringToObject(*facts, "file", strrchr(path, '/') + 1);
    cJSON_AddStringToObject(*facts, "measured_utc", text_in(meta, "started_utc"));
    cJSON_AddStringToObject(*facts, "hash", hash);
    cJSON_Delete(meta);
    return text;
}

/* ---- handing over -----------------------------------------------------------------------------
 */

static cJSON *make_request(const gb_session *session, const char *primitive, const char *table)
{
    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "cmd", "tuning");
    cJSON_AddStringToObject(request, "primitive", primitive);
    if (session->copy_bytes_per_s > 0)
        cJSON_AddNumberToObject(request, "copy_bytes_per_s", session->copy_bytes_per_s);
    if (table) cJSON_AddStringToObject(request, "table", table);
    return request;
}

/* The worker's words, malloc. NULL and *error: it has refused (GB_WRONG) or did not answer. */
static char *ask(gb_session *session, const cJSON *request, gb_error *error)
{
    cJSON *answer = gb_worker_ask(session->worker, request, gb_worker_limit_s(), error);
    char *by = NULL;
    if (answer && cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "ok"))) {
        by = strdup(text_in(answer, "by"));
        gb_text_tame(by);
    } else if (answer) {
        gb_fail(error, GB_WRONG, "%.400s", text_in(answer, "reason"));
        gb_text_tame(error->text);
    }
    cJSON_Delete(answer);
    return by;
}

/* Without the table, then, and people are told. */
static void leave_out(const char *primitive, cJSON *said, const gb_error *why)
{
    cJSON_AddStringToObject(said, "not_used", why->text);
    fprintf(stderr,
            "gpubench: note: what was measured for %s is not used: %s; `gpubench tune` measures it "
            "anew\n",
            primitive, why->text);
}

static bool tune(gb_session *session, const char *primitive, gb_error *error)
{
    gb_error why = {GB_OK, ""};
    cJSON *facts = NULL, *said = cJSON_AddObjectToObject(session->tuning, primitive);
    char *table = read_table(session, primitive, &facts, &why), *by = NULL;
    cJSON *request = make_request(session, primitive, table);
    if (table) by = ask(session, request, &why);
    free(table);
    if (!by && *why.text) leave_out(primitive, said, &why);
    if (by) {
        cJSON_AddItemToObject(said, "table", facts);
    } else {
        cJSON_Delete(facts);
        cJSON_DeleteItemFromObjectCaseSensitive(request, "table");
        by = ask(session, request, error);
    }
    cJSON_AddItemToArray(session->tuning_requests, request);
    if (by) cJSON_AddStringToObject(said, "by", by);
    const bool answered = by != NULL;
    free(by);
    return answered;
}

static bool tune_again(gb_session *session, gb_error *error)
{
    const cJSON *request;
    cJSON_ArrayForEach(request, session->tuning_requests)
    {
        char *by = ask(session, request, error);
        if (!by) return false;
        free(by);
    }
    return true;
}

bool gb_session_tune(gb_session *session, gb_error *error)
{
    if (session->tuning) return tune_again(session, error);
    session->tuning = cJSON_CreateObject();
    session->tuning_requests = cJSON_CreateArray();
    const gb_catalogue *catalogue = session->catalogue;
    for (unsigned i = 0; i < catalogue->primitive_count; i++)
        if (catalogue->primitives[i].tunes && !tune(session, catalogue->primitives[i].name, error))
            return false;
    return true;
}
