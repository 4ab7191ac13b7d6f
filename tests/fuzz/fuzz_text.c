/* Text made printable, and names that become files. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *before = strdup(text);
    gb_text_tame(text);
    REQUIRE(!gb_text_unprintable(text));
    REQUIRE(strlen(text) <= strlen(before));
    for (const char *c = text; *c; c++)
        REQUIRE((unsigned char)*c >= 0x20 && *c != 0x7F);
    if (!gb_text_unprintable(before)) REQUIRE(strcmp(text, before) == 0);
    char *twice = strdup(text);
    gb_text_tame(twice);
    REQUIRE(strcmp(twice, text) == 0);
    if (!gb_name_mistake(before)) {
        REQUIRE(*before && strlen(before) <= GB_MOST_NAME);
        REQUIRE(!strpbrk(before, "/\\ \n'\"`$;|<>&*?~") && *before != '.' && *before != '-');
    }
    free(text);
    free(before);
    free(twice);
    return 0;
}
