/* A whole file of a test. */
#ifndef GB_TESTS_HARNESS_WHOLE_FILE_H
#define GB_TESTS_HARNESS_WHOLE_FILE_H

#include "common/text/file.h"

/* NULL if it cannot be read. The caller frees it. */
static inline char *whole_file(const char *path)
{
    size_t length;
    gb_error error;
    return gb_file_read(path, "a file of a test", (size_t)16 << 20, &length, GB_WRONG, &error);
}

#endif
