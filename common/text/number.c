/* Decimal numbers as files have them. */
#include "common/text/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool gb_number_parse(const char *text, double *number)
{
    /* strtod alone takes blanks before it, "nan(...)", "inf" and hexadecimals as well. */
    if (!*text || strspn(text, "0123456789+-.eE") != strlen(text)) return false;
    char *end;
    *number = strtod(text, &end);
    return *end == '\0' && isfinite(*number);
}
