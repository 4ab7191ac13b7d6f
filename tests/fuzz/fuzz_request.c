/* The worker's side of the protocol: every line, however broken, has an answer, and lines are what
 * stands between line ends. */
#include "tests/fuzz/fuzz.h"

#include "common/text/kept.h"

#include "common/worker/line_reader.h"
#include "common/worker/service.h"

#include <fcntl.h>
#include <unistd.h>

enum { LONGEST = 4096 };

static void require_answer(const cJSON *answer)
{
    REQUIRE(cJSON_IsObject(answer));
    const cJSON *ok = cJSON_GetObjectItemCaseSensitive(answer, "ok");
    REQUIRE(cJSON_IsString(cJSON_GetObjectItemCaseSensitive(answer, "cmd")));
    REQUIRE(cJSON_IsBool(ok));
    if (!cJSON_IsTrue(ok)) {
        const cJSON *status = cJSON_GetObjectItemCaseSensitive(answer, "status");
        const cJSON *reason = cJSON_GetObjectItemCaseSensitive(answer, "reason");
        REQUIRE(cJSON_IsString(status) && *status->valuestring);
        REQUIRE(cJSON_IsString(reason) && *reason->valuestring);
        REQUIRE(!gb_text_unprintable(reason->valuestring));
    }
    char *text = cJSON_PrintUnformatted(answer);
    REQUIRE(text && !strpbrk(text, "\n"));
    cJSON_free(text);
}

/* The next line as it stands in the input: its length, and how much of the input it takes. */
static size_t expect_line(const uint8_t *data, size_t size, size_t *taken)
{
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    *taken = end ? (size_t)(end - data) + 1 : size;
    return end ? (size_t)(end - data) : size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int ends[2];
    if (size > 60000) return 0; /* what a pipe holds */
    REQUIRE(pipe(ends) == 0);
    REQUIRE(size == 0 || write(ends[1], data, size) == (ssize_t)size);
    close(ends[1]);
    gb_service service = {0};
    gb_line_reader reader;
    REQUIRE(gb_line_reader_init(&reader, ends[0], LONGEST));
    while (!service.quit) {
        char *line;
        size_t length, taken, expected = expect_line(data, size, &taken);
        gb_line_result result = gb_line_reader_next(&reader, &line, &length);
        REQUIRE(result != GB_LINE_FAILED);
        REQUIRE((result == GB_LINE_END) == (size == 0));
        if (result == GB_LINE_END) break;
        REQUIRE((result == GB_LINE_TOO_LONG) == (expected > LONGEST));
        if (result == GB_LINE) {
            REQUIRE(length == expected && memcmp(line, data, length) == 0 && !line[length]);
            cJSON *answer = gb_service_answer(&service, line, length);
            require_answer(answer);
            cJSON_Delete(answer);
            REQUIRE(!service.fatal);
        }
        data += taken;
        size -= taken;
    }
    gb_line_reader_free(&reader);
    gb_service_close(&service);
    close(ends[0]);
    gb_text_forget();
    return 0;
}
