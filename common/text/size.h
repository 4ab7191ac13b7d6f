/* Sizes as people write them: 32M, 16Ki, 4096. */
#ifndef GB_TEXT_SIZE_H
#define GB_TEXT_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parses digits with an optional suffix: k M G (powers of ten) or Ki Mi Gi (powers of two), nothing
 * before or after. False, and *why a static sentence, on anything else: empty, sign, fraction,
 * unknown suffix, or a value that does not fit in 64 bits. why may be NULL. */
bool gb_size_parse(const char *text, uint64_t *size, const char **why);

/* Whether two texts are the same or sizes that are equal: "32Ki" and "32768", "warp" and "warp". */
bool gb_size_same(const char *a, const char *b);

/* Writes the shortest exact form ("32M", "16Ki", "4097"); capacity >= 32. Returns text. */
char *gb_size_format(uint64_t size, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
