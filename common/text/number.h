/* Reading decimal numbers. */
#ifndef GB_TEXT_NUMBER_H
#define GB_TEXT_NUMBER_H

#include <stdbool.h>

/* A finite decimal number with nothing before or behind it. */
bool gb_number_parse(const char *text, double *number);

#endif
