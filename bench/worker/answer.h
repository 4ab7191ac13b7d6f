/* Judging a line as the answer to a request, before anybody believes what it says. */
#ifndef GB_WORKER_ANSWER_H
#define GB_WORKER_ANSWER_H

#include <cjson/cJSON.h>
#include <stddef.h>

/* The most that an answer to this request can need, with room to spare: a worker that lies cannot
 * make the driver read or build more. */
typedef struct gb_answer_limits {
    size_t bytes;  /* of its line */
    size_t values; /* of JSON in it */
} gb_answer_limits;

gb_answer_limits gb_answer_limits_of(const cJSON *request);

/* Parses length bytes (and one more, which becomes a NUL) as the answer to request number seq. The
 * caller deletes it. NULL and *what, which follows "the answer to `sample` ...", if it is none. */
cJSON *gb_answer_parse(const cJSON *request, unsigned long seq, gb_answer_limits limits, char *line,
                       size_t length, const char **what);

/* The command's name in a request, for messages. */
const char *gb_request_name(const cJSON *request);

/* The first 80 bytes of a line, unprintable ones as '.'. Returns quoted. */
const char *gb_line_excerpt(const char *line, size_t length, char quoted[84]);

#endif
