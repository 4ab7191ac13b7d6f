/* What the fuzz targets share. A target is one file fuzz_NAME.c with LLVMFuzzerTestOneInput: built
 * with libFuzzer by `make fuzz`, and with tests/fuzz/replay.c as the test corpus_NAME, which takes
 * the inputs of tests/fuzz/corpus/NAME. A target looks for more than crashes: it states what must
 * hold of every input (REQUIRE). */
#ifndef GB_FUZZ_H
#define GB_FUZZ_H

#include "bench/worker/catalogue.h"
#include "common/text/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Dies, which is what a fuzzer takes for a finding. */
#define REQUIRE(condition)                                                                 \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

/* The input as allocated text with a NUL behind it; it may hold others. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    REQUIRE(text);
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* A message that a person can act on says something, in one printable line, and begins with what
 * it is about. */
static inline void require_message(const gb_error *error, const char *about)
{
    REQUIRE(error->status != GB_OK);
    REQUIRE(error->text[0]);
    REQUIRE(!gb_text_unprintable(error->text));
    REQUIRE(strncmp(error->text, about, strlen(about)) == 0);
}

/* The catalogue of tests/fixtures/describe.json, read once. */
const gb_catalogue *fuzz_catalogue(void);

#endif
