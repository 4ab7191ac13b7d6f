/* Runs a fuzz target over the inputs of its corpus, without libFuzzer: the test corpus_NAME. */
#include "tests/fuzz/fuzz.h"

#include "common/text/file.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#ifndef CORPUS
#define CORPUS "tests/fuzz/corpus/size"
#endif

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static char path[4096]; /* the input that is being run */

/* The sanitizers abort like everything else that fails, so that the input can be named. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "abort_on_error=1";
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "abort_on_error=1:print_stacktrace=1";
}

static void name_input(int number)
{
    ssize_t written = write(STDERR_FILENO, path, strlen(path)) + write(STDERR_FILENO, "\n", 1);
    signal(number, SIG_DFL);
    if (written > 0) raise(number);
}

int main(void)
{
    signal(SIGABRT, name_input);
    struct dirent **entries = NULL;
    int count = scandir(CORPUS, &entries, is_input, alphasort);
    puts("1..1");
    fflush(stdout);
    /* Of nothing and of a byte, too. */
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    LLVMFuzzerTestOneInput((const uint8_t *)"{", 1);
    for (int i = 0; i < count; i++) {
        size_t length;
        gb_error error = {GB_OK, ""};
        snprintf(path, sizeof path, "%s/%s", CORPUS, entries[i]->d_name);
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
