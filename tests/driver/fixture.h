/* What tests of the driver's planning half share: the catalogue of a made-up worker. */
#ifndef GB_TESTS_DRIVER_FIXTURE_H
#define GB_TESTS_DRIVER_FIXTURE_H

#include "bench/worker/catalogue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The parsed tests/fixtures/describe.json; the caller deletes it. The folder is found whether the
 * test is started in the repository or in tests/. */
static inline cJSON *fixture_answer(void)
{
    FILE *file = fopen("tests/fixtures/describe.json", "rb");
    if (!file) file = fopen("fixtures/describe.json", "rb");
    if (!file) fail_msg("tests/fixtures/describe.json not found: start me in the repository");
    static char text[16384];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cJSON *answer = cJSON_Parse(text);
    if (!answer) fail_msg("tests/fixtures/describe.json is no JSON");
    return answer;
}

static inline gb_catalogue *fixture_catalogue(void)
{
    gb_error error;
    cJSON *answer = fixture_answer();
    gb_catalogue *catalogue = gb_catalogue_parse(answer, &error);
    cJSON_Delete(answer);
    if (!catalogue) fail_msg("the fixture was refused: %s", error.text);
    return catalogue;
}

/* Fails unless the message holds the fragment. */
static inline void assert_says(const char *message, const char *fragment, const char *what)
{
    if (!fragment || !strstr(message, fragment))
        fail_msg("%s\n  said:     %s\n  expected: %s", what, message,
                 fragment ? fragment : "(nothing)");
}

#endif
