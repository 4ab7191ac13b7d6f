/* The catalogue that fuzz targets read configs, filters and cases against. */
#include "tests/fuzz/fuzz.h"

#include "common/text/file.h"
#include "common/text/json.h"

static gb_catalogue *catalogue;

static void free_catalogue(void)
{
    gb_catalogue_free(catalogue);
}

const gb_catalogue *fuzz_catalogue(void)
{
    if (catalogue) return catalogue;
    size_t length;
    const char *at, *why;
    gb_error error = {.text = ""};
    char *text = gb_file_read("tests/fixtures/describe.json", "a description", 1 << 20, &length,
                              GB_CRASHED, &error);
    cJSON *answer = text ? gb_json_parse(text, length, &at, &why) : NULL;
    catalogue = gb_catalogue_parse(answer, &error);
    if (!catalogue) fprintf(stderr, "tests/fixtures/describe.json: %s\n", error.text);
    REQUIRE(catalogue);
    cJSON_Delete(answer);
    free(text);
    atexit(free_catalogue);
    return catalogue;
}
