/* --worker commands: the words, each in quotes, are the words again. */
#include "tests/fuzz/fuzz.h"

#include "bench/util/child.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    gb_error error = {GB_OK, ""};
    char **words = gb_command_split(text, &error);
    if (!words) {
        require_message(&error, "");
        free(text);
        return 0;
    }
    REQUIRE(words[0] && *words[0]);
    char *quoted = NULL;
    size_t length, count = 0;
    FILE *file = open_memstream(&quoted, &length);
    REQUIRE(file);
    for (; words[count]; count++) {
        putc(' ', file);
        if (!*words[count]) fputs("''", file);
        for (const char *c = words[count]; *c; c++)
            fprintf(file, *c == '\'' ? "\"%c\"" : "'%c'", *c);
    }
    REQUIRE(fclose(file) == 0);
    char **again = gb_command_split(quoted, &error);
    REQUIRE(again);
    for (size_t i = 0; i < count; i++)
        REQUIRE(again[i] && strcmp(again[i], words[i]) == 0);
    REQUIRE(!again[count]);
    free(again);
    free(words);
    free(quoted);
    free(text);
    return 0;
}
