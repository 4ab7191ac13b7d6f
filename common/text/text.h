/* Text from outside (a worker at the other end of ssh, a file somebody sent, a command line) before
 * it is shown or becomes a file name. */
#ifndef GB_TEXT_TEXT_H
#define GB_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GB_MOST_NAME = 100 };

/* The first byte of text that must not reach a terminal: a control character (C0, DEL, C1), a
 * separator of lines or paragraphs, a character that reorders what stands around it (Boucher and
 * Anderson, "Trojan Source", 2021), or a byte that is no UTF-8. NULL if there is none. */
const char *gb_text_unprintable(const char *text);

/* Makes text one printable line, in place and never longer: line ends with the blanks after them
 * become "; ", every other unprintable character '?'. */
void gb_text_tame(char *text);

/* Why a name cannot be a file's, a folder's or a column's; NULL if it can: 1 to GB_MOST_NAME
 * letters, digits, '-', '_' and '.', the first neither '-' nor '.'. A static sentence. */
const char *gb_name_mistake(const char *name);

/* Columns of a terminal that UTF-8 text takes; no wide or combining characters occur. */
size_t gb_text_columns(const char *text);
/* The same of its first bytes. */
size_t gb_text_columns_of(const char *text, size_t bytes);
/* Cuts text, in place, to what takes at most so many columns: never within a character. Returns
 * text. */
char *gb_text_cut(char *text, size_t columns);

/* Line feeds in a text. */
size_t gb_text_lines(const char *text);

bool gb_text_ends(const char *text, const char *ending);

/* Whether a name stands in a list whose items are separated by ';', such as "base;csl;comp". */
bool gb_text_lists(const char *list, const char *name);

/* Writes "one, two, three:..." (NULL-terminated names; ':' announces an argument), as many as fit
 * and then "...". Returns text. names may be NULL. */
const char *gb_join_names(char *text, size_t capacity, const char *const *names);

#ifdef __cplusplus
}
#endif
#endif
