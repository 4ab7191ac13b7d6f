/* Texts that are kept as long as the program runs, one copy of each: a value of a point may be a
 * path, and a million points share a handful of them. */
#ifndef GB_TEXT_KEPT_H
#define GB_TEXT_KEPT_H

#ifdef __cplusplus
extern "C" {
#endif

/* The copy of a text: the same pointer for equal texts. NULL without memory. Not for threads. */
const char *gb_text_kept(const char *text);
/* Frees all of them, for programs that read values without end (fuzzers). */
void gb_text_forget(void);

#ifdef __cplusplus
}
#endif
#endif
