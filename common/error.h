/* Errors as values: a status and a sentence that a person can act on. */
#ifndef GB_ERROR_H
#define GB_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define GB_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define GB_PRINTF(at, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Every outcome of a point; the names (gb_status_name) are the CSV's status column. */
typedef enum gb_status {
    GB_OK,
    GB_UNSUPPORTED,
    GB_WRONG,
    GB_OUT_OF_MEMORY,
    GB_TIMEOUT,
    GB_CRASHED,
    GB_STATUS_COUNT
} gb_status;

typedef struct gb_error {
    gb_status status;
    char text[512];
} gb_error;

/* "ok", "unsupported", "wrong", "out_of_memory", "timeout", "crashed". */
const char *gb_status_name(gb_status status);
/* The status with that name; false if there is none. */
bool gb_status_parse(const char *name, gb_status *status);
/* Fills *error and returns status, so that a caller can `return gb_fail(...)`. error may be NULL.
 * Whatever the message quotes, it becomes one printable line (gb_text_tame). */
gb_status gb_fail(gb_error *error, gb_status status, const char *format, ...) GB_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
#endif
