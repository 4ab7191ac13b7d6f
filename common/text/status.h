/* What becomes of a point. */
#ifndef GB_TEXT_STATUS_H
#define GB_TEXT_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every outcome of a point; the names are those of answers and of the CSV's status column. */
typedef enum gb_status {
    GB_OK,
    GB_UNSUPPORTED,
    GB_WRONG,
    GB_OUT_OF_MEMORY,
    GB_TIMEOUT,
    GB_CRASHED,
    GB_NO_INPUT, /* what it reads (a file of bodies) cannot be read */
    GB_STATUS_COUNT
} gb_status;

/* "ok", "unsupported", "wrong", "out_of_memory", "timeout", "crashed", "no_input"; "?" for none of
 * them. */
const char *gb_status_name(gb_status status);
/* The status with that name; false if there is none. */
bool gb_status_parse(const char *name, gb_status *status);
/* Writes all names for messages: "ok, unsupported, ... or no_input". Returns text. */
char *gb_status_list(char *text, size_t capacity);

/* What stands in a table in the place of the number: "-", "wrong", "memory", ...; "" for ok. */
const char *gb_status_cell(gb_status status);
/* What that says to a reader of the table, a sentence; "" for ok. */
const char *gb_status_meaning(gb_status status);

#ifdef __cplusplus
}
#endif
#endif
