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

int gb_number_digits(const char *number)
{
    int digits = 0;
    for (; *number && *number != 'e' && *number != 'E'; number++)
        if (*number >= '0' && *number <= '9' && (digits > 0 || *number != '0')) digits++;
    return digits;
}
