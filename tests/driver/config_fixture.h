/* What the tests of configs share: a file that is written and loaded as a config. */
#ifndef GB_TESTS_DRIVER_CONFIG_FIXTURE_H
#define GB_TESTS_DRIVER_CONFIG_FIXTURE_H

#include "tests/driver/fixture.h"

#include "bench/config/config.h"

#include <unistd.h>

static gb_catalogue *catalogue;
static char path[64];

static inline int set_up(void **state)
{
    (void)state;
    catalogue = fixture_catalogue();
    strcpy(path, "/tmp/gpubench-config-XXXXXX");
    int file = mkstemp(path);
    return file >= 0 ? close(file) : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    gb_catalogue_free(catalogue);
    return unlink(path);
}

static inline void write_bytes(const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Loads a text as a config; NULL and *error as gb_config_load does. */
static inline gb_config *load(const char *text, const gb_config_options *options, gb_error *error)
{
    write_bytes(text, strlen(text));
    return gb_config_load(path, catalogue, options, error);
}

static inline gb_config *load_valid(const char *text, const gb_config_options *options)
{
    gb_error error;
    gb_config *config = load(text, options, &error);
    if (!config) fail_msg("%s\nrefused: %s", text, error.text);
    return config;
}

/* A config with the required keys and these others (each entry ends in a comma or is last). */
#define CONFIG(others)                                                             \
    "{\"schema\":1,\"name\":\"x\",\"primitive\":\"multipartition\",\"variants\":[" \
    "\"multipartition\","                                                          \
    "\"multisplit\"]" others "}"

#endif
