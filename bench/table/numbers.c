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

const char gb_unstable[] = "unstable";

/* How far the farther end of the interval is from the ratio. */
static double half_of(const gb_ratio *ratio)
{
    return fmax(ratio->hi - ratio->value, ratio->value - ratio->lo);
}

static bool is_wide(const gb_ratio *ratio)
{
    return half_of(ratio) >= ratio->value / 5;
}

/* The decimals that a ratio deserves, by an interval that is not wide. */
static int decimals_of(const gb_ratio *ratio)
{
    const double half = half_of(ratio), value = ratio->value;
    const int most = (value < 0.9 ? 2 : 3) - (int)floor(log10(value));
    if (half <= 0) return most > 0 ? most : 0;
    const int exponent = (int)floor(log10(half));
    const int decimals = (half < 3.55 * pow(10, exponent) ? 1 : 0) - exponent;
    const int fewer = decimals < most ? decimals : most;
    return fewer > 0 ? fewer : 0;
}

/* Rounded up to so many decimals, 1 of the last at least. */
static double rounded_up(double half, int decimals)
{
    const double scale = pow(10, decimals);
    return fmax(ceil(half * scale * (1 - 1e-9)), 1) / scale;
}

const char *gb_ratio_value_text(gb_arena *arena, const gb_ratio *ratio)
{
    if (!(ratio->value > 0)) return "";
    if (!(ratio->lo > 0) || is_wide(ratio)) return gb_significant(arena, ratio->value, 2);
    return gb_arena_printf(arena, "%.*f", decimals_of(ratio), ratio->value);
}

const char *gb_ratio_interval_text(gb_arena *arena, const gb_ratio *ratio)
{
    if (!(ratio->lo > 0)) return ratio->unstable ? gb_unstable : "none";
    if (is_wide(ratio))
        return gb_arena_printf(arena, "%s to %s", gb_significant(arena, ratio->lo, 2),
                               gb_significant(arena, ratio->hi, 2));
    const int decimals = decimals_of(ratio);
    return gb_arena_printf(arena, "%.*f to %.*f", decimals, ratio->lo, decimals, ratio->hi);
}

const char *gb_ratio_text(gb_arena *arena, const gb_ratio *ratio)
{
    const char *value = gb_ratio_value_text(arena, ratio);
    if (!*value || (!(ratio->lo > 0) && !ratio->unstable)) return value;
    if (ratio->unstable) return gb_arena_printf(arena, "%s %s", value, gb_unstable);
    if (is_wide(ratio))
        return gb_arena_printf(arena, "%s (%s)", value, gb_ratio_interval_text(arena, ratio));
    const int decimals = decimals_of(ratio);
    return gb_arena_printf(arena, "%s ±%.*f", value, decimals,
                           rounded_up(half_of(ratio), decimals));
}
