/* Runs a fuzz target over the inputs of its corpus, without libFuzzer: the test corpus_NAME. */
#include "tests/fuzz/fuzz.h"

#include "common/file.h"

#include <dirent.h>

#ifndef CORPUS
#define CORPUS "tests/fuzz/corpus/size"
#endif

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(void)
{
    struct dirent **entries = NULL;
    int count = scandir(CORPUS, &entries, is_input, alphasort);
    puts("1..1");
    fflush(stdout);
    /* Of nothing and of a byte, too. */
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    LLVMFuzzerTestOneInput((const uint8_t *)"{", 1);
    for (int i = 0; i < count; i++) {
        char path[4096];
        size_t length;
        gb_error error = {GB_OK, ""};
        snprintf(path, sizeof path, "%s/%s", CORPUS, entries[i]->d_name);
        fprintf(stderr, "%s\n", path); /* the last one said is the one that fails */
        char *text = gb_file_read(path, "an input", 1 << 20, &length, GB_CRASHED, &error);
        if (!text) fprintf(stderr, "%s\n", error.text);
        REQUIRE(text);
        LLVMFuzzerTestOneInput((const uint8_t *)text, length);
        free(text);
        free(entries[i]);
    }
    free(entries);
    printf("%sok 1 - %d inputs of %s\n", count > 0 ? "" : "not ", count > 0 ? count : 0, CORPUS);
    return count > 0 ? 0 : 1;
}
