/* Text as LaTeX sets it, and how wide that becomes. */
#ifndef GB_TABLE_LATEX_TEXT_H
#define GB_TABLE_LATEX_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Writes UTF-8 text so that LaTeX prints just that: its own characters escaped, superscript digits,
 * signs and Greek letters as mathematics, no ligatures of hyphens. Other characters stand as they
 * are: which of them a document's fonts and engine know is theirs to say. */
void gb_latex_put(FILE *file, const char *text);
/* The same for running text, in which a long word, such as a path, may be broken. */
void gb_latex_put_running(FILE *file, const char *text);

/* How wide so many bytes of text become, in ems: by Computer Modern Roman at 8 pt, than which its
 * larger sizes, Times and Libertine are narrower. */
double gb_latex_width(const char *text, size_t bytes);

/* The value of a superscript digit at the beginning of text, or -1; its length in bytes into *bytes
 * if there is one. */
int gb_latex_superscript(const char *text, size_t *bytes);

#endif
