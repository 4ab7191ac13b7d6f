/* Reading decimal numbers. */
#ifndef GB_TEXT_NUMBER_H
#define GB_TEXT_NUMBER_H

#include <stdbool.h>

/* A finite decimal number with nothing before or behind it. */
bool gb_number_parse(const char *text, double *number);
/* Digits of the mantissa, leading zeros apart: 3 for "35.0e9", 2 for "0.73". */
int gb_number_digits(const char *number);

#endif
