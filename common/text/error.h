/* Errors as values: a status and a sentence that a person can act on. */
#ifndef GB_TEXT_ERROR_H
#define GB_TEXT_ERROR_H

#include "common/text/status.h"

#if defined(__GNUC__)
#define GB_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define GB_PRINTF(at, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gb_error {
    gb_status status;
    char text[512];
} gb_error;

/* Fills *error and returns status, so that a caller can `return gb_fail(...)`. error may be NULL.
 * Whatever the message quotes, it becomes one printable line (gb_text_tame). */
gb_status gb_fail(gb_error *error, gb_status status, const char *format, ...) GB_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
#endif
