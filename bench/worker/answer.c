/* Judging a line as the answer to a request. */
#include "bench/worker/answer.h"

#include "common/gpubench.h"
#include "common/protocol/protocol.h"
#include "common/text/json.h"

#include <stdbool.h>
#include <string.h>

/* Descriptions and refusals stay far below LEAST_VALUES. */
enum { LEAST_VALUES = 100000, VALUES_PER_POINT = 16, BYTES_PER_VALUE = 64, MOST_BYTES = 64 << 20 };

const char *gb_request_name(const cJSON *request)
{
    const cJSON *cmd = cJSON_GetObjectItemCaseSensitive(request, "cmd");
    return cJSON_IsString(cmd) ? cmd->valuestring : "?";
}

gb_answer_limits gb_answer_limits_of(const cJSON *request)
{
    size_t values = LEAST_VALUES;
    const cJSON *count = cJSON_GetObjectItemCaseSensitive(request, "count");
    if (cJSON_IsNumber(count) && count->valuedouble > 0) values += (size_t)count->valuedouble;
    int points = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(request, "points"));
    values += VALUES_PER_POINT * (size_t)points;
    if (strcmp(gb_request_name(request), "dump") == 0) values += GB_MOST_DUMP_VALUES;
    size_t bytes = BYTES_PER_VALUE * values;
    return (gb_answer_limits){bytes < MOST_BYTES ? bytes : MOST_BYTES, values};
}

const char *gb_line_excerpt(const char *line, size_t length, char quoted[84])
{
    size_t shown = length < 80 ? length : 80;
    for (size_t i = 0; i < shown; i++)
        quoted[i] = line[i] >= 32 && line[i] < 127 ? line[i] : '.';
    strcpy(quoted + shown, length > shown ? "..." : "");
    return quoted;
}

/* Every value but the first begins behind one of these. */
static bool has_more_values(const char *line, size_t most)
{
    size_t count = 1;
    for (; *line && count <= most; line++)
        count += *line == ',' || *line == '[' || *line == '{';
    return count > most;
}

/* What is wrong with the members that every answer has; NULL: nothing. */
static const char *defect_of(const cJSON *request, unsigned long seq, const cJSON *answer)
{
    const cJSON *echo = cJSON_GetObjectItemCaseSensitive(answer, "cmd");
    const cJSON *ok = cJSON_GetObjectItemCaseSensitive(answer, "ok");
    const cJSON *job = cJSON_GetObjectItemCaseSensitive(request, "job");
    const cJSON *job_echo = cJSON_GetObjectItemCaseSensitive(answer, "job");
    const cJSON *seq_echo = cJSON_GetObjectItemCaseSensitive(answer, "seq");
    if (!cJSON_IsString(echo) || strcmp(echo->valuestring, gb_request_name(request)) != 0)
        return "is one to another request";
    if (!cJSON_IsBool(ok)) return "lacks \"ok\"";
    if (job && (!cJSON_IsNumber(job_echo) || job_echo->valuedouble != job->valuedouble))
        return "is about another job";
    if (!cJSON_IsNumber(seq_echo)) return "lacks \"seq\"";
    if (seq_echo->valuedouble != (double)seq) return "is late or came twice (\"seq\")";
    return NULL;
}

cJSON *gb_answer_parse(const cJSON *request, unsigned long seq, gb_answer_limits limits, char *line,
                       size_t length, const char **what)
{
    line[length] = 0;
    if (has_more_values(line, limits.values)) {
        *what = "holds more values than it can need";
        return NULL;
    }
    const char *at, *why;
    cJSON *answer = gb_json_parse(line, length, &at, &why);
    if (cJSON_IsObject(answer))
        *what = defect_of(request, seq, answer);
    else
        *what = why ? gb_reason("has %s", why) : "is not a JSON object";
    if (!*what) return answer;
    cJSON_Delete(answer);
    return NULL;
}
