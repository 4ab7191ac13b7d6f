/* What a file is that should have been text, or numbers in another format: told by its first bytes,
 * so that every reader says the same of it. */
#ifndef GB_TEXT_KIND_H
#define GB_TEXT_KIND_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many bytes of a file are looked at. */
enum { GB_KIND_BYTES = 64 };

/* What bytes are that are no UTF-8 text (compressed, UTF-16, a spreadsheet, a web page, ...), and
 * what to do: "is compressed by gzip; unpack it first: gunzip FILE", a static sentence for the
 * place behind the file's name. NULL where they may be text, or are nothing that is known. */
const char *gb_kind_of_no_text(const char *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
