/* Sizes: what is parsed is what is written, in both directions. */
#include "tests/fuzz/fuzz.h"

#include "common/text/size.h"

#include <ctype.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), form[32];
    uint64_t value = 0, again = 0;
    const char *why = NULL;
    if (gb_size_parse(text, &value, &why)) {
        REQUIRE(isdigit((unsigned char)text[0]));
        REQUIRE(gb_size_parse(gb_size_format(value, form, sizeof form), &again, NULL));
        REQUIRE(again == value);
        REQUIRE(text[0] == '0' || strlen(form) <= strlen(text));
        /* without a suffix, the C library agrees */
        if (strspn(text, "0123456789") == strlen(text)) REQUIRE(strtoull(text, NULL, 10) == value);
    } else {
        REQUIRE(why && *why);
    }
    if (size >= sizeof value) {
        memcpy(&value, data, sizeof value);
        REQUIRE(gb_size_parse(gb_size_format(value, form, sizeof form), &again, &why));
        REQUIRE(again == value);
    }
    free(text);
    return 0;
}
