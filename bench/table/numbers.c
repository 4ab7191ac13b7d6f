/* Numbers as text. */
#include "bench/table/numbers.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *gb_significant(gb_arena *arena, double value, int digits)
{
    if (value == 0) return "0";
    if (!isfinite(value)) return "out of range"; /* of a double: absurd numbers over absurd units */
    if (digits > DBL_DECIMAL_DIG) digits = DBL_DECIMAL_DIG; /* more say nothing */
    char scientific[64];
    snprintf(scientific, sizeof scientific, "%.*e", digits - 1, value);
    long exponent = strtol(strchr(scientific, 'e') + 1, NULL, 10); /* after rounding: 99.97 has 2 */
    long decimals = digits - 1 - exponent;
    return gb_arena_printf(arena, "%.*f", decimals > 0 ? (int)decimals : 0, value);
}

const char *gb_ratio_text(gb_arena *arena, double ratio)
{
    if (!(ratio > 0)) return "";
    return gb_significant(arena, ratio, ratio > 0.9 && ratio < 1.1 ? 4 : 3);
}
