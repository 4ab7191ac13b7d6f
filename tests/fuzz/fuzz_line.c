/* A line as the answer to a request: what is believed answers this request and no other. */
#include "tests/fuzz/fuzz.h"

#include "bench/worker/answer.h"

enum { SEQ = 7 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *line = fuzz_text(data, size);
    const char *what = NULL;
    cJSON *request = cJSON_Parse("{\"seq\":7,\"cmd\":\"sample\",\"job\":3,\"count\":5}");
    const gb_answer_limits limits = {.bytes = 4096, .values = 20};
    cJSON *answer = gb_answer_parse(request, SEQ, limits, line, size, &what);
    if (answer) {
        const cJSON *cmd = cJSON_GetObjectItemCaseSensitive(answer, "cmd");
        const cJSON *seq = cJSON_GetObjectItemCaseSensitive(answer, "seq");
        const cJSON *job = cJSON_GetObjectItemCaseSensitive(answer, "job");
        REQUIRE(cJSON_IsString(cmd) && strcmp(cmd->valuestring, "sample") == 0);
        REQUIRE(cJSON_IsNumber(seq) && seq->valuedouble == SEQ);
        REQUIRE(cJSON_IsNumber(job) && job->valuedouble == 3);
        REQUIRE(cJSON_IsBool(cJSON_GetObjectItemCaseSensitive(answer, "ok")));
        REQUIRE(cJSON_GetArraySize(answer) <= 20);
    } else {
        char quoted[84];
        REQUIRE(what && *what && !gb_text_unprintable(what));
        REQUIRE(!gb_text_unprintable(gb_line_excerpt(line, size, quoted)));
    }
    cJSON_Delete(answer);
    cJSON_Delete(request);
    free(line);
    return 0;
}
